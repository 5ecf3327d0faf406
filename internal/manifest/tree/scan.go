package tree

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// scanner reads plain block YAML. Its methods return false to give the document
// up; then everything it has read so far is void. It never decides that a text
// is wrong: that is for the library to say.
//
// Between two entries of a block the cursor stands at the first character of a
// line's content, and col is that character's column; -1 at the document's end.
type scanner struct {
	text  []byte
	nodes []node
	p     int // the cursor
	col   int
	line  int // where the cursor's line starts
	depth int

	commented bool // next passed a comment
	bad       bool // next met a line that is not plain
}

func (s *scanner) document() bool {
	if bytes.HasPrefix(s.text, bom) {
		s.p = len(bom)
		s.line = s.p
	}
	if !s.prologue() {
		return false
	}
	s.next()
	if s.col >= 0 && !s.block(-1) {
		return false
	}
	return !s.bad && s.col < 0
}

// prologue passes directives and the document's start marker.
func (s *scanner) prologue() bool {
	directives := false
	for {
		s.next()
		if s.col != 0 || s.bad {
			break
		}
		if s.text[s.p] == '%' {
			if !bytes.HasPrefix(s.text[s.p:], []byte("%YAML ")) {
				return false
			}
			directives = true
			s.skipLine()
			continue
		}
		if s.marker("---") {
			s.p += 3
			return s.endLine() // content on the marker's line is not plain
		}
		break
	}
	s.p = s.line
	return !directives
}

// marker reports whether a document marker stands at the cursor, which is at
// the start of a line.
func (s *scanner) marker(mark string) bool {
	rest := s.text[s.p:]
	return len(rest) >= 3 && string(rest[:3]) == mark && (len(rest) == 3 || isSpace(rest[3]))
}

// next moves from the start of a line to the first content at or behind it, and
// notes whether there are comments on the way.
func (s *scanner) next() {
	s.commented = false
	for {
		s.line = s.p
		s.p = pastSpaces(s.text, s.p)
		if s.p == len(s.text) {
			s.col = -1
			return
		}
		switch s.text[s.p] {
		case '#':
			s.commented = true
			s.skipLine()
			continue
		case '\n', '\r':
			s.skipLine()
			continue
		case '\t':
			s.bad = true // maybe a blank line, maybe bad indentation
		case '.':
			if s.p == s.line && s.marker("...") && len(s.nodes) > 0 {
				s.tail()
				s.col = -1
				return
			}
		case '-':
			s.bad = s.bad || s.p == s.line && s.marker("---") && len(s.nodes) > 0
		}
		s.col = s.p - s.line
		if s.bad {
			s.col = -1
		}
		return
	}
}

// tail checks that nothing but blanks and comments follows the end marker.
func (s *scanner) tail() {
	s.p += 3
	if !s.endLine() {
		s.bad = true
		return
	}
	for s.p < len(s.text) {
		line := bytes.TrimLeft(s.text[s.p:lineEnd(s.text, s.p)], " ")
		if len(line) > 0 && line[0] != '#' && line[0] != '\r' {
			s.bad = true
			return
		}
		s.skipLine()
	}
}

// endLine accepts what may follow a finished value on its line, which is
// nothing or a comment, and moves to the start of the next line.
func (s *scanner) endLine() bool {
	from := s.p
	s.skipSpaces()
	if s.p < len(s.text) {
		switch c := s.text[s.p]; {
		case c == '\n' || c == '\r':
		case c == '#' && s.p > from:
		default:
			return false
		}
	}
	s.skipLine()
	return true
}

func (s *scanner) skipSpaces() { s.p = pastSpaces(s.text, s.p) }

// pastSpaces returns the offset of the first byte from p on that is no space.
// Indentation is long enough to look at eight bytes at once.
func pastSpaces(text []byte, p int) int {
	for ; p+8 <= len(text); p += 8 {
		if w := binary.LittleEndian.Uint64(text[p:]) ^ ' '*ones; w != 0 {
			return p + bits.TrailingZeros64(w)/8
		}
	}
	for p < len(text) && text[p] == ' ' {
		p++
	}
	return p
}

func (s *scanner) skipLine() {
	s.p = min(lineEnd(s.text, s.p)+1, len(s.text))
}

// atEnd reports whether the cursor is at the end of its line or at a comment.
func (s *scanner) atEnd() bool {
	return s.p == len(s.text) || s.text[s.p] == '\n' || s.text[s.p] == '\r' || s.text[s.p] == '#'
}

// lineEnd returns the offset of the newline that ends the line, or of the
// text's end.
func lineEnd(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// open appends a collection; close ends it behind what was appended since.
func (s *scanner) open(kind Kind, st style, at int) int {
	s.nodes = append(s.nodes, node{kind: kind, style: st, start: int32(at)})
	return len(s.nodes) - 1
}

func (s *scanner) close(i, end int) {
	s.nodes[i].end = int32(end)
	s.nodes[i].next = int32(len(s.nodes))
}

func (s *scanner) scalar(st style, f flags, start, end, aux int) {
	n := len(s.nodes)
	s.nodes = slices.Grow(s.nodes, 1)[:n+1]
	nd := &s.nodes[n]
	nd.kind, nd.style, nd.flags, nd.typ = Scalar, st, f, untyped
	nd.start, nd.end, nd.next, nd.aux = int32(start), int32(end), int32(n+1), int32(aux)
}

// null appends the value of a key that has none.
func (s *scanner) null(at int) { s.scalar(plain, raw, at, at, 0) }

// block reads the node that starts a line, inside one whose column is parent.
func (s *scanner) block(parent int) bool {
	if s.depth++; s.depth > maxDepth {
		return false
	}
	ok := s.node(parent)
	s.depth--
	return ok
}

func (s *scanner) node(parent int) bool {
	if s.dash() {
		return s.blockSeq(s.col)
	}
	if st, colon := s.key(); colon >= 0 {
		return s.blockMap(s.col, st, colon)
	}
	return s.inline(parent)
}

// blockMap reads the entries of a map whose keys stand in column col; where the
// first key ends and how it is written is known.
func (s *scanner) blockMap(col int, st style, colon int) bool {
	m := s.open(Map, block, s.p)
	for {
		s.scalar(st, raw, s.p, colon, 0)
		s.p = colon + 1
		if !s.mapValue(col) {
			return false
		}
		if s.col != col {
			break
		}
		if st, colon = s.key(); colon < 0 {
			return false
		}
	}
	s.close(m, int(s.nodes[len(s.nodes)-1].end))
	return s.col < col
}

func (s *scanner) mapValue(col int) bool {
	colon := s.p
	s.skipSpaces()
	if !s.atEnd() {
		return s.inline(col)
	}
	s.p = colon
	if !s.endLine() {
		return false
	}
	s.next()
	switch {
	case s.col > col:
		return s.block(col)
	case s.col == col && s.dash():
		return s.blockSeq(col)
	}
	s.null(colon)
	return true
}

// blockSeq reads the entries of a sequence whose dashes stand in column col. A
// map may go on in that column: "a:\n- b\nc:".
func (s *scanner) blockSeq(col int) bool {
	q := s.open(Seq, block, s.p)
	for s.col == col && s.dash() {
		s.p++
		if !s.seqItem(col) {
			return false
		}
	}
	s.close(q, int(s.nodes[len(s.nodes)-1].end))
	return s.col <= col
}

func (s *scanner) seqItem(col int) bool {
	after := s.p
	s.skipSpaces()
	if s.atEnd() {
		s.p = after
		if !s.endLine() {
			return false
		}
		s.next()
		if s.col > col {
			return s.block(col)
		}
		s.null(after)
		return true
	}
	s.col = s.p - s.line
	return s.block(col)
}

// dash reports whether a sequence's entry starts at the cursor.
func (s *scanner) dash() bool {
	return s.text[s.p] == '-' && (s.p+1 == len(s.text) || isSpace(s.text[s.p+1]))
}

// inline reads a value that starts on its key's line, or a scalar or flow
// collection on a line of its own, and moves to the next content.
func (s *scanner) inline(parent int) bool {
	switch c := s.text[s.p]; c {
	case '|', '>':
		if parent < 0 || !s.blockScalar(parent) {
			return false
		}
		s.next()
		return true
	case '"', '\'':
		if !s.quoted() {
			return false
		}
	case '{', '[':
		if !s.flow(parent) {
			return false
		}
	default:
		return s.plainLines(parent)
	}
	if !s.endLine() {
		return false
	}
	s.next()
	return true
}
