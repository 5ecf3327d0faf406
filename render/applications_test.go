package render

import (
	"strings"
	"testing"
)

// TestApplications holds what is found against what is left, for which reason.
func TestApplications(t *testing.T) {
	for _, c := range []struct {
		name  string
		files string // of one object each, where they say nothing else
		found string
		left  string
	}{
		{"an overlay and its base", "base/kustomization.yaml {}; prod/kustomization.yaml {resources: [../base]}", "prod", "base: part of prod"},
		{"a component", "c/kustomization.yaml {kind: Component}", "", "c: a component"},
		{
			"folders of plugins", "app/kustomization.yaml {transformers: [../t], generators: [g]}; t/kustomization.yaml {}; app/g/kustomization.yaml {}",
			"app", "app/g: part of app, t: part of app",
		},
		{
			"patches", "app/kustomization.yaml {patches: [{path: p/a.yaml}]}; app/p/a.yaml; shared/b.yaml; c/kustomization.yaml {resources: [../shared/b.yaml]}",
			"app c", "app/p: files of it are part of app, shared: files of it are part of c",
		},
		{"a patch that is left over", "app/kustomization.yaml {}; app/p/a.yaml", "app", "app/p: manifests below the kustomization app"},
		{"an application below a kustomization", "app/kustomization.yaml {}; app/b/kustomization.yaml {}", "app app/b", ""},
		{"charts that kustomize fetched", "app/kustomization.yaml {helmCharts: [{name: x, version: '1', repo: r}]}; app/charts/x-1/x/Chart.yaml {}", "app", "app/charts/x-1/x: part of app"},
		{"a chart that is another's part", "a/Chart.yaml {dependencies: [{repository: 'file://../b'}]}; b/Chart.yaml {}; b/charts/c/Chart.yaml {}", "a", "b: part of a"},
		{"a library", "lib/Chart.yaml {type: library}; app/Chart.yaml {}", "app", "lib: a library chart"},
		{"manifests in manifests", "a/a.yaml; a/b/b.yaml; .git/a.yaml", "a a/b", ""},
		{"configuration of tools", "a/skaffold.yaml {apiVersion: skaffold/v4beta1, kind: Config}; b/kubeconfig.yaml {apiVersion: v1, kind: Config}; c/a.yaml", "c", ""},
		{"the case of fields", "a/kustomization.yaml {Resources: [../b]}; b/kustomization.yaml {}", "a", "b: part of a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := make(map[string]string)
			for _, file := range strings.Split(c.files, "; ") {
				path, text, given := strings.Cut(file, " ")
				if !given {
					text = anObject
				}
				files[path] = text
			}
			dir := folderOf(t, files)
			found, left, err := Applications(dir, FolderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var reasons []string
			for _, l := range left {
				reasons = append(reasons, l.Dir+": "+l.Reason)
			}
			short := func(texts []string, between string) string {
				return strings.ReplaceAll(strings.Join(texts, between), dir+"/", "")
			}
			if got := short(found, " "); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
			if got := short(reasons, ", "); got != c.left {
				t.Errorf("left %q, want %q", got, c.left)
			}
		})
	}
}
