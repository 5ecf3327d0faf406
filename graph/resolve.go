package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/restamp/restamp/internal/naming"
)

// Resolver resolves the references of one workload after the other. It keeps
// its memory between them, and must not be used by two goroutines at once; a
// graph may have several.
type Resolver struct {
	graph      *Graph
	explaining bool                     // keep what only an explanation needs
	labels     map[string]naming.Source // of lines, where each source has a stamp of its own
	text       []byte
	found      []*Source
	sorter     sorter

	// of the pod template that is at hand
	result   Result
	settings []settings // that apply to it, the strongest last
	at       Use        // the reference that is at hand
	used     int        // its references
	uses     []Use      // with what came of them, where that is to be explained
	have     []bool     // which of its keys are there
	lines    []Line
	covered  map[cover]bool // what of which lines are there already
	told     map[string]bool
	blocked  bool           // something keeps the stamp from being computed
	missing  []string       // what is used and not in the input
	needs    []*atomic.Bool // of what there is to tell if a stamp needs it
	foreign  foreign        // what annotations of other tools say
	left     bool           // something that is there is left out
}

// NewResolver returns a resolver. The graph must not change any more.
func (g *Graph) NewResolver() *Resolver { return &Resolver{graph: g} }

// Resolve appends the results of a workload, one per pod template.
func (r *Resolver) Resolve(results []Result, w *Workload) []Result {
	for _, t := range w.Templates {
		r.template(w, t)
		results = append(results, r.result)
	}
	return results
}

// Explain returns the results of a workload with all that led to them.
func (r *Resolver) Explain(w *Workload) []Detail {
	r.explaining = true
	defer func() { r.explaining = false }()
	var details []Detail
	for _, t := range w.Templates {
		r.template(w, t)
		r.nameLines()
		details = append(details, Detail{r.result, r.uses, r.lines, r.said()})
		r.lines = nil
	}
	return details
}

func (r *Resolver) template(w *Workload, t *Template) {
	r.result = Result{Workload: w, Template: t}
	r.settings = append(w.settingsAbove(r.settings[:0]), t.settings)
	r.used, r.uses, r.lines, r.blocked, r.needs, r.missing = 0, nil, r.lines[:0], false, r.needs[:0], nil
	clear(r.covered)
	clear(r.told)
	r.left = false
	r.readForeign()
	for i := range t.references {
		r.use(&t.references[i])
	}
	for _, s := range r.settings {
		for _, d := range s.dependsOn {
			ref := d.reference(w)
			r.use(&ref)
		}
	}
	if r.foreign.some {
		r.useForeign()
	}
	r.lines = append(r.lines[:0], r.sorter.sort(r.lines)...)
	if len(r.lines) > 0 {
		r.result.Digest = r.hash(r.lines)
	}
	r.decide()
}

// settingsAbove appends the settings that apply to all templates of a
// workload, the strongest last.
func (w *Workload) settingsAbove(all []settings) []settings {
	if w.owner != nil {
		all = append(all, w.owner.settings)
	}
	return append(all, w.settings)
}

// reference is the reference that an annotation declares.
func (d dependency) reference(w *Workload) Reference {
	ref := Reference{
		Kind: d.kind, Group: d.group, Namespace: d.namespace, Name: d.name, All: !d.hasKey,
		Field: d.field, Place: d.place, anyGroup: !d.hasGroup && !core(d.kind), declared: true,
	}
	if ref.Namespace == w.ID.Namespace {
		ref.Namespace = ""
	}
	if d.hasKey {
		ref.Keys = []string{d.key}
	}
	return ref
}

// ignored tells which keys of a reference's source the workload ignores; by is
// what leaves out the reference itself, "" where nothing does.
func (r *Resolver) ignored(ref *Reference, found []*Source) (keys []string, by string) {
	keys, all := r.ignoredBy(nil, r.graph.opts.Ignore, ref, found)
	if all {
		return keys, "the configuration"
	}
	for i := range r.settings {
		if keys, all = r.ignoredBy(keys, r.settings[i].ignore, ref, found); all {
			return keys, ignoreAnnotation
		}
	}
	return keys, ""
}

// ignoredBy is ignored for one list.
func (r *Resolver) ignoredBy(keys []string, list []Target, ref *Reference, found []*Source) (more []string, all bool) {
	own := r.result.Workload.ID.Namespace
	for _, t := range list {
		if t.kind != ref.Kind || t.hasGroup && t.group != ref.Group || !t.names(ref, found) ||
			cmp.Or(t.namespace, own) != cmp.Or(ref.Namespace, own) {
			continue
		}
		if !t.hasKey {
			return nil, true
		}
		keys = append(keys, t.key)
	}
	return keys, false
}

// names reports whether a target means a reference: by the name that it says,
// or by the one that it is going to say when kustomize has put it right.
func (t Target) names(ref *Reference, found []*Source) bool {
	return match(t.name, ref.Name) ||
		slices.ContainsFunc(found, func(s *Source) bool { return s.renames != nil && !s.producer && match(t.name, s.ID.Name) })
}

// use resolves one reference and adds its lines.
func (r *Resolver) use(ref *Reference) {
	r.at = Use{Reference: ref}
	r.resolve(&r.at)
	r.used++
	if r.explaining {
		r.uses = append(r.uses, r.at)
	}
}

func (r *Resolver) resolve(u *Use) {
	ref := u.Reference
	if ref.Unmounted && !r.explaining {
		u.leave(unmounted)
		return
	}
	found, ambiguous := r.graph.find(r.found[:0], r.result.Workload, ref)
	r.found = found
	if r.explaining {
		u.Found = slices.Clone(found)
	}
	if ref.Unmounted {
		u.State = Unmounted
		u.leave(unmounted)
		return
	}
	ignoredKeys, ignoredBy := r.ignored(ref, found)
	if !ambiguous {
		for _, s := range found {
			s.used.Store(true)
		}
	}
	switch {
	case ignoredBy != "":
		u.State = Ignored
		u.leave("ignored by " + ignoredBy)
		r.left = r.left || len(found) > 0
		if r.foreign.some {
			r.tellIgnored(ref, found)
		}
		return
	case ambiguous || len(found) == 0:
		u.State = unresolvedState(ref, found)
		u.leave(r.tellUnresolved(ref, found))
		return
	}
	u.Sources = u.Found
	if ref.refreshed {
		u.leave("all but what is mounted by subPath: the kubelet refreshes it (volumes: subpath)")
	}
	r.have = append(r.have[:0], make([]bool, len(ref.Keys))...)
	for _, s := range found {
		r.addSource(u, s, ignoredKeys)
	}
	r.tellMissingKeys(u)
}

const unmounted = "no container mounts the volume"

// unresolvedState is the state of a reference that resolved to nothing, or to
// more than one thing.
func unresolvedState(ref *Reference, candidates []*Source) State {
	switch {
	case len(candidates) > 0:
		return Ambiguous
	case clusterMade(ref):
		return InCluster
	case ref.Optional:
		return Absent
	}
	return Missing
}

func (u *Use) leave(why string) { u.Left = append(u.Left, why) }

// tellUnresolved tells of a reference that resolves to nothing, or to more than
// one thing, and returns why nothing is hashed.
func (r *Resolver) tellUnresolved(ref *Reference, candidates []*Source) string {
	g := r.graph
	id := ID{ref.Group, ref.Kind, cmp.Or(ref.Namespace, r.result.Workload.ID.Namespace), ref.Name}
	switch {
	case len(candidates) > 0:
		var names []string
		for _, c := range candidates {
			names = append(names, c.ID.label()+strings.TrimPrefix(c.ID.String(), c.ID.Kind))
		}
		why := fmt.Sprintf("%s could be any of %s: nothing of it is hashed", id, strings.Join(names, ", "))
		r.tell(AmbiguousReference, g.unresolved(), ref, why)
		return why
	case clusterMade(ref):
		return r.tellMade(ref, "the cluster", id)
	case g.opts.Made[id] != "":
		return r.tellMade(ref, g.opts.Made[id], id)
	}
	r.missing = append(r.missing, id.String())
	if ref.Optional {
		return "optional, and not in the input"
	}
	why := id.label() + strings.TrimPrefix(id.String(), id.Kind) + " is not in the input"
	message := why
	for _, namespace := range g.sources.namespaces(ID{ref.Group, ref.Kind, "", ref.Name}) {
		message += ", but " + ID{Kind: ref.Kind, Namespace: namespace, Name: ref.Name}.String() + " is"
		break
	}
	if hidden := g.mayMake(id); hidden != nil {
		message += "; the names of what " + hidden.ID.String() + " makes are encrypted: if it makes this one, say " +
			dependsOnAnnotation + ": " + hidden.ID.label() + "/" + hidden.ID.Name
	}
	r.tell(MissingReference, g.unresolved(), ref, message)
	return why
}

// tellMade tells of a reference to what is not in the input and need not be.
func (r *Resolver) tellMade(ref *Reference, maker string, id ID) string {
	r.tell(StandIn, Info, ref, maker+" makes "+id.String()+": its changes are not seen")
	return "made by " + maker
}

// tellMissingKeys tells of the keys that none of the sources has.
func (r *Resolver) tellMissingKeys(u *Use) {
	for i, key := range u.Keys {
		if r.have[i] {
			continue
		}
		why := fmt.Sprintf("%s has no key %s", r.found[0].ID, printable(key))
		u.leave(why)
		u.Lacks = append(u.Lacks, key)
		if !u.Optional && !u.lenient {
			r.tell(MissingKey, r.graph.unresolved(), u.Reference, why)
		}
	}
}

// tell adds a finding about a reference, once per template.
func (r *Resolver) tell(code Code, severity Severity, ref *Reference, message string) {
	key := string(code) + message
	if r.told[key] {
		return
	}
	if r.told == nil {
		r.told = make(map[string]bool)
	}
	r.told[key] = true
	r.result.findings = append(r.result.findings, Finding{
		Code: code, Severity: severity, Object: r.result.Workload.ID, Field: ref.Field, Place: ref.Place,
		Message: message, Hint: hints[code],
	})
}

// addSource adds the lines of what a reference uses of a source, and notes which
// of its keys the source has.
func (r *Resolver) addSource(u *Use, s *Source, ignored []string) {
	if s.ignored {
		r.leaveAll(u, s.ID.String()+" says "+ignoreAnnotation)
		return
	}
	if why := r.leftOutBy(u.Reference, s); why != "" {
		r.leaveAll(u, why)
		return
	}
	r.tellLate(u.Reference, s)
	if s.renames != nil && s.renames.pending {
		u.leave("kustomize puts a hash of its content behind the name of " + s.ID.String())
		for i, key := range u.Keys {
			r.have[i] = s.open || s.find(key) != nil
		}
		return
	}
	if s.silent {
		r.leaveAll(u, "nothing in "+s.ID.String()+" decides the content of what is made of it")
		return
	}
	if len(s.problems) > 0 {
		r.blocked = true
		r.needs = append(r.needs, &s.needed)
	}
	l := liner{Resolver: r, use: u, source: s, ignored: ignored, label: s.label}
	if u.Namespace != "" || s != r.found[0] && s == r.found[0].original && s.ID.Namespace != r.found[0].ID.Namespace {
		l.label = s.ID.label() + "/" + cmp.Or(s.ID.Namespace, u.Namespace) + "/" + s.ID.Name + "/"
	}
	l.products = s.answering(u.Reference, r.found[0])
	r.noteLabel(l.label, u, s)
	if u.All && l.first(true) {
		l.addAll()
	}
	for i, key := range u.Keys {
		r.have[i] = l.addKey(key) || r.have[i]
	}
}

// leaveAll leaves out all that a reference uses of a source.
func (r *Resolver) leaveAll(u *Use, why string) {
	u.leave(why)
	r.left = true
	for i := range r.have {
		r.have[i] = true
	}
}
