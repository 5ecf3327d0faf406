package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
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
	marker      string
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
	f.StringVar(&flags.marker, "marker", "", "with -o markdown: tells this comment from other ones of restamp diff")
	f.BoolVar(&flags.values, "values", false, "show values of ConfigMaps")
	f.BoolVar(&flags.twice, "twice", false, "the two are renders of the same commit: what differs is random")
	f.IntVar(&flags.maxRestarts, "max-restarts", -1, "fail if more workloads restart; -1 for no limit")
	f.IntVar(&flags.maxPods, "max-pods", -1, "fail if more pods restart; -1 for no limit")
	return cmd
}

func (o *options) diff(cmd *cobra.Command, old, now string, flags diffFlags) error {
	show := report.DiffOptions{Format: flags.output, Style: style(cmd.OutOrStdout()), Marker: flags.marker, Version: version()}
	if err := show.Check(); err != nil {
		return usage("%w", err)
	}
	if old == "-" && now == "-" {
		return usage("only one side can be stdin")
	}
	before, missing, err := o.side(cmd, old)
	if err != nil {
		return err
	}
	after, both, err := o.side(cmd, now)
	if err != nil {
		return err
	}
	if missing != nil && both != nil { // a name is wrong
		return fail(errors.Join(missing, both))
	}
	if o.verbose { // else findings are lint's matter
		if err := o.tell(cmd, slices.Concat(before.Findings, after.Findings)); err != nil {
			return err
		}
	}
	compareFreely()
	d := compare.Compare(before, after, compare.Options{Values: flags.values})
	d.Twice = flags.twice
	if err := report.Diff(cmd.OutOrStdout(), d, show); err != nil {
		return fail(fmt.Errorf("writing the diff: %w", err))
	}
	flags.uncounted(cmd.ErrOrStderr(), d)
	return flags.verdict(d)
}

// side reads one of the two renders. What is not there is an empty side with
// --allow-empty, as an application comes or goes, and missing says so.
func (o *options) side(cmd *cobra.Command, arg string) (run *render.Run, missing, err error) {
	sources, err := o.sideSources(cmd, arg)
	if o.allowEmpty && errors.Is(err, fs.ErrNotExist) {
		missing, err = err, nil
	}
	if err != nil {
		return nil, nil, err
	}
	run, err = o.stampSources(cmd, sources, render.Options{})
	var failed *failure
	if errors.Is(err, render.ErrEmpty) && errors.As(err, &failed) {
		return nil, nil, &failure{atFault, fmt.Errorf("reading %s: %w", arg, failed.err), emptySide}
	}
	if err != nil {
		return nil, nil, err
	}
	for _, in := range run.Inputs {
		for _, c := range in.Chunks {
			o.held += int64(len(c.Text))
		}
	}
	return run, missing, nil
}

const emptySide = "an application that comes or goes has an empty side: --allow-empty lets it pass"

func (o *options) sideSources(cmd *cobra.Command, arg string) ([]render.Source, error) {
	rest, isGit := strings.CutPrefix(arg, "git:")
	if !isGit {
		return o.sources(cmd, []string{arg})
	}
	revision, path, _ := strings.Cut(rest, ":")
	sources, err := render.Git(".", revision, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &failure{atFault, err, emptySide}
	case err != nil:
		return nil, &failure{atFault, err, "git:REVISION[:PATH] names a file or a folder of a commit that is here: in CI, fetch it first"}
	}
	return sources, nil
}

// verdict fails the command where a budget is exceeded, or where two renders
// of one commit differ.
func (f *diffFlags) verdict(d *compare.Diff) error {
	t := d.Totals()
	switch {
	case f.twice && d.Differs():
		return &failure{
			atFault, errors.New("two renders of one commit differ"),
			"a random value is rendered anew each time: fix it, or keep it out of the stamps with restamp.dev/ignore-keys",
		}
	case f.maxRestarts >= 0 && t.Restarts > f.maxRestarts:
		return overBudget("--max-restarts", "workloads", t.Restarts, f.maxRestarts, d)
	case f.maxPods >= 0 && t.Pods > f.maxPods:
		return overBudget("--max-pods", "pods", t.Pods, f.maxPods, d)
	}
	return nil
}

func overBudget(flag, noun string, n, most int, d *compare.Diff) error {
	var names []string
	for i := range d.Workloads {
		if w := &d.Workloads[i]; w.Verdict.Restarts() {
			names = append(names, report.WorkloadName(w))
		}
	}
	return &failure{atFault, fmt.Errorf("%s that restart: %d, and %s allows %d: %s", noun, n, flag, most, strings.Join(names, ", ")), ""}
}

// uncounted tells of what --max-pods does not see.
func (f *diffFlags) uncounted(w io.Writer, d *compare.Diff) {
	if t := d.Totals(); f.maxPods >= 0 && t.EachNode+t.Unknown > 0 {
		fmt.Fprintf(w, "restamp: --max-pods does not count workloads of which the manifests do not say how many pods they have: %d\n", t.EachNode+t.Unknown)
	}
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
