package render

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"

	"github.com/restamp/restamp/graph"
)

// aPackage is one in testdata.
func aPackage(name string) string { return filepath.Join("testdata", "kudo", name) }

// TestKUDOPackages renders and stamps the packages in testdata.
func TestKUDOPackages(t *testing.T) {
	for _, c := range []struct {
		pkg, golden string
		opts        KUDOOptions
	}{
		{"seeds", "seeds", KUDOOptions{}},
		{"tasks", "tasks", KUDOOptions{}},
		{"tasks", "tasks-more", KUDOOptions{
			Plans: []string{"deploy", "cron"}, Instance: "my-1",
			Params: []string{"METRICS=1", "MOTTO=a=b", "TOPOLOGY=[]", "EXTRA={n: 1000000, s: [x]}", "NONE=[1]", "LIMIT=5"},
		}},
	} {
		if got := Detect(aPackage(c.pkg), FolderOptions{}); got != "kudo" {
			t.Errorf("%s: detected %q", c.pkg, got)
		}
		text, _ := folderStream(t, aPackage(c.pkg), FolderOptions{Namespace: "shop", KUDO: c.opts})
		checkGolden(t, aPackage(c.golden+".yaml"), []byte(text))
	}
}

// TestKUDOPipes: what a pipe makes is not missing, not even under --strict.
func TestKUDOPipes(t *testing.T) {
	rendered, err := Folder(context.Background(), aPackage("tasks"), FolderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := Stamp(rendered.Sources, Options{Graph: graph.Options{Strict: true}})
	if err != nil {
		t.Fatal(err)
	}
	standIns := 0
	for _, f := range run.Findings {
		if f.Code == graph.StandIn && strings.Contains(f.Message, "the task page makes ") {
			standIns++
		}
		if f.Severity == graph.Error {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
	if standIns != 4 {
		t.Errorf("%d stand-ins, want 4", standIns)
	}
	want := []string{
		"params.yaml:7: parameter LIMIT: KUDO reads 1000000 as 1e+06: put it in quotes",
		"operator.yaml: task page: ConfigMap/tasksinstance.deploy.phaseone.genpage.page.indexhtml is left out",
		"operator.yaml: task page: Secret/tasksinstance.deploy.phaseone.genpage.page.thetoken is left out",
		"parameter UNKNOWN: testdata/kudo/tasks/child/params.yaml has no such parameter",
	}
	for i, w := range want {
		if len(rendered.Notes) != len(want) || !strings.Contains(rendered.Notes[i], w) {
			t.Fatalf("the notes are %q", rendered.Notes)
		}
	}
}

// TestKUDORestarts is the example of KEP-27: a parameter restarts those of
// which it changes what they use, and nobody else.
func TestKUDORestarts(t *testing.T) {
	stamps := func(params ...string) map[string]string {
		_, run := folderStream(t, aPackage("seeds"), FolderOptions{KUDO: KUDOOptions{Params: params}})
		all := make(map[string]string)
		for _, r := range run.Results {
			all[r.Workload.ID.Kind] = r.Stamp
		}
		return all
	}
	for _, c := range []struct {
		was, is       string
		nodes, export bool // restart
	}{
		{"NODE_COUNT=2", "NODE_COUNT=2", false, false},
		{"NODE_COUNT=2", "NODE_COUNT=3", true, false},   // the seeds are others
		{"NODE_COUNT=3", "NODE_COUNT=30", false, false}, // they are the same
		{"LOG_LEVEL=info", "LOG_LEVEL=debug", true, false},
		{"PORT=9100", "PORT=9101", false, true},
	} {
		was, is := stamps(c.was), stamps(c.is)
		if len(was) != 2 || (was["StatefulSet"] != is["StatefulSet"]) != c.nodes || (was["Deployment"] != is["Deployment"]) != c.export {
			t.Errorf("%s to %s: %v, %v", c.was, c.is, was, is)
		}
	}
}

// TestKUDOHashes: what is rendered is what KUDO itself applies, as its hash of
// a dependency tells. The values are those of KUDO's own test of
// kudo.dev/dependencies-hash, and its hash is the MD5 of the MD5s of the YAML
// of each object, without its namespace and with its labels.
func TestKUDOHashes(t *testing.T) {
	for params, want := range map[string]string{
		"A=FancyValue B=OtherFancyValue":      "6fa812afe527bdb6c9a5fbfcba8193bb",
		"A=ChangedValue B=OtherFancyValue":    "da9f56a62d3c4af2596bebace008d845",
		"A=ChangedValue B=SecondChangedValue": "1510654b540619228b477bdd56d44175",
	} {
		text, _ := folderStream(t, aPackage("hash"), FolderOptions{KUDO: KUDOOptions{Instance: "depop", Params: strings.Fields(params)}})
		if got := dependenciesHash(t, text); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
}

func dependenciesHash(t *testing.T, object string) string {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	o["apiVersion"], o["kind"] = "", ""
	meta := o["metadata"].(map[string]any)
	delete(meta, "namespace")
	maps.Copy(meta, map[string]any{
		"annotations": map[string]any{}, "deletionGracePeriodSeconds": 0, "remainingItemCount": 0,
		"finalizers": []any{}, "managedFields": []any{}, "ownerReferences": []any{},
	})
	text, err := yamlv2.Marshal(map[string]any{"object": o})
	if err != nil {
		t.Fatal(err)
	}
	one := md5.Sum(text)
	all := md5.Sum(one[:])
	return hex.EncodeToString(all[:])
}

func TestKUDOErrors(t *testing.T) {
	const oneTask = "name: a\ntasks: [{name: t, kind: Apply, spec: {resources: [a.yaml]}}]\nplans: {deploy: {phases: [{name: p, steps: [{name: s, tasks: [t]}]}]}}\n"
	const params = "parameters:\n- name: PASSWORD\n  default: hunter2\n- name: COUNT\n  type: integer\n  default: 1\n- {name: E, enum: [a, b], required: false}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		opts  KUDOOptions
		want  string
	}{
		{"a missing key", map[string]string{"templates/a.yaml": "a: b\nc: {{ .Params.NONE }}"}, KUDOOptions{}, `templates/a.yaml:2:13: .Params.NONE: map has no entry for key "NONE"`},
		{"a pipe of another plan", map[string]string{"templates/a.yaml": "{{ .Pipes.x }}"}, KUDOOptions{}, `templates/a.yaml:1:9: .Pipes.x: map has no entry`},
		{"time", map[string]string{"templates/a.yaml": "{{ now }}"}, KUDOOptions{}, "templates/a.yaml:1:3: now: now is not allowed: it depends on the time"},
		{"the network", map[string]string{"templates/a.yaml": `{{ getHostByName "x" }}`}, KUDOOptions{}, "getHostByName is not allowed: it asks the network"},
		{"a function that KUDO lacks", map[string]string{"templates/a.yaml": `{{ include "x" . }}`}, KUDOOptions{}, `function "include" not defined`},
		{"a secret", map[string]string{"templates/a.yaml": `{{ fail .Params.PASSWORD }}`}, KUDOOptions{}, "fail .Params.PASSWORD: ..."},
		{"no YAML", map[string]string{"templates/a.yaml": "kind: {{ .Params.PASSWORD }}: x"}, KUDOOptions{}, "templates/a.yaml: line 1 of what it makes: "},
		{"no kind", map[string]string{"templates/a.yaml": "\n---\na: {{ .Params.PASSWORD }}"}, KUDOOptions{}, "templates/a.yaml: line 3 of what it makes: a document without apiVersion or kind"},
		{"no name", map[string]string{"templates/a.yaml": "apiVersion: v1\nkind: Pod\n"}, KUDOOptions{}, "a Pod without a name"},
		{"a list", map[string]string{"templates/a.yaml": "apiVersion: v1\nkind: List\nitems: []\n"}, KUDOOptions{}, "a List, which KUDO cannot apply"},
		{"no template", nil, KUDOOptions{}, "operator.yaml: task t: there is no template a.yaml"},
		{"no params.yaml", map[string]string{"params.yaml": "-"}, KUDOOptions{}, "reading "},
		{"another version", map[string]string{"operator.yaml": "apiVersion: kudo.dev/v2\n"}, KUDOOptions{}, `operator.yaml: the apiVersion is "kudo.dev/v2", and must be kudo.dev/v1beta1`},
		{"no plan", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Plans: []string{"update"}}, "operator.yaml: there is no plan update, but deploy"},
		{"no task", map[string]string{"templates/a.yaml": "", "operator.yaml": strings.Replace(oneTask, "[t]", "[u]", 1)}, KUDOOptions{}, "plan deploy, phase p, step s: there is no task u"},
		{"a kind", map[string]string{"templates/a.yaml": "", "operator.yaml": strings.Replace(oneTask, "Apply", "Do", 1)}, KUDOOptions{}, `task t: there is no kind "Do" of tasks`},
		{"a toggle", map[string]string{"templates/a.yaml": "", "operator.yaml": strings.NewReplacer("Apply", "Toggle", "spec: {", "spec: {parameter: PASSWORD, ").Replace(oneTask)}, KUDOOptions{}, "task t: the parameter PASSWORD must be true or false"},
		{"a child that is not there", map[string]string{"operator.yaml": strings.NewReplacer("Apply", "KudoOperator", "resources: [a.yaml]", "package: zookeeper").Replace(oneTask)}, KUDOOptions{}, "task t: reading the package zookeeper: it is no folder with a package"},
		{"a child that is its parent", map[string]string{"operator.yaml": strings.NewReplacer("Apply", "KudoOperator", "resources: [a.yaml]", "package: .").Replace(oneTask)}, KUDOOptions{}, "the package is a child of itself"},
		{"a child outside", map[string]string{"operator.yaml": strings.NewReplacer("Apply", "KudoOperator", "resources: [a.yaml]", "package: ..").Replace(oneTask)}, KUDOOptions{}, "reading the package ..: "},
		{"no name of an instance", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Instance: "My_1"}, `the instance "My_1": its name may have`},
		{"no such parameter", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Params: []string{"X=hunter2"}}, "parameter X: "},
		{"no value", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Params: []string{"COUNT="}}, "parameter COUNT: it must be name=value, and the value not empty"},
		{"no integer", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Params: []string{"COUNT=hunter2"}}, "params.yaml:4: parameter COUNT: the value is no integer"},
		{"no word", map[string]string{"templates/a.yaml": ""}, KUDOOptions{Params: []string{"E=hunter2"}}, "params.yaml:7: parameter E: the value must be one of a, b"},
		{"required", map[string]string{"templates/a.yaml": "", "params.yaml": "parameters:\n- name: A\n- {name: B}"}, KUDOOptions{}, "params.yaml:3: parameter B: it is required, and has no value and no default"},
		{"no file", map[string]string{"templates/a.yaml": ""}, KUDOOptions{ParamFiles: []string{"none.yaml"}}, "reading parameters none.yaml: no such file"},
		{"null in a file", map[string]string{"templates/a.yaml": "", "p.yaml": "COUNT:\n"}, KUDOOptions{ParamFiles: []string{"p.yaml"}}, "p.yaml: parameter COUNT: it is null"},
		{"a file that is none", map[string]string{"templates/a.yaml": "", "p.yaml": "- hunter2\n"}, KUDOOptions{ParamFiles: []string{"p.yaml"}}, "reading p.yaml: "},
	} {
		files := map[string]string{"operator.yaml": oneTask, "params.yaml": params}
		maps.Copy(files, c.files)
		dir := folderOf(t, files)
		_, err := Folder(context.Background(), dir, FolderOptions{Renderer: "kudo", KUDO: c.opts})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestKUDOParamFiles(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"operator.yaml":    "apiVersion: kudo.dev/v1beta1\nname: a\ntasks: [{name: t, kind: Apply, spec: {resources: [a.yaml]}}]\nplans: {deploy: {phases: [{name: p, steps: [{name: s, tasks: [t]}]}]}}\n",
		"params.yaml":      "parameters: [{name: A}, {name: B}, {name: C}, {name: L, type: array}, {name: M, type: map}]",
		"templates/a.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: a}\nvalues: {{ .Params | toJson }}\n",
		"one.yaml":         "A: 2000000\nB: [x]\nC: c\nL: [1]\nM: {k: v}\n",
		"two.yaml":         "B: 012\n",
	})
	opts := FolderOptions{KUDO: KUDOOptions{ParamFiles: []string{"one.yaml", "/two.yaml"}, Params: []string{"C=d"}}}
	text, _ := folderStream(t, dir, opts)
	if want := `values: {"A":"2e+06","B":"10","C":"d","L":[1],"M":{"k":"v"}}`; !strings.Contains(text, want) {
		t.Errorf("want %s in\n%s", want, text)
	}
	rendered, err := Folder(context.Background(), dir, opts)
	if err != nil || len(rendered.Notes) != 2 || rendered.Notes[0] != "one.yaml:1: parameter A: KUDO reads 2000000 as 2e+06: put it in quotes" {
		t.Errorf("%v: the notes are %q", err, rendered.Notes)
	}
}

func TestKUDODetection(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"operator.yaml": "apiVersion: kudo.dev/v1beta1", "params.yaml": ""}, "kudo"},
		{map[string]string{"operator.yaml": "tasks: [{name: a}]\nplans: {deploy: {}}", "params.yaml": ""}, "kudo"},
		{map[string]string{"operator.yaml": "apiVersion: kudo.dev/v1beta1\n  bad: [", "params.yaml": ""}, "kudo"},
		{map[string]string{"operator.yaml": "apiVersion: kudo.dev/v1beta1"}, ""},
		{map[string]string{"operator.yaml": anObject, "params.yaml": ""}, "plain"},
		{map[string]string{"operator.yaml": "apiVersion: kudo.dev/v1beta1", "params.yaml": "", "kustomization.yaml": ""}, "kustomize"},
		{map[string]string{"operator.yaml": "apiVersion: kudo.dev/v1beta1", "params.yaml": "", "a.yaml.tmpl": ""}, "kudo"},
	} {
		if got := Detect(folderOf(t, c.files), FolderOptions{}); got != c.want {
			t.Errorf("%v: detected %q, want %q", c.files, got, c.want)
		}
	}
}
