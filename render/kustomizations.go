package render

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// kustomization is what a kustomization says about other folders.
type kustomization struct {
	Kind       string         `yaml:"kind"`
	Resources  []string       `yaml:"resources"`
	Bases      []string       `yaml:"bases"`
	Components []string       `yaml:"components"`
	OpenAPI    map[string]any `yaml:"openapi"`
}

// kustomizationTree is a kustomization with all that it is built of.
type kustomizationTree struct {
	folders map[string]*kustomization // by their paths; nil for one that cannot be read
	remote  string                    // the first that is fetched from elsewhere, "" for none
	schema  bool                      // one of them brings a schema along
}

// readKustomizations reads a kustomization and those below it. What cannot be
// read is left to kustomize to tell.
func readKustomizations(dir string) *kustomizationTree {
	t := &kustomizationTree{folders: make(map[string]*kustomization)}
	t.add(filepath.Clean(dir))
	return t
}

func (t *kustomizationTree) add(dir string) {
	if _, ok := t.folders[dir]; ok {
		return
	}
	k := readKustomization(dir)
	t.folders[dir] = k
	if k == nil {
		return
	}
	t.schema = t.schema || len(k.OpenAPI) > 0
	for _, list := range [][]string{k.Resources, k.Bases, k.Components} {
		for _, entry := range list {
			path := filepath.Join(dir, entry)
			info, err := os.Stat(path)
			switch {
			case err == nil && info.IsDir():
				t.add(path)
			case err != nil && isRemote(entry) && t.remote == "":
				t.remote = entry
			}
		}
	}
}

// readKustomization reads the kustomization of a folder, nil where there is none
// that can be read.
func readKustomization(dir string) *kustomization {
	for _, name := range kustomizationNames {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		k := new(kustomization)
		if yaml.Unmarshal(text, k) != nil {
			return nil
		}
		return k
	}
	return nil
}

// isRemote reports whether kustomize would fetch an entry that is no path here:
// by git or by HTTP (api/internal/git/repospec.go of kustomize v5.8).
func isRemote(entry string) bool {
	return strings.Contains(entry, "://") || strings.Contains(entry, "git@") || strings.Contains(entry, "?ref=") ||
		strings.HasPrefix(entry, "github.com/") || strings.HasPrefix(entry, "gh:") || strings.HasPrefix(entry, "git::")
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
