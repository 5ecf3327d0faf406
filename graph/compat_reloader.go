package graph

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/restamp/restamp/internal/kinds"
)

// reloaderKinds are the kinds of sources that Reloader watches.
var reloaderKinds = []ID{
	{Kind: kinds.ConfigMap},
	{Kind: kinds.Secret},
	{Group: kinds.SecretsStore, Kind: kinds.SecretProviderClass},
}

// reloaderWords are Reloader's words about a pod template.
type reloaderWords struct {
	scopes   []scope // as reloaderKinds
	positive *word   // the first that makes anything count, nil where none does
	taken    map[*word]bool
	all      []*word // of the workload and its pod template
	overrode *word   // by a word of ours
}

// scope are Reloader's words about the sources of one kind.
type scope struct {
	auto, typed, search, list *word
	patterns                  []pattern // the list's entries
	excludes                  []exclude
}

// pattern is an entry of a list; a faulty one answers to nothing.
type pattern struct {
	entry string
	re    *regexp.Regexp
	err   error
}

// newPattern anchors an entry. Reloader's anchors miss the inner ends of an
// alternative.
func newPattern(entry string) pattern {
	p := pattern{entry: entry}
	if _, p.err = regexp.Compile(entry); p.err == nil { // else a bracket of ours might make it whole
		p.re, p.err = regexp.Compile("^(?:" + entry + ")$")
	}
	return p
}

func (p pattern) matches(name string) bool { return p.err == nil && p.re.MatchString(name) }

// plain reports whether the pattern matches itself alone.
func (p pattern) plain() bool {
	return p.err == nil && regexp.QuoteMeta(p.entry) == p.entry && validName(p.entry)
}

func (p pattern) matchesAny(names []string) bool { return slices.ContainsFunc(names, p.matches) }

// exclude is an entry of an exclude list.
type exclude struct {
	name string
	by   *word
}

// readReloader sorts Reloader's words by what they are about. Those of the
// workload come first; those of the workload that uses its template, and then
// those of the pod template, are asked only where no word of the four that
// decide stands before. Exclude lists add up.
func readReloader(above []settings, own *settings) *reloaderWords {
	w := &reloaderWords{scopes: make([]scope, len(reloaderKinds)), taken: make(map[*word]bool)}
	objects := []*settings{own}
	for i := range above {
		objects = slices.Insert(objects, 0, &above[i])
	}
	for _, o := range objects {
		for i := range o.words {
			if o.words[i].tool == Reloader {
				w.all = append(w.all, &o.words[i])
			}
		}
	}
	for i, kind := range reloaderKinds {
		w.readScope(&w.scopes[i], kind.Kind, objects)
	}
	return w
}

func (w *reloaderWords) readScope(sc *scope, kind string, objects []*settings) {
	decided := false
	for _, o := range objects {
		some := false
		for i := range o.words {
			said := &o.words[i]
			if said.tool != Reloader || said.kind != "" && said.kind != kind {
				continue
			}
			if said.role == excludes {
				for _, name := range entries(said.value) {
					sc.excludes = append(sc.excludes, exclude{name, said})
				}
				continue
			}
			if field := sc.field(said); field != nil && !decided {
				*field, some = said, true
				w.taken[said] = true
			}
		}
		decided = decided || some
	}
	if sc.list != nil {
		for _, entry := range entries(sc.list.value) {
			sc.patterns = append(sc.patterns, newPattern(entry))
		}
	}
	for _, said := range []*word{sc.auto, sc.typed} {
		if said.truth() {
			w.makePositive(said)
		}
	}
	if len(sc.patterns) > 0 {
		w.makePositive(sc.list)
	}
	if sc.searching() {
		w.makePositive(sc.search)
	}
}

func (w *reloaderWords) makePositive(said *word) {
	if w.positive == nil {
		w.positive = said
	}
}

// field is where a word that decides is kept.
func (sc *scope) field(said *word) **word {
	switch {
	case said.role == selects && said.kind == "":
		return &sc.auto
	case said.role == selects:
		return &sc.typed
	case said.role == searches:
		return &sc.search
	case said.role == lists:
		return &sc.list
	}
	return nil
}

func (sc *scope) searching() bool { return sc.search != nil && sc.search.value == "true" }

// truth is what Reloader takes for yes: "1" and "T" too.
func (w *word) truth() bool {
	if w == nil {
		return false
	}
	yes, err := strconv.ParseBool(w.value)
	return err == nil && yes
}

// off is the word that switches the workload off, nil where there is none: an
// automatic that is not on, and nothing that counts in spite of it.
func (w *reloaderWords) off() *word {
	if w == nil || w.positive != nil {
		return nil
	}
	for i := range w.scopes {
		if w.scopes[i].auto == nil {
			return nil
		}
	}
	return w.scopes[0].auto
}

// overrule takes the word back that switches the workload off.
func (w *reloaderWords) overrule() {
	if w.overrode = w.off(); w.overrode == nil {
		return
	}
	for i := range w.scopes {
		w.scopes[i].auto = nil
	}
}

// scopeOf is the scope of a reference's kind, nil where Reloader watches none
// of the kind.
func (w *reloaderWords) scopeOf(ref *Reference) *scope {
	if w == nil {
		return nil
	}
	for i, kind := range reloaderKinds {
		if kind.Kind == ref.Kind && kind.Group == ref.Group {
			return &w.scopes[i]
		}
	}
	return nil
}

// says asks Reloader's words in Reloader's order: an exclude list, a list, a
// search, an automatic. Where some word makes a source count, those count
// alone that one does; else all but those that a word leaves out.
func (w *reloaderWords) says(ref *Reference, s *Source) (verdict, *word) {
	sc := w.scopeOf(ref)
	if sc == nil {
		return silent, nil
	}
	names := s.called(ref.Name)
	switch e := sc.excluded(names); {
	case e != nil:
		return leftOut, e
	case sc.listed(names):
		return counts, sc.list
	case sc.searching() && s.marked():
		return counts, sc.search
	case sc.auto.truth():
		return counts, sc.auto
	case sc.typed.truth():
		return counts, sc.typed
	case w.positive != nil:
		return leftOut, w.positive
	case sc.auto != nil:
		return leftOut, sc.auto
	case sc.typed != nil:
		return leftOut, sc.typed
	}
	return silent, nil
}

func (sc *scope) excluded(names []string) *word {
	for _, e := range sc.excludes {
		if slices.Contains(names, e.name) {
			return e.by
		}
	}
	return nil
}

func (sc *scope) listed(names []string) bool {
	return slices.ContainsFunc(sc.patterns, func(p pattern) bool { return p.matchesAny(names) })
}

// called are the names by which a list may mean a source: the reference's, and
// of what kustomize renamed those before and after.
func (s *Source) called(name string) []string {
	names := []string{name}
	if s.renames != nil && !s.producer {
		names = append(names, s.ID.Name)
		for _, id := range s.renames.previous {
			names = append(names, id.Name)
		}
	}
	return names
}
