package manifest

import (
	"fmt"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// blockPath writes keys as nested block maps down to the value, in double
// quotes: a hash may look like a number. The first line has no indentation,
// the last no line end.
func blockPath(path []string, value, indent, eol string) string {
	var b strings.Builder
	for i, key := range path {
		if i > 0 {
			b.WriteString(eol + indent + strings.Repeat("  ", i))
		}
		b.WriteString(quoteKey(key, false) + ":")
	}
	b.WriteString(" " + quote(value))
	return b.String()
}

// flowPath writes keys as nested maps in brackets down to the value.
func flowPath(path []string, value string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteString("{" + quoteKey(key, true) + ": ")
	}
	return b.String() + quote(value) + strings.Repeat("}", len(path))
}

// flowCopy writes a node on one line, with the value set at the end of the
// path. A path to nowhere is added first.
func flowCopy(n tree.Node, path []string, value string) string {
	var b strings.Builder
	appendFlow(&b, n, path, value)
	return b.String()
}

func appendFlow(b *strings.Builder, n tree.Node, path []string, value string) {
	if path != nil && (len(path) == 0 || n.Empty()) {
		b.WriteString(flowPath(path, value))
		return
	}
	switch n.Kind() {
	case tree.Map:
		appendFlowMap(b, n, path, value)
	case tree.Seq:
		sep := "["
		for item := range n.Items() {
			b.WriteString(sep)
			appendFlow(b, item, nil, "")
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

func appendFlowMap(b *strings.Builder, n tree.Node, path []string, value string) {
	b.WriteString("{")
	sep := ""
	if len(path) > 0 && !n.Field(path[0]).Exists() {
		b.WriteString(quoteKey(path[0], true) + ": " + flowPath(path[1:], value))
		sep = ", "
	}
	for k, v := range n.Fields() {
		b.WriteString(sep)
		appendFlow(b, k, nil, "")
		b.WriteString(": ")
		var rest []string
		if len(path) > 0 && k.Text() == path[0] {
			rest = path[1:]
		}
		appendFlow(b, v, rest, value)
		sep = ", "
	}
	b.WriteString("}")
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
