package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/internal/draw"
	"github.com/restamp/restamp/internal/picture"
)

func newGraph(opts *options) *cobra.Command {
	var format string
	var selection picture.Selection
	cmd := &cobra.Command{
		Use:   "graph [PATH...]",
		Short: "Show who uses what",
		Long: `graph shows producers, the sources that they make, and the workloads that use
those: through which fields, and which keys. --from says who restarts when a
source changes, --of what a workload uses. The formats svg and html are complete
by themselves; dot and mermaid are for other programs.`,
		Example: `  restamp graph rendered/
  restamp graph --from ConfigMap/web:LOG_LEVEL rendered/
  helm template shop ./chart | restamp graph -o html > shop.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && isTerminal(cmd.InOrStdin()) {
				return cmd.Help()
			}
			return opts.graph(cmd, args, format, selection)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&format, "output", "o", draw.Formats()[0], "format: "+strings.Join(draw.Formats(), ", "))
	f.StringSliceVar(&selection.From, "from", nil, "sources whose users are shown: Kind/[namespace/]name[:key]")
	f.StringSliceVar(&selection.Of, "of", nil, "workloads whose sources are shown: Kind/[namespace/]name")
	f.StringSliceVar(&selection.Namespaces, "in", nil, "namespaces that are shown; default: all")
	f.BoolVar(&selection.Missing, "missing", false, "show only what is missing or ambiguous, with who uses it")
	f.BoolVar(&selection.Unused, "unused", false, "show only what nobody uses")
	// The flag is there: it was added above.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(draw.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *options) graph(cmd *cobra.Command, paths []string, format string, selection picture.Selection) error {
	if !slices.Contains(draw.Formats(), format) {
		return usage("--output %s: it must be one of %s", format, strings.Join(draw.Formats(), ", "))
	}
	quiet := *o
	quiet.failOn = "none" // what is wrong is part of the picture
	quiet.quiet = !o.verbose
	run, err := quiet.run(cmd, paths, false)
	if err != nil {
		return err
	}
	part, err := picture.Of(run).Select(selection)
	var none *picture.NoneError
	if errors.As(err, &none) {
		return &failure{atFault, err, has(none.Has)}
	}
	if err := draw.Write(cmd.OutOrStdout(), part, format); err != nil {
		return fail(fmt.Errorf("writing the graph: %w", err))
	}
	return nil
}

// has says what there is instead of what was asked for.
func has(names []string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return "it has nothing of that sort"
	case len(names) > most:
		names = append(slices.Clone(names[:most]), "...")
	}
	return "it has " + strings.Join(names, ", ")
}
