package graph

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/kinds"
)

// TestClassesReports has an object of each class, with and without a word that
// opts in: what becomes of its stamp, and what is told.
func TestClassesReports(t *testing.T) {
	const pods = "{containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}"
	const optIn = `; restamp.dev/enabled: "true" opts in`
	for _, c := range []struct {
		name, object string
		want         Action
		findings     []string
		enabled      Action
	}{
		{"rolls", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {template: {spec: " + pods + "}}", Set, nil, Set},
		{"next-run", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: w}\nspec: {jobTemplate: {spec: {template: {spec: " + pods + "}}}}", Keep, nil, Set},
		{"immutable", "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: w}\nspec: {replicatedJobs: [{template: {spec: {template: {spec: " + pods + "}}}}]}", Keep, []string{
			"immutable-workload info spec.replicatedJobs[0].template.spec.template: this uses configuration, but the pod template of a JobSet may not be changed",
		}, Keep},
		{"in-place", "apiVersion: apps.kruise.io/v1alpha1\nkind: CloneSet\nmetadata: {name: w}\nspec: {updateStrategy: {type: InPlaceOnly}, template: {spec: " + pods + "}}", Keep, []string{
			"never-rolls warning spec.template: this uses configuration, but its update strategy puts a changed annotation into the running pods, whose containers run on" + optIn,
		}, Set},
		{"costly", "apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\nmetadata: {name: w}\nspec: {podTemplate: {spec: " + pods + "}}", Keep, []string{
			"costly-workload info spec.podTemplate: this uses configuration, but a change of a pod template upgrades the job: it stops, and goes on from its state" + optIn,
		}, Set},
		{"elsewhere", "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: w}\nspec: {envFrom: [{configMapRef: {name: cm}}]}", Set, nil, Set},
		{"elsewhere, somebody else's value", "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: w, annotations: {kubectl.kubernetes.io/restartedAt: \"2026-01-02T03:04:05Z\"}}\nspec: {envFrom: [{configMapRef: {name: cm}}]}", Keep, []string{
			"cannot-stamp warning : this uses configuration, but the annotation kubectl.kubernetes.io/restartedAt, which would take the stamp, has a value of somebody else's",
		}, Keep},
		{"elsewhere, our own value", "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: w, annotations: {kubectl.kubernetes.io/restartedAt: \"h1:00\"}}\nspec: {envFrom: [{configMapRef: {name: cm}}]}", Set, nil, Set},
		{"no trigger", "apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nmetadata: {name: w}\nspec: {triggers: [{type: ImageChange}], template: {spec: " + pods + "}}", Set, []string{
			"never-rolls warning : without a trigger ConfigChange a changed template waits until somebody starts a rollout",
		}, Set},
		{"empty triggers", "apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nmetadata: {name: w}\nspec: {triggers: [], template: {spec: " + pods + "}}", Set, []string{
			"never-rolls warning : without a trigger ConfigChange a changed template waits until somebody starts a rollout",
		}, Set},
		{"default triggers", "apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nmetadata: {name: w}\nspec: {template: {spec: " + pods + "}}", Set, nil, Set},
		{"partition", "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: w}\nspec: {rolloutStrategy: {rollingUpdateConfiguration: {partition: 2}}, leaderWorkerTemplate: {workerTemplate: {spec: " + pods + "}}}", Set, []string{
			"never-rolls warning : groups below the partition keep the old template",
		}, Set},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: b}\n---\n" + c.object + "\n"
			for word, want := range map[string]Action{"": c.want, "true": c.enabled, "false": Keep} {
				said := stream
				switch at := strings.LastIndex(stream, "metadata: {name: w"); {
				case word == "":
				case strings.Contains(c.object, "annotations: {"):
					said = strings.Replace(stream, "annotations: {", "annotations: {restamp.dev/enabled: \""+word+"\", ", 1)
				default:
					said = stream[:at] + strings.Replace(stream[at:], "{name: w", "{name: w, annotations: {restamp.dev/enabled: \""+word+"\"}", 1)
				}
				_, results := build(t, said, Options{})
				if word == "false" && results[0].Template.stamped {
					want = Remove
				}
				if len(results) != 1 || results[0].Action != want {
					t.Errorf("enabled %q: action %d, want %d", word, results[0].Action, want)
				}
			}
			g, results := build(t, stream, Options{})
			var got []string
			for _, f := range g.Findings(results) {
				if f.Code != FirstStamp && f.Object.Name == "w" {
					got = append(got, string(f.Code)+" "+f.Severity.String()+" "+f.Field+": "+f.Message)
				}
			}
			if diff := cmp.Diff(c.findings, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMadeSecrets: a Secret that OLM makes for a webhook is no missing one.
func TestMadeSecrets(t *testing.T) {
	const csv = `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: zoo, namespace: placeholder}
spec:
  install: {spec: {deployments: [{name: zoo, spec: {template: {spec: {containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, secret: {secretName: %s}}]}}}}]}}
  webhookdefinitions: [{deploymentName: zoo}]
  apiservicedefinitions: {owned: [{deploymentName: api}]}
`
	for secret, want := range map[string]string{
		"zoo-service-cert": "stand-in info:6", "api-service-cert": "stand-in info:6", "other-service-cert": "missing-reference error:6",
	} {
		got := findings(t, strings.Replace(csv, "%s", secret, 1), Options{Strict: true})
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %s", secret, got, want)
		}
	}
}

// TestReferenceRows builds an object of each row of the table of references: the
// field is found, with the key that it says, for one pod template at least.
func TestReferenceRows(t *testing.T) {
	rows := kinds.References()
	if len(rows) < 100 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		workloads := kinds.Default.WorkloadOf(row.Group, row.Kind)
		if len(workloads) == 0 {
			t.Errorf("%s.%s has references, but no pod templates", row.Kind, row.Group)
			continue
		}
		if row.For != nil && !slices.ContainsFunc(workloads, func(w *kinds.Workload) bool { return slices.Equal(w.Template, row.For) }) {
			t.Errorf("%s: for %s, where no pod template is", row.Path, row.For)
		}
		object := map[string]any{"apiVersion": row.Group + "/v1", "kind": row.Kind, "metadata": map[string]any{"name": "w"}}
		for _, w := range workloads {
			if len(w.Template) > 0 {
				put(object, w.Template, "", nil)
			}
		}
		put(object, row.Path, row.Key, "source")
		g, _ := build(t, jsonOf(t, object), Options{})
		if n := templatesWith(g, &row); n == 0 {
			t.Errorf("%s.%s: %s is not found", row.Kind, row.Group, row.Path)
		}
	}
}

// templatesWith is for how many pod templates a reference counts.
func templatesWith(g *Graph, row *kinds.Reference) (n int) {
	for _, w := range g.Workloads {
		for _, template := range w.Templates {
			for _, ref := range template.references {
				if ref.Name == "source" && ref.Kind == row.To && ref.All == (row.Key == "") && (ref.All || ref.Keys[0] == "k") {
					n++
				}
			}
		}
	}
	return n
}

// put makes a path in an object, with a name at its end and a key beside that.
func put(object map[string]any, path kinds.Path, key string, name any) {
	step, rest := path[0], path[1:]
	switch {
	case len(rest) == 0:
		if name == nil {
			name = orMap(object[step])
		}
		if object[step] = name; key != "" {
			object[key] = "k"
		}
	case len(rest) == 1 && rest[0] == kinds.Each:
		if object[step] = []any{name}; name == nil {
			object[step] = []any{map[string]any{}}
		}
	case rest[0] == kinds.Each:
		list, _ := object[step].([]any)
		if list == nil {
			list = []any{map[string]any{}}
		}
		object[step] = list
		put(list[0].(map[string]any), rest[1:], key, name)
	case len(rest) == 1 && rest[0] == kinds.EachValue:
		values := orMap(object[step])
		values["v"], object[step] = orMap(values["v"]), values
	case rest[0] == kinds.EachValue:
		values := orMap(object[step])
		inner := orMap(values["v"])
		values["v"], object[step] = inner, values
		put(inner, rest[1:], key, name)
	default:
		inner := orMap(object[step])
		object[step] = inner
		put(inner, rest, key, name)
	}
}

func orMap(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}
