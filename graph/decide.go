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
		r.result.Off, r.result.Why = true, "switched off by "+by
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
		r.finding(CannotStamp, Error, r.result.Why)
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
		r.finding(code, severity, "this uses configuration, but "+why)
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
