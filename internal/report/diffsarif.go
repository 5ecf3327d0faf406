package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
)

// diffSARIF writes a log in which each workload that restarts, or should, is a
// result. No value is told: logs are kept.
func diffSARIF(w io.Writer, d *compare.Diff, opts DiffOptions) error {
	driver := sarifDriverOf(opts.Version)
	index := make(map[compare.Verdict]int)
	for i, r := range diffRules {
		index[r.verdict] = i
		driver.Rules = append(driver.Rules, sarifRule{
			ID: graph.Code(r.verdict), ShortDescription: sarifText(r.what + "."), FullDescription: sarifText(r.what + ". " + r.why),
			HelpURI: diffHelp(r.verdict), Help: sarifText(cmp.Or(r.hint, r.why)),
			DefaultConfiguration: sarifConfiguration{sarifLevels[r.severity]},
		})
	}
	run := sarifRun{Tool: sarifTool{driver}, Invocations: []sarifInvocation{{ExecutionSuccessful: true}}, Results: []sarifResult{}}
	seen := make(map[string]int)
	for i := range d.Workloads {
		w := &d.Workloads[i]
		rule := ruleOf(w.Verdict)
		if rule == nil {
			continue
		}
		at := graph.Finding{Code: graph.Code(w.Verdict), Place: w.Place, Object: w.ID, Field: w.Template}
		run.Results = append(run.Results, sarifResult{
			RuleID: at.Code, RuleIndex: index[w.Verdict], Level: sarifLevels[rule.severity],
			Message:             sarifLines(annotation(w)),
			Locations:           []sarifLocation{sarifLocationOf(at)},
			PartialFingerprints: map[string]string{"restamp/v1": fingerprint(at, seen)},
		})
	}
	return writeSARIF(w, run)
}

// sarifLines is a plain text of several lines.
func sarifLines(s string) (m sarifMessage) {
	for line := range strings.SplitSeq(s, "\n") {
		m.Text += sarifText(line).Text + "\n"
	}
	m.Text = strings.TrimSuffix(m.Text, "\n")
	return m
}

// diffHelp is where a verdict is explained. That address is kept.
func diffHelp(verdict compare.Verdict) string {
	return "https://github.com/restamp/restamp/blob/main/docs/diff.md#" + string(verdict)
}
