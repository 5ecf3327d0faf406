package graph

import (
	"slices"

	"github.com/restamp/restamp/internal/kinds"
)

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

// finding adds one about the template.
func (r *Resolver) finding(code Code, severity Severity, message string) {
	t := r.result.Template
	r.result.findings = append(r.result.findings, Finding{
		Code: code, Severity: severity, Object: r.result.Workload.ID, Field: t.Path, Place: t.Place, Message: message, Hint: hints[code],
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
		r.finding(FirstStamp, Info, "the first stamp, in the pods of the next run")
	default:
		r.finding(FirstStamp, Info, "the first stamp restarts these pods once")
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
