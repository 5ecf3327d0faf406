package render

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/restamp/restamp/graph"
)

// shopTemplates is a folder of templates with a manifest beside them.
func shopTemplates() map[string]string {
	return map[string]string{
		"values.yaml":   "level: info\nreplicas: 2\nhosts: [a, b]\nother: {x: 1}\n",
		"_helpers.tmpl": `{{ define "name" }}shop{{ end }}`,
		"web.yaml.tmpl": `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ include "name" . }}}
spec:
  replicas: {{ .Values.replicas }}
  template:
    metadata:
      annotations:
        checksum/hosts: {{ list .Values.hosts .Values.level | toJson | sha256sum }}
    spec: {containers: [{name: c, envFrom: [{configMapRef: {name: env}}]}]}
`,
		"env.yaml.tmpl":       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: env}\ndata: {LEVEL: {{ .Values.level | quote }}}\n",
		"plain.yaml":          "apiVersion: v1\nkind: Service\nmetadata: {name: shop}\n",
		"below/jobs.yml.tmpl": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: below}\ndata: {X: {{ .Values.other.x | quote }}}\n",
	}
}

func folderStream(t *testing.T, dir string, opts FolderOptions) (string, *Run) {
	t.Helper()
	rendered, err := Folder(context.Background(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	run, err := Stamp(rendered.Sources, Options{Join: true})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), run
}

func TestTemplates(t *testing.T) {
	dir := folderOf(t, shopTemplates())
	if got := Detect(dir, FolderOptions{}); got != "templates" {
		t.Errorf("detected %q", got)
	}
	text, run := folderStream(t, dir, FolderOptions{})
	var order []string
	for _, in := range run.Inputs {
		order = append(order, strings.TrimPrefix(in.Name, dir+"/"))
	}
	if got := strings.Join(order, " | "); got != "below/jobs.yml.tmpl (rendered) | env.yaml.tmpl (rendered) | plain.yaml | web.yaml.tmpl (rendered)" {
		t.Errorf("the order is %s", got)
	}
	for _, want := range []string{`LEVEL: "info"`, "name: shop", `X: "1"`, "replicas: 2", "checksum/hosts: 816a131f", `restamp.dev/config-hash: "h1:`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestTemplateStamps: the author's own checksum and restamp's stamp stand side
// by side, each for what it covers.
func TestTemplateStamps(t *testing.T) {
	dir := folderOf(t, shopTemplates())
	stamps := func(sets ...string) (author, own string) {
		text, run := folderStream(t, dir, FolderOptions{Values: ValuesOptions{Sets: sets}})
		_, after, _ := strings.Cut(text, "checksum/hosts: ")
		author, _, _ = strings.Cut(after, "\n")
		return author, run.Results[0].Stamp
	}
	author, own := stamps()
	for _, c := range []struct {
		set         string
		author, own bool // change
	}{
		{"level=debug", true, true},
		{"hosts={a}", true, false},
		{"replicas=3", false, false},
	} {
		a, o := stamps(c.set)
		if (a != author) != c.author || (o != own) != c.own {
			t.Errorf("%s: the author's changes %v, restamp's %v", c.set, a != author, o != own)
		}
	}
}

func TestTemplateValues(t *testing.T) {
	files := map[string]string{
		"values.yaml": "a: 1\nb: {c: 2, d: 3}\nz:\n", "values-prod.yaml": "b: {c: 4}\n", "other.yaml": "a: null\n",
		"a.yaml.tmpl": "apiVersion: v1\nkind: A\nvalues: {{ .Values | toJson }}\n",
	}
	for _, c := range []struct {
		opts ValuesOptions
		want string
	}{
		{ValuesOptions{}, `{"a":1,"b":{"c":2,"d":3},"z":null}`},
		{ValuesOptions{Files: []string{"values-prod.yaml"}}, `{"a":1,"b":{"c":4,"d":3},"z":null}`},
		{ValuesOptions{Files: []string{"values-prod.yaml", "/other.yaml"}}, `{"b":{"c":4,"d":3},"z":null}`},
		{ValuesOptions{Text: "b: {d: 5}", Sets: []string{"b.d=6,l[0]=x"}, SetStrings: []string{"b.c=7"}}, `{"a":1,"b":{"c":"7","d":6},"l":["x"],"z":null}`},
	} {
		text, _ := folderStream(t, folderOf(t, files), FolderOptions{Values: c.opts})
		if !strings.Contains(text, "values: "+c.want+"\n") {
			t.Errorf("%+v: want %s in\n%s", c.opts, c.want, text)
		}
	}
}

func TestTemplatePattern(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"values.yaml": "a: 1", "a.yaml": "apiVersion: v1\nkind: A\nx: {{ .Values.a }}\n", "_h.tpl": "", "b.yaml": "{{/* nothing */}}",
	})
	opts := FolderOptions{Pattern: "*.yaml"}
	if got := Detect(dir, opts); got != "templates" {
		t.Errorf("detected %q", got)
	}
	if text, _ := folderStream(t, dir, opts); !strings.Contains(text, "x: 1") {
		t.Errorf("got %s", text)
	}
}

// TestTemplateErrors: what is wrong is told with its place, and no value that
// may be secret.
func TestTemplateErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		file string
		opts FolderOptions
		want string
	}{
		{"a missing key", "a: b\nc: {{ .Values.db.user }}", FolderOptions{}, `a.yaml.tmpl:2:13: .Values.db.user: map has no entry for key "user"`},
		{"a value in a message", "{{ atoi .Values.db.password }}{{ fail .Values.db.password }}", FolderOptions{}, "a.yaml.tmpl:1:33: fail .Values.db.password: ..."},
		{"a value that is set", "{{ fail .Values.x }}", FolderOptions{Values: ValuesOptions{Sets: []string{"y=1,x=hunter2"}}}, "fail .Values.x: ..."},
		{"a text that is ranged over", "{{ range .Values.db.password }}{{ end }}", FolderOptions{}, "range can't iterate over ..."},
		{"a bad expression", "{{ regexFind .Values.re .Values.db.user2 }}", FolderOptions{}, "error parsing regexp: missing closing ): ..."},
		{"no file", "", FolderOptions{Values: ValuesOptions{Files: []string{"none.yaml"}}}, "reading values file none.yaml: no such file"},
		{"a file outside", "", FolderOptions{Values: ValuesOptions{Files: []string{"../values.yaml"}}}, "reading values file ../values.yaml: no such file"},
		{"a URL", "", FolderOptions{Values: ValuesOptions{Files: []string{"https://example.com/values.yaml"}}}, "it is no path"},
		{"a bad --set", "", FolderOptions{Values: ValuesOptions{Sets: []string{"a[hunter2"}, SetStrings: []string{"b"}}}, "--set-string: b: there must be =value"},
		{"a bad text", "", FolderOptions{Values: ValuesOptions{Text: "- hunter2"}}, "reading values: the values are no map"},
		{"a bad pattern", "", FolderOptions{Renderer: "templates", Pattern: "["}, `the pattern "[": syntax error`},
		{"a bad file", "", FolderOptions{Values: ValuesOptions{Files: []string{"bad.yaml"}}}, "bad.yaml: yaml: "},
	} {
		dir := folderOf(t, map[string]string{
			"a.yaml.tmpl": c.file, "bad.yaml": "password: hunter2: x",
			"values.yaml": "db: {password: hunter2, user2: hunter3}\nre: \"(hunter4\"",
		})
		_, err := Folder(context.Background(), dir, c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestTemplatesAreInterrupted: a template that loops keeps nobody waiting.
func TestTemplatesAreInterrupted(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.yaml.tmpl": "{{ range 30000000 }}{{ end }}"})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := Folder(ctx, dir, FolderOptions{}); err == nil || !strings.HasSuffix(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
}

// TestTemplatesOfMany: a folder of templates is one application with all below
// it, also where the templates are below alone.
func TestTemplatesOfMany(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"shop/values.yaml": "", "shop/templates/a.yaml.tmpl": anObject, "shop/templates/b.yaml": anObject,
		"parent/operator.yaml": "apiVersion: kudo.dev/v1beta1\ntasks: [{kind: KudoOperator, spec: {package: ../child}}]", "parent/params.yaml": "",
		"child/operator.yaml": "apiVersion: kudo.dev/v1beta1", "child/params.yaml": "", "child/templates/a.yaml": anObject,
		"bare/a.yaml.tmpl": anObject, "neither/templates/a.txt.tmpl": "", "bare/sub/a.yaml": anObject,
	})
	apps, _, err := Applications(dir, FolderOptions{})
	if got := strings.ReplaceAll(strings.Join(apps, " "), dir+"/", ""); err != nil || got != "bare parent shop" {
		t.Errorf("found %s (%v)", got, err)
	}
}

// TestTemplateFinding: a finding names the template.
func TestTemplateFinding(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.yaml.tmpl": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {X: {{ 1 }}}\n"})
	_, run := folderStream(t, dir, FolderOptions{})
	for _, f := range run.Findings {
		if f.Code == graph.InvalidSource && strings.HasSuffix(f.Place.String(), "a.yaml.tmpl (rendered):4") {
			return
		}
	}
	t.Errorf("no finding that names the template in %+v", run.Findings)
}
