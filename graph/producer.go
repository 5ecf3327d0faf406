package graph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// readProducer reads an object of which a controller makes another one: the
// fields that decide the content stand in for it, as canonical JSON.
func (r *Reader) readProducer(s *Source, n tree.Node) {
	p := s.Producer
	s.makes = madeNames(p, n, s.ID.Name)
	s.makesKind = p.Makes
	if kind := n.Path(p.MakesPath...).Text(); p.MakesPath != nil && kind != "" {
		s.makesKind = kind
	}
	s.policy = n.Path(p.Policy...).Text()
	s.standIn = "a controller makes the " + s.makesKind + " of this " + s.ID.Kind
	s.open = p.Entries == nil || anyPath(n, p.Open)
	s.computed = anyPath(n, p.Computed)
	entries := n.Path(p.Entries...)
	if p.Entries != nil {
		for k, v := range entries.Fields() {
			s.values = append(s.values, r.canonical(v, k.KeyText(), p.Entries.String()))
		}
		for item := range entries.Items() {
			s.values = append(s.values, r.canonical(item, item.Field(p.EntryKey).Text(), p.Entries.String()))
		}
	}
	for _, f := range p.Fields {
		field := n.Path(f.Path...)
		if field.Exists() && !emptyWithout(field, f.Without) {
			v := r.canonical(field, f.Path.String(), f.Path.String(), f.Without...)
			s.fields = append(s.fields, v)
		}
	}
	slices.SortStableFunc(s.values, func(a, b value) int { return cmp.Compare(a.name, b.name) })
	r.readMadeWords(s, n)
}

// canonical hashes a node's canonical JSON as the value of a key.
func (r *Reader) canonical(n tree.Node, name, field string, without ...string) value {
	v := value{name: name, offset: int32(n.Offset())}
	var err error
	if r.text, err = appendCanonical(r.text[:0], n, without...); err != nil {
		at, why := problemOf(err, n)
		v.offset = int32(at.Offset())
		v.fault = &fault{problem: why, field: field}
	}
	v.sum = r.hash(r.text, false)
	return v
}

// readOther reads an object of any other kind, on which a workload depends by
// annotation: it counts as one value.
func (r *Reader) readOther(s *Source, n tree.Node) {
	s.values = []value{r.canonical(n, "", "", "apiVersion", "kind", "metadata", "status")}
	if s.ID.Group != "" || s.ID.Kind != kinds.ServiceAccount {
		return
	}
	for _, name := range kinds.IdentityAnnotations {
		if v := n.Path("metadata", "annotations", name); v.Exists() {
			s.values = append(s.values, r.canonical(v, "metadata.annotations."+name, "metadata.annotations."+name))
		}
	}
}

// emptyWithout reports whether nothing is left of a field without some of its
// own fields.
func emptyWithout(n tree.Node, without []string) bool {
	if len(without) == 0 || n.Kind() != tree.Map {
		return n.Kind() == tree.Scalar && n.Type() == tree.Null
	}
	for k := range n.Fields() {
		if !slices.Contains(without, k.Text()) {
			return false
		}
	}
	return true
}

func anyPath(n tree.Node, paths []kinds.Path) bool {
	for _, p := range paths {
		if !n.Path(p...).Empty() {
			return true
		}
	}
	return false
}

// madeNames lists the names of what a producer makes.
func madeNames(p *kinds.Producer, n tree.Node, own string) []string {
	var names []string
	for _, at := range each(n, p.Name) {
		if name := at.node.Text(); name != "" {
			names = append(names, name)
		}
	}
	if p.OwnName && len(names) == 0 {
		names = append(names, own)
	}
	return names
}

// located is a node and the path that leads to it, with the numbers of items.
type located struct {
	node tree.Node
	path string
}

// each follows a path, into every item of the lists on it. Without a path
// there is nothing.
func each(n tree.Node, path kinds.Path) []located {
	if path == nil {
		return nil
	}
	found := []located{{node: n}}
	for _, step := range path {
		var next []located
		for _, at := range found {
			if step == kinds.EachValue {
				for k, v := range at.node.Fields() {
					next = append(next, located{v, join(at.path, k.KeyText())})
				}
				continue
			}
			if step != kinds.Each {
				if child := at.node.Field(step); child.Exists() {
					next = append(next, located{child, join(at.path, step)})
				}
				continue
			}
			i := 0
			for item := range at.node.Items() {
				next = append(next, located{item, fmt.Sprintf("%s[%d]", at.path, i)})
				i++
			}
		}
		found = next
	}
	return found
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}
