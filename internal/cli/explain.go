package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/picture"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

func newExplain(opts *options) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain WORKLOAD [PATH...]",
		Short: "Show what a workload uses, and what is under its stamp",
		Long: `explain shows every reference of a workload, what it resolves to, the keys that
it uses, what is left out and why, which annotations had a say, the lines whose
hash is the stamp, and what does and does not restart its pods.
WORKLOAD is a name, Kind/name or Kind/namespace/name.`,
		Example: `  restamp explain Deployment/web rendered/
  helm template shop ./chart | restamp explain web`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(report.ExplainFormats, format) {
				return usage("--output %s: it must be one of %s", format, strings.Join(report.ExplainFormats, ", "))
			}
			quiet := *opts
			quiet.failOn = "none" // what fails elsewhere is what is to be explained here
			quiet.quiet = !opts.verbose
			run, err := quiet.run(cmd, args[1:], false)
			if err != nil {
				return err
			}
			all, err := explanations(run, args[0])
			if err != nil {
				return err
			}
			if err := report.Explain(cmd.OutOrStdout(), all, format); err != nil {
				return fail(fmt.Errorf("writing the explanation: %w", err))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", "format: "+strings.Join(report.ExplainFormats, ", "))
	// The flag is there: it was added above.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(report.ExplainFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// explanations are those of the workloads that a user's words mean.
func explanations(run *render.Run, words string) (all []report.Explanation, err error) {
	outlook := compare.NewOutlook(run)
	var known []string
	for i, r := range run.Results {
		known = append(known, r.Workload.ID.String())
		if !picture.Names(words, r.Workload.ID) || i > 0 && run.Results[i-1].Workload == r.Workload {
			continue // or one of its templates was shown, and so all were
		}
		for _, d := range run.Explain(r.Workload) {
			all = append(all, report.Explanation{
				Detail: d, Pods: outlook.Pods(&d.Result), Roll: outlook.Roll(&d.Result), Findings: about(run.Findings, d.Template, r.Workload),
			})
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	slices.Sort(known)
	return nil, &failure{atFault, fmt.Errorf("the input has no workload %s with a pod template", words), has(slices.Compact(known))}
}

// about are the findings about a pod template, or about its workload as a
// whole.
func about(all []graph.Finding, t *graph.Template, w *graph.Workload) (some []graph.Finding) {
	for _, f := range all {
		other := slices.ContainsFunc(w.Templates, func(o *graph.Template) bool { return o != t && strings.HasPrefix(f.Field+".", o.Path+".") })
		if f.Object == w.ID && (!other || len(w.Templates) == 1) {
			some = append(some, f)
		}
	}
	return some
}
