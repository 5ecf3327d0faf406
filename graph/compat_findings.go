package graph

import (
	"fmt"
	"slices"
	"strconv"
)

// teller adds a finding about another tool's word.
type teller func(w *word, severity Severity, message string)

// tellWord adds a finding about a word of the workload at hand.
func (r *Resolver) tellWord(code Code, w *word, severity Severity, message string) {
	r.tell(code, severity, &Reference{Field: w.field, Place: w.place}, message)
}

// tellConflict tells that one of our annotations wins over another tool's.
func (r *Resolver) tellConflict(ref *Reference, w *word, ours string) {
	what := ref.Kind + "/" + ref.Name
	r.tellWord(ForeignAnnotation, w, Warning, ours+" wins over "+w.name+" about "+printable(what))
}

// tellForeign tells what there is to tell of the other tools' words: what they
// left behind, and with Compat what cannot be taken as it stands.
func (r *Resolver) tellForeign() {
	f := &r.foreign
	if !f.some {
		return
	}
	tell := func(w *word, severity Severity, message string) { r.tellWord(ForeignAnnotation, w, severity, message) }
	first := r.result.Template == r.result.Workload.Templates[0]
	for i := range r.settings {
		if i < len(r.settings)-1 && !first {
			continue // what is said of all templates is told of the first
		}
		for j := range r.settings[i].words {
			switch w := &r.settings[i].words[j]; {
			case w.role == leftover:
				r.tellWord(LeftoverAnnotation, w, Warning, w.tell)
			case !r.compat(w.tool):
			case w.faulty != "":
				tell(w, Warning, w.faulty)
			case w.role == unlike:
				tell(w, Info, w.tell)
			case w.tool != Kudo && !w.tool.actsOn(r.result.Workload):
				tell(w, Info, toolNames[w.tool]+" does nothing about a "+r.result.Workload.ID.Kind+", so this does not count")
			}
		}
	}
	if r.compat(Reloader) && f.reloader != nil {
		f.reloader.tell(tell)
	}
	if r.compat(Wave) {
		f.wave.tell(tell)
	}
}

// tell tells of what Reloader's words say and cannot mean, or do not mean here.
func (w *reloaderWords) tell(add teller) {
	for _, said := range w.all {
		_, err := strconv.ParseBool(said.value)
		decides := said.role == selects || said.role == lists || said.role == searches
		switch {
		case said.role == selects && err != nil:
			add(said, Warning, fmt.Sprintf("%q is neither true nor false, which Reloader takes for false", printable(said.value)))
		case decides && !w.taken[said] && !w.repeated(said):
			add(said, Info, "the workload's own annotations stand before the pod template's, so this does not count")
		}
	}
	for i := range w.scopes {
		for _, p := range w.scopes[i].patterns {
			if p.err != nil {
				add(w.scopes[i].list, Warning, printable(p.entry)+" is no regular expression: it does not count")
			}
		}
	}
}

// repeated reports whether a word says again what another one says that
// counts.
func (w *reloaderWords) repeated(said *word) bool {
	return slices.ContainsFunc(w.all, func(other *word) bool {
		return w.taken[other] && other.name == said.name && other.value == said.value
	})
}

// tellEnabled tells where our word on whether the workload is stamped
// contradicts another tool's.
func (r *Resolver) tellEnabled() {
	f := &r.foreign
	own, by := r.ownEnabled()
	if !f.some || own == nil {
		return
	}
	severity := Warning
	if !*own {
		severity = Info // it is left to the other tool, say
	}
	about := func(t Tool, w *word) {
		if r.compat(t) && w != nil {
			r.tellWord(ForeignAnnotation, w, severity, fmt.Sprintf("%s: %q wins over %s", by, strconv.FormatBool(*own), w.name))
		}
	}
	switch {
	case *own && f.reloader != nil:
		about(Reloader, f.reloader.overrode)
	case !*own:
		if f.reloader != nil {
			about(Reloader, f.reloader.positive)
		}
		about(Wave, f.wave.in)
	}
}

// tellIgnored tells where our ignore list leaves out what another tool's list
// names.
func (r *Resolver) tellIgnored(ref *Reference, found []*Source) {
	for _, s := range found {
		for _, t := range []Tool{Reloader, Wave} {
			if v, w := r.foreign.says(t, ref, s); r.compat(t) && v == counts && w.role == lists {
				r.tellConflict(ref, w, ignoreAnnotation)
			}
		}
	}
}

// tellDouble tells of the tools that would restart the stamped pods too.
func (r *Resolver) tellDouble() {
	for _, d := range r.foreign.acts {
		r.tellWord(DoubleRestart, d.because, Warning, fmt.Sprintf(
			"%s, where it runs, restarts these pods once more when %s changes", toolNames[d.tool], d.source))
	}
}

// tellWords adds to the findings what there is to tell of the other tools'
// words on a source.
func (s *Source) tellWords(findings []Finding, compat []Tool) []Finding {
	add := func(w *word, message string) {
		findings = append(findings, Finding{ForeignAnnotation, Warning, s.ID, w.field, w.place, message, hints[ForeignAnnotation]})
	}
	for i := range s.words {
		w := &s.words[i]
		yes := w.value == "true" || w.value == "false"
		switch {
		case !slices.Contains(compat, w.tool) || s.superseded:
		case w.faulty != "":
			add(w, w.faulty)
		case w.role == skips && w.tool == Kudo && w.value == "false":
			add(w, `KUDO takes any value for yes, "false" too: the source is left out`)
		case (w.role == skips && w.tool == Reloader || w.role == marks) && !yes:
			add(w, fmt.Sprintf(`Reloader takes "true" alone for yes, not %q`, printable(w.value)))
		}
	}
	if w := s.skipWord(compat); w != nil && s.ignoreSaid && !s.ignored {
		add(w, ignoreAnnotation+`: "false" wins over `+w.name)
	}
	return findings
}
