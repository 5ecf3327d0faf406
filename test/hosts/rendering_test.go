package hosts

import (
	"path/filepath"
	"slices"
	"testing"
)

// small are kustomizations of the app that use much of what kustomize can do.
var small = []struct {
	name  string
	flags []string
	files string // the one that is built is in the folder "top"
}{
	{"all that overlays change", nil, `
-- top/kustomization.yaml --
resources: [../base]
namespace: shop
namePrefix: eu-
nameSuffix: -one
labels: [{pairs: {tier: front}, includeSelectors: true}, {pairs: {team: web}, includeTemplates: true}]
commonAnnotations: {owner: "team: web", url: https://example.com/a}
images: [{name: web, newName: example.com/web, newTag: "2"}, {name: db, digest: sha256:0000}]
replicas: [{name: web, count: 3}]
`},
	{"generators", nil, `
-- top/kustomization.yaml --
resources: [../base]
generatorOptions: {labels: {made: "yes"}, annotations: {by: generator}}
configMapGenerator:
- {name: cfg, behavior: merge, literals: [level=debug, 'quoted="a b"']}
- {name: files, files: [a.conf, renamed=a.conf, raw.bin], envs: [a.env]}
- {name: fixed, literals: [a=1], options: {disableNameSuffixHash: true, immutable: true}}
secretGenerator:
- {name: token, behavior: replace, type: Opaque, literals: [token=x]}
- {name: tls, type: kubernetes.io/tls, files: [tls.crt=a.conf, tls.key=a.conf]}
-- top/a.conf --
line one

	indented: "yes"
  no end
-- top/a.env --
# a comment
A=1
B=two words
-- top/raw.bin --
` + "\xff\xfe\x00\n"},
	{"patches", nil, `
-- top/kustomization.yaml --
resources: [../base]
patches:
- path: merge.yaml
- {path: json.yaml, target: {kind: StatefulSet}}
- {target: {kind: Deployment, name: w.b}, patch: '[{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}]'}
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: cfg}
    data: {unused: null, block: "one\ntwo\n"}
-- top/merge.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: side
        image: side:1
        envFrom: [{configMapRef: {name: cfg}}]
      - name: app
        env: [{$patch: replace}, {name: ONLY, value: "1"}]
-- top/json.yaml --
- {op: replace, path: /spec/template/spec/containers/0/image, value: db:2}
- {op: remove, path: /spec/template/metadata/annotations}
`},
	{"a patch that deletes", nil, `
-- top/kustomization.yaml --
resources: [../base]
patches: [{patch: '{$patch: delete, apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}}'}]
`},
	{"replacements", nil, `
-- top/kustomization.yaml --
resources: [../base]
replacements:
- path: replacement.yaml
- source: {kind: Deployment, name: web, fieldPath: spec.template.spec.containers.0.image, options: {delimiter: ':', index: 1}}
  targets: [{select: {kind: StatefulSet}, fieldPaths: ['spec.template.metadata.labels.of'], options: {create: true}}]
-- top/replacement.yaml --
source: {kind: ConfigMap, name: cfg, fieldPath: data.level}
targets: [{select: {kind: Deployment}, fieldPaths: ['metadata.labels.level'], options: {create: true}}]
`},
	{"components", nil, `
-- top/kustomization.yaml --
resources: [../base]
components: [../part, ../other]
-- part/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
configMapGenerator: [{name: cfg, behavior: merge, literals: [more=1]}]
-- other/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
namePrefix: o-
patches: [{target: {kind: Deployment}, patch: '[{"op": "add", "path": "/spec/replicas", "value": 2}]'}]
`},
	{"an order", nil, `
-- top/kustomization.yaml --
resources: [../base]
sortOptions: {order: legacy, legacySortOptions: {orderFirst: [StatefulSet, Secret], orderLast: [ConfigMap]}}
`},
	{"the order of the input", nil, `
-- top/kustomization.yaml --
resources: [../base]
sortOptions: {order: fifo}
`},
	{"metadata of the build", nil, `
-- top/kustomization.yaml --
resources: [../base]
namePrefix: a-
configMapGenerator: [{name: b, literals: [a=1]}]
buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]
`},
	{"kinds of its own", nil, `
-- top/kustomization.yaml --
resources: [../base, shop.yaml]
namePrefix: a-
crds: [crd.json]
configurations: [names.yaml]
-- top/shop.yaml --
apiVersion: example.com/v1
kind: Shop
metadata: {name: shop}
spec: {settings: {name: cfg}, key: token}
-- top/crd.json --
{"example.com/v1.Shop": {"Schema": {"properties": {"spec": {"$ref": "spec"}}}},
 "spec": {"Schema": {"properties": {"settings": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "ConfigMap", "x-kubernetes-object-ref-name-key": "name"}}}}}
-- top/names.yaml --
nameReference: [{kind: Secret, fieldSpecs: [{kind: Shop, path: spec/key}]}]
`},
	{"a schema", nil, `
-- top/kustomization.yaml --
resources: [../base, shop.yaml]
openapi: {path: schema.json}
patches: [{path: patch.yaml}]
-- top/shop.yaml --
apiVersion: example.com/v1
kind: Shop
metadata: {name: shop}
spec: {shelves: [{title: a, n: 1}, {title: b, n: 2}]}
-- top/patch.yaml --
apiVersion: example.com/v1
kind: Shop
metadata: {name: shop}
spec: {shelves: [{title: b, n: 3}]}
-- top/schema.json --
{"definitions": {"v1.Shop": {"properties": {"spec": {"properties": {"shelves": {"type": "array",
   "x-kubernetes-patch-merge-key": "title", "x-kubernetes-patch-strategy": "merge",
   "items": {"type": "object", "properties": {"title": {"type": "string"}}}}}}},
  "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Shop", "version": "v1"}]}}}
`},
	{"older fields", nil, `
-- top/kustomization.yaml --
bases: [../base]
commonLabels: {app: a}
patchesStrategicMerge: ['{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 4}}']
patchesJson6902: [{target: {group: apps, version: v1, kind: StatefulSet, name: db}, patch: '[{"op": "add", "path": "/spec/replicas", "value": 2}]'}]
vars: [{name: LEVEL, objref: {apiVersion: v1, kind: ConfigMap, name: cfg}, fieldref: {fieldpath: data.level}}]
configMapGenerator: [{name: b, literals: ['level=is $(LEVEL)']}]
`},
	{"text that is hard to keep", nil, "\n-- top/kustomization.yaml --\nresources: [../base, odd.yaml]\n-- top/odd.yaml --\n" +
		"# first\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n    name: odd # a name\r\ndata:\r\n    yes: \"yes\"\r\n    n: \"012\"\r\n    folded: >-\r\n        a\r\n        b\r\n" +
		"    tail: \"  blank \"\n    long: " + `"a very long line that goes on and on, so that somebody who writes YAML would like to break it in two: ünïcödé 漢字 \u0007"` +
		"\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}, data: {}}\n"},
	{"files from elsewhere", []string{"--load-restrictor", "LoadRestrictionsNone"}, `
-- top/kustomization.yaml --
resources: [../base/config.yaml, ../base/web.yaml]
configMapGenerator: [{name: b, files: [../base/db.yaml]}]
`},
	{"built-in plugins", nil, `
-- top/kustomization.yaml --
resources: [../base]
transformers:
- |-
  apiVersion: builtin
  kind: PrefixSuffixTransformer
  metadata: {name: a}
  prefix: p-
  fieldSpecs: [{path: metadata/name}]
generators: [generator.yaml]
-- top/generator.yaml --
apiVersion: builtin
kind: ConfigMapGenerator
metadata: {name: made}
literals: [a=b]
`},
	{"functions", functions, `
-- top/kustomization.yaml --
resources: [../base]
transformers: [f.yaml]
-- top/f.yaml --
apiVersion: example.com/v1
kind: Change
metadata:
  name: change
  annotations: {config.kubernetes.io/function: "exec: {path: ./change}"}
`},
	{"charts", []string{"--enable-helm"}, `
-- top/kustomization.yaml --
resources: [../base]
helmGlobals: {chartHome: stock}
helmCharts:
- {name: shop, releaseName: eu, namespace: shop, valuesInline: {level: debug}, includeCRDs: true, kubeVersion: v1.31.0, apiVersions: [example.com/v1]}
- {name: shop, releaseName: us, valuesFile: us.yaml, skipHooks: true, skipTests: true}
-- top/us.yaml --
level: warn
-- top/stock/shop/Chart.yaml --
apiVersion: v2
name: shop
version: 0.1.0
-- top/stock/shop/values.yaml --
level: info
-- top/stock/shop/crds/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
-- top/stock/shop/templates/app.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-shop, namespace: {{ .Release.Namespace }}}
data: {level: {{ .Values.level }}, kube: {{ .Capabilities.KubeVersion.Version }}, has: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-shop, namespace: {{ .Release.Namespace }}}
spec: {template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: c, envFrom: [{configMapRef: {name: {{ .Release.Name }}-shop}}]}]}}}
-- top/stock/shop/templates/hook.yaml --
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-hook, annotations: {helm.sh/hook: pre-install}}
`},
}

// TestBuildIsKustomizeBuild: what restamp build writes for a kustomization is
// what kustomize writes, byte for byte, with stamps; also when one process
// builds all of them at once, some of which bring their own schema.
func TestBuildIsKustomizeBuild(t *testing.T) {
	apps := t.TempDir()
	want := make(map[string]string)
	for _, c := range small {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, base("base"), c.files)
			script(t, filepath.Join(dir, "top/change"), "sed 's/hunter2/changed/'\n")
			top := filepath.Join(dir, "top")
			flags := slices.Clone(c.flags)
			if slices.Contains(flags, "--enable-helm") {
				flags = append(flags, "--helm-command", helm3)
			}
			theirs := call{dir: top}.must(t, kustomize, append([]string{"build", "."}, flags...)...).stdout
			ours := call{dir: top}.must(t, restamp, append([]string{"build", "."}, flags...)...).stdout
			onlyStampsAdded(t, theirs, ours)
			if len(stamps(t, ours)) == 0 {
				t.Errorf("no stamp in:\n%s", ours)
			}
			if c.flags == nil {
				for i := range 8 { // enough for them to meet
					name := c.name + string(rune('a'+i))
					for path, text := range files(t, dir) {
						write(t, filepath.Join(apps, name, path), text)
					}
					want[filepath.Join(name, "top/manifests.yaml")] = ours
				}
			}
		})
	}
	if len(want) == 0 {
		return // a single one was asked for
	}
	out := t.TempDir()
	call{}.must(t, restamp, "build", "--all", apps, "-o", out, "--workers", "8")
	equal(t, "all at once", files(t, out), want)
}

// TestBuildIsHelmTemplate: what restamp build writes for a chart is what helm
// template writes with the same flags, byte for byte, with stamps.
func TestBuildIsHelmTemplate(t *testing.T) {
	more := `
-- shop/crds/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
-- shop/templates/more.yaml --
# What the flags say.
apiVersion: v1
kind: ConfigMap
metadata: {name: more, namespace: {{ .Release.Namespace }}, annotations: {helm.sh/hook: pre-install}}
data:
  release: {{ .Release.Name }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1/Shop" | quote }}
  values: |
    {{- toYaml .Values | nindent 4 }}
{{- if .Values.list }}
---
{{ fail "a list" }}
{{- end }}
-- a.yaml --
from: {a: 1, b: null}
-- b.yaml --
from: {a: 2}
`
	for name, helm := range map[string]string{"helm 3": helm3, "helm 4": helm4} {
		for _, flags := range [][]string{
			nil,
			{"-f", "a.yaml", "-f", "b.yaml"},
			{"--set", "x.y=1,z={a,b}", "--set", `w="q"`, "--set-string", "n=012,x.z=true"},
			{"--include-crds", "--kube-version", "v1.31.2", "--api-versions", "example.com/v1/Shop", "--api-versions", "a/v1"},
		} {
			t.Run(name, func(t *testing.T) {
				dir := folder(t, append(chart(), more)...)
				theirs := call{dir: dir}.must(t, helm, append([]string{"template", "one", "shop", "-n", "team"}, flags...)...).stdout
				ours := call{dir: dir}.must(t, restamp, append([]string{"build", "shop", "--name", "one", "-n", "team", "--helm-command", helm}, flags...)...).stdout
				onlyStampsAdded(t, theirs, ours)
				if len(stamps(t, ours)) == 0 {
					t.Errorf("no stamp in:\n%s", ours)
				}
			})
		}
	}
}

// TestBuildTellsWhatAChartNeeds, whichever Helm says so.
func TestBuildTellsWhatAChartNeeds(t *testing.T) {
	for _, helm := range []string{helm3, helm4} {
		dir := folder(t, append(chart(), "-- a/Chart.yaml --\napiVersion: v2\nname: a\nversion: 0.1.0\ndependencies: [{name: shop, version: '>=0', repository: 'file://../shop'}]\n"+
			"-- b/Chart.yaml --\napiVersion: v2\nname: b\nversion: 0.1.0\nkubeVersion: '>=1.99'\n")...)
		build := func(args ...string) []string { return append([]string{"build", "--helm-command", helm}, args...) }
		c := call{dir: dir}
		c.fails(t, []string{"missing in charts/", "hint: without --remote=false they are fetched"}, restamp, build("a", "--remote=false")...)
		c.fails(t, []string{"incompatible with Kubernetes", "hint: --kube-version names"}, restamp, build("b")...)
		stamped(t, c.must(t, restamp, build("a", "--set", "shop.a=b")...).stdout, 2)
	}
	c := call{dir: folder(t, chart()...), env: []string{"PATH=/nowhere"}}
	c.fails(t, []string{`looking for "helm"`, "hint: put helm on PATH, or name it with --helm-command"}, restamp, "build", "shop")
}
