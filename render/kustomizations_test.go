package render

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestKustomizeFetchesNothing finds whatever a kustomization would have
// fetched, wherever it says so, before kustomize starts.
func TestKustomizeFetchesNothing(t *testing.T) {
	const at = "https://example.invalid/a"
	chart := "{name: x, repo: 'https://example.invalid'}"
	plugin := func(kind, more string) string {
		return "{apiVersion: builtin, kind: " + kind + ", metadata: {name: a}, " + more + "}"
	}
	for _, c := range []struct {
		name, text string
		more       map[string]string
		want       string // default: at
	}{
		{name: "a resource", text: "resources: [%]"},
		{name: "a base by an older field", text: "bases: [%]"},
		{name: "the case of a field", text: "RESOURCES: [%]"},
		{name: "the case of a scheme", text: "resources: ['HTTPS://example.invalid/a']", want: "HTTPS://example.invalid/a"},
		{name: "a folder of that name", text: "resources: [%]", more: map[string]string{"https:/example.invalid/a/kustomization.yaml": ""}},
		{name: "a repository", text: "resources: ['GitHub.com/a/b']", want: "GitHub.com/a/b"},
		{name: "a folder of a repository's name", text: "resources: [github.com/a/b]", more: map[string]string{"github.com/a/b/kustomization.yaml": ""}, want: "github.com/a/b"},
		{name: "a repository by SSH", text: "components: ['me@example.invalid:a/b']", want: "me@example.invalid:a/b"},
		{name: "a base of a base", text: "resources: [b]", more: map[string]string{"b/kustomization.yaml": "resources: [" + at + "]"}},
		{name: "a generator's file", text: "configMapGenerator: [{name: a, files: ['x=%']}]"},
		{name: "a generator's variables", text: "secretGenerator: [{name: a, env: '%'}]"},
		{name: "a patch", text: "patches: [{path: '%'}]"},
		{name: "an older patch", text: "patchesStrategicMerge: [%]"},
		{name: "a patch of JSON", text: "patchesJson6902: [{path: '%', target: {kind: A}}]"},
		{name: "a replacement", text: "replacements: [{path: '%'}]"},
		{name: "kinds", text: "crds: [%]"},
		{name: "a schema", text: "openapi: {path: '%'}"},
		{name: "a configuration", text: "configurations: [%]"},
		{name: "a plugin", text: "transformers: [%]"},
		{name: "a plugin's file", text: "transformers: [t.yaml]", more: map[string]string{"t.yaml": plugin("PatchTransformer", "path: '"+at+"'")}},
		{name: "a plugin's file in a list", text: "transformers: [t.yaml]", more: map[string]string{"t.yaml": "{kind: List, items: [" + plugin("PatchTransformer", "path: '"+at+"'") + "]}"}},
		{name: "a plugin in the kustomization", text: "generators:\n- |-\n  " + plugin("ConfigMapGenerator", "files: ['a=%']")},
		{name: "a folder of plugins", text: "validators: [t]", more: map[string]string{
			"t/kustomization.yaml": "resources: [t.yaml]", "t/t.yaml": "a: &p " + at + "\n---\n" + plugin("ReplacementTransformer", "x: &p '"+at+"', replacements: [{path: *p}]"),
		}},
		{name: "a chart", text: "helmCharts: [" + chart + "]", want: "the chart x of https://example.invalid"},
		{name: "a chart of a plugin", text: "generators: [t.yaml]", more: map[string]string{"t.yaml": plugin("HelmChartInflationGenerator", chart[1:len(chart)-1])}, want: "the chart x of https://example.invalid"},
		{name: "a chart of another version", text: "helmCharts: [{version: '2', " + chart[1:] + "]", more: map[string]string{"charts/x-1/x/Chart.yaml": ""}, want: "the chart x of https://example.invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": strings.ReplaceAll(c.text, "%", at), "a.yaml": anObject}
			for name, text := range c.more {
				files[name] = text
			}
			want := c.want
			if want == "" {
				want = at
			}
			_, err := Folder(context.Background(), folderOf(t, files), FolderOptions{Kustomize: KustomizeOptions{Offline: true, EnableHelm: true}})
			var remote *RemoteError
			if !errors.As(err, &remote) || remote.What != want {
				t.Errorf("got %v, want that %s is not there", err, want)
			}
		})
	}
}

// TestKustomizeNeedsNothing: addresses that nobody fetches are no fault.
func TestKustomizeNeedsNothing(t *testing.T) {
	for _, text := range []string{
		"resources: [a.yaml]\ncommonAnnotations: {path: 'https://example.invalid/a'}",
		"configMapGenerator: [{name: a, literals: ['files=https://example.invalid/a']}]",
		"resources: [a.yaml]\npatches: [{target: {kind: ConfigMap}, patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {path: \"https://example.invalid\"}}'}]",
		"resources: [a.yaml, 'b?ref=c']",
	} {
		dir := folderOf(t, map[string]string{"kustomization.yaml": text, "a.yaml": anObject, "b?ref=c/kustomization.yaml": "resources: [b.yaml]", "b?ref=c/b.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"})
		if _, err := Folder(context.Background(), dir, FolderOptions{Kustomize: KustomizeOptions{Offline: true}}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestKustomizeSaysItsOwnVersion: the library would say the one of the program
// that it is part of.
func TestKustomizeSaysItsOwnVersion(t *testing.T) {
	dir := folderOf(t, map[string]string{"kustomization.yaml": "resources: [a.yaml]\nbuildMetadata: [managedByLabel]", "a.yaml": anObject})
	if text, _ := folderStream(t, dir, FolderOptions{}); !strings.Contains(text, "managed-by: kustomize-v5.8.2\n") {
		t.Errorf("got:\n%s", text)
	}
}
