package argocd

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

const (
	config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: env
data:
  MODE: fast
`
	workload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        image: app
        env:
        - {name: YES, value: "yes"}
        envFrom:
        - configMapRef: {name: env}
`
	chart = "apiVersion: v2\nname: shop\nversion: 0.1.0\n"
)

// The same application in each form that restamp renders.
var forms = map[string]application{
	"kustomization": {path: "apps/shop", repository: map[string]string{
		"base/kustomization.yaml":      "resources: [all.yaml]\n",
		"base/all.yaml":                config + "---\n" + workload,
		"apps/shop/kustomization.yaml": "resources: [../../base]\n",
	}},
	"chart": {path: "apps/shop", repository: map[string]string{
		"apps/shop/Chart.yaml":          chart,
		"apps/shop/values.yaml":         "mode: slow\n",
		"apps/shop/templates/env.yaml":  strings.Replace(config, "fast", "{{ .Values.mode }}", 1),
		"apps/shop/templates/web.yaml":  workload,
		"apps/shop/templates/info.yaml": "{{ if ne .Release.Name \"shop\" }}{{ fail .Release.Name }}{{ end }}",
		"shared/values.yaml":            "mode: fast\n",
	}, env: parameters(v1alpha1.ApplicationSourcePluginParameter{
		Name: "values-files", OptionalArray: &v1alpha1.OptionalArray{Array: []string{"/shared/values.yaml"}},
	})},
	"plain": {path: "apps/shop", repository: map[string]string{
		"apps/shop/env.yaml": config, "apps/shop/web.yaml": workload, "apps/shop/values.yaml": "a: b\n",
	}},
	"root of a repository": {path: ".", repository: map[string]string{"all.yaml": config + "---\n" + workload}},
}

// parameters are those of an Application, as repo-server sends them.
func parameters(list ...v1alpha1.ApplicationSourcePluginParameter) []string {
	env, err := v1alpha1.ApplicationSourcePluginParameters(list).Environ()
	if err != nil {
		panic(err) // of texts alone
	}
	return env
}

func text(name, value string) v1alpha1.ApplicationSourcePluginParameter {
	return v1alpha1.ApplicationSourcePluginParameter{Name: name, String_: &value}
}

// TestFormsAreStampedAlike: whatever an application is made of, its manifests
// come back, and the stamp is that of its content.
func TestFormsAreStampedAlike(t *testing.T) {
	s := start(t)
	stamps := make(map[string]string)
	for name, app := range forms {
		if !s.matches(app) {
			t.Errorf("%s: the plugin does not take it", name)
		}
		manifests, err := s.generate(app)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(manifests) != 2 {
			t.Errorf("%s: %d manifests: %s", name, len(manifests), manifests)
		}
		if !strings.Contains(strings.Join(manifests, ""), `"value":"yes"`) {
			t.Errorf("%s: a text became something else: %s", name, manifests)
		}
		stamps[name] = stampOf(t, manifests)
	}
	for name, stamp := range stamps {
		if stamp == "" || stamp != stamps["plain"] {
			t.Errorf("stamps differ: %s has %q, plain %q", name, stamp, stamps["plain"])
		}
	}
	if strings.Contains(s.log.String(), "level=error") {
		t.Errorf("the server complains:\n%s", s.log)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, "tmp/[^_]*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// stampOf returns the stamp of the only workload.
func stampOf(t *testing.T, manifests []string) string {
	t.Helper()
	for _, m := range manifests {
		var object struct {
			Kind string
			Spec struct {
				Template struct {
					Metadata struct{ Annotations map[string]string }
				}
			}
		}
		if err := json.Unmarshal([]byte(m), &object); err != nil {
			t.Fatalf("%v: %s", err, m)
		}
		if object.Kind == "Deployment" {
			return object.Spec.Template.Metadata.Annotations["restamp.dev/config-hash"]
		}
	}
	return ""
}

// TestOthersFoldersAreLeft: they are not taken, and not logged as errors.
func TestOthersFoldersAreLeft(t *testing.T) {
	s := start(t)
	for name, repository := range map[string]map[string]string{
		"values":             {"app/values.yaml": "a: b\n"},
		"a README":           {"app/README.md": "# kind: A\n"},
		"manifests below":    {"app/sub/env.yaml": config},
		"manifests above":    {"env.yaml": config, "app/README.md": ""},
		"jsonnet":            {"app/main.jsonnet": "{}", "app/env.yaml": config},
		"helmfile":           {"app/helmfile.yaml": "releases: []\n", "app/env.yaml": config},
		"templates of ytt":   {"app/env.yaml": "#@ load(\"@ytt:data\", \"data\")\n" + config},
		"a chart's template": {"app/all.yaml": "kind: {{ .Values.kind }}\n"},
	} {
		if s.matches(application{path: "app", repository: repository}) {
			t.Errorf("%s: the plugin takes it", name)
		}
	}
	if strings.Contains(s.log.String(), "level=error") {
		t.Errorf("the server complains:\n%s", s.log)
	}
}

// TestRecurseCountsForDiscovery: an application that asks for its subfolders is
// taken for what is in them.
func TestRecurseCountsForDiscovery(t *testing.T) {
	s := start(t)
	app := application{
		path: "app", env: parameters(text("recurse", "true")),
		repository: map[string]string{"app/a/env.yaml": config, "app/b/web.yaml": workload},
	}
	if !s.matches(app) {
		t.Error("the plugin does not take it")
	}
	manifests, err := s.generate(app)
	if err != nil || len(manifests) != 2 || stampOf(t, manifests) == "" {
		t.Errorf("%v: %s", err, manifests)
	}
}

// TestFailuresReachTheClient: with their reason, and without a secret.
func TestFailuresReachTheClient(t *testing.T) {
	s := start(t)
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: env}\nstringData: {p: "
	uses := strings.Replace(workload, "configMapRef", "secretRef", 1)
	for _, c := range []struct {
		name string
		app  application
		want string
	}{
		{"a finding", application{repository: map[string]string{"app/web.yaml": workload}, env: parameters(text("strict", "true"))}, "[missing-reference]"},
		{"no YAML", application{repository: map[string]string{"app/s.yaml": secret + "\"hunter2\n", "app/env.yaml": config}}, "reading s.yaml:"},
		{"a bad Secret", application{repository: map[string]string{"app/s.yaml": secret + "{hunter2: a}}\n---\n" + uses}}, "Secret/shop/env: stringData.p"},
		{"an empty kustomization", application{repository: map[string]string{"app/kustomization.yaml": "namespace: a\n"}}, "the input holds no Kubernetes object"},
		{"kustomize", application{repository: map[string]string{"app/kustomization.yaml": "secretGenerator: [{name: s, literals: [hunter2]}]\n"}}, "invalid literal source"},
		{"helm", application{repository: map[string]string{
			"app/Chart.yaml": chart, "app/values.yaml": "password: hunter2\n", "app/templates/a.yaml": "{{ fail .Values.password }}",
		}}, "execution error at (shop/templates/a.yaml:1:3): ..."},
		{"a schema", application{repository: map[string]string{
			"app/Chart.yaml": chart, "app/values.yaml": "p: hunter2\n", "app/values.schema.json": `{"properties": {"p": {"pattern": "^x"}}}`, "app/templates/a.yaml": config,
		}}, "does not match pattern"},
		{"a parameter", application{repository: map[string]string{"app/env.yaml": config}, env: parameters(text("secret-key-file", "/etc/passwd"))}, "parameter secret-key-file: there is no such parameter"},
		{"a values file", application{repository: map[string]string{"app/Chart.yaml": chart}, env: parameters(v1alpha1.ApplicationSourcePluginParameter{
			Name: "values-files", OptionalArray: &v1alpha1.OptionalArray{Array: []string{"../../../../../../etc/passwd"}},
		})}, "leads out of the repository"},
	} {
		c.app.path = "app"
		manifests, err := s.generate(c.app)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: %s", c.name, err, manifests)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error tells the secret: %v", c.name, err)
		}
	}
	if strings.Contains(s.log.String(), "hunter2") {
		t.Errorf("the log tells the secret:\n%s", s.log)
	}
}

// TestNamespaceResolves: it is the application's, and is written nowhere.
func TestNamespaceResolves(t *testing.T) {
	s := start(t)
	own := application{path: ".", repository: map[string]string{
		"env.yaml": strings.Replace(config, "name: env", "name: env\n  namespace: shop", 1), "web.yaml": workload,
	}}
	manifests, err := s.generate(own)
	if err != nil || stampOf(t, manifests) == "" {
		t.Errorf("a ConfigMap of the application's namespace: %v: %s", err, manifests)
	}
	if strings.Count(strings.Join(manifests, ""), `"namespace"`) != 1 {
		t.Errorf("a namespace is written: %s", manifests)
	}
	own.env = []string{"ARGOCD_APP_NAMESPACE=other"}
	manifests, err = s.generate(own)
	if err != nil || stampOf(t, manifests) != "" {
		t.Errorf("a ConfigMap of another namespace: %v: %s", err, manifests)
	}
}

// TestHelmParameters: values by their paths, a release name, a namespace.
func TestHelmParameters(t *testing.T) {
	s := start(t)
	app := forms["chart"]
	app.repository = map[string]string{
		"Chart.yaml":         chart,
		"templates/all.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  all: {{ list .Release.Name .Release.Namespace .Values.a.b .Values.c .Values.d .Capabilities.KubeVersion.Version | join \" \" | quote }}\n",
	}
	app.path = "."
	app.env = parameters(
		text("release-name", "other"), text("values", "d: inline"),
		v1alpha1.ApplicationSourcePluginParameter{Name: "helm-parameters", OptionalMap: &v1alpha1.OptionalMap{Map: map[string]string{"a.b": "x,y"}}},
		v1alpha1.ApplicationSourcePluginParameter{Name: "helm-string-parameters", OptionalMap: &v1alpha1.OptionalMap{Map: map[string]string{"c": "012"}}},
	)
	manifests, err := s.generate(app)
	if err != nil || len(manifests) != 1 || !strings.Contains(manifests[0], `"other shop x,y 012 inline v1.34.1"`) {
		t.Errorf("%v: %s", err, manifests)
	}
}

// TestDependenciesAreFetched: those that charts/ lacks, into the copy that the
// server made.
func TestDependenciesAreFetched(t *testing.T) {
	s := start(t)
	manifests, err := s.generate(application{path: "app", repository: map[string]string{
		"app/Chart.yaml":        chart + "dependencies: [{name: sub, version: 0.1.0, repository: \"file://../sub\"}]\n",
		"sub/Chart.yaml":        strings.Replace(chart, "shop", "sub", 1),
		"sub/templates/all.yml": config,
	}})
	if err != nil || len(manifests) != 1 {
		t.Errorf("%v: %s", err, manifests)
	}
}

// TestDeadlineEndsHelm: when Argo CD has waited for too long, helm goes too. The
// server kills restamp then, so that the next run removes what it has left.
func TestDeadlineEndsHelm(t *testing.T) {
	s := start(t)
	_, err := s.generate(application{path: ".", within: 3 * time.Second, repository: map[string]string{
		"Chart.yaml": chart, "templates/all.yaml": "{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}",
	}})
	if err == nil {
		t.Fatal("the chart takes no time")
	}
	helm := filepath.Join(s.dir, "bin/helm")
	s.wait(func() bool {
		running, err := filepath.Glob("/proc/[0-9]*/exe")
		s.must(err)
		return !slices.ContainsFunc(running, func(process string) bool {
			program, err := os.Readlink(process)
			return err == nil && program == helm // others end meanwhile
		})
	})
	if _, err := s.generate(forms["chart"]); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "tmp/restamp-*/*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestKeyFromMountedFile: stamps that cover a Secret have the key's sign, and a
// key that is not there fails every application.
func TestKeyFromMountedFile(t *testing.T) {
	key := filepath.Join(place(t), "key")
	app := application{path: ".", repository: map[string]string{
		"all.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: env}\nstringData: {p: hunter2}\n---\n" + strings.Replace(workload, "configMapRef", "secretRef", 1),
	}}
	s := start(t, "RESTAMP_SECRET_KEY_FILE="+key)
	if manifests, err := s.generate(app); err == nil || !strings.Contains(err.Error(), "reading RESTAMP_SECRET_KEY_FILE") {
		t.Errorf("without the file: %v: %s", err, manifests)
	}
	s.must(os.WriteFile(key, []byte("correct horse"), 0o644))
	manifests, err := s.generate(app)
	if err != nil || !strings.HasPrefix(stampOf(t, manifests), "h1.") {
		t.Errorf("%v: %s", err, manifests)
	}
}

// TestParametersAreAnnounced: Argo CD can read what is announced.
func TestParametersAreAnnounced(t *testing.T) {
	s := start(t)
	var stream apiclient.ConfigManagementPluginService_GetParametersAnnouncementClient
	s.must(s.ask(forms["plain"], func(ctx context.Context) (to sender, err error) {
		stream, err = s.client.GetParametersAnnouncement(ctx)
		return stream, err
	}))
	answer, err := stream.CloseAndRecv()
	s.must(err)
	var names []string
	for _, p := range answer.ParameterAnnouncements {
		names = append(names, p.Name+" "+p.CollectionType+" "+p.ItemType)
	}
	for _, want := range []string{"strict string boolean", "values-files array string", "helm-parameters map string"} {
		if !slices.Contains(names, want) {
			t.Errorf("%q is not announced, but %q", want, names)
		}
	}
}
