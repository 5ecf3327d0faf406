package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// chart is the app as a chart, with hooks.
func chart(more ...string) []string {
	inside := strings.ReplaceAll("\n"+app, "\n-- ", "\n-- shop/templates/")
	return append([]string{inside, `
-- shop/Chart.yaml --
apiVersion: v2
name: shop
version: 1.0.0
-- shop/templates/migrate.yaml --
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations:
    "helm.sh/hook": pre-upgrade
spec:
  template:
    spec:
      containers:
      - name: migrate
        image: migrate:1
      restartPolicy: Never
-- shop/templates/tests/smoke.yaml --
apiVersion: v1
kind: Pod
metadata: {name: smoke, annotations: {"helm.sh/hook": test}}
spec:
  containers: [{name: smoke, image: smoke:1}]
-- shop/templates/NOTES.txt --
Come in, we are open!
`}, more...)
}

var postRenderer = []string{"template", "shop", "shop", "--post-renderer", "restamp"}

func TestHelm3PostRenderer(t *testing.T) {
	c := call{dir: folder(t, chart()...)}
	plain := c.must(t, helm3, "template", "shop", "shop").stdout
	out := c.must(t, helm3, postRenderer...).stdout
	stamped(t, out, 2)
	onlyStampsAdded(t, plain, out)
}

// TestHelm3DoesNotSendHooks: what only a hook holds is missing, and said to be.
func TestHelm3DoesNotSendHooks(t *testing.T) {
	dir := folder(t, chart()...)
	config := filepath.Join(dir, "shop/templates/config.yaml")
	write(t, config, strings.Replace(read(t, config), "  name: cfg\n", "  name: cfg\n  annotations: {helm.sh/hook: pre-install}\n", 1))
	log := filepath.Join(dir, "log")
	c := call{dir: dir, env: []string{"RESTAMP_LOG_FILE=" + log}}
	out := c.must(t, helm3, postRenderer...).stdout
	says(t, out, "name: cfg", "name: migrate", "name: smoke")
	says(t, read(t, log), "warning: StatefulSet/db", "missing-reference", "ConfigMap/cfg")
	if found := stamps(t, out); len(found) != 1 || found["Deployment//web"] == "" {
		t.Errorf("stamps: %v", found)
	}
}

func TestHelm3ShowsStderrOfAFailure(t *testing.T) {
	dir := folder(t, chart()...)
	if err := os.Remove(filepath.Join(dir, "shop/templates/secret.yaml")); err != nil {
		t.Fatal(err)
	}
	r := call{dir: dir}.fails(t, []string{"error: Deployment/web", "missing-reference", "Secret/token", "exit status 1"},
		helm3, append(postRenderer, "--post-renderer-args", "--strict")...)
	equal(t, "stdout", r.stdout, "")
}

// TestHelm3NothingToStampIsNoSuccess: Helm 3 takes empty output for what there
// is, and an upgrade would delete everything.
func TestHelm3NothingToStampIsNoSuccess(t *testing.T) {
	dir := folder(t, chart()...)
	for _, name := range []string{"config", "secret", "web", "db"} {
		if err := os.Remove(filepath.Join(dir, "shop/templates", name+".yaml")); err != nil {
			t.Fatal(err)
		}
	}
	c := call{dir: dir}
	c.fails(t, []string{"the input holds no Kubernetes object"}, helm3, postRenderer...)
	out := c.must(t, helm3, append(postRenderer, "--post-renderer-args", "--allow-empty")...).stdout
	says(t, out, "name: migrate", "name: smoke")
}

func TestHelm3TakesFlagsOneByOne(t *testing.T) {
	c := call{dir: folder(t, chart()...)}
	log := filepath.Join(c.dir, "log")
	c.must(t, helm3, append(postRenderer, "--post-renderer-args", "--log-file", "--post-renderer-args", log, "--post-renderer-args", "-v")...)
	says(t, read(t, log), "info: ", "first-stamp")
}

// installHelmPlugin installs the folder that is shipped, as its page says.
func installHelmPlugin(t *testing.T, dir string) call {
	t.Helper()
	c := call{dir: dir, env: []string{"HELM_DATA_HOME=" + t.TempDir()}}
	plugin, err := filepath.Abs("../../deploy/helm/restamp")
	if err != nil {
		t.Fatal(err)
	}
	c.must(t, helm4, "plugin", "install", plugin)
	return c
}

func TestHelm4Plugin(t *testing.T) {
	c := installHelmPlugin(t, folder(t, chart()...))
	says(t, c.must(t, helm4, "plugin", "list").stdout, "restamp", "postrenderer/v1")
	plain := c.must(t, helm4, "template", "shop", "shop").stdout
	out := c.must(t, helm4, postRenderer...).stdout
	stamped(t, out, 2)
	equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
	says(t, out, "# Source: shop/templates/web.yaml", "name: migrate", "name: smoke", "image: \"web:1\"", "# how much to say")
}

// TestHelm4FilenameAnnotationStays: Helm tells by it which template a document
// came from.
func TestHelm4FilenameAnnotationStays(t *testing.T) {
	dir := folder(t, chart()...)
	plugin := filepath.Join(dir, "record")
	write(t, filepath.Join(plugin, "plugin.yaml"), strings.NewReplacer(
		"name: restamp", "name: record", "command: restamp", "command: ${HELM_PLUGIN_DIR}/record").Replace(read(t, "../../deploy/helm/restamp/plugin.yaml")))
	script(t, filepath.Join(plugin, "record"), "cd \"$HELM_PLUGIN_DIR\"\ntee in | restamp | tee out\n")
	c := call{dir: dir, env: []string{"HELM_DATA_HOME=" + t.TempDir()}}
	c.must(t, helm4, "plugin", "install", plugin)
	c.must(t, helm4, "template", "shop", "shop", "--post-renderer", "record")
	in, out := read(t, filepath.Join(plugin, "in")), read(t, filepath.Join(plugin, "out"))
	says(t, in, "postrenderer.helm.sh/postrender-filename: 'shop/templates/web.yaml'", "name: migrate", "name: smoke")
	onlyStampsAdded(t, in, out)
}

// TestHelm4SendsHooks: so a ConfigMap that is a hook counts.
func TestHelm4SendsHooks(t *testing.T) {
	dir := folder(t, chart()...)
	c := installHelmPlugin(t, dir)
	want := stamps(t, c.must(t, helm4, postRenderer...).stdout)
	config := filepath.Join(dir, "shop/templates/config.yaml")
	write(t, config, strings.Replace(read(t, config), "  name: cfg\n", "  name: cfg\n  annotations: {helm.sh/hook: pre-install}\n", 1))
	equal(t, "stamps", stamps(t, c.must(t, helm4, postRenderer...).stdout), want)
}

// TestHelm4SwallowsStderrSoTheLogFileHasIt: the user sees only that it failed.
func TestHelm4SwallowsStderrSoTheLogFileHasIt(t *testing.T) {
	dir := folder(t, chart()...)
	if err := os.Remove(filepath.Join(dir, "shop/templates/secret.yaml")); err != nil {
		t.Fatal(err)
	}
	c := installHelmPlugin(t, dir)
	log := filepath.Join(dir, "log")
	c.env = append(c.env, "RESTAMP_LOG_FILE="+log)
	c.must(t, helm4, postRenderer...)
	says(t, read(t, log), "warning: Deployment/web", "missing-reference", "Secret/token")

	r := c.fails(t, []string{`plugin "restamp" exited with error`}, helm4, append(postRenderer, "--post-renderer-args", "--strict")...)
	equal(t, "stdout", r.stdout, "")
	says(t, read(t, log), "error: Deployment/web", "nothing is written")
	if strings.Contains(r.stderr, "missing-reference") {
		t.Error("Helm 4 shows stderr now: the page about it is out of date")
	}
}

// TestHelm3CannotReadHelm4Plugins: one folder does not serve both.
func TestHelm3CannotReadHelm4Plugins(t *testing.T) {
	c := installHelmPlugin(t, "")
	c.fails(t, []string{"apiVersion"}, helm3, "plugin", "list")
}
