package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// product is an object that a controller makes of a producer.
type product struct {
	id         ID   // its namespace is "" where the producer's is unset
	everywhere bool // any namespace may have one
	merges     bool // its keys go into an object that others make
	none       bool // the producer's policy says that it is not made
	again      bool // it is the product before it, under another name or in another namespace

	label    string   // goes before the names of the entries in their labels, where a producer has several products
	values   []value  // the entries, sorted by name
	every    []value  // what decides every key, beside the source's fields
	fields   []int    // which of the source's fields do
	keys     []string // that have no entry
	computed bool     // every entry may decide every key
	open     bool     // keys may come from elsewhere than the entries
}

// readProducer reads an object of which a controller makes others: the fields
// that decide their content stand in for it, as canonical JSON. It reports
// whether any is made, or whether it is something to refer to itself.
func (r *Reader) readProducer(s *Source, rows []*kinds.Producer, n tree.Node) bool {
	s.producer, s.silent = true, true
	content, made := false, []string(nil)
	for _, row := range rows {
		s.silent, content = s.silent && !row.Counts(), content || row.Content != nil
		fields := r.readFields(s, row, n)
		if row.When != nil && n.Path(row.When...).Empty() {
			continue
		}
		items := []located{{node: n}}
		if row.Each != nil {
			items = each(n, row.Each)
		}
		for _, item := range items {
			r.readProduct(s, row, n, item, fields)
		}
	}
	if len(s.products) == 0 && content {
		s.addOwn(rows[0])
	}
	for i := range s.products {
		if kind := s.products[i].id.Kind; !slices.Contains(made, kind) {
			made = append(made, kind)
		}
	}
	r.readMadeWords(s, n)
	s.standIn = "a controller makes the " + strings.Join(made, " and the ") + " of this " + s.ID.Kind
	return len(s.products) > 0
}

// addOwn adds what counts where a producer makes nothing and is used itself.
func (s *Source) addOwn(row *kinds.Producer) {
	p := product{id: ID{Kind: cmp.Or(row.Makes, kinds.Secret)}, none: true, open: true}
	for i := range s.fields {
		p.fields = append(p.fields, i)
	}
	s.products = append(s.products, p)
}

// readProduct reads what an item of a producer says of the object that is made
// of it.
func (r *Reader) readProduct(s *Source, row *kinds.Producer, n tree.Node, item located, fields []int) {
	id, ok := madeKind(row, item.node)
	names := madeNames(row, n, item)
	if !ok || len(names) == 0 {
		return
	}
	p := product{id: id, fields: fields, computed: anyPath(item.node, row.Computed), keys: textsAt(item.node, row.Keys)}
	p.open = len(row.Entries) == 0 && len(p.keys) == 0 || anyPath(item.node, row.Open)
	policy := cmp.Or(wordOf(n.Path(row.Policy...)), row.PolicyDefault)
	p.merges, p.none = slices.Contains(row.Merges, policy), slices.Contains(row.MakesNot, policy)
	if row.Each != nil {
		p.label = item.path + ":"
		if validName(names[0]) {
			p.label = names[0] + ":"
		}
	}
	for _, path := range row.Entries {
		r.readEntries(&p, row, item, path)
	}
	slices.SortStableFunc(p.values, func(a, b value) int { return cmp.Compare(a.name, b.name) })
	s.addProducts(row, p, names, item.node)
}

// addProducts adds a product under each of its names in each of its namespaces.
func (s *Source) addProducts(row *kinds.Producer, p product, names []string, item tree.Node) {
	namespaces := textsAt(item, []kinds.Path{row.Namespace})
	p.everywhere = row.Everywhere && len(namespaces) == 0 || anyPath(item, row.Selectors)
	for _, namespace := range namespaces {
		// What is no name is a variable.
		p.everywhere = p.everywhere || !ValidNamespace(namespace)
	}
	if p.everywhere || len(namespaces) == 0 {
		namespaces = []string{s.ID.Namespace}
	}
	for _, p.id.Name = range names {
		for _, p.id.Namespace = range namespaces {
			s.products = append(s.products, p)
			p.again = true
		}
	}
}

// readEntries reads what decides single keys of a product. What is neither map
// nor list decides every key.
func (r *Reader) readEntries(p *product, row *kinds.Producer, item located, path kinds.Path) {
	field := path.String()
	if item.path != "" {
		field = item.path + "." + field
	}
	entries := item.node.Path(path...)
	for k, v := range entries.Fields() {
		key := k.KeyText()
		if row.EntryKey != "" {
			key = v.Field(row.EntryKey).Text()
		}
		p.values = append(p.values, r.canonical(v, key, field))
	}
	for entry := range entries.Items() {
		p.values = append(p.values, r.canonical(entry, entry.Field(row.EntryKey).Text(), field))
	}
	if entries.Kind() == tree.Scalar && !entries.Empty() {
		p.every = append(p.every, r.canonical(entries, path.String(), field))
	}
}

// readFields reads the fields that decide every key, and returns their places
// among the source's.
func (r *Reader) readFields(s *Source, row *kinds.Producer, n tree.Node) (places []int) {
	for _, path := range row.Content {
		if i := r.readField(s, row, n, path); i >= 0 {
			places = append(places, i)
		}
	}
	return places
}

// readField reads a field that decides every key, unless that is done already,
// and returns its place among the source's; -1 where nothing is there.
func (r *Reader) readField(s *Source, row *kinds.Producer, n tree.Node, path kinds.Path) int {
	name := path.String()
	if i := slices.IndexFunc(s.fields, func(v value) bool { return v.name == name }); i >= 0 {
		return i
	}
	field := n.Path(path...)
	if !field.Exists() || field.Kind() == tree.Scalar && field.Empty() {
		return -1
	}
	var without []kinds.Path
	for _, w := range row.Without {
		if len(w) > len(path) && slices.Equal(w[:len(path)], path) {
			without = append(without, w[len(path):])
		}
	}
	v := r.canonical(field, name, name, without...)
	if without != nil && string(r.text) == "{}" {
		return -1 // nothing is left of it
	}
	s.fields = append(s.fields, v)
	return len(s.fields) - 1
}

// canonical hashes a node's canonical JSON as the value of a key.
func (r *Reader) canonical(n tree.Node, name, field string, without ...kinds.Path) value {
	v := value{name: name, offset: int32(n.Offset())}
	var err error
	if r.text, err = appendCanonical(r.text[:0], n, without...); err != nil {
		at, why := problemOf(err, n)
		v.offset = int32(at.Offset())
		v.fault = &fault{problem: why, field: field}
	}
	v.sum = r.hash(r.text, false)
	if v.fault == nil && r.vault.fills(r.text) {
		v.fault = &fault{field: field, placeholder: true}
	}
	return v
}

// readOther reads an object of any other kind, on which a workload depends by
// annotation: it counts as one value.
func (r *Reader) readOther(s *Source, n tree.Node) {
	s.values = []value{r.canonical(n, "", "", notContent...)}
	if s.ID.Group != "" || s.ID.Kind != kinds.ServiceAccount {
		return
	}
	for _, name := range kinds.IdentityAnnotations {
		if v := n.Path("metadata", "annotations", name); v.Exists() {
			s.values = append(s.values, r.canonical(v, "metadata.annotations."+name, "metadata.annotations."+name))
		}
	}
}

var notContent = []kinds.Path{{"apiVersion"}, {"kind"}, {"metadata"}, {"status"}}

func anyPath(n tree.Node, paths []kinds.Path) bool {
	for _, p := range paths {
		if !n.Path(p...).Empty() {
			return true
		}
	}
	return false
}

// textsAt are the texts to which paths lead.
func textsAt(n tree.Node, paths []kinds.Path) (texts []string) {
	for _, p := range paths {
		for _, at := range each(n, p) {
			if text := at.node.Text(); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// wordOf is a scalar's text, in one spelling for a boolean.
func wordOf(n tree.Node) string {
	if n.Exists() && n.Type() == tree.Bool {
		return fmt.Sprint(n.True())
	}
	return n.Text()
}

// madeKind is the kind of what an item makes; ok is false where it is none that
// counts here.
func madeKind(row *kinds.Producer, item tree.Node) (id ID, ok bool) {
	kind := row.Makes
	if last := len(row.MakesPath) - 1; last >= 0 {
		beside := item.Path(row.MakesPath[:last]...)
		kind = cmp.Or(beside.Field(row.MakesPath[last]).Text(), kind)
		if kinds.Group(beside.Field("apiVersion").Text()) != "" {
			return id, false
		}
	}
	return ID{Kind: kind}, core(kind)
}

// madeNames lists the names of what an item makes.
func madeNames(row *kinds.Producer, n tree.Node, item located) []string {
	names := textsAt(item.node, []kinds.Path{row.Name})
	patterns := row.Names
	if row.Name == nil && patterns == nil {
		patterns = []string{"{metadata.name}"}
	}
	if len(names) > 0 {
		return names
	}
	for _, pattern := range patterns {
		if name := fill(pattern, n, item); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// fill makes a name of a pattern, "" where a text is missing. Names hold no
// underscores: operators write hyphens instead.
func fill(pattern string, n tree.Node, item located) string {
	var name strings.Builder
	for pattern != "" {
		before, rest, found := strings.Cut(pattern, "{")
		name.WriteString(before)
		if !found {
			break
		}
		var field, text string
		field, pattern, _ = strings.Cut(rest, "}")
		for path := range strings.SplitSeq(field, "|") {
			steps := kinds.P(path)
			if path == "key" {
				text = cmp.Or(text, item.key)
			}
			text = cmp.Or(text, item.node.Path(steps...).Text(), n.Path(steps...).Text())
		}
		if text == "" {
			return ""
		}
		name.WriteString(strings.ReplaceAll(text, "_", "-"))
	}
	return name.String()
}
