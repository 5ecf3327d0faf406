package render

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// kustomizationTree is a kustomization with all that it is built of.
type kustomizationTree struct {
	seen   map[kustomizationPart]bool
	remote string // the first that kustomize fetches from elsewhere, "" for none
	chart  string // the first that it has helm fetch
	schema bool   // one of them brings a schema along
	label  bool   // kustomize is to say that it built the objects
}

// kustomizationPart is a folder with a kustomization: of objects, or of
// configurations for plugins.
type kustomizationPart struct {
	dir     string
	plugins bool
}

// readKustomizations reads a kustomization and those that it is built of. What
// cannot be read is left to kustomize to tell.
func readKustomizations(dir string) *kustomizationTree {
	t := &kustomizationTree{seen: make(map[kustomizationPart]bool)}
	t.add(kustomizationPart{filepath.Clean(dir), false})
	if k := readKustomization(dir); k != nil {
		t.label = slices.Contains(k.BuildMetadata, types.ManagedByLabelOption)
	}
	return t
}

func (t *kustomizationTree) add(f kustomizationPart) {
	k := readKustomization(f.dir)
	if t.seen[f] || k == nil {
		return
	}
	t.seen[f] = true
	t.schema = t.schema || len(k.OpenAPI) > 0
	for _, path := range k.files() {
		t.addFile(path)
	}
	for _, entry := range slices.Concat(k.Resources, k.Components) {
		t.addEntry(f.dir, entry, f.plugins)
	}
	for _, entry := range k.plugins() {
		if !t.addPlugins(f.dir, []byte(entry)) {
			t.addEntry(f.dir, entry, true)
		}
	}
	for _, c := range k.HelmCharts {
		t.addChart(c, k.chartPath(f.dir, c))
	}
}

func (t *kustomizationTree) addFile(path string) {
	if isURL(path) {
		t.remote = cmp.Or(t.remote, path)
	}
}

// addEntry follows a file or a folder. Kustomize tries a file before git, and
// git before a folder.
func (t *kustomizationTree) addEntry(dir, entry string, plugins bool) {
	path := filepath.Join(dir, entry)
	info, err := os.Stat(path)
	isDir := err == nil && info.IsDir()
	switch {
	case isURL(entry) || isGit(entry) && (err != nil || isDir):
		t.remote = cmp.Or(t.remote, entry)
	case isDir:
		t.add(kustomizationPart{path, plugins})
	case plugins:
		if text, err := os.ReadFile(path); err == nil {
			t.addPlugins(dir, text)
		}
	}
}

// addPlugins follows what configurations of plugins name. It reports whether
// the text holds one, and is no path.
func (t *kustomizationTree) addPlugins(dir string, text []byte) (found bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil { // it is the end, or kustomize will tell
			return found
		}
		found = found || doc.Content[0].Kind == yaml.MappingNode
		for _, object := range append(fieldOf(doc.Content[0], "items").Content, doc.Content[0]) {
			if fieldOf(object, "apiVersion").Value == "builtin" {
				t.addPlugin(dir, object)
			}
		}
	}
}

func (t *kustomizationTree) addPlugin(dir string, object *yaml.Node) {
	for _, path := range pathsIn(object) {
		t.addFile(path)
	}
	if fieldOf(object, "kind").Value == "HelmChartInflationGenerator" {
		text := func(name string) string { return fieldOf(object, name).Value }
		k := kustomization{HelmGlobals: &types.HelmGlobals{ChartHome: text("chartHome")}}
		c := types.HelmChart{Name: text("name"), Repo: text("repo"), Version: text("version")}
		t.addChart(c, k.chartPath(dir, c))
	}
}

func (t *kustomizationTree) addChart(c types.HelmChart, path string) {
	if c.Repo != "" && !isFolder(path) {
		t.chart = cmp.Or(t.chart, "the chart "+c.Name+" of "+c.Repo)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// schemas guards kustomize's OpenAPI schema, which is one for the whole
// process: a build that brings its own has the process to itself. So has one
// with parts from elsewhere, which may.
var schemas sync.RWMutex

// lock waits until the kustomization may be built, and returns what lets the
// next one go on.
func (t *kustomizationTree) lock() (unlock func()) {
	if t.schema || t.remote != "" {
		schemas.Lock()
		return func() {
			openapi.ResetOpenAPI() // else the next build would go by the same schema
			schemas.Unlock()
		}
	}
	schemas.RLock()
	return schemas.RUnlock
}
