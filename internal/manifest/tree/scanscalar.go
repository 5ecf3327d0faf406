package tree

import "bytes"

// maxKey bounds an implicit key; YAML's own bound is 1024 characters.
const maxKey = 1000

// starts tells which characters may start a plain scalar wherever it stands.
// The rest are indicators, or are so only before a space; the few plain
// scalars that start with one of those are left to the library.
var starts = func() (table [256]bool) {
	for c := range table {
		table[c] = c > ' ' && bytes.IndexByte([]byte("-?:,[]{}#&*!|>'\"%@`"), byte(c)) < 0
	}
	return table
}()

// plainStart reports whether a plain scalar starts at p.
func (s *scanner) plainStart(p int) bool {
	c := s.text[p]
	return starts[c] || c == '-' && p+1 < len(s.text) && (starts[s.text[p+1]] || s.text[p+1] == '-')
}

// key reads an implicit key at the cursor, without moving it. It returns the
// key's node and the offset of the colon, which is -1 where there is no key
// that the scanner takes.
func (s *scanner) key() (node, int) {
	switch c := s.text[s.p]; {
	case c == '"' || c == '\'':
		return s.quotedKey(c)
	case s.plainStart(s.p):
		return s.plainKey()
	}
	return node{}, -1
}

func (s *scanner) quotedKey(quote byte) (node, int) {
	for p := s.p + 1; p < len(s.text); p++ {
		switch s.text[p] {
		case quote:
			p++
			if p-s.p > maxKey || p == len(s.text) || s.text[p] != ':' || !s.spaceAt(p+1) {
				return node{}, -1
			}
			st := double
			if quote == '\'' {
				st = single
			}
			return keyNode(st, s.p, p), p
		case '\\', '\n':
			return node{}, -1
		}
	}
	return node{}, -1
}

func (s *scanner) plainKey() (node, int) {
	for p := s.p; p < len(s.text); p++ {
		switch s.text[p] {
		case ':':
			if !s.spaceAt(p + 1) {
				continue
			}
			key := s.text[s.p:p]
			if len(key) > maxKey || key[len(key)-1] == ' ' || string(key) == "<<" {
				return node{}, -1
			}
			return keyNode(plain, s.p, p), p
		case '#':
			if s.text[p-1] == ' ' {
				return node{}, -1
			}
		case '\n', '\t':
			return node{}, -1
		}
	}
	return node{}, -1
}

func keyNode(st style, start, end int) node {
	return node{kind: Scalar, style: st, flags: raw, start: int32(start), end: int32(end)}
}

func (s *scanner) spaceAt(p int) bool { return p >= len(s.text) || isSpace(s.text[p]) }

// plainLines reads a plain scalar in a block, with the lines that continue it,
// and moves to the next content.
func (s *scanner) plainLines(parent int) bool {
	if parent < 0 || !s.plainStart(s.p) {
		return false
	}
	start, f := s.p, raw
	end, comment, ok := s.plainLine()
	for ok && !comment {
		more := s.continuation(parent)
		if more < 0 {
			break
		}
		s.p, f = more, 0
		end, comment, ok = s.plainLine()
	}
	if !ok {
		return false
	}
	s.scalar(plain, f, start, end, 0)
	s.skipLine()
	s.next()
	return true
}

// plainLine reads the rest of a line as part of a plain scalar: where its text
// ends, and whether a comment follows. The cursor stays on the line.
func (s *scanner) plainLine() (end int, comment, ok bool) {
	stop := lineEnd(s.text, s.p)
	line := s.text[s.p:stop]
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		for ; i >= 0; i = indexFrom(line, '#', i+1) {
			if i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
				line, comment = line[:i], true
				break
			}
		}
	}
	line = bytes.TrimRight(line, " \r")
	if bytes.IndexByte(line, '\t') >= 0 {
		return 0, false, false
	}
	for i := bytes.IndexByte(line, ':'); i >= 0; i = indexFrom(line, ':', i+1) {
		if i+1 == len(line) || line[i+1] == ' ' {
			return 0, false, false
		}
	}
	return s.p + len(line), comment, true
}

func indexFrom(line []byte, c byte, from int) int {
	if i := bytes.IndexByte(line[from:], c); i >= 0 {
		return from + i
	}
	return -1
}

// continuation returns where a plain scalar's next line starts, or -1 where
// the scalar ends with the cursor's line.
func (s *scanner) continuation(parent int) int {
	for line := lineEnd(s.text, s.p) + 1; line < len(s.text); line = lineEnd(s.text, line) + 1 {
		p := line
		for p < len(s.text) && s.text[p] == ' ' {
			p++
		}
		switch {
		case p == len(s.text):
			return -1
		case s.text[p] == '\n' || s.text[p] == '\r':
			continue
		case s.text[p] == '#' || p-line <= parent:
			return -1
		}
		s.line = line
		return p
	}
	return -1
}

// quoted reads a quoted scalar, over several lines where it has them, and
// leaves the cursor behind it.
func (s *scanner) quoted() bool {
	quote := s.text[s.p]
	st := double
	if quote == '\'' {
		st = single
	}
	f := raw
	for p := s.p + 1; p < len(s.text); p++ {
		switch c := s.text[p]; c {
		case quote:
			if quote == '\'' && p+1 < len(s.text) && s.text[p+1] == '\'' {
				f, p = 0, p+1
				continue
			}
			s.scalar(st, f, s.p, p+1, 0)
			s.p = p + 1
			return true
		case '\\':
			if quote == '\'' {
				continue
			}
			f = 0
			n := escape(s.text[p:])
			if n == 0 {
				return false
			}
			p += n - 1
		case '\n':
			f = 0
			s.line = p + 1
			if !s.quotedLine() {
				return false
			}
		}
	}
	return false
}

// quotedLine checks the line at s.line, inside quotes: no document marker, no
// tab in its indentation.
func (s *scanner) quotedLine() bool {
	rest := s.text[s.line:]
	if len(rest) >= 3 && (string(rest[:3]) == "---" || string(rest[:3]) == "...") {
		return false
	}
	rest = bytes.TrimLeft(rest, " ")
	return len(rest) == 0 || rest[0] != '\t'
}

// escape returns the length of the escape sequence that a text starts with, 0
// where it is none that YAML 1.1 knows.
func escape(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	digits := 0
	switch text[1] {
	case '0', 'a', 'b', 't', '\t', 'n', 'v', 'f', 'r', 'e', ' ', '"', '\'', '\\', 'N', '_', 'L', 'P':
		return 2
	case '\n':
		return 1 // the newline is for the caller to see
	case '\r':
		return 1
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 0
	}
	if len(text) < 2+digits {
		return 0
	}
	r, ok := hex(text[2 : 2+digits])
	if !ok || r >= 0xD800 && r <= 0xDFFF || r > 0x10FFFF {
		return 0
	}
	return 2 + digits
}

func hex(digits []byte) (value uint32, ok bool) {
	for _, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		value = value<<4 | uint32(c)
	}
	return value, true
}

// blockScalar reads a literal or folded scalar and leaves the cursor at the
// start of the line behind it. Blank lines at the scalar's end are not in the
// node's text; Tree.blockValue finds them again.
func (s *scanner) blockScalar(parent int) bool {
	start := s.p
	st, indent := blockHeader(s.text[s.p:])
	s.p += headerLen(s.text[s.p:])
	header := s.p
	if !s.endLine() {
		return false
	}
	if indent > 0 {
		indent += parent
	} else if indent = s.blockIndent(parent); indent < 0 {
		return false
	}
	end := header
	for p := s.p; p < len(s.text); {
		stop := lineEnd(s.text, p)
		q := p
		for q < stop && q-p < indent && s.text[q] == ' ' {
			q++
		}
		switch {
		case q == stop || s.text[q] == '\r':
		case q-p == indent:
			end = stop
		case s.text[q] == '\t':
			return false
		default:
			stop = -1
		}
		if stop < 0 {
			break
		}
		p = min(stop+1, len(s.text))
		s.p = p
	}
	if s.text[end-1] == '\r' {
		end--
	}
	s.scalar(st, 0, start, end, indent)
	return true
}

// blockIndent finds the indentation of a block scalar that does not say it: that
// of its first line with content. It gives up, with -1, where blank lines before
// that one have more spaces, or a tab stands first.
func (s *scanner) blockIndent(parent int) int {
	blanks := 0
	for line := s.p; line < len(s.text); line = lineEnd(s.text, line) + 1 {
		p := line
		for p < len(s.text) && s.text[p] == ' ' {
			p++
		}
		if p == len(s.text) || s.text[p] == '\n' || s.text[p] == '\r' {
			blanks = max(blanks, p-line)
			continue
		}
		if s.text[p] == '\t' {
			return -1
		}
		if p-line <= parent {
			break
		}
		if blanks > p-line {
			return -1
		}
		return p - line
	}
	return max(blanks, parent+1)
}

// headerLen is the length of a block scalar's indicators: the sign that starts
// it and at most one digit and one of + and -, in either order.
func headerLen(text []byte) int {
	n, digit, chomp := 1, false, false
	for ; n < len(text); n++ {
		switch c := text[n]; {
		case c >= '1' && c <= '9' && !digit:
			digit = true
		case (c == '+' || c == '-') && !chomp:
			chomp = true
		default:
			return n
		}
	}
	return n
}

// blockHeader reads a block scalar's style and the digit of its indentation, 0
// where it has none.
func blockHeader(text []byte) (st style, indent int) {
	st = literal
	if text[0] == '>' {
		st = folded
	}
	for _, c := range text[1:headerLen(text)] {
		if c >= '1' && c <= '9' {
			indent = int(c - '0')
		}
	}
	return st, indent
}
