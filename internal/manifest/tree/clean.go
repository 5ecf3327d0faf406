package tree

import (
	"bytes"
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
	for ; i+32 <= len(text); i += 32 {
		var control, other uint64
		for j := 0; j < 32; j += 8 {
			c, o := suspects(binary.LittleEndian.Uint64(text[i+j:]))
			control |= c
			other |= o
		}
		ascii = ascii && other == 0
		if control != 0 && !cleanBytes(text[i:], 32) {
			return false
		}
	}
	for _, b := range text[i:] {
		ascii = ascii && b < utf8.RuneSelf
	}
	return cleanBytes(text[i:], len(text)-i) && (ascii || cleanUnicode(text))
}

// suspects looks at eight bytes at once: control has a bit for each that is a
// control character but no newline, other for each that is not ASCII. No
// addition carries into the next byte, as 0x7f is the largest term.
func suspects(word uint64) (control, other uint64) {
	low := word & lows
	control = ^(low + 0x60*ones) | (low + ones) // below 0x20, or 0x7f
	newline := word ^ 0x0a*ones
	newline = newline&lows + lows | newline // has no bit for a newline
	return control & newline & ^word & highs, word & highs
}

// cleanBytes looks at the first n bytes of a text, one at a time.
func cleanBytes(text []byte, n int) bool {
	for i := range n {
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
	return utf8.Valid(text) &&
		// C1 controls and NEL
		none(text, 0xC2, func(i int) bool { return text[i+1] < 0xA0 }) &&
		// LS and PS
		none(text, 0xE2, func(i int) bool { return text[i+1] == 0x80 && text[i+2]&^1 == 0xA8 }) &&
		// a byte order mark in the text; U+FFFE and U+FFFF
		none(text, 0xEF, func(i int) bool {
			return text[i+1] == 0xBB && text[i+2] == 0xBF && i > 0 || text[i+1] == 0xBF && text[i+2] >= 0xBE
		})
}

// none reports whether no character that starts with lead is bad.
func none(text []byte, lead byte, bad func(i int) bool) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], lead)
		if n < 0 {
			return true
		}
		if i += n; bad(i) {
			return false
		}
	}
}
