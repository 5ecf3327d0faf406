// Package cli is the command line: commands, flags, exit codes and hints. It
// alone knows of the environment and of the terminal.
package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/render"
)

// Exit codes.
const (
	done     = 0
	atFault  = 1 // the manifests are, a finding reached --fail-on, or --check would change something
	misusage = 2
)

// Run runs restamp with its arguments and streams, and returns the exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	collectLazily()
	widen(stdin)
	widen(stdout)
	var opts options
	args, err := opts.takePluginConfig(args)
	if err == nil {
		root := newRoot(&opts)
		root.SetArgs(args)
		root.SetIn(stdin)
		root.SetOut(stdout)
		root.SetErr(stderr)
		err = root.Execute()
		stderr = root.ErrOrStderr() // with the log file, if there is one
	}
	return exitCode(err, stderr)
}

// exitCode tells of the error that ended a run, and returns its exit code.
func exitCode(err error, stderr io.Writer) int {
	var failed *failure
	var file *fs.PathError
	switch {
	case err == nil:
		return done
	case errors.As(err, &failed):
		tell(stderr, failed)
		return failed.code
	case errors.As(err, &file): // completion could not be written
		tell(stderr, &failure{atFault, err, ""})
		return atFault
	default: // cobra's own: unknown commands and flags, wrong arguments
		tell(stderr, &failure{misusage, err, "restamp --help shows the commands and flags"})
		return misusage
	}
}

// failure is an error with an exit code and advice.
type failure struct {
	code int
	err  error // nil where all was said already
	hint string
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

// tell writes an error, each of several on its own line, and the advice.
func tell(w io.Writer, f *failure) {
	if f.err == nil {
		return
	}
	for _, line := range strings.Split(f.err.Error(), "\n") {
		fmt.Fprintf(w, "restamp: %s\n", line)
	}
	if f.hint != "" {
		fmt.Fprintf(w, "    hint: %s\n", f.hint)
	}
}

// fail makes a failure of an error from below.
func fail(err error) *failure {
	var unread *render.ReadError
	switch {
	case errors.Is(err, render.ErrEmpty):
		return &failure{atFault, err, "look at the command that renders it (set -o pipefail shows its failure); --allow-empty lets it pass"}
	case errors.As(err, &unread):
		return &failure{atFault, err, "each document must be YAML or JSON; a Helm template must be rendered first"}
	}
	return &failure{atFault, err, renderHint(err)}
}

func usage(format string, args ...any) *failure {
	return &failure{misusage, fmt.Errorf(format, args...), ""}
}

func newRoot(opts *options) *cobra.Command {
	root := &cobra.Command{
		Use:   "restamp",
		Short: "Restart pods when, and only when, the configuration that they use has changed",
		Long: `restamp reads Kubernetes manifests, works out which workload uses which ConfigMap
or Secret, and writes a hash of that configuration into the pod templates: so
the roll-out is part of the same apply. Without a command it is a filter; with a
ResourceList on stdin, a KRM function.`,
		Example: `  helm template shop ./chart | restamp | kubectl apply -f -
  restamp < rendered.yaml > stamped.yaml
  restamp stamp -w rendered/`,
		Args:              cobra.NoArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		RunE:              func(cmd *cobra.Command, _ []string) error { return opts.filter(cmd) },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return opts.log(cmd) },
	}
	opts.add(root)
	root.AddCommand(newStamp(opts), newExplain(opts), newDiff(opts), newGraph(opts), newBuild(opts), newLint(opts), newKustomize(), newConfig(opts), newKinds(), newArgoCD(opts), newVersion())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveDefault)
	return root
}
