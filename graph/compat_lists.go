package graph

import (
	"fmt"
	"slices"
)

// declareReloader appends a reference to each source of the workload's
// namespace that a list names and no field does. What a field names counts
// with the keys that the field uses. An entry that nothing answers to is told.
func (r *Resolver) declareReloader(refs []Reference) []Reference {
	if r.foreign.reloader == nil {
		return refs
	}
	for i, kind := range reloaderKinds {
		sc := &r.foreign.reloader.scopes[i]
		for _, p := range sc.patterns {
			refs = r.declareMatches(refs, kind, sc, p)
		}
	}
	return refs
}

func (r *Resolver) declareMatches(refs []Reference, kind ID, sc *scope, p pattern) []Reference {
	ref := Reference{Kind: kind.Kind, Group: kind.Group, Name: p.entry, All: true, Field: sc.list.field, Place: sc.list.place}
	if p.plain() && len(r.graph.renamed.first) == 0 { // most are, and need no search
		if !r.refers(kind, p.matches) && sc.excluded([]string{p.entry}) == nil {
			refs = append(refs, ref)
		}
		return refs
	}
	found := p.err != nil || r.refers(kind, p.matches) // the error is told elsewhere
	for _, names := range r.graph.namesIn(kind, r.result.Workload.ID.Namespace) {
		if !p.matchesAny(names) {
			continue
		}
		found = true
		byField := r.refers(kind, func(name string) bool { return slices.Contains(names, name) })
		if !byField && sc.excluded(names) == nil {
			match := ref
			match.Name = names[0]
			refs = append(refs, match)
		}
	}
	switch {
	case found:
	case validName(p.entry):
		refs = append(refs, ref)
	default:
		r.tell(MissingReference, r.graph.unresolved(), &ref, fmt.Sprintf("no %s of the input answers to %s", kind.Kind, printable(p.entry)))
	}
	return refs
}

// refers reports whether a field of the pod template uses a source of a kind
// by such a name.
func (r *Resolver) refers(kind ID, is func(string) bool) bool {
	return slices.ContainsFunc(r.result.Template.references, func(ref Reference) bool {
		return ref.Kind == kind.Kind && ref.Group == kind.Group && !ref.Unmounted && is(ref.Name)
	})
}

// namesIn are the names of the sources of a kind that are in a namespace or in
// none; all of them for the unset namespace. A source that kustomize renamed
// has several, its present one first.
func (g *Graph) namesIn(kind ID, namespace string) [][]string {
	g.naming.Do(func() {
		g.names = make(map[ID][][]string)
		add := func(at ID, names []string) {
			for _, at.Name = range []string{"", anyNamespace} {
				g.names[at] = append(g.names[at], names)
				at.Namespace = ""
			}
		}
		for _, at := range g.sources.order {
			add(at, g.sources.first[at].called(at.Name))
		}
		for _, at := range slices.Concat(g.made.near.order, g.made.all.order) {
			add(at, []string{at.Name})
		}
	})
	if namespace == "" {
		kind.Name = anyNamespace
		return g.names[kind]
	}
	unset := g.names[kind]
	kind.Namespace = namespace
	return slices.Concat(g.names[kind], unset)
}

// anyNamespace stands for a name, in the key of the names of all namespaces.
const anyNamespace = "*"
