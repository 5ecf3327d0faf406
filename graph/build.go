package graph

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/restamp/restamp/internal/kinds"
)

// Graph joins what was read of a whole stream.
type Graph struct {
	Workloads []*Workload

	opts     Options
	sources  *index[*Source]     // the last of each identity
	made     *makers             // producers, by what they make
	merging  *makers             // those of them that merge into what others make
	hidden   []*Source           // producers of which the names of what they make are encrypted
	renamed  *index[*Source]     // by the names that they had before kustomize changed them
	groups   map[string][]string // of each kind of source that is neither core nor a producer's
	all      []*Source
	findings []Finding // of the stream as a whole

	naming sync.Once
	names  map[ID][][]string // made when somebody asks
}

// Build joins what was read, in the order of the input.
func Build(parts []Objects, opts Options) *Graph {
	g := &Graph{opts: opts, groups: make(map[string][]string)}
	for _, part := range parts {
		g.all = append(g.all, part.Sources...)
		g.Workloads = append(g.Workloads, part.Workloads...)
	}
	g.sources, g.renamed = newIndex[*Source](len(g.all)), newIndex[*Source](0)
	g.made, g.merging = newMakers(), newMakers()
	g.addSources(g.all)
	g.joinCopies()
	g.joinTargets(g.indexWorkloads())
	return g
}

// Wanted are the kinds on which workloads depend by annotation and that Read
// leaves out. Where there are any, ReadOthers and then Add must be called
// before Resolve.
func (g *Graph) Wanted() map[string]bool {
	wanted := make(map[string]bool)
	add := func(s settings) {
		for _, d := range s.dependsOn {
			if !core(d.kind) || d.hasGroup {
				wanted[d.kind] = true
			}
		}
	}
	if g.opts.ServiceAccount {
		wanted[kinds.ServiceAccount] = true
	}
	for _, w := range g.Workloads {
		add(w.settings)
		for _, t := range w.Templates {
			add(t.settings)
		}
	}
	return wanted
}

// Add adds what ReadOthers read.
func (g *Graph) Add(parts []Objects) {
	for _, part := range parts {
		for _, s := range part.Sources {
			s.used.Store(true) // that nobody uses it is nothing to tell
		}
		g.addSources(part.Sources)
		g.all = append(g.all, part.Sources...)
	}
}

// addSources indexes sources. Of several with one identity the last one counts.
func (g *Graph) addSources(sources []*Source) {
	seen := make(map[ID]bool)
	for kind, groups := range g.groups {
		for _, group := range groups {
			seen[ID{Group: group, Kind: kind}] = true
		}
	}
	for _, s := range sources {
		if s.silent {
			continue // nobody depends on it itself
		}
		at := s.ID
		s.label = s.ID.label() + "/" + s.ID.Name + "/"
		before, ok := g.sources.first[at]
		if !ok {
			g.sources.add(at, s)
			if kind := (ID{Group: s.ID.Group, Kind: s.ID.Kind}); !core(s.ID.Kind) && !seen[kind] {
				seen[kind] = true
				g.groups[s.ID.Kind] = append(g.groups[s.ID.Kind], s.ID.Group)
			}
			continue
		}
		before.superseded = true
		g.sources.first[at] = s
		if g.opts.tables().WorkloadOf(s.ID.Group, s.ID.Kind) == nil { // else it is told of the workload
			g.duplicate(s.ID, before.Place, s.Place, s.text != nil && sameText(before.text, s.text))
		}
	}
	for _, s := range sources {
		if !s.superseded {
			g.addRenamed(s)
		}
		if !s.superseded {
			g.addProducts(s)
		}
	}
}

func (g *Graph) addProducts(s *Source) {
	for i := range s.products {
		p := &s.products[i]
		if p.none {
			continue
		}
		if isCiphertext([]byte(p.id.Name)) && !slices.Contains(g.hidden, s) {
			g.hidden = append(g.hidden, s)
		}
		g.made.add(p, s)
		if p.merges {
			g.merging.add(p, s)
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

// indexWorkloads indexes the workloads, the last of each identity.
func (g *Graph) indexWorkloads() *index[*Workload] {
	x := newIndex[*Workload](len(g.Workloads))
	for _, w := range g.Workloads {
		at := w.ID
		before, ok := x.first[at]
		switch {
		case w.ID.Name == "":
		case !ok:
			x.add(at, w)
		default:
			before.superseded = true
			x.first[at] = w
			g.duplicate(w.ID, before.Place, w.Place, w.text != nil && sameText(before.text, w.text))
		}
	}
	return x
}

// joinCopies gives the sources into which a controller copies others to those,
// where the input has them.
func (g *Graph) joinCopies() {
	for _, s := range g.all {
		if s.copies == nil {
			continue
		}
		found, ambiguous := g.sources.find(nil, *s.copies)
		if len(found) > 0 && !ambiguous && found[0] != s {
			s.original, s.standIn = found[0], ""
		}
	}
}

// joinTargets gives the workloads that others name for their template to
// those.
func (g *Graph) joinTargets(workloads *index[*Workload]) {
	for _, w := range g.Workloads {
		if w.target == nil || w.superseded {
			continue
		}
		found, ambiguous := workloads.find(nil, *w.target)
		if len(found) == 1 && !ambiguous {
			found[0].owner = w
			continue
		}
		f := Finding{
			Code: MissingReference, Severity: g.unresolved(), Object: w.ID, Field: w.targetField, Place: w.targetAt,
			Message: w.target.String() + ", whose pod template is used, is not in the input",
		}
		if len(found) > 0 {
			f.Code, f.Message = AmbiguousReference, w.target.String()+", whose pod template is used, is there in several namespaces"
		}
		f.Hint = hints[f.Code]
		g.findings = append(g.findings, f)
	}
}

func (g *Graph) unresolved() Severity {
	if g.opts.Strict {
		return Error
	}
	return Warning
}

// find resolves a reference: to a source of the stream, with the producers that
// merge into it, or to the producers that make it. What it finds goes into buf.
func (g *Graph) find(buf []*Source, w *Workload, ref *Reference) (found []*Source, ambiguous bool) {
	at := ID{ref.Group, ref.Kind, ref.Namespace, ref.Name}
	if at.Namespace == "" {
		at.Namespace = w.ID.Namespace
	}
	if ref.anyGroup {
		found = buf
		for _, at.Group = range g.groups[ref.Kind] {
			if found, _ = g.named(found, w, at, ref); len(found) > few {
				break // and ambiguous anyway
			}
		}
		return found, len(found) > 1
	}
	found, ambiguous = g.named(buf, w, at, ref)
	switch {
	case ambiguous || ref.Group != "":
		return found, ambiguous
	case len(found) == 0:
		return g.made.find(found, at)
	}
	if original := found[0].original; original != nil {
		found = append(found, original)
	}
	at.Name, at.Namespace = found[0].ID.Name, cmp.Or(found[0].ID.Namespace, at.Namespace)
	all, ambiguous := g.merging.find(found, at)
	if ambiguous {
		return found, false
	}
	return all, false
}

// named appends the sources that answer to a name: to one that they had before
// kustomize renamed them, else to the one that they have.
func (g *Graph) named(buf []*Source, w *Workload, at ID, ref *Reference) (found []*Source, ambiguous bool) {
	found, ambiguous = g.findRenamed(buf, w, at, ref.Namespace != "")
	switch {
	case len(found) == len(buf):
	case ambiguous || found[len(buf)].renames.pending:
		return found, ambiguous
	default: // kustomize puts the name right; whose it is then, is not for it to say
		id := found[len(buf)].ID
		at.Name = id.Name
		if ref.Namespace != "" {
			at.Namespace = id.Namespace
		}
	}
	return g.sources.find(buf, at)
}

// Extent is a place and how much text is there, in bytes.
type Extent struct {
	Place
	Length int
}

// Secrets are where the input has Secrets. One whose end cannot be told has all
// of its document.
func (g *Graph) Secrets() (extents []Extent) {
	for _, s := range g.all {
		if s.ID.Kind != kinds.Secret || s.producer {
			continue
		}
		e := Extent{s.Place, len(s.text)}
		if s.text == nil {
			e.Offset, e.Length = 0, len(e.Doc.Text)
		}
		extents = append(extents, e)
	}
	return extents
}

// clusterMade reports whether every namespace has the object without a
// manifest.
func clusterMade(ref *Reference) bool {
	return ref.made || ref.Kind == kinds.ConfigMap && kinds.ClusterConfigMaps[ref.Name]
}

// Sources are the sources of the input, in its order.
func (g *Graph) Sources() []*Source { return g.all }

// mayMake is a producer that makes objects of encrypted names where one is
// missing, nil if there is none.
func (g *Graph) mayMake(id ID) *Source {
	for _, s := range g.hidden {
		if core(id.Kind) && s.products[0].id.Kind == id.Kind && !apart(s.ID.Namespace, id.Namespace) {
			return s
		}
	}
	return nil
}

// apart reports whether two namespaces are different ones. The unset namespace
// may be any.
func apart(a, b string) bool { return a != b && a != "" && b != "" }
