package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/internal/config"
)

// The variables of kustomize's exec plugins (api/internal/plugins/execplugin of
// kustomize v5.8): it calls a plugin with the file of its configuration as the
// first argument and a plain stream on stdin.
const (
	pluginRootVariable = "KUSTOMIZE_PLUGIN_CONFIG_ROOT"
	pluginHomeVariable = "KUSTOMIZE_PLUGIN_HOME"
)

// pluginFolder is where kustomize looks for the plugin of our kind.
var pluginFolder = filepath.FromSlash(config.APIVersion + "/restamp")

// takePluginConfig takes the configuration off the arguments with which
// kustomize calls a plugin. Of other calls it takes nothing.
func (o *options) takePluginConfig(args []string) (rest []string, err error) {
	if os.Getenv(pluginRootVariable) == "" || len(args) == 0 || !filepath.IsAbs(args[0]) {
		return args, nil
	}
	o.config, err = readConfig(args[0])
	o.isPlugin = true
	return args[1:], err
}

func newKustomize() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "kustomize",
		Short:   "Set restamp up for kustomize",
		Example: "  restamp kustomize install-plugin",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newInstallPlugin())
	return cmd
}

func newInstallPlugin() *cobra.Command {
	var home string
	cmd := &cobra.Command{
		Use:   "install-plugin",
		Short: "Make restamp an exec plugin of kustomize, for kubectl kustomize",
		Long: `install-plugin puts a link to this binary where kustomize looks for the plugin of
a transformer of kind ` + config.Kind + `: so kubectl kustomize, which has no --enable-exec,
can run restamp without a container. It needs --enable-alpha-plugins.`,
		Example: `  restamp kustomize install-plugin
  kubectl kustomize --enable-alpha-plugins overlays/prod | kubectl apply -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			link, err := installPlugin(home)
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n", link)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&home, "plugin-home", "", "kustomize's plugin folder (default: $"+pluginHomeVariable+", else kustomize/plugin in $XDG_CONFIG_HOME or ~/.config)")
	return cmd
}

// installPlugin makes the link, in place of an older one.
func installPlugin(home string) (link string, err error) {
	if home == "" {
		if home, err = pluginHome(); err != nil {
			return "", usage("finding kustomize's plugin folder: %w", err)
		}
	}
	binary, err := os.Executable()
	if err != nil {
		return "", fail(fmt.Errorf("finding this binary: %w", err))
	}
	link = filepath.Join(home, pluginFolder, config.Kind)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return "", fail(fmt.Errorf("making the plugin's folder: %w", err))
	}
	old, err := os.Lstat(link)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fail(fmt.Errorf("installing the plugin: %w", err))
	case old.Mode()&fs.ModeSymlink == 0:
		return "", &failure{atFault, fmt.Errorf("installing the plugin: %s is there already, and is no link", link), "move it away first"}
	default:
		if err := os.Remove(link); err != nil {
			return "", fail(fmt.Errorf("installing the plugin: %w", err))
		}
	}
	if err := os.Symlink(binary, link); err != nil {
		return "", fail(fmt.Errorf("installing the plugin: %w", err))
	}
	return link, nil
}

// pluginHome is where kustomize looks for plugins (api/konfig/plugins.go of
// kustomize v5.8).
func pluginHome() (string, error) {
	if home := os.Getenv(pluginHomeVariable); home != "" {
		return home, nil
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "kustomize", "plugin"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".config", "kustomize", "plugin"), nil
}
