package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// The annotations that say when an object comes (pkg/sync of Argo CD's
// gitops-engine, pkg/release of Helm v4).
const (
	syncWave         = "argocd.argoproj.io/sync-wave"
	syncHook         = "argocd.argoproj.io/hook"
	syncDeletePolicy = "argocd.argoproj.io/hook-delete-policy"
	helmHook         = "helm.sh/hook"
	helmWeight       = "helm.sh/hook-weight"
	helmDeletePolicy = "helm.sh/hook-delete-policy"
)

// phases say when hooks come: those below 0 before the objects that are no
// hooks, and those above after them. Hooks that are not here, tests and those of
// a deletion or a rollback, have a time of their own.
var phases = map[string]int{
	"PreSync": -1, "Sync": 0, "PostSync": 1, "SyncFail": 2,
	"pre-install": -1, "pre-upgrade": -1, "post-install": 1, "post-upgrade": 1,
}

// position is when an object comes in a sync of Argo CD, or in an install or
// upgrade of Helm. The zero position is that of an object that says nothing
// about it.
type position struct {
	hooks    []string // for which it is one, the earliest first; nil for no hook
	phase    int
	apart    bool // it is for hooks alone that have a time of their own
	skipped  bool // Argo CD is told to leave it alone
	deleted  bool // once it has succeeded
	argo     bool // Argo CD's own annotations are there
	waves    bool // and a wave is among them
	wave     int
	helmWave int // the weight: Argo CD takes it for a wave where there is none
}

// readPosition reads an object's annotations, nil where they say nothing.
func readPosition(annotations tree.Node) *position {
	var values [6]tree.Node
	some := false
	for k, v := range annotations.Fields() {
		switch k.Text() {
		case syncWave:
			values[0], some = v, true
		case syncHook:
			values[1], some = v, true
		case helmHook:
			values[2], some = v, true
		case helmWeight:
			values[3], some = v, true
		case syncDeletePolicy:
			values[4] = v
		case helmDeletePolicy:
			values[5] = v
		}
	}
	if !some {
		return nil
	}
	p := &position{argo: values[0].Exists() || values[1].Exists()}
	wave, err := strconv.Atoi(values[0].Text())
	p.wave, p.waves = wave, err == nil
	p.helmWave, _ = strconv.Atoi(values[3].Text())                                 // without a number it is 0, for both tools
	p.readHooks(words(values[1].Text()), words(strings.ToLower(values[2].Text()))) // as Helm does
	p.deleted = p.hooks != nil &&
		(slices.Contains(words(values[4].Text()), "HookSucceeded") || slices.Contains(words(values[5].Text()), "hook-succeeded"))
	return p
}

// readHooks takes Helm's words where Argo CD's have none that it knows, as Argo
// CD does.
func (p *position) readHooks(argo, helm []string) {
	if slices.Equal(argo, []string{"Skip"}) {
		p.skipped = true
		return
	}
	if slices.Equal(helm, []string{"crd-install"}) {
		helm = nil // which is no hook
	}
	for _, words := range [][]string{argo, helm} {
		for _, word := range words {
			if _, ok := phases[word]; ok {
				p.hooks = append(p.hooks, word)
			}
		}
		if p.hooks != nil {
			slices.SortStableFunc(p.hooks, func(a, b string) int { return phases[a] - phases[b] })
			p.phase = phases[p.hooks[0]]
			return
		}
	}
	p.hooks = append(argo, helm...)
	p.apart = p.hooks != nil
}

// words are the entries of a list with commas.
func words(text string) (list []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list
}

// tellLate tells of a source that is not there yet, or not any more, when the
// pods start that use it.
func (r *Resolver) tellLate(ref *Reference, s *Source) {
	w := r.result.Workload
	if w.owner != nil {
		w = w.owner // which starts the pods
	}
	if s.position == nil && w.position == nil {
		return
	}
	var source, workload position
	if s.position != nil {
		source = *s.position
	}
	if w.position != nil {
		workload = *w.position
	}
	if source.skipped || workload.skipped {
		return
	}
	argo := source.argo || workload.argo
	switch {
	case source.after(&workload, argo):
		r.tell(LateSource, Warning, ref, fmt.Sprintf("%s comes %s, this %s: new pods start before it",
			s.ID, source.words(&workload, argo), workload.words(&source, argo)))
	case source.deleted && workload.hooks == nil:
		r.tell(LateSource, Warning, ref, fmt.Sprintf("%s comes %s, and is deleted once that has succeeded: later pods do not find it",
			s.ID, source.words(&workload, argo)))
	}
}

// after reports whether p comes after q. Two hooks that have times of their own
// are comparable only where they have one in common.
func (p *position) after(q *position, argo bool) bool {
	switch {
	case q.apart && !p.apart:
		return false
	case p.apart && !q.apart:
		return true
	case p.apart && !slices.ContainsFunc(p.hooks, func(hook string) bool { return slices.Contains(q.hooks, hook) }):
		return false
	case p.hooks == nil && !argo && slices.Equal(q.hooks, []string{"pre-upgrade"}):
		return false // the install brought it, and that an upgrade has it as it was is the hook's purpose
	case p.phase != q.phase:
		return p.phase > q.phase
	}
	return p.order(argo) > q.order(argo)
}

// order is the place within the phase. Helm does not look at the weight of what
// is no hook; Argo CD does.
func (p *position) order(argo bool) int {
	switch {
	case p.waves:
		return p.wave
	case p.hooks != nil || argo:
		return p.helmWave
	}
	return 0
}

// words say when p comes, in such a way that it can be compared with q.
func (p *position) words(q *position, argo bool) string {
	order := p.order(argo)
	switch {
	case p.apart:
		return "only in hook " + printable(strings.Join(p.hooks, ", "))
	case p.hooks == nil && (argo || order != 0):
		return fmt.Sprintf("in sync wave %d", order)
	case p.hooks == nil:
		return "with the objects that are no hooks"
	case p.phase != q.phase && order == 0:
		return "in hook " + p.hooks[0]
	case p.argo:
		return fmt.Sprintf("in hook %s, wave %d", p.hooks[0], order)
	}
	return fmt.Sprintf("in hook %s, weight %d", p.hooks[0], order)
}
