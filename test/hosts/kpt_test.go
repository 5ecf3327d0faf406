package hosts

import (
	"path/filepath"
	"strings"
	"testing"
)

// pkg is the app as a kpt package, with a pipeline and an object that never
// reaches a cluster.
func pkg(pipeline ...string) []string {
	return []string{app, `
-- local.yaml --
apiVersion: v1
kind: ConfigMap
metadata: # it has the name that web refers to
  name: token
  annotations:
    config.kubernetes.io/local-config: "true"
data: {token: "none"}
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
  annotations:
    config.kubernetes.io/local-config: "true"
info:
  description: a shop # and no more
` + lines("", pipeline)}
}

// kptDir is a folder whose sub-folder shop is a package.
func kptDir(t *testing.T, archives ...string) string {
	t.Helper()
	need(t, "kpt")
	dir := t.TempDir()
	for name, text := range files(t, folder(t, archives...)) {
		write(t, filepath.Join(dir, "shop", name), text)
	}
	return dir
}

// kptChanged compares a package with what it was: only the workloads' files may
// be others, and only by their stamps.
func kptChanged(t *testing.T, before, after map[string]string) {
	t.Helper()
	equal(t, "files", len(after), len(before))
	for name, text := range before {
		if name == "web.yaml" || name == "db.yaml" {
			onlyStampsAdded(t, text, after[name])
			continue
		}
		equal(t, name, after[name], text)
	}
	stamped(t, after["config.yaml"]+"---\n"+after["secret.yaml"]+"---\n"+after["web.yaml"]+"---\n"+after["db.yaml"], 2)
}

func TestKptEvalKeepsEveryByteButTheStamps(t *testing.T) {
	dir := kptDir(t, pkg()...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp")
	after := files(t, dir+"/shop")
	kptChanged(t, before, after)

	call{dir: dir}.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--", "mode=all", "strict=true")
	equal(t, "the package after a second run", files(t, dir+"/shop"), after)
}

func TestKptRenderWithConfigMap(t *testing.T) {
	dir := kptDir(t, pkg("pipeline:", "  mutators:", "  - exec: restamp", "    configMap:", "      strict: \"true\"")...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "kpt", "fn", "render", "shop", "--allow-exec")
	kptChanged(t, before, files(t, dir+"/shop"))
}

// kptConfig is a functionConfig in a file of the package: so it is an item too.
const kptConfig = `
-- stamps.yaml --
apiVersion: restamp.dev/v1alpha1
kind: Restamp
metadata:
  name: stamps
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  strict: true # a reference to nothing is a mistake
`

func TestKptRenderWithConfigPath(t *testing.T) {
	dir := kptDir(t, append(pkg("pipeline:", "  mutators:", "  - exec: restamp", "    configPath: stamps.yaml"), kptConfig)...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "kpt", "fn", "render", "shop", "--allow-exec")
	kptChanged(t, before, files(t, dir+"/shop"))
}

func TestKptEvalWithFnConfig(t *testing.T) {
	dir := kptDir(t, append(pkg(), kptConfig)...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--fn-config", "shop/stamps.yaml")
	kptChanged(t, before, files(t, dir+"/shop"))
}

func TestKptUnknownSettingsAreErrors(t *testing.T) {
	dir := kptDir(t, pkg()...)
	before := files(t, dir+"/shop")
	call{dir: dir}.fails(t, []string{"strickt"}, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--", "strickt=true")
	equal(t, "the package", files(t, dir+"/shop"), before)
}

// TestKptFailingRunLeavesThePackageAlone, and its results say why.
func TestKptFailingRunLeavesThePackageAlone(t *testing.T) {
	dir := kptDir(t, pkg("pipeline:", "  mutators:", "  - exec: restamp", "    configMap: {strict: \"true\"}")...)
	web := filepath.Join(dir, "shop/web.yaml")
	write(t, web, strings.Replace(read(t, web), "name: cfg,", "name: cgf,", 1))
	before := files(t, dir+"/shop")
	c := call{dir: dir}
	c.fails(t, []string{"[FAIL]", "ConfigMap/cgf"}, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--results-dir", "results", "--", "strict=true")
	equal(t, "the package", files(t, dir+"/shop"), before)
	says(t, read(t, filepath.Join(dir, "results/results.yaml")), "kind: FunctionResultList", "exitCode: 1", "severity: error",
		"code: missing-reference", "path: web.yaml", "kind: Deployment", "name: web", "ConfigMap/cgf")

	c.fails(t, []string{"[FAIL]", "ConfigMap/cgf"}, "kpt", "fn", "render", "shop", "--allow-exec")
	equal(t, "the package", files(t, dir+"/shop"), before)
}

func TestKptResultsOfARunThatSucceeds(t *testing.T) {
	dir := kptDir(t, pkg()...)
	web := filepath.Join(dir, "shop/web.yaml")
	write(t, web, strings.Replace(read(t, web), "name: cfg,", "name: cgf,", 1))
	call{dir: dir}.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--results-dir", "results")
	says(t, read(t, filepath.Join(dir, "results/results.yaml")), "exitCode: 0", "severity: warning", "code: missing-reference",
		"path: spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef")
}

func TestKptValidator(t *testing.T) {
	both := []string{"pipeline:", "  mutators:", "  - exec: restamp", "  validators:", "  - exec: restamp", "    configMap: {validator: \"true\"}"}
	dir := kptDir(t, pkg(both...)...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "kpt", "fn", "render", "shop", "--allow-exec")
	kptChanged(t, before, files(t, dir+"/shop"))

	alone := kptDir(t, pkg("pipeline:", "  validators:", "  - exec: restamp", "    configMap: {validator: \"true\"}")...)
	before = files(t, alone+"/shop")
	call{dir: alone}.fails(t, []string{"[FAIL]", "there is no stamp yet", "Exit code: 1"},
		"kpt", "fn", "render", "shop", "--allow-exec", "--results-dir", "results")
	equal(t, "the package", files(t, alone+"/shop"), before)
	says(t, read(t, filepath.Join(alone, "results/results.yaml")), "severity: error", "there is no stamp yet", "path: db.yaml")
}

// TestKptValidatorAsEvalGivesTheItemsBack: kpt takes what an eval returns for
// the whole package, and an empty list would delete it.
func TestKptValidatorAsEvalGivesTheItemsBack(t *testing.T) {
	dir := kptDir(t, pkg()...)
	c := call{dir: dir}
	c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp")
	before := files(t, dir+"/shop")
	c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--", "validator=true")
	equal(t, "the package", files(t, dir+"/shop"), before)
}

// TestKptMatchKindSeesNoConfigMapsSoStampsStay: a selective run hands over the
// workloads alone; that must take no good stamp away, nor fail.
func TestKptMatchKindSeesNoConfigMapsSoStampsStay(t *testing.T) {
	dir := kptDir(t, pkg()...)
	c := call{dir: dir}
	unstamped := c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--match-kind", "Deployment")
	says(t, unstamped.stderr, "warning", "ConfigMap/cfg", "Secret/token")
	equal(t, "stamps", stamps(t, read(t, dir+"/shop/web.yaml")), map[string]string{})

	c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp")
	before := files(t, dir+"/shop")
	for _, kind := range []string{"Deployment", "StatefulSet"} {
		r := c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--match-kind", kind)
		says(t, r.stderr, "warning", "ConfigMap/cfg")
		equal(t, "the package", files(t, dir+"/shop"), before)
	}
	c.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "--match-kind", "ConfigMap")
	equal(t, "the package", files(t, dir+"/shop"), before)
}

// TestKptSourcePipeSink: nothing between the two repairs what a function loses.
func TestKptSourcePipeSink(t *testing.T) {
	dir := kptDir(t, pkg()...)
	before := files(t, dir+"/shop")
	call{dir: dir}.must(t, "bash", "-euo", "pipefail", "-c", "kpt fn source shop | restamp | kpt fn sink out")
	kptChanged(t, before, files(t, dir+"/out"))
}

func TestKptUnwrappedOutput(t *testing.T) {
	dir := kptDir(t, pkg()...)
	before := files(t, dir+"/shop")
	out := call{dir: dir}.must(t, "kpt", "fn", "eval", "shop", "--exec", "restamp", "-o", "unwrap").stdout
	stamped(t, out, 2)
	equal(t, "the package", files(t, dir+"/shop"), before)
}
