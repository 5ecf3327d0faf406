package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

func newExplain(opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "explain WORKLOAD [PATH...]",
		Short: "Show what a workload uses, and what is under its stamp",
		Long: `explain shows every reference of a workload, what it resolves to, the keys that
it uses, what is left out and why, and the lines whose hash is the stamp.
WORKLOAD is a name, Kind/name or Kind/namespace/name.`,
		Example: `  restamp explain Deployment/web rendered/
  helm template shop ./chart | restamp explain web`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			quiet := *opts
			quiet.failOn = "none" // what fails elsewhere is what is to be explained here
			if !opts.verbose {
				quiet.quiet = true
			}
			run, err := quiet.run(cmd, args[1:], false)
			if err != nil {
				return err
			}
			return explain(cmd.OutOrStdout(), run, args[0])
		},
	}
}

func explain(w io.Writer, run *render.Run, name string) error {
	var known []string
	found := 0
	for i, r := range run.Results {
		known = append(known, r.Workload.ID.String())
		if !names(name, r.Workload.ID) || i > 0 && run.Results[i-1].Workload == r.Workload {
			continue // or one of its templates was shown, and so all were
		}
		for _, detail := range run.Explain(r.Workload) {
			if found > 0 {
				fmt.Fprintln(w)
			}
			found++
			if err := report.Explain(w, detail); err != nil {
				return fail(fmt.Errorf("writing the explanation: %w", err))
			}
		}
	}
	if found > 0 {
		return nil
	}
	slices.Sort(known)
	known = slices.Compact(known)
	const most = 20
	if len(known) > most {
		known = append(known[:most], "...")
	}
	hint := "it has " + strings.Join(known, ", ")
	if len(known) == 0 {
		hint = "it has no workload at all"
	}
	return &failure{atFault, fmt.Errorf("the input has no workload %s with a pod template", name), hint}
}

// names reports whether a user's words mean an object. The kind's case does
// not count, as with kubectl.
func names(words string, id graph.ID) bool {
	parts := strings.Split(words, "/")
	name := parts[len(parts)-1]
	switch len(parts) {
	case 1:
		return name == id.Name
	case 2:
		return strings.EqualFold(parts[0], id.Kind) && name == id.Name
	case 3:
		return strings.EqualFold(parts[0], id.Kind) && parts[1] == id.Namespace && name == id.Name
	}
	return false
}
