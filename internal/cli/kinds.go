package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/internal/config"
)

func newKinds() *cobra.Command {
	return &cobra.Command{
		Use:   "kinds",
		Short: "Print what restamp knows of kinds, as a configuration",
		Long: `kinds prints the built-in tables: which kinds have pod templates, which fields
name sources, and of which kinds a controller makes a Secret or ConfigMap. It is
a configuration itself: rows of the same form add to the tables.`,
		Example: "  restamp kinds",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := config.Tables()
			return print(cmd, text, err)
		},
	}
}

func newConfig(opts *options) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the configuration that applies, or its JSON Schema",
		Example: `  restamp config --config restamp.yaml -n shop
  restamp config --schema`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				text, err := config.Schema()
				return print(cmd, text, err)
			}
			c, err := opts.effective(cmd)
			if err != nil {
				return err
			}
			text, err := c.YAML()
			return print(cmd, text, err)
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema")
	return cmd
}

// effective is the configuration with what the flags say put in, and defaults
// written out.
func (o *options) effective(cmd *cobra.Command) (*config.Config, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.readConfigFile(cmd); err != nil {
		return nil, err
	}
	c := new(config.Config)
	if o.config != nil {
		*c = *o.config
	}
	if o.namespace != "" {
		c.Namespace = o.namespace
	}
	c.Strict, c.FailOn = c.Strict || o.strict, o.failOn
	c.Default()
	return c, nil
}

func print(cmd *cobra.Command, text []byte, err error) error {
	if err == nil {
		_, err = cmd.OutOrStdout().Write(text)
	}
	if err != nil {
		return fail(fmt.Errorf("writing the configuration: %w", err))
	}
	return nil
}
