package hosts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// functions lets kustomize run exec functions. It takes both flags.
var functions = []string{"--enable-alpha-plugins", "--enable-exec"}

// transformer is the file that makes restamp a transformer, or a validator,
// with settings of its spec.
func transformer(path string, settings ...string) string {
	return fmt.Sprintf(`
-- restamp.yaml --
apiVersion: restamp.dev/v1alpha1
kind: Restamp
metadata:
  name: restamp
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: %s
spec:
  mode: all
`, path) + lines("  ", settings)
}

func lines(indent string, texts []string) string {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(indent + text + "\n")
	}
	return all.String()
}

// overlay is a kustomization of the whole app, with more lines of its own.
func overlay(more ...string) string {
	return "-- kustomization.yaml --\nresources: [config.yaml, secret.yaml, web.yaml, db.yaml]\n" + lines("", more)
}

// base is the app as a base in a folder of its own.
func base(dir string, more ...string) string {
	inside := strings.ReplaceAll("\n"+app+overlay(more...), "\n-- ", "\n-- "+dir+"/")
	return strings.TrimPrefix(inside, "\n")
}

const transformed = "transformers: [restamp.yaml]"

func build(t *testing.T, dir string, flags ...string) result {
	t.Helper()
	return call{}.must(t, kustomize, append([]string{"build", dir}, flags...)...)
}

func TestKustomizeExecByNameByPathByRelativePath(t *testing.T) {
	var first string
	for _, path := range []string{"restamp", restamp, "./link/restamp", "../outside/restamp"} {
		dir := folder(t, transformer(path), app, overlay(transformed))
		for _, link := range []string{"link", "../outside"} {
			script(t, filepath.Join(dir, link, "restamp"), "exec "+restamp+" \"$@\"\n")
		}
		out := build(t, dir, functions...).stdout
		stamped(t, out, 2)
		if first == "" {
			first = out
		}
		equal(t, path, out, first)
	}
}

func TestKustomizeWithoutFlagsRefuses(t *testing.T) {
	dir := folder(t, transformer("restamp"), app, overlay(transformed))
	for _, flags := range [][]string{nil, {"--enable-exec"}} {
		call{}.fails(t, []string{"external plugins disabled"}, kustomize, append([]string{"build", dir}, flags...)...)
	}
}

func TestKustomizeAlphaPluginsAloneSkipsTheFunctionAndCheckTells(t *testing.T) {
	dir := folder(t, transformer("restamp"), app, overlay(transformed))
	skipped := build(t, dir, "--enable-alpha-plugins").stdout
	equal(t, "stamps", stamps(t, skipped), map[string]string{})
	r := call{stdin: skipped}.run(t, restamp, "stamp", "--check", "-")
	if r.code != 1 {
		t.Errorf("--check: exit code %d", r.code)
	}
	says(t, r.stdout, "Deployment/web: spec.template: there is no stamp yet", "StatefulSet/db: spec.template: there is no stamp yet")

	stamped(t, build(t, dir, functions...).stdout, 2)
}

func TestKustomizeInlineTransformer(t *testing.T) {
	inline := []string{"transformers:", "- |-"}
	_, config, _ := strings.Cut(transformer("restamp"), "--\n")
	for line := range strings.Lines(config) {
		inline = append(inline, "  "+strings.TrimSuffix(line, "\n"))
	}
	dir := folder(t, app, overlay(inline...))
	stamped(t, build(t, dir, functions...).stdout, 2)
}

func TestKustomizeTransformersInAFolder(t *testing.T) {
	dir := folder(t, app, overlay("transformers: [../stamps]"),
		"-- ../stamps/kustomization.yaml --\nresources: [restamp.yaml]\n",
		strings.Replace(transformer("restamp"), "restamp.yaml", "../stamps/restamp.yaml", 1))
	stamped(t, build(t, dir, functions...).stdout, 2)
}

func TestKustomizeConfigMapAsFunctionConfig(t *testing.T) {
	config := `
-- restamp.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: restamp
  annotations:
    config.kubernetes.io/function: "exec: {path: restamp}"
data:
  mode: opt-in
`
	dir := folder(t, config, app, overlay(transformed, "commonAnnotations: {restamp.dev/enabled: 'true'}"))
	stamped(t, build(t, dir, functions...).stdout, 2)

	dir = folder(t, config, app, overlay(transformed))
	equal(t, "stamps that nobody opted into", stamps(t, build(t, dir, functions...).stdout), map[string]string{})
}

func TestKustomizeUnknownSettingsAreErrors(t *testing.T) {
	for _, setting := range []string{"strickt: true", "mode: some", "strict: perhaps"} {
		config := strings.Replace(transformer("restamp", setting), "  mode: all\n", "", 1)
		r := call{}.fails(t, []string{strings.Split(setting, ":")[0]},
			kustomize, append([]string{"build", folder(t, config, app, overlay(transformed))}, functions...)...)
		equal(t, "stdout", r.stdout, "")
	}
}

// TestKustomizeResultsAreIgnoredSoTheExitCodeFails: kustomize does not read
// results, whatever their severity.
func TestKustomizeResultsAreIgnoredSoTheExitCodeFails(t *testing.T) {
	dir := folder(t, transformer("restamp", "strict: true"), app, "-- kustomization.yaml --\nresources: [web.yaml, db.yaml]\n"+transformed+"\n")
	r := call{}.fails(t, []string{"error: Deployment/web", "missing-reference", "ConfigMap/cfg", "exit status 1"},
		kustomize, append([]string{"build", dir}, functions...)...)
	equal(t, "stdout", r.stdout, "")
}

func TestKustomizeShowsWarningsOfARunThatSucceeds(t *testing.T) {
	dir := folder(t, transformer("restamp"), app, "-- kustomization.yaml --\nresources: [config.yaml, web.yaml]\n"+transformed+"\n")
	r := build(t, dir, functions...)
	stamped(t, r.stdout, 1)
	says(t, r.stderr, "warning: Deployment/web", "missing-reference", "Secret/token")
}

// TestKustomizePrefixedReferencesResolve: names have their prefix when a
// function runs, references to them have not.
func TestKustomizePrefixedReferencesResolve(t *testing.T) {
	for name, more := range map[string][]string{
		"prefix":           {"namePrefix: ov-"},
		"suffix":           {"nameSuffix: -x"},
		"both":             {"namePrefix: ov-", "nameSuffix: -x"},
		"with a namespace": {"namePrefix: ov-", "namespace: shop"},
	} {
		t.Run(name, func(t *testing.T) {
			plain := build(t, folder(t, app, overlay(more...))).stdout
			out := build(t, folder(t, transformer("restamp"), app, overlay(append(more, transformed)...)), functions...).stdout
			stamped(t, out, 2)
			equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
			equal(t, "all else", unstamped(t, out), unstamped(t, plain))
		})
	}
	t.Run("in layers", func(t *testing.T) {
		layers := []string{base("base", "nameSuffix: -x"), "-- middle/kustomization.yaml --\nresources: [../base]\nnamePrefix: m-\n"}
		top := "-- kustomization.yaml --\nresources: [middle]\nnamePrefix: t-\n"
		plain := build(t, folder(t, append(layers, top)...)).stdout
		out := build(t, folder(t, append(layers, transformer("restamp"), top+transformed+"\n")...), functions...).stdout
		stamped(t, out, 2)
		equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
		equal(t, "all else", unstamped(t, out), unstamped(t, plain))
	})
}

// TestKustomizePrefixesChooseTheRightInstance: two bases had a ConfigMap of
// one name; the reference alone does not say which.
func TestKustomizePrefixesChooseTheRightInstance(t *testing.T) {
	instances := []string{
		base("base"),
		"-- a/kustomization.yaml --\nresources: [../base]\nnamePrefix: a-\n",
		"-- b/kustomization.yaml --\nresources: [../base]\nnamePrefix: b-\n" +
			"patches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: cfg}, data: {level: debug}}'\n",
	}
	top := "-- kustomization.yaml --\nresources: [a, b]\n"
	plain := build(t, folder(t, append(instances, top)...)).stdout
	out := build(t, folder(t, append(instances, transformer("restamp"), top+transformed+"\n")...), functions...).stdout
	stamped(t, out, 4)
	equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
	equal(t, "all else", unstamped(t, out), unstamped(t, plain))
}

// TestKustomizeOverlayNamespaceCounts: one base in two namespaces. An overlay's
// namespace tells the instances apart.
func TestKustomizeOverlayNamespaceCounts(t *testing.T) {
	instances := []string{
		base("base"),
		"-- dev/kustomization.yaml --\nresources: [../base]\nnamespace: dev\n" +
			"patches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: cfg}, data: {level: debug}}'\n",
		"-- prod/kustomization.yaml --\nresources: [../base]\nnamespace: prod\n",
	}
	top := "-- kustomization.yaml --\nresources: [dev, prod]\n"
	plain := build(t, folder(t, append(instances, top)...)).stdout
	out := build(t, folder(t, append(instances, transformer("restamp"), top+transformed+"\n")...), functions...).stdout
	stamped(t, out, 4)
	got := stamps(t, out)
	equal(t, "stamps", got, stamps(t, filter(t, plain)))
	if got["Deployment/dev/web"] == got["Deployment/prod/web"] {
		t.Error("two namespaces with different content have one stamp")
	}
	equal(t, "all else", unstamped(t, out), unstamped(t, plain))
}

// generated is a workload that uses a generated ConfigMap and one of the app's.
const generated = `
-- api.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels: {app: api}
  template:
    metadata:
      labels: {app: api}
    spec:
      containers:
      - name: api
        image: api:1
        envFrom:
        - configMapRef: {name: gen}
        - configMapRef: {name: cfg}
`

func generator(value string, options ...string) string {
	return "-- kustomization.yaml --\nresources: [config.yaml, api.yaml]\n" + transformed +
		"\nconfigMapGenerator:\n- name: gen\n  literals: [value=" + value + "]\n" + lines("", options)
}

// TestKustomizeGeneratedSuffixStaysOutOfTheHash: a new suffix of the name
// restarts the pods already.
func TestKustomizeGeneratedSuffixStaysOutOfTheHash(t *testing.T) {
	first := build(t, folder(t, transformer("restamp"), app, generated, generator("1")), functions...)
	second := build(t, folder(t, transformer("restamp"), app, generated, generator("2")), functions...)
	equal(t, "stamps", stamps(t, second.stdout), stamps(t, first.stdout))
	stamped(t, first.stdout, 1)
	if first.stdout == second.stdout {
		t.Error("the generated name is the same one")
	}
	says(t, first.stdout, "name: gen-")
}

func TestKustomizeGeneratedWithoutSuffixCounts(t *testing.T) {
	options := "generatorOptions: {disableNameSuffixHash: true}"
	first := build(t, folder(t, transformer("restamp"), app, generated, generator("1", options)), functions...).stdout
	second := build(t, folder(t, transformer("restamp"), app, generated, generator("2", options)), functions...).stdout
	stamped(t, first, 1)
	stamped(t, second, 1)
	if stamps(t, first)["Deployment//api"] == stamps(t, second)["Deployment//api"] {
		t.Error("a generated ConfigMap that keeps its name does not count")
	}
}

// TestKustomizeInternalAnnotationsPassThrough: without its annotations an
// object loses its suffix, its references stay unfixed, or kustomize panics.
func TestKustomizeInternalAnnotationsPassThrough(t *testing.T) {
	bases := []string{
		strings.NewReplacer("-- api", "-- base/api").Replace(generated), base("all", "namePrefix: all-"),
		"-- base/kustomization.yaml --\nresources: [api.yaml]\nnamePrefix: b-\nconfigMapGenerator:\n- {name: gen, literals: [a=1]}\n- {name: cfg, literals: [a=1]}\n",
	}
	top := "-- kustomization.yaml --\nresources: [all, base]\nnamespace: shop\nnameSuffix: -x\nbuildMetadata: [originAnnotations, transformerAnnotations]\n" + transformed + "\n"
	dir := folder(t, append(bases, transformer("./record"), top)...)
	script(t, filepath.Join(dir, "record"), "tee in | restamp | tee out\n")
	build(t, dir, functions...)

	in, out := read(t, filepath.Join(dir, "in")), read(t, filepath.Join(dir, "out"))
	says(t, in, "previousNames: ", "previousNamespaces: ", "previousKinds: ", "prefixes: ", "suffixes: ", "needsHashSuffix: enabled",
		"generatorBehavior: ", "kustomize.config.k8s.io/id: ", "config.kubernetes.io/origin: ", "alpha.config.kubernetes.io/transformations: ")
	onlyStampsAdded(t, in, out)
}

// TestKustomizeValidatorWritesNoItems: kustomize refuses a validator that
// writes the items that it was given.
func TestKustomizeValidatorWritesNoItems(t *testing.T) {
	check := strings.Replace(transformer("restamp", "validator: true"), "restamp.yaml", "check.yaml", 1)
	validated := "validators: [check.yaml]"

	plain := build(t, folder(t, app, overlay())).stdout
	dir := folder(t, transformer("restamp"), check, app, overlay(transformed, validated))
	out := build(t, dir, functions...).stdout
	stamped(t, out, 2)
	equal(t, "all else", unstamped(t, out), unstamped(t, plain))

	dir = folder(t, check, app, overlay(validated))
	r := call{}.fails(t, []string{"Deployment/web", "StatefulSet/db", "there is no stamp yet", "exit status 1"},
		kustomize, append([]string{"build", dir}, functions...)...)
	equal(t, "stdout", r.stdout, "")
}

// TestBaseTransformerIsStaleAfterTheOverlay: a function in a base does not see
// what overlays merge into the base's objects.
func TestBaseTransformerIsStaleAfterTheOverlay(t *testing.T) {
	bases := []string{base("base", transformed), strings.Replace(transformer("restamp"), "-- ", "-- base/", 1)}
	patch := "-- kustomization.yaml --\nresources: [base]\n" +
		"patches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: cfg}, data: {level: debug}}'\n"
	out := build(t, folder(t, append(bases, patch)...), functions...).stdout
	r := call{stdin: out}.run(t, restamp, "stamp", "--check", "-")
	if r.code != 1 {
		t.Errorf("--check: exit code %d", r.code)
	}
	says(t, r.stdout, "Deployment/web: spec.template: the stamp is stale", "StatefulSet/db: spec.template: the stamp is stale")

	both := folder(t, append(bases, transformer("restamp"), patch+transformed+"\n")...)
	stamped(t, build(t, both, functions...).stdout, 2)
}

// TestComponentTransformerIsStaleAfterTheOverlay: components run before the
// prefixes of the kustomization that lists them.
func TestComponentTransformerIsStaleAfterTheOverlay(t *testing.T) {
	component := "-- part/kustomization.yaml --\napiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [restamp.yaml]\n"
	dir := folder(t, component, strings.Replace(transformer("restamp"), "-- ", "-- part/", 1), app, overlay("components: [part]", "namePrefix: ov-"))
	out := build(t, dir, functions...).stdout
	r := call{stdin: out}.run(t, restamp, "stamp", "--check", "-")
	if r.code != 1 {
		t.Errorf("--check: exit code %d", r.code)
	}
	says(t, r.stdout, "Deployment/ov-web: spec.template: the stamp is stale")
}

// TestKustomizeSecretKeyComesFromTheEnvironment: a function has its caller's.
func TestKustomizeSecretKeyComesFromTheEnvironment(t *testing.T) {
	dir := folder(t, transformer("restamp"), app, overlay(transformed))
	keyed := call{env: []string{"RESTAMP_SECRET_KEY=sesame"}}
	got := stamps(t, keyed.must(t, kustomize, append([]string{"build", dir}, functions...)...).stdout)
	keyed.stdin = build(t, folder(t, app, overlay())).stdout
	equal(t, "stamps", got, stamps(t, keyed.must(t, restamp).stdout))
	if !strings.HasPrefix(got["Deployment//web"], "h1.") || !strings.HasPrefix(got["StatefulSet//db"], "h1:") {
		t.Errorf("stamps without a key: %v", got)
	}
}

// TestKustomizeFnRun: the other orchestrator in the same program works on
// files, and keeps their comments.
func TestKustomizeFnRun(t *testing.T) {
	dir := folder(t, app)
	call{dir: dir}.must(t, kustomize, "fn", "run", dir, "--enable-exec", "--exec-path", restamp, "--", "mode=all")
	after := files(t, dir)
	says(t, after["web.yaml"], "# What customers see.", "image: \"web:1\"", annotation)
	all := after["config.yaml"] + "---\n" + after["secret.yaml"] + "---\n" + after["web.yaml"] + "---\n" + after["db.yaml"]
	stamped(t, all, 2)
	equal(t, "all else", unstamped(t, after["web.yaml"]), unstamped(t, files(t, folder(t, app))["web.yaml"]))
}

// installPlugin puts restamp where kustomize looks for plugins of old.
func installPlugin(t *testing.T) call {
	t.Helper()
	home := call{env: []string{"KUSTOMIZE_PLUGIN_HOME=" + t.TempDir()}}
	home.must(t, restamp, "kustomize", "install-plugin")
	return home
}

// legacy is the configuration of a plugin: it names no program.
const legacy = `
-- restamp.yaml --
apiVersion: restamp.dev/v1alpha1
kind: Restamp
metadata:
  name: restamp
`

func TestKustomizeLegacyPlugin(t *testing.T) {
	home := installPlugin(t)
	plain := build(t, folder(t, app, overlay("namePrefix: ov-"))).stdout
	out := home.must(t, kustomize, "build", "--enable-alpha-plugins", folder(t, legacy, app, overlay("namePrefix: ov-", transformed))).stdout
	stamped(t, out, 2)
	equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
	equal(t, "all else", unstamped(t, out), unstamped(t, plain))

	// Its configuration counts, and its exit code.
	strict := folder(t, legacy+"spec: {strict: true}\n", app, "-- kustomization.yaml --\nresources: [web.yaml]\n"+transformed+"\n")
	home.fails(t, []string{"missing-reference", "Secret/token"}, kustomize, "build", "--enable-alpha-plugins", strict)
}

// TestKustomizeLegacyPluginAsValidatorWritesNothing: kustomize refuses one that
// gives the very same stream back.
func TestKustomizeLegacyPluginAsValidatorWritesNothing(t *testing.T) {
	home := installPlugin(t)
	check := strings.NewReplacer("restamp.yaml", "check.yaml", "name: restamp", "name: check").Replace(legacy) + "spec: {validator: true}\n"
	dir := folder(t, legacy, check, app, overlay(transformed, "validators: [check.yaml]"))
	stamped(t, home.must(t, kustomize, "build", "--enable-alpha-plugins", dir).stdout, 2)

	dir = folder(t, check, app, overlay("validators: [check.yaml]"))
	home.fails(t, []string{"there is no stamp yet"}, kustomize, "build", "--enable-alpha-plugins", dir)
}

// TestKubectlKustomizeLegacyPlugin: the only way into kubectl without a
// container, for it has no --enable-exec.
func TestKubectlKustomizeLegacyPlugin(t *testing.T) {
	need(t, "kubectl")
	home := installPlugin(t)
	more := []string{"nameSuffix: -x", "namespace: shop"}
	plain := home.must(t, "kubectl", "kustomize", folder(t, app, overlay(more...))).stdout
	out := home.must(t, "kubectl", "kustomize", "--enable-alpha-plugins", folder(t, legacy, app, overlay(append(more, transformed)...))).stdout
	stamped(t, out, 2)
	equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
	equal(t, "all else", unstamped(t, out), unstamped(t, plain))

	exec := folder(t, transformer("restamp"), app, overlay(transformed))
	skipped := home.must(t, "kubectl", "kustomize", "--enable-alpha-plugins", exec).stdout
	call{stdin: skipped}.fails(t, []string{"need another stamp"}, restamp, "stamp", "--check", "-")
}

// TestKustomizeGeneratorIsRefused: a generator is given its own configuration
// and nothing else; doing nothing would look like success.
func TestKustomizeGeneratorIsRefused(t *testing.T) {
	dir := folder(t, app, "-- kustomization.yaml --\nresources: [config.yaml, web.yaml]\ngenerators: [restamp.yaml]\n-- restamp.yaml --\n"+
		"apiVersion: restamp.dev/v1alpha1\nkind: Restamp\nmetadata:\n  name: restamp\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: restamp}\n")
	call{}.fails(t, []string{"list it under transformers"}, kustomize, "build", "--enable-alpha-plugins", "--enable-exec", dir)
}
