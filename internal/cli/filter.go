package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/fn"
	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
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
	verdict := o.verdict(run.Findings)
	var stale []graph.Finding
	if validator := o.config != nil && o.config.Validator; validator && verdict == nil {
		stale = fn.StaleFindings(run)
		run.Revert()
	}
	if err := o.tell(cmd, slices.Concat(run.Findings, stale)); err != nil {
		return err
	}
	switch {
	case verdict != nil:
		return verdict
	case len(stale) > 0:
		return o.staleFailure(len(stale), run)
	case o.isPlugin && o.config.Validator: // kustomize refuses even the very same stream
		o.tellSilence(cmd)
		return nil
	}
	return o.writeStream(cmd, run)
}

// function gives the list back. Where a finding fails the run, it is the list
// as it came, with the results: a host that throws the items away on failure
// shows those, and nothing is lost in a pipe that goes on.
func (o *options) function(cmd *cobra.Command, f *fn.Function, run *render.Run) error {
	if err := f.Alone(run); err != nil {
		return o.unread(cmd, err)
	}
	o.isFunction, o.config = true, f.Config
	o.configure(cmd)
	least := graph.Info
	if o.quiet {
		least = graph.Error
	}
	verdict := o.verdict(run.Findings)
	if f.Config.Validator {
		return o.validate(cmd, f, run, verdict, least)
	}
	if err := o.tell(cmd, run.Findings); err != nil {
		return err
	}
	if verdict != nil {
		run.Revert()
	}
	return o.answered(verdict, f.Write(cmd.OutOrStdout(), run, run.Findings, least))
}

// validate answers a host that asks whether the stamps are as they should be.
func (o *options) validate(cmd *cobra.Command, f *fn.Function, run *render.Run, verdict error, least graph.Severity) error {
	stale := fn.StaleFindings(run)
	told := run.Findings
	if verdict == nil && len(stale) > 0 {
		told, verdict = slices.Concat(told, stale), o.staleFailure(len(stale), run)
	}
	if err := o.tell(cmd, told); err != nil {
		return err
	}
	if f.Silent() {
		o.tellSilence(cmd)
	}
	return o.answered(verdict, f.WriteVerdict(cmd.OutOrStdout(), run, append(stale, run.Findings...), least))
}

// tellSilence warns of a validator in the wrong place.
func (o *options) tellSilence(cmd *cobra.Command) {
	if !o.quiet && o.report == "text" {
		fmt.Fprintln(cmd.ErrOrStderr(), "restamp: as a validator it gives no items back: listed under transformers, it would empty the build")
	}
}

// answered is the verdict, where it could be written.
func (o *options) answered(verdict, writing error) error {
	if writing != nil {
		return fail(fmt.Errorf("writing the ResourceList: %w", writing))
	}
	return verdict
}
