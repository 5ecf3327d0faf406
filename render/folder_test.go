package render

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderOf makes a folder of files by their names.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	anObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	aTest    = "true" // a program that is everywhere, in helm's place
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		opts  FolderOptions
		want  string
	}{
		{name: "nothing"},
		{name: "an object", files: map[string]string{"a.yaml": anObject}, want: "plain"},
		{name: "an object of JSON", files: map[string]string{"a.json": `{"kind": "A", "apiVersion": "v1"}`}, want: "plain"},
		{name: "an object behind others", files: map[string]string{"a.yml": "a: b\n---\n" + anObject}, want: "plain"},
		{name: "a kind without apiVersion", files: map[string]string{"a.yaml": "kind: A\n"}},
		{name: "a tool's file", files: map[string]string{"a.yaml": "apiVersion: skaffold/v4beta1\nkind: Config\n"}},
		{name: "a tool's file beside an object", files: map[string]string{"a.yaml": "apiVersion: v1\nkind: Config\n", "b.yaml": anObject}, want: "plain"},
		{name: "an object of another extension", files: map[string]string{"a.txt": anObject}},
		{name: "an object below", files: map[string]string{"b/a.yaml": anObject}},
		{name: "an object below that counts", files: map[string]string{"b/a.yaml": anObject}, opts: FolderOptions{Recurse: true}, want: "plain"},
		{name: "no YAML", files: map[string]string{"a.yaml": "kind: {{ .Kind }}\n\tapiVersion: v1"}, want: "plain"},
		{name: "JSON that breaks off", files: map[string]string{"a.json": `{"apiVersion": "v1", "kin`}, want: "plain"},
		{name: "JSON that breaks off sooner", files: map[string]string{"a.json": ` { "kind": "Deploy`}, want: "plain"},
		{name: "YAML that breaks off", files: map[string]string{"a.yaml": "kind: \"Deploy"}, want: "plain"},
		{name: "an editor's file", files: map[string]string{"a.json": `{"tasks": [{"group": {"kind": "build"}, // main` + "\n}]"}},
		{name: "CUE", files: map[string]string{"a.yaml": anObject, "main.cue": ""}},
		{name: "a kustomization", files: map[string]string{"Kustomization": ""}, want: "kustomize"},
		{name: "a kustomization below", files: map[string]string{"a/kustomization.yaml": ""}},
		{name: "a chart", files: map[string]string{"Chart.yaml": ""}, opts: FolderOptions{Helm: HelmOptions{Command: aTest}}, want: "helm"},
		{name: "a chart beside a kustomization", files: map[string]string{"Chart.yaml": "", "kustomization.yml": ""}, want: "kustomize"},
		{name: "a chart without helm", files: map[string]string{"Chart.yaml": "", "a.yaml": anObject}, opts: FolderOptions{Helm: HelmOptions{Command: "none"}}},
		{name: "one that is asked for", files: map[string]string{"Chart.yaml": "", "a.yaml": anObject}, opts: FolderOptions{Renderer: "plain"}, want: "plain"},
		{name: "one that is asked for in vain", files: map[string]string{"a.yaml": anObject}, opts: FolderOptions{Renderer: "kustomize"}},
		{name: "one that there is not", files: map[string]string{"a.yaml": anObject}, opts: FolderOptions{Renderer: "cue"}},
	} {
		if got := Detect(folderOf(t, c.files), c.opts); got != c.want {
			t.Errorf("%s: detected %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDetectReadsLittle: a folder of huge files is given up.
func TestDetectReadsLittle(t *testing.T) {
	dir := folderOf(t, map[string]string{"z.yaml": anObject})
	line := strings.Repeat("a", 100) + ": b\n"
	for _, name := range []string{"a.yaml", "b.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(line, mostOfFile/len(line)+1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := Detect(dir, FolderOptions{}); got != "plain" {
		t.Errorf("two large files before an object: detected %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(strings.Repeat("\n", mostOfFile)+anObject), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "z.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := Detect(dir, FolderOptions{}); got != "" {
		t.Errorf("an object behind a megabyte of nothing: detected %q", got)
	}
}

func TestFolderErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		opts  FolderOptions
		want  string
	}{
		{"UTF-16", map[string]string{"a.yaml": "\xFF\xFEk\x00"}, FolderOptions{}, "a.yaml: it is UTF-16, and must be UTF-8"},
		{"two faults", map[string]string{"a.yaml": "\xFF\xFE", "b.yaml": "a: b\n---\nkind: A"}, FolderOptions{}, "b.yaml: line 1: a document without kind"},
		{"no chart", nil, FolderOptions{Renderer: "helm", Helm: HelmOptions{Command: aTest, Release: "a"}}, "found no Chart.yaml"},
		{"no release", map[string]string{"Chart.yaml": ""}, FolderOptions{Helm: HelmOptions{Command: aTest}}, `the release name ""`},
		{"a comma", map[string]string{"Chart.yaml": "", "a,b": ""}, FolderOptions{Helm: HelmOptions{Command: aTest, Release: "a"}, Values: ValuesOptions{Files: []string{"a,b"}}}, "a,b: helm takes no file with a comma"},
		{"no renderer", nil, FolderOptions{Renderer: "cue"}, `renderer "cue": it must be kustomize, helm, kudo, templates, plain`},
	} {
		_, err := Folder(context.Background(), folderOf(t, c.files), c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestInterruptedBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Folder(ctx, folderOf(t, map[string]string{"kustomization.yaml": "namespace: a"}), FolderOptions{})
	var kustomizeErr *KustomizeError
	if err == nil || !strings.HasSuffix(err.Error(), "interrupted") && !errors.As(err, &kustomizeErr) { // the build may win
		t.Errorf("got %v", err)
	}
}

// TestRedact: what the tools say of a value, without it. The texts are theirs.
func TestRedact(t *testing.T) {
	values := secretValues([]byte("db: {password: swordfish}\nlist:\n- apiKey: [abc-def, x]\nname: public-name\ndatabase: postgres://me:hunter3@db/x\n"))
	for _, c := range []struct{ text, want string }{
		{"bad swordfish, abc-def", "bad ..., ..."},
		{"bad postgres://me:hunter3@db/x, c3dvcmRmaXNo", "bad postgres://me:...@db/x, ..."},
		{"an x in public-name", "an x in public-name"},
		{"trouble configuring builtin X with config: `\na: `hunter2`\n`: because", "trouble configuring builtin X with config: `...`: because"},
		{`patch from [patch: "a: \"hunter2\"\n"]`, `patch from [patch: ...]`},
		{"literal sources [a=hunter2 b]: invalid literal source b, expected key=value", "literal sources ...: invalid literal source ..., expected key=value"},
		{"yaml: line 2: cannot unmarshal !!str `hunter2` into int", "yaml: line 2: cannot unmarshal !!str `...` into int"},
		{"yaml: unknown anchor 'hunter2' referenced", "yaml: unknown anchor '...' referenced"},
		{`strconv.Atoi: parsing "hunter2": invalid syntax`, `strconv.Atoi: parsing ...: invalid syntax`},
		{"error parsing regexp: missing closing ): `(hunter2`", "error parsing regexp: missing closing ): ..."},
		{"range can't iterate over hunter2", "range can't iterate over ..."},
		{`time: invalid duration "hunter2"`, `time: invalid duration ...`},
		{"- at '/p': 'hunter2' does not match pattern '^x'", "- at '/p': ... does not match pattern '^x'"},
		{"table for x (map[a:hunter2])", "table for x (map[...])"},
		{"expected MappingNode but got ScalarNode: node contents:\nhunter2\n", "expected MappingNode but got ScalarNode: node contents:\n..."},
		{"options.index 5 is out of bounds for value hunter2", "options.index 5 is out of bounds for value ..."},
		{"evalsymlink failure on '/app/a.yaml' : lstat /app/a.yaml: no such file", "evalsymlink failure on '/app/a.yaml' : lstat /app/a.yaml: no such file"},
		{"config: evalsymlink failure on '/app/a: b\npassword: hunter2' : lstat /app/a: b\npassword: hunter2: no such file", "config: evalsymlink failure on '..."},
		{"accumulating resources from 'https://me:hunter2@example.com/x.yaml': Get", "accumulating resources from 'https://me:...@example.com/x.yaml': Get"},
		{"bad replacement type=map[string]interface {} val=map[a:hunter2]\n", "bad replacement type=map[string]interface {} val=...\n"},
		{"no matches for Id Deployment.v1.apps/web.[noNs]", "no matches for Id Deployment.v1.apps/web.[noNs]"},
	} {
		if got := redact(c.text, values); got != c.want {
			t.Errorf("redact(%q) is %q, want %q", c.text, got, c.want)
		}
	}
}

// TestApplicationsInACircle: kustomizations that are built of each other are no
// applications that work, but none that may be passed over.
func TestApplicationsInACircle(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"a/kustomization.yaml":    "resources: [../b]",
		"b/kustomization.yaml":    "resources: [../a, ../base]",
		"base/kustomization.yaml": "resources: [a.yaml]",
		"self/kustomization.yaml": "resources: [../self]",
		"top/kustomization.yaml":  "resources: [../base]",
	})
	apps, _, err := Applications(dir, FolderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, app := range apps {
		names = append(names, filepath.Base(app))
	}
	if got, want := strings.Join(names, " "), "a b self top"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDependenciesOutside: no part of a chart is copied from outside of the
// repository, wherever and however the chart names it.
func TestDependenciesOutside(t *testing.T) {
	root := folderOf(t, map[string]string{"repo/lib/Chart.yaml": "", "out/Chart.yaml": "", "repo/app/Chart.yaml": "", "repo/linked/Chart.yaml": ""})
	if err := os.Symlink("../../out", filepath.Join(root, "repo/linked/charts")); err != nil {
		t.Fatal(err)
	}
	const outside = `dependencies: [{name: a, repository: "file://../../out"}]`
	for _, c := range []struct{ name, text, want string }{
		{"Chart.yaml", `dependencies: [{name: a, repository: "file://../lib"}, {name: b, repository: "file://../none"}, {name: c, repository: "https://example.com"}]`, ""},
		{"Chart.yaml", outside, "leads out of the repository"},
		{"Chart.yaml", strings.Replace(outside, "dependencies", "Dependencies", 1), "leads out of the repository"},
		{"Chart.yaml", strings.Replace(outside, "../../out", root+"/out", 1), "leads out of the repository"},
		{"Chart.yaml", strings.Replace(outside, "../../out", "../linked", 1), "leads out of the repository"},
		{"Chart.lock", outside, "leads out of the repository"},
		{"requirements.yaml", outside, "leads out of the repository"},
		{"requirements.lock", outside, "leads out of the repository"},
	} {
		file := filepath.Join(root, "repo/app", c.name)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		ch := &chart{dir: filepath.Join(root, "repo/app"), opts: FolderOptions{Root: filepath.Join(root, "repo")}}
		err := ch.checkFolders()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %s: %v, want %q", c.name, c.text, err, c.want)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
