package tree

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The library gives a line and a column for where a node starts, and nothing
// for where it ends. What is found here is right for the texts that people
// write; it need not be for all, as every splice is read back and compared.

// lineStarts returns the offsets at which lines start, as the library counts
// them: NEL, LS and PS end a line too.
func lineStarts(text []byte) []int32 {
	starts := []int32{0}
	if bytes.HasPrefix(text, bom) {
		starts[0] = int32(len(bom))
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			starts = append(starts, int32(i+1))
		case c == 0xC2 && text[i+1] == 0x85:
			starts = append(starts, int32(i+2))
		case c == 0xE2 && text[i+1] == 0x80 && text[i+2]&^1 == 0xA8:
			starts = append(starts, int32(i+3))
		}
	}
	return starts
}

// located is an offset with the library's line and column.
type located struct {
	line, column int
	offset       int32
}

// offset turns the library's line and column, counted in characters from 1,
// into an offset.
func (c *converter) offset(n *yaml.Node) int32 {
	text := c.tree.text
	switch {
	case n.Line < 1 || n.Line > len(c.lines):
		return int32(len(text))
	case c.ascii:
		return min(c.lines[n.Line-1]+int32(n.Column)-1, int32(len(text)))
	}
	if at, ok := c.offsets[n]; ok {
		return at
	}
	from := located{n.Line, 1, c.lines[n.Line-1]}
	if c.last.line == n.Line && c.last.column <= n.Column {
		from = c.last // nodes mostly come one behind the other
	}
	at := int(from.offset)
	for col := from.column; col < n.Column && at < len(text); col++ {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	c.last = located{n.Line, n.Column, int32(at)}
	c.offsets[n] = int32(at)
	return int32(at)
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// skipProperties passes a node's tag and anchor.
func skipProperties(text []byte, at int32) int32 {
	i := int(at)
	for i < len(text) {
		switch {
		case isSpace(text[i]):
			i++
		case text[i] == '#':
			i = lineEnd(text, i)
		case text[i] == '&' || text[i] == '!':
			for i < len(text) && !isSpace(text[i]) {
				i++
			}
		default:
			return int32(i)
		}
	}
	return int32(i)
}

// scalarEnd finds where a scalar's text ends, -1 where that is not plain to
// see.
func scalarEnd(text []byte, start int32, st style, value string) int32 {
	rest := text[start:]
	switch st {
	case plain:
		if bytes.HasPrefix(rest, []byte(value)) {
			return start + int32(len(value))
		}
	case single, double:
		s := scanner{text: text, p: int(start)}
		if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') && s.quoted() {
			return int32(s.p)
		}
	}
	return -1
}
