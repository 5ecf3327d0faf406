package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// The annotations with which kustomize keeps track of an object while it
// builds (api/internal/utils/annotations.go of kustomize v5.8). It takes them
// off at the end.
const (
	internalDomain     = "internal.config.kubernetes.io/"
	previousNames      = internalDomain + "previousNames"
	previousNamespaces = internalDomain + "previousNamespaces"
	previousKinds      = internalDomain + "previousKinds"
	namePrefixes       = internalDomain + "prefixes"
	nameSuffixes       = internalDomain + "suffixes"
	needsHashSuffix    = internalDomain + "needsHashSuffix"
)

// renames are what kustomize did to an object's name so far. References to it
// are put right at the end of the build alone: until then they say a name that
// the object had before.
type renames struct {
	previous           []ID // without a group
	prefixes, suffixes []string
	pending            bool // a hash of the content is going to be put behind the name
}

// readRenames reads kustomize's annotations, nil where there are none.
func readRenames(annotations tree.Node) *renames {
	var values [6]tree.Node
	some := false
	for k, v := range annotations.Fields() {
		name := k.Text()
		if !strings.HasPrefix(name, internalDomain) {
			continue
		}
		i := slices.Index([]string{previousNames, previousNamespaces, previousKinds, namePrefixes, nameSuffixes, needsHashSuffix}, name)
		if i >= 0 {
			values[i], some = v, true
		}
	}
	if !some {
		return nil
	}
	r := &renames{prefixes: commaList(values[3]), suffixes: commaList(values[4]), pending: values[5].Text() == "enabled"}
	names, namespaces, kinds := commaList(values[0]), commaList(values[1]), commaList(values[2])
	if len(names) != len(namespaces) || len(names) != len(kinds) {
		return r // kustomize itself gives up on these
	}
	for i, name := range names {
		r.previous = append(r.previous, ID{Kind: kinds[i], Namespace: namespaces[i], Name: name})
	}
	return r
}

func commaList(n tree.Node) []string {
	if !n.Exists() {
		return nil
	}
	return strings.Split(n.Text(), ",")
}

// addRenamed indexes a source by the names that it had: in the namespace where
// it is now, as kustomize looks for it, and in the one where it was, for those
// who name a namespace. One that is going to get a hash will have had the name
// that it has now.
func (g *Graph) addRenamed(s *Source) {
	if s.renames == nil {
		return
	}
	previous := s.renames.previous
	if s.renames.pending {
		previous = append(slices.Clone(previous), s.ID)
	}
	seen := make(map[ID]bool)
	for _, id := range previous {
		for _, namespace := range []string{s.ID.Namespace, id.Namespace} {
			at := ID{s.ID.Group, id.Kind, settled(namespace), id.Name}
			if !seen[at] {
				seen[at] = true
				g.renamed.add(at, s)
			}
		}
	}
}

// findRenamed resolves a reference as kustomize is going to put it right:
// among the objects that had the name, in the same namespace, to the only one;
// of several, to the one that got its prefixes and suffixes together with the
// workload (api/filters/nameref of kustomize v5.8). It finds nothing where
// kustomize would leave the reference alone.
func (g *Graph) findRenamed(buf []*Source, w *Workload, at ID, namespaced bool) (found []*Source, ambiguous bool) {
	if len(g.renamed.first) == 0 {
		return buf, false
	}
	at.Namespace = settled(at.Namespace)
	found = g.renamed.at(buf, at)
	candidates := found[len(buf):]
	if !namespaced {
		candidates = slices.DeleteFunc(candidates, func(s *Source) bool { return settled(s.ID.Namespace) != at.Namespace })
	}
	if len(candidates) > 1 {
		candidates = slices.DeleteFunc(candidates, func(s *Source) bool { return !s.renames.fits(w.renames, true) })
	}
	if len(candidates) > 1 {
		candidates = slices.DeleteFunc(candidates, func(s *Source) bool { return !s.renames.fits(w.renames, false) })
	}
	return found[:len(buf)+len(candidates)], len(candidates) > 1
}

// settled is the namespace that kustomize takes an object to be in. Unlike
// everywhere else here, an unset one is not any.
func settled(namespace string) string { return cmp.Or(namespace, "default") }

// fits reports whether two objects were renamed together. loose says that an
// object without a prefix fits any.
func (r *renames) fits(other *renames, loose bool) bool {
	if other == nil {
		other = new(renames)
	}
	return sameEnding(r.prefixes, other.prefixes, loose) && sameEnding(r.suffixes, other.suffixes, loose)
}

// sameEnding reports whether the shorter list is the end of the longer one. An
// empty one is that of an empty list only, but for a loose comparison.
func sameEnding(a, b []string, loose bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return loose || len(b) == 0
	}
	return slices.Equal(a, b[len(b)-len(a):])
}
