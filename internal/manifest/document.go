// Package manifest handles the text of manifest streams: it reads a stream in
// chunks, splits it into documents, tells what a document is without parsing
// it, finds the objects in one, and splices annotations into one.
//
// Every byte of the input is kept and every document knows its file and line.
// A document is never written anew: what an edit does not touch is copied.
//
// What the objects mean is not known here; package graph knows it.
package manifest

import (
	"bytes"
	"encoding/json"
	"iter"
	"sync"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// Input is one file or stream.
type Input struct {
	Name    string // as it is shown to the user
	EndLine bool   // to end the last line where the text does not: something is going to follow
	Chunks  []*Chunk

	counted sync.Once
}

// Chunk is a part of an input that starts and ends between two documents.
type Chunk struct {
	Text  []byte
	Input *Input
	Order int // among the chunks of all inputs

	lines []int // of the input before each block of the text; and before what follows it
}

// countedBlock is how much text is counted when somebody asks for a line.
const countedBlock = 16 << 10

// Document is a part of a chunk that holds one document, with the marker and
// comments before it. It may be empty.
type Document struct {
	Chunk *Chunk
	Start int // offset in the chunk's text
	Text  []byte
}

// Line returns the line of an offset in the document's text, counted in its
// input from 1. Lines are counted when somebody asks for the first time: most
// inputs have nothing to tell.
func (d *Document) Line(offset int) int {
	return d.Chunk.Line(d.Start + min(max(offset, 0), len(d.Text)))
}

// Line returns the line of an offset in the chunk's text, counted as by
// Document.Line.
func (c *Chunk) Line(at int) int {
	c.Input.counted.Do(c.Input.countLines)
	block := at / countedBlock
	return c.lines[block] + bytes.Count(c.Text[block*countedBlock:at], newline) + 1
}

func (in *Input) countLines() {
	lines := 0
	for _, c := range in.Chunks {
		c.lines = make([]int, 0, len(c.Text)/countedBlock+1)
		for at := 0; at <= len(c.Text); at += countedBlock {
			c.lines = append(c.lines, lines)
			lines += bytes.Count(c.Text[at:min(at+countedBlock, len(c.Text))], newline)
		}
	}
}

// File is the name of the document's input.
func (d *Document) File() string { return d.Chunk.Input.Name }

// Documents splits the chunk's text. A document ends before a line that starts
// with "---" or with a byte order mark, behind a line that starts with "...",
// and where another JSON object follows one. In no stream that a conforming
// reader takes does such a line stand inside a document: inside quotes and
// brackets a marker is an error in every reader, and the text of a block
// scalar is indented.
func (c *Chunk) Documents() iter.Seq[Document] {
	return func(yield func(Document) bool) {
		s := splitter{text: c.Text, bom: hasBOM(c.Text)}
		for start := 0; start < len(c.Text); {
			end := s.end(start)
			text := c.Text[start:end]
			if !yield(Document{Chunk: c, Start: start, Text: text}) {
				return
			}
			start = end
		}
	}
}

// Number tells the chunks of all inputs their order.
func Number(inputs []*Input) {
	order := 0
	for _, in := range inputs {
		for _, c := range in.Chunks {
			c.Order = order
			order++
		}
	}
}

var (
	newline = []byte("\n")
	bom     = []byte("\xEF\xBB\xBF")
	lineBOM = []byte("\n\xEF\xBB\xBF")
)

func hasBOM(text []byte) bool {
	// Its own first byte is rare, a newline is not.
	return bytes.Contains(text, bom) && bytes.Contains(text, lineBOM)
}

// splitter finds where documents end.
type splitter struct {
	text []byte
	bom  bool // a byte order mark starts a line
	next int  // where the next marker ends a document, if that is behind the start
}

// end returns the offset behind the document that starts at start. Where
// documents end without a marker, the next one is not looked for again.
func (s *splitter) end(start int) int {
	if s.next <= start || directives(s.text[start:s.next]) {
		s.next = s.mark(start)
	}
	end := s.next
	if s.bom {
		if i := bytes.Index(s.text[start:end], lineBOM); i >= 0 {
			end = start + i + 1
		}
	}
	return jsonEnd(s.text, start, end)
}

// mark returns where the next marker ends the document: before a "---" line,
// behind a "..." line. Three equal characters have one of them in any third
// place, so that two of three bytes need no look.
func (s *splitter) mark(start int) int {
	if isMarker(s.text[start:], "...") {
		return LineEnd(s.text, start)
	}
	text := s.text
	for i := start + 3; i < len(text); i += 3 {
		if !isMark[text[i]] {
			continue
		}
		at := i
		for at > i-2 && text[at-1] == text[i] {
			at--
		}
		if at == start || text[at-1] != '\n' {
			continue
		}
		switch {
		case isMarker(text[at:], "..."):
			return LineEnd(text, at)
		case isMarker(text[at:], "---") && !directives(text[start:at]):
			return at
		}
	}
	return len(text)
}

var isMark = [256]bool{'-': true, '.': true}

// LineStart returns the offset at which the line of an offset starts.
func LineStart(text []byte, at int) int {
	return bytes.LastIndexByte(text[:at], '\n') + 1
}

// LineEnd returns the offset behind the newline that ends the line at from, or
// behind the text where none does.
func LineEnd(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// isMarker reports whether a line is a document marker: the mark, then white
// space or nothing.
func isMarker(line []byte, mark string) bool {
	return len(line) >= 3 && string(line[:3]) == mark && (len(line) == 3 || isSpace(line[3]))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// directives reports whether a text holds directives and nothing else but
// comments: then a "---" ends them, not a document.
func directives(text []byte) bool {
	text = bytes.TrimPrefix(text, bom)
	found := false
	for len(text) > 0 {
		end := LineEnd(text, 0)
		line := bytes.TrimSpace(text[:end])
		switch {
		case len(line) == 0 || line[0] == '#':
		case text[0] == '%':
			found = true
		default:
			return false
		}
		text = text[end:]
	}
	return found
}

// jsonEnd cuts a document short where it starts with a JSON object and another
// one follows.
func jsonEnd(text []byte, start, end int) int {
	at := tree.JSONStart(text[start:end])
	if at < 0 {
		return end
	}
	at += start
	first := at
	depth, quoted := 0, false
	for ; at < end; at++ {
		switch c := text[at]; {
		case quoted && c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth > 0 {
				continue
			}
			next := skipSpace(text, at+1, end)
			if next < end && text[next] == '{' && json.Valid(text[first:at+1]) {
				return next
			}
			return end
		}
	}
	return end
}

func skipSpace(text []byte, from, end int) int {
	for from < end && isSpace(text[from]) {
		from++
	}
	return from
}

// Object is one Kubernetes object of a document: its root, or an item of a
// list.
type Object struct {
	tree.Node
	APIVersion, Kind string
}

// Objects walks the objects of a document. The items of a List, of any other
// kind whose name ends so and that has items, and of a ResourceList are objects;
// the list itself is none. An item of a typed list (ConfigMapList) may leave
// out its own kind, as the API server's answers do.
func Objects(root tree.Node) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		walk(Object{Node: root, APIVersion: root.Field("apiVersion").Text(), Kind: root.Field("kind").Text()}, yield)
	}
}

func walk(o Object, yield func(Object) bool) bool {
	items := tree.Node{}
	if IsList(o.Kind) {
		items = o.Field("items")
	}
	if items.Kind() != tree.Seq {
		return o.Node.Kind() != tree.Map || yield(o)
	}
	element := o.Kind[:len(o.Kind)-len("List")]
	for item := range items.Items() {
		child := Object{Node: item, APIVersion: item.Field("apiVersion").Text(), Kind: item.Field("kind").Text()}
		if child.Kind == "" && element != "" && element != "Resource" {
			child.APIVersion, child.Kind = o.APIVersion, element
		}
		if !walk(child, yield) {
			return false
		}
	}
	return true
}

// IsList reports whether objects of a kind may hold other objects.
func IsList[K string | []byte](kind K) bool {
	const list = "List"
	return len(kind) >= len(list) && string(kind[len(kind)-len(list):]) == list
}

// Separator is the line that must stand between an input and one before it: none
// where it brings a "---" line, an end marker where it starts with directives.
func (in *Input) Separator() string {
	if len(in.Chunks) == 0 || isMarker(in.Chunks[0].Text, "---") {
		return ""
	}
	text := bytes.TrimPrefix(in.Chunks[0].Text, bom)
	for len(text) > 0 {
		end := LineEnd(text, 0)
		line := bytes.TrimSpace(text[:end])
		if len(line) > 0 && line[0] != '#' {
			if text[0] == '%' {
				return "...\n"
			}
			break
		}
		text = text[end:]
	}
	return "---\n"
}
