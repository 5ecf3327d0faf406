package graph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// workload is a Deployment in a namespace that takes its environment from the
// ConfigMap cm.
func workload(namespace, annotations string) string {
	return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: " + namespace + ", annotations: {" + annotations + "}}\n" +
		"spec: {template: {spec: {containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}}}\n"
}

func configMap(namespace, name, data string) string {
	return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: " + namespace + "}\ndata: {" + data + "}\n"
}

func TestNamespaces(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		opts         Options
		want         []string
	}{
		{"same", workload("a", "") + configMap("a", "cm", "k: x"), Options{}, []string{"ConfigMap/cm/k"}},
		{"both unset", workload("", "") + configMap("", "cm", "k: x"), Options{}, []string{"ConfigMap/cm/k"}},
		{"another", workload("a", "") + configMap("b", "cm", "k: x"), Options{}, nil},
		{"source unset", workload("a", "") + configMap("", "cm", "k: x"), Options{}, []string{"ConfigMap/cm/k"}},
		{"workload unset", workload("", "") + configMap("b", "cm", "k: x"), Options{}, []string{"ConfigMap/cm/k"}},
		{"workload unset, two candidates", workload("", "") + configMap("a", "cm", "k: x") + configMap("b", "cm", "k: x"), Options{}, nil},
		{"own one first", workload("a", "") + configMap("", "cm", "k: x") + configMap("a", "cm", "own: x"), Options{}, []string{"ConfigMap/cm/own"}},
		{"unset one first", workload("", "") + configMap("a", "cm", "k: x") + configMap("", "cm", "own: x"), Options{}, []string{"ConfigMap/cm/own"}},
		{"by option", workload("", "") + configMap("a", "cm", "k: x") + configMap("b", "cm", "l: x"), Options{Namespace: "b"}, []string{"ConfigMap/cm/l"}},
		{"last of two", workload("", "") + configMap("", "cm", "k: x") + configMap("", "cm", "last: x"), Options{}, []string{"ConfigMap/cm/last"}},
		{"template's namespace", strings.Replace(workload("a", ""), "template: {", "template: {metadata: {namespace: b}, ", 1) + configMap("b", "cm", "k: x"), Options{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, labels(t, c.stream, c.opts)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnnotations(t *testing.T) {
	source := configMap("", "cm", "a: x, b: x") + configMap("ops", "shared", "k: x, l: x")
	for _, c := range []struct {
		name, annotations, more string
		want                    []string
	}{
		{"depends-on a key elsewhere", "restamp.dev/depends-on: ops/ConfigMap/shared:k", "", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "ConfigMap/ops/shared/k"}},
		{"depends-on, spaces", `restamp.dev/depends-on: " ConfigMap/cm:a , ops/ConfigMap/shared "`, "", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "ConfigMap/ops/shared/k", "ConfigMap/ops/shared/l"}},
		{"ignore a key", `restamp.dev/ignore: "ConfigMap/cm:a"`, "", []string{"ConfigMap/cm/b"}},
		{"ignore by patterns", `restamp.dev/ignore: "ConfigMap/*m:*b, ConfigMap/x*:a*"`, "", []string{"ConfigMap/cm/a"}},
		{"ignore a reference", `restamp.dev/ignore: "ConfigMap/c*"`, "", nil},
		{"ignore another namespace's", `restamp.dev/ignore: "ops/ConfigMap/cm"`, "", []string{"ConfigMap/cm/a", "ConfigMap/cm/b"}},
		{"ignore all keys", `restamp.dev/ignore: "ConfigMap/cm:*"`, "", []string{"ConfigMap/cm/"}},
		{"ignore wins", `restamp.dev/ignore: "ops/ConfigMap/shared", restamp.dev/depends-on: "ops/ConfigMap/shared"`, "", []string{"ConfigMap/cm/a", "ConfigMap/cm/b"}},
		{"another kind", `restamp.dev/depends-on: "Service/db"`, "---\napiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {ports: []}\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "Service/db/"}},
		{"another kind with a group", `restamp.dev/depends-on: "Widget.example.com/w"`, "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "Widget.example.com/w/"}},
		{"two groups", `restamp.dev/depends-on: "Widget/w"`, "---\napiVersion: a.io/v1\nkind: Widget\nmetadata: {name: w}\n---\napiVersion: b.io/v1\nkind: Widget\nmetadata: {name: w}\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b"}},
		{"a group in another namespace", `restamp.dev/depends-on: "a/Widget.example.com/w"`, "---\napiVersion: other.io/v1\nkind: Widget\nmetadata: {name: w, namespace: a}\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "Widget.example.com/a/w/"}},
		{"another group's Secret", `restamp.dev/depends-on: "Secret.example.com/w"`, "---\napiVersion: example.com/v1\nkind: Secret\nmetadata: {name: w}\nspec: x\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "Secret.example.com/w/"}},
		{"another workload", `restamp.dev/depends-on: "StatefulSet/db"`, "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, annotations: {restamp.dev/ignore: Secret/x}}\nspec: {}\n", []string{"ConfigMap/cm/a", "ConfigMap/cm/b", "StatefulSet.apps/db/"}},
		{"the only group", `restamp.dev/depends-on: "Certificate/c"`, "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: c}\nspec: {secretName: s, dnsNames: [x]}\n", []string{"Certificate.cert-manager.io/c/spec", "ConfigMap/cm/a", "ConfigMap/cm/b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := workload("", c.annotations) + source + c.more
			if diff := cmp.Diff(c.want, labels(t, stream, Options{})); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultyAnnotations(t *testing.T) {
	for _, annotation := range []string{
		`restamp.dev/enabled: "yes"`, `restamp.dev/ignore: "configmap/cm"`, `restamp.dev/enabled: true`, `restamp.dev/depends-on: cm`, `restamp.dev/depends-on: "ConfigMap/*"`,
		`restamp.dev/depends-on: ""`, `restamp.dev/depends-on: "ConfigMap/cm,"`, `restamp.dev/depends-on: "a/b/c/d"`, `restamp.dev/ignore: "ConfigMap/"`,
		`restamp.dev/ignore: "ConfigMap/cm:"`, `restamp.dev/ignore: "true"`, `restamp.dev/depends-on: "/ConfigMap/cm"`, `restamp.dev/ignore: [a]`,
		`restamp.dev/ignore: "ConfigMap/cm:[b]"`,
	} {
		got := findings(t, workload("", annotation)+configMap("", "cm", "k: x"), Options{})
		if len(got) != 1 || !strings.HasPrefix(got[0], "cannot-stamp error:4 Deployment/web metadata.annotations.restamp.dev/") {
			t.Errorf("%s: %q", annotation, got)
		}
	}
	for _, annotation := range []string{`restamp.dev/ignore: "maybe"`, `restamp.dev/ignore-keys: ""`, `restamp.dev/ignore-keys: "a/b"`} {
		source := strings.Replace(configMap("", "cm", "k: x"), "{name", "{annotations: {"+annotation+"}, name", 1)
		got := findings(t, workload("", "")+source, Options{})
		if len(got) != 1 || !strings.HasPrefix(got[0], "invalid-source error:9 ConfigMap/cm metadata.annotations.restamp.dev/") {
			t.Errorf("%s: %q", annotation, got)
		}
	}
}

// TestEnabled: the pod template's word wins over the workload's, that over the
// Rollout's.
func TestEnabled(t *testing.T) {
	words := []string{"", `restamp.dev/enabled: "true"`, `restamp.dev/enabled: "false"`}
	for i, rollout := range words {
		for j, own := range words {
			for k, template := range words {
				stream := configMap("", "cm", "k: x") + workload("", own) +
					"---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r, annotations: {" + rollout + "}}\nspec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
				stream = strings.Replace(stream, "template: {", "template: {metadata: {annotations: {"+template+"}}, ", 1)
				last := 0
				for _, word := range []int{i, j, k} {
					if word > 0 {
						last = word
					}
				}
				want := Set
				if last == 2 {
					want = Keep
				}
				_, results := build(t, stream, Options{})
				if len(results) != 1 || results[0].Action != want {
					t.Errorf("rollout %q, workload %q, template %q: %+v", rollout, own, template, results)
				}
			}
		}
	}
}

func TestRolloutTargets(t *testing.T) {
	const rollout = "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r, annotations: {restamp.dev/ignore: \"ConfigMap/cm:a\"}}\nspec: {workloadRef: {apiVersion: apps/v1, kind: ReplicaSet, name: web}}\n"
	stream := configMap("", "cm", "a: x, b: x") + rollout + strings.Replace(workload("", ""), "Deployment", "ReplicaSet", 1)
	_, results := build(t, stream, Options{})
	if len(results) != 1 || results[0].Action != Set {
		t.Errorf("a ReplicaSet that a Rollout names: %+v", results)
	}
	if diff := cmp.Diff([]string{"ConfigMap/cm/b"}, labels(t, stream, Options{})); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	other := strings.NewReplacer("ReplicaSet, name: web", "ReplicaSet, name: other").Replace(rollout)
	if _, results := build(t, stream+other, Options{}); results[0].Action != Keep {
		t.Errorf("a ReplicaSet that an overridden Rollout names: %+v", results)
	}
	got := findings(t, rollout, Options{})
	if len(got) != 1 || !strings.HasPrefix(got[0], "missing-reference warning:5 Rollout/r spec.workloadRef:") {
		t.Errorf("without the ReplicaSet: %q", got)
	}
}

func TestProducers(t *testing.T) {
	const external = "---\napiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: %NAME}\nspec:\n  secretStoreRef: {name: s}\n  %SPEC\n"
	es := func(name, spec string) string {
		return strings.NewReplacer("%NAME", name, "%SPEC", spec).Replace(external)
	}
	key := func(key string) string {
		return pod(`containers: [{name: c, env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: ` + key + `}}}]}]`)
	}
	all := pod(`containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]`)
	const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {own: x}\n"
	const group = "ExternalSecret.external-secrets.io/"
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"one entry", es("s", "data: [{secretKey: a, remoteRef: {key: x}}, {secretKey: b}]") + key("a"), []string{group + "s/a", group + "s/spec.secretStoreRef"}},
		{"all entries", es("e", "target: {name: s}\n  data: [{secretKey: a}, {secretKey: b}]") + all, []string{group + "e/a", group + "e/b", group + "e/spec.secretStoreRef"}},
		{"computed", es("s", "target: {template: {data: {c: x}, metadata: {labels: {}}}}\n  data: [{secretKey: a}, {secretKey: b}]") + key("c"), []string{group + "s/a", group + "s/b", group + "s/spec.secretStoreRef", group + "s/spec.target.template"}},
		{"template with metadata alone", es("s", "target: {template: {metadata: {labels: {a: b}}, type: Opaque}}\n  data: [{secretKey: a}]") + key("a"), []string{group + "s/a", group + "s/spec.secretStoreRef"}},
		{"no such entry", es("s", "data: [{secretKey: a}]") + key("c"), nil},
		{"dataFrom", es("s", "dataFrom: [{extract: {key: x}}]") + key("c"), []string{group + "s/spec.dataFrom", group + "s/spec.secretStoreRef"}},
		{"hidden by a Secret", es("s", "data: [{secretKey: a}]") + secret + all, []string{"Secret/s/own"}},
		{"merging into a Secret", es("s", "target: {creationPolicy: Merge}\n  data: [{secretKey: a}]") + secret + all, []string{group + "s/a", group + "s/spec.secretStoreRef", "Secret/s/own"}},
		{"merging, a key of each", es("s", "target: {creationPolicy: Merge}\n  data: [{secretKey: a}]") + secret + key("own"), []string{"Secret/s/own"}},
		{"merging, but elsewhere", strings.Replace(es("s", "target: {creationPolicy: Merge}\n  dataFrom: [x]"), "{name", "{namespace: b, name", 1) + secret + strings.Replace(all, "{name: web", "{namespace: a, name: web", 1), []string{"Secret/s/own"}},
		{"merging, beside one that owns", es("s", "target: {creationPolicy: Merge}\n  data: [{secretKey: a}]") + strings.Replace(es("t", "target: {name: s}\n  data: [{secretKey: b}]"), "{name", "{namespace: b, name", 1) + secret + all, []string{group + "s/a", group + "s/spec.secretStoreRef", "Secret/s/own"}},
		{"making a ConfigMap", es("s", "target: {manifest: {apiVersion: v1, kind: ConfigMap}}\n  data: [{secretKey: a}]") + pod(`containers: [{name: c, envFrom: [{configMapRef: {name: s}}, {secretRef: {name: s, optional: true}}]}]`), []string{group + "s/a", group + "s/spec.secretStoreRef"}},
		{"a template that adds no key", es("s", "target: {template: {engineVersion: v2}}\n  data: [{secretKey: a}]") + key("c"), nil},
		{"making nothing", es("s", "target: {creationPolicy: None}\n  data: [{secretKey: a}]") + all, nil},
		{"two producers", es("s", "data: [{secretKey: a}]") + es("t", "target: {name: s}\n  data: [{secretKey: b}]") + all, []string{group + "s/a", group + "s/spec.secretStoreRef", group + "t/b", group + "t/spec.secretStoreRef"}},
		{"sealed", "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\nspec: {encryptedData: {a: A, b: B}, template: {metadata: {name: other}}}\n" + key("a"), []string{"SealedSecret.bitnami.com/s/a"}},
		{"sealed with a template", "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\nspec: {encryptedData: {a: A, b: B}, template: {data: {c: x}}}\n" + key("c"), []string{"SealedSecret.bitnami.com/s/a", "SealedSecret.bitnami.com/s/b", "SealedSecret.bitnami.com/s/spec.template.data"}},
		{"certificate", "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: c}\nspec: {secretName: s, renewBefore: 1h, dnsNames: [a]}\n" + key("tls.crt"), []string{"Certificate.cert-manager.io/c/spec"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, labels(t, c.stream, Options{})); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhatNeverCounts: a change of these changes no stamp.
func TestWhatNeverCounts(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"refreshInterval", producer("ExternalSecret", "external-secrets.io/v1", "refreshInterval: 1h"), producer("ExternalSecret", "external-secrets.io/v1", "refreshInterval: 2h, target: {deletionPolicy: Delete}")},
		{"renewBefore", producer("Certificate", "cert-manager.io/v1", "secretName: s, renewBefore: 1h"), producer("Certificate", "cert-manager.io/v1", "secretName: s, renewBeforePercentage: 3, secretTemplate: {}")},
		{"labels, type, immutable", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, labels: {x: y}}\ntype: Opaque\nimmutable: true\ndata: {a: Yg==}\n"},
		{"base64 with line breaks", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: YWJjZGVm}\n", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: |\n    YWJj\n    ZGVm\n"},
		{"a sops block", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: 'ENC[x]'}\nsops: {mac: a}\n", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: 'ENC[x]'}\nsops: {mac: b}\n"},
		{"style and order", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: \"x\\n\", b: y-}\n", "---\nkind: Secret\nstringData:\n  b: 'y-' # c\n  a: |\n    x\nmetadata: {name: s}\napiVersion: v1\n"},
		{"the namespace of both", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: x}\nstringData: {a: b}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := pod(`containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]`)
			_, one := build(t, c.one+all, Options{})
			_, other := build(t, all+c.other, Options{})
			if one[0].Stamp == "" || one[0].Stamp != other[0].Stamp {
				t.Errorf("%s and %s", one[0].Stamp, other[0].Stamp)
			}
		})
	}
}

func producer(kind, apiVersion, spec string) string {
	return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: s}\nspec: {" + spec + ", dataFrom: [x]}\n"
}

// TestWhatAlwaysCounts: a rival takes each of these pairs for the same.
func TestWhatAlwaysCounts(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"where a key ends", `{a: "1;b=2"}`, `{a: "1", b: "2"}`},
		{"where a value ends", `{a: bc}`, `{ab: c}`},
		{"a key's name", `{a: x}`, `{b: x}`},
		{"nothing and an empty value", `{}`, `{a: ""}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := pod(`containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]`)
			cm := func(data string) string {
				return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: " + data + "\n"
			}
			_, one := build(t, cm(c.one)+all, Options{})
			_, other := build(t, cm(c.other)+all, Options{})
			if one[0].Stamp == other[0].Stamp {
				t.Errorf("both are %s", one[0].Stamp)
			}
		})
	}
}

func TestKeysOfStamps(t *testing.T) {
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n"
	uses := pod(`containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]`)
	stamp := func(stream, key string) string {
		opts := Options{}
		if key != "" {
			opts.SecretKey = []byte(key)
		}
		_, results := build(t, stream, opts)
		return results[0].Stamp
	}
	plain, one, other := stamp(secret+uses, ""), stamp(secret+uses, "one"), stamp(secret+uses, "other")
	if plain == one || one == other || !strings.HasPrefix(plain, "h1:") || !strings.HasPrefix(one, "h1.") {
		t.Errorf("plain %s, keyed %s and %s", plain, one, other)
	}
	cm := configMap("", "cm", "k: x") + workload("", "")
	if stamp(cm, "") != stamp(cm, "one") {
		t.Error("a key changes the stamp of a workload that uses no Secret")
	}
}
