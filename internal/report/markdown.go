package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
)

// markdownLongest is what a comment may be long, in bytes, with room for what
// others put around it. GitHub takes 65,536 characters, and no comment that is
// longer.
const markdownLongest = 60_000

// markdownMost are how many findings of one code and severity are listed: as
// many as fit.
var markdownMost = []int{1000, 300, 100, 30, 10, 3, 0}

// markdownGroup are the findings of one code and severity.
type markdownGroup struct {
	code     graph.Code
	severity graph.Severity
	items    []string
}

// asMarkdown writes a comment for a pull request: how many findings of each code
// there are, and then as many of them as fit, or none. What is from the input
// stands in code spans alone, where neither markup nor mentions are read.
func asMarkdown(w io.Writer, o outcome, opts Options) error {
	head, groups := markdownFindings(o.findings)
	if o.faults != nil {
		head, groups = "### restamp: the input could not be read\n", markdownFaults(o.faults)
	}
	groups = slices.DeleteFunc(groups, func(g markdownGroup) bool { return g.severity < opts.Least })
	text := ""
	for _, most := range markdownMost {
		if text = head + markdownList(groups, most); len(text) <= markdownLongest {
			break
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdownFindings counts and groups findings, the errors first.
func markdownFindings(findings []graph.Finding) (head string, groups []markdownGroup) {
	if len(findings) == 0 {
		return "### restamp: no findings\n", nil
	}
	counts := make(map[graph.Severity]int)
	for _, f := range findings {
		counts[f.Severity]++
		i := slices.IndexFunc(groups, func(g markdownGroup) bool { return g.code == f.Code && g.severity == f.Severity })
		if i < 0 {
			i = len(groups)
			groups = append(groups, markdownGroup{code: f.Code, severity: f.Severity})
		}
		groups[i].items = append(groups[i].items, markdownItem(f))
	}
	slices.SortStableFunc(groups, func(a, b markdownGroup) int { return int(b.severity) - int(a.severity) })
	head = "### restamp: " + markdownCounts(counts) + "\n\n| finding | severity | number | what it says |\n| --- | --- | --- | --- |\n"
	for _, g := range groups {
		head += fmt.Sprintf("| %s | %s | %d | %s |\n", markdownLink(g.code), g.severity, len(g.items), graph.RuleOf(g.code).What)
	}
	return head, groups
}

func markdownCounts(counts map[graph.Severity]int) string {
	var parts []string
	for _, severity := range []graph.Severity{graph.Error, graph.Warning, graph.Info} {
		switch n := counts[severity]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severity.String())
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, severity))
		}
	}
	return strings.Join(parts, ", ")
}

func markdownLink(code graph.Code) string { return "[" + string(code) + "](" + help(code) + ")" }

func markdownItem(f graph.Finding) string {
	spans := []string{codeSpan(f.Place.String()), codeSpan(f.Object.String())}
	if f.Field != "" {
		spans = append(spans, codeSpan(f.Field))
	}
	return strings.Join(spans, " ") + ": " + codeSpan(f.Message)
}

// markdownFaults are one group, which has no code.
func markdownFaults(faults []Fault) []markdownGroup {
	g := markdownGroup{severity: graph.Error}
	for _, f := range faults {
		g.items = append(g.items, codeSpan(f.Message))
	}
	return []markdownGroup{g}
}

// markdownList lists the first findings of each group, and says how many more
// there are.
func markdownList(groups []markdownGroup, most int) string {
	var b strings.Builder
	for _, g := range groups {
		b.WriteString("\n")
		if g.code != "" {
			b.WriteString("**" + string(g.code) + "**, " + g.severity.String() + "\n\n")
		}
		listed := g.items[:min(most, len(g.items))]
		for _, item := range listed {
			b.WriteString("- " + item + "\n")
		}
		if more := len(g.items) - len(listed); more > 0 {
			fmt.Fprintf(&b, "- %d more, which a comment has no room for\n", more)
		}
	}
	return b.String()
}

// codeSpan is a text as a code span of CommonMark: it ends at a run of as many
// backticks as it began with, and nothing in it means anything.
func codeSpan(s string) string {
	s = printable(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.Trim(s, "` ") != s {
		s = " " + s + " " // which are taken off again
	}
	return fence + s + fence
}
