package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/restamp/restamp/render"
)

const deployed = "../../deploy/argocd"

// TestPluginCommands: plugin.yaml runs commands that there are, and no shell.
func TestPluginCommands(t *testing.T) {
	var plugin struct {
		APIVersion, Kind string
		Spec             struct {
			Generate   struct{ Command []string }
			Discover   struct{ Find struct{ Command []string } }
			Parameters struct{ Dynamic struct{ Command []string } }
		}
	}
	decode(t, filepath.Join(deployed, "plugin.yaml"), &plugin)
	if plugin.APIVersion != "argoproj.io/v1alpha1" || plugin.Kind != "ConfigManagementPlugin" {
		t.Errorf("it is a %s of %s", plugin.Kind, plugin.APIVersion)
	}
	checkCommand(t, "generate", plugin.Spec.Generate.Command)
	checkCommand(t, "discover", plugin.Spec.Discover.Find.Command)
	checkCommand(t, "parameters", plugin.Spec.Parameters.Dynamic.Command)
}

func checkCommand(t *testing.T, name string, words []string) {
	t.Helper()
	if len(words) < 3 || words[0] != "restamp" {
		t.Errorf("%s: the command is %q", name, words)
		return
	}
	cmd, rest, err := newRoot(new(options)).Find(words[1:])
	if err != nil || cmd.Name() != name || cmd.Parent().Name() != "argocd" {
		t.Errorf("%s: %q is no command for it (%v)", name, words, err)
		return
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %q: %v", name, words, err)
	}
}

// TestImageVersions: the image has the helm that restamp is tried with, and a Go
// that builds restamp.
func TestImageVersions(t *testing.T) {
	var texts [3]string
	for i, path := range []string{filepath.Join(deployed, "Dockerfile"), "../../test/hosts/go.mod", "../../go.mod"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	image, hosts, module := texts[0], texts[1], texts[2]
	version := func(text, pattern string) string {
		found := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("nothing matches %s", pattern)
		}
		return found[1]
	}
	if got, want := version(image, `helm/v3/cmd/helm@(v[\d.]+)`), version(hosts, `helm\.sh/helm/v3 (v[\d.]+)`); got != want {
		t.Errorf("the image has helm %s, the tests %s", got, want)
	}
	if got, want := version(image, `FROM golang:(\d+\.\d+)`), version(module, `(?m)^go (\d+\.\d+)`); got != want {
		t.Errorf("the image has Go %s, the module wants %s", got, want)
	}
}

// anArgoCD is what of Argo CD's installation the components change.
const anArgoCD = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: argocd-repo-server
spec:
  template:
    spec:
      containers:
      - name: argocd-repo-server
        image: argocd
        volumeMounts:
        - {name: plugins, mountPath: /home/argocd/cmp-server/plugins}
      initContainers:
      - name: copyutil
        image: argocd
        volumeMounts:
        - {name: var-files, mountPath: /var/run/argocd}
      volumes:
      - {name: var-files, emptyDir: {}}
      - {name: plugins, emptyDir: {}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
`

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestDeployReadme builds each kustomization that the page shows, and sets what
// its Application says.
func TestDeployReadme(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(deployed, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var components, applications, overlays int
	for _, block := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		switch text := block[1]; {
		case strings.Contains(text, "components: "):
			components++
			checkInstallation(t, text)
		case strings.Contains(text, "kind: Application\n"):
			applications++
			checkApplication(t, text)
		case strings.Contains(text, "transformers:"):
			overlays++
			checkOverlay(t, text)
		default:
			t.Errorf("nobody looks at\n%s", text)
		}
	}
	if components != 3 || applications != 1 || overlays != 1 {
		t.Errorf("the page has %d installations, %d applications, %d overlays", components, applications, overlays)
	}
}

// checkInstallation builds a kustomization with the components, and looks at
// the containers that they add.
func checkInstallation(t *testing.T, kustomization string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "restamp/deploy/argocd"), os.DirFS(deployed)); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "kustomization.yaml", kustomization)
	write(t, dir, "argocd/kustomization.yaml", "resources: [install.yaml]\n")
	write(t, dir, "argocd/install.yaml", anArgoCD)
	built := build(t, dir, render.FolderOptions{})
	var server deployment
	for _, doc := range strings.Split(built, "---\n") {
		if strings.Contains(doc, "kind: Deployment\n") {
			unmarshal(t, doc, &server)
		}
	}
	pod := server.Spec.Template.Spec
	found := 0
	for _, c := range slices.Concat(pod.Containers, pod.InitContainers) {
		if c.Name == "restamp" {
			found++
			checkContainer(t, c)
		}
		for _, mount := range c.VolumeMounts {
			if !slices.ContainsFunc(pod.Volumes, func(v volume) bool { return v.Name == mount.Name }) {
				t.Errorf("container %s mounts the volume %s, which is not there:\n%s", c.Name, mount.Name, built)
			}
		}
	}
	if found != 1 || len(pod.Containers)+len(pod.InitContainers) != 3 {
		t.Errorf("%d containers are restamp's, with %d and %d in all:\n%s", found, len(pod.Containers), len(pod.InitContainers), built)
	}
	if strings.Contains(kustomization, "newName:") && strings.Contains(built, "image: restamp-argocd") {
		t.Errorf("the image is not replaced:\n%s", built)
	}
	if functions := strings.Contains(built, "kustomize.buildOptions: --enable-alpha-plugins --enable-exec"); functions != strings.Contains(kustomization, "/functions") {
		t.Errorf("functions are enabled: %t\n%s", functions, built)
	}
	if keyed := strings.Contains(built, "RESTAMP_SECRET_KEY_FILE"); keyed != strings.Contains(kustomization, "/secret-key") {
		t.Errorf("there is a key: %t\n%s", keyed, built)
	}
}

// deployment is what is looked at of repo-server.
type deployment struct {
	Spec struct {
		Template struct {
			Spec struct {
				Containers, InitContainers []container
				Volumes                    []volume
			}
		}
	}
}

type volume struct{ Name string }

type container struct {
	Name            string
	Command         []string
	VolumeMounts    []volume
	SecurityContext struct {
		RunAsNonRoot, ReadOnlyRootFilesystem, AllowPrivilegeEscalation *bool
		RunAsUser                                                      int
		Capabilities                                                   struct{ Drop []string }
		SeccompProfile                                                 struct{ Type string }
	}
}

func checkContainer(t *testing.T, c container) {
	t.Helper()
	s := c.SecurityContext
	is := func(b *bool, want bool) bool { return b != nil && *b == want }
	if !is(s.RunAsNonRoot, true) || !is(s.ReadOnlyRootFilesystem, true) || !is(s.AllowPrivilegeEscalation, false) ||
		s.RunAsUser != 999 || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) || s.SeccompProfile.Type != "RuntimeDefault" {
		t.Errorf("the container may do more than it must: %+v", s)
	}
	if len(c.Command) == 0 || strings.Contains(c.Command[0], "sh") {
		t.Errorf("the container runs %q", c.Command)
	}
}

func checkApplication(t *testing.T, text string) {
	t.Helper()
	var app struct {
		Spec struct {
			Source struct {
				Plugin struct {
					Name       string
					Parameters []json.RawMessage
				}
			}
		}
	}
	unmarshal(t, text, &app)
	var plugin struct{ Metadata struct{ Name string } }
	decode(t, filepath.Join(deployed, "plugin.yaml"), &plugin)
	if got := app.Spec.Source.Plugin.Name; got != plugin.Metadata.Name {
		t.Errorf("the Application names the plugin %q, which is %q", got, plugin.Metadata.Name)
	}
	sent, err := json.Marshal(app.Spec.Source.Plugin.Parameters)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(parametersVariable, string(sent))
	a := argo{options: new(options)}
	if _, err := a.application(new(cobra.Command)); err != nil {
		t.Errorf("%s: %v", sent, err)
	}
}

func checkOverlay(t *testing.T, kustomization string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "base/kustomization.yaml", "resources: [all.yaml]\n")
	write(t, dir, "base/all.yaml", `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "env"}, "data": {"A": "b"}}
---
{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"template": {"spec": {"containers": [{"name": "c", "envFrom": [{"configMapRef": {"name": "env"}}]}]}}}}
`)
	write(t, dir, "overlay/kustomization.yaml", kustomization)
	opts := render.FolderOptions{Kustomize: render.KustomizeOptions{EnableAlphaPlugins: true, EnableExec: true}}
	if built := build(t, filepath.Join(dir, "overlay"), opts); !strings.Contains(built, "restamp.dev/config-hash: h1:") {
		t.Errorf("there is no stamp:\n%s", built)
	}
}

// build renders a folder, without stamping.
func build(t *testing.T, dir string, opts render.FolderOptions) string {
	t.Helper()
	rendered, err := render.Folder(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, source := range rendered.Sources {
		r, err := source.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func decode(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unmarshal(t, string(text), v)
}

func unmarshal(t *testing.T, text string, v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}
