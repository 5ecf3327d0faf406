package compare

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
)

// compareSources finds the sources that came, went or changed.
func (c *comparer) compareSources() {
	c.changed = make(map[graph.ID]*SourceChange)
	old := make(map[graph.ID]*graph.Source)
	for _, s := range c.old.run.Sources() {
		if !s.Superseded() {
			old[s.ID] = s
		}
	}
	var changes []*SourceChange
	note := func(id graph.ID, change Change, keys []KeyChange) {
		s := &SourceChange{ID: id, Change: change, Keys: keys}
		c.changed[id] = s
		changes = append(changes, s)
	}
	for _, s := range c.now.run.Sources() {
		before := old[s.ID]
		switch {
		case s.Superseded():
			continue
		case before == nil:
			note(s.ID, Came, nil)
		default:
			if keys := c.valueChanges(before, s); len(keys) > 0 {
				note(s.ID, Changed, keys)
			}
		}
		delete(old, s.ID)
	}
	for _, s := range c.old.run.Sources() {
		if old[s.ID] == s {
			note(s.ID, Went, nil)
		}
	}
	c.countUsers()
	for _, s := range changes {
		c.diff.Sources = append(c.diff.Sources, *s)
	}
}

// valueChanges compares the keys of a source.
func (c *comparer) valueChanges(old, now *graph.Source) (changes []KeyChange) {
	before := make(map[string]graph.Value)
	for _, v := range old.Values() {
		before[v.Key] = v
	}
	for _, v := range now.Values() {
		b, ok := before[v.Key]
		delete(before, v.Key)
		if !ok {
			changes = append(changes, KeyChange{Source: sourceName(now.ID), Key: v.Key, Change: Came, Secret: v.Secret})
		} else if b.Sum != v.Sum {
			changes = append(changes, KeyChange{Source: sourceName(now.ID), Key: v.Key, Change: Changed, Secret: v.Secret})
		}
	}
	for _, v := range old.Values() {
		if _, ok := before[v.Key]; ok {
			changes = append(changes, KeyChange{Source: sourceName(now.ID), Key: v.Key, Change: Went, Secret: v.Secret})
		}
	}
	return changes
}

func sourceName(id graph.ID) string {
	kind := id.Kind
	if id.Group != "" {
		kind += "." + id.Group
	}
	return kind + "/" + id.Name
}

// countUsers counts the workloads that refer to sources that changed.
func (c *comparer) countUsers() {
	if len(c.changed) == 0 {
		return
	}
	for i := range c.now.run.Results {
		r := &c.now.run.Results[i]
		seen := make(map[graph.ID]bool)
		for _, u := range c.now.detail(r).Uses {
			for _, s := range u.Sources {
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
func (c *comparer) unused(w *Workload, now *graph.Result) {
	var keys []string
	if len(c.changed) > 0 {
		for _, u := range c.now.detail(now).Uses {
			for _, s := range u.Sources {
				change := c.changed[s.ID]
				if change == nil || change.Change != Changed {
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
	w.Verdict, w.Pods = Stays, c.pods(c.now, now)
	w.Why = "it does not use what changed: " + strings.Join(slices.Compact(keys), ", ")
	c.add(*w)
}

// lineChanges compares the lines under the hashes of a template.
func (c *comparer) lineChanges(w *Workload, old, now graph.Detail) {
	before, after := byLabel(old.Lines), byLabel(now.Lines)
	w.Renames = renames(before, after)
	to := make(map[string]string) // labels' starts, old to new
	for _, r := range w.Renames {
		to[r.Old+"/"] = r.New + "/"
	}
	matched := make(map[string]bool)
	for _, l := range old.Lines {
		label := l.Label()
		if start, ok := to[l.Source()]; ok {
			label = start + l.Key()
		}
		n, ok := after[label]
		matched[label] = true
		switch {
		case !ok:
			w.Changes = append(w.Changes, c.keyChange(l, Went, old))
		case n.Sum != l.Sum:
			change := c.keyChange(n, Changed, now)
			if c.opts.Values && !l.Secret {
				change.Old = c.old.value(old, l)
			}
			w.Changes = append(w.Changes, change)
		}
	}
	for _, l := range now.Lines {
		if !matched[l.Label()] {
			w.Changes = append(w.Changes, c.keyChange(l, Came, now))
		}
	}
	slices.SortStableFunc(w.Changes, func(a, b KeyChange) int { return strings.Compare(a.Source+"/"+a.Key, b.Source+"/"+b.Key) })
}

func byLabel(lines []graph.Line) map[string]graph.Line {
	m := make(map[string]graph.Line, len(lines))
	for _, l := range lines {
		m[l.Label()] = l
	}
	return m
}

func (c *comparer) keyChange(l graph.Line, change Change, d graph.Detail) KeyChange {
	k := KeyChange{Source: strings.TrimSuffix(l.Source(), "/"), Key: l.Key(), Change: change, Secret: l.Secret}
	for _, u := range d.Uses {
		if slices.Contains(u.Labels, l.Label()) {
			k.Through = append(k.Through, Through{u.Field, u.Container})
		}
	}
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

// value is a ConfigMap key's value as it stands in the document.
func (s *side) value(d graph.Detail, l graph.Line) string {
	for _, u := range d.Uses {
		if !slices.Contains(u.Labels, l.Label()) {
			continue
		}
		for _, source := range u.Sources {
			if source.ID.Kind == kinds.ConfigMap && source.ID.Group == "" {
				if v, ok := s.valueOf(source, l.Key()); ok {
					return v
				}
			}
		}
	}
	return ""
}

func (s *side) valueOf(source *graph.Source, key string) (string, bool) {
	for o := range manifest.Objects(s.tree(source.Place.Doc).Root()) {
		if o.Offset() != source.Place.Offset {
			continue
		}
		for _, field := range []string{"data", "binaryData"} {
			if v := o.Field(field).Field(key); v.Exists() {
				return v.Text(), true
			}
		}
	}
	return "", false
}

// suffixed is a name that ends in a hash, as kustomize makes it.
var suffixed = regexp.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// renames finds the sources that go by another name now: those whose name is the
// same but for kustomize's hash, and those whose content is the same.
func renames(before, after map[string]graph.Line) (found []Rename) {
	gone, come := onlyIn(before, after), onlyIn(after, before)
	for _, old := range sorted(gone) {
		for _, now := range sorted(come) {
			if come[now] == nil || kindOf(old) != kindOf(now) || !sameName(old, now) && !sameContent(gone[old], come[now]) {
				continue
			}
			found = append(found, Rename{strings.TrimSuffix(old, "/"), strings.TrimSuffix(now, "/")})
			come[now] = nil
			break
		}
	}
	return found
}

// onlyIn returns the sources of lines of which the others have none, with their
// keys.
func onlyIn(lines, others map[string]graph.Line) map[string]map[string]graph.Line {
	there := make(map[string]bool)
	for _, l := range others {
		there[l.Source()] = true
	}
	m := make(map[string]map[string]graph.Line)
	for _, l := range lines {
		if there[l.Source()] {
			continue
		}
		if m[l.Source()] == nil {
			m[l.Source()] = make(map[string]graph.Line)
		}
		m[l.Source()][l.Key()] = l
	}
	return m
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func kindOf(source string) string {
	kind, _, _ := strings.Cut(source, "/")
	return kind
}

func sameName(a, b string) bool {
	a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
	return suffixed.MatchString(a) && suffixed.MatchString(b) && suffixed.ReplaceAllString(a, "") == suffixed.ReplaceAllString(b, "")
}

func sameContent(a, b map[string]graph.Line) bool {
	if len(a) != len(b) {
		return false
	}
	for key, l := range a {
		if other, ok := b[key]; !ok || other.Sum != l.Sum {
			return false
		}
	}
	return true
}
