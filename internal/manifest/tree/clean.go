package tree

import (
	"encoding/binary"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	lows  = 0x7f7f7f7f7f7f7f7f
)

// clean reports whether a text holds only characters that the scanner takes:
// printable ones, tabs, and line ends as LF or CRLF. It refuses, for the
// library to judge, control characters, a lone CR, bytes that are not UTF-8, a
// byte order mark but at the start, and the three characters (NEL, LS, PS)
// that YAML 1.1 counts as line ends and YAML 1.2 does not.
func clean(text []byte) bool {
	ascii := true
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		if w&highs != 0 {
			ascii = false
		}
		// Per byte, the high bit of control says: below 0x20, or 0x7f. No
		// addition carries into the next byte, as 0x7f is the largest term.
		low := w & lows
		control := (^(low + 0x60*ones) | (low + ones)) & ^w & highs
		if control == 0 {
			continue
		}
		newline := w ^ 0x0a*ones
		newline = ^((newline&lows + lows) | newline) & highs
		if control != newline && !cleanBytes(text, i, i+8) {
			return false
		}
	}
	if !cleanBytes(text, i, len(text)) {
		return false
	}
	for _, b := range text[i:] {
		ascii = ascii && b < utf8.RuneSelf
	}
	return ascii || cleanUnicode(text)
}

func cleanBytes(text []byte, from, to int) bool {
	for i := from; i < to; i++ {
		switch b := text[i]; {
		case b == '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				return false
			}
		case b < ' ' && b != '\n' && b != '\t', b == 0x7f:
			return false
		}
	}
	return true
}

func cleanUnicode(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for i, b := range text {
		switch b {
		case 0xC2: // C1 controls and NEL
			if text[i+1] < 0xA0 {
				return false
			}
		case 0xE2: // LS and PS
			if text[i+1] == 0x80 && (text[i+2] == 0xA8 || text[i+2] == 0xA9) {
				return false
			}
		case 0xEF: // byte order mark; U+FFFE and U+FFFF
			if text[i+1] == 0xBB && text[i+2] == 0xBF && i > 0 || text[i+1] == 0xBF && text[i+2] >= 0xBE {
				return false
			}
		}
	}
	return true
}
