package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/restamp/restamp/internal/compare"
)

// Style is what a terminal can show.
type Style struct {
	Color bool
	Width int // of a line, in characters; 0 for no limit
}

// headlines say the verdicts in words.
var headlines = map[compare.Verdict]string{
	compare.ByConfig:   "restarts: its configuration changed",
	compare.ByTemplate: "restarts: its pod template changed",
	compare.ByBoth:     "restarts: its configuration and its pod template changed",
	compare.First:      "restarts once: it gets its first stamp",
	compare.Stays:      "does not restart",
	compare.Stuck:      "should restart, but will not",
	compare.Added:      "is new",
	compare.Removed:    "is removed",
}

var colors = map[compare.Verdict]string{
	compare.ByConfig: "33", compare.ByTemplate: "33", compare.ByBoth: "33", compare.First: "33",
	compare.Stuck: "31", compare.Added: "32", compare.Removed: "90", compare.Stays: "90",
}

// DiffText writes a diff for people at a terminal.
func DiffText(w io.Writer, d *compare.Diff, style Style) error {
	b := &diffText{style: style}
	for i := range d.Workloads {
		b.workload(&d.Workloads[i])
	}
	if len(d.Workloads) > 0 {
		b.WriteString("\n")
	}
	b.line("", Summary(d))
	for _, note := range Notes(d) {
		b.line("", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type diffText struct {
	strings.Builder
	style Style
}

// line writes a text, folded at words, below an indentation.
func (b *diffText) line(indent, text string) {
	text = printable(text)
	width := b.style.Width - len(indent)
	for b.style.Width > 0 && width > 20 && len(text) > width {
		cut := strings.LastIndexByte(text[:width+1], ' ')
		if cut <= 0 {
			break
		}
		b.WriteString(indent + text[:cut] + "\n")
		text = text[cut+1:]
		if !strings.HasSuffix(indent, "      ") {
			indent += "  "
			width -= 2
		}
	}
	b.WriteString(indent + text + "\n")
}

func (b *diffText) workload(w *compare.Workload) {
	name := printable(WorkloadName(w))
	head := headlines[w.Verdict]
	if w.Why != "" {
		head += ": " + w.Why
	}
	if b.style.Color {
		b.WriteString("\x1b[1m" + name + "\x1b[0m \x1b[" + colors[w.Verdict] + "m" + printable(head) + "\x1b[0m\n")
	} else {
		b.line("", name+" "+head)
	}
	for _, text := range Reasons(w) {
		b.line("    ", text)
	}
	if w.Mend != "" {
		b.line("    ", "to mend it: "+w.Mend)
	}
	if w.Verdict.Restarts() {
		b.line("    ", Rolls(w))
	}
}

// WorkloadName names a workload, and the template where it has several.
func WorkloadName(w *compare.Workload) string {
	if w.Template != "" {
		return w.ID.String() + " " + w.Template
	}
	return w.ID.String()
}

// Reasons are what led to a verdict, each in one line of words.
func Reasons(w *compare.Workload) (lines []string) {
	for _, r := range w.Renames {
		lines = append(lines, r.Old+" is now "+r.New)
	}
	for _, k := range w.Changes {
		lines = append(lines, keyChange(k))
	}
	if w.Verdict == compare.Added || w.Verdict == compare.Removed {
		return lines
	}
	for _, f := range w.Fields {
		lines = append(lines, fieldChange(f))
	}
	for _, n := range w.Noise {
		lines = append(lines, "noise: "+n)
	}
	return lines
}

func keyChange(k compare.KeyChange) string {
	text := k.Source
	if k.Key != "" {
		text += " key " + k.Key
	}
	text += " " + string(k.Change)
	if k.Old != "" || k.New != "" {
		text += fmt.Sprintf(" (%q to %q)", short(k.Old), short(k.New))
	}
	if len(k.Through) > 0 {
		text += ", used through " + through(k.Through)
	}
	return text
}

// through lists the fields, a few of them.
func through(list []compare.Through) string {
	const most = 3
	var parts []string
	for i, t := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(list)-most))
			break
		}
		text := t.Field
		if t.Container != "" {
			text += " of container " + t.Container
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " and ")
}

func fieldChange(f compare.Field) string {
	text := f.Path + " " + string(f.Change)
	if strings.HasSuffix(f.Path, ".image") && f.Change == compare.Changed {
		text += " from " + f.Old + " to " + f.New
	}
	return text
}

func short(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// Rolls says how many pods are replaced, and how.
func Rolls(w *compare.Workload) string {
	text := podsText(w.Pods)
	if w.Roll.How != "" {
		text += ", " + w.Roll.How
	}
	if w.Roll.Down {
		text += ": all pods go before new ones come"
	}
	if w.Roll.Note != "" {
		text += "; " + w.Roll.Note
	}
	return text
}

func podsText(p compare.Pods) string {
	switch {
	case p.Each:
		return "one pod on each node"
	case p.Unknown != "":
		return "pods: " + p.Unknown
	case p.AtLeast:
		return plural(p.Count, "pod") + " at least"
	}
	return plural(p.Count, "pod")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Summary is a diff in one line.
func Summary(d *compare.Diff) string {
	t := d.Totals()
	if len(d.Workloads) == 0 {
		return fmt.Sprintf("nothing restarts: %s unchanged", plural(d.Unchanged, "workload"))
	}
	text := "nothing restarts"
	if t.Restarts > 0 {
		text = plural(t.Restarts, "workload") + " restart"
		if t.Restarts == 1 {
			text += "s"
		}
		text += " (" + totalPods(t) + ")"
	}
	for _, part := range []struct {
		verdict compare.Verdict
		words   string
	}{
		{compare.ByConfig, "by configuration"},
		{compare.ByTemplate, "by the template"},
		{compare.ByBoth, "by both"},
		{compare.First, "by a first stamp"},
		{compare.Stuck, "should restart but will not"},
		{compare.Stays, "touched, but not restarting"},
		{compare.Added, "new"},
		{compare.Removed, "removed"},
	} {
		if n := t.ByVerdict[part.verdict]; n > 0 {
			text += fmt.Sprintf("; %d %s", n, part.words)
		}
	}
	return text + fmt.Sprintf("; %d unchanged", d.Unchanged)
}

func totalPods(t compare.Totals) string {
	var parts []string
	if t.Pods > 0 || t.EachNode+t.Unknown == 0 {
		text := plural(t.Pods, "pod")
		if t.AtLeast {
			text += " at least"
		}
		parts = append(parts, text)
	}
	if t.EachNode > 0 {
		parts = append(parts, fmt.Sprintf("%d on each node", t.EachNode))
	}
	if t.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s of unknown size", plural(t.Unknown, "workload")))
	}
	return strings.Join(parts, ", ")
}

// Notes are what to know of a diff as a whole.
func Notes(d *compare.Diff) (notes []string) {
	switch {
	case d.Twice && len(d.Workloads)+len(d.Sources) > 0:
		notes = append(notes, "Both are renders of the same commit: what differs is random, and differs again with each render.")
	case !d.Stamped[0] && !d.Stamped[1]:
		notes = append(notes, "Neither render carries stamps: this is what would happen with restamp. Without it, nobody restarts because of configuration.")
	case d.Stamped[0] && !d.Stamped[1]:
		notes = append(notes, "The new render carries no stamps: this is what would happen if it were stamped.")
	}
	return notes
}
