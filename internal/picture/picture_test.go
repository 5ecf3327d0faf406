package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/render"
)

const stream = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: a}, data: {x: "1", y: "2"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: quiet, namespace: a, annotations: {restamp.dev/ignore: "true"}}, data: {x: "1"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: nobody, namespace: a}, data: {x: "1"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: unmounted, namespace: a}, data: {x: "1"}}
---
{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: b}, data: {x: eA==}}
---
{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: es, namespace: a}, spec: {target: {name: made}, data: [{secretKey: k, remoteRef: {key: r}}]}}
---
{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: merging, namespace: b}, spec: {target: {name: s, creationPolicy: Merge}, data: [{secretKey: k, remoteRef: {key: r}}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: a, annotations: {restamp.dev/depends-on: b/Secret/s, restamp.dev/ignore: "ConfigMap/c:y"}}
spec:
  template:
    spec:
      containers:
      - name: main
        envFrom: [{configMapRef: {name: c}}, {configMapRef: {name: quiet}}, {configMapRef: {name: none, optional: true}}]
        env:
        - {name: E, valueFrom: {secretKeyRef: {name: made, key: k}}}
        - {name: F, valueFrom: {configMapKeyRef: {name: c, key: z}}}
        volumeMounts: [{name: p, mountPath: /p}]
      volumes:
      - {name: p, projected: {sources: [{configMap: {name: kube-root-ca.crt}}, {secret: {name: gone}}]}}
      - {name: u, configMap: {name: unmounted}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: b}, spec: {template: {spec: {containers: [{name: main, envFrom: [{secretRef: {name: s}}]}]}}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: none, namespace: b}, spec: {template: {spec: {containers: [{name: main}]}}}}
`

func of(t *testing.T, text string) *Picture {
	t.Helper()
	run, err := render.Stamp([]render.Source{render.Stream("in.yaml", strings.NewReader(text))}, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Of(run)
}

// lines are a picture in words.
func lines(p *Picture) (all []string) {
	for _, s := range p.Sources {
		text := s.Name + " " + string(s.State)
		for _, made := range s.Makes {
			text += " makes " + made.Name
		}
		if s.Unused() {
			text += " unused"
		}
		all = append(all, text)
	}
	for _, u := range p.Uses {
		yes, why := u.Restarts()
		all = append(all, fmt.Sprintf("%s -> %s %s %v: %v %s", u.Source.Name, u.Workload.Name, u.How, u.Counts, yes, why))
	}
	for _, w := range p.Workloads {
		if len(w.Uses) == 0 {
			all = append(all, w.Name+" uses nothing")
		}
	}
	return all
}

func TestOf(t *testing.T) {
	want := []string{
		"ConfigMap/a/c present",
		"ConfigMap/a/kube-root-ca.crt in-cluster",
		"ConfigMap/a/nobody present unused",
		"ConfigMap/a/none absent",
		"ConfigMap/a/quiet present",
		"ConfigMap/a/unmounted present unused",
		"ExternalSecret/a/es present makes Secret/a/made",
		"Secret/a/gone missing",
		"Secret/a/made made",
		"ExternalSecret/b/merging present makes Secret/b/s",
		"Secret/b/s present",
		"ConfigMap/a/c -> Deployment/a/d env []: false ConfigMap/a/c has no key z",
		"ConfigMap/a/c -> Deployment/a/d envFrom [x]: true ",
		"ConfigMap/a/kube-root-ca.crt -> Deployment/a/d projected []: false made by the cluster",
		"ConfigMap/a/none -> Deployment/a/d envFrom []: false optional, and not in the input",
		"ConfigMap/a/quiet -> Deployment/a/d envFrom []: false ConfigMap/a/quiet says restamp.dev/ignore",
		"ConfigMap/a/unmounted -> Deployment/a/d volume []: false no container mounts the volume",
		"Secret/a/gone -> Deployment/a/d projected []: false Secret/a/gone is not in the input",
		"Secret/a/made -> Deployment/a/d env [k]: true ",
		"Secret/b/s -> Deployment/a/d declared [k x]: true ",
		"Secret/b/s -> Job/b/j envFrom [k x]: false the pod template of a Job may not be changed",
		"StatefulSet/b/none uses nothing",
	}
	if diff := cmp.Diff(want, lines(of(t, stream))); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestSelect(t *testing.T) {
	for _, test := range []struct {
		name      string
		selection Selection
		want      []string
	}{
		{"a producer", Selection{From: []string{"externalsecret/es"}}, []string{
			"ExternalSecret/a/es present makes Secret/a/made", "Secret/a/made made", "Secret/a/made -> Deployment/a/d env [k]: true ",
		}},
		{"a key that counts", Selection{From: []string{"ConfigMap/a/c:x"}}, []string{
			"ConfigMap/a/c present", "ConfigMap/a/c -> Deployment/a/d envFrom [x]: true ",
		}},
		{"a key that does not", Selection{From: []string{"ConfigMap/c:y"}}, []string{
			"ConfigMap/a/c present", "ConfigMap/a/c -> Deployment/a/d envFrom []: false key y is ignored",
		}},
		{"a workload", Selection{Of: []string{"Job/j"}}, []string{
			"ExternalSecret/b/merging present makes Secret/b/s", "Secret/b/s present",
			"Secret/b/s -> Job/b/j envFrom [k x]: false the pod template of a Job may not be changed",
		}},
		{"missing", Selection{Missing: true}, []string{
			"ConfigMap/a/c present", "Secret/a/gone missing",
			"ConfigMap/a/c -> Deployment/a/d env []: false ConfigMap/a/c has no key z",
			"Secret/a/gone -> Deployment/a/d projected []: false Secret/a/gone is not in the input",
		}},
		{"unused", Selection{Unused: true}, []string{"ConfigMap/a/nobody present unused", "ConfigMap/a/unmounted present unused"}},
		{"a namespace, with what it uses of others", Selection{Namespaces: []string{"b"}}, []string{
			"ExternalSecret/b/merging present makes Secret/b/s", "Secret/b/s present",
			"Secret/b/s -> Deployment/a/d declared [k x]: true ",
			"Secret/b/s -> Job/b/j envFrom [k x]: false the pod template of a Job may not be changed",
			"StatefulSet/b/none uses nothing",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			part, err := of(t, stream).Select(test.selection)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(part)); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelectNone(t *testing.T) {
	for _, s := range []Selection{{From: []string{"ConfigMap/x"}}, {Of: []string{"x"}}, {From: []string{"Secret/a/c"}}} {
		if _, err := of(t, stream).Select(s); err == nil {
			t.Errorf("%v: no error", s)
		}
	}
}

// TestNames: a group is told where two kinds have one name.
func TestNames(t *testing.T) {
	p := of(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {}}}
---
{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: d}, spec: {template: {}}}
`)
	names := workloadNames(p)
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Deployment.apps/d", "Deployment.extensions/d"}, names); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}
