package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/config"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

// options are the flags that all commands have.
type options struct {
	namespace     string
	secretKeyFile string
	logFile       string
	configFile    string
	config        *config.Config // nil where there is none
	isFunction    bool
	isPlugin      bool // of kustomize, by its older protocol
	report        string
	failOn        string
	strict        bool
	allowEmpty    bool
	verbose       bool
	quiet         bool

	held int64 // bytes of inputs that were read before, and are kept
}

var severities = map[string]graph.Severity{"info": graph.Info, "warning": graph.Warning, "error": graph.Error}

func (o *options) add(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&o.namespace, "namespace", "n", "", "namespace of the objects that name none")
	flags.StringVar(&o.secretKeyFile, "secret-key-file", "", "file with the key for the hashes of Secret values (or "+secretKeyFileVariable+"; or the key itself in "+secretKeyVariable+"; the flag wins)")
	flags.StringVar(&o.configFile, "config", "", "file with a configuration of kind "+config.Kind+"; flags win over it")
	flags.StringVar(&o.logFile, "log-file", "", "file that gets a copy of what goes to stderr (or "+logFileVariable+")")
	flags.StringVar(&o.report, "report", "text", "format of the findings on stderr: "+oneOf(report.Formats))
	flags.StringVar(&o.failOn, "fail-on", "error", "least severity of a finding that fails the run: error, warning, info or none")
	flags.BoolVar(&o.strict, "strict", false, "unresolved references are errors")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "input without any object is no error")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "show infos too")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show errors only")
	complete := func(name string, words ...string) {
		// The flag is there: it was added above.
		_ = root.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("report", report.Formats...)
	complete("fail-on", "error", "warning", "info", "none")
}

// log copies stderr to a file, where one is named.
func (o *options) log(cmd *cobra.Command) error {
	path := cmp.Or(o.logFile, os.Getenv(logFileVariable))
	if path == "" {
		return nil
	}
	l, err := openLog(path, cmd.ErrOrStderr())
	if err != nil {
		return usage("opening the log file: %w", err)
	}
	cmd.Root().SetErr(l)
	return nil
}

// check refuses flags that say nothing or two things.
func (o *options) check() error {
	if _, ok := severities[o.failOn]; !ok && o.failOn != "none" {
		return usage("--fail-on %s: it must be error, warning, info or none", o.failOn)
	}
	if !slices.Contains(report.Formats, o.report) {
		return usage("--report %s: it must be %s", o.report, oneOf(report.Formats))
	}
	if o.namespace != "" && !graph.ValidNamespace(o.namespace) {
		return usage("--namespace %q: it must be a DNS label", o.namespace)
	}
	if o.verbose && o.quiet {
		return usage("--verbose and --quiet contradict each other")
	}
	return nil
}

// run stamps the manifests at paths, or those on stdin without one, and writes
// the findings. The error says that a finding, or something worse, fails the
// command: then nothing else must be written. join says that the inputs are
// going to be one stream.
func (o *options) run(cmd *cobra.Command, paths []string, join bool) (*render.Run, error) {
	run, err := o.read(cmd, paths, render.Options{Join: join})
	if err != nil {
		return nil, err
	}
	return run, o.judge(cmd, run)
}

// judge writes the findings, and fails where they forbid the output.
func (o *options) judge(cmd *cobra.Command, run *render.Run) error {
	if err := o.tell(cmd, run.Findings); err != nil {
		return err
	}
	return o.verdict(run.Findings)
}

// read reads and stamps, and says nothing about the findings. The flags are put
// into opts.
func (o *options) read(cmd *cobra.Command, paths []string, opts render.Options) (*render.Run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	sources, err := o.sources(cmd, paths)
	if err != nil {
		return nil, o.unread(cmd, err)
	}
	return o.stampSources(cmd, sources, opts)
}

// stampSources is read for sources that were found already.
func (o *options) stampSources(cmd *cobra.Command, sources []render.Source, opts render.Options) (*render.Run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.readConfigFile(cmd); err != nil {
		return nil, err
	}
	key, err := o.secretKey()
	if err != nil {
		return nil, err
	}
	opts.Graph.SecretKey = key
	return o.stampConfigured(cmd, sources, opts)
}

// stampConfigured is stampSources where the configuration and the key were read
// already.
func (o *options) stampConfigured(cmd *cobra.Command, sources []render.Source, opts render.Options) (*render.Run, error) {
	var read atomic.Int64
	opts.Graph.Namespace, opts.Graph.Strict = o.namespace, o.strict
	if o.config != nil {
		o.config.Apply(&opts.Graph)
	}
	opts.AllowEmpty = o.allowEmpty
	opts.Progress = func(n int) { allow(o.held + read.Add(int64(n))) }
	stop := showProgress(cmd, func() string { return fmt.Sprintf("%d MB read", read.Load()/1e6) })
	run, err := render.Stamp(sources, opts)
	stop()
	if err != nil {
		return nil, o.unread(cmd, err)
	}
	return run, nil
}

// tell writes the findings, all of a run at once: they are one document in most
// formats.
func (o *options) tell(cmd *cobra.Command, findings []graph.Finding) error {
	if err := report.Findings(cmd.ErrOrStderr(), findings, o.reportOptions()); err != nil {
		return fail(fmt.Errorf("writing findings: %w", err))
	}
	return nil
}

func (o *options) reportOptions() report.Options {
	return report.Options{Format: o.report, Least: o.least(), Version: version()}
}

// readConfigFile reads the configuration, where a file is named.
func (o *options) readConfigFile(cmd *cobra.Command) (err error) {
	if o.configFile != "" {
		if o.config, err = readConfig(o.configFile); err != nil {
			return err
		}
	}
	o.configure(cmd)
	return nil
}

// configure takes over what the configuration says about the command's own
// settings. Flags are nearer to the user.
func (o *options) configure(cmd *cobra.Command) {
	if c := o.config; c != nil && c.FailOn != "" && !cmd.Flags().Changed("fail-on") {
		o.failOn = c.FailOn
	}
}

// unread reports that the input could not be read.
func (o *options) unread(cmd *cobra.Command, err error) error {
	var f *failure
	if !errors.As(err, &f) {
		f = fail(err)
	}
	if o.report == "text" {
		return f
	}
	if err := report.Failure(cmd.ErrOrStderr(), faults(f.err), o.reportOptions()); err != nil {
		return fail(fmt.Errorf("writing findings: %w", err))
	}
	return &failure{code: f.code}
}

// faults are the errors that an error joins.
func faults(err error) (all []report.Fault) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, faults(err)...)
		}
		return all
	}
	fault := report.Fault{Message: err.Error()}
	var unread *render.ReadError
	if errors.As(err, &unread) {
		fault.File, fault.Line = unread.File, unread.Line
	}
	return []report.Fault{fault}
}

func (o *options) least() graph.Severity {
	switch {
	case o.quiet:
		return graph.Error
	case o.verbose:
		return graph.Info
	}
	return graph.Warning
}

// verdict fails the run where a finding reaches --fail-on.
func (o *options) verdict(findings []graph.Finding) error {
	least, ok := severities[o.failOn]
	if !ok {
		return nil
	}
	n := 0
	for _, f := range findings {
		if f.Severity >= least {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	if o.report != "text" {
		return &failure{code: atFault}
	}
	return &failure{atFault, fmt.Errorf("nothing is %s: findings at or above --fail-on %s: %d", o.undone(), o.failOn, n), ""}
}

// oneOf lists words of which one is to be chosen.
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// undone is what a failing run does not do. A function gives back what it got.
func (o *options) undone() string {
	if o.isFunction {
		return "stamped"
	}
	return "written"
}

// sources finds the manifests. "-" is stdin, and so is no path at all.
func (o *options) sources(cmd *cobra.Command, paths []string) ([]render.Source, error) {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	var sources []render.Source
	var errs []error
	for _, run := range groupFiles(paths) {
		if run[0] == "-" {
			sources = append(sources, render.Stream(report.StandardInput, cmd.InOrStdin()))
			continue
		}
		found, err := render.Files(run)
		sources = append(sources, found...)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fail(err)
	}
	if len(sources) == 0 && !o.allowEmpty {
		return nil, &failure{
			atFault, fmt.Errorf("reading %s: no manifests there", strings.Join(paths, ", ")),
			"a folder is searched for *.yaml, *.yml and *.json; hidden files are left out",
		}
	}
	return sources, nil
}

// groupFiles puts the paths beside each other together that are no "-", so that
// each file is taken once.
func groupFiles(paths []string) (groups [][]string) {
	for i, path := range paths {
		if path == "-" || i == 0 || paths[i-1] == "-" {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], path)
	}
	return groups
}
