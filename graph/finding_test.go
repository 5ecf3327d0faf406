package graph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFindings has a small manifest for each finding, and says all that is
// found in it.
func TestFindings(t *testing.T) {
	envFrom := func(ref string) string {
		return pod("containers: [{name: c, envFrom: [{" + ref + "}]}]")
	}
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: x}\n"
	const web = "Deployment/web"
	const envField = "spec.template.spec.containers[0].envFrom[0].configMapRef"
	for _, c := range []struct {
		name, stream string
		opts         Options
		want         []string
	}{
		{"nothing to tell", cm + envFrom("configMapRef: {name: cm}"), Options{}, nil},
		{"missing reference", envFrom("configMapRef: {name: cm}"), Options{}, []string{"missing-reference warning:9 " + web + " " + envField + ": ConfigMap/cm is not in the input"}},
		{"missing reference, strict", envFrom("configMapRef: {name: cm}"), Options{Strict: true}, []string{"missing-reference error:9 " + web + " " + envField + ": ConfigMap/cm is not in the input"}},
		{"missing reference, elsewhere", strings.Replace(cm, "{name", "{namespace: b, name", 1) + workload("a", ""), Options{}, []string{
			"unused-source info:1 ConfigMap/b/cm : no workload of the input uses it",
			"missing-reference warning:9 Deployment/a/web " + envField + ": ConfigMap/a/cm is not in the input, but ConfigMap/b/cm is",
		}},
		{"missing, but made later", envFrom("configMapRef: {name: cm}"), Options{Strict: true, Made: map[ID]string{{Kind: "ConfigMap", Name: "cm"}: "a pod"}}, []string{
			"stand-in info:9 " + web + " " + envField + ": a pod makes ConfigMap/cm: its changes are not seen",
		}},
		{"missing, but optional", envFrom("configMapRef: {name: cm, optional: true}"), Options{Strict: true}, nil},
		{"missing key", cm + pod("containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: b}}}]}]"), Options{}, []string{
			"missing-key warning:13 " + web + " spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef: ConfigMap/cm has no key b",
		}},
		{"missing key, but optional", cm + pod("containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: b, optional: true}}}]}]"), Options{}, nil},
		{"ambiguous", strings.Replace(cm, "{name", "{namespace: a, name", 1) + "---\n" + strings.Replace(cm, "{name", "{namespace: b, name", 1) + workload("", ""), Options{}, []string{
			"unused-source info:1 ConfigMap/a/cm : no workload of the input uses it",
			"unused-source info:6 ConfigMap/b/cm : no workload of the input uses it",
			"ambiguous-reference warning:14 " + web + " " + envField + ": ConfigMap/cm could be any of ConfigMap/a/cm, ConfigMap/b/cm: nothing of it is hashed",
		}},
		{"duplicates", cm + "---\n" + cm + "---\n" + strings.Replace(cm, "a: x", "a: z", 1) + envFrom("configMapRef: {name: cm}"), Options{}, []string{
			"duplicate-object info:6 ConfigMap/cm : the input has the same object already, in in.yaml:1",
			"duplicate-object warning:11 ConfigMap/cm : the input has this object already, with other content, in in.yaml:6; the last one counts",
		}},
		{"unused", cm, Options{}, []string{"unused-source info:1 ConfigMap/cm : no workload of the input uses it"}},
		{"unmounted", cm + pod("containers: [{name: c}]\nvolumes: [{name: v, configMap: {name: cm}}, {name: w, emptyDir: {}}]"), Options{}, []string{
			"unused-source info:1 ConfigMap/cm : no workload of the input uses it",
			"unmounted-volume warning:14 " + web + " spec.template.spec.volumes[0]: no container mounts the volume v, so nothing of it is used",
			"unmounted-volume info:14 " + web + " spec.template.spec.volumes[1]: no container mounts the volume w, so nothing of it is used",
		}},
		{"paused", cm + strings.Replace(envFrom("configMapRef: {name: cm}"), "spec:", "spec:\n  paused: true", 1), Options{}, []string{
			"never-rolls warning:10 " + web + " : the workload is paused: its pods stay as they are until it is resumed",
		}},
		{"OnDelete", cm + strings.NewReplacer("Deployment", "StatefulSet", "\nspec:", "\nspec:\n  updateStrategy: {type: OnDelete}").Replace(envFrom("configMapRef: {name: cm}")), Options{}, []string{
			"never-rolls warning:10 StatefulSet/web : update strategy OnDelete: pods get the new template only when somebody deletes them",
		}},
		{"partition", cm + strings.NewReplacer("Deployment", "StatefulSet", "\nspec:", "\nspec:\n  updateStrategy: {rollingUpdate: {partition: 2}}").Replace(envFrom("configMapRef: {name: cm}")), Options{}, []string{
			"never-rolls warning:10 StatefulSet/web : pods below the partition keep the old template",
		}},
		{"partition 0", cm + strings.NewReplacer("Deployment", "StatefulSet", "\nspec:", "\nspec:\n  updateStrategy: {rollingUpdate: {partition: 0}}").Replace(envFrom("configMapRef: {name: cm}")), Options{}, nil},
		{"immutable", cm + strings.NewReplacer("apps/v1", "batch/v1", "Deployment", "Job").Replace(envFrom("configMapRef: {name: cm}")), Options{}, []string{
			"immutable-workload info:11 Job/web spec.template: this uses configuration, but the pod template of a Job may not be changed",
		}},
		{"costly", cm + strings.NewReplacer("apps/v1", "keda.sh/v1alpha1", "Deployment", "ScaledJob", "  template:\n", "  jobTargetRef:\n   template:\n").Replace(envFrom("configMapRef: {name: cm}")), Options{}, []string{
			"costly-workload info:12 ScaledJob/web spec.jobTargetRef.template: this uses configuration, but a change of the pod template deletes the Jobs that run; restamp.dev/enabled: \"true\" opts in",
		}},
		{"stand-ins", `apiVersion: v1
kind: Secret
metadata: {name: token}
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ca, labels: {config.openshift.io/inject-trusted-cabundle: "true"}}
` + pod(`
containers: [{name: c, env: [{name: A, valueFrom: {secretKeyRef: {name: token, key: token}}}], volumeMounts: [{name: v, mountPath: /v}]}]
volumes: [{name: v, projected: {sources: [{configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: x}]}}, {configMap: {name: ca, items: [{key: ca-bundle.crt, path: z}]}}]}}]`), Options{Strict: true}, []string{
			"stand-in info:1 Secret/token : the cluster fills this Secret with a token: a change of the value itself is not seen",
			"stand-in info:6 ConfigMap/ca : a controller injects the content of this ConfigMap: a change of the value itself is not seen",
			"stand-in info:18 " + web + " spec.template.spec.volumes[0].projected.sources[0].configMap: the cluster makes ConfigMap/kube-root-ca.crt: its changes are not seen",
		}},
		{"foreign checksum, chart label, leftover env", cm + strings.Replace(pod("containers: [{name: c, env: [{name: STAKATER_CM_CONFIGMAP, value: x}], envFrom: [{configMapRef: {name: cm}}]}]"), "  template:\n", "  template:\n    metadata: {annotations: {checksum/config: x}, labels: {helm.sh/chart: c-1}}\n", 1), Options{}, []string{
			"foreign-checksum info:11 " + web + " spec.template.metadata.annotations.checksum/config: a checksum of another tool restarts these pods too, when what it covers changes",
			"chart-label info:11 " + web + " spec.template.metadata.labels.helm.sh/chart: each new version of the chart restarts these pods, whether configuration changes or not",
			"leftover-env warning:14 " + web + " spec.template.spec.containers[0].env[0]: Reloader left this variable behind: it restarts the pods whenever somebody takes it out",
		}},
		{"placeholders", "apiVersion: v1\nkind: Secret\nmetadata: {name: cm}\ndata:\n  a: <path:secret/data/x#y | base64encode>\n  b: ${B}\nstringData:\n  c: '${C:-none}'\n  d: not ${D} alone\n" + envFrom("secretRef: {name: cm}"), Options{}, []string{
			"placeholder warning:5 Secret/cm data.a: a later step fills in this value: its text is hashed as it is",
		}},
		{"twice in a container", cm + pod("containers:\n- name: c\n  env: []\n  envFrom: [{configMapRef: {name: cm}}]\n  env: []"), Options{}, []string{
			"cannot-stamp error:17 " + web + " spec.template.spec.containers[0].env: the key stands here and in line 15",
		}},
		{"twice, nothing to stamp", pod("containers:\n- name: c\n  env: []\n  env: []"), Options{}, []string{
			"cannot-stamp warning:12 " + web + " spec.template.spec.containers[0].env: the key stands here and in line 11",
		}},
		{"twice, the reference in the first", cm + pod("containers:\n- name: c\n  envFrom: [{configMapRef: {name: cm}}]\n  envFrom: []"), Options{}, []string{
			"cannot-stamp error:16 " + web + " spec.template.spec.containers[0].envFrom: the key stands here and in line 15",
		}},
		{"twice on the way, the template in the first", cm + envFrom("configMapRef: {name: cm}") + "spec: {}\n", Options{}, []string{
			"unused-source info:1 ConfigMap/cm : no workload of the input uses it",
			"cannot-stamp error:14 " + web + " spec: the key stands here and in line 9",
		}},
		{"twice on the way", cm + strings.Replace(envFrom("configMapRef: {name: cm}"), "\nspec:", "\nspec: {}\nspec:", 1), Options{}, []string{
			"cannot-stamp error:10 " + web + " spec: the key stands here and in line 9",
		}},
		{"malformed references", pod("containers: [{name: c, envFrom: {configMapRef: {name: cm}}, env: [{name: A, valueFrom: {secretKeyRef: cm}}, {name: B, valueFrom: {configMapKeyRef: {name: cm, key: 1}}}]}]\nvolumes: x") + "---\n" + cm, Options{}, []string{
			"cannot-stamp warning:9 " + web + " spec.template.spec.containers[0].envFrom: this is a map, not a list",
			"cannot-stamp warning:9 " + web + " spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef: this is a string, not a map",
			"cannot-stamp warning:9 " + web + " spec.template.spec.containers[0].env[1].valueFrom.configMapKeyRef.key: this is a number, not a string",
			"cannot-stamp warning:10 " + web + " spec.template.spec.volumes: this is a string, not a list",
			"unused-source info:12 ConfigMap/cm : no workload of the input uses it",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, findings(t, c.stream, c.opts)); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFaultsThatNobodyNeeds: what is not going to be stamped fails no run.
func TestFaultsThatNobodyNeeds(t *testing.T) {
	bad := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {k: yes}\n"
	for name, replace := range map[string][]string{
		"immutable": {"apps/v1", "batch/v1", "Deployment", "Job"},
		"next run":  {"Deployment", "ReplicaSet"},
		"off":       {"annotations: {", `annotations: {restamp.dev/enabled: "false"`},
	} {
		stream := bad + strings.NewReplacer(replace...).Replace(workload("", ""))
		for _, f := range findings(t, stream, Options{}) {
			if strings.Contains(f, " error:") {
				t.Errorf("%s: %s", name, f)
			}
		}
	}
	stream := strings.NewReplacer("apps/v1", "batch/v1", "Deployment", "Job").Replace(workload("", "restamp.dev/enabled: maybe"))
	if got := strings.Join(findings(t, stream, Options{}), "\n"); !strings.Contains(got, "cannot-stamp error:4 Job/web metadata.annotations.restamp.dev/enabled") {
		t.Errorf("a word that nobody can read: %s", got)
	}
	stream = workload("", `restamp.dev/enabled: "false"`)
	if got := findings(t, stream, Options{Strict: true}); len(got) != 0 {
		t.Errorf("what is switched off is told of: %q", got)
	}
}

// TestInvalidSources: what the API server would refuse is an error where a
// stamp needs it, a warning where none does; the value is never told.
func TestInvalidSources(t *testing.T) {
	for _, c := range []struct{ name, source, where string }{
		{"boolean", "kind: ConfigMap\ndata: {k: yes}", "6 ConfigMap/s data.k: the value is a boolean"},
		{"number", "kind: ConfigMap\ndata: {k: 012}", "6 ConfigMap/s data.k: the value is a number"},
		{"float", "kind: ConfigMap\ndata: {k: 1e3}", "6 ConfigMap/s data.k: the value is a number"},
		{"map", "kind: ConfigMap\ndata: {k: {a: b}}", "6 ConfigMap/s data.k: the value is a map where a string must be: put | behind the key"},
		{"list", "kind: Secret\nstringData: {k: [hunter2]}", "6 Secret/s stringData.k: the value is a list"},
		{"bad base64", "kind: Secret\ndata: {k: hunter2!}", "6 Secret/s data.k: the value is not base64, from byte 7 on"},
		{"no padding", "kind: Secret\ndata: {k: aHVudGVyMg}", "6 Secret/s data.k: the value is not base64, from byte 8 on"},
		{"a space in base64", "kind: Secret\ndata: {k: 'YWJj ZGVm'}", "6 Secret/s data.k: the value is not base64, from byte 4 on"},
		{"bad base64 in binaryData", "kind: ConfigMap\nbinaryData: {k: '*'}", "6 ConfigMap/s binaryData.k: the value is not base64, from byte 0 on"},
		{"slash in a key", "kind: ConfigMap\ndata: {a/b: x}", "6 ConfigMap/s data.a/b: a key may hold"},
		{"newline in a key", "kind: ConfigMap\ndata: {\"a\\nb\": x}", "6 ConfigMap/s data.a?b: a key may hold"},
		{"dots", "kind: ConfigMap\ndata: {..: x}", "6 ConfigMap/s data...: a key may hold"},
		{"key twice", "kind: ConfigMap\ndata:\n  k: x\n  k: z", "8 ConfigMap/s data.k: the key stands here and in line 7"},
		{"key in data and binaryData", "kind: ConfigMap\ndata: {k: x}\nbinaryData: {k: eA==}", "7 ConfigMap/s binaryData.k: the key stands here and in line 6"},
		{"data twice", "kind: ConfigMap\ndata: {k: x}\ndata: {l: x}", "7 ConfigMap/s data: the key stands here and in line 6"},
		{"data a text", "kind: ConfigMap\ndata: hunter2", "6 ConfigMap/s data: data is a string, not a map"},
		{"data a list", "kind: Secret\ndata: []", "6 Secret/s data: data is a list, not a map"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "---\napiVersion: v1\nmetadata:\n  name: s\n" + c.source + "\n"
			uses := pod("containers: [{name: c, envFrom: [{configMapRef: {name: s, optional: true}}, {secretRef: {name: s, optional: true}}], volumeMounts: [{name: v, mountPath: /v}]}]\nvolumes: [{name: v, configMap: {name: s, optional: true}}]")
			for severity, stream := range map[string]string{"error": source + uses, "warning": source} {
				all := strings.Join(findings(t, stream, Options{}), "\n")
				if !strings.Contains(all, "invalid-source "+severity+":"+c.where) {
					t.Errorf("%s:%s is not among\n%s", severity, c.where, all)
				}
				if strings.Contains(all, "hunter2") {
					t.Errorf("the value is told:\n%s", all)
				}
			}
			_, results := build(t, source+uses, Options{})
			if results[0].Action != Keep || results[0].Stamp != "" {
				t.Errorf("stamped with %s", results[0].Stamp)
			}
		})
	}
}

func TestInvalidNames(t *testing.T) {
	for name, message := range map[string]string{"Web": "none that the API server takes", "a_b": "none that", "123": "is a number", "yes": "is a boolean", "-a": "none that", "''": "none that"} {
		got := strings.Join(findings(t, configMap("", name, "k: x"), Options{}), "\n")
		if !strings.Contains(got, "invalid-source warning:4") || !strings.Contains(got, message) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := findings(t, configMap("", "'${APP}-env'", "k: x"), Options{}); len(got) != 1 {
		t.Errorf("a placeholder in a name: %q", got)
	}
}

func TestLocalConfigIsLeftAlone(t *testing.T) {
	local := workload("", `config.kubernetes.io/local-config: "true"`) + configMap("", "cm", "k: x")
	if _, results := build(t, local, Options{}); len(results) != 0 {
		t.Errorf("a local workload has %d results", len(results))
	}
	source := strings.Replace(configMap("", "cm", "k: x"), "{name", `{annotations: {config.kubernetes.io/local-config: "true"}, name`, 1)
	if got := labels(t, source+workload("", ""), Options{}); got != nil {
		t.Errorf("a local source has lines %q", got)
	}
}

// TestNullValuesAreEmpty: null is read as the API server reads it.
func TestNullValuesAreEmpty(t *testing.T) {
	_, null := build(t, configMap("", "cm", "k: null")+workload("", ""), Options{})
	_, empty := build(t, configMap("", "cm", `k: ""`)+workload("", ""), Options{})
	if null[0].Stamp == "" || null[0].Stamp != empty[0].Stamp {
		t.Errorf("%q and %q", null[0].Stamp, empty[0].Stamp)
	}
}
