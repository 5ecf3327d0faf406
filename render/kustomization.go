package render

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"
)

// kustomization is one as kustomize reads it, where the case of a field's name
// does not count.
type kustomization types.Kustomization

// readKustomization reads the kustomization of a folder, nil where there is none
// that can be read.
func readKustomization(dir string) *kustomization {
	for _, name := range kustomizationNames {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		k := new(types.Kustomization)
		if k.Unmarshal(text) != nil {
			return nil
		}
		k.FixKustomization() // older names of fields
		return (*kustomization)(k)
	}
	return nil
}

// files are what a kustomization names that must be a file, or a patch's text.
func (k *kustomization) files() []string {
	paths := slices.Concat(k.Crds, k.Configurations, []string{k.OpenAPI["path"]})
	//lint:ignore SA1019 kustomize reads it yet
	for _, patch := range k.PatchesStrategicMerge {
		paths = append(paths, string(patch))
	}
	//lint:ignore SA1019 likewise
	for _, patch := range slices.Concat(k.Patches, k.PatchesJson6902) {
		paths = append(paths, patch.Path)
	}
	for _, replacement := range k.Replacements {
		paths = append(paths, replacement.Path)
	}
	for _, g := range k.ConfigMapGenerator {
		paths = append(paths, sourcesOf(g.KvPairSources)...)
	}
	for _, g := range k.SecretGenerator {
		paths = append(paths, sourcesOf(g.KvPairSources)...)
	}
	for _, c := range k.HelmCharts {
		paths = append(append(paths, c.ValuesFile), c.AdditionalValuesFiles...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// sourcesOf are the files of a generator. A file's path may have a key before
// it.
func sourcesOf(g types.KvPairSources) []string {
	paths := slices.Clone(g.EnvSources)
	for _, source := range g.FileSources {
		_, path, keyed := strings.Cut(source, "=")
		if !keyed {
			path = source
		}
		paths = append(paths, path)
	}
	return paths
}

// plugins are the files and folders with configurations of plugins, and such
// configurations.
func (k *kustomization) plugins() []string {
	return slices.Concat(k.Generators, k.Transformers, k.Validators)
}

// chartPath is the folder where kustomize looks for a chart before it has helm
// fetch it to there.
func (k *kustomization) chartPath(dir string, c types.HelmChart) string {
	home := types.HelmDefaultHome
	if k.HelmGlobals != nil {
		home = cmp.Or(k.HelmGlobals.ChartHome, home)
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(dir, home)
	}
	if c.Version != "" && c.Repo != "" {
		home = filepath.Join(home, c.Name+"-"+c.Version)
	}
	return filepath.Join(home, c.Name)
}

// isURL reports whether kustomize would fetch a file by HTTP.
func isURL(path string) bool {
	u, err := url.Parse(path)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// gitAddress matches what kustomize would clone (api/internal/git/repospec.go
// of kustomize v5.8).
var gitAddress = regexp.MustCompile(`^(?i)(git::)?((ssh|https?|file)://|[a-z][a-z0-9-]*@|github\.com[/:])`)

func isGit(entry string) bool { return gitAddress.MatchString(entry) }

// pathFields are the fields of kustomize's own plugins that name files.
var pathFields = []string{"path", "paths", "files", "env", "envs", "targetFilePath", "valuesFile", "additionalValuesFiles"}

// pathsIn are the texts of such fields in a plugin's configuration.
func pathsIn(n *yaml.Node) (paths []string) {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && slices.ContainsFunc(pathFields, func(name string) bool { return strings.EqualFold(name, n.Content[i-1].Value) }) {
			value := aliased(child)
			for _, source := range append(slices.Clone(value.Content), value) {
				text := aliased(source).Value
				_, path, _ := strings.Cut(text, "=")
				paths = append(paths, text, path)
			}
		}
		paths = append(paths, pathsIn(child)...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// fieldOf is a field of a map as kustomize's plugins read it, an empty node
// where there is none.
func fieldOf(n *yaml.Node, name string) *yaml.Node {
	for i := 1; i < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if strings.EqualFold(n.Content[i-1].Value, name) {
			return aliased(n.Content[i])
		}
	}
	return &yaml.Node{}
}

func aliased(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
