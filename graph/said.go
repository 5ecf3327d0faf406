package graph

import (
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
)

// Setting is an annotation of a workload, or of its pod template, with what
// came of it.
type Setting struct {
	Annotation, Value string
	Field             string
	Place             Place
	On                ID // the object that has it
	Counts            bool
	Effect            string // in words
}

// said are the settings that have a say about the pod template at hand, the
// strongest last.
func (r *Resolver) said() (all []Setting) {
	strongest := -1
	for i := range r.settings {
		if r.settings[i].enabled != nil {
			strongest = i
		}
	}
	for i := range r.settings {
		on := r.result.Workload.ID
		if owner := r.result.Workload.owner; owner != nil && i == 0 {
			on = owner.ID
		}
		for _, s := range r.settings[i].said {
			set := Setting{Annotation: s.name, Value: s.value, Field: s.field, Place: s.place, On: on}
			set.Counts, set.Effect = r.effect(&s, i, strongest)
			all = append(all, set)
		}
		for j := range r.settings[i].words {
			w := &r.settings[i].words[j]
			set := Setting{Annotation: w.name, Value: w.value, Field: w.field, Place: w.place, On: on}
			set.Counts, set.Effect = r.foreignEffect(w)
			all = append(all, set)
		}
	}
	return all
}

// effect says what came of one of our annotations, which is among the settings
// at i.
func (r *Resolver) effect(s *said, i, strongest int) (counts bool, words string) {
	switch {
	case s.faulty:
		return false, "its value cannot be read"
	case s.name == dependsOnAnnotation:
		return true, "adds what it names"
	case s.name == ignoreAnnotation:
		return true, "leaves out what it names"
	case i < strongest && i == len(r.settings)-2:
		return false, "the pod template's word wins"
	case i < strongest:
		return false, "a nearer word wins"
	case s.value == "false":
		return true, "switches the stamp off"
	case r.result.Class() == kinds.Immutable:
		return false, "nothing opens this kind: its pod template may not be changed"
	}
	return true, "asks for a stamp"
}

// foreignEffect says what came of another tool's annotation.
func (r *Resolver) foreignEffect(w *word) (counts bool, words string) {
	tool := toolNames[w.tool]
	switch {
	case !r.compat(w.tool):
		return false, tool + "'s, which counts only with compat: [" + strings.ToLower(tool) + "]"
	case w.faulty != "":
		return false, w.faulty
	case w.tool != Kudo && !w.tool.actsOn(r.result.Workload):
		return false, tool + " does nothing about a " + r.result.Workload.ID.Kind
	}
	if own, by := r.ownEnabled(); own != nil && w.role == selects {
		return false, by + `: "` + strconv.FormatBool(*own) + `" wins`
	}
	if f := r.foreign.reloader; w.tool == Reloader && f != nil && !f.taken[w] && !f.repeated(w) && (w.role == selects || w.role == lists || w.role == searches) {
		return false, "the workload's own annotations stand before the pod template's"
	}
	return true, tool + "'s, taken over by compat"
}

// nameLines notes the stamp that each line is under, where each source has one
// of its own.
func (r *Resolver) nameLines() {
	n, t := r.graph.opts.Naming, r.result.Template
	for i := range r.lines {
		l := &r.lines[i]
		l.Annotation = t.name
		if n == nil || !n.PerSource() || t.row.Annotation != "" {
			continue
		}
		if name, err := n.Name(r.labels[l.source]); err == nil { // else there is no stamp at all
			l.Annotation = name
		}
	}
}
