package graph

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// appendCanonical appends a node as canonical JSON (RFC 8785): keys sorted by
// their UTF-16 code units, no spaces, nothing escaped that need not be.
// Integers keep their digits.
func appendCanonical(buf []byte, n tree.Node, skip ...kinds.Path) ([]byte, error) {
	switch n.Kind() {
	case tree.Map:
		entries, err := sortedEntries(n, skip)
		if err != nil {
			return buf, err
		}
		return appendObject(buf, entries, skip)
	case tree.Seq:
		buf = append(buf, '[')
		first := true
		for item := range n.Items() {
			if !first {
				buf = append(buf, ',')
			}
			first = false
			var err error
			if buf, err = appendCanonical(buf, item, below(skip, kinds.Each)...); err != nil {
				return buf, err
			}
		}
		return append(buf, ']'), nil
	}
	if n.Type() == tree.String {
		return appendString(buf, n.Text()), nil
	}
	out, ok := n.AppendJSON(buf)
	if !ok {
		return buf, &nodeError{n, "a number that JSON cannot hold"}
	}
	return out, nil
}

// nodeError is a fault at a node.
type nodeError struct {
	node    tree.Node
	problem string
}

func (e *nodeError) Error() string { return e.problem }

type canonicalEntry struct {
	key   string
	value tree.Node
}

// below are the paths behind a step.
func below(paths []kinds.Path, step string) (rest []kinds.Path) {
	for _, p := range paths {
		if len(p) > 1 && (p[0] == step || p[0] == kinds.EachValue && step != kinds.Each) {
			rest = append(rest, p[1:])
		}
	}
	return rest
}

func sortedEntries(n tree.Node, skip []kinds.Path) ([]canonicalEntry, error) {
	var entries []canonicalEntry
	for k, v := range n.Fields() {
		if k.Kind() != tree.Scalar {
			return nil, &nodeError{k, "a key that JSON cannot hold"}
		}
		key := k.KeyText()
		if unstamped(key, v) || slices.ContainsFunc(skip, func(p kinds.Path) bool { return len(p) == 1 && p[0] == key }) {
			continue
		}
		entries = append(entries, canonicalEntry{key, v})
	}
	slices.SortFunc(entries, func(a, b canonicalEntry) int { return compareUTF16(a.key, b.key) })
	for i := 1; i < len(entries); i++ {
		if entries[i].key == entries[i-1].key {
			return nil, &nodeError{entries[i].value, fmt.Sprintf("the key %s is there twice", printable(entries[i].key))}
		}
	}
	return entries, nil
}

// unstamped reports whether an entry is a stamp, or holds nothing but one or
// nothing at all where a stamp may stand: so a stamped object has the canonical
// form that it had before.
func unstamped(key string, v tree.Node) bool {
	switch key {
	case Annotation:
		return true
	case "annotations", "metadata":
		if v.Kind() != tree.Map {
			return v.Empty()
		}
		for k, inner := range v.Fields() {
			if !unstamped(k.Text(), inner) {
				return false
			}
		}
		return true
	}
	return false
}

func appendObject(buf []byte, entries []canonicalEntry, skip []kinds.Path) ([]byte, error) {
	buf = append(buf, '{')
	for i, e := range entries {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(appendString(buf, e.key), ':')
		var err error
		if buf, err = appendCanonical(buf, e.value, below(skip, e.key)...); err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

// compareUTF16 orders strings as RFC 8785 does. That differs from the order of
// their bytes only where a character beyond U+FFFF meets one at or above
// U+E000.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		s, m := utf8.DecodeRuneInString(b)
		if r != s {
			return slices.Compare(utf16.Encode([]rune{r}), utf16.Encode([]rune{s}))
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

func appendString(buf []byte, s string) []byte {
	const digits = "0123456789abcdef"
	buf = append(buf, '"')
	for i := range len(s) {
		c := s[i]
		switch e, ok := shortEscapes[c]; {
		case ok:
			buf = append(buf, '\\', e)
		case c < ' ':
			buf = append(buf, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			buf = append(buf, c)
		}
	}
	return append(buf, '"')
}

// problemOf returns the place and the words of a fault found in a tree.
func problemOf(err error, otherwise tree.Node) (at tree.Node, problem string) {
	var e *nodeError
	if errors.As(err, &e) {
		return e.node, e.problem
	}
	return otherwise, err.Error()
}
