package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/manifest"
)

// build reads a stream, resolves it and returns the graph and its results.
func build(t *testing.T, stream string, opts Options) (*Graph, []Result) {
	t.Helper()
	in := &manifest.Input{Name: "in.yaml"}
	var parts []Objects
	each := func(read func(manifest.Document, *Objects) error) (parts []Objects) {
		for _, c := range in.Chunks {
			var part Objects
			for doc := range c.Documents() {
				if err := read(doc, &part); err != nil {
					t.Fatalf("reading %q: %v", doc.Text, err)
				}
			}
			parts = append(parts, part)
		}
		return parts
	}
	if err := in.Read(strings.NewReader(stream), func(*manifest.Chunk) {}); err != nil {
		t.Fatal(err)
	}
	manifest.Number([]*manifest.Input{in})
	reader := NewReader(opts)
	parts = each(reader.Read)
	g := Build(parts, opts)
	if wanted := g.Wanted(); len(wanted) > 0 {
		g.Add(each(func(doc manifest.Document, part *Objects) error { return reader.ReadOthers(doc, wanted, part) }))
	}
	var results []Result
	resolver := g.NewResolver()
	for _, w := range g.Workloads {
		results = resolver.Resolve(results, w)
	}
	return g, results
}

// labels are the labels of the lines under all stamps of a stream, sorted.
func labels(t *testing.T, stream string, opts Options) []string {
	t.Helper()
	g, _ := build(t, stream, opts)
	var all []string
	for _, w := range g.Workloads {
		for _, d := range g.NewResolver().Explain(w) {
			for _, l := range d.Lines {
				all = append(all, l.Label())
			}
		}
	}
	slices.Sort(all)
	return all
}

// findings are a stream's findings, one per line: code, severity, line, object,
// field and message.
func findings(t *testing.T, stream string, opts Options) []string {
	t.Helper()
	g, results := build(t, stream, opts)
	var all []string
	for _, f := range g.Findings(results) {
		if f.Code != FirstStamp && f.Code != UnkeyedSecret {
			all = append(all, fmt.Sprintf("%s %s:%d %s %s: %s", f.Code, f.Severity, f.Place.Line(), f.Object, f.Field, f.Message))
		}
	}
	return all
}

// sources are what the pods of the tests below refer to.
const sources = `
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "1", b: "2", c.d: "3"}
binaryData: {bin: AAEC}
---
apiVersion: v1
kind: Secret
metadata: {name: sec}
data: {x: eA==, y: eQ==}
`

// pod wraps the fields of a pod's spec into a Deployment.
func pod(spec string) string {
	return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n" +
		strings.ReplaceAll("\n"+strings.TrimSpace(spec), "\n", "\n      ") + "\n"
}

var referenceCases = []struct {
	name, spec string
	want       []string
}{
	{"env", `containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: a}}}, {name: X, valueFrom: {secretKeyRef: {name: sec, key: x}}}]}]`, []string{"ConfigMap/cm/a", "Secret/sec/x"}},
	{"env, binary data", `containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: bin}}}]}]`, nil},
	{"envFrom", `containers: [{name: c, envFrom: [{prefix: P_, configMapRef: {name: cm}}, {secretRef: {name: sec}}]}]`, []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "ConfigMap/cm/c.d", "Secret/sec/x", "Secret/sec/y"}},
	{"init containers", `initContainers: [{name: c, restartPolicy: Always, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: a}}}]}]`, []string{"ConfigMap/cm/a"}},
	{"ephemeral containers", `ephemeralContainers: [{name: c, envFrom: [{secretRef: {name: sec}}]}]`, []string{"Secret/sec/x", "Secret/sec/y"}},
	{"other env", `containers: [{name: c, env: [{name: A, value: cm}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}], envFrom: null}]`, nil},
	{"volume", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
volumes: [{name: v, configMap: {name: cm}}]`, []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "ConfigMap/cm/bin", "ConfigMap/cm/c.d"}},
	{"items", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
volumes: [{name: v, secret: {secretName: sec, items: [{key: "y", path: z}]}}]`, []string{"Secret/sec/y"}},
	{"subPath", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: ./a}]}]
volumes: [{name: v, configMap: {name: cm}}]`, []string{"ConfigMap/cm/a"}},
	{"subPath to a folder of items", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: d}]}]
volumes: [{name: v, configMap: {name: cm, items: [{key: a, path: d/one}, {key: b, path: "d/e//two"}, {key: c.d, path: dd}]}}]`, []string{"ConfigMap/cm/a", "ConfigMap/cm/b"}},
	{"subPath .", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: "./"}]}]
volumes: [{name: v, secret: {secretName: sec}}]`, []string{"Secret/sec/x", "Secret/sec/y"}},
	{"subPathExpr", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPathExpr: $(A)}]}]
volumes: [{name: v, secret: {secretName: sec}}]`, []string{"Secret/sec/x", "Secret/sec/y"}},
	{"subPath here, whole there", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: x}]}]
initContainers: [{name: i, volumeMounts: [{name: v, mountPath: /v}]}]
volumes: [{name: v, secret: {secretName: sec}}]`, []string{"Secret/sec/x", "Secret/sec/y"}},
	{"subPath to nothing", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: a/b}]}]
volumes: [{name: v, configMap: {name: cm}}]`, nil},
	{"projected", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
volumes: [{name: v, projected: {sources: [{configMap: {name: cm, items: [{key: a, path: a}]}}, {secret: {name: sec}}, {serviceAccountToken: {path: t}}]}}]`, []string{"ConfigMap/cm/a", "Secret/sec/x", "Secret/sec/y"}},
	{"projected, subPath", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: x}]}]
volumes: [{name: v, projected: {sources: [{configMap: {name: cm}}, {secret: {name: sec}}]}}]`, []string{"Secret/sec/x"}},
	{"not mounted", `
containers: [{name: c}]
volumes: [{name: v, configMap: {name: cm}}, {name: w, projected: {sources: [{secret: {name: sec}}]}}]`, nil},
	{"csi node publish secret", `
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v, subPath: x}]}]
volumes: [{name: v, csi: {driver: d, nodePublishSecretRef: {name: sec}}}]`, []string{"Secret/sec/x", "Secret/sec/y"}},
	{"azureFile", volumeOf(`azureFile: {secretName: sec, shareName: s}`), bothKeys},
	{"cephfs", volumeOf(`cephfs: {secretRef: {name: sec}}`), bothKeys},
	{"cinder", volumeOf(`cinder: {volumeID: v, secretRef: {name: sec}}`), bothKeys},
	{"flexVolume", volumeOf(`flexVolume: {driver: d, secretRef: {name: sec}}`), bothKeys},
	{"iscsi", volumeOf(`iscsi: {secretRef: {name: sec}}`), bothKeys},
	{"rbd", volumeOf(`rbd: {secretRef: {name: sec}}`), bothKeys},
	{"scaleIO", volumeOf(`scaleIO: {secretRef: {name: sec}}`), bothKeys},
	{"storageos", volumeOf(`storageos: {secretRef: {name: sec}}`), bothKeys},
	{"block device", `
containers: [{name: c, volumeDevices: [{name: v, devicePath: /v}]}]
volumes: [{name: v, iscsi: {secretRef: {name: sec}}}]`, bothKeys},
	{"not followed", `{imagePullSecrets: [{name: sec}], serviceAccountName: sec}`, nil},
	{"two volumes, the first not mounted", `
containers: [{name: c, volumeMounts: [{name: w, mountPath: /v}]}]
volumes: [{name: v, configMap: {name: cm}}, {name: w, configMap: {name: cm, items: [{key: a, path: a}]}}]`, []string{"ConfigMap/cm/a"}},
	{"one key twice, and all", `containers: [{name: c, env: [{name: A, valueFrom: {secretKeyRef: {name: sec, key: x}}}], envFrom: [{secretRef: {name: sec}}]}]`, bothKeys},
}

var bothKeys = []string{"Secret/sec/x", "Secret/sec/y"}

func volumeOf(source string) string {
	return "containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]\nvolumes: [{name: v, " + source + "}]"
}

func TestReferences(t *testing.T) {
	for _, c := range referenceCases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, labels(t, sources+pod(c.spec), Options{})); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReferencesToACSIProvider(t *testing.T) {
	got := labels(t, `
apiVersion: secrets-store.csi.x-k8s.io/v1
kind: SecretProviderClass
metadata: {name: vault}
spec:
  provider: vault
  parameters: {roleName: app}
  secretObjects: [{secretName: made, type: Opaque}]
`+pod(`
containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}], envFrom: [{secretRef: {name: made}}]}]
volumes: [{name: v, csi: {driver: secrets-store.csi.k8s.io, volumeAttributes: {secretProviderClass: vault}}}]`), Options{})
	kind := "SecretProviderClass.secrets-store.csi.x-k8s.io/vault/"
	if diff := cmp.Diff([]string{kind + "spec.parameters", kind + "spec.provider", kind + "spec.secretObjects"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
