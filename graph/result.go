package graph

import (
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
)

// Action is what a pod template's stamp needs.
type Action uint8

// The actions.
const (
	Keep   Action = iota // it is as it should be
	Set                  // it must be added, or have another value
	Remove               // it must go
)

// Result is what was found for one pod template.
type Result struct {
	Workload *Workload
	Template *Template
	Stamp    string           // what the template's stamp should be, "" for none; of several, as in Template
	Stamps   []manifest.Entry // the annotations that it should have
	Action   Action
	Why      string // why the template is left alone, "" where it is not
	Digest   string // the hash of all that it uses, stamped or not; "" for nothing
	ByName   bool   // all that it uses has a hash of its content in its name
	Off      bool   // somebody said that the template is to be left alone

	set      []manifest.Entry // that it lacks
	remove   []string         // that must go
	covers   bool             // Secret values without a key
	findings []Finding
}

// Detail is a result with all that led to it.
type Detail struct {
	Result
	Uses     []Use
	Lines    []Line    // under the hash, sorted
	Settings []Setting // that the annotations say, the strongest last
}

// Use is a reference and what came of it.
type Use struct {
	*Reference
	State   State
	Found   []*Source // that the reference may mean, whether they count or not
	Sources []*Source // that count
	Used    []string  // the keys that enter the hash, with "" for a source as a whole
	Labels  []string  // of their lines
	Left    []string  // what does not enter, and why
	Lacks   []string  // the keys that no source has
}

// Stale reports whether a result asks for a change of the stamp. It does not
// count that a stamp is missing of which every line's source has a hash of its
// content in its name: pods restart with the name.
func (r *Result) Stale() bool {
	return r.Action != Keep && (!r.ByName || r.Template.stamped)
}

// StaleWhy says in which way a stamp is stale.
func (r *Result) StaleWhy() string {
	switch {
	case r.Action == Remove:
		return "the stamp must go: " + r.Why
	case !r.Template.stamped:
		return "there is no stamp yet"
	}
	return "the stamp is stale"
}

// Edit is the change of the document that a result asks for; ok is false where
// it asks for none.
func (r *Result) Edit() (edit manifest.Edit, ok bool) {
	if r.Action == Keep {
		return edit, false
	}
	return manifest.Edit{Node: r.Template.node, Path: r.Template.slot, Set: r.set, Remove: r.remove}, true
}

// Splices are the splices that make the edit, where the Reader prepared them:
// that is, for a document that nothing else changes. Else they are nil.
func (r *Result) Splices() []manifest.Splice {
	if r.Action != Set || r.Template.prepared == nil {
		return nil
	}
	splices := slices.Clone(r.Template.prepared)
	for i := range splices {
		splices[i].Text = strings.Replace(splices[i].Text, anyStamp, r.Stamp, 1)
	}
	return splices
}

// Unsplice takes a result's edit back: it cannot be made.
func (r *Result) Unsplice(why error) {
	r.Action, r.Stamps, r.Stamp, r.Why = Keep, r.Template.stamps, r.Template.Stamp, why.Error()
}

// CannotSplice tells that a result's edit cannot be made, at an offset of the
// document, or at the template where the offset is negative.
func (r *Result) CannotSplice(offset int, why error) Finding {
	at := r.Template.Place
	if offset >= 0 {
		at.Offset = offset
	}
	return Finding{
		Code: CannotStamp, Severity: Error, Object: r.Workload.ID, Field: r.Template.Path, Place: at,
		Message: why.Error(), Hint: hints[CannotStamp],
	}
}

// Class is what a change of the pod template does. A workload whose template
// another one uses rolls with that one.
func (r *Result) Class() kinds.Class {
	if r.Workload.owner != nil && r.Template.class != kinds.Immutable {
		return kinds.Rolls
	}
	return r.Template.class
}

// Owner is the workload that uses this one's template, nil where none does.
func (w *Workload) Owner() *Workload { return w.owner }

// Stall is why the workload's pods would not follow a changed template by
// themselves, "" where they would.
func (w *Workload) Stall() string {
	if w.owner != nil {
		return w.owner.stall
	}
	return w.stall
}
