package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/restamp/restamp/internal/kudo"
)

// FolderOptions say how to render a folder. The zero value is fit for a
// kustomization and for a plain folder; a chart needs a release name.
type FolderOptions struct {
	Renderer    string   // one of RendererNames; default: the first that knows the folder
	Root        string   // charts and plain folders take no file from outside of it; default: the folder
	Recurse     bool     // a plain folder's subfolders count too; default: its top alone
	Namespace   string   // of a chart's release or a KUDO package's instance; default: helm's, and "default"
	Pattern     string   // of the names of templates; default: the ones that end in .yaml.tmpl, .yml.tmpl or .json.tmpl
	KubeVersion string   // of the cluster, for charts
	APIVersions []string // that the cluster serves, for charts
	Values      ValuesOptions
	Kustomize   KustomizeOptions
	Helm        HelmOptions
	KUDO        KUDOOptions
}

// ValuesOptions are values for a chart or for templates. They count in the order of the fields,
// the last one wins.
type ValuesOptions struct {
	Files      []string // relative to the folder; one that starts with a slash is in the root
	Text       string   // YAML
	Sets       []string // path=value, where the value is a number, a boolean, a list or a text
	SetStrings []string // path=value, where the value is a text
}

// Rendered is what a folder renders to.
type Rendered struct {
	Renderer string
	Sources  []Source // to be stamped as one stream
	Notes    []string // what the user should know, such as what was left out
}

// renderer turns one sort of folder into manifests.
type renderer struct {
	name   string
	knows  func(dir string, opts FolderOptions) bool // by the names of the files at the folder's top
	able   func(dir string, opts FolderOptions) bool // to render it, as far as that is known without doing so
	render func(ctx context.Context, dir string, opts FolderOptions) (*Rendered, error)
}

// renderers are in the order in which they are asked, which is the one that
// Argo CD's own detection comes to: a kustomization beside a chart wins.
func renderers() []renderer {
	return []renderer{
		{"kustomize", named(isKustomization), named(isKustomization), kustomize},
		{"helm", named(isChart), helmAble, helm},
		{"kudo", named(isPackage), named(isPackage), interruptible(kudoPackage)},
		{"templates", hasTemplates, hasTemplates, interruptible(goTemplates)},
		{"plain", func(string, FolderOptions) bool { return true }, plainAble, plain},
	}
}

func named(is func(dir string) bool) func(string, FolderOptions) bool {
	return func(dir string, _ FolderOptions) bool { return is(dir) }
}

// interruptible leaves a rendering behind that cannot be stopped from outside,
// as a template may loop.
func interruptible(render func(dir string, opts FolderOptions) (*Rendered, error)) func(context.Context, string, FolderOptions) (*Rendered, error) {
	type outcome struct {
		rendered *Rendered
		err      error
	}
	return func(ctx context.Context, dir string, opts FolderOptions) (*Rendered, error) {
		done := make(chan outcome, 1)
		go func() {
			rendered, err := render(dir, opts)
			done <- outcome{rendered, err}
		}()
		select {
		case <-ctx.Done():
			return nil, interrupted(ctx, nil)
		case o := <-done:
			return o.rendered, o.err
		}
	}
}

// RendererNames are the values of FolderOptions.Renderer.
var RendererNames = []string{"kustomize", "helm", "kudo", "templates", "plain"}

// Folder renders a folder. Nothing is left out of it in silence: what cannot be
// rendered is an error. The context ends what takes long, with its children.
func Folder(ctx context.Context, dir string, opts FolderOptions) (*Rendered, error) {
	if opts.Root == "" {
		opts.Root = dir
	}
	r, err := pick(dir, opts)
	if err != nil {
		return nil, err
	}
	rendered, err := r.render(ctx, dir, opts)
	if err != nil {
		return nil, fmt.Errorf("rendering %s: %w", dir, err)
	}
	rendered.Renderer = r.name
	return rendered, nil
}

// Detect returns the name of the renderer that Folder would use, or nothing
// where none can render the folder. It renders nothing, and reads as little as
// it can: a host may ask for each of thousands of applications.
func Detect(dir string, opts FolderOptions) string {
	if opts.Root == "" {
		opts.Root = dir
	}
	r, err := pick(dir, opts)
	if err != nil || !r.able(dir, opts) {
		return ""
	}
	return r.name
}

func pick(dir string, opts FolderOptions) (renderer, error) {
	for _, r := range renderers() {
		if opts.Renderer == r.name || opts.Renderer == "" && r.knows(dir, opts) {
			return r, nil
		}
	}
	return renderer{}, fmt.Errorf("renderer %q: it must be %s", opts.Renderer, strings.Join(RendererNames, ", "))
}

// EmptyFolderError says that a folder holds nothing to render.
type EmptyFolderError struct {
	Below string // a manifest in a subfolder, which does not count
}

func (e *EmptyFolderError) Error() string {
	text := "found no " + strings.Join(kustomizationNames, ", ") + ", no " + chartName + ", no " + kudo.OperatorFile +
		" of KUDO, no *.yaml.tmpl, and at the top no " + strings.Join(extensions, ", ") + " file with a Kubernetes object"
	if e.Below != "" {
		text += "; there is one in a subfolder, " + e.Below
	}
	return text
}

// OutsideError says that a folder reaches for a file that is none of its
// repository's.
type OutsideError struct {
	Path string
}

func (e *OutsideError) Error() string { return e.Path + " leads out of the repository" }

// inside returns what a path leads to when all links are followed. It must be
// in the root.
func inside(root, path string) (string, error) {
	target, err := resolved(path)
	if err != nil {
		return "", err
	}
	if root, err = resolved(root); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, target)
	if err != nil || !filepath.IsLocal(rel) {
		return "", &OutsideError{path}
	}
	return target, nil
}

func resolved(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// errIrregular says that a path leads to a folder, a pipe or the like.
var errIrregular = errors.New("it is no file")

// regular returns the file in the root that a path leads to.
func regular(root, path string) (string, error) {
	target, err := inside(root, path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(target)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	return target, err
}

// isFile reports whether a folder has a file of a name.
func isFile(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

// interrupted returns the error of a context that ended, or another one.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}
