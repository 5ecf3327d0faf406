package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// blockPath writes keys as nested block maps down to entries, whose values are
// in double quotes: a hash may look like a number. The first line has no
// indentation, the last no line end.
func blockPath(path []string, entries []Entry, indent, eol string) string {
	var b strings.Builder
	for i, key := range path {
		b.WriteString(quoteKey(key, false) + ":" + eol + indent + strings.Repeat("  ", i+1))
	}
	for i, e := range entries {
		if i > 0 {
			b.WriteString(eol + indent + strings.Repeat("  ", len(path)))
		}
		b.WriteString(quoteKey(e.Key, false) + ": " + quote(e.Value))
	}
	return b.String()
}

// flowPath writes keys as nested maps in brackets down to entries.
func flowPath(path []string, entries []Entry) string { return "{" + flowBody(path, entries) + "}" }

// flowBody is what flowPath puts into the outermost brackets.
func flowBody(path []string, entries []Entry) string {
	if len(path) > 0 {
		return quoteKey(path[0], true) + ": " + flowPath(path[1:], entries)
	}
	var parts []string
	for _, e := range entries {
		parts = append(parts, quoteKey(e.Key, true)+": "+quote(e.Value))
	}
	return strings.Join(parts, ", ")
}

// flowCopy writes a node on one line, with an edit made at the end of the path.
func flowCopy(n tree.Node, path []string, e *Edit) string {
	var b strings.Builder
	appendFlow(&b, n, path, e)
	return b.String()
}

// appendFlow writes a node on one line. An edit that is not nil is made at the
// end of the path; a path to nowhere is added first.
func appendFlow(b *strings.Builder, n tree.Node, path []string, e *Edit) {
	if e != nil && n.Empty() {
		b.WriteString(flowPath(path, e.Set))
		return
	}
	switch n.Kind() {
	case tree.Map:
		appendFlowMap(b, n, path, e)
	case tree.Seq:
		sep := "["
		for item := range n.Items() {
			b.WriteString(sep)
			appendFlow(b, item, nil, nil)
			sep = ", "
		}
		if sep == "[" {
			b.WriteString(sep)
		}
		b.WriteString("]")
	case tree.Scalar:
		b.WriteString(flowScalar(n))
	}
}

func appendFlowMap(b *strings.Builder, n tree.Node, path []string, e *Edit) {
	b.WriteString("{")
	sep := ""
	if e != nil && len(path) > 0 && !n.Field(path[0]).Exists() {
		b.WriteString(flowBody(path, e.Set))
		sep = ", "
	}
	if e != nil && len(path) == 0 && len(e.Set) > 0 {
		b.WriteString(flowBody(nil, e.Set))
		sep = ", "
	}
	for k, v := range n.Fields() {
		if e != nil && len(path) == 0 && e.touches(k) {
			continue
		}
		b.WriteString(sep)
		appendFlow(b, k, nil, nil)
		b.WriteString(": ")
		if e != nil && len(path) > 0 && k.Text() == path[0] {
			appendFlow(b, v, path[1:], e)
		} else {
			appendFlow(b, v, nil, nil)
		}
		sep = ", "
	}
	b.WriteString("}")
}

// touches reports whether an edit sets or removes a key.
func (e *Edit) touches(k tree.Node) bool {
	return slices.ContainsFunc(e.Set, func(entry Entry) bool { return k.Is(entry.Key) }) ||
		slices.ContainsFunc(e.Remove, k.Is)
}

// flowScalar writes a scalar so that it has the same type and value again.
func flowScalar(n tree.Node) string {
	switch n.Type() {
	case tree.String:
		return quote(n.Text())
	case tree.Null:
		return "null"
	}
	return n.Text()
}

// quoteKey writes a key: plain in a block where it can be, else quoted.
func quoteKey(key string, flow bool) string {
	if !flow && isPlainKey(key) && tree.Resolve(key) == tree.String {
		return key
	}
	return quote(key)
}

// isPlainKey reports whether a key is a letter with letters, digits and the
// marks of an annotation's name behind it.
func isPlainKey(key string) bool {
	for i, c := range []byte(key) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !isKeyByte(c) && c != '/') {
			return false
		}
	}
	return key != ""
}

// quote writes a string in double quotes, as both YAML and JSON read it.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
