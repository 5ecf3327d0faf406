package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	Uses     []Use
	Lines    []Line // under the hash, sorted
	Stamp    string // what the template's stamp should be, "" for none
	Action   Action
	Why      string // why the template is left alone, "" where it is not

	covers   bool // Secret values without a key
	blocked  bool // something keeps the stamp from being computed
	findings []Finding
}

// Use is a reference and what came of it.
type Use struct {
	Reference
	Sources []*Source
	Used    []string // the keys that enter the hash, with "" for a source as a whole
	Left    []string // what does not enter, and why
}

// Resolve resolves the references of a workload and computes its stamps. It
// may be called from several goroutines at once.
func (g *Graph) Resolve(w *Workload) []Result {
	results := make([]Result, 0, len(w.Templates))
	for _, t := range w.Templates {
		r := Result{Workload: w, Template: t}
		for _, ref := range append(slices.Clip(t.references), w.declared(t)...) {
			r.Uses = append(r.Uses, g.use(&r, ref))
		}
		r.Lines = sortLines(r.Lines)
		g.decide(&r)
		results = append(results, r)
	}
	return results
}

// allSettings are the settings that apply to a workload, the strongest last.
func (w *Workload) allSettings() []settings {
	var all []settings
	if w.owner != nil {
		all = append(all, w.owner.settings)
	}
	all = append(all, w.settings)
	for _, t := range w.Templates {
		all = append(all, t.settings)
	}
	return all
}

// settingsFor are the settings that apply to a template, the strongest last.
func (w *Workload) settingsFor(t *Template) []settings {
	all := w.allSettings()
	return append(all[:len(all)-len(w.Templates)], t.settings)
}

// declared are the references that annotations declare.
func (w *Workload) declared(t *Template) (refs []Reference) {
	for _, s := range w.settingsFor(t) {
		for _, d := range s.dependsOn {
			ref := Reference{
				Kind: d.kind, Group: d.group, Namespace: d.namespace, Name: d.name, All: !d.hasKey,
				Field: d.field, Place: d.place, declared: true, anyGroup: !d.hasGroup && !core(d.kind),
			}
			if ref.Namespace == w.ID.Namespace {
				ref.Namespace = ""
			}
			if d.hasKey {
				ref.Keys = []string{d.key}
			}
			refs = append(refs, ref)
		}
	}
	return refs
}

// ignored tells which keys of a reference's source a workload ignores; all says
// that the reference itself is.
func (r *Result) ignored(ref *Reference) (keys []string, all bool) {
	own := r.Workload.ID.Namespace
	for _, s := range r.Workload.settingsFor(r.Template) {
		for _, t := range s.ignore {
			if t.kind != ref.Kind || t.hasGroup && t.group != ref.Group || !match(t.name, ref.Name) ||
				cmp.Or(t.namespace, own) != cmp.Or(ref.Namespace, own) {
				continue
			}
			if !t.hasKey {
				return nil, true
			}
			keys = append(keys, t.key)
		}
	}
	return keys, false
}

// use resolves one reference and adds its lines.
func (g *Graph) use(r *Result, ref Reference) Use {
	u := Use{Reference: ref}
	ignoredKeys, ignored := r.ignored(&ref)
	switch {
	case ref.Unmounted:
		u.Left = append(u.Left, "no container mounts the volume")
		return u
	case ignored:
		u.Left = append(u.Left, "ignored by "+ignoreAnnotation)
		if found, ambiguous := g.find(r.Workload, &ref); !ambiguous {
			markUsed(found)
		}
		return u
	}
	found, ambiguous := g.find(r.Workload, &ref)
	if ambiguous || len(found) == 0 {
		u.Left = append(u.Left, g.tellUnresolved(r, &ref, found))
		return u
	}
	markUsed(found)
	u.Sources = found
	missing := slices.Clone(ref.Keys)
	for _, s := range found {
		missing = r.addSource(&u, s, ignoredKeys, missing)
	}
	g.tellMissingKeys(r, &u, missing)
	return u
}

func markUsed(sources []*Source) {
	for _, s := range sources {
		s.used.Store(true)
	}
}

// tellUnresolved tells of a reference that resolves to nothing, or to more than
// one thing, and returns why nothing is hashed.
func (g *Graph) tellUnresolved(r *Result, ref *Reference, candidates []*Source) string {
	id := ID{ref.Group, ref.Kind, cmp.Or(ref.Namespace, r.Workload.ID.Namespace), ref.Name}
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
		r.tell(StandIn, Info, ref, "the cluster makes "+id.String()+": its changes are not seen")
		return "made by the cluster"
	case ref.Optional:
		return "optional, and not in the input"
	}
	why := id.String() + " is not in the input"
	message := why
	for _, s := range g.sources[nameKey{ref.Kind, ref.Name}] {
		message += ", but " + s.ID.String() + " is"
		break
	}
	r.tell(MissingReference, g.unresolved(), ref, message)
	return why
}

// tellMissingKeys tells of the keys that none of the sources has.
func (g *Graph) tellMissingKeys(r *Result, u *Use, missing []string) {
	for _, key := range missing {
		why := fmt.Sprintf("%s has no key %s", u.Sources[0].ID, printable(key))
		u.Left = append(u.Left, why)
		if !u.Optional && !u.lenient {
			r.tell(MissingKey, g.unresolved(), &u.Reference, why)
		}
	}
}

// tell adds a finding about a reference, once per template.
func (r *Result) tell(code Code, severity Severity, ref *Reference, message string) {
	for _, f := range r.findings {
		if f.Code == code && f.Message == message {
			return
		}
	}
	r.findings = append(r.findings, Finding{
		Code: code, Severity: severity, Object: r.Workload.ID, Field: ref.Field, Place: ref.Place,
		Message: message, Hint: hints[code],
	})
}

// addSource adds the lines of what a reference uses of a source. It returns
// those of the missing keys that the source lacks too.
func (r *Result) addSource(u *Use, s *Source, ignored, missing []string) []string {
	if s.ignored {
		u.Left = append(u.Left, s.ID.String()+" says "+ignoreAnnotation)
		return nil
	}
	if len(s.problems) > 0 {
		r.blocked = true
	}
	l := liner{result: r, use: u, source: s, ignored: ignored, label: r.Workload.label(&u.Reference, s)}
	if u.All {
		l.addAll()
		return nil
	}
	for _, key := range u.Keys {
		if l.addKey(key) {
			missing = slices.DeleteFunc(missing, func(k string) bool { return k == key })
		}
	}
	return missing
}

// label starts the label of a source's lines.
func (w *Workload) label(ref *Reference, s *Source) string {
	label := s.ID.label() + "/"
	if ref.Namespace != "" {
		label += ref.Namespace + "/"
	}
	return label + s.ID.Name + "/"
}

// liner adds the lines of one reference to one source.
type liner struct {
	result  *Result
	use     *Use
	source  *Source
	ignored []string // patterns of keys
	label   string
}

func (l *liner) skips(key string) bool {
	if matchAny(l.source.ignoreKeys, key) || matchAny(l.ignored, key) {
		l.use.Left = append(l.use.Left, "key "+key+" is ignored")
		return true
	}
	return false
}

func (l *liner) add(v *value) {
	if v.needed != nil {
		v.needed.Store(true)
	}
	if v.problem != "" {
		l.result.blocked = true
		return
	}
	l.use.Used = append(l.use.Used, v.name)
	l.result.Lines = append(l.result.Lines, Line{Sum: v.sum, Label: l.label + v.name, Secret: v.secret, Keyed: v.keyed})
	l.result.covers = l.result.covers || v.secret && !v.keyed
}

func (l *liner) addAll() {
	before := len(l.use.Used)
	faulty := false
	for i := range l.source.values {
		v := &l.source.values[i]
		if l.use.env && v.binary || l.skips(v.name) {
			continue
		}
		faulty = faulty || v.problem != ""
		l.add(v)
	}
	l.addFields()
	if len(l.use.Used) == before && !faulty {
		l.use.Used = append(l.use.Used, "")
		l.result.Lines = append(l.result.Lines, Line{Sum: nothing, Label: l.label})
	}
}

func (l *liner) addFields() {
	for i := range l.source.fields {
		l.add(&l.source.fields[i])
	}
}

// addKey adds what decides one key, and reports whether the source may have
// the key.
func (l *liner) addKey(key string) bool {
	if l.skips(key) {
		return true
	}
	if l.source.Producer == nil {
		v := l.source.find(key)
		if v == nil || l.use.env && v.binary {
			return l.source.open
		}
		l.add(v)
		return true
	}
	has := l.source.open
	for i := range l.source.values {
		has = has || l.source.values[i].name == key
	}
	if !has {
		return false
	}
	for i := range l.source.values {
		if v := &l.source.values[i]; v.name == key || l.source.computed && !l.skips(v.name) {
			l.add(v)
		}
	}
	l.addFields()
	return true
}
