// Package compare says which workloads restart between two renders, and why.
//
// Both renders are looked at as restamp would stamp them; where they carry
// stamps, those are what is applied. A workload restarts where its pod template
// changes: by its stamp, which is because of configuration, or by anything else
// in it. The package asks no cluster: it knows what the manifests say.
package compare

import (
	"slices"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/render"
)

// Verdict is what happens to a workload's pods.
type Verdict string

// The verdicts.
const (
	ByConfig   Verdict = "restarts-config"   // because of configuration
	ByTemplate Verdict = "restarts-template" // because its template itself changed
	ByBoth     Verdict = "restarts-both"
	First      Verdict = "first-stamp" // because it gets a stamp for the first time
	Stays      Verdict = "does-not-restart"
	Stuck      Verdict = "should-restart-but-will-not"
	Added      Verdict = "added"
	Removed    Verdict = "removed"
)

// Restarts reports whether running pods are replaced.
func (v Verdict) Restarts() bool {
	return v == ByConfig || v == ByTemplate || v == ByBoth || v == First
}

// Diff is what two renders differ in.
type Diff struct {
	Workloads []Workload     // that there is something to say about, in the order of the new input, then what was removed
	Unchanged int            // workloads
	Sources   []SourceChange // whole sources: that came, went or changed
	Twice     bool           // both are renders of one commit
	Stamped   [2]bool        // whether the old and the new render carry stamps
}

// Workload is a workload, or one of several pod templates of it.
type Workload struct {
	ID       graph.ID
	Template string      // its path, "" where the workload has one alone
	Place    graph.Place // in the new render, or in the old one where it was removed
	Class    string
	Verdict  Verdict
	Why      string // where the verdict does not say all
	Mend     string // what to do, where something should be done
	Changes  []KeyChange
	Renames  []Rename
	Fields   []Field // of the pod template
	Others   []Field // of the rest of the object
	Noise    []string
	Pods     Pods
	Roll     Roll
}

// KeyChange is a used key that changed.
type KeyChange struct {
	Source  string // Kind/name, or Kind.group/name
	Key     string // "" for a source as a whole
	Change  Change
	Secret  bool
	Through []Through
	Old     string // values, where they are to be shown
	New     string
}

// Change is what happened to something.
type Change string

// The changes.
const (
	Came    Change = "added"
	Went    Change = "removed"
	Changed Change = "changed"
)

// Through is how a workload uses a key.
type Through struct {
	Field     string
	Container string // "" for a volume's, or a declared dependency
}

// Rename is a source with another name: it is the same one by its content, or
// by its name but for kustomize's hash.
type Rename struct{ Old, New string }

// SourceChange is a source that changed as a whole.
type SourceChange struct {
	ID     graph.ID
	Change Change
	Keys   []KeyChange
	Users  int // workloads of the new render that use it
}

// Options say what is compared.
type Options struct {
	Values bool // values of ConfigMaps are kept, to be shown
}

// Compare compares two renders.
func Compare(old, now *render.Run, opts Options) *Diff {
	c := &comparer{opts: opts, old: newSide(old), now: newSide(now)}
	c.diff.Stamped = [2]bool{c.old.stamped, c.now.stamped}
	c.compareSources()
	c.findCluster()
	for i := range now.Results {
		c.compareResult(&now.Results[i])
	}
	for i := range old.Results {
		if r := &old.Results[i]; !c.seen[keyOf(r)] && !r.Workload.Superseded() {
			c.add(Workload{ID: r.Workload.ID, Template: c.old.templateName(r), Place: r.Workload.Place, Class: r.Class().String(), Verdict: Removed, Pods: c.pods(c.old, r)})
		}
	}
	return &c.diff
}

// comparer compares.
type comparer struct {
	opts     Options
	old, now *side
	diff     Diff
	seen     map[templateKey]bool
	changed  map[graph.ID]*SourceChange
	scalers  map[graph.ID]int // replicas that autoscalers keep at least
	budgets  []budget
}

// templateKey identifies a pod template in both renders.
type templateKey struct {
	id   graph.ID
	path string
}

func keyOf(r *graph.Result) templateKey { return templateKey{r.Workload.ID, r.Template.Path} }

// side is one of the two renders.
type side struct {
	run     *render.Run
	stamped bool // some pod template carries a stamp
	results map[templateKey]*graph.Result
	count   map[graph.ID]int // templates of a workload
	trees   map[*manifest.Chunk]map[int]*tree.Tree
	details map[*graph.Workload][]graph.Detail
}

func newSide(run *render.Run) *side {
	s := &side{
		run: run, results: make(map[templateKey]*graph.Result, len(run.Results)), count: make(map[graph.ID]int),
		trees: make(map[*manifest.Chunk]map[int]*tree.Tree), details: make(map[*graph.Workload][]graph.Detail),
	}
	for i := range run.Results {
		r := &run.Results[i]
		s.stamped = s.stamped || r.Template.Stamp != ""
		if r.Workload.Superseded() {
			continue
		}
		s.results[keyOf(r)] = r
		s.count[r.Workload.ID]++
	}
	return s
}

// templateName is a template's path, where it takes one to tell it from others.
func (s *side) templateName(r *graph.Result) string {
	if s.count[r.Workload.ID] < 2 {
		return ""
	}
	return r.Template.Path
}

// tree parses a document, once.
func (s *side) tree(doc *manifest.Document) *tree.Tree {
	byStart := s.trees[doc.Chunk]
	if byStart == nil {
		byStart = make(map[int]*tree.Tree)
		s.trees[doc.Chunk] = byStart
	}
	t := byStart[doc.Start]
	if t == nil {
		t, _ = new(tree.Parser).Parse(doc.Text) // it was read before
		byStart[doc.Start] = t
	}
	return t
}

func (s *side) template(r *graph.Result) tree.Node {
	return s.tree(r.Template.Place.Doc).At(r.Template.Node())
}

// object is the workload's own node.
func (s *side) object(r *graph.Result) tree.Node {
	for o := range manifest.Objects(s.tree(r.Workload.Place.Doc).Root()) {
		if o.Offset() == r.Workload.Place.Offset {
			return o.Node
		}
	}
	return tree.Node{}
}

// detail is a result with all that led to it.
func (s *side) detail(r *graph.Result) graph.Detail {
	details, ok := s.details[r.Workload]
	if !ok {
		details = s.run.Explain(r.Workload)
		s.details[r.Workload] = details
	}
	i := slices.IndexFunc(details, func(d graph.Detail) bool { return d.Template == r.Template })
	return details[i]
}

func (c *comparer) add(w Workload) { c.diff.Workloads = append(c.diff.Workloads, w) }

// compareResult compares a pod template with what it was.
func (c *comparer) compareResult(now *graph.Result) {
	if now.Workload.Superseded() {
		return
	}
	key := keyOf(now)
	if c.seen == nil {
		c.seen = make(map[templateKey]bool)
	}
	c.seen[key] = true
	w := Workload{ID: now.Workload.ID, Template: c.now.templateName(now), Place: now.Workload.Place, Class: now.Class().String()}
	old := c.old.results[key]
	if old == nil {
		w.Verdict, w.Pods = Added, c.pods(c.now, now)
		c.add(w)
		return
	}
	if c.same(old, now) {
		c.unused(&w, now)
		return
	}
	c.judge(&w, old, now)
}

// same reports whether nothing of a template is new: neither the object nor
// what it uses.
func (c *comparer) same(old, now *graph.Result) bool {
	a, b := old.Workload.Text(), now.Workload.Text()
	return a != nil && b != nil && string(a) == string(b) && old.Digest == now.Digest && old.Stamp == now.Stamp &&
		c.old.stamped == c.now.stamped
}
