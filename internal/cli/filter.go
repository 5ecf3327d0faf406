package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/fn"
	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

// filter stamps stdin. A ResourceList there makes it a function.
func (o *options) filter(cmd *cobra.Command) error {
	if isTerminal(cmd.InOrStdin()) {
		return cmd.Help() // nobody is going to type a manifest
	}
	var f *fn.Function
	opts := render.Options{Join: true, First: func(doc manifest.Document, opts *render.Options) (err error) {
		if f, err = fn.Open(doc); err == nil && f != nil {
			f.Apply(opts)
		}
		return err
	}}
	run, err := o.read(cmd, nil, opts)
	switch {
	case err != nil:
		return err
	case f != nil:
		return o.function(cmd, f, run)
	}
	return o.plugin(cmd, run)
}

// plugin gives a plain stream back; with a configuration, as kustomize's exec
// plugin.
func (o *options) plugin(cmd *cobra.Command, run *render.Run) error {
	if err := o.verdict(run.Findings); err != nil {
		return err
	}
	if o.config != nil && o.config.Validator {
		if stale := fn.StaleFindings(run); len(stale) > 0 {
			return o.tellStale(cmd, stale, run)
		}
		run.Revert()
	}
	return o.writeStream(cmd, run)
}

// function gives the list back. Where a finding fails the run, it is the list
// as it came, with the results: a host that throws the items away on failure
// shows those, and nothing is lost in a pipe that goes on.
func (o *options) function(cmd *cobra.Command, f *fn.Function, run *render.Run) error {
	if err := f.Alone(run); err != nil {
		return fail(err)
	}
	o.isFunction, o.config = true, f.Config
	o.configure(cmd)
	findings, least := run.Findings, graph.Info
	if o.quiet {
		least = graph.Error
	}
	out := cmd.OutOrStdout()
	var verdict, writing error
	if f.Config.Validator {
		stale := fn.StaleFindings(run)
		findings = append(stale, findings...)
		if verdict = o.verdict(run.Findings); verdict == nil && len(stale) > 0 {
			verdict = o.tellStale(cmd, stale, run)
		}
		if f.Silent() && !o.quiet && o.report == "text" {
			fmt.Fprintln(cmd.ErrOrStderr(), "restamp: as a validator it gives no items back: listed under transformers, it would empty the build")
		}
		writing = f.WriteVerdict(out, run, findings, least)
	} else {
		if verdict = o.verdict(run.Findings); verdict != nil {
			run.Revert()
		}
		writing = f.Write(out, run, findings, least)
	}
	if writing != nil {
		return fail(fmt.Errorf("writing the ResourceList: %w", writing))
	}
	return verdict
}

// tellStale writes which stamps are stale, and fails the run.
func (o *options) tellStale(cmd *cobra.Command, stale []graph.Finding, run *render.Run) error {
	if err := report.Findings(cmd.ErrOrStderr(), stale, report.Options{Format: o.report, Least: graph.Error}); err != nil {
		return fail(fmt.Errorf("writing findings: %w", err))
	}
	return staleFailure(len(stale), run)
}
