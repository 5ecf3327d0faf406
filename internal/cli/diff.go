package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

// diffFlags say how two renders are compared and shown.
type diffFlags struct {
	output      string
	values      bool
	twice       bool
	maxRestarts int
	maxPods     int
}

func newDiff(opts *options) *cobra.Command {
	flags := diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say which workloads restart between two renders, and why",
		Long: `diff compares two renders and says for each workload whether its pods restart,
and because of what: which key of which source changed, and through which field
the workload uses it, or which field of its pod template. Each side is a file, a
folder, - for stdin, or git:REVISION[:PATH], which is read by git. The renders
need no stamps: diff computes them itself.`,
		Example: `  restamp diff git:main:rendered rendered/
  restamp diff old.yaml new.yaml --max-restarts 3
  helm template shop ./chart | restamp diff git:main:shop.yaml -`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return opts.diff(cmd, args[0], args[1], flags) },
	}
	f := cmd.Flags()
	f.StringVarP(&flags.output, "output", "o", "text", "format: "+strings.Join(report.DiffFormats, ", "))
	f.BoolVar(&flags.values, "values", false, "show values of ConfigMaps")
	f.BoolVar(&flags.twice, "twice", false, "the two are renders of the same commit: what differs is random")
	f.IntVar(&flags.maxRestarts, "max-restarts", -1, "fail if more workloads restart; -1 for no limit")
	f.IntVar(&flags.maxPods, "max-pods", -1, "fail if more pods restart; -1 for no limit")
	return cmd
}

func (o *options) diff(cmd *cobra.Command, old, now string, flags diffFlags) error {
	if err := report.CheckDiffFormat(flags.output); err != nil {
		return usage("--output %s: %w", flags.output, err)
	}
	if old == "-" && now == "-" {
		return usage("only one side can be stdin")
	}
	quiet := *o
	if !o.verbose {
		quiet.quiet = true // findings are lint's matter
	}
	before, err := quiet.side(cmd, old)
	if err != nil {
		return err
	}
	after, err := quiet.side(cmd, now)
	if err != nil {
		return err
	}
	d := compare.Compare(before, after, compare.Options{Values: flags.values})
	d.Twice = flags.twice
	out := cmd.OutOrStdout()
	if err := report.Diff(out, d, flags.output, style(out)); err != nil {
		return fail(fmt.Errorf("writing the diff: %w", err))
	}
	return flags.verdict(d)
}

// side reads one of the two renders. One side may be empty: an application
// comes or goes.
func (o *options) side(cmd *cobra.Command, arg string) (*render.Run, error) {
	quiet := *o
	quiet.allowEmpty = true
	if rest, ok := strings.CutPrefix(arg, "git:"); ok {
		revision, path, _ := strings.Cut(rest, ":")
		sources, err := render.Git(".", revision, path)
		if err != nil {
			return nil, &failure{atFault, err, "git:REVISION[:PATH] names a file or a folder of a commit, from the repository's root"}
		}
		return quiet.stampSources(cmd, sources, render.Options{})
	}
	return quiet.read(cmd, []string{arg}, render.Options{})
}

// verdict fails the command where a budget is exceeded, or where two renders
// of one commit differ.
func (f *diffFlags) verdict(d *compare.Diff) error {
	t := d.Totals()
	switch {
	case f.twice && t.Restarts > 0:
		return &failure{atFault, fmt.Errorf("%d workloads would restart between two renders of the same commit", t.Restarts), "a random value is rendered anew each time: fix it, or take it out with restamp.dev/ignore-keys"}
	case f.maxRestarts >= 0 && t.Restarts > f.maxRestarts:
		return &failure{atFault, fmt.Errorf("%d workloads restart; --max-restarts allows %d: %s", t.Restarts, f.maxRestarts, restarting(d)), ""}
	case f.maxPods >= 0 && t.Pods > f.maxPods:
		return &failure{atFault, fmt.Errorf("%d pods restart; --max-pods allows %d: %s", t.Pods, f.maxPods, restarting(d)), ""}
	}
	return nil
}

func restarting(d *compare.Diff) string {
	var names []string
	for i := range d.Workloads {
		if w := &d.Workloads[i]; w.Verdict.Restarts() {
			names = append(names, report.WorkloadName(w))
		}
	}
	return strings.Join(names, ", ")
}

// style is what stdout can show. NO_COLOR and a dumb terminal get no colour.
func style(out io.Writer) report.Style {
	f, ok := out.(*os.File)
	if !ok || !isTerminal(f) {
		return report.Style{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return report.Style{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: width}
}
