// Package tree reads the text of one document, YAML or JSON, into a flat tree
// of nodes that know where in the text they stand.
//
// Two readers fill the same tree. The scanner takes plain block YAML, ordinary
// flow collections and JSON, at about the speed of memory; wherever a text uses
// more than that (anchors, aliases, tags, merge keys, complex keys, tabs, ...)
// it gives the whole document up to the YAML library. Aliases and merge keys
// are resolved on the way in, so that a reader of the tree meets maps,
// sequences and scalars only.
//
// A tree is for reading. Documents are never written from it: whoever changes
// one splices its text at the offsets that the nodes give.
package tree

import (
	"bytes"
	"iter"
)

// Kind says what a node is. The zero value is no node at all.
type Kind uint8

// The kinds of nodes.
const (
	Missing Kind = iota
	Scalar
	Map
	Seq
)

// String names the kind as a user would.
func (k Kind) String() string {
	return [...]string{"nothing", "a scalar", "a map", "a list"}[k]
}

// style says how a node is written.
type style uint8

const (
	plain   style = iota // a scalar without quotes
	single               // 'a scalar'
	double               // "a scalar"
	json                 // "a scalar" with JSON's escapes
	literal              // a scalar behind |
	folded               // a scalar behind >
	block                // a collection shown by indentation
	flow                 // a collection in brackets
)

// flags hold what a node's style does not tell.
type flags uint8

const (
	raw      flags = 1 << iota // the value is the text itself, between the quotes if there are any
	shared                     // the text belongs to an anchor or a merged map that stands elsewhere
	alias                      // the text is an alias (*name); the children are the anchor's
	merged                     // a key or value that a merge key (<<) brought in
	property                   // a tag or an anchor stands before the node
	imported                   // read by the library: the value of a scalar is in Tree.values
)

// node is one entry of the flat tree. A map's children are key, value, key,
// value, ...; the first child follows its parent, and next is the index of
// what comes after the node's whole subtree.
type node struct {
	kind       Kind
	style      style
	flags      flags
	typ        Type  // of a scalar with a tag; untyped for the others
	start, end int32 // the node's text, quotes and brackets included; end is -1 where unknown
	next       int32
	aux        int32 // a block scalar's indentation, or an index into Tree.values
}

// Tree is one document. The zero Tree is an empty document.
type Tree struct {
	text   []byte
	nodes  []node
	values []string // of the scalars that the library decoded
	plain  bool     // read by the scanner
}

// Node is a place in a tree. The zero Node is missing: it has no fields, no
// items and no text, so that a path may be followed without a check per step.
type Node struct {
	tree *Tree
	i    int32
}

// Root is the document's topmost node, missing in an empty document.
func (t *Tree) Root() Node {
	return t.At(0)
}

// At returns the node with that index, as Node.Index gave it for the same text.
func (t *Tree) At(index int32) Node {
	if int(index) >= len(t.nodes) {
		return Node{}
	}
	return Node{t, index}
}

// Plain reports whether the scanner read the document: there is no anchor, no
// alias and no merge key in it.
func (t *Tree) Plain() bool { return t.plain }

func (n Node) node() *node { return &n.tree.nodes[n.i] }

// Kind is Missing for the zero Node.
func (n Node) Kind() Kind {
	if n.tree == nil {
		return Missing
	}
	return n.node().kind
}

// Exists reports whether there is a node.
func (n Node) Exists() bool { return n.tree != nil }

// Index identifies the node among those of its tree. Reading the same text
// again gives the same indices.
func (n Node) Index() int32 { return n.i }

// Offset is where the node's text starts, in bytes from the document's start.
// Behind an alias or a merge key that is where the anchor's text stands.
func (n Node) Offset() int {
	if n.tree == nil {
		return 0
	}
	return int(n.node().start)
}

// End is the offset behind the node's text, or -1 where it is not known.
func (n Node) End() int {
	nd := n.node()
	if nd.end < 0 && nd.style == flow {
		s := scanner{text: n.tree.text, p: int(nd.start)}
		if s.flow(-1) {
			return s.p
		}
	}
	return int(nd.end)
}

// Flow reports whether a collection is written in brackets.
func (n Node) Flow() bool { return n.tree != nil && n.node().style == flow }

// Alias reports whether the node is written as an alias (*name).
func (n Node) Alias() bool { return n.tree != nil && n.node().flags&alias != 0 }

// Shared reports whether the node's text stands elsewhere: behind an alias on
// the way to it, or in a map that a merge key brought in.
func (n Node) Shared() bool { return n.tree != nil && n.node().flags&(shared|merged) != 0 }

// Merged reports whether a merge key (<<) brought the node into its map.
func (n Node) Merged() bool { return n.tree != nil && n.node().flags&merged != 0 }

// Property reports whether a tag or an anchor stands before the node.
func (n Node) Property() bool { return n.tree != nil && n.node().flags&property != 0 }

// Field returns the value of a map's key, the last one where the key is there
// twice, and a missing node where there is no such key or no map.
func (n Node) Field(key string) Node {
	_, value := n.Entry(key)
	return value
}

// Entry returns a map's key and its value as nodes, as Field does.
func (n Node) Entry(key string) (k, v Node) {
	if n.Kind() != Map {
		return k, v
	}
	nodes := n.tree.nodes
	for i := n.i + 1; i < nodes[n.i].next; {
		name := Node{n.tree, i}
		i = nodes[i].next
		if name.Is(key) {
			k, v = name, Node{n.tree, i}
		}
		i = nodes[i].next
	}
	return k, v
}

// Duplicate returns the first two keys of a map that read as key, as nodes;
// again is missing where there are not two. A merge key's are not counted.
func (n Node) Duplicate(key string) (first, again Node) {
	for name := range n.Fields() {
		switch {
		case !name.Is(key) || name.Merged():
		case first.Exists():
			return first, name
		default:
			first = name
		}
	}
	return first, Node{}
}

// Pick looks several keys of a map up in one go, into values, each as Field
// does. A key that is there twice or more is handed to twice, once, as the first
// two keys' nodes; a merge key's do not count. There may be up to 64 keys.
func (n Node) Pick(keys []string, values []Node, twice func(first, again Node)) {
	told := uint64(0)
	for k, v := range n.Fields() {
		for i, key := range keys {
			if !k.Is(key) {
				continue
			}
			if bit := uint64(1) << i; values[i].Exists() && told&bit == 0 && !k.Merged() {
				told |= bit
				first, again := n.Duplicate(key)
				twice(first, again)
			}
			values[i] = v
			break
		}
	}
}

// Path follows keys from map to map.
func (n Node) Path(keys ...string) Node {
	for _, key := range keys {
		n = n.Field(key)
	}
	return n
}

// Fields walks a map's keys and values, in the order in which they are
// written; those that a merge key brought in come last.
func (n Node) Fields() iter.Seq2[Node, Node] {
	return func(yield func(k, v Node) bool) {
		if n.Kind() != Map {
			return
		}
		nodes := n.tree.nodes
		for i := n.i + 1; i < nodes[n.i].next; {
			value := nodes[i].next
			if !yield(Node{n.tree, i}, Node{n.tree, value}) {
				return
			}
			i = nodes[value].next
		}
	}
}

// Items walks a sequence.
func (n Node) Items() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Kind() != Seq {
			return
		}
		nodes := n.tree.nodes
		for i := n.i + 1; i < nodes[n.i].next; i = nodes[i].next {
			if !yield(Node{n.tree, i}) {
				return
			}
		}
	}
}

// Empty reports whether there is no node, or nothing in it: null, an empty map
// or an empty sequence.
func (n Node) Empty() bool {
	switch n.Kind() {
	case Missing:
		return true
	case Scalar:
		return n.Type() == Null
	default:
		return n.node().next == n.i+1
	}
}

// Is reports whether a key reads as name.
func (n Node) Is(name string) bool {
	nd := n.node()
	if nd.kind != Scalar {
		return false
	}
	if nd.flags&raw != 0 {
		return string(n.rawText()) == name
	}
	return n.Text() == name
}

// First returns a map's first key or a sequence's first item, and a missing
// node where there is none. With Next it walks two trees in step.
func (n Node) First() Node {
	if n.Kind() != Map && n.Kind() != Seq || n.node().next == n.i+1 {
		return Node{}
	}
	return Node{n.tree, n.i + 1}
}

// Next returns what follows a child of parent: the key's value, the next key,
// the next item; a missing node behind the last.
func (n Node) Next(parent Node) Node {
	if i := n.node().next; i < parent.node().next {
		return Node{n.tree, i}
	}
	return Node{}
}

// Len is the number of a map's entries or a sequence's items.
func (n Node) Len() int {
	count := 0
	for c := n.First(); c.Exists(); c = c.Next(n) {
		count++
	}
	if n.Kind() == Map {
		count /= 2
	}
	return count
}

// Value returns the value of a map's key.
func (n Node) Value() Node { return Node{n.tree, n.node().next} }

// Same reports whether two scalars have the same type and value.
func Same(a, b Node) bool {
	x, y := a.node(), b.node()
	if x.kind != Scalar || y.kind != Scalar {
		return false
	}
	if x.style == y.style && x.typ == y.typ && x.flags&y.flags&raw != 0 {
		return bytes.Equal(a.rawText(), b.rawText())
	}
	return a.Type() == b.Type() && a.Text() == b.Text()
}

// SameTree reports whether two nodes have the same structure, with the same
// scalars in it, all in the same order.
func SameTree(a, b Node) bool {
	if !a.Exists() || !b.Exists() {
		return a.Exists() == b.Exists()
	}
	x, y := a.tree.nodes[a.i:a.node().next], b.tree.nodes[b.i:b.node().next]
	if len(x) != len(y) {
		return false
	}
	for k := range x {
		if x[k].kind != y[k].kind || x[k].next-a.i != y[k].next-b.i {
			return false
		}
		at := int32(k)
		if x[k].kind == Scalar && !Same(Node{a.tree, a.i + at}, Node{b.tree, b.i + at}) {
			return false
		}
	}
	return true
}

// Contains reports whether the node with an index is the node or below it.
func (n Node) Contains(index int32) bool {
	return n.Exists() && index >= n.i && index < n.node().next
}
