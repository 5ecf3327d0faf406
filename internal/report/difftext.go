package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/restamp/restamp/internal/compare"
)

// Style is what a terminal can show.
type Style struct {
	Color bool
	Width int // of a line, in characters; 0 for no limit
}

// colors are those of the verdicts, as a terminal numbers them.
var colors = map[compare.Verdict]string{
	compare.ByConfig: "33", compare.ByTemplate: "33", compare.ByBoth: "33", compare.First: "33",
	compare.Stuck: "31", compare.Added: "32", compare.Removed: "90", compare.Stays: "90",
}

// textReasons is how many reasons of a workload are listed.
const textReasons = 12

// diffText writes a diff for people at a terminal.
func diffText(w io.Writer, d *compare.Diff, opts DiffOptions) error {
	b := &textWriter{style: opts.Style}
	for i := range d.Workloads {
		b.workload(&d.Workloads[i])
	}
	if len(d.Workloads) > 0 {
		b.WriteString("\n")
	}
	for i := range d.Sources {
		b.line("", sourceChange(&d.Sources[i]))
	}
	if len(d.Sources) > 0 {
		b.WriteString("\n")
	}
	b.line("", summary(d))
	for _, note := range notes(d) {
		b.line("", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type textWriter struct {
	strings.Builder
	style Style
}

func (b *textWriter) line(indent, text string) {
	for _, line := range b.fold(indent, printable(text)) {
		b.WriteString(line + "\n")
	}
}

// fold breaks a text at spaces, where it is wider than the terminal.
func (b *textWriter) fold(indent, text string) (lines []string) {
	const least = 20 // characters: what is narrower is not worth folding
	width := b.style.Width - len(indent)
	if b.style.Width == 0 || width < least {
		return []string{indent + text}
	}
	line, hang := "", ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width-len(hang) {
			lines = append(lines, indent+hang+line)
			line, hang = "", "  "
		} else if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, indent+hang+line)
}

func (b *textWriter) workload(w *compare.Workload) {
	b.head(printable(WorkloadName(w)), printable(headline(w)), colors[w.Verdict])
	const indent = "    "
	for _, r := range reasons(w, textReasons) {
		b.line(indent, strings.TrimSuffix(r.text+": "+r.values(quoted), ": "))
	}
	if w.Mend != "" {
		b.line(indent, "to mend it: "+w.Mend)
	}
	if w.Verdict.Restarts() {
		b.line(indent, rolling(w))
	}
}

// head writes a workload's name and verdict.
func (b *textWriter) head(name, head, color string) {
	for i, line := range b.fold("", name+" "+head) {
		rest, named := strings.CutPrefix(line, name)
		switch {
		case !b.style.Color:
		case i == 0 && named:
			line = "\x1b[1m" + name + "\x1b[0m\x1b[" + color + "m" + rest + "\x1b[0m"
		default:
			line = "\x1b[" + color + "m" + line + "\x1b[0m"
		}
		b.WriteString(line + "\n")
	}
}
