package graph

import (
	"slices"

	"github.com/restamp/restamp/internal/kinds"
)

// verdict is what a tool's words say about a source that a workload uses.
type verdict uint8

const (
	silent verdict = iota
	counts
	leftOut
)

// foreign is what the other tools' words say about one pod template.
type foreign struct {
	some     bool // there are words, on the workload or on its pod template
	reloader *reloaderWords
	wave     waveWords
	acts     []double // tools that would restart the pods too
}

// double is a tool that acts on a source under a stamp, because of a word.
type double struct {
	tool    Tool
	because *word
	source  ID
}

// readForeign puts together what the other tools' words say about the pod
// template at hand.
func (r *Resolver) readForeign() {
	r.foreign = foreign{acts: r.foreign.acts[:0]}
	f, w := &r.foreign, r.result.Workload
	for i := range r.settings {
		f.some = f.some || len(r.settings[i].words) > 0
	}
	if !f.some {
		return
	}
	last := len(r.settings) - 1
	if Reloader.actsOn(w) {
		f.reloader = readReloader(r.settings[:last], &r.settings[last])
		if word, _ := r.ownEnabled(); word != nil && *word {
			f.reloader.overrule()
		}
	}
	if Wave.actsOn(w) {
		f.wave = readWave(&w.settings)
	}
}

func (r *Resolver) compat(t Tool) bool { return slices.Contains(r.graph.opts.Compat, t) }

// useForeign uses the references that the other tools' lists make.
func (r *Resolver) useForeign() {
	var refs []Reference
	if r.compat(Reloader) {
		refs = r.declareReloader(refs)
	}
	if r.compat(Wave) {
		refs = r.foreign.wave.declare(refs, r.result.Workload)
	}
	for i := range refs {
		r.use(&refs[i])
	}
}

// leftOutBy says why the other tools' words leave out a source that a
// reference resolved to, "" where they do not. What one of the tools counts,
// counts. A dependency that our annotation declares wins over all of them.
func (r *Resolver) leftOutBy(ref *Reference, s *Source) string {
	if skip := s.skip(r.graph.opts.Compat); skip != nil {
		if !ref.declared {
			return s.ID.String() + " says " + skip.name
		}
		r.tellConflict(ref, skip, dependsOnAnnotation)
	}
	if !r.foreign.some {
		return ""
	}
	var because *word
	counted := false
	for _, t := range []Tool{Reloader, Wave} {
		v, w := r.foreign.says(t, ref, s)
		if v == counts && (t != Reloader || s.skipWord([]Tool{t}) == nil) {
			r.foreign.act(double{t, w, s.ID})
		}
		if r.compat(t) && v == leftOut {
			because = w
		}
		counted = counted || r.compat(t) && v == counts
	}
	switch {
	case because == nil || counted:
		return ""
	case !ref.declared:
		return because.leavesOut()
	case because.role == excludes:
		r.tellConflict(ref, because, dependsOnAnnotation)
	}
	return ""
}

// leavesOut says how a word leaves a source out.
func (w *word) leavesOut() string {
	if w.role == excludes || w.role == selects && !w.truth() {
		return "excluded by " + w.name
	}
	return "not among what " + w.name + " counts"
}

// act notes what a tool does, once per tool.
func (f *foreign) act(d double) {
	if !slices.ContainsFunc(f.acts, func(other double) bool { return other.tool == d.tool }) {
		f.acts = append(f.acts, d)
	}
}

func (f *foreign) says(t Tool, ref *Reference, s *Source) (verdict, *word) {
	if t == Wave {
		return f.wave.says()
	}
	return f.reloader.says(ref, s)
}

// skip is the word by which a source never counts, nil where there is none
// that applies.
func (s *Source) skip(compat []Tool) *word {
	if s.ignoreSaid {
		return nil
	}
	return s.skipWord(compat)
}

func (s *Source) skipWord(compat []Tool) *word {
	for i := range s.words {
		w := &s.words[i]
		if w.role == skips && slices.Contains(compat, w.tool) && (w.tool == Kudo || w.value == "true") {
			return w // KUDO takes any value for yes
		}
	}
	return nil
}

// marked reports whether a source has the mark that Reloader's search looks
// for.
func (s *Source) marked() bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return w.role == marks && w.value == "true" })
}

// enabled is the strongest word on whether the template is stamped, and the
// annotation that has it; nil where there is none.
func (r *Resolver) enabled() (word *bool, by string) {
	if word, by = r.ownEnabled(); word != nil {
		return word, by
	}
	yes, no := true, false
	f := &r.foreign
	switch {
	case !f.some:
	case r.compat(Wave) && f.wave.in != nil, r.compat(Reloader) && f.reloader != nil && f.reloader.positive != nil:
		if r.result.Class() == kinds.Rolls {
			return &yes, ""
		}
	case r.compat(Reloader) && f.reloader.off() != nil:
		return &no, f.reloader.off().name
	}
	return nil, ""
}

// ownEnabled is the word of our own annotations.
func (r *Resolver) ownEnabled() (word *bool, by string) {
	for i := range r.settings {
		if s := &r.settings[i]; s.enabled != nil {
			word = s.enabled
		}
	}
	return word, enabledAnnotation
}
