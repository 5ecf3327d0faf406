package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/fn"
	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/render"
)

// stampFlags say what becomes of the stamped manifests. Without any they go to
// stdout.
type stampFlags struct {
	write, check, diff bool
}

func newStamp(opts *options) *cobra.Command {
	var flags stampFlags
	cmd := &cobra.Command{
		Use:   "stamp [PATH...]",
		Short: "Stamp the manifests in files and folders, or on stdin",
		Long: `stamp reads manifests from files, from folders with all that is in them
(*.yaml, *.yml, *.json; hidden ones are left out), or from stdin (-), as one
stream, and writes it with every pod template stamped. References are resolved
across all of the input.`,
		Example: `  restamp stamp rendered/ | kubectl apply -f -
  restamp stamp -w rendered/          # in place
  restamp stamp --check rendered/     # in CI: exit code 1 if a stamp is not as it should be
  restamp stamp -d rendered/          # show what would change`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return opts.stamp(cmd, args, flags)
		},
	}
	cmd.Flags().BoolVarP(&flags.write, "write", "w", false, "write the files that change in place")
	cmd.Flags().BoolVar(&flags.check, "check", false, "write nothing; exit with 1 if something would change")
	cmd.Flags().BoolVarP(&flags.diff, "diff", "d", false, "write a diff of what would change instead of the manifests")
	return cmd
}

func (o *options) stamp(cmd *cobra.Command, paths []string, flags stampFlags) error {
	switch {
	case flags.write && flags.check:
		return usage("--write and --check contradict each other")
	case flags.write && (len(paths) == 0 || slices.Contains(paths, "-")):
		return usage("--write needs files or folders: stdin cannot be written to")
	case len(paths) == 0 && isTerminal(cmd.InOrStdin()):
		return cmd.Help() // nobody is going to type a manifest
	}
	join := !flags.write && !flags.check && !flags.diff
	run, err := o.read(cmd, paths, render.Options{Join: join})
	if err != nil {
		return err
	}
	flags.check = flags.check || o.config != nil && o.config.Validator
	findings := run.Findings
	if flags.check && o.report != "text" { // which has them on stdout
		findings = slices.Concat(fn.StaleFindings(run), findings)
		graph.SortFindings(findings)
	}
	if err := o.tell(cmd, findings); err != nil {
		return err
	}
	if err := o.verdict(run.Findings); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if flags.diff {
		for _, in := range run.Inputs {
			if err := run.WriteDiff(out, in); err != nil {
				return fail(fmt.Errorf("writing the diff: %w", err))
			}
		}
	}
	switch {
	case flags.check:
		return o.checkStamps(cmd, run, flags)
	case flags.write:
		return o.writeFiles(cmd, run)
	case flags.diff:
		return nil
	}
	return o.writeStream(cmd, run)
}

func (o *options) writeStream(cmd *cobra.Command, run *render.Run) error {
	if err := run.Write(cmd.OutOrStdout()); err != nil {
		return fail(fmt.Errorf("writing the stream: %w", err))
	}
	return nil
}

// checkStamps lists the pod templates whose stamps are not as they should be.
func (o *options) checkStamps(cmd *cobra.Command, run *render.Run, flags stampFlags) error {
	n := 0
	for _, r := range run.Results {
		if !r.Stale() {
			continue
		}
		n++
		if !flags.diff {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s: %s: %s\n", r.Template.Place, r.Workload.ID, r.Template.Path, r.StaleWhy())
		}
	}
	if n == 0 {
		return nil
	}
	f := o.staleFailure(n, run)
	f.hint = "restamp stamp -w PATH writes the stamps"
	return f
}

func (o *options) staleFailure(n int, run *render.Run) *failure {
	if o.report != "text" {
		return &failure{code: atFault} // the report says so
	}
	return &failure{atFault, fmt.Errorf("%d of %d pod templates need another stamp", n, len(run.Results)), ""}
}

func (o *options) writeFiles(cmd *cobra.Command, run *render.Run) error {
	written, err := run.WriteFiles()
	if err != nil {
		return fail(err)
	}
	if !o.quiet && o.report == "text" {
		fmt.Fprintf(cmd.ErrOrStderr(), "restamp: %d of %d files written\n", len(written), len(run.Inputs))
	}
	return nil
}
