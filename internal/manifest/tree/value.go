package tree

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Text returns a scalar's value, decoded; "" for what is no scalar. A null has
// no text; a number or boolean has the text that stands in the document.
//
// Most texts need no decoding. They are part of the document, not copies of
// it: nothing ever writes to a document once it is read.
func (n Node) Text() string {
	if n.Kind() != Scalar {
		return ""
	}
	if nd := n.node(); nd.flags&imported != 0 && n.Type() != Null {
		return n.tree.values[nd.aux]
	}
	var buf []byte
	text := n.Bytes(&buf)
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// KeyText returns a key's text, as it is written: what a plain key would be as
// a value, null or a boolean, does not count.
func (n Node) KeyText() string {
	if n.Kind() == Scalar && n.node().flags&(raw|imported) == raw {
		text := n.rawText()
		return unsafe.String(unsafe.SliceData(text), len(text))
	}
	if n.Kind() == Scalar && n.node().flags&imported != 0 {
		return n.tree.values[n.node().aux]
	}
	return n.Text()
}

// Bytes returns a scalar's value as Text does, without keeping it: what is not
// part of the document is decoded into buf, which grows where it must, and
// holds until the next call with it. It is not for writing to.
func (n Node) Bytes(buf *[]byte) []byte {
	if n.Kind() != Scalar {
		return nil
	}
	nd := n.node()
	switch {
	case nd.style == plain && n.Type() == Null:
		return nil
	case nd.flags&(raw|imported) == raw:
		return n.rawText()
	}
	*buf = n.decode((*buf)[:0], nd)
	return *buf
}

func (n Node) decode(buf []byte, nd *node) []byte {
	text := n.tree.text
	if nd.flags&imported != 0 {
		return append(buf, n.tree.values[nd.aux]...)
	}
	buf = slices.Grow(buf, int(nd.end-nd.start)+1) // a value is hardly ever longer than its text
	switch {
	case nd.style == single || nd.style == double:
		return decodeQuoted(buf, text[nd.start:nd.end])
	case nd.style == json:
		return decodeJSON(buf, text[nd.start+1:nd.end-1])
	case nd.style == literal || nd.style == folded:
		return decodeBlock(buf, text, nd)
	}
	return foldLines(buf, text[nd.start:nd.end])
}

// rawText is the value of a scalar whose text needs no decoding.
func (n Node) rawText() []byte {
	nd := n.node()
	if nd.style == plain {
		return n.tree.text[nd.start:nd.end]
	}
	return n.tree.text[nd.start+1 : nd.end-1]
}

// foldLines joins the lines of a plain scalar: one line break becomes a space,
// each further one a newline.
func foldLines(buf, text []byte) []byte {
	breaks := 0
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		line = bytes.Trim(line, " \r")
		if len(line) > 0 {
			buf = appendBreaks(buf, breaks)
			breaks = 0
			buf = append(buf, line...)
		}
		breaks++
	}
	return buf
}

func appendBreaks(buf []byte, breaks int) []byte {
	if breaks == 1 {
		return append(buf, ' ')
	}
	for ; breaks > 1; breaks-- {
		buf = append(buf, '\n')
	}
	return buf
}

// decodeQuoted decodes a quoted YAML scalar whose escapes are known to be good.
func decodeQuoted(buf, text []byte) []byte {
	quote := text[0]
	text = text[1 : len(text)-1]
	special := byte('\\')
	if quote == '\'' {
		special = quote
	}
	if bytes.IndexByte(text, '\n') >= 0 {
		return decodeLines(buf, text, quote)
	}
	for {
		i := bytes.IndexByte(text, special)
		if i < 0 {
			return append(buf, text...)
		}
		buf = append(buf, text[:i]...)
		if text = text[i:]; quote == '\'' {
			buf, text = append(buf, quote), text[2:]
			continue
		}
		n := escape(text)
		buf, text = appendEscape(buf, text[1:n]), text[n:]
	}
}

// decodeLines decodes the inside of a quoted scalar of several lines, which are
// folded as those of a plain one.
func decodeLines(buf, text []byte, quote byte) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' && quote == '\'':
			buf = append(buf, '\'')
			i += 2
		case c == '\\' && quote == '"':
			if j := afterBreak(text, i+1); j > 0 { // an escaped line break joins the lines
				buf, i = foldBreaks(buf, text, j, 0)
				continue
			}
			n := escape(text[i:])
			buf = appendEscape(buf, text[i+1:i+n])
			i += n
		case isSpace(c):
			j := i
			for j < len(text) && (text[j] == ' ' || text[j] == '\t') {
				j++
			}
			if k := afterBreak(text, j); k > 0 {
				buf, i = foldBreaks(buf, text, k, 1)
				continue
			}
			buf = append(buf, text[i:j]...)
			i = j
		default:
			buf = append(buf, c)
			i++
		}
	}
	return buf
}

// afterBreak returns the offset behind the line break at i, 0 if there is none.
func afterBreak(text []byte, i int) int {
	if i < len(text) && text[i] == '\r' {
		i++
	}
	if i < len(text) && text[i] == '\n' {
		return i + 1
	}
	return 0
}

// foldBreaks passes the indentation and the blank lines from i on, which is
// the start of a line, and appends what they and the breaks before i amount
// to.
func foldBreaks(buf, text []byte, i, breaks int) ([]byte, int) {
	escaped := breaks == 0
	for i < len(text) {
		if text[i] == ' ' || text[i] == '\t' {
			i++
			continue
		}
		next := afterBreak(text, i)
		if next == 0 {
			break
		}
		breaks++
		i = next
	}
	if escaped { // the break itself is gone, blank lines behind it stay
		for ; breaks > 0; breaks-- {
			buf = append(buf, '\n')
		}
		return buf, i
	}
	return appendBreaks(buf, breaks), i
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f",
	'r': "\r", 'e': "\x1b", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

func appendEscape(buf, seq []byte) []byte {
	if len(seq) > 1 {
		r, _ := hex(seq[1:])
		return utf8.AppendRune(buf, rune(r))
	}
	if s, ok := escapes[seq[0]]; ok {
		return append(buf, s...)
	}
	return append(buf, seq[0])
}

// decodeJSON decodes the inside of a JSON string whose escapes are known to be
// good. Half a surrogate pair becomes U+FFFD, as in encoding/json.
func decodeJSON(buf, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			buf = append(buf, text[i])
			continue
		}
		i++
		if text[i] != 'u' {
			buf = appendEscape(buf, text[i:i+1])
			continue
		}
		u, _ := hex(text[i+1 : i+5])
		r := rune(u)
		i += 4
		if utf16.IsSurrogate(r) {
			r2 := rune(utf8.RuneError)
			if i+6 < len(text) && text[i+1] == '\\' && text[i+2] == 'u' {
				low, _ := hex(text[i+3 : i+7])
				r2 = utf16.DecodeRune(r, rune(low))
			}
			if r = r2; r != utf8.RuneError {
				i += 6
			}
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf
}

// decodeBlock decodes a literal or folded scalar.
func decodeBlock(buf, text []byte, nd *node) []byte {
	header := text[nd.start:]
	header = header[:headerLen(header)]
	keep, strip := bytes.IndexByte(header, '+') > 0, bytes.IndexByte(header, '-') > 0
	indent := int(nd.aux)
	pos := lineEnd(text, int(nd.start)) + 1
	breaks := 0      // line breaks not yet written
	content := false // whether a line with content was written
	blank := false   // whether that line starts with a space
	ended := true    // whether that line has a line break
	for pos < int(nd.end) {
		stop := lineEnd(text, pos)
		line := bytes.TrimSuffix(text[pos:stop], []byte("\r"))
		ended = stop < len(text)
		line = line[min(indent, len(line)):]
		pos = stop + 1
		if len(line) == 0 {
			breaks++
			continue
		}
		starts := line[0] == ' ' || line[0] == '\t'
		switch {
		case nd.style == folded && content && !blank && !starts:
			buf = appendBreaks(buf, breaks)
		default:
			for ; breaks > 0; breaks-- {
				buf = append(buf, '\n')
			}
		}
		buf = append(buf, line...)
		breaks, content, blank = 1, true, starts
	}
	if content && ended && !strip {
		buf = append(buf, '\n')
	}
	if keep {
		buf = appendBlankLines(buf, text, pos, indent)
	}
	return buf
}

// appendBlankLines appends a newline for each blank line from pos on.
func appendBlankLines(buf, text []byte, pos, indent int) []byte {
	for pos < len(text) {
		stop := lineEnd(text, pos)
		line := bytes.TrimSuffix(text[pos:stop], []byte("\r"))
		if stop == len(text) || len(bytes.TrimLeft(line, " ")) > 0 {
			break
		}
		buf = append(buf, '\n')
		pos = stop + 1
	}
	return buf
}
