package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// migrant is a stream from a cluster where another tool is at work. The
// Deployment's fields name the ConfigMaps app and flags, the Secret db and the
// SecretProviderClass vault; no field names the ConfigMaps spare and app-extra
// or the Secret token.
type migrant struct {
	workload, template string            // annotations
	sources            map[string]string // annotations by the source's name
	kind               string            // default: Deployment of apps/v1
}

func (m migrant) stream() string {
	var b strings.Builder
	source := func(apiVersion, kind, namespace, name, body string) {
		fmt.Fprintf(&b, "---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s, annotations: {%s}}\n%s\n", apiVersion, kind, name, namespace, m.sources[name], body)
	}
	source("v1", "ConfigMap", "shop", "app", "data: {k: x, l: x}")
	source("v1", "ConfigMap", "shop", "flags", "data: {k: x}")
	source("v1", "ConfigMap", "shop", "spare", "data: {k: x}")
	source("v1", "ConfigMap", "shop", "app-extra", "data: {k: x}")
	source("v1", "ConfigMap", "ops", "app-ops", "data: {k: x}")
	source("v1", "ConfigMap", "ops", "spare", "data: {other: x}")
	source("v1", "Secret", "shop", "db", "stringData: {k: x}")
	source("v1", "Secret", "shop", "token", "stringData: {k: x}")
	source("secrets-store.csi.x-k8s.io/v1", "SecretProviderClass", "shop", "vault", "spec: {provider: vault}")
	kind := m.kind
	if kind == "" {
		kind = "apps/v1 Deployment"
	}
	apiVersion, kind, _ := strings.Cut(kind, " ")
	fmt.Fprintf(&b, `---
apiVersion: %s
kind: %s
metadata: {name: web, namespace: shop, annotations: {%s}}
spec:
  template:
    metadata: {annotations: {%s}}
    spec:
      containers:
      - name: c
        env: [{name: A, valueFrom: {configMapKeyRef: {name: app, key: k}}}]
        envFrom: [{configMapRef: {name: flags}}, {secretRef: {name: db}}]
        volumeMounts: [{name: v, mountPath: /v}]
      volumes: [{name: v, csi: {driver: d, volumeAttributes: {secretProviderClass: vault}}}]
`, apiVersion, kind, m.workload, m.template)
	return b.String()
}

// everything is what the fields name.
const everything = "ConfigMap/app/k ConfigMap/flags/k Secret/db/k vault"

// counted are the labels of the lines under a migrant's stamp, "" where it has
// no stamp.
func counted(t *testing.T, m migrant, opts Options) string {
	t.Helper()
	_, results := build(t, m.stream(), opts)
	if len(results) != 1 {
		t.Fatalf("%d results", len(results))
	}
	if results[0].Stamp == "" {
		return ""
	}
	all := strings.Join(labels(t, m.stream(), opts), " ")
	return strings.Replace(all, "SecretProviderClass.secrets-store.csi.x-k8s.io/vault/spec.provider", "vault", 1)
}

const (
	auto   = "reloader.stakater.com/auto: "
	search = "reloader.stakater.com/search: "
)

// compatRules has a row for each rule of the other tools' code.
var compatRules = []struct {
	name  string
	tools []Tool
	optIn bool
	in    migrant
	want  string
}{
	{"nothing said: the mode decides, all", []Tool{Reloader, Wave}, false, migrant{}, everything},
	{"nothing said: the mode decides, opt-in", []Tool{Reloader, Wave}, true, migrant{}, ""},
	{"without compat nothing of it counts", nil, false, migrant{workload: auto + `"false"`}, everything},

	// Reloader's automatics.
	{"auto opts in", []Tool{Reloader}, true, migrant{workload: auto + `"true"`}, everything},
	{"auto on the pod template alone", []Tool{Reloader}, true, migrant{template: auto + `"true"`}, everything},
	{"auto on both", []Tool{Reloader}, true, migrant{workload: auto + `"true"`, template: auto + `"true"`}, everything},
	{"auto false switches off", []Tool{Reloader}, false, migrant{workload: auto + `"false"`}, ""},
	{"auto false on the pod template switches off", []Tool{Reloader}, false, migrant{template: auto + `"false"`}, ""},
	{"auto takes what strconv.ParseBool takes", []Tool{Reloader}, true, migrant{workload: auto + `"T"`}, everything},
	{"auto takes any other word for false", []Tool{Reloader}, false, migrant{workload: auto + `"yes"`}, ""},
	{"typed auto, ConfigMaps", []Tool{Reloader}, true, migrant{workload: `configmap.reloader.stakater.com/auto: "true"`}, "ConfigMap/app/k ConfigMap/flags/k"},
	{"typed auto, Secrets", []Tool{Reloader}, false, migrant{workload: `secret.reloader.stakater.com/auto: "true"`}, "Secret/db/k"},
	{"typed auto, SecretProviderClasses", []Tool{Reloader}, false, migrant{workload: `secretproviderclass.reloader.stakater.com/auto: "true"`}, "vault"},
	{"typed autos add up", []Tool{Reloader}, false, migrant{workload: `secretproviderclass.reloader.stakater.com/auto: "true", secret.reloader.stakater.com/auto: "true"`}, "Secret/db/k vault"},
	{"typed auto counts beside auto false", []Tool{Reloader}, false, migrant{workload: auto + `"false", secret.reloader.stakater.com/auto: "true"`}, "Secret/db/k"},
	{"auto counts beside typed auto false", []Tool{Reloader}, false, migrant{workload: auto + `"true", secret.reloader.stakater.com/auto: "false"`}, everything},
	{"typed auto false leaves out the kind", []Tool{Reloader}, false, migrant{workload: `secret.reloader.stakater.com/auto: "false"`}, "ConfigMap/app/k ConfigMap/flags/k vault"},

	// Reloader's lists.
	{"a list alone restricts to it", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags`}, "ConfigMap/flags/k"},
	{"a list counts what a field names key by key", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: app`}, "ConfigMap/app/k"},
	{"a list counts what no field names", []Tool{Reloader}, true, migrant{workload: `configmap.reloader.stakater.com/reload: spare`}, "ConfigMap/spare/k"},
	{"a list of the other kind changed", []Tool{Reloader}, false, migrant{workload: `secret.reloader.stakater.com/reload: flags`}, ""},
	{"lists of both kinds", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags, secret.reloader.stakater.com/reload: token`}, "ConfigMap/flags/k Secret/token/k"},
	{"a list of SecretProviderClasses", []Tool{Reloader}, false, migrant{workload: `secretproviderclass.reloader.stakater.com/reload: vault`}, "vault"},
	{"lists are trimmed", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: " flags , spare ,"`}, "ConfigMap/flags/k ConfigMap/spare/k"},
	{"entries are regular expressions", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "app.*"`}, "ConfigMap/app-extra/k ConfigMap/app/k"},
	{"entries are anchored", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "pp,ap"`}, ""},
	{"alternatives are anchored too", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "flags|app"`}, "ConfigMap/app/k ConfigMap/flags/k"},
	{"an invalid expression does not panic, and the rest counts", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "[,flags"`}, "ConfigMap/flags/k"},
	{"half a bracket does not undo the anchors", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "x)|(?:.*"`}, ""},
	{"the workload's namespace alone", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: ".*-ops|spare"`}, "ConfigMap/spare/k"},
	{"a list on the pod template alone", []Tool{Reloader}, false, migrant{template: `configmap.reloader.stakater.com/reload: spare`}, "ConfigMap/spare/k"},
	{"auto and a list combine", []Tool{Reloader}, false, migrant{workload: auto + `"true", configmap.reloader.stakater.com/reload: spare`}, "ConfigMap/app/k ConfigMap/flags/k ConfigMap/spare/k Secret/db/k vault"},
	{"a list counts in spite of auto false", []Tool{Reloader}, false, migrant{workload: auto + `"false", configmap.reloader.stakater.com/reload: flags`}, "ConfigMap/flags/k"},
	{"an empty list says nothing", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: ""`}, everything},

	// Which object's words count.
	{"the workload's words hide the pod template's of the kind", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags`, template: `configmap.reloader.stakater.com/reload: spare`}, "ConfigMap/flags/k"},
	{"they do not hide those of another kind", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags`, template: `secret.reloader.stakater.com/reload: db`}, "ConfigMap/flags/k Secret/db/k"},
	{"auto on the workload hides all of the pod template's", []Tool{Reloader}, false, migrant{workload: auto + `"false"`, template: `secret.reloader.stakater.com/reload: db`}, ""},

	// Excludes.
	{"exclude", []Tool{Reloader}, false, migrant{workload: auto + `"true", configmaps.exclude.reloader.stakater.com/reload: flags`}, "ConfigMap/app/k Secret/db/k vault"},
	{"exclude lists are trimmed", []Tool{Reloader}, false, migrant{workload: auto + `"true", configmaps.exclude.reloader.stakater.com/reload: "app, flags"`}, "Secret/db/k vault"},
	{"excludes are names, not expressions", []Tool{Reloader}, false, migrant{workload: auto + `"true", secrets.exclude.reloader.stakater.com/reload: "d."`}, everything},
	{"exclude on the pod template", []Tool{Reloader}, false, migrant{workload: auto + `"true"`, template: `secrets.exclude.reloader.stakater.com/reload: db`}, "ConfigMap/app/k ConfigMap/flags/k vault"},
	{"exclude lists add up", []Tool{Reloader}, false, migrant{workload: auto + `"true", configmaps.exclude.reloader.stakater.com/reload: app`, template: `configmaps.exclude.reloader.stakater.com/reload: flags`}, "Secret/db/k vault"},
	{"exclude SecretProviderClasses", []Tool{Reloader}, false, migrant{workload: `secretproviderclasses.exclude.reloader.stakater.com/reload: vault`}, "ConfigMap/app/k ConfigMap/flags/k Secret/db/k"},
	{"exclude wins over a list", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "flags,spare", configmaps.exclude.reloader.stakater.com/reload: "flags,spare"`}, ""},
	{"exclude alone narrows the mode", []Tool{Reloader}, false, migrant{workload: `secrets.exclude.reloader.stakater.com/reload: db`}, "ConfigMap/app/k ConfigMap/flags/k vault"},
	{"exclude alone does not opt in", []Tool{Reloader}, true, migrant{workload: `secrets.exclude.reloader.stakater.com/reload: db`}, ""},

	// Search and match.
	{"search with match", []Tool{Reloader}, true, migrant{workload: search + `"true"`, sources: map[string]string{"flags": `reloader.stakater.com/match: "true"`}}, "ConfigMap/flags/k"},
	{"search on the pod template", []Tool{Reloader}, false, migrant{template: search + `"true"`, sources: map[string]string{"db": `reloader.stakater.com/match: "true"`}}, "Secret/db/k"},
	{"search without match", []Tool{Reloader}, false, migrant{workload: search + `"true"`}, ""},
	{"match without search", []Tool{Reloader}, true, migrant{sources: map[string]string{"flags": `reloader.stakater.com/match: "true"`}}, ""},
	{"match that no field names", []Tool{Reloader}, false, migrant{workload: search + `"true"`, sources: map[string]string{"spare": `reloader.stakater.com/match: "true"`}}, ""},
	{"search takes the very word true", []Tool{Reloader}, true, migrant{workload: search + `"1"`, sources: map[string]string{"flags": `reloader.stakater.com/match: "true"`}}, ""},

	// Ignored sources.
	{"ignore on a source", []Tool{Reloader}, false, migrant{sources: map[string]string{"flags": `reloader.stakater.com/ignore: "true"`}}, "ConfigMap/app/k Secret/db/k vault"},
	{"ignore on a SecretProviderClass", []Tool{Reloader}, false, migrant{sources: map[string]string{"vault": `reloader.stakater.com/ignore: "true"`}}, "ConfigMap/app/k ConfigMap/flags/k Secret/db/k"},
	{"ignore wins over a list", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "flags,app"`, sources: map[string]string{"flags": `reloader.stakater.com/ignore: "true"`}}, "ConfigMap/app/k"},
	{"ignore takes the very word true", []Tool{Reloader}, false, migrant{sources: map[string]string{"flags": `reloader.stakater.com/ignore: "1"`}}, everything},

	// Kinds.
	{"a kind that Reloader does not know", []Tool{Reloader}, false, migrant{kind: "serving.knative.dev/v1 Service", workload: auto + `"false"`}, everything},
	{"an Argo Rollout", []Tool{Reloader}, true, migrant{kind: "argoproj.io/v1alpha1 Rollout", workload: auto + `"true"`}, everything},
	{"auto opens no class", []Tool{Reloader}, false, migrant{kind: "apps/v1 ReplicaSet", workload: auto + `"true"`}, ""},

	// wave.
	{"wave opts in", []Tool{Wave}, true, migrant{workload: `wave.pusher.com/update-on-config-change: "true"`}, everything},
	{"wave takes the very word true", []Tool{Wave}, true, migrant{workload: `wave.pusher.com/update-on-config-change: "yes"`}, ""},
	{"wave's other words say nothing", []Tool{Wave}, false, migrant{workload: `wave.pusher.com/update-on-config-change: "false"`}, everything},
	{"wave reads no pod template", []Tool{Wave}, true, migrant{template: `wave.pusher.com/update-on-config-change: "true"`}, ""},
	{"wave knows no Rollout", []Tool{Wave}, true, migrant{kind: "argoproj.io/v1alpha1 Rollout", workload: `wave.pusher.com/update-on-config-change: "true"`}, ""},
	{"wave's extras", []Tool{Wave}, true, migrant{workload: `wave.pusher.com/update-on-config-change: "true", wave.pusher.com/extra-secrets: token`}, "ConfigMap/app/k ConfigMap/flags/k Secret/db/k Secret/token/k vault"},
	{"wave's extras are trimmed", []Tool{Wave}, false, migrant{workload: `wave.pusher.com/update-on-config-change: "true", wave.pusher.com/extra-configmaps: "shop/spare, app-extra"`}, "ConfigMap/app-extra/k ConfigMap/app/k ConfigMap/flags/k ConfigMap/spare/k Secret/db/k vault"},
	{"wave's extras of two namespaces are two", []Tool{Wave}, false, migrant{workload: `wave.pusher.com/update-on-config-change: "true", wave.pusher.com/extra-configmaps: "spare, ops/spare"`}, "ConfigMap/app/k ConfigMap/flags/k ConfigMap/ops/spare/other ConfigMap/spare/k Secret/db/k vault"},
	{"wave's extras without the opt-in", []Tool{Wave}, false, migrant{workload: `wave.pusher.com/extra-configmaps: spare`}, everything},

	// KUDO.
	{"KUDO skips a source", []Tool{Kudo}, false, migrant{sources: map[string]string{"flags": `kudo.dev/skip-hash-calculation: "true"`}}, "ConfigMap/app/k Secret/db/k vault"},
	{"KUDO takes any value for yes", []Tool{Kudo}, false, migrant{sources: map[string]string{"flags": `kudo.dev/skip-hash-calculation: "false"`, "db": `kudo.dev/skip-hash-calculation: ""`}}, "ConfigMap/app/k vault"},
	{"without compat KUDO's word does not count", []Tool{Reloader}, false, migrant{sources: map[string]string{"flags": `kudo.dev/skip-hash-calculation: "true"`}}, everything},

	// Together.
	{"what one of two tools counts, counts", []Tool{Reloader, Wave}, true, migrant{workload: `wave.pusher.com/update-on-config-change: "true", configmap.reloader.stakater.com/reload: spare`}, "ConfigMap/app/k ConfigMap/flags/k ConfigMap/spare/k Secret/db/k vault"},

	// Ours.
	{"enabled true wins over auto false", []Tool{Reloader}, false, migrant{workload: auto + `"false", restamp.dev/enabled: "true"`}, everything},
	{"enabled false wins over auto", []Tool{Reloader}, false, migrant{workload: auto + `"true", restamp.dev/enabled: "false"`}, ""},
	{"enabled false wins over wave", []Tool{Wave}, false, migrant{workload: `wave.pusher.com/update-on-config-change: "true", restamp.dev/enabled: "false"`}, ""},
	{"enabled true does not widen a list", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags, restamp.dev/enabled: "true"`}, "ConfigMap/flags/k"},
	{"ignore wins over a list of theirs", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: "flags,spare", restamp.dev/ignore: ConfigMap/spare`}, "ConfigMap/flags/k"},
	{"depends-on counts beside a list of theirs", []Tool{Reloader}, false, migrant{workload: `configmap.reloader.stakater.com/reload: flags, restamp.dev/depends-on: "Secret/token"`}, "ConfigMap/flags/k Secret/token/k"},
	{"depends-on wins over exclude", []Tool{Reloader}, false, migrant{workload: `configmaps.exclude.reloader.stakater.com/reload: "spare,flags", restamp.dev/depends-on: "ConfigMap/spare"`}, "ConfigMap/app/k ConfigMap/spare/k Secret/db/k vault"},
	{"depends-on wins over their ignored source", []Tool{Kudo}, false, migrant{workload: `restamp.dev/depends-on: "ConfigMap/spare"`, sources: map[string]string{"spare": `kudo.dev/skip-hash-calculation: "true"`}}, "ConfigMap/app/k ConfigMap/flags/k ConfigMap/spare/k Secret/db/k vault"},
	{"a source's word of ours wins over theirs", []Tool{Reloader, Kudo}, false, migrant{sources: map[string]string{"flags": `kudo.dev/skip-hash-calculation: "true", reloader.stakater.com/ignore: "true", restamp.dev/ignore: "false"`}}, everything},
}

func TestCompat(t *testing.T) {
	for _, c := range compatRules {
		t.Run(c.name, func(t *testing.T) {
			got := counted(t, c.in, Options{Compat: c.tools, OptIn: c.optIn})
			if diff := cmp.Diff(strings.Fields(c.want), strings.Fields(got)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompatFindings: what cannot be taken as it stands is told, and what
// another tool left behind or would do as well.
func TestCompatFindings(t *testing.T) {
	const at = "Deployment/shop/web "
	const onWorkload, onTemplate = at + "metadata.annotations.", at + "spec.template.metadata.annotations."
	const again = "Reloader, where it runs, restarts these pods once more when "
	all := []Tool{Reloader, Wave, Kudo}
	for _, c := range []struct {
		name   string
		compat []Tool
		in     migrant
		want   []string
	}{
		{"nothing said", all, migrant{}, nil},
		{"auto", nil, migrant{workload: auto + `"true"`}, []string{"double-restart warning " + onWorkload + "reloader.stakater.com/auto: " + again + "ConfigMap/shop/app changes"}},
		{"auto, with compat", all, migrant{workload: auto + `"true"`}, []string{"double-restart warning " + onWorkload + "reloader.stakater.com/auto: " + again + "ConfigMap/shop/app changes"}},
		{"auto, not stamped", nil, migrant{workload: auto + `"true", restamp.dev/enabled: "false"`}, nil},
		{"auto, on a kind that Reloader does not know", nil, migrant{kind: "serving.knative.dev/v1 Service", workload: auto + `"true"`}, nil},
		{"typed auto on the pod template", nil, migrant{template: `secret.reloader.stakater.com/auto: "true"`}, []string{"double-restart warning " + onTemplate + "secret.reloader.stakater.com/auto: " + again + "Secret/shop/db changes"}},
		{"a list of what is under the stamp", nil, migrant{workload: `configmap.reloader.stakater.com/reload: flags`}, []string{"double-restart warning " + onWorkload + "configmap.reloader.stakater.com/reload: " + again + "ConfigMap/shop/flags changes"}},
		{"a list of other things", nil, migrant{workload: `configmap.reloader.stakater.com/reload: spare`}, nil},
		{"search with match", nil, migrant{workload: search + `"true"`, sources: map[string]string{"flags": `reloader.stakater.com/match: "true"`}}, []string{"double-restart warning " + onWorkload + "reloader.stakater.com/search: " + again + "ConfigMap/shop/flags changes"}},
		{"search without match", nil, migrant{workload: search + `"true"`}, nil},
		{"auto, and all sources ignored", nil, migrant{workload: `secret.reloader.stakater.com/auto: "true"`, sources: map[string]string{"db": `reloader.stakater.com/ignore: "true"`}}, nil},
		{"wave", nil, migrant{workload: `wave.pusher.com/update-on-config-change: "true"`}, []string{"double-restart warning " + onWorkload + "wave.pusher.com/update-on-config-change: wave, where it runs, restarts these pods once more when ConfigMap/shop/app changes"}},

		{"leftovers", nil, migrant{workload: `deployment.reloader.stakater.com/paused-at: "2026-01-01T00:00:00Z", wave.pusher.com/scheduling-disabled: default-scheduler`, template: `reloader.stakater.com/last-reloaded-from: "{}", wave.pusher.com/config-hash: abc`}, []string{
			"leftover-annotation warning " + onWorkload + "deployment.reloader.stakater.com/paused-at: Reloader paused the Deployment when this was written, and waits to resume it",
			"leftover-annotation warning " + onWorkload + "wave.pusher.com/scheduling-disabled: wave kept the pods from being scheduled when this was written: without wave spec.schedulerName must be put right by hand",
			"leftover-annotation warning " + onTemplate + "reloader.stakater.com/last-reloaded-from: Reloader left this behind when it restarted the pods: it restarts them whenever somebody takes it out",
			"leftover-annotation warning " + onTemplate + "wave.pusher.com/config-hash: wave left this hash behind: without wave nobody keeps it up to date, and it restarts the pods whenever somebody takes it out",
		}},
		{"what there is no like of", all, migrant{workload: `reloader.stakater.com/rollout-strategy: restart, deployment.reloader.stakater.com/pause-period: 5m`}, []string{
			"foreign-annotation info " + onWorkload + "reloader.stakater.com/rollout-strategy: restamp always changes the pod template, and never spec.restartAt",
			"foreign-annotation info " + onWorkload + "deployment.reloader.stakater.com/pause-period: restamp has no pause between restarts, and needs none: all that one apply changes is one restart",
		}},
		{"the same without compat", nil, migrant{workload: `reloader.stakater.com/rollout-strategy: restart`}, nil},
		{"a bad expression", all, migrant{workload: auto + `"false", configmap.reloader.stakater.com/reload: "["`}, []string{"foreign-annotation warning " + onWorkload + "configmap.reloader.stakater.com/reload: [ is no regular expression: it does not count"}},
		{"an entry that nothing answers to", all, migrant{workload: `configmap.reloader.stakater.com/reload: "gone,g.*e"`}, []string{
			"missing-reference warning " + onWorkload + "configmap.reloader.stakater.com/reload: no ConfigMap of the input answers to g.*e",
			"missing-reference warning " + onWorkload + "configmap.reloader.stakater.com/reload: ConfigMap/shop/gone is not in the input",
		}},
		{"a word that is none, and switches off", all, migrant{workload: auto + `"yes"`}, []string{`foreign-annotation warning ` + onWorkload + `reloader.stakater.com/auto: "yes" is neither true nor false, which Reloader takes for false`}},
		{"switched off", all, migrant{workload: auto + `"false"`}, nil},
		{"a word that is none, beside one that is", all, migrant{workload: `secret.reloader.stakater.com/auto: "yes"`}, []string{`foreign-annotation warning ` + onWorkload + `secret.reloader.stakater.com/auto: "yes" is neither true nor false, which Reloader takes for false`}},
		{"no string", all, migrant{workload: `secret.reloader.stakater.com/auto: false`}, []string{"foreign-annotation warning " + onWorkload + "secret.reloader.stakater.com/auto: the value is a boolean; annotations are strings, so quote it"}},
		{"hidden words of the pod template", all, migrant{workload: `configmap.reloader.stakater.com/auto: "false"`, template: `configmap.reloader.stakater.com/reload: flags`}, []string{"foreign-annotation info " + onTemplate + "configmap.reloader.stakater.com/reload: the workload's own annotations stand before the pod template's, so this does not count"}},
		{"a kind that Reloader does not know", all, migrant{kind: "serving.knative.dev/v1 Service", workload: auto + `"true"`}, []string{"foreign-annotation info Service/shop/web metadata.annotations.reloader.stakater.com/auto: Reloader does nothing about a Service, so this does not count"}},
		{"wave's other words", all, migrant{workload: `wave.pusher.com/update-on-config-change: "false", wave.pusher.com/extra-secrets: token`}, []string{
			`foreign-annotation warning ` + onWorkload + `wave.pusher.com/update-on-config-change: wave takes "true" alone for yes, and any other value for nothing: the mode decides; restamp.dev/enabled: "false" switches off`,
			`foreign-annotation warning ` + onWorkload + `wave.pusher.com/extra-secrets: wave reads this beside wave.pusher.com/update-on-config-change: "true" alone, so it does not count`,
		}},
		{"wave's extras that are none", []Tool{Wave}, migrant{kind: "apps/v1 DaemonSet", workload: `wave.pusher.com/update-on-config-change: "true", wave.pusher.com/extra-secrets: "a/b/c, gone"`, sources: map[string]string{}}, []string{
			"double-restart warning DaemonSet/shop/web metadata.annotations.wave.pusher.com/update-on-config-change: wave, where it runs, restarts these pods once more when ConfigMap/shop/app changes",
			"foreign-annotation warning DaemonSet/shop/web metadata.annotations.wave.pusher.com/extra-secrets: a/b/c is not [namespace/]name: it does not count",
		}},
		{"enabled true and auto false", all, migrant{workload: auto + `"false", restamp.dev/enabled: "true"`}, []string{`foreign-annotation warning ` + onWorkload + `reloader.stakater.com/auto: restamp.dev/enabled: "true" wins over reloader.stakater.com/auto`}},
		{"enabled false and auto", all, migrant{workload: auto + `"true", restamp.dev/enabled: "false"`}, []string{`foreign-annotation info ` + onWorkload + `reloader.stakater.com/auto: restamp.dev/enabled: "false" wins over reloader.stakater.com/auto`}},
		{"ignore and a list", []Tool{Reloader}, migrant{workload: `configmap.reloader.stakater.com/reload: "spare", restamp.dev/ignore: ConfigMap/spare`}, []string{"foreign-annotation warning " + onWorkload + "configmap.reloader.stakater.com/reload: restamp.dev/ignore wins over configmap.reloader.stakater.com/reload about ConfigMap/spare"}},
		{"depends-on and exclude", all, migrant{workload: `configmaps.exclude.reloader.stakater.com/reload: spare, restamp.dev/depends-on: ConfigMap/spare`}, []string{"foreign-annotation warning " + onWorkload + "configmaps.exclude.reloader.stakater.com/reload: restamp.dev/depends-on wins over configmaps.exclude.reloader.stakater.com/reload about ConfigMap/spare"}},
		{"words on sources", all, migrant{sources: map[string]string{"app": `kudo.dev/skip-hash-calculation: "false"`, "flags": `reloader.stakater.com/ignore: "yes"`, "db": `reloader.stakater.com/ignore: "true", restamp.dev/ignore: "false"`}}, []string{
			`foreign-annotation warning ConfigMap/shop/app metadata.annotations.kudo.dev/skip-hash-calculation: KUDO takes any value for yes, "false" too: the source is left out`,
			`foreign-annotation warning ConfigMap/shop/flags metadata.annotations.reloader.stakater.com/ignore: Reloader takes "true" alone for yes, not "yes"`,
			`foreign-annotation warning Secret/shop/db metadata.annotations.reloader.stakater.com/ignore: restamp.dev/ignore: "false" wins over reloader.stakater.com/ignore`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, results := build(t, c.in.stream(), Options{Compat: c.compat})
			var got []string
			for _, f := range g.Findings(results) {
				if !slices.Contains([]Code{FirstStamp, UnkeyedSecret, UnusedSource, StandIn}, f.Code) {
					got = append(got, fmt.Sprintf("%s %s %s %s: %s", f.Code, f.Severity, f.Object, f.Field, f.Message))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompatOfWhatControllersMake: a list names the Secret that a controller
// makes, and the words for it stand in the producer's template.
func TestCompatOfWhatControllersMake(t *testing.T) {
	const sealed = "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\nspec: {encryptedData: {a: A}, template: {metadata: {annotations: {%s}}}}\n"
	web := func(annotations, spec string) string {
		return strings.Replace(pod(spec), "{name: web}", "{name: web, annotations: {"+annotations+"}}", 1)
	}
	const uses, usesNot = "containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]", "containers: [{name: c}]"
	const line = "SealedSecret.bitnami.com/s/a"
	for _, c := range []struct {
		name, made, workload string
		want                 []string
	}{
		{"a list", "", web("secret.reloader.stakater.com/reload: s", usesNot), []string{line}},
		{"search with match", `reloader.stakater.com/match: "true"`, web(search+`"true"`, uses), []string{line}},
		{"search without match", "", web(search+`"true"`, uses), nil},
		{"ignore", `reloader.stakater.com/ignore: "true"`, web("", uses), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, labels(t, fmt.Sprintf(sealed, c.made)+c.workload, Options{Compat: Tools})); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompatInsideKustomize: while kustomize builds, annotations say the names
// that objects had, and so do fields.
func TestCompatInsideKustomize(t *testing.T) {
	const renamed = "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: eu-%[1]s\n  annotations: {internal.config.kubernetes.io/previousNames: %[1]s, internal.config.kubernetes.io/previousNamespaces: default, internal.config.kubernetes.io/previousKinds: ConfigMap, internal.config.kubernetes.io/prefixes: eu-}\ndata: {k: x, l: x}\n"
	web := func(list string) string {
		return strings.Replace(pod("containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: app, key: k}}}]}]"), "{name: web}", "{name: web, annotations: {configmap.reloader.stakater.com/reload: "+list+"}}", 1)
	}
	for list, want := range map[string][]string{
		"app":           {"ConfigMap/eu-app/k"},
		"eu-app":        {"ConfigMap/eu-app/k"},
		"spare":         {"ConfigMap/eu-spare/k", "ConfigMap/eu-spare/l"},
		`"eu-app,sp.+"`: {"ConfigMap/eu-app/k", "ConfigMap/eu-spare/k", "ConfigMap/eu-spare/l"},
	} {
		got := labels(t, fmt.Sprintf(renamed, "app")+fmt.Sprintf(renamed, "spare")+web(list), Options{Compat: Tools})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", list, diff)
		}
	}
}

// TestCompatOfRollouts: a Rollout's words are about the template that it uses,
// and those of the workload whose template it is stand before them.
func TestCompatOfRollouts(t *testing.T) {
	stream := func(rollout, own, template string) string {
		return configMap("", "cm", "k: x") + configMap("", "spare", "k: x") +
			"---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r, annotations: {" + rollout + "}}\nspec: {workloadRef: {apiVersion: apps/v1, kind: ReplicaSet, name: web}}\n" +
			strings.NewReplacer("Deployment", "ReplicaSet", "template: {", "template: {metadata: {annotations: {"+template+"}}, ").Replace(workload("", own))
	}
	const list = "configmap.reloader.stakater.com/reload: "
	for _, c := range []struct {
		name, rollout, own, template string
		want                         []string
	}{
		{"auto of the Rollout opts in", auto + `"true"`, "", "", []string{"ConfigMap/cm/k"}},
		{"a list of the Rollout", list + "spare", "", "", []string{"ConfigMap/spare/k"}},
		{"the ReplicaSet stands before the Rollout", list + "spare", list + "cm", "", []string{"ConfigMap/cm/k"}},
		{"the Rollout stands before the pod template", list + "spare", "", list + "cm", []string{"ConfigMap/spare/k"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, results := build(t, stream(c.rollout, c.own, c.template), Options{Compat: Tools, OptIn: true})
			got := labels(t, stream(c.rollout, c.own, c.template), Options{Compat: Tools, OptIn: true})
			if diff := cmp.Diff(c.want, got); diff != "" || len(results) != 1 || results[0].Action != Set {
				t.Errorf("%+v, lines (-want +got):\n%s", results, diff)
			}
		})
	}
}
