package graph

import (
	"fmt"
	"slices"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
)

// decide says what becomes of a template's stamp.
func (g *Graph) decide(r *Result) {
	w, t := r.Workload, r.Template
	r.findings = append(r.findings, t.notes...)
	class := w.Class()
	enabled := w.enabled(t)
	switch {
	case class == kinds.Immutable:
		r.leave(ImmutableWorkload, "the pod template of a "+w.ID.Kind+" may not be changed")
		return
	case enabled != nil && !*enabled:
		r.Why = "switched off by " + enabledAnnotation
		r.want("")
		return
	case r.faulty():
		r.Why = "the stamp cannot be computed"
		return
	case class == kinds.NextRun && enabled == nil:
		r.leave("", "a change of the pod template of a "+w.ID.Kind+" starts no pods; "+enabledAnnotation+`: "true" opts in`)
		return
	case class == kinds.Costly && enabled == nil:
		r.leave(CostlyWorkload, "a change of the pod template of a "+w.ID.Kind+" ends running work; "+enabledAnnotation+`: "true" opts in`)
		return
	case len(r.Lines) == 0:
		r.Why = "nothing that it uses is in the input"
		r.want("")
		return
	}
	r.want(stamp(r.Lines, g.opts.SecretKey))
	r.tellStamped()
}

// enabled is the strongest word on whether a template is stamped, nil where
// there is none.
func (w *Workload) enabled(t *Template) (word *bool) {
	for _, s := range w.settingsFor(t) {
		if s.enabled != nil {
			word = s.enabled
		}
	}
	return word
}

// leave leaves a template as it is, which is something to tell where it uses
// configuration.
func (r *Result) leave(code Code, why string) {
	r.Why = why
	r.Stamp = r.Template.Stamp
	if code != "" && len(r.Lines) > 0 {
		r.finding(code, Info, "this uses configuration, but "+why)
	}
}

func (r *Result) want(stamp string) {
	r.Stamp = stamp
	switch {
	case stamp == "" && r.Template.stamped:
		r.Action = Remove
	case stamp != "" && r.Template.Stamp != stamp:
		r.Action = Set
	}
}

// faulty tells of faults of the workload and of its template, and reports
// whether one keeps the stamp from being computed. Where nothing would be
// stamped anyway a fault is a warning.
func (r *Result) faulty() bool {
	problems := append(slices.Clip(r.Workload.problems), r.Template.problems...)
	severity := Warning
	if len(r.Uses) > 0 || r.Template.stamped {
		severity = Error
	}
	for _, p := range problems {
		r.findings = append(r.findings, Finding{
			Code: CannotStamp, Severity: severity, Object: r.Workload.ID, Field: p.field, Place: p.place,
			Message: p.text(), Hint: hints[CannotStamp],
		})
	}
	return r.blocked || len(problems) > 0 && severity == Error
}

func (r *Result) finding(code Code, severity Severity, message string) {
	r.findings = append(r.findings, Finding{
		Code: code, Severity: severity, Object: r.Workload.ID, Field: r.Template.Path, Place: r.Template.Place,
		Message: message, Hint: hints[code],
	})
}

func (r *Result) tellStamped() {
	w := r.Workload
	if w.owner != nil {
		w = w.owner
	}
	if w.stall != "" {
		r.findings = append(r.findings, Finding{
			Code: NeverRolls, Severity: Warning, Object: w.ID, Place: w.stallAt, Message: w.stall, Hint: hints[NeverRolls],
		})
	}
	if !r.Template.stamped {
		r.finding(FirstStamp, Info, "the first stamp restarts these pods once")
	}
}

// Findings are those of the stream and of its results, in the order of the
// input. It must be called when every workload is resolved.
func (g *Graph) Findings(results []Result) []Finding {
	findings := slices.Clone(g.findings)
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
	for _, s := range g.all {
		findings = append(findings, s.tell()...)
	}
	SortFindings(findings)
	return findings
}

// tell tells of a source's faults and of what is known about its content.
func (s *Source) tell() (findings []Finding) {
	add := func(code Code, severity Severity, field string, at Place, message string) {
		findings = append(findings, Finding{code, severity, s.ID, field, at, message, hints[code]})
	}
	if s.superseded {
		return nil
	}
	used := s.used.Load()
	severity := Warning
	if used && !s.ignored {
		severity = Error
	}
	for _, p := range s.problems {
		add(InvalidSource, severity, p.field, p.place, p.text())
	}
	waiting := 0
	for i := range s.values {
		if v := &s.values[i]; v.needed != nil {
			waiting += s.tellValue(v, add, waiting)
		}
	}
	for i := range s.fields {
		if v := &s.fields[i]; v.needed != nil {
			s.tellValue(v, add, waiting)
		}
	}
	switch {
	case !used:
		add(UnusedSource, Info, "", s.Place, "no workload of the input uses it")
	case s.standIn != "":
		add(StandIn, Info, "", s.Place, s.standIn+": a change of the value itself is not seen")
	}
	return findings
}

// tellValue tells of a value's fault; or, for the first such value of a source,
// that it is a placeholder, and returns 1.
func (s *Source) tellValue(v *value, add func(Code, Severity, string, Place, string), waiting int) int {
	field := v.field
	if v.name != v.field {
		field = join(v.field, printable(v.name))
	}
	needed := v.needed.Load()
	switch {
	case v.problem != "" && needed:
		add(InvalidSource, Error, field, v.place, problem{message: v.problem, also: v.also}.text())
	case v.problem != "":
		add(InvalidSource, Warning, field, v.place, problem{message: v.problem, also: v.also}.text())
	case needed && waiting == 0:
		add(Placeholder, Warning, field, v.place, fmt.Sprintf("a later step fills in this value of %s: its text is hashed as it is", s.ID))
		return 1
	}
	return 0
}

// Edit is the change of the document that a result asks for; ok is false where
// it asks for none.
func (r *Result) Edit() (edit manifest.Edit, ok bool) {
	if r.Action == Keep {
		return edit, false
	}
	return manifest.Edit{
		Node: r.Template.node, Path: []string{"metadata", "annotations", Annotation},
		Value: r.Stamp, Remove: r.Action == Remove,
	}, true
}

// Unsplice takes a result's edit back: it cannot be made.
func (r *Result) Unsplice(why error) {
	r.Action, r.Stamp, r.Why = Keep, r.Template.Stamp, why.Error()
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

// Class is what a change of the workload's pod template does. A workload whose
// template another one uses rolls with that one.
func (w *Workload) Class() kinds.Class {
	if w.owner != nil && w.Row.Class != kinds.Immutable {
		return kinds.Rolls
	}
	return w.Row.Class
}

// Stall is why the workload's pods would not follow a changed template by
// themselves, "" where they would.
func (w *Workload) Stall() string {
	if w.owner != nil {
		return w.owner.stall
	}
	return w.stall
}
