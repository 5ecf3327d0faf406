package render

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// KustomizeOptions are the flags of kustomize build. Each lets a kustomization
// do more than read its own files, so that none is for the author of one to
// set: a chart's configHome may bring executables along, for example.
type KustomizeOptions struct {
	EnableHelm         bool // helmCharts are rendered, by the command of HelmOptions
	EnableAlphaPlugins bool // plugins and functions run
	EnableExec         bool // functions may be executables
	AnyFile            bool // files outside of a kustomization's own folder are loaded
	AsCurrentUser      bool // functions in containers run as the user that runs restamp
	Offline            bool // bases and files from elsewhere are an error
}

var kustomizationNames = konfig.RecognizedKustomizationFileNames()

func isKustomization(dir string) bool {
	return slices.ContainsFunc(kustomizationNames, func(name string) bool { return isFile(dir, name) })
}

// kustomize builds a kustomization, as kustomize build of the same version
// does. The build cannot be stopped from outside; an interrupted one is left
// behind.
func kustomize(ctx context.Context, dir string, opts FolderOptions) (*Rendered, error) {
	type built struct {
		text []byte
		err  error
	}
	done := make(chan built, 1)
	go func() {
		text, err := build(dir, opts)
		done <- built{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, interrupted(ctx, nil)
	case b := <-done:
		if b.err != nil {
			return nil, fmt.Errorf("building the kustomization: %w", b.err)
		}
		return &Rendered{Sources: []Source{Stream("kustomize build", bytes.NewReader(b.text))}}, nil
	}
}

func build(dir string, opts FolderOptions) (text []byte, err error) {
	defer func() {
		if r := recover(); r != nil { // a function that breaks kustomize's own annotations makes it panic
			err = errors.New(redact(fmt.Sprintf("kustomize panicked: %v", r), nil))
		}
	}()
	tree := readKustomizations(dir)
	remote := tree.remote
	if opts.Kustomize.EnableHelm {
		remote = cmp.Or(remote, tree.chart)
	}
	if opts.Kustomize.Offline && remote != "" {
		return nil, &RemoteError{remote}
	}
	defer tree.lock()()
	log.SetOutput(kustomizeLog{})
	resources, err := krusty.MakeKustomizer(krustyOptions(opts)).Run(filesys.MakeFsOnDisk(), dir)
	if err == nil && tree.label {
		err = setManagedBy(resources)
	}
	if err == nil {
		text, err = resources.AsYaml()
	}
	if err != nil {
		return nil, &KustomizeError{redact(err.Error(), nil)}
	}
	return text, nil
}

// kustomizeVersion is that of the kustomize that is built in.
const kustomizeVersion = "v5.8.2"

// setManagedBy labels objects as the kustomize binary does. The library would
// call restamp's version kustomize's.
func setManagedBy(resources resmap.ResMap) error {
	for _, r := range resources.Resources() {
		labels := r.GetLabels()
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + kustomizeVersion
		if err := r.SetLabels(labels); err != nil {
			return err
		}
	}
	return nil
}

// kustomizeLog is what kustomize says on the way, without the values that it
// quotes.
type kustomizeLog struct{}

func (kustomizeLog) Write(p []byte) (int, error) {
	_, err := os.Stderr.WriteString(redact(string(p), nil))
	return len(p), err
}

func krustyOptions(opts FolderOptions) *krusty.Options {
	k := krusty.MakeDefaultOptions()
	k.Reorder = krusty.ReorderOptionUnspecified
	if opts.Kustomize.AnyFile {
		k.LoadRestrictions = types.LoadRestrictionsNone
	}
	if opts.Kustomize.EnableAlphaPlugins {
		k.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
		k.PluginConfig.FnpLoadingOptions.EnableExec = opts.Kustomize.EnableExec
		k.PluginConfig.FnpLoadingOptions.AsCurrentUser = opts.Kustomize.AsCurrentUser
	}
	k.PluginConfig.HelmConfig = types.HelmConfig{
		Enabled:     opts.Kustomize.EnableHelm,
		Command:     opts.Helm.command(),
		KubeVersion: opts.KubeVersion,
		ApiVersions: opts.APIVersions,
	}
	return k
}

// RemoteError says that a folder needs what must be fetched, which is not
// allowed.
type RemoteError struct {
	What string
}

func (e *RemoteError) Error() string {
	return e.What + " is not in this folder, and nothing may be fetched"
}

// KustomizeError is what kustomize says of a kustomization, without the
// configuration that it quotes.
type KustomizeError struct {
	Text string
}

func (e *KustomizeError) Error() string { return e.Text }
