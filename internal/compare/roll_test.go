package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
)

// TestKinds: what a change of configuration does to each kind, and what a
// change of the template does.
func TestKinds(t *testing.T) {
	const change = "ConfigMap/env changed MODE:changed, users: 1\nunchanged: 0\n"
	changed := in(config, mode, "MODE: b")
	settings := func(workload, more string) string { return in(workload, "  template:\n", more+"  template:\n") }
	cronJob := `
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  jobTemplate:
    spec:
      template:
        spec: {containers: [{name: app, image: "web:1", envFrom: [{configMapRef: {name: env}}]}]}
`
	pod := `
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: app, image: "web:1", envFrom: [{configMapRef: {name: env}}]}]}
`
	hook := func(annotation, image string) string {
		return in(kind(web, "batch/v1", "Job"), "{name: web}", "{name: web, annotations: {"+annotation+"}}", "web:1", image)
	}
	nameless := func(image string) string {
		return in(kind(web, "batch/v1", "Job"), "{name: web}", "{generateName: web-}", "web:1", image)
	}
	claim := func(size string) string {
		return settings(kind(web, "apps/v1", "StatefulSet"), "  volumeClaimTemplates: [{metadata: {name: v}, spec: {resources: {requests: {storage: "+size+"}}}}]\n")
	}
	bundle := `
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: op}
spec:
  install:
    spec:
      deployments:
      - name: one
        spec: {replicas: 2, template: {spec: {containers: [{name: c, image: "one:1", envFrom: [{configMapRef: {name: env}}]}]}}}
      - name: two
        spec: {template: {spec: {containers: [{name: c, image: "two:1"}]}}}
`
	swapped := `
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: op}
spec:
  install:
    spec:
      deployments:
      - name: two
        spec: {template: {spec: {containers: [{name: c, image: "two:2"}]}}}
      - name: one
        spec: {replicas: 2, template: {spec: {containers: [{name: c, image: "one:1", envFrom: [{configMapRef: {name: env}}]}]}}}
`
	rollout := `
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: r}
spec:
  replicas: 7
  strategy: {canary: {}}
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
`
	for _, c := range []comparison{
		{name: "CronJob", old: config + cronJob, now: changed + cronJob, want: `
CronJob/nightly does-not-restart
  why: the pods of the next run get it
  key: ConfigMap/env MODE changed through spec.jobTemplate.spec.template.spec.containers[0].envFrom[0].configMapRef@app
` + change},
		{name: "CronJob, opted in", old: config + cronJob, now: config + in(cronJob, "{name: nightly}", `{name: nightly, annotations: {restamp.dev/enabled: "true"}}`), want: `
CronJob/nightly does-not-restart
  why: the pods of the next run get it
unchanged: 0
`},
		{name: "ReplicaSet", old: config + kind(web, "apps/v1", "ReplicaSet"), now: changed + kind(web, "apps/v1", "ReplicaSet"), want: `
ReplicaSet/web should-restart-but-will-not
  why: a ReplicaSet leaves the pods that run as they are
  mend: restart the pods by hand
` + envMode + change},
		{name: "ReplicaSet, image", old: kind(web, "apps/v1", "ReplicaSet"), now: in(kind(web, "apps/v1", "ReplicaSet"), "web:1", "web:2"), want: `
ReplicaSet/web does-not-restart
  why: a ReplicaSet leaves the pods that run as they are: those that start later get it
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "Job", old: config + kind(web, "batch/v1", "Job"), now: changed + kind(web, "batch/v1", "Job"), want: `
Job/web should-restart-but-will-not
  why: a Job that ran does not run again
  mend: run it again by hand, if it should see the change
` + envMode + change},
		{name: "Job, image", old: kind(web, "batch/v1", "Job"), now: in(kind(web, "batch/v1", "Job"), "web:1", "web:2"), want: `
Job/web should-restart-but-will-not
  why: the API server refuses a change of the pod template of a Job
  mend: delete it before the new one is applied, or give it another name
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "Pod", old: config + pod, now: changed + pod, want: `
Pod/p should-restart-but-will-not
  why: nobody restarts a bare Pod
  mend: delete it and apply it again
  key: ConfigMap/env MODE changed through spec.containers[0].envFrom[0].configMapRef@app
` + change},
		{name: "Pod, image", old: pod, now: in(pod, "web:1", "web:2"), want: `
Pod/p restarts-template, pods: 1
  why: its containers restart in place
  field: spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "Pod, image and configuration", old: config + pod, now: changed + in(pod, "web:1", "web:2"), want: `
Pod/p restarts-both, pods: 1
  why: its containers restart in place
  key: ConfigMap/env MODE changed through spec.containers[0].envFrom[0].configMapRef@app
  field: spec.containers[app].image changed web:1 > web:2
` + change},
		{name: "Pod, label", old: pod, now: in(pod, "{name: p}", "{name: p, labels: {a: b}}"), want: `
Pod/p does-not-restart
  why: its metadata changes and no more
  field: metadata.labels.a added
unchanged: 0
`},
		{name: "Pod, anything else", old: pod, now: in(pod, "name: app,", "name: app, stdin: true,"), want: `
Pod/p should-restart-but-will-not
  why: the API server refuses such a change of a Pod
  mend: delete it before the new one is applied, or give it another name
  field: spec.containers[app].stdin added
unchanged: 0
`},
		{name: "hook of Helm", old: hook("helm.sh/hook: pre-install", "web:1"), now: hook("helm.sh/hook: pre-install", "web:2"), want: `
Job/web does-not-restart
  why: it is a hook of Helm: it is made anew each time that it runs
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "hook of Argo CD", old: hook("argocd.argoproj.io/hook: Sync", "web:1"), now: hook("argocd.argoproj.io/hook: Sync", "web:2"), want: `
Job/web does-not-restart
  why: it is a hook of Argo CD: it is made anew each time that it runs
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "replaced by Argo CD", old: hook("argocd.argoproj.io/sync-options: 'Force=true, Replace=true'", "web:1"), now: hook("argocd.argoproj.io/sync-options: 'Force=true, Replace=true'", "web:2"), want: `
Job/web does-not-restart
  why: Argo CD replaces it by force
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "named when they are made", old: nameless("web:1") + nameless("web:1"), now: nameless("web:1") + nameless("web:2") + nameless("web:3"), want: `
Job/(no name) does-not-restart at spec.template #2
  why: it gets a name when it is made: each apply makes a new one
  field: spec.template.spec.containers[app].image changed web:1 > web:2
Job/(no name) added at spec.template #3
unchanged: 1
`},
		{name: "a selector changes", old: settings(web, "  selector: {matchLabels: {app: web}}\n"), now: settings(in(web, "web:1", "web:2"), "  selector: {matchLabels: {app: b}}\n"), want: `
Deployment/web should-restart-but-will-not
  why: the API server refuses a change of spec.selector.matchLabels.app
  mend: delete it before the new one is applied (kubectl delete --cascade=orphan keeps its pods), or leave the field as it is
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "a volume claim changes", old: claim("1Gi"), now: claim("2Gi"), want: `
StatefulSet/web should-restart-but-will-not
  why: the API server refuses a change of spec.volumeClaimTemplates[0].spec.resources.requests.storage
  mend: delete it before the new one is applied (kubectl delete --cascade=orphan keeps its pods), or leave the field as it is
unchanged: 0
`},
		{name: "what a StatefulSet may change", old: kind(web, "apps/v1", "StatefulSet"), now: settings(kind(web, "apps/v1", "StatefulSet"), "  minReadySeconds: 5\n"), want: `
StatefulSet/web does-not-restart
  why: only spec.minReadySeconds changed
unchanged: 0
`},
		{name: "DaemonSet", old: config + kind(web, "apps/v1", "DaemonSet"), now: changed + kind(web, "apps/v1", "DaemonSet"), want: `
DaemonSet/web restarts-config, pods: each node
` + envMode + change},
		{name: "OnDelete", old: config + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {type: OnDelete}\n"), now: changed + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {type: OnDelete}\n"), want: `
StatefulSet/web does-not-restart
  why: update strategy OnDelete: pods get the new template only when somebody deletes them
  mend: restart the pods by hand, or change the setting
` + envMode + change},
		{name: "paused", old: config + settings(web, "  paused: true\n"), now: changed + settings(web, "  paused: true\n"), want: `
Deployment/web does-not-restart
  why: the workload is paused: its pods stay as they are until it is resumed
  mend: restart the pods by hand, or change the setting
` + envMode + change},
		{name: "resumed", old: settings(web, "  paused: true\n"), now: web, want: `
Deployment/web does-not-restart
  why: only spec.paused changed; what was held back until now rolls out with that, if anything was
unchanged: 0
`},
		{name: "a partition below the replicas", old: config + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {rollingUpdate: {partition: 2}}\n"), now: changed + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {rollingUpdate: {partition: 2}}\n"), want: `
StatefulSet/web restarts-config, pods: 1
` + envMode + `  note: pods 0 to 1 keep the old template, by the partition
` + change},
		{name: "a partition above the replicas", old: config + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {rollingUpdate: {partition: 3}}\n"), now: changed + settings(kind(web, "apps/v1", "StatefulSet"), "  updateStrategy: {rollingUpdate: {partition: 3}}\n"), want: `
StatefulSet/web does-not-restart
  why: pods below the partition keep the old template
  mend: restart the pods by hand, or change the setting
` + envMode + change},
		{name: "scaled to zero", old: config + in(web, "replicas: 3", "replicas: 0"), now: changed + in(web, "replicas: 3", "replicas: 0"), want: `
Deployment/web does-not-restart
  why: it is scaled to zero: there are no pods
` + envMode + change},
		{name: "scaled up as well", old: config + in(web, "replicas: 3", "replicas: 2"), now: changed + web, want: `
Deployment/web restarts-config, pods: 2
` + envMode + change},
		{name: "several templates", old: config + bundle, now: changed + swapped, want: `
ClusterServiceVersion/op restarts-template at spec.install.spec.deployments[two].spec.template, pods: 1
  field: spec.install.spec.deployments[two].spec.template.spec.containers[c].image changed two:1 > two:2
ClusterServiceVersion/op restarts-config at spec.install.spec.deployments[one].spec.template, pods: 2
  key: ConfigMap/env MODE changed through spec.install.spec.deployments[1].spec.template.spec.containers[0].envFrom[0].configMapRef@c
` + change},
		{name: "a Rollout's template is a Deployment's", old: config + in(web, "replicas: 3", "replicas: 0") + rollout, now: changed + in(web, "replicas: 3", "replicas: 0") + rollout, want: `
Deployment/web restarts-config, pods: 7
` + envMode + change},
		{name: "a Rollout is resumed", old: web + in(rollout, "replicas: 7", "replicas: 7\n  paused: true"), now: web + rollout, want: `
Deployment/web does-not-restart
  why: only Rollout.spec.paused changed; what was held back until now rolls out with that, if anything was
unchanged: 0
`},
	} {
		c.run(t)
	}
}

// TestClasses: kinds that are rows of the user's.
func TestClasses(t *testing.T) {
	const change = "ConfigMap/env changed MODE:changed, users: 1\nunchanged: 0\n"
	changed := in(config, mode, "MODE: b")
	rows := []kinds.Workload{
		{Group: "example.com", Kind: "InPlaceSet", Template: kinds.P("spec.template"), Class: kinds.InPlace},
		{Group: "example.com", Kind: "Database", Template: kinds.P("spec"), Annotations: kinds.P("podAnnotations"), Spec: kinds.Path{}},
		{Group: "example.com", Kind: "Batch", Template: kinds.P("spec.template"), Class: kinds.Costly},
	}
	opts := graph.Options{Tables: kinds.NewTables(rows, nil, nil)}
	inPlace, batch := kind(web, "example.com/v1", "InPlaceSet"), kind(web, "example.com/v1", "Batch")
	database := `
---
apiVersion: example.com/v1
kind: Database
metadata: {name: db}
spec: {replicas: 1, storage: {size: small}, containers: [{name: app, image: "db:1", envFrom: [{configMapRef: {name: env}}]}]}
`
	asked := func(w string) string {
		return in(w, "{name: web}", `{name: web, annotations: {restamp.dev/enabled: "true"}}`)
	}
	for _, c := range []comparison{
		{name: "in place", old: config + inPlace, now: changed + inPlace, want: `
InPlaceSet/web should-restart-but-will-not
  why: the pods of a InPlaceSet get a changed annotation and run on; restamp.dev/enabled: "true" opts in
  mend: restart the pods by hand
` + envMode + change},
		{name: "in place, asked for", old: config + asked(inPlace), now: changed + asked(inPlace), want: `
InPlaceSet/web should-restart-but-will-not
  why: its pods get the annotation and run on
  mend: restart the pods by hand
` + envMode + change},
		{name: "in place, image", old: inPlace, now: in(inPlace, "web:1", "web:2"), want: `
InPlaceSet/web restarts-template, pods: the manifest of a InPlaceSet does not say how many
  why: its containers restart in place, where its update strategy lets them
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "an operator's, configuration", old: config + database, now: changed + database, want: `
Database/db restarts-config, pods: the manifest of a Database does not say how many
  key: ConfigMap/env MODE changed through spec.containers[0].envFrom[0].configMapRef@app
` + change},
		{name: "an operator's, size", old: database, now: in(database, "replicas: 1", "replicas: 2"), want: `
Database/db does-not-restart
  why: only spec.replicas changed
unchanged: 0
`},
		{name: "an operator's, anything", old: database, now: in(database, "size: small", "size: large"), want: `
Database/db restarts-template, pods: the manifest of a Database does not say how many
  why: which of these changes restart pods is its operator's decision
  field: spec.storage.size changed
unchanged: 0
`},
		{name: "costly", old: config + batch, now: changed + batch, want: `
Batch/web should-restart-but-will-not
  why: a change of the pod template of a Batch ends running work; restamp.dev/enabled: "true" opts in
  mend: let the running work end, then restart it
` + envMode + change},
		{name: "costly, asked for", old: config + asked(batch), now: changed + asked(batch), want: `
Batch/web restarts-config, pods: the manifest of a Batch does not say how many
  why: that ends running work
` + envMode + change},
		{name: "costly, image", old: batch, now: in(batch, "web:1", "web:2"), want: `
Batch/web restarts-template, pods: the manifest of a Batch does not say how many
  why: that ends running work
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
	} {
		c.opts = opts
		c.run(t)
	}
}

// TestRoll: how pods are replaced, and how many.
func TestRoll(t *testing.T) {
	budget := func(spec string) string {
		return "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {" + spec + "}\n"
	}
	scaler := func(spec string) string {
		return "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}" + spec + "}\n"
	}
	settings := func(workload, more string) string { return in(workload, "  template:\n", more+"  template:\n") }
	const blocked = "PodDisruptionBudget/b allows no disruption: that keeps nodes from being drained, not this roll-out"
	one := "its only pod goes before the new one comes"
	for _, test := range []struct {
		name, now string
		pods      Pods
		roll      Roll
	}{
		{"nothing said", web, Pods{Count: 3}, Roll{How: "RollingUpdate"}},
		{"no replicas", in(web, "  replicas: 3\n", ""), Pods{Count: 1}, Roll{How: "RollingUpdate"}},
		{"limits", settings(web, "  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}\n"), Pods{Count: 3}, Roll{How: "RollingUpdate, maxUnavailable 25%, maxSurge 1"}},
		{"Recreate", settings(web, "  strategy: {type: Recreate}\n"), Pods{Count: 3}, Roll{How: "Recreate", Down: true}},
		{"StatefulSet", in(kind(web, "apps/v1", "StatefulSet"), "replicas: 3", "replicas: 1"), Pods{Count: 1}, Roll{How: "RollingUpdate", Notes: []string{one}}},
		{"Rollout", settings(kind(web, "argoproj.io/v1alpha1", "Rollout"), "  strategy: {blueGreen: {}}\n"), Pods{Count: 3}, Roll{How: "blueGreen"}},
		{"Knative", kind(web, "serving.knative.dev/v1", "Service"), Pods{Unknown: "the manifest of a Service does not say how many"}, Roll{}},
		{"autoscaler", in(web, "  replicas: 3\n", "") + scaler(", minReplicas: 4"), Pods{Count: 4, AtLeast: true}, Roll{How: "RollingUpdate"}},
		{"autoscaler that says nothing", web + scaler(""), Pods{Count: 1, AtLeast: true}, Roll{How: "RollingUpdate"}},
		{"autoscaler elsewhere", in(web, "{name: web}", "{name: web, namespace: a}") + in(scaler(""), "{name: h}", "{name: h, namespace: b}"), Pods{Count: 3}, Roll{How: "RollingUpdate"}},
		{"autoscaler in a list", web + "---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {minReplicas: 9, scaleTargetRef: {kind: Deployment, name: web}}}\n", Pods{Count: 9, AtLeast: true}, Roll{How: "RollingUpdate"}},
		{"KEDA", web + "---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s}\nspec: {scaleTargetRef: {name: web}}\n", Pods{Count: 0, AtLeast: true}, Roll{How: "RollingUpdate"}},
		{"budget", web + budget("maxUnavailable: 0, selector: {matchLabels: {app: web}}"), Pods{Count: 3}, Roll{How: "RollingUpdate", Notes: []string{blocked}}},
		{"budget of all pods", web + budget("minAvailable: 100%, selector: {}"), Pods{Count: 3}, Roll{How: "RollingUpdate", Notes: []string{blocked}}},
		{"budget of as many pods", web + budget("minAvailable: 3, selector: {matchExpressions: [{key: app, operator: In, values: [web]}]}"), Pods{Count: 3}, Roll{How: "RollingUpdate", Notes: []string{blocked}}},
		{"budget of fewer pods", web + budget("minAvailable: 2, selector: {matchLabels: {app: web}}"), Pods{Count: 3}, Roll{How: "RollingUpdate"}},
		{"budget of no pods", web + budget("maxUnavailable: 0"), Pods{Count: 3}, Roll{How: "RollingUpdate"}},
		{"budget of others", web + budget("maxUnavailable: 0, selector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}, {key: x, operator: Exists}, {key: y, operator: DoesNotExist}]}"), Pods{Count: 3}, Roll{How: "RollingUpdate"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := comparison{old: test.now, now: in(test.now, "web:1", "web:2")}.diff(t)
			if len(d.Workloads) != 1 {
				t.Fatal(told(d))
			}
			if diff := cmp.Diff(test.pods, d.Workloads[0].Pods); diff != "" {
				t.Errorf("pods (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.roll, d.Workloads[0].Roll); diff != "" {
				t.Errorf("roll (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTotals counts pods as far as they are known.
func TestTotals(t *testing.T) {
	one := func(name string) string { return in(web, "{name: web}", "{name: "+name+"}") }
	old := one("a") + kind(one("b"), "apps/v1", "DaemonSet") + kind(one("c"), "serving.knative.dev/v1", "Service") + one("d") +
		"---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {minReplicas: 4, scaleTargetRef: {kind: Deployment, name: d}}\n"
	now := strings.ReplaceAll(old, "web:1", "web:2")
	got := comparison{old: old, now: now}.diff(t).Totals()
	want := Totals{ByVerdict: map[Verdict]int{ByTemplate: 4}, Restarts: 4, Pods: 7, EachNode: 1, Unknown: 1, AtLeast: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}
