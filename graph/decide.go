package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
)

// decide says what becomes of a template's stamp.
func (r *Resolver) decide() {
	w, t := r.result.Workload, r.result.Template
	r.result.findings = append(r.result.findings, t.notes...)
	r.tellForeign()
	enabled, by := r.enabled()
	class := r.result.Class()
	switch {
	case class == kinds.Immutable:
		r.leave(ImmutableWorkload, Info, t.why("the pod template of a "+w.ID.Kind+" may not be changed"))
	case enabled != nil && !*enabled:
		r.result.findings = nil // it is to be left alone
		clear(r.told)
		if by != enabledAnnotation {
			r.tellForeign()
		}
		r.tellEnabled()
		r.result.Why = "switched off by " + by
		r.want(nil)
	case enabled == nil && r.graph.opts.OptIn && (class == kinds.Rolls || class == kinds.Elsewhere):
		r.leave("", Info, "the mode is opt-in, and nothing says "+enabledAnnotation+`: "true"`)
	case enabled == nil && slices.Contains(r.graph.opts.Include, class) && !r.graph.opts.OptIn:
		r.stamp()
		return
	case class == kinds.NextRun && enabled == nil:
		r.leave("", Info, t.why("a change of the pod template of a "+w.ID.Kind+" starts no pods")+optsIn)
	case class == kinds.InPlace && enabled == nil:
		r.leave(NeverRolls, Warning, t.why("the pods of a "+w.ID.Kind+" get a changed annotation and run on")+optsIn)
	case class == kinds.Costly && enabled == nil:
		r.leave(CostlyWorkload, Info, t.why("a change of the pod template of a "+w.ID.Kind+" ends running work")+optsIn)
	case t.foreign:
		r.leave(CannotStamp, Warning, "the annotation "+t.name+", which would take the stamp, has a value of somebody else's")
	default:
		r.stamp()
		return
	}
	r.tellProblems(Warning)
}

const optsIn = "; " + enabledAnnotation + `: "true" opts in`

// why is what a change of the template does: the row's words, where it has
// some.
func (t *Template) why(general string) string { return cmp.Or(t.reason, general) }

// stamp computes the template's stamp, if it uses anything and nothing is in
// the way.
func (r *Resolver) stamp() {
	r.tellEnabled()
	severity := Warning
	if r.used > 0 || r.result.Template.stamped {
		severity = Error
	}
	faulty := r.tellProblems(severity) && (severity == Error || r.result.hasError())
	for _, needed := range r.needs {
		needed.Store(true)
	}
	switch {
	case faulty || r.blocked:
		r.stay("the stamp cannot be computed")
	case len(r.lines) == 0 && r.graph.opts.Partial && r.result.Template.stamped && len(r.missing) > 0:
		r.keep()
	case len(r.lines) == 0:
		r.result.Why = "nothing that it uses is in the input"
		if r.left {
			r.result.Why = "all that it uses and that is in the input is left out"
		}
		r.want(nil)
	default:
		r.compute()
	}
}

// compute makes the stamps of the lines.
func (r *Resolver) compute() {
	stamps, err := r.stamps(r.lines)
	if err != nil {
		r.stay("the stamp cannot be named: " + err.Error())
		r.finding(CannotStamp, r.result.Why)
		r.result.findings[len(r.result.findings)-1].Severity = Error
		return
	}
	if r.madeBefore(stamps) {
		stamps = r.result.Template.stamps
	}
	r.want(stamps)
	r.tellStamped()
}

// stay leaves the template with what it has.
func (r *Resolver) stay(why string) {
	t := r.result.Template
	r.result.Stamps, r.result.Stamp, r.result.Why = t.stamps, t.Stamp, why
}

// keep keeps a stamp, and tells that nobody could look at what it covers.
func (r *Resolver) keep() {
	t := r.result.Template
	r.stay("nothing that it uses is in this part of the input: the stamp stays as it is")
	r.result.findings = append(r.result.findings, Finding{
		Code: MissingReference, Severity: Warning, Object: r.result.Workload.ID, Field: t.Path, Place: t.Place,
		Message: "the stamp stays as it is, as nothing that it covers is in the input: " + strings.Join(r.missing, ", "),
		Hint:    "run restamp over all of the package: a selection must take in what the workloads use",
	})
}

// madeBefore reports whether the template has the stamp that it got before
// kustomize put hashes of their content behind the names of sources: those
// are not in it, and need not be. It notes where they are all that is used.
func (r *Resolver) madeBefore(stamps []manifest.Entry) bool {
	t := r.result.Template
	if sameStamps(t.stamps, stamps) || !slices.ContainsFunc(r.lines, func(l Line) bool { return l.suffixed }) {
		return false
	}
	lines := slices.DeleteFunc(slices.Clone(r.lines), func(l Line) bool { return l.suffixed })
	if len(lines) == 0 {
		r.result.ByName = true
		return false
	}
	if before, err := r.stamps(lines); err != nil || !sameStamps(t.stamps, before) {
		return false
	}
	r.lines = lines
	for i := range r.uses {
		if u := &r.uses[i]; len(u.Sources) > 0 && u.Sources[0].suffixed {
			u.Used = nil
			u.leave("its name holds a hash of its content: the stamp was made without it, before kustomize gave it the name")
		}
	}
	return true
}

// leave leaves the template as it is, which is something to tell where it uses
// configuration.
func (r *Resolver) leave(code Code, severity Severity, why string) {
	r.stay(why)
	if code != "" && len(r.lines) > 0 {
		r.finding(code, "this uses configuration, but "+why)
		r.result.findings[len(r.result.findings)-1].Severity = severity
	}
}

// want says which stamps the template should have, and what that changes.
func (r *Resolver) want(stamps []manifest.Entry) {
	t := r.result.Template
	r.result.Stamps, r.result.Stamp = stamps, t.show(stamps)
	for _, e := range stamps {
		if !slices.Contains(t.stamps, e) {
			r.result.set = append(r.result.set, e)
		}
	}
	for _, e := range t.stamps {
		if !slices.ContainsFunc(stamps, func(s manifest.Entry) bool { return s.Key == e.Key }) {
			r.result.remove = append(r.result.remove, e.Key)
		}
	}
	switch {
	case len(r.result.set) > 0:
		r.result.Action = Set
	case len(r.result.remove) > 0:
		r.result.Action = Remove
	}
}

// tellProblems tells of the faults of the workload and of its template, and
// reports whether there are any. What a user set and nobody can read is an
// error in any case.
func (r *Resolver) tellProblems(severity Severity) (some bool) {
	before := len(r.result.findings)
	r.result.findings = r.result.Workload.tell(r.result.findings, r.result.Workload.problems, severity)
	r.result.findings = r.result.Workload.tell(r.result.findings, r.result.Template.problems, severity)
	return len(r.result.findings) > before
}

// tell appends a workload's faults to findings.
func (w *Workload) tell(findings []Finding, problems []problem, severity Severity) []Finding {
	for _, p := range problems {
		f := Finding{
			Code: CannotStamp, Severity: severity, Object: w.ID, Field: p.field, Place: p.place,
			Message: p.text(), Hint: hints[CannotStamp],
		}
		if p.strict {
			f.Severity = Error
		}
		findings = append(findings, f)
	}
	return findings
}

func (r *Result) hasError() bool {
	return slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Code == CannotStamp && f.Severity == Error })
}

// finding adds an info about the template.
func (r *Resolver) finding(code Code, message string) {
	t := r.result.Template
	r.result.findings = append(r.result.findings, Finding{
		Code: code, Object: r.result.Workload.ID, Field: t.Path, Place: t.Place, Message: message, Hint: hints[code],
	})
}

func (r *Resolver) tellStamped() {
	w := r.result.Workload
	if w.owner != nil {
		w = w.owner
	}
	if w.stall != "" {
		r.result.findings = append(r.result.findings, Finding{
			Code: NeverRolls, Severity: Warning, Object: w.ID, Place: w.stallAt, Message: w.stall, Hint: hints[NeverRolls],
		})
	}
	r.tellDouble()
	switch {
	case r.result.Template.stamped:
	case r.result.Class() == kinds.NextRun:
		r.finding(FirstStamp, "the first stamp, in the pods of the next run")
	default:
		r.finding(FirstStamp, "the first stamp restarts these pods once")
	}
}

// Findings are those of the stream and of its results, in the order of the
// input. It must be called when every workload is resolved.
func (g *Graph) Findings(results []Result) []Finding {
	size := len(g.findings) + len(g.all)
	for i := range results {
		size += len(results[i].findings)
	}
	findings := append(make([]Finding, 0, size), g.findings...)
	covered := false
	for i := range results {
		r := &results[i]
		findings = append(findings, r.findings...)
		if r.covers && r.Stamp != "" && r.Why == "" && !covered {
			covered = true
			findings = append(findings, Finding{
				Code: UnkeyedSecret, Severity: Warning, Object: r.Workload.ID, Field: r.Template.Path, Place: r.Template.Place,
				Message: "this stamp, and maybe others, covers values of Secrets without a key: whoever may read pods can try guesses at a short value",
				Hint:    hints[UnkeyedSecret],
			})
		}
	}
	for _, w := range g.Workloads {
		if len(w.Templates) == 0 {
			findings = w.tell(findings, w.problems, Warning)
		}
	}
	for _, s := range g.all {
		findings = s.tellWords(s.tell(findings), g.opts.Compat)
	}
	SortFindings(findings)
	return findings
}

// tell tells of a source's faults and of what is known about its content.
func (s *Source) tell(findings []Finding) []Finding {
	add := func(code Code, severity Severity, field string, at Place, message string) {
		findings = append(findings, Finding{code, severity, s.ID, field, at, message, hints[code]})
	}
	if s.superseded {
		return findings
	}
	for _, p := range s.problems {
		severity := Warning
		if s.needed.Load() || p.strict {
			severity = Error
		}
		add(InvalidSource, severity, p.field, p.place, p.text())
	}
	waiting := false
	s.eachValue(func(_ string, v *value) {
		if v.fault != nil {
			s.tellFault(v, add, &waiting)
		}
	})
	switch {
	case !s.used.Load() && s.silent:
	case !s.used.Load():
		add(UnusedSource, Info, "", s.Place, "no workload of the input uses it")
	case s.renames != nil && s.renames.pending:
		add(NeedsHashSuffix, Info, "", s.Place, "kustomize puts a hash of the content behind this name, which restarts its users: it is left out of their stamps")
	case s.standIn != "":
		add(StandIn, Info, "", s.Place, s.standIn+": a change of the value itself is not seen")
	}
	return findings
}

// tellFault tells of a value's fault; or that it is a placeholder, once per
// source.
func (s *Source) tellFault(v *value, add func(Code, Severity, string, Place, string), told *bool) {
	f := v.fault
	field := f.field
	if v.name != field {
		field = join(field, printable(v.name))
	}
	at, needed := Place{s.Place.Doc, int(v.offset)}, f.needed.Load()
	switch {
	case f.problem != "" && needed:
		add(InvalidSource, Error, field, at, problem{message: f.problem, also: f.also}.text())
	case f.problem != "":
		add(InvalidSource, Warning, field, at, problem{message: f.problem, also: f.also}.text())
	case needed && !*told:
		*told = true
		add(Placeholder, Warning, field, at, "a later step fills in this value: its text is hashed as it is")
	}
}

// Stale reports whether a result asks for a change of the stamp. It does not
// count that a stamp is missing of which every line's source has a hash of its
// content in its name: pods restart with the name.
func (r *Result) Stale() bool {
	return r.Action != Keep && (!r.ByName || r.Template.stamped)
}

// StaleWhy says in which way a stamp is stale.
func (r *Result) StaleWhy() string {
	switch {
	case r.Action == Remove:
		return "the stamp must go: " + r.Why
	case !r.Template.stamped:
		return "there is no stamp yet"
	}
	return "the stamp is stale"
}

// Edit is the change of the document that a result asks for; ok is false where
// it asks for none.
func (r *Result) Edit() (edit manifest.Edit, ok bool) {
	if r.Action == Keep {
		return edit, false
	}
	return manifest.Edit{Node: r.Template.node, Path: r.Template.slot, Set: r.set, Remove: r.remove}, true
}

// Splices are the splices that make the edit, where the Reader prepared them:
// that is, for a document that nothing else changes. Else they are nil.
func (r *Result) Splices() []manifest.Splice {
	if r.Action != Set || r.Template.prepared == nil {
		return nil
	}
	splices := slices.Clone(r.Template.prepared)
	for i := range splices {
		splices[i].Text = strings.Replace(splices[i].Text, anyStamp, r.Stamp, 1)
	}
	return splices
}

// Unsplice takes a result's edit back: it cannot be made.
func (r *Result) Unsplice(why error) {
	r.Action, r.Stamps, r.Stamp, r.Why = Keep, r.Template.stamps, r.Template.Stamp, why.Error()
}

// CannotSplice tells that a result's edit cannot be made, at an offset of the
// document, or at the template where the offset is negative.
func (r *Result) CannotSplice(offset int, why error) Finding {
	at := r.Template.Place
	if offset >= 0 {
		at.Offset = offset
	}
	return Finding{
		Code: CannotStamp, Severity: Error, Object: r.Workload.ID, Field: r.Template.Path, Place: at,
		Message: why.Error(), Hint: hints[CannotStamp],
	}
}

// Class is what a change of the pod template does. A workload whose template
// another one uses rolls with that one.
func (r *Result) Class() kinds.Class {
	if r.Workload.owner != nil && r.Template.class != kinds.Immutable {
		return kinds.Rolls
	}
	return r.Template.class
}

// Stall is why the workload's pods would not follow a changed template by
// themselves, "" where they would.
func (w *Workload) Stall() string {
	if w.owner != nil {
		return w.owner.stall
	}
	return w.stall
}
