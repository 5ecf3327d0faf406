package tree

import (
	"bytes"
	"fmt"
	"math"
)

// Limits that keep memory and time bounded on hostile input. The scanner needs
// none but the depth: its memory is a small multiple of the text.
const (
	maxText    = math.MaxInt32 - 1 // bytes of one document: offsets are 32 bits wide
	maxDepth   = 1000              // of the scanner's own recursion; the library takes 10,000
	maxLibrary = 16 << 20          // bytes of a document that the library reads, at up to 100 times that in memory
)

// Parser reads documents one after the other and keeps its memory between
// them. The zero Parser is ready. It must not be used by two goroutines at
// once.
type Parser struct {
	scan scanner
	tree Tree
}

// Parse reads the text of one document. The tree is valid until the next
// call. The error says what no reader could make sense of, at which line of
// the text, counted from 1; it never quotes the text.
func (p *Parser) Parse(text []byte) (*Tree, error) {
	if len(text) > maxText {
		return nil, &SyntaxError{Line: 1, Problem: "a document of more than 2 GiB"}
	}
	if p.scan.run(text) {
		p.tree = Tree{text: text, nodes: p.scan.nodes, plain: true}
		return &p.tree, nil
	}
	return parseLibrary(text)
}

// SyntaxError tells of a text that is neither YAML nor JSON.
type SyntaxError struct {
	Line    int // of the document's text, from 1
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
}

// run reads a text with the scanner; false says that the library must.
func (s *scanner) run(text []byte) bool {
	*s = scanner{text: text, nodes: s.nodes[:0]}
	if start := JSONStart(text); start >= 0 {
		s.p = start
		if s.jsonDocument() {
			return true
		}
		*s = scanner{text: text, nodes: s.nodes[:0]}
	}
	return clean(text) && s.document()
}

// JSONStart returns the offset of the brace with which a document starts that
// may be JSON, -1 where it starts with anything else. Comments and one marker
// may stand before it, on lines of their own.
func JSONStart(text []byte) int {
	at, marked := 0, false
	if bytes.HasPrefix(text, bom) {
		at = len(bom)
	}
	for {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		if at == len(text) {
			return -1
		}
		end := lineEnd(text, at)
		switch {
		case text[at] == '{':
			return at
		case text[at] == '#':
		case !marked && string(bytes.TrimRight(text[at:end], space)) == "---":
			marked = true
		default:
			return -1
		}
		at = end
	}
}

const space = " \t\r\n"

var bom = []byte("\xEF\xBB\xBF")
