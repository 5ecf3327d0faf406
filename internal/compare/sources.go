package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
)

// compareSources finds the sources that came, went, moved or changed.
func (c *comparer) compareSources() {
	c.changed = make(map[graph.ID]*SourceChange)
	old, now := c.old.sources(), c.now.sources()
	before := make(map[graph.ID]*graph.Source)
	for _, s := range old {
		before[s.ID] = s
	}
	was := pairIDs(sourceIDs(old), sourceIDs(now))
	var changes []*SourceChange
	note := func(s *SourceChange) {
		c.changed[s.ID] = s
		changes = append(changes, s)
	}
	var come []*graph.Source
	for _, s := range now {
		id, ok := was[s.ID]
		if ok && before[id] == nil {
			continue // a second one of the name
		}
		if !ok {
			come = append(come, s)
			continue
		}
		if keys := c.valueChanges(before[id], s); len(keys) > 0 {
			note(&SourceChange{ID: s.ID, Change: Changed, Keys: keys})
		}
		delete(before, id)
	}
	gone := slices.DeleteFunc(old, func(s *graph.Source) bool { return before[s.ID] == nil })
	c.renamedSources(gone, come, note)
	c.countUsers()
	for _, s := range changes {
		c.diff.Sources = append(c.diff.Sources, *s)
	}
}

// renamedSources tells of the sources that are in one render alone, those that
// are the same under two names together.
func (c *comparer) renamedSources(gone, come []*graph.Source, note func(*SourceChange)) {
	old, now := candidates(gone), candidates(come)
	was := make(map[int]*graph.Source)
	matchRenamed(old, now, func(i, j int) { was[j] = gone[i] })
	for j, s := range come {
		if from := was[j]; from != nil {
			note(&SourceChange{ID: s.ID, Change: Moved, Was: from.ID, Keys: c.valueChanges(from, s)})
		} else {
			note(&SourceChange{ID: s.ID, Change: Came})
		}
	}
	for i, s := range gone {
		if !old[i].taken {
			note(&SourceChange{ID: s.ID, Change: Went})
		}
	}
}

func (s *side) sources() (list []*graph.Source) {
	for _, source := range s.run.Sources() {
		if !source.Superseded() {
			list = append(list, source)
		}
	}
	return list
}

func sourceIDs(sources []*graph.Source) (ids []graph.ID) {
	for _, s := range sources {
		ids = append(ids, s.ID)
	}
	return ids
}

func candidates(sources []*graph.Source) (list []candidate) {
	for _, s := range sources {
		c := candidate{kind: kindName(s.ID), name: s.ID.Name, content: make(content)}
		for _, v := range s.Values() {
			c.content[v.Key] = v.Sum
		}
		list = append(list, c)
	}
	return list
}

// valueChanges compares the keys of a source.
func (c *comparer) valueChanges(old, now *graph.Source) (changes []KeyChange) {
	a, b := old.Values(), now.Values()
	if slices.EqualFunc(a, b, func(a, b graph.Value) bool { return a.Key == b.Key && a.Sum == b.Sum }) {
		return nil
	}
	before := make(map[string][]graph.Value)
	for _, v := range a {
		before[v.Key] = append(before[v.Key], v)
	}
	name := kindName(now.ID) + "/" + now.ID.Name
	for _, v := range b {
		b := before[v.Key]
		switch {
		case len(b) == 0:
			changes = append(changes, KeyChange{Source: name, Key: v.Key, Change: Came, Secret: v.Secret})
			continue
		case b[0].Sum != v.Sum:
			changes = append(changes, KeyChange{Source: name, Key: v.Key, Change: Changed, Secret: v.Secret})
		}
		before[v.Key] = b[1:]
	}
	for _, v := range a {
		for range before[v.Key] {
			changes = append(changes, KeyChange{Source: name, Key: v.Key, Change: Went, Secret: v.Secret})
		}
		delete(before, v.Key)
	}
	return changes
}

func kindName(id graph.ID) string {
	if id.Group != "" {
		return id.Kind + "." + id.Group
	}
	return id.Kind
}

// countUsers counts the pod templates that refer to sources that changed.
func (c *comparer) countUsers() {
	if len(c.changed) == 0 {
		return
	}
	for _, r := range c.now.results {
		seen := make(map[graph.ID]bool)
		for i := range c.now.detail(r).Uses {
			for _, s := range c.now.detail(r).Uses[i].Sources {
				if change := c.changed[s.ID]; change != nil && !seen[s.ID] {
					seen[s.ID] = true
					change.Users++
				}
			}
		}
	}
}

// unused tells of a workload that stays although a source that it refers to
// changed: in other keys than it uses. Others are counted.
func (c *comparer) unused(now *graph.Result) {
	var keys []string
	if len(c.changed) > 0 {
		for _, u := range c.now.detail(now).Uses {
			for _, s := range u.Sources {
				change := c.changed[s.ID]
				if change == nil || change.Change != Changed && change.Change != Moved {
					continue
				}
				for _, k := range change.Keys {
					keys = append(keys, k.Source+" key "+k.Key)
				}
			}
		}
	}
	if len(keys) == 0 {
		c.diff.Unchanged++
		return
	}
	slices.Sort(keys)
	w := c.workload(c.now, now, Stays)
	w.Why = "it does not use what changed: " + some(slices.Compact(keys), "keys")
	c.add(w)
}

// lineChanges compares the lines under the hashes of a template.
func (c *comparer) lineChanges(w *Workload, old, now *graph.Detail) {
	w.Renames = renames(old.Lines, now.Lines)
	to := make(map[string]string) // labels' starts, old to new
	for _, r := range w.Renames {
		to[r.Old+"/"] = r.New + "/"
	}
	rest := byLabel(now.Lines)
	for _, l := range old.Lines {
		label := cmp.Or(to[l.Source()], l.Source()) + l.Key()
		n, ok := rest.take(label, l)
		switch {
		case !ok:
			w.Changes = append(w.Changes, c.keyChange(l, Went, old, now))
		case n.Sum != l.Sum:
			change := c.keyChange(n, Changed, now, old)
			if c.opts.Values && !l.Secret {
				change.Old = c.old.value(old, l)
			}
			w.Changes = append(w.Changes, change)
		}
	}
	for _, l := range now.Lines {
		if _, ok := rest.take(l.Label(), l); ok {
			w.Changes = append(w.Changes, c.keyChange(l, Came, now, old))
		}
	}
	slices.SortStableFunc(w.Changes, func(a, b KeyChange) int { return strings.Compare(a.Source+"/"+a.Key, b.Source+"/"+b.Key) })
}

// labelled are lines by their labels. A producer may have several lines of one.
type labelled map[string][]graph.Line

func byLabel(lines []graph.Line) labelled {
	m := make(labelled, len(lines))
	for _, l := range lines {
		m[l.Label()] = append(m[l.Label()], l)
	}
	return m
}

// take takes a line with a label out: one with the same sum, if there is one.
func (m labelled) take(label string, like graph.Line) (l graph.Line, ok bool) {
	lines := m[label]
	if len(lines) == 0 {
		return l, false
	}
	i := max(0, slices.IndexFunc(lines, func(l graph.Line) bool { return l.Sum == like.Sum }))
	l = lines[i]
	m[label] = slices.Delete(lines, i, i+1)
	return l, true
}

// keyChange tells of a line of a template, which the other render has not, or
// not so.
func (c *comparer) keyChange(l graph.Line, change Change, d, other *graph.Detail) KeyChange {
	k := KeyChange{Source: strings.TrimSuffix(l.Source(), "/"), Key: l.Key(), Change: change, Secret: l.Secret, byReference: true}
	for _, u := range d.Uses {
		if !slices.Contains(u.Labels, l.Label()) {
			continue
		}
		k.Through = append(k.Through, Through{u.Field, u.Container})
		k.byReference = k.byReference && !refers(other, &u)
		if change != Changed && stillThere(other, &u, l.Key()) {
			k.Note = notes[change]
		}
	}
	k.byReference = k.byReference && change != Changed
	if c.opts.Values && !l.Secret {
		switch change {
		case Went:
			k.Old = c.old.value(d, l)
		default:
			k.New = c.now.value(d, l)
		}
	}
	return k
}

// notes say what happened to a key that is in both renders.
var notes = map[Change]string{
	Came: "it was there, but did not count",
	Went: "it is still there, but does not count any more",
}

// refers reports whether a template has a reference.
func refers(d *graph.Detail, u *graph.Use) bool {
	return slices.ContainsFunc(d.Uses, func(other graph.Use) bool {
		return other.Kind == u.Kind && other.Group == u.Group && other.Namespace == u.Namespace && other.Name == u.Name &&
			other.All == u.All && slices.Equal(other.Keys, u.Keys) && other.Unmounted == u.Unmounted
	})
}

// stillThere reports whether a template refers to a key that it does not use.
func stillThere(d *graph.Detail, u *graph.Use, key string) bool {
	for i := range d.Uses {
		other := &d.Uses[i]
		if other.Kind != u.Kind || other.Name != u.Name || slices.Contains(other.Used, key) {
			continue
		}
		for _, s := range other.Sources {
			if slices.ContainsFunc(s.Values(), func(v graph.Value) bool { return v.Key == key }) {
				return true
			}
		}
	}
	return false
}

// value is a ConfigMap key's value as it stands in the document, nil where the
// line is of anything else.
func (s *side) value(d *graph.Detail, l graph.Line) *string {
	for _, u := range d.Uses {
		if !slices.Contains(u.Labels, l.Label()) {
			continue
		}
		for _, source := range u.Sources {
			if source.ID.Kind == kinds.ConfigMap && source.ID.Group == "" {
				if v := s.valueOf(source, l.Key()); v != nil {
					return v
				}
			}
		}
	}
	return nil
}

func (s *side) valueOf(source *graph.Source, key string) *string {
	object := s.other(source.Place)
	for _, field := range []string{"data", "binaryData"} {
		if v := object.Field(field).Field(key); v.Exists() {
			text := v.Text()
			return &text
		}
	}
	return nil
}
