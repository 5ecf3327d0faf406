package report

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/kinds"
)

// Explanation is all that is known of a pod template's stamp.
type Explanation struct {
	graph.Detail
	Pods     compare.Pods
	Roll     compare.Roll
	Findings []graph.Finding // about the workload
}

// ExplainFormats are the formats of explanations.
var ExplainFormats = []string{"text", "json"}

// Explain writes explanations: each reference, what it resolved to, the keys
// that it uses, what was left out and why, the settings that led there, and the
// lines under the hash. The hashes of Secret values are not shown.
func Explain(w io.Writer, all []Explanation, format string) error {
	if format == "json" {
		return explainJSON(w, all)
	}
	var b strings.Builder
	for i := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		explainText(&b, &all[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// meanings say what a change of the pod template does, by class.
var meanings = map[kinds.Class]string{
	kinds.Rolls:     "a changed pod template replaces the pods",
	kinds.NextRun:   "a changed pod template counts for the next pods, and starts none",
	kinds.Immutable: "the API server refuses a changed pod template",
	kinds.InPlace:   "the pods get a changed annotation and run on",
	kinds.Costly:    "a changed pod template ends running work",
	kinds.Elsewhere: "the pods are replaced because of an annotation outside of the pod template",
}

func explainText(b *strings.Builder, e *Explanation) {
	fmt.Fprintf(b, "%s (%s)\n", e.Workload.ID, e.Workload.Place)
	row := func(name, value string) { fmt.Fprintf(b, "  %-10s %s\n", name, printable(value)) }
	row("class", e.Class().String()+": "+meanings[e.Class()])
	row("template", fmt.Sprintf("%s (line %d)", templatePath(e.Template), e.Template.Place.Line()))
	row("pods", e.rollText())
	for _, s := range e.stamps() {
		row(s.title, orNone(s.Value))
		row("carries", s.carries)
	}
	if e.Why != "" {
		row("left", e.Why)
	}
	if e.Roll.Stall != "" {
		row("held", e.Roll.Stall)
	}
	explainSettings(b, e.Settings)
	b.WriteString("\n  references\n")
	for i := range e.Uses {
		explainUse(b, &e.Uses[i])
	}
	if len(e.Uses) == 0 {
		b.WriteString("    none\n")
	}
	e.explainLines(b)
	if len(e.Findings) > 0 {
		b.WriteString("\n  findings\n")
	}
	for _, f := range e.Findings {
		fmt.Fprintf(b, "    %s (line %d)\n", printable(fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message)), f.Place.Line())
	}
	b.WriteString("\n  restarts when\n")
	bullets(b, e.RestartsWhen(), "never, because of configuration")
	b.WriteString("\n  does not restart when\n")
	bullets(b, e.StaysWhen(), "")
}

func bullets(b *strings.Builder, lines []string, none string) {
	for _, line := range lines {
		fmt.Fprintf(b, "    - %s\n", printable(line))
	}
	if len(lines) == 0 {
		fmt.Fprintf(b, "    - %s\n", none)
	}
}

func templatePath(t *graph.Template) string {
	if t.Path == "" {
		return "the object itself"
	}
	return t.Path
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// rollText says how many pods there are, and how they are replaced.
func (e *Explanation) rollText() string {
	text := podsText(e.Pods)
	if e.Roll.How != "" {
		text += ", " + e.Roll.How
	}
	if e.Roll.Down {
		text += ": all pods go before new ones come"
	}
	for _, note := range e.Roll.Notes {
		text += "; " + note
	}
	return text
}

// stampState is a stamp that a pod template has or should have.
type stampState struct {
	Annotation, Value string // Value is "" for one that must go
	Carried           string
	title, carries    string
}

// stamps are the stamps that the pod template should have, and those that must
// go. There is one without a value where there is none at all.
func (e *Explanation) stamps() (all []stampState) {
	carried := make(map[string]string)
	for _, s := range e.Template.Stamps() {
		carried[s.Key] = s.Value
	}
	for _, s := range e.Stamps {
		all = append(all, stampState{Annotation: s.Key, Value: s.Value, Carried: carried[s.Key]})
		delete(carried, s.Key)
	}
	for _, s := range e.Template.Stamps() {
		if _, left := carried[s.Key]; left {
			all = append(all, stampState{Annotation: s.Key, Carried: s.Value})
		}
	}
	if len(all) == 0 {
		all = append(all, stampState{})
	}
	for i := range all {
		s := &all[i]
		s.title = "stamp"
		if len(all) > 1 || s.Annotation != "" && s.Annotation != graph.Annotation {
			s.title = "stamp      " + s.Annotation + ":"
		}
		switch {
		case s.Value == "" && s.Carried == "":
			s.carries = "none"
		case s.Value == s.Carried:
			s.carries = "this one"
		case s.Value == "":
			s.carries = s.Carried + ", to be removed"
		case s.Carried == "":
			s.carries = "none, to be added"
		default:
			s.carries = s.Carried + ", to be replaced"
		}
	}
	return all
}

func explainSettings(b *strings.Builder, settings []graph.Setting) {
	if len(settings) == 0 {
		return
	}
	b.WriteString("\n  settings\n")
	for _, s := range settings {
		sign := "counts: "
		if !s.Counts {
			sign = "does not count: "
		}
		fmt.Fprintf(b, "    %s (line %d)\n", printable(fmt.Sprintf("%s: %q of %s, %s", s.Annotation, s.Value, s.On, s.Field)), s.Place.Line())
		fmt.Fprintf(b, "      %s\n", printable(sign+s.Effect))
	}
}

func explainUse(b *strings.Builder, u *graph.Use) {
	fmt.Fprintf(b, "    %s%s\n", referenceName(u), resolvedTo(u))
	how := string(u.How())
	if u.Container != "" {
		how += " of container " + u.Container
	}
	if u.Optional {
		how += ", optional"
	}
	fmt.Fprintf(b, "      through   %s\n", printable(how))
	fmt.Fprintf(b, "      field     %s (line %d)\n", printable(u.Field), u.Place.Line())
	if used := usedKeys(u); used != "" {
		fmt.Fprintf(b, "      uses      %s\n", used)
	}
	for _, left := range leftOutOf(u) {
		fmt.Fprintf(b, "      left out  %s\n", printable(left))
	}
}

func referenceName(u *graph.Use) string {
	return graph.ID{Group: u.Group, Kind: u.Kind, Namespace: u.Namespace, Name: u.Name}.String()
}

// resolvedTo says which objects a reference means.
func resolvedTo(u *graph.Use) (text string) {
	sep := " = "
	if len(u.Sources) == 0 {
		sep = ", which would be "
	}
	for _, s := range u.Found {
		if u.State == graph.Ambiguous {
			break // what is left out says it
		}
		text += fmt.Sprintf("%s%s (%s)", sep, s.ID, s.Place)
		sep = " and "
	}
	return text
}

func leftOutOf(u *graph.Use) []string {
	return slices.Compact(slices.Sorted(slices.Values(u.Left)))
}

func usedOf(u *graph.Use) []string {
	return slices.Compact(slices.Sorted(slices.Values(u.Used)))
}

func usedKeys(u *graph.Use) string {
	keys := usedOf(u)
	if len(keys) == 0 {
		return ""
	}
	what := "key"
	if len(keys) > 1 {
		what = "keys"
	}
	if u.All {
		what = "all keys:"
	}
	if len(keys) == 1 && keys[0] == "" {
		return "the object as a whole, which has no key"
	}
	return what + " " + printable(strings.Join(keys, ", "))
}

// explainLines writes the lines under each stamp.
func (e *Explanation) explainLines(b *strings.Builder) {
	before := ""
	lines := slices.Clone(e.Lines)
	slices.SortStableFunc(lines, func(x, y graph.Line) int { return strings.Compare(x.Annotation, y.Annotation) })
	for i := range lines {
		l := &lines[i]
		if l.Annotation != before {
			before = l.Annotation
			title := "lines under the hash"
			if l.Annotation != graph.Annotation {
				title += " in " + l.Annotation
			}
			if e.Stamp == "" {
				title = "lines that a hash would have"
			}
			fmt.Fprintf(b, "\n  %s\n", printable(title))
		}
		sum := hex.EncodeToString(l.Sum[:])
		if l.Secret {
			sum = fmt.Sprintf("%-64s", "(hash of a Secret's value)")
		}
		fmt.Fprintf(b, "    %s  %s\n", sum, printable(l.Label()))
	}
}

// Stays says why a new hash would not replace the pods, "" where it would.
func (e *Explanation) Stays() string {
	switch {
	case e.Why != "":
		return e.Why
	case e.Roll.Stall != "":
		return e.Roll.Stall
	case e.Class() == kinds.NextRun:
		return "the pods of the next run get it"
	}
	return ""
}

// RestartsWhen says which changes replace the pods, in words.
func (e *Explanation) RestartsWhen() (lines []string) {
	if e.Stays() != "" {
		return nil
	}
	for i := range e.Uses {
		u := &e.Uses[i]
		keys := usedOf(u)
		if u.State == graph.Missing || u.State == graph.Absent {
			lines = append(lines, referenceName(u)+" comes into the input")
		}
		for _, key := range u.Lacks {
			lines = append(lines, referenceName(u)+" gets the key "+key)
		}
		if len(keys) == 0 {
			continue
		}
		var names []string
		for _, s := range u.Sources {
			names = append(names, s.ID.String())
		}
		text := strings.Join(names, " or ") + " changes"
		switch {
		case slices.Equal(keys, []string{""}):
			text += " in anything but its metadata"
		case u.All:
			text += " in " + strings.Join(keys, ", ") + ", or gets another key"
		default:
			text += " in " + strings.Join(keys, ", ")
		}
		lines = append(lines, text)
	}
	slices.Sort(lines)
	return append(slices.Compact(lines), "anything else in its pod template changes, whatever the configuration")
}

// StaysWhen says what does not replace the pods, and why, in words.
func (e *Explanation) StaysWhen() (lines []string) {
	if why := e.Stays(); why != "" {
		return []string{"anything that it uses changes: " + why}
	}
	for i := range e.Uses {
		u := &e.Uses[i]
		for _, left := range leftOutOf(u) {
			if u.State != graph.Missing && u.State != graph.Absent {
				lines = append(lines, referenceName(u)+" changes: "+left)
			}
		}
	}
	slices.Sort(lines)
	return append(slices.Compact(lines), "labels, annotations or other metadata of a source change, or keys that are not named above")
}
