package graph

import "slices"

// liner adds the lines of one reference to one source.
type liner struct {
	*Resolver
	use      *Use
	source   *Source
	ignored  []string // patterns of keys
	label    string
	products []*product // of a producer: those that the reference names
}

// cover is a reference's name with a source, and whether all of the source's
// entries were asked for, or one key's fields. What is ignored depends on the
// name alone, so that a second reference of the kind adds no line.
type cover struct {
	source                *Source
	kind, namespace, name string
	env, all              bool
}

// manyLines is from how many lines on it pays to look whether more of them are
// new. Fewer are only sorted.
const manyLines = 1000

// first reports whether a reference may be the first that covers this much. An
// explanation is told of all.
func (l *liner) first(all bool) bool {
	if len(l.lines) < manyLines {
		return true
	}
	c := cover{l.source, l.use.Kind, l.use.Namespace, l.use.Name, l.use.env, all}
	if l.covered[c] && !l.explaining {
		return false
	}
	if l.covered == nil {
		l.covered = make(map[cover]bool)
	}
	l.covered[c] = true
	return true
}

func (l *liner) skips(key string) bool {
	if matchAny(l.source.ignoreKeys, key) || matchAny(l.ignored, key) {
		l.use.leave("key " + key + " is ignored")
		return true
	}
	return false
}

// add adds a value's line, unless its fault keeps the stamp from being
// computed. The label goes before its name.
func (l *liner) add(v *value, label string) {
	if f := v.fault; f != nil {
		l.needs = append(l.needs, &f.needed)
		if f.problem != "" {
			l.blocked = true
			return
		}
	}
	l.addLine(Line{Sum: v.sum, source: l.label, key: label + v.name, Secret: v.secret, Keyed: v.keyed})
	l.result.covers = l.result.covers || v.secret && !v.keyed
}

func (l *liner) addLine(line Line) {
	if l.explaining {
		l.use.Used = append(l.use.Used, line.key)
		l.use.Labels = append(l.use.Labels, line.Label())
	}
	line.suffixed = l.source.suffixed
	l.lines = append(l.lines, line)
}

// addAll adds every key. Where none is there or none is left, an empty key
// stands for the source.
func (l *liner) addAll() {
	some := false
	for i := range l.source.values {
		v := &l.source.values[i]
		if l.use.env && v.binary || l.skips(v.name) {
			continue
		}
		some = true
		l.add(v, "")
	}
	for _, p := range l.products {
		some = l.addEntries(p, "") || some
		some = l.addFields(p) || some
	}
	if !some {
		l.addLine(Line{Sum: nothing, source: l.label})
	}
}

// addEntries adds all entries of a product, but those that are ignored and not
// the key that is asked for. It reports whether there are any.
func (l *liner) addEntries(p *product, key string) (some bool) {
	for i := range p.values {
		if v := &p.values[i]; key != "" && v.name == key || !l.skips(v.name) {
			some = true
			l.add(v, p.label)
		}
	}
	return some
}

// addFields adds what decides every key of a product, and reports whether there
// is any.
func (l *liner) addFields(p *product) bool {
	for i := range p.every {
		l.add(&p.every[i], p.label)
	}
	for _, i := range p.fields {
		l.add(&l.source.fields[i], "")
	}
	return len(p.every)+len(p.fields) > 0
}

// addKey adds what decides one key, and reports whether the source may have
// the key.
func (l *liner) addKey(key string) (may bool) {
	if l.skips(key) {
		return true
	}
	if !l.source.producer {
		v := l.source.find(key)
		if v == nil || l.use.env && v.binary {
			return l.source.open
		}
		l.add(v, "")
		return true
	}
	first := l.first(false)
	for _, p := range l.products {
		may = l.addKeyOf(p, key, first) || may
	}
	return may
}

// addKeyOf is addKey for one product. Its fields are added with the first key
// that is asked for.
func (l *liner) addKeyOf(p *product, key string, first bool) (may bool) {
	entries := named(p.values, key)
	switch {
	case len(entries) == 0 && !p.open && !slices.Contains(p.keys, key):
		return false
	case p.computed:
		if l.first(true) {
			l.addEntries(p, key)
			l.addFields(p)
		}
		return true
	}
	for i := range entries {
		l.add(&entries[i], p.label)
	}
	if first {
		l.addFields(p)
	}
	return true
}

// answering are the products of a producer that a reference names: of its kind
// and name, or all where it names the producer itself. Beside a source that the
// stream has, only those count that merge into it; the source may have another
// name than the reference says.
func (s *Source) answering(ref *Reference, first *Source) (products []*product) {
	name, beside := ref.Name, !first.producer
	if beside {
		name = first.ID.Name
	}
	for i := range s.products {
		p := &s.products[i]
		itself := ref.Group != "" || ref.anyGroup
		if itself || p.id.Kind == ref.Kind && p.id.Name == name && !p.none && (p.merges || !beside) {
			products = append(products, p)
		}
	}
	return products
}
