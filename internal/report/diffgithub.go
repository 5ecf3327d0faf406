package report

import (
	"io"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
)

// diffRule is what is known of a verdict that is worth an annotation.
type diffRule struct {
	verdict  compare.Verdict
	severity graph.Severity
	what     string
	why      string
	hint     string
}

var diffRules = []diffRule{
	{
		compare.Stuck, graph.Warning, "A workload should restart, but will not",
		"What it uses changed, and nothing in its pod template does: the pods run on with the old configuration.",
		"Do what the message says, or restart the pods by hand.",
	},
	{
		compare.ByConfig, graph.Info, "A workload restarts because of its configuration",
		"A key that it uses changed, and with it the stamp in its pod template.", "",
	},
	{
		compare.ByTemplate, graph.Info, "A workload restarts because of its pod template",
		"A field of its pod template changed.", "",
	},
	{
		compare.ByBoth, graph.Info, "A workload restarts because of its configuration and its pod template",
		"A key that it uses changed, and a field of its pod template.", "",
	},
	{
		compare.First, graph.Info, "A workload restarts because of its first stamp",
		"The stamp is a new annotation in its pod template. It restarts the pods once.", "",
	},
}

// ruleOf returns a verdict's rule, nil where it is worth none.
func ruleOf(verdict compare.Verdict) *diffRule {
	for i := range diffRules {
		if diffRules[i].verdict == verdict {
			return &diffRules[i]
		}
	}
	return nil
}

// annotation is a workload in one text, a reason per line.
func annotation(w *compare.Workload) string {
	lines := []string{printable(WorkloadName(w) + " " + headline(w))}
	for _, r := range reasons(w, textReasons) {
		lines = append(lines, printable(r.text))
	}
	if w.Mend != "" {
		lines = append(lines, printable("to mend it: "+w.Mend))
	}
	if w.Verdict.Restarts() {
		lines = append(lines, printable(rolling(w)))
	}
	return strings.Join(lines, "\n")
}

// diffGitHub writes a workflow command per workload that restarts or should,
// and one that sums up. No value is told: logs are kept.
func diffGitHub(w io.Writer, d *compare.Diff, _ DiffOptions) error {
	var b strings.Builder
	githubCommand(&b, graph.Info, Fault{Message: summary(d)}, "restamp diff")
	for i := range d.Workloads {
		w := &d.Workloads[i]
		if rule := ruleOf(w.Verdict); rule != nil {
			githubCommand(&b, rule.severity, Fault{w.Place.File(), w.Place.Line(), annotation(w)}, rule.what)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
