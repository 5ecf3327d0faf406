// Package compare says which workloads restart between two renders, and why.
//
// Both renders are looked at as restamp would stamp them; where they carry
// stamps, those are what is applied. A workload restarts where its pod template
// changes: by its stamp, which is because of configuration, or by anything else
// in it. The package asks no cluster: it knows what the manifests say.
package compare

import (
	"github.com/restamp/restamp/graph"
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

// Verdicts are all of them, those that matter most first.
var Verdicts = []Verdict{Stuck, ByConfig, ByTemplate, ByBoth, First, Stays, Added, Removed}

// Restarts reports whether running pods are replaced.
func (v Verdict) Restarts() bool {
	return v == ByConfig || v == ByTemplate || v == ByBoth || v == First
}

// Diff is what two renders differ in.
type Diff struct {
	Workloads []Workload     // that there is something to say about, in the order of the new input, then what was removed
	Unchanged int            // workloads
	Sources   []SourceChange // whole sources: that came, went, moved or changed
	Twice     bool           // both are renders of one commit
	Stamped   [2]bool        // whether the old and the new render carry stamps
	OtherKey  bool           // the old render's stamps are made with a key that was not given
}

// Differs reports whether the renders differ in what counts: in more than
// fields that restart nobody.
func (d *Diff) Differs() bool {
	for i := range d.Workloads {
		if d.Workloads[i].Verdict != Stays {
			return true
		}
	}
	return len(d.Sources) > 0
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
	Note    string // where the change does not say all
	Through []Through
	Old     *string // values, where they are to be shown
	New     *string

	byReference bool // the template refers to the source in another way
}

// Change is what happened to something.
type Change string

// The changes.
const (
	Came      Change = "added"
	Went      Change = "removed"
	Changed   Change = "changed"
	Reordered Change = "reordered"
	Moved     Change = "renamed"
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
	Was    graph.ID // of one that was renamed, or moved
	Keys   []KeyChange
	Users  int // pod templates of the new render that use it
}

// Options say what is compared.
type Options struct {
	Values bool // values of ConfigMaps are kept, to be shown
}

// Compare compares two renders.
func Compare(old, now *render.Run, opts Options) *Diff {
	c := &comparer{opts: opts, old: newSide(old), now: newSide(now), seen: make(map[*graph.Result]bool)}
	c.diff.Stamped = [2]bool{c.old.stamped, c.now.stamped}
	c.pairWorkloads()
	c.compareSources()
	c.findCluster()
	for _, r := range c.now.results {
		c.compareResult(r)
	}
	for _, r := range c.old.results {
		if !c.seen[r] {
			c.add(c.workload(c.old, r, Removed))
		}
	}
	c.tellMoved()
	return &c.diff
}

// comparer compares.
type comparer struct {
	opts     Options
	old, now *side
	diff     Diff
	before   map[graph.ID]graph.ID  // what workloads were called
	seen     map[*graph.Result]bool // of the old side
	changed  map[graph.ID]*SourceChange
	scalers  map[graph.ID][]scaler
	budgets  []budget
}

func (c *comparer) add(w Workload) { c.diff.Workloads = append(c.diff.Workloads, w) }

// workload is what is known of a workload before anything is compared.
func (c *comparer) workload(s *side, r *graph.Result, verdict Verdict) Workload {
	return Workload{
		ID: r.Workload.ID, Template: s.templateName(r), Place: r.Workload.Place, Class: r.Class().String(),
		Verdict: verdict, Pods: c.pods(s, r),
	}
}

// compareResult compares a pod template with what it was.
func (c *comparer) compareResult(now *graph.Result) {
	key := c.now.key(now)
	key.id = c.before[key.id]
	old := c.old.byKey[key]
	if old == nil {
		c.add(c.workload(c.now, now, Added))
		return
	}
	c.seen[old] = true
	if c.same(old, now) {
		c.unused(now)
		return
	}
	w := c.workload(c.now, now, Stays)
	c.judge(&w, old, now)
}

// same reports whether nothing of a template is new: neither the object nor
// what it uses.
func (c *comparer) same(old, now *graph.Result) bool {
	return old.Digest == now.Digest && old.Stamp == now.Stamp && c.old.stamped == c.now.stamped &&
		sameText(old.Workload, now.Workload) && sameText(old.Workload.Owner(), now.Workload.Owner())
}

// sameText reports whether two objects are surely the same.
func sameText(old, now *graph.Workload) bool {
	if old == nil || now == nil {
		return old == now
	}
	return old.Text() != nil && now.Text() != nil && string(old.Text()) == string(now.Text())
}

// tellMoved tells of workloads that are gone in one namespace and new in
// another.
func (c *comparer) tellMoved() {
	gone, come := c.byVerdict(Removed), c.byVerdict(Added)
	for id, from := range gone {
		to := come[id]
		if len(from) != 1 || len(to) != 1 || from[0].ID.Namespace == "" || to[0].ID.Namespace == "" {
			continue
		}
		to[0].Why = "it moved here from namespace " + from[0].ID.Namespace + ": these are new pods"
		from[0].Why = "it moved to namespace " + to[0].ID.Namespace
	}
}

// byVerdict are the workloads with a verdict, by what they are called in any
// namespace.
func (c *comparer) byVerdict(verdict Verdict) map[graph.ID][]*Workload {
	m := make(map[graph.ID][]*Workload)
	for i := range c.diff.Workloads {
		if w := &c.diff.Workloads[i]; w.Verdict == verdict {
			m[anywhere(w.ID)] = append(m[anywhere(w.ID)], w)
		}
	}
	return m
}
