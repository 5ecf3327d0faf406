package graph

import (
	"cmp"
	"slices"

	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/naming"
)

// noteLabel notes whose lines a label starts.
func (r *Resolver) noteLabel(label string, u *Use, s *Source) {
	if n := r.graph.opts.Naming; n == nil || !n.PerSource() {
		return
	}
	if r.labels == nil {
		r.labels = make(map[string]naming.Source)
	}
	named := naming.Source{Kind: s.ID.Kind, Group: s.ID.Group, Name: s.ID.Name}
	if u.Namespace != "" {
		named.Namespace = cmp.Or(s.ID.Namespace, u.Namespace)
	}
	r.labels[label] = named
}

// stamps are the annotations for lines, which are sorted: one for all, or one
// per source.
func (r *Resolver) stamps(lines []Line) ([]manifest.Entry, error) {
	n, t := r.graph.opts.Naming, r.result.Template
	if n == nil || !n.PerSource() || t.row.Annotation != "" {
		value := r.result.Digest
		if len(lines) != len(r.lines) {
			value = r.hash(lines)
		}
		var err error
		if n != nil && t.row.Annotation == "" {
			value, err = n.Value(value, naming.Source{})
		}
		return []manifest.Entry{{Key: t.name, Value: value}}, err
	}
	bySource := make(map[string][]Line)
	for _, l := range lines {
		bySource[l.source] = append(bySource[l.source], l)
	}
	return r.perSource(bySource)
}

// perSource are the annotations for the lines of each source. Sources that the
// template gives one name share a stamp.
func (r *Resolver) perSource(bySource map[string][]Line) (stamps []manifest.Entry, err error) {
	n := r.graph.opts.Naming
	byName := make(map[string][]Line)
	first := make(map[string]naming.Source)
	for label, lines := range bySource {
		name, err := n.Name(r.labels[label])
		if err != nil {
			return nil, err
		}
		byName[name] = append(byName[name], lines...)
		if known, ok := first[name]; !ok || less(r.labels[label], known) {
			first[name] = r.labels[label]
		}
	}
	for name, lines := range byName {
		value, err := n.Value(r.hash(slices.Clone(r.sorter.sort(lines))), first[name])
		if err != nil {
			return nil, err
		}
		stamps = append(stamps, manifest.Entry{Key: name, Value: value})
	}
	slices.SortFunc(stamps, func(a, b manifest.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return stamps, nil
}

func less(a, b naming.Source) bool {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name)) < 0
}

func (r *Resolver) hash(lines []Line) (stamp string) {
	r.text, stamp = appendStamp(r.text[:0], lines, r.graph.opts.SecretKey)
	return stamp
}

// sameStamps reports whether two lists hold the same stamps, in whatever
// order.
func sameStamps(a, b []manifest.Entry) bool {
	if len(a) != len(b) {
		return false
	}
	for _, e := range a {
		if !slices.Contains(b, e) {
			return false
		}
	}
	return true
}
