package graph

import (
	"bytes"
	"slices"

	"github.com/restamp/restamp/internal/kinds"
)

// Graph joins what was read of a whole stream.
type Graph struct {
	Workloads []*Workload

	opts     Options
	sources  map[nameKey][]*Source // the last of each identity
	made     map[nameKey][]*Source // producers, by what they make
	all      []*Source
	findings []Finding // of the stream as a whole
}

// nameKey finds sources whatever their group and namespace.
type nameKey struct{ kind, name string }

// Build joins what was read, in the order of the input.
func Build(parts []Objects, opts Options) *Graph {
	g := &Graph{opts: opts, sources: make(map[nameKey][]*Source), made: make(map[nameKey][]*Source)}
	for _, part := range parts {
		g.all = append(g.all, part.Sources...)
		g.Workloads = append(g.Workloads, part.Workloads...)
	}
	g.addSources(g.all)
	g.joinTargets(g.lastWorkloads())
	return g
}

// Wanted are the kinds on which workloads depend by annotation and that Read
// leaves out. Where there are any, ReadOthers and then Add must be called
// before Resolve.
func (g *Graph) Wanted() map[string]bool {
	wanted := make(map[string]bool)
	for _, w := range g.Workloads {
		for _, s := range w.allSettings() {
			for _, d := range s.dependsOn {
				if !core(d.kind) {
					wanted[d.kind] = true
				}
			}
		}
	}
	return wanted
}

// Add adds what ReadOthers read.
func (g *Graph) Add(parts []Objects) {
	for _, part := range parts {
		g.addSources(part.Sources)
	}
}

func (g *Graph) addSources(sources []*Source) {
	last := make(map[ID]*Source, len(sources))
	for _, s := range sources {
		if before := last[s.ID]; before != nil {
			g.duplicate(s.ID, before.Place, s.Place, s.text != nil && sameText(before.text, s.text))
			before.superseded = true
		}
		last[s.ID] = s
	}
	for _, s := range sources {
		if last[s.ID] != s {
			continue
		}
		key := nameKey{s.ID.Kind, s.ID.Name}
		g.sources[key] = append(g.sources[key], s)
		if s.Producer == nil || s.policy != "" && s.policy == s.Producer.MakesNot {
			continue
		}
		for _, name := range s.makes {
			key := nameKey{s.Producer.Makes, name}
			g.made[key] = append(g.made[key], s)
		}
	}
}

func sameText(a, b []byte) bool { return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) }

func (g *Graph) duplicate(id ID, first, again Place, same bool) {
	f := Finding{
		Code: DuplicateObject, Severity: Warning, Object: id, Place: again,
		Message: "the input has this object already, with other content, in " + first.String() + "; the last one counts",
		Hint:    hints[DuplicateObject],
	}
	if same {
		f.Severity = Info
		f.Message = "the input has the same object already, in " + first.String()
	}
	g.findings = append(g.findings, f)
}

// lastWorkloads are the workloads by identity.
func (g *Graph) lastWorkloads() map[ID]*Workload {
	last := make(map[ID]*Workload, len(g.Workloads))
	for _, w := range g.Workloads {
		if before := last[w.ID]; before != nil && w.ID.Name != "" {
			g.duplicate(w.ID, before.Place, w.Place, w.text != nil && sameText(before.text, w.text))
		}
		last[w.ID] = w
	}
	return last
}

// joinTargets gives the workloads that others name for their template to
// those.
func (g *Graph) joinTargets(byID map[ID]*Workload) {
	for _, w := range g.Workloads {
		if w.target == nil {
			continue
		}
		var found []*Workload
		for _, other := range g.Workloads {
			id := other.ID
			id.Namespace = w.target.Namespace
			if id == *w.target && byID[other.ID] == other {
				found = append(found, other)
			}
		}
		chosen, _ := pick(w.target.Namespace, found, func(o *Workload) string { return o.ID.Namespace })
		for _, other := range chosen {
			other.owner = w
		}
		if len(chosen) == 0 {
			g.findings = append(g.findings, Finding{
				Code: MissingReference, Severity: g.unresolved(), Object: w.ID, Field: w.Row.Target.String(), Place: w.targetAt,
				Message: w.target.String() + ", whose pod template is used, is not in the input", Hint: hints[MissingReference],
			})
		}
	}
}

func (g *Graph) unresolved() Severity {
	if g.opts.Strict {
		return Error
	}
	return Warning
}

// pick chooses from what has the right kind and name: what is in the namespace;
// else, where one of the two sides has none, what is compatible. ambiguous says
// that this would be more than one namespace's.
func pick[T any](namespace string, from []T, of func(T) string) (chosen []T, ambiguous bool) {
	for _, c := range from {
		if of(c) == namespace {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) > 0 {
		return chosen, false
	}
	for _, c := range from {
		if namespace == "" || of(c) == "" {
			chosen = append(chosen, c)
		}
	}
	for _, c := range chosen {
		if of(c) != of(chosen[0]) {
			return chosen, true
		}
	}
	return chosen, false
}

func namespaceOf(s *Source) string { return s.ID.Namespace }

// find resolves a reference: to a source of the stream, with the producers that
// merge into it, or to the producers that make it.
func (g *Graph) find(w *Workload, ref *Reference) (found []*Source, ambiguous bool) {
	namespace := ref.Namespace
	if namespace == "" {
		namespace = w.ID.Namespace
	}
	named := slices.DeleteFunc(slices.Clone(g.sources[nameKey{ref.Kind, ref.Name}]), func(s *Source) bool {
		return !ref.anyGroup && s.ID.Group != ref.Group
	})
	found, ambiguous = pick(namespace, named, namespaceOf)
	if ambiguous || len(found) > 1 { // several groups
		return found, true
	}
	made := g.made[nameKey{ref.Kind, ref.Name}]
	if ref.Group != "" || len(made) == 0 {
		return found, false
	}
	if len(found) == 0 {
		return pick(namespace, made, namespaceOf)
	}
	merging := slices.DeleteFunc(slices.Clone(made), func(s *Source) bool {
		return s.policy == "" || s.policy != s.Producer.Merges
	})
	merging, ambiguous = pick(found[0].ID.Namespace, merging, namespaceOf)
	if ambiguous {
		merging = nil
	}
	return append(found, merging...), false
}

// clusterMade reports whether every namespace has the object without a
// manifest.
func clusterMade(ref *Reference) bool {
	return ref.Kind == kinds.ConfigMap && kinds.ClusterConfigMaps[ref.Name]
}
