package tree

import (
	"bytes"
	"unicode/utf8"
)

// flow reads a collection in brackets, over several lines where it has them,
// inside a block node of column parent.
func (s *scanner) flow(parent int) bool {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		return false
	}
	kind, closing := Map, byte('}')
	if s.text[s.p] == '[' {
		kind, closing = Seq, ']'
	}
	c := s.open(kind, flow, s.p)
	s.p++
	for {
		if !s.flowSpace(parent) {
			return false
		}
		if s.text[s.p] == closing {
			s.p++
			s.close(c, s.p)
			return true
		}
		if !s.flowEntry(kind, parent) || !s.flowSpace(parent) {
			return false
		}
		switch s.text[s.p] {
		case ',':
			s.p++
		case closing:
		default:
			return false
		}
	}
}

func (s *scanner) flowEntry(kind Kind, parent int) bool {
	if kind == Seq {
		return s.flowValue(parent)
	}
	if !s.flowKey(parent) {
		return false
	}
	if c := s.text[s.p]; c == ',' || c == '}' {
		s.null(s.p)
		return true
	}
	return s.flowValue(parent)
}

// flowSpace moves to the next character that counts. Continued lines must be
// indented as the specification has it; the library is less strict.
func (s *scanner) flowSpace(parent int) bool {
	for s.p < len(s.text) {
		switch s.text[s.p] {
		case ' ', '\r':
			s.p++
		case '\n':
			s.p++
			s.line = s.p
			s.skipSpaces()
			if s.p == len(s.text) || !isSpace(s.text[s.p]) && s.p-s.line <= parent {
				return false
			}
			if s.p == s.line && (s.marker("---") || s.marker("...")) {
				return false
			}
		case '#':
			if !isSpace(s.text[s.p-1]) {
				return false
			}
			s.p = lineEnd(s.text, s.p)
		default:
			return s.text[s.p] != '\t'
		}
	}
	return false
}

func (s *scanner) flowKey(parent int) bool {
	line := s.line
	if c := s.text[s.p]; c == '{' || c == '[' || !s.flowValue(parent) || s.line != line {
		return false
	}
	key := &s.nodes[len(s.nodes)-1]
	if key.end-key.start > maxKey || key.style == plain && string(s.text[key.start:key.end]) == "<<" {
		return false
	}
	// A colon right behind the key is one only where the key is quoted; a plain
	// key would have taken it in.
	if s.p == len(s.text) || s.text[s.p] != ':' {
		return false
	}
	s.p++
	return s.flowSpace(parent)
}

func (s *scanner) flowValue(parent int) bool {
	switch c := s.text[s.p]; {
	case c == '{' || c == '[':
		return s.flow(parent)
	case c == '"' || c == '\'':
		return s.quoted()
	}
	return s.flowPlain()
}

// flowPlain reads a plain scalar of one line.
func (s *scanner) flowPlain() bool {
	if !starts[s.text[s.p]] && (s.text[s.p] != '-' || s.p+1 == len(s.text) || !starts[s.text[s.p+1]]) {
		return false
	}
	for p := s.p; p < len(s.text); p++ {
		switch s.text[p] {
		case ':':
			if !s.spaceAt(p + 1) {
				if bytes.IndexByte([]byte(",[]{}"), s.text[p+1]) >= 0 {
					return false
				}
				continue
			}
			return s.endFlowPlain(p)
		case '#':
			if s.text[p-1] == ' ' {
				return s.endFlowPlain(p)
			}
		case ',', ']', '}', '\n', '\r':
			return s.endFlowPlain(p)
		case '[', '{', '?', '\t':
			return false
		}
	}
	return false
}

// endFlowPlain ends a plain scalar before p. What comes next must show that no
// further line belongs to it; flow and flowKey see to that, as they take
// nothing but a comma, a bracket or a colon.
func (s *scanner) endFlowPlain(p int) bool {
	end := s.p + len(bytes.TrimRight(s.text[s.p:p], " "))
	if s.text[p] == ':' && end != p {
		return false
	}
	s.scalar(plain, raw, s.p, end, 0)
	s.p = p
	return true
}

// jsonDocument reads a text that holds one JSON object and white space around
// it.
func (s *scanner) jsonDocument() bool {
	if !s.json() {
		return false
	}
	s.jsonSpace()
	return s.p == len(s.text)
}

func (s *scanner) jsonSpace() {
	for s.p < len(s.text) && isSpace(s.text[s.p]) {
		s.p++
	}
}

func (s *scanner) json() bool {
	if s.p == len(s.text) {
		return false
	}
	switch c := s.text[s.p]; {
	case c == '{':
		return s.jsonCollection(Map, '}')
	case c == '[':
		return s.jsonCollection(Seq, ']')
	case c == '"':
		return s.jsonString()
	default:
		return s.jsonLiteral()
	}
}

func (s *scanner) jsonCollection(kind Kind, closing byte) bool {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		return false
	}
	c := s.open(kind, flow, s.p)
	s.p++
	for first := true; ; first = false {
		s.jsonSpace()
		if s.p == len(s.text) {
			return false
		}
		if first && s.text[s.p] == closing {
			break
		}
		if kind == Map && !s.jsonKey() || !s.json() {
			return false
		}
		s.jsonSpace()
		if s.p == len(s.text) {
			return false
		}
		if s.text[s.p] == closing {
			break
		}
		if s.text[s.p] != ',' {
			return false
		}
		s.p++
	}
	s.p++
	s.close(c, s.p)
	return true
}

func (s *scanner) jsonKey() bool {
	if s.text[s.p] != '"' || !s.jsonString() {
		return false
	}
	s.jsonSpace()
	if s.p == len(s.text) || s.text[s.p] != ':' {
		return false
	}
	s.p++
	s.jsonSpace()
	return true
}

func (s *scanner) jsonString() bool {
	start, f, ascii := s.p, raw, true
	for p := s.p + 1; p < len(s.text); p++ {
		switch c := s.text[p]; {
		case c == '"':
			if !ascii && !utf8.Valid(s.text[start:p]) {
				return false
			}
			s.scalar(json, f, start, p+1, 0)
			s.p = p + 1
			return true
		case c == '\\':
			f = 0
			p++
			if p == len(s.text) || bytes.IndexByte([]byte(`"\/bfnrtu`), s.text[p]) < 0 {
				return false
			}
			if s.text[p] == 'u' {
				if p+5 > len(s.text) {
					return false
				}
				if _, ok := hex(s.text[p+1 : p+5]); !ok {
					return false
				}
			}
		case c < ' ':
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return false
}

// jsonLiteral reads a number, true, false or null.
func (s *scanner) jsonLiteral() bool {
	p := s.p
	for p < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,]}"), s.text[p]) < 0 {
		p++
	}
	switch word := s.text[s.p:p]; string(word) {
	case "true", "false", "null":
	default:
		if !jsonNumber(word) {
			return false
		}
	}
	s.scalar(plain, raw, s.p, p, 0)
	s.p = p
	return true
}

func jsonNumber(word []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		word = word[n:]
		return n > 0
	}
	word = bytes.TrimPrefix(word, []byte("-"))
	if len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9' || !digits() {
		return false
	}
	if len(word) > 0 && word[0] == '.' {
		if word = word[1:]; !digits() {
			return false
		}
	}
	if len(word) > 0 && (word[0] == 'e' || word[0] == 'E') {
		if word = word[1:]; len(word) > 0 && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(word) == 0
}
