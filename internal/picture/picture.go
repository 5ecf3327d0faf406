// Package picture makes a picture of who uses what: producers, the sources
// that they make, and the workloads that use those.
//
// A picture holds names and keys, never a value. It says nothing about how it
// is drawn; package draw does that.
package picture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/render"
)

// Picture is who uses what.
type Picture struct {
	Sources   []*Source   // by name
	Workloads []*Workload // by name; of one with several pod templates, each template
	Uses      []*Use      // by source, then by workload
	From      []string    // the sources that it was asked for, if it was
}

// State says what is known of a source.
type State string

// The states.
const (
	Present   State = "present"
	Made      State = "made" // by a producer that is present
	Missing   State = "missing"
	Absent    State = "absent" // likewise, but all references to it are optional
	Ambiguous State = "ambiguous"
	InCluster State = "in-cluster" // the cluster makes it
)

// Source is an object that holds configuration, or that should.
type Source struct {
	ID       graph.ID
	Name     string      // Kind/namespace/name; no other source has it
	Short    string      // without the namespace
	Place    graph.Place // nowhere, unless it is present
	State    State
	Producer bool
	Ignored  bool     // it says that it restarts nobody
	Keys     []string // of a present one, sorted
	App      string
	Makes    []*Source
	MadeBy   []*Source
	Uses     []*Use
}

// Workload is a workload, or one of several pod templates of it.
type Workload struct {
	ID       graph.ID
	Template string // its path, "" where the workload has one alone
	Name     string // no other workload has it
	Short    string // without the namespace, and the template
	Place    graph.Place
	App      string
	Class    string
	Restarts bool   // when what it uses changes
	Why      string // why it does not
	Pods     compare.Pods
	Roll     compare.Roll
	Uses     []*Use
}

// Use is a reference of a workload to a source.
type Use struct {
	Source    *Source
	Workload  *Workload
	How       graph.How
	State     graph.State
	Container string
	Field     string
	Line      int
	All       bool     // all keys are asked for
	Keys      []string // that are asked for, where not all are
	Counts    []string // the keys that enter the hash, "" for the object as a whole
	Lacks     []string // keys that are asked for and not there
	Left      []string // what does not count, and why
}

// Unused reports whether nobody uses a source, and it makes nothing that
// somebody uses.
func (s *Source) Unused() bool {
	return s.State == Present && !slices.ContainsFunc(s.Uses, func(u *Use) bool { return u.State != graph.Unmounted }) &&
		!slices.ContainsFunc(s.Makes, func(m *Source) bool { return len(m.Uses) > 0 })
}

// Unresolved reports whether somebody needs the source and it is not there, or
// nobody can say which it is.
func (s *Source) Unresolved() bool { return s.State == Missing || s.State == Ambiguous }

// Restarts reports whether a change of what is used restarts the workload, and
// why not.
func (u *Use) Restarts() (yes bool, why string) {
	switch {
	case len(u.Counts) == 0 && len(u.Left) > 0:
		return false, u.Left[0]
	case len(u.Counts) == 0:
		return false, cmp.Or(u.Workload.Why, "nothing of it counts")
	}
	return u.Workload.Restarts, u.Workload.Why
}

// builder builds a picture.
type builder struct {
	outlook *compare.Outlook
	picture *Picture
	sources map[graph.ID]*Source
	states  map[*Source]map[State]bool // as references see them
}

// Of makes the picture of a run.
func Of(run *render.Run) *Picture {
	b := &builder{
		outlook: compare.NewOutlook(run), picture: new(Picture),
		sources: make(map[graph.ID]*Source), states: make(map[*Source]map[State]bool),
	}
	for _, s := range run.Sources() {
		if !s.Superseded() {
			b.addSource(s)
		}
	}
	templates := make(map[*graph.Workload]int)
	for i := range run.Results {
		templates[run.Results[i].Workload]++
	}
	for i := range run.Results {
		if w := run.Results[i].Workload; !w.Superseded() && (i == 0 || run.Results[i-1].Workload != w) {
			for _, d := range run.Explain(w) {
				b.addWorkload(&d, templates[w] > 1)
			}
		}
	}
	b.finish()
	return b.picture
}

func (b *builder) addSource(s *graph.Source) {
	n := b.source(s.ID)
	n.State, n.Place, n.Producer, n.Ignored = Present, s.Place, s.Producer(), s.Ignored()
	n.App = b.app(s.Place, s.ID.Name)
	for _, v := range s.Values() {
		if v.Key != "" {
			n.Keys = append(n.Keys, v.Key)
		}
	}
	n.Keys = slices.Compact(slices.Sorted(slices.Values(n.Keys)))
	for _, id := range s.Makes() {
		join(n, b.source(id))
	}
	if o := s.Original(); o != nil {
		join(b.source(o.ID), n)
	}
}

// join notes that one source is made of another.
func join(by, made *Source) {
	if by != made && !slices.Contains(by.Makes, made) {
		by.Makes, made.MadeBy = append(by.Makes, made), append(made.MadeBy, by)
	}
}

// source returns the node of a source.
func (b *builder) source(id graph.ID) *Source {
	n := b.sources[id]
	if n == nil {
		n = &Source{ID: id, App: prefix(id.Name)}
		b.sources[id] = n
		b.picture.Sources = append(b.picture.Sources, n)
	}
	return n
}

func (b *builder) addWorkload(d *graph.Detail, several bool) {
	w := &Workload{
		ID: d.Workload.ID, Place: d.Workload.Place, Class: d.Class().String(),
		App: b.app(d.Workload.Place, d.Workload.ID.Name), Pods: b.outlook.Pods(&d.Result), Roll: b.outlook.Roll(&d.Result),
	}
	if several {
		w.Template = d.Template.Path
	}
	w.Restarts, w.Why = restarts(d)
	b.picture.Workloads = append(b.picture.Workloads, w)
	for i := range d.Uses {
		b.addUse(w, &d.Uses[i])
	}
}

// restarts says whether a new stamp replaces the workload's pods.
func restarts(d *graph.Detail) (yes bool, why string) {
	class := d.Class()
	switch stall := d.Workload.Stall(); {
	case d.Why != "":
		return false, d.Why
	case stall != "":
		return false, stall
	case class == kinds.NextRun:
		return false, "the pods of the next run get it"
	case d.Stamp == "":
		return false, "it has no stamp"
	}
	return true, ""
}

// addUse adds a use of each source that a reference means.
func (b *builder) addUse(w *Workload, u *graph.Use) {
	add := func(s *Source) {
		use := &Use{
			Source: s, Workload: w, How: u.How(), State: u.State, Container: u.Container, Field: u.Field, Line: u.Place.Line(),
			All: u.All, Keys: u.Keys, Counts: unique(u.Used), Lacks: u.Lacks, Left: unique(u.Left),
		}
		s.Uses, w.Uses = append(s.Uses, use), append(w.Uses, use)
		b.picture.Uses = append(b.picture.Uses, use)
	}
	named := graph.ID{Group: u.Group, Kind: u.Kind, Namespace: cmp.Or(u.Namespace, w.ID.Namespace), Name: u.Name}
	if len(u.Found) == 0 || u.State == graph.Ambiguous {
		s := b.source(named)
		b.see(s, u.State)
		add(s)
		return
	}
	if i := slices.IndexFunc(u.Found, func(s *graph.Source) bool { return s.ID.Kind == u.Kind }); i >= 0 {
		add(b.source(u.Found[i].ID)) // what else was found merges into it
		return
	}
	add(b.made(named, u.Found))
}

// made is the source of a name that producers make, in whatever namespace they
// say.
func (b *builder) made(named graph.ID, by []*graph.Source) *Source {
	for _, p := range by {
		for _, made := range b.source(p.ID).Makes {
			if made.ID.Kind == named.Kind && made.ID.Name == named.Name && (made.ID.Namespace == named.Namespace || made.ID.Namespace == "" || named.Namespace == "") {
				return made
			}
		}
	}
	made := b.source(named)
	for _, p := range by {
		join(b.source(p.ID), made)
	}
	return made
}

// see notes what a reference says about a source that is not there.
func (b *builder) see(s *Source, state graph.State) {
	seen := map[graph.State]State{graph.Missing: Missing, graph.Absent: Absent, graph.Ambiguous: Ambiguous, graph.InCluster: InCluster}[state]
	if s.State != Present && seen != "" {
		if b.states[s] == nil {
			b.states[s] = make(map[State]bool)
		}
		b.states[s][seen] = true
	}
}

// finish settles the states and puts all in order.
func (b *builder) finish() {
	for _, s := range b.picture.Sources {
		if s.State == Present {
			continue
		}
		s.State = Absent
		if len(s.MadeBy) > 0 {
			s.State = Made
		}
		for _, state := range []State{InCluster, Missing, Ambiguous} {
			if b.states[s][state] {
				s.State = state
			}
		}
	}
	b.name()
	b.picture.sort()
}

// name names all nodes: by kind, and by group where two kinds need it.
func (b *builder) name() {
	groups := make(map[string]map[string]bool) // of the kinds
	see := func(id graph.ID) {
		if groups[id.Kind] == nil {
			groups[id.Kind] = make(map[string]bool)
		}
		groups[id.Kind][id.Group] = true
	}
	for _, s := range b.picture.Sources {
		see(s.ID)
	}
	for _, w := range b.picture.Workloads {
		see(w.ID)
	}
	names := func(id graph.ID) (name, short string) {
		text := graph.ID.String
		if len(groups[id.Kind]) > 1 {
			text = graph.ID.Label
		}
		name = text(id)
		id.Namespace = ""
		return name, text(id)
	}
	for _, s := range b.picture.Sources {
		s.Name, s.Short = names(s.ID)
	}
	for _, w := range b.picture.Workloads {
		if w.Name, w.Short = names(w.ID); w.Template != "" {
			w.Name += " " + w.Template
		}
	}
}

func (p *Picture) sort() {
	bySource := func(a, b *Source) int { return compareIDs(a.ID, b.ID) }
	slices.SortFunc(p.Sources, bySource)
	slices.SortStableFunc(p.Workloads, func(a, b *Workload) int { return compareIDs(a.ID, b.ID) })
	slices.SortStableFunc(p.Uses, func(a, b *Use) int {
		return cmp.Or(bySource(a.Source, b.Source), compareIDs(a.Workload.ID, b.Workload.ID), cmp.Compare(a.Workload.Template, b.Workload.Template))
	})
	for _, s := range p.Sources {
		slices.SortFunc(s.Makes, bySource)
		slices.SortFunc(s.MadeBy, bySource)
		slices.SortStableFunc(s.Uses, func(a, b *Use) int { return compareIDs(a.Workload.ID, b.Workload.ID) })
	}
	for _, w := range p.Workloads {
		slices.SortStableFunc(w.Uses, func(a, b *Use) int { return bySource(a.Source, b.Source) })
	}
}

func compareIDs(a, b graph.ID) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Group, b.Group))
}

// app is the application that an object belongs to: as its labels say, or else
// as its name begins.
func (b *builder) app(at graph.Place, name string) string {
	if label := b.outlook.Label(at, "app.kubernetes.io/instance", "app.kubernetes.io/name", "app"); label != "" {
		return label
	}
	return prefix(name)
}

func prefix(name string) string {
	app, _, _ := strings.Cut(name, "-")
	return app
}

func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
