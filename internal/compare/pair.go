package compare

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
)

// pairIDs finds for each identity of the new render what it was in the old one:
// the same; or, where one render names the namespace and the other does not,
// the only other that it can be.
func pairIDs(old, now []graph.ID) map[graph.ID]graph.ID {
	pairs := make(map[graph.ID]graph.ID)
	there := make(map[graph.ID]bool)
	for _, id := range old {
		there[id] = true
	}
	free := make(map[graph.ID][]graph.ID) // of the new render
	for _, id := range now {
		if there[id] {
			pairs[id] = id
			there[id] = false
		} else {
			free[anywhere(id)] = append(free[anywhere(id)], id)
		}
	}
	left := make(map[graph.ID][]graph.ID)
	for _, id := range old {
		if there[id] {
			left[anywhere(id)] = append(left[anywhere(id)], id)
		}
	}
	for name, ids := range free {
		if was := left[name]; len(ids) == 1 && len(was) == 1 && maybeSame(ids[0].Namespace, was[0].Namespace) {
			pairs[ids[0]] = was[0]
		}
	}
	return pairs
}

// anywhere is an identity without its namespace.
func anywhere(id graph.ID) graph.ID {
	id.Namespace = ""
	return id
}

// maybeSame reports whether two namespaces may be the same: one that is not
// named may be any.
func maybeSame(a, b string) bool { return a == b || a == "" || b == "" }

func (c *comparer) pairWorkloads() { c.before = pairIDs(c.old.ids(), c.now.ids()) }

func (s *side) ids() (ids []graph.ID) {
	for _, r := range s.results {
		if n := len(ids); n == 0 || ids[n-1] != r.Workload.ID {
			ids = append(ids, r.Workload.ID)
		}
	}
	return ids
}

// content is what two sources are compared by: their keys, with the hashes of
// the values.
type content map[string][32]byte

// candidate is a source that is in one render alone.
type candidate struct {
	kind, name string // the name as it is shown: with its namespace, where that is told
	content    content
	taken      bool
}

// matchRenamed finds the sources that go by another name now. Those of which
// the name is the same but for kustomize's hash come first, then those with the
// same content, then those of which at least half is the same. It calls found
// with their places in the lists.
func matchRenamed(gone, come []candidate, found func(old, now int)) {
	for _, alike := range []func(a, b *candidate) bool{sameName, sameContent, mostlySame} {
		for i := range gone {
			for j := range come {
				a, b := &gone[i], &come[j]
				if !a.taken && !b.taken && a.kind == b.kind && alike(a, b) {
					a.taken, b.taken = true, true
					found(i, j)
				}
			}
		}
	}
}

// suffixed is a name that ends in a hash, as kustomize makes it.
var suffixed = regexp.MustCompile(`-[2456789bcdfghkmt]{10}$`)

func sameName(a, b *candidate) bool {
	x, y := suffixed.ReplaceAllString(a.name, ""), suffixed.ReplaceAllString(b.name, "")
	return x == y && x != a.name && y != b.name
}

// sameContent reports whether two sources hold the same. Nothing is not the
// same as nothing.
func sameContent(a, b *candidate) bool {
	return len(a.content) == len(b.content) && !a.content.empty() && a.content.shared(b.content) == len(a.content)
}

// mostlySame reports whether at least half of the keys, and more than one, have
// the same values.
func mostlySame(a, b *candidate) bool {
	shared := a.content.shared(b.content)
	return shared > 1 && 2*shared >= max(len(a.content), len(b.content))
}

func (c content) shared(other content) (n int) {
	for key, sum := range c {
		if also, ok := other[key]; ok && also == sum {
			n++
		}
	}
	return n
}

// empty reports whether no key is there: an empty one stands for none.
func (c content) empty() bool {
	_, none := c[""]
	return len(c) == 0 || none && len(c) == 1
}

// renames finds the sources of lines that go by another name now.
func renames(before, after []graph.Line) (found []Rename) {
	gone, come := onlyIn(before, after), onlyIn(after, before)
	matchRenamed(gone, come, func(i, j int) {
		found = append(found, Rename{gone[i].kind + "/" + gone[i].name, come[j].kind + "/" + come[j].name})
	})
	slices.SortFunc(found, func(a, b Rename) int { return strings.Compare(a.New, b.New) })
	return found
}

// onlyIn returns the sources of lines of which the others have none, sorted by
// name.
func onlyIn(lines, others []graph.Line) (list []candidate) {
	there := make(map[string]bool)
	for _, l := range others {
		there[l.Source()] = true
	}
	byLabel := make(map[string]content)
	for _, l := range lines {
		if there[l.Source()] {
			continue
		}
		if byLabel[l.Source()] == nil {
			byLabel[l.Source()] = make(content)
		}
		byLabel[l.Source()][l.Key()] = l.Sum
	}
	for label, content := range byLabel {
		kind, name, _ := strings.Cut(strings.TrimSuffix(label, "/"), "/")
		list = append(list, candidate{kind: kind, name: name, content: content})
	}
	slices.SortFunc(list, func(a, b candidate) int { return strings.Compare(a.kind+"/"+a.name, b.kind+"/"+b.name) })
	return list
}
