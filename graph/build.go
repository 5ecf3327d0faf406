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
	sources  *index[*Source] // the last of each identity
	made     *index[*Source] // producers, by what they make
	all      []*Source
	findings []Finding // of the stream as a whole
}

// Build joins what was read, in the order of the input.
func Build(parts []Objects, opts Options) *Graph {
	g := &Graph{opts: opts}
	for _, part := range parts {
		g.all = append(g.all, part.Sources...)
		g.Workloads = append(g.Workloads, part.Workloads...)
	}
	g.sources, g.made = newIndex[*Source](len(g.all)), newIndex[*Source](0)
	g.addSources(g.all)
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
		g.addSources(part.Sources)
	}
}

// addSources indexes sources. Of several with one identity the last one counts.
func (g *Graph) addSources(sources []*Source) {
	var there []*Source
	for _, s := range sources {
		s.label = s.ID.label() + "/" + s.ID.Name + "/"
		there = g.sources.at(there[:0], s.ID.spot())
		i := slices.IndexFunc(there, func(before *Source) bool { return before.ID == s.ID })
		if i < 0 {
			g.sources.add(s.ID.spot(), s)
			continue
		}
		there[i].superseded = true
		g.duplicate(s.ID, there[i].Place, s.Place, s.text != nil && sameText(there[i].text, s.text))
		g.sources.replace(s.ID.spot(), there[i], s)
	}
	for _, s := range sources {
		if s.superseded || s.Producer == nil || s.policy != "" && s.policy == s.Producer.MakesNot {
			continue
		}
		for _, name := range s.makes {
			g.made.add(spot{s.Producer.Makes, s.ID.Namespace, name}, s)
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
	var there []*Workload
	for _, w := range g.Workloads {
		if w.ID.Name == "" {
			continue
		}
		there = x.at(there[:0], w.ID.spot())
		i := slices.IndexFunc(there, func(before *Workload) bool { return before.ID == w.ID })
		if i < 0 {
			x.add(w.ID.spot(), w)
			continue
		}
		g.duplicate(w.ID, there[i].Place, w.Place, w.text != nil && sameText(there[i].text, w.text))
		x.replace(w.ID.spot(), there[i], w)
	}
	return x
}

// joinTargets gives the workloads that others name for their template to
// those.
func (g *Graph) joinTargets(workloads *index[*Workload]) {
	for _, w := range g.Workloads {
		if w.target == nil {
			continue
		}
		found, ambiguous := workloads.find(nil, w.target.spot())
		found = slices.DeleteFunc(found, func(o *Workload) bool { return o.ID.Group != w.target.Group })
		if len(found) == 1 && !ambiguous {
			found[0].owner = w
			continue
		}
		f := Finding{
			Code: MissingReference, Severity: g.unresolved(), Object: w.ID, Field: w.Row.Target.String(), Place: w.targetAt,
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
	at := spot{ref.Kind, ref.Namespace, ref.Name}
	if at.namespace == "" {
		at.namespace = w.ID.Namespace
	}
	found, _ = g.sources.find(buf, at)
	if !ref.anyGroup {
		found = slices.DeleteFunc(found, func(s *Source) bool { return s.ID.Group != ref.Group })
	}
	switch {
	case len(found) > 1: // several namespaces or several groups
		return found, true
	case ref.Group != "" || len(g.made.first) == 0:
		return found, false
	case len(found) == 0:
		return g.made.find(found, at)
	}
	at.namespace = found[0].ID.Namespace
	all, ambiguous := g.made.find(found, at)
	if ambiguous {
		return all[:1], false
	}
	return slices.DeleteFunc(all, func(s *Source) bool {
		return s != all[0] && (s.policy == "" || s.policy != s.Producer.Merges)
	}), false
}

// clusterMade reports whether every namespace has the object without a
// manifest.
func clusterMade(ref *Reference) bool {
	return ref.Kind == kinds.ConfigMap && kinds.ClusterConfigMaps[ref.Name]
}
