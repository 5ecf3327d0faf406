package compare

import (
	"fmt"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// Field is a field that changed.
type Field struct {
	Path     string
	Change   Change
	Old, New string // of a scalar
}

// differ lists the fields in which two nodes differ.
type differ struct {
	skip   func(path string) bool
	fields []Field
}

func (d *differ) diff(path string, old, now tree.Node) {
	switch {
	case d.skip != nil && d.skip(path):
	case absent(old) && absent(now):
	case absent(old):
		d.whole(path, Came, now)
	case absent(now):
		d.whole(path, Went, old)
	case old.Kind() == tree.Map && now.Kind() == tree.Map:
		d.maps(path, old, now)
	case old.Kind() == tree.Seq && now.Kind() == tree.Seq:
		d.lists(path, old, now)
	case !tree.SameTree(old, now):
		d.add(Field{path, Changed, scalar(old), scalar(now)})
	}
}

// absent reports whether there is nothing at all: the API server drops nulls.
func absent(n tree.Node) bool {
	return !n.Exists() || n.Kind() == tree.Scalar && n.Type() == tree.Null
}

func (d *differ) add(f Field) { d.fields = append(d.fields, f) }

// whole tells of something that came or went. Of a map, which may hold fields
// that are skipped, each entry is told.
func (d *differ) whole(path string, change Change, n tree.Node) {
	if n.Kind() != tree.Map {
		f := Field{Path: path, Change: change}
		if change == Came {
			f.New = scalar(n)
		} else {
			f.Old = scalar(n)
		}
		d.add(f)
		return
	}
	for k, v := range n.Fields() {
		if change == Came {
			d.diff(step(path, k.KeyText()), tree.Node{}, v)
		} else {
			d.diff(step(path, k.KeyText()), v, tree.Node{})
		}
	}
}

func (d *differ) maps(path string, old, now tree.Node) {
	for k, v := range old.Fields() {
		d.diff(step(path, k.KeyText()), v, now.Field(k.KeyText()))
	}
	for k, v := range now.Fields() {
		if !old.Field(k.KeyText()).Exists() {
			d.diff(step(path, k.KeyText()), tree.Node{}, v)
		}
	}
}

// lists compares lists of named items by name, others by place.
func (d *differ) lists(path string, old, now tree.Node) {
	a, b := named(old), named(now)
	if a == nil || b == nil {
		d.items(path, old, now)
		return
	}
	for item := range old.Items() {
		name := item.Field("name").Text()
		d.diff(path+"["+name+"]", item, b[name])
	}
	for item := range now.Items() {
		name := item.Field("name").Text()
		if !a[name].Exists() {
			d.diff(path+"["+name+"]", tree.Node{}, item)
		}
	}
}

// named returns a list's items by name, nil where not each has one of its own.
func named(list tree.Node) map[string]tree.Node {
	m := make(map[string]tree.Node)
	for item := range list.Items() {
		name := item.Field("name").Text()
		if name == "" || m[name].Exists() {
			return nil
		}
		m[name] = item
	}
	return m
}

func (d *differ) items(path string, old, now tree.Node) {
	var a, b []tree.Node
	for item := range old.Items() {
		a = append(a, item)
	}
	for item := range now.Items() {
		b = append(b, item)
	}
	for i := range max(len(a), len(b)) {
		var x, y tree.Node
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		d.diff(fmt.Sprintf("%s[%d]", path, i), x, y)
	}
}

func scalar(n tree.Node) string {
	if n.Kind() != tree.Scalar {
		return ""
	}
	return n.Text()
}

// step appends a key to a path. One with dots is put in brackets.
func step(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./"):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}
