package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newLint(opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Write findings only",
		Example: `  restamp lint rendered/
  helm template shop ./chart | restamp lint --strict --fail-on warning`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && isTerminal(cmd.InOrStdin()) {
				return cmd.Help()
			}
			_, err := opts.run(cmd, args, false)
			return err
		},
	}
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Write the version",
		Example: "  restamp version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "restamp %s\n", version()); err != nil {
				return fail(err)
			}
			return nil
		},
	}
}

// version is the module's version, as the go command stamped it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}
