package graph

// liner adds the lines of one reference to one source.
type liner struct {
	*Resolver
	use     *Use
	source  *Source
	ignored []string // patterns of keys
	label   string
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
// computed.
func (l *liner) add(v *value) {
	if f := v.fault; f != nil {
		l.needs = append(l.needs, &f.needed)
		if f.problem != "" {
			l.blocked = true
			return
		}
	}
	l.addLine(Line{Sum: v.sum, source: l.label, key: v.name, Secret: v.secret, Keyed: v.keyed})
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
	some := len(l.source.fields) > 0
	for i := range l.source.values {
		v := &l.source.values[i]
		if l.use.env && v.binary || l.skips(v.name) {
			continue
		}
		some = true
		l.add(v)
	}
	l.addFields()
	if !some {
		l.addLine(Line{Sum: nothing, source: l.label})
	}
}

func (l *liner) addFields() {
	for i := range l.source.fields {
		l.add(&l.source.fields[i])
	}
}

// addKey adds what decides one key, and reports whether the source may have
// the key.
func (l *liner) addKey(key string) bool {
	if l.skips(key) {
		return true
	}
	if l.source.Producer == nil {
		v := l.source.find(key)
		if v == nil || l.use.env && v.binary {
			return l.source.open
		}
		l.add(v)
		return true
	}
	entries := l.source.named(key)
	switch {
	case len(entries) == 0 && !l.source.open:
		return false
	case !l.source.computed:
		for i := range entries {
			l.add(&entries[i])
		}
		if l.first(false) {
			l.addFields()
		}
	case l.first(true):
		for i := range l.source.values {
			if v := &l.source.values[i]; v.name == key || !l.skips(v.name) {
				l.add(v)
			}
		}
		l.addFields()
	}
	return true
}
