package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/render"
)

// builder is how folders are rendered.
type builder struct {
	*options
	folder   render.FolderOptions
	restrict string
	crds     bool
	remote   bool
	all      bool
	out      string
	workers  int
}

func newBuild(opts *options) *cobra.Command {
	b := builder{options: opts}
	cmd := &cobra.Command{
		Use:   "build DIR",
		Short: "Render a folder and stamp the result",
		Long: `build renders a folder, stamps the result and writes it to stdout. A folder is a
kustomization, a chart (which takes the helm binary), a KUDO package, Go templates
with values, or manifests as they are; --renderer says which, where it is
several. With --all, each application below DIR is rendered into a folder of its
own below the one that --output names; only files that change are written.`,
		Example: `  restamp build overlays/prod | kubectl apply -f -
  restamp build chart --name shop -n shop -f values-prod.yaml
  restamp build templates --set web.replicas=3
  restamp build kafka/operator --instance kafka -n kafka -p BROKER_COUNT=5
  restamp build --all apps -o rendered`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd, args[0]) },
	}
	b.addFlags(cmd)
	return cmd
}

func (b *builder) addFlags(cmd *cobra.Command) {
	f, o := cmd.Flags(), &b.folder
	f.StringVar(&o.Renderer, "renderer", "", "how to render: "+strings.Join(render.RendererNames, ", ")+" (default: the first that knows the folder)")
	f.BoolVar(&o.Recurse, "recurse", true, "take the manifests in subfolders of a plain folder too")
	f.BoolVar(&b.remote, "remote", true, "fetch remote bases of kustomizations and dependencies of charts that are missing")
	f.StringVar(&b.restrict, "load-restrictor", rootOnly, "files that a kustomization may load: "+rootOnly+" or "+anyFile)
	f.BoolVar(&o.Kustomize.EnableHelm, "enable-helm", false, "render helmCharts of kustomizations")
	f.BoolVar(&o.Kustomize.EnableAlphaPlugins, "enable-alpha-plugins", false, "run plugins and functions of kustomizations")
	f.BoolVar(&o.Kustomize.EnableExec, "enable-exec", false, "let such functions be executables")
	f.BoolVar(&o.Kustomize.AsCurrentUser, "as-current-user", false, "run functions in containers as the current user")
	f.StringVar(&o.Helm.Command, "helm-command", "helm", "the helm binary, a path or a name on PATH")
	f.StringVar(&o.Helm.Release, "name", "", "release name of a chart (default: the folder's name)")
	f.StringArrayVarP(&o.Values.Files, "values", "f", nil, "values file of a chart or of templates; may be repeated, the last one wins")
	f.StringArrayVar(&o.Values.Sets, "set", nil, "value of a chart or of templates, as path=value")
	f.StringArrayVar(&o.Values.SetStrings, "set-string", nil, "the same, where the value is a text")
	f.StringVar(&o.Pattern, "template-pattern", "", "pattern of the names of templates (default: *.yaml.tmpl, *.yml.tmpl, *.json.tmpl)")
	f.StringVar(&o.KUDO.Instance, "instance", "", "name of a KUDO package's instance (default: the operator's name and -instance)")
	f.StringArrayVar(&o.KUDO.Plans, "plan", nil, "plan of a KUDO package; may be repeated, they run one after the other (default: deploy)")
	f.StringArrayVarP(&o.KUDO.Params, "param", "p", nil, "parameter of a KUDO package, as name=value")
	f.StringArrayVarP(&o.KUDO.ParamFiles, "param-file", "P", nil, "file of parameters of a KUDO package; may be repeated, the last one wins")
	f.BoolVar(&b.crds, "include-crds", false, "take a chart's CRDs too")
	f.StringVar(&o.KubeVersion, "kube-version", "", "version of the cluster, for charts")
	f.StringSliceVar(&o.APIVersions, "api-versions", nil, "API versions that the cluster serves, for charts")
	f.BoolVar(&b.all, "all", false, "render each application below DIR")
	f.StringVarP(&b.out, "output", "o", "", "folder for what --all renders")
	f.IntVar(&b.workers, "workers", 0, "how many applications --all renders at once (default: the number of CPUs)")
}

// complete checks the flags and fills in what follows from them.
func (b *builder) complete(cmd *cobra.Command) error {
	if err := setRestrictor(&b.folder, b.restrict); err != nil {
		return err
	}
	switch {
	case b.all != (b.out != ""):
		return usage("--all and --output go together")
	case b.all && b.report != "text":
		return usage("--all writes its findings as text")
	case b.workers < 0:
		return usage("--workers %d: it must be a number above zero", b.workers)
	}
	if err := b.check(); err != nil {
		return err
	}
	if err := b.readConfigFile(cmd); err != nil {
		return err
	}
	o := &b.folder
	o.Kustomize.Offline, o.Helm.Offline = !b.remote, !b.remote
	o.Helm.SkipCRDs = !b.crds
	o.Namespace = b.namespace
	for _, files := range [][]string{o.Values.Files, o.KUDO.ParamFiles} {
		for i, file := range files {
			path, err := filepath.Abs(file)
			if err != nil {
				return fail(err)
			}
			files[i] = path
		}
	}
	o.Root = string(filepath.Separator) // who runs this may read what the user may
	return nil
}

func (b *builder) run(cmd *cobra.Command, dir string) error {
	if err := b.complete(cmd); err != nil {
		return err
	}
	key, err := b.secretKey()
	if err != nil {
		return err
	}
	// A signal must end the children too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if b.all {
		return b.buildAll(ctx, cmd, dir, key)
	}
	rendered, err := render.Folder(ctx, dir, b.folderOf(dir))
	var empty *render.EmptyFolderError
	switch {
	case errors.As(err, &empty) && b.allowEmpty:
		rendered = new(render.Rendered)
	case err != nil:
		return b.unread(cmd, err)
	}
	if !b.quiet && b.report == "text" {
		tellNotes(cmd.ErrOrStderr(), rendered.Notes)
	}
	run, err := b.stampConfigured(cmd, rendered.Sources, render.Options{Join: true, Graph: graph.Options{SecretKey: key}})
	if err != nil {
		return nothingRendered(dir, err)
	}
	if err := b.judge(cmd, run); err != nil {
		return err
	}
	return b.writeStream(cmd, run)
}

// tellNotes tells what a renderer left out.
func tellNotes(w io.Writer, notes []string) {
	for _, note := range notes {
		fmt.Fprintf(w, "restamp: %s\n", oneLine(note))
	}
}

// errNothing says that a folder renders to nothing, which a host would take for
// the word to delete everything.
var errNothing = errors.New("it renders to no Kubernetes object")

// nothingRendered is the error of an empty stream that nobody piped.
func nothingRendered(dir string, err error) error {
	if errors.Is(err, render.ErrEmpty) {
		return fail(fmt.Errorf("rendering %s: %w", dir, errNothing))
	}
	return err
}

var notInRelease = regexp.MustCompile(`[^a-z0-9-]+`)

// folderOf are the options for one folder: a release has the folder's name
// where it is given none.
func (b *builder) folderOf(dir string) render.FolderOptions {
	opts := b.folder
	if opts.Helm.Release == "" {
		name := dir
		if abs, err := filepath.Abs(dir); err == nil {
			name = abs
		}
		name = strings.Trim(notInRelease.ReplaceAllString(strings.ToLower(filepath.Base(name)), "-"), "-")
		opts.Helm.Release = strings.TrimRight(name[:min(len(name), 53)], "-")
	}
	return opts
}
