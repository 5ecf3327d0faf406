package render

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// foreignNames are the files at a folder's top that say that its manifests are
// another tool's to make.
var foreignNames = []string{
	"helmfile.yaml", "helmfile.yml", "helmfile.yaml.gotmpl", "helmfile.d",
	"*.jsonnet", "*.cue", "*.k", "kcl.mod", "Pulumi.yaml", "cdk8s.yaml",
}

// foreign returns the name of such a file.
func foreign(dir string) string {
	for _, pattern := range foreignNames {
		found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are good
		if len(found) > 0 {
			return filepath.Base(found[0])
		}
	}
	return ""
}

// yttCode matches a line that makes a file a template of ytt.
var yttCode = regexp.MustCompile(`(?m)^\s*#@( |data/|schema|overlay/)`)

// Limits of looking at a plain folder.
const (
	mostOfFile  = 1 << 20  // an object of a cluster is hardly larger
	mostOfFiles = 64 << 20 // bytes, of all of them
)

// localGroups are the API groups of files that look like manifests and are for
// a tool: no cluster serves them.
var localGroups = []string{
	"apiserver.config.k8s.io", "audit.k8s.io", "backstage.io", "builtin", "chainsaw.kyverno.io", "cli.kyverno.io", "ctlptl.dev",
	"eksctl.io", "k3d.io", "kind.x-k8s.io", "krew.googlecontainertools.github.com", "kubeadm.k8s.io", "kubelet.config.k8s.io",
	"kubeproxy.config.k8s.io", "kubescheduler.config.k8s.io", "kustomize.config.k8s.io", "kuttl.dev", "restamp.dev",
	"schema.plugin.fluxcd.io", "skaffold",
}

// local reports whether a document is for a tool, and not for a cluster.
func (h *header) local() bool {
	group, _, _ := strings.Cut(h.apiVersion, "/")
	return slices.Contains(localGroups, group) || h.apiVersion == "v1" && h.kind == "Config" // kubectl's
}

// plainAble reports whether a plain folder holds a manifest for a cluster. It
// reads up to the first one.
func plainAble(dir string, opts FolderOptions) bool {
	if foreign(dir) != "" && opts.Renderer == "" {
		return false
	}
	able, read := false, 0
	// A folder that cannot be read holds nothing.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || read > mostOfFiles:
			return fs.SkipAll
		case d.IsDir() && path != dir && !opts.Recurse:
			return fs.SkipDir
		case d.IsDir() || !isManifest(path):
			return nil
		}
		text, err := start(opts.Root, path)
		if err != nil {
			return nil // generating will tell
		}
		read += len(text)
		if yttCode.Match(text) {
			return fs.SkipAll
		}
		for h := range headers(text) {
			if h.apiVersion != "" && h.kind != "" && !h.local() {
				able = true
				return fs.SkipAll
			}
		}
		return nil
	})
	return able
}

// start reads the start of a file that is in the root.
func start(root, path string) ([]byte, error) {
	target, err := regular(root, path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(target)
	if err != nil {
		return nil, err
	}
	defer f.Close() // nothing was written
	return io.ReadAll(io.LimitReader(f, mostOfFile))
}
