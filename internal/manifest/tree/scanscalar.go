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

// key looks for an implicit key at the cursor. It returns how the key is
// written and the offset of its colon, which is -1 where there is no key that
// the scanner takes.
func (s *scanner) key() (st style, colon int) {
	switch c := s.text[s.p]; {
	case c == '"':
		return double, s.quotedKey(c)
	case c == '\'':
		return single, s.quotedKey(c)
	case s.plainStart(s.p):
		return plain, s.plainKey()
	}
	return plain, -1
}

func (s *scanner) quotedKey(quote byte) (colon int) {
	for p := s.p + 1; p < len(s.text); p++ {
		switch s.text[p] {
		case quote:
			p++
			if p-s.p > maxKey || p == len(s.text) || s.text[p] != ':' || !s.spaceAt(p+1) {
				return -1
			}
			return p
		case '\\', '\n':
			return -1
		}
	}
	return -1
}

func (s *scanner) plainKey() (colon int) {
	text := s.text[s.p:]
	for i, c := range text {
		switch c {
		case ':':
			if i+1 < len(text) && !isSpace(text[i+1]) {
				continue
			}
			if i > maxKey || text[i-1] == ' ' || i == 2 && string(text[:2]) == "<<" {
				return -1
			}
			return s.p + i
		case '#':
			if text[i-1] == ' ' {
				return -1
			}
		case '\n', '\t':
			return -1
		}
	}
	return -1
}

func (s *scanner) spaceAt(p int) bool { return p >= len(s.text) || isSpace(s.text[p]) }

// plainLines reads a plain scalar in a block, with the lines that continue it,
// and moves to the next content.
func (s *scanner) plainLines(parent int) bool {
	if parent < 0 || !s.plainStart(s.p) {
		return false
	}
	start, f := s.p, raw
	for {
		end, comment, ok := s.plainLine()
		if !ok {
			return false
		}
		if s.next(); comment || s.col <= parent || s.commented {
			s.scalar(plain, f, start, end, 0)
			return true
		}
		f = 0
	}
}

// plainStops are the bytes at which a plain scalar may end, or at which the
// scanner must look twice.
var plainStops = [256]bool{':': true, '#': true, '\t': true, '\n': true}

// plainLine reads the rest of a line as part of a plain scalar: where its text
// ends, and whether a comment follows. The cursor moves to the next line.
func (s *scanner) plainLine() (end int, comment, ok bool) {
	text, p := s.text, s.p
	for {
		for p < len(text) && !plainStops[text[p]] {
			p++
		}
		if p == len(text) || text[p] == '\n' {
			break
		}
		switch text[p] {
		case ':':
			if s.spaceAt(p + 1) {
				return 0, false, false
			}
		case '#':
			comment = text[p-1] == ' '
		case '\t':
			return 0, false, false
		}
		if comment {
			break
		}
		p++
	}
	end = p
	for end > s.p && (text[end-1] == ' ' || text[end-1] == '\r') {
		end--
	}
	s.p = p
	if comment || p == len(text) {
		s.skipLine()
	} else {
		s.p++
	}
	return end, comment, true
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
