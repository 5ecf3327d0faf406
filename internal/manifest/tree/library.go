package tree

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Bounds of what aliases and merge keys may make out of a document: the nodes,
// beyond a multiple of what is written there, and how deep they lie.
const (
	maxExpanded      = 1_000_000
	maxExpandedDepth = 10_000
)

// parseLibrary reads a document with the YAML library.
func parseLibrary(text []byte) (*Tree, error) {
	if err := readable(text); err != nil {
		return nil, err
	}
	body := blankDirectives(text)
	decoder := yaml.NewDecoder(bytes.NewReader(body))
	var doc yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return &Tree{text: text}, nil
	} else if err != nil {
		return nil, syntaxError(err, text)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Line: doc.Line, Problem: "more than one document, or something behind the document"}
	}
	if root := doc.Content[0]; root.Kind == yaml.ScalarNode && root.Value == "" && root.Style == 0 && root.Anchor == "" {
		return &Tree{text: text}, nil // a marker and nothing behind it
	}
	c := converter{tree: &Tree{text: text}, lines: lineStarts(text), ascii: isASCII(text), offsets: make(map[*yaml.Node]int32)}
	c.budget = maxExpanded + 10*len(c.lines) + len(text)
	if err := c.add(doc.Content[0], 0); err != nil {
		return nil, err
	}
	return c.tree, nil
}

// readable refuses what the library would take, or answer for at length.
func readable(text []byte) error {
	switch {
	case len(text) > maxLibrary:
		return &SyntaxError{Line: 1, Problem: fmt.Sprintf(
			"a document of more than %d MiB that is no plain block YAML or JSON (anchors, tags, tabs, bad indentation, ...)", maxLibrary>>20)}
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return &SyntaxError{Line: 1, Problem: "UTF-16; manifests are UTF-8"}
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return &SyntaxError{Line: 1 + bytes.Count(text[:i], []byte("\n")), Problem: "a NUL byte"}
	}
	if !utf8.Valid(text) {
		return &SyntaxError{Line: invalidLine(text), Problem: "bytes that are not UTF-8"}
	}
	if i := loneCR(text); i >= 0 {
		return &SyntaxError{Line: 1 + bytes.Count(text[:i], []byte("\n")), Problem: "a carriage return without a newline"}
	}
	return nil
}

func invalidLine(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		text = text[n:]
	}
	return line
}

// loneCR finds a CR that ends a line alone: readers disagree about it.
func loneCR(text []byte) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '\r')
		if n < 0 {
			return -1
		}
		if i += n; i+1 == len(text) || text[i+1] != '\n' {
			return i
		}
	}
}

// blankDirectives overwrites %YAML lines with spaces: the library knows no
// version but 1.1, although it reads what manifests use of 1.2.
func blankDirectives(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte("%YAML ")) && !bytes.Contains(text, []byte("\n%YAML ")) {
		return text
	}
	body := bytes.Clone(text)
	for line := 0; line < len(body) && !bytes.HasPrefix(body[line:], []byte("---")); line = lineEnd(body, line) + 1 {
		if bytes.HasPrefix(body[line:], []byte("%YAML ")) {
			for i := line; i < len(body) && body[i] != '\n' && body[i] != '\r'; i++ {
				body[i] = ' '
			}
		}
	}
	return body
}

var (
	libraryLine = regexp.MustCompile(`line (\d+): `)
	quotedText  = regexp.MustCompile(`['"\x60].*['"\x60]`)
	// parserError matches what the library's parser says, as opposed to its
	// scanner: there it counts lines from 0.
	parserError = regexp.MustCompile(`did not find expected (<|node content|key|'-'|',')`)
)

// syntaxError makes a SyntaxError of a library's. What the library quotes, an
// anchor's name say, is left out: it may be part of a Secret.
func syntaxError(err error, text []byte) error {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := libraryLine.FindStringSubmatch(problem); m != nil {
		line, _ = strconv.Atoi(m[1])
		problem = strings.Replace(problem, m[0], "", 1)
		if parserError.MatchString(problem) {
			line++
		}
	} else if i := bytes.IndexFunc(text, isControl); i >= 0 {
		line += bytes.Count(text[:i], []byte("\n"))
	}
	if !parserError.MatchString(problem) && !strings.HasSuffix(problem, "expected ':'") {
		problem = quotedText.ReplaceAllString(problem, "...")
	}
	return &SyntaxError{Line: line, Problem: problem}
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7f && r < 0xa0 && r != 0x85
}

// converter turns the library's nodes into a Tree.
type converter struct {
	tree   *Tree
	lines  []int32
	budget int
	depth  int
	open   map[*yaml.Node]bool // the anchors' nodes that are being expanded

	ascii   bool
	offsets map[*yaml.Node]int32 // of a text that is not ASCII, where columns are no bytes
	last    located              // the last of them
}

// spend takes one node off the budget.
func (c *converter) spend(n *yaml.Node) error {
	if c.budget--; c.budget < 0 {
		return &SyntaxError{Line: n.Line, Problem: "aliases or merge keys that expand to too many nodes"}
	}
	return nil
}

func (c *converter) add(n *yaml.Node, f flags) error {
	if err := c.spend(n); err != nil {
		return err
	}
	if c.depth++; c.depth > maxExpandedDepth {
		return &SyntaxError{Line: n.Line, Problem: "maps and lists that are nested too deep"}
	}
	defer func() { c.depth-- }()
	if n.Kind == yaml.AliasNode {
		return c.addAlias(n, f)
	}
	i := len(c.tree.nodes)
	nd := node{flags: f, start: c.offset(n), end: -1}
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		nd.flags |= property
		nd.start = skipProperties(c.tree.text, nd.start)
	}
	c.tree.nodes = append(c.tree.nodes, nd)
	var err error
	switch n.Kind {
	case yaml.ScalarNode:
		err = c.addScalar(n, i)
	case yaml.MappingNode:
		err = c.addCollection(n, i, Map)
	default:
		err = c.addCollection(n, i, Seq)
	}
	c.tree.nodes[i].next = int32(len(c.tree.nodes))
	return err
}

func (c *converter) addAlias(n *yaml.Node, f flags) error {
	if !c.enter(n.Alias) {
		return &SyntaxError{Line: n.Line, Problem: "an alias inside its own anchor"}
	}
	i := len(c.tree.nodes)
	err := c.add(n.Alias, f|shared)
	delete(c.open, n.Alias)
	if err != nil {
		return err
	}
	nd := &c.tree.nodes[i]
	nd.flags = nd.flags&^(shared|property) | f | alias
	nd.start = c.offset(n)
	nd.end = nd.start + 1 + int32(len(n.Value))
	return nil
}

// enter notes that an anchor is being expanded; false says that it is already.
func (c *converter) enter(anchor *yaml.Node) bool {
	if c.open[anchor] {
		return false
	}
	if c.open == nil {
		c.open = make(map[*yaml.Node]bool)
	}
	c.open[anchor] = true
	return true
}

func (c *converter) addScalar(n *yaml.Node, i int) error {
	nd := &c.tree.nodes[i]
	nd.kind, nd.aux = Scalar, int32(len(c.tree.values))
	nd.flags |= imported
	nd.style = libraryStyle(n.Style)
	value := n.Value
	if n.Style&yaml.TaggedStyle != 0 {
		nd.typ = tagType(n.Tag)
		if n.Tag == "!!binary" {
			decoded, err := base64.StdEncoding.DecodeString(value)
			if err != nil {
				return &SyntaxError{Line: n.Line, Problem: "!!binary that is not base64"}
			}
			value = string(decoded)
		}
	}
	nd.end = scalarEnd(c.tree.text, nd.start, nd.style, value)
	c.tree.values = append(c.tree.values, value)
	return nil
}

func libraryStyle(st yaml.Style) style {
	switch {
	case st&yaml.DoubleQuotedStyle != 0:
		return double
	case st&yaml.SingleQuotedStyle != 0:
		return single
	case st&yaml.LiteralStyle != 0:
		return literal
	case st&yaml.FoldedStyle != 0:
		return folded
	}
	return plain
}

// tagType is the type that an explicit tag gives. A tag of one's own makes a
// string, as in the API server's reader.
func tagType(tag string) Type {
	switch tag {
	case "!!int":
		return Int
	case "!!float":
		return Float
	case "!!bool":
		return Bool
	case "!!null":
		return Null
	}
	return String
}

func (c *converter) addCollection(n *yaml.Node, i int, kind Kind) error {
	nd := &c.tree.nodes[i]
	nd.kind, nd.style = kind, block
	if at := int(nd.start); at < len(c.tree.text) && (c.tree.text[at] == '{' || c.tree.text[at] == '[') && n.Style&yaml.FlowStyle != 0 {
		nd.style = flow
	}
	f := nd.flags & shared
	if kind == Seq {
		for _, item := range n.Content {
			if err := c.add(item, f); err != nil {
				return err
			}
		}
		return nil
	}
	own := make(map[string]bool)
	return c.addEntries(n, f, own)
}

// addEntries appends a map's own entries, then those that its merge keys bring
// in; a key that is there already wins over a merged one.
func (c *converter) addEntries(n *yaml.Node, f flags, seen map[string]bool) error {
	var merges []*yaml.Node
	for k := 0; k+1 < len(n.Content); k += 2 {
		key, value := n.Content[k], n.Content[k+1]
		if key.Tag == "!!merge" {
			merges = append(merges, value)
			continue
		}
		if key.Kind == yaml.ScalarNode {
			if f&merged != 0 && seen[key.Value] {
				if err := c.spend(key); err != nil {
					return err
				}
				continue
			}
			seen[key.Value] = true
		}
		if err := c.add(key, f); err != nil {
			return err
		}
		if err := c.add(value, f); err != nil {
			return err
		}
	}
	for _, m := range merges {
		if err := c.addMerge(m, f|merged, seen); err != nil {
			return err
		}
	}
	return nil
}

func (c *converter) addMerge(m *yaml.Node, f flags, seen map[string]bool) error {
	if err := c.spend(m); err != nil {
		return err
	}
	from := m
	if m.Kind == yaml.AliasNode {
		from = m.Alias
	}
	switch {
	case from.Kind == yaml.MappingNode:
		if !c.enter(from) {
			return &SyntaxError{Line: m.Line, Problem: "a merge key inside its own anchor"}
		}
		if c.depth++; c.depth > maxExpandedDepth {
			return &SyntaxError{Line: m.Line, Problem: "merge keys that are nested too deep"}
		}
		err := c.addEntries(from, f, seen)
		c.depth--
		delete(c.open, from)
		return err
	case from.Kind == yaml.SequenceNode && m == from:
		for _, item := range from.Content {
			if err := c.addMerge(item, f, seen); err != nil {
				return err
			}
		}
		return nil
	}
	return &SyntaxError{Line: m.Line, Problem: "a merge key without a map"}
}
