package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/render"
)

// argo is what the operator of Argo CD says, by flags in plugin.yaml. What an
// application may say is in the table of parameters.
type argo struct {
	*options
	folder   render.FolderOptions
	restrict string
}

func newArgoCD(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "argocd",
		Short: "Be a config management plugin of Argo CD",
		Long: `argocd has the commands of a config management plugin. They work on the current
folder, which is the application's, and read what Argo CD puts into the
environment. deploy/argocd holds a plugin.yaml that calls them.`,
		Example: `  ARGOCD_APP_NAME=shop ARGOCD_APP_NAMESPACE=shop restamp argocd generate
  restamp argocd discover`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGenerate(opts), newDiscover(opts), newParameters())
	return cmd
}

func newGenerate(opts *options) *cobra.Command {
	a := argo{options: opts}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Render the current folder, stamp it, and write the manifests",
		Long: `generate renders the current folder (a kustomization, a chart, a KUDO package, Go
templates, or manifests as they are), stamps the result, and writes it to stdout.

ARGOCD_APP_NAMESPACE is the namespace of objects that name none, unless -n is
given, and the namespace of a chart's release or of a KUDO package's instance;
ARGOCD_APP_NAME is the name of those; KUBE_VERSION and KUBE_API_VERSIONS go to charts; ARGOCD_APP_PARAMETERS holds the
application's parameters, which "restamp argocd parameters" lists. A flag that is
set here is not the application's to change.`,
		Example: `  ARGOCD_APP_NAME=shop ARGOCD_APP_NAMESPACE=shop restamp argocd generate`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.generate(cmd) },
	}
	flags := cmd.Flags()
	addHelmCommand(cmd, &a)
	flags.BoolVar(&a.folder.Kustomize.EnableHelm, "enable-helm", false, "render helmCharts of kustomizations; these may bring programs along that helm runs")
	flags.BoolVar(&a.folder.Kustomize.EnableAlphaPlugins, "enable-alpha-plugins", false, "run plugins and functions of kustomizations")
	flags.BoolVar(&a.folder.Kustomize.EnableExec, "enable-exec", false, "let such functions be executables, from the repository too")
	flags.StringVar(&a.restrict, "load-restrictor", rootOnly, "files that a kustomization may load: "+rootOnly+" or "+anyFile+", which takes in all files of this container")
	return cmd
}

// Values of --load-restrictor, as kustomize has them.
const (
	rootOnly = "LoadRestrictionsRootOnly"
	anyFile  = "LoadRestrictionsNone"
)

func setRestrictor(o *render.FolderOptions, value string) error {
	if value != rootOnly && value != anyFile {
		return usage("--load-restrictor %s: it must be %s or %s", value, rootOnly, anyFile)
	}
	o.Kustomize.AnyFile = value == anyFile
	return nil
}

func addHelmCommand(cmd *cobra.Command, a *argo) {
	cmd.Flags().StringVar(&a.folder.Helm.Command, "helm-command", "helm", "the helm binary, a path or a name on PATH")
}

func (a *argo) generate(cmd *cobra.Command) error {
	if err := setRestrictor(&a.folder, a.restrict); err != nil {
		return err
	}
	if err := a.readConfigFile(cmd); err != nil {
		return err
	}
	app, err := a.application(cmd)
	if err != nil {
		return err
	}
	if err := app.check(); err != nil {
		return err
	}
	key, err := app.secretKey()
	if err != nil {
		return err
	}
	if err := os.Unsetenv(secretKeyVariable); err != nil { // what rendering starts has no use for it
		return fail(err)
	}
	sources, err := app.render(cmd)
	if err != nil {
		return err
	}
	run, err := app.stampConfigured(cmd, sources, render.Options{Join: true, Graph: graph.Options{SecretKey: key}})
	if err != nil {
		return err
	}
	if err := app.judge(cmd, run); err != nil {
		return err
	}
	return app.writeStream(cmd, run)
}

// render renders the current folder.
func (app *application) render(cmd *cobra.Command) (_ []render.Source, err error) {
	remove, err := workspace()
	if err != nil {
		return nil, fail(fmt.Errorf("making a folder for temporary files: %w", err))
	}
	defer func() {
		if removing := remove(); removing != nil && err == nil {
			err = fail(fmt.Errorf("removing temporary files: %w", removing))
		}
	}()
	// A signal must end the children too, and then the temporary files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	rendered, err := render.Folder(ctx, ".", app.folder)
	var empty *render.EmptyFolderError
	switch {
	case errors.As(err, &empty) && app.allowEmpty:
		return nil, nil
	case err != nil:
		return nil, app.unread(cmd, err)
	}
	if err := app.fits(rendered.Renderer); err != nil {
		return nil, err
	}
	if !app.quiet && app.report == "text" {
		tellNotes(cmd.ErrOrStderr(), rendered.Notes)
	}
	return rendered.Sources, nil
}

func newDiscover(opts *options) *cobra.Command {
	a := argo{options: opts}
	cmd := &cobra.Command{
		Use:   "discover",
		Short: "Tell whether generate can render the current folder",
		Long: `discover writes how generate would render the current folder: kustomize, helm,
kudo, templates or plain. Where it cannot, nothing is written. The exit code is 0 both times: Argo CD
asks for each application, and logs any other one as an error.`,
		Example: `  restamp argocd discover`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Wrong parameters are for generate to tell; they may be another plugin's.
			app, err := a.application(cmd)
			if err != nil {
				app = &application{options: *a.options, folder: a.folder}
			}
			name := render.Detect(".", app.folder)
			if name == "" {
				return nil
			}
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), name); err != nil {
				return fail(err)
			}
			return nil
		},
	}
	addHelmCommand(cmd, &a)
	return cmd
}

func newParameters() *cobra.Command {
	return &cobra.Command{
		Use:     "parameters",
		Short:   "List the parameters that an application may set, as JSON",
		Example: `  restamp argocd parameters`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := json.NewEncoder(cmd.OutOrStdout())
			out.SetIndent("", "  ")
			if err := out.Encode(announcements()); err != nil {
				return fail(fmt.Errorf("writing the parameters: %w", err))
			}
			return nil
		},
	}
}

// repositoryRoot returns the folder that the application's repository is in.
// Argo CD says where in the repository the application is; it may have sent a
// part of the repository alone, so that only the end of that path is there.
func repositoryRoot(dir, sourcePath string) string {
	sourcePath = filepath.Clean(sourcePath)
	for sourcePath != "." && filepath.Base(sourcePath) == filepath.Base(dir) {
		dir, sourcePath = filepath.Dir(dir), filepath.Dir(sourcePath)
	}
	return dir
}

// instanceName takes the namespace off the name of an application that is not
// in Argo CD's own: namespace_name.
func instanceName(name string) string {
	if _, after, found := strings.Cut(name, "_"); found {
		return after
	}
	return name
}
