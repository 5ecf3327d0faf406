package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/restamp/restamp/internal/compare"
)

// detail is how much of a diff a comment tells.
type detail struct {
	reasons   int // of each workload; 0 for none
	workloads int // of each verdict
	sources   int
}

// details are tried in turn until the comment fits: it says less of all rather
// than nothing of some.
var details = []detail{
	{8, 1000, 1000}, {8, 200, 100}, {3, 200, 100}, {1, 200, 50}, {0, 200, 50}, {0, 50, 20}, {0, 10, 10}, {0, 0, 0},
}

// diffMarkdown writes one comment for a pull request: who restarts and why
// first, what matters less below it, folded. It starts with a marker, which is
// not shown, so that a bot finds its own comment again.
func diffMarkdown(w io.Writer, d *compare.Diff, opts DiffOptions) error {
	text := ""
	for _, detail := range details {
		m := &markdownDiff{d: d, detail: detail}
		m.write(opts.Marker)
		if text = m.String(); len(text) <= markdownLongest {
			break
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

type markdownDiff struct {
	strings.Builder
	d      *compare.Diff
	detail detail
}

// folded are the verdicts of which the workloads are not shown at once, with
// what stands above them.
var folded = map[compare.Verdict]string{
	compare.Stays: "Touched, but not restarting", compare.Added: "New", compare.Removed: "Removed",
}

// titles stand above the workloads of the other verdicts.
var titles = map[compare.Verdict]string{
	compare.Stuck:      "Should restart, but will not",
	compare.ByConfig:   "Restarting because of configuration",
	compare.ByTemplate: "Restarting because of the pod template",
	compare.ByBoth:     "Restarting because of both",
	compare.First:      "Restarting once, with the first stamp",
}

func (m *markdownDiff) write(id string) {
	m.WriteString("<!-- restamp-diff" + strings.TrimSuffix(":"+id, ":") + " -->\n")
	m.WriteString("### restamp: " + prose(total(m.d)) + "\n\n")
	m.WriteString(prose(summary(m.d)) + ".\n")
	for _, note := range notes(m.d) {
		m.WriteString("\n> " + prose(note) + "\n")
	}
	for _, verdict := range compare.Verdicts {
		m.verdict(verdict)
	}
	m.sources()
}

// verdict lists the workloads of one verdict.
func (m *markdownDiff) verdict(verdict compare.Verdict) {
	var list []*compare.Workload
	for i := range m.d.Workloads {
		if w := &m.d.Workloads[i]; w.Verdict == verdict {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return
	}
	title, fold := folded[verdict]
	if fold {
		fmt.Fprintf(m, "\n<details><summary>%s: %d</summary>\n\n", title, len(list))
	} else {
		fmt.Fprintf(m, "\n**%s: %d**\n\n", titles[verdict], len(list))
	}
	for _, w := range list[:min(m.detail.workloads, len(list))] {
		m.workload(w)
	}
	m.more(len(list) - m.detail.workloads)
	if fold {
		m.WriteString("\n</details>\n")
	}
}

func (m *markdownDiff) more(n int) {
	if n > 0 {
		fmt.Fprintf(m, "- %d more, which a comment has no room for\n", n)
	}
}

func (m *markdownDiff) workload(w *compare.Workload) {
	text := codeSpan(WorkloadName(w))
	if w.Verdict.Restarts() {
		text += ", " + prose(rolling(w))
	}
	if w.Why != "" {
		text += ": " + prose(w.Why)
	}
	m.WriteString("- " + text + "\n")
	if m.detail.reasons > 0 {
		for _, r := range reasons(w, m.detail.reasons) {
			m.WriteString("  - " + strings.TrimSuffix(prose(r.text)+": "+r.values(shortSpan), ": ") + "\n")
		}
	}
	if w.Mend != "" {
		m.WriteString("  - to mend it: " + prose(w.Mend) + "\n")
	}
}

// shortSpan is a value, which may be long and have many lines.
func shortSpan(s string) string { return codeSpan(quoted(s)) }

func (m *markdownDiff) sources() {
	if len(m.d.Sources) == 0 {
		return
	}
	fmt.Fprintf(m, "\n<details><summary>Configuration: %d</summary>\n\n", len(m.d.Sources))
	for i := range m.d.Sources[:min(m.detail.sources, len(m.d.Sources))] {
		m.WriteString("- " + prose(sourceChange(&m.d.Sources[i])) + "\n")
	}
	m.more(len(m.d.Sources) - m.detail.sources)
	m.WriteString("\n</details>\n")
}

// prose is a sentence in Markdown.
func prose(s string) string {
	var b strings.Builder
	for _, part := range segments(s) {
		if part.code {
			b.WriteString(codeSpan(part.text))
		} else {
			b.WriteString(part.text)
		}
	}
	return b.String()
}
