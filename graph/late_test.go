package graph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLateSource: a source that comes after its workload is told of, with both
// positions.
func TestLateSource(t *testing.T) {
	const (
		wave   = "argocd.argoproj.io/sync-wave: "
		argo   = "argocd.argoproj.io/hook: "
		policy = "argocd.argoproj.io/hook-delete-policy: "
		helm   = "helm.sh/hook: "
		weight = "helm.sh/hook-weight: "
		delete = "helm.sh/hook-delete-policy: "
	)
	for _, c := range []struct {
		name             string
		source, workload string // annotations
		want             string // "" for nothing
	}{
		{"nothing said", "", "", ""},
		{"a later wave", wave + `"2"`, "", "in sync wave 2, this in sync wave 0"},
		{"the same wave", wave + `"2"`, wave + `"2"`, ""},
		{"an earlier wave", wave + `"-1"`, "", ""},
		{"a workload in an early wave", "", wave + `"-5"`, "in sync wave 0, this in sync wave -5"},
		{"a workload in a later wave", wave + `"1"`, wave + `"10"`, ""},
		{"a wave that is no number", wave + `soon`, wave + `"-0"`, ""},
		{"a wave that is no string", wave + `3`, "", "in sync wave 3, this in sync wave 0"},

		{"PostSync", argo + "PostSync", "", "in hook PostSync, this in sync wave 0"},
		{"SyncFail", argo + "SyncFail", argo + "PostSync", "in hook SyncFail, this in hook PostSync"},
		{"PreSync", argo + "PreSync", "", ""},
		{"a phase counts before a wave", argo + "PreSync, " + wave + `"5"`, wave + `"-5"`, ""},
		{"a phase counts before a wave, in words", argo + "PostSync, " + wave + `"-5"`, wave + `"5"`, "in hook PostSync, wave -5, this in sync wave 5"},
		{"a workload that is a hook", "", argo + "PreSync", "in sync wave 0, this in hook PreSync"},
		{"both are hooks", argo + "PreSync, " + wave + `"1"`, argo + "PreSync", "in hook PreSync, wave 1, this in hook PreSync, wave 0"},
		{"a Sync hook comes with the rest", argo + "Sync", "", ""},
		{"several hooks: the first counts", argo + `"PostSync, PreSync"`, "", ""},
		{"several hooks of a workload", "", argo + `"PostSync,PreSync"`, "in sync wave 0, this in hook PreSync"},
		{"skipped", argo + "Skip", wave + `"-1"`, ""},
		{"a skipped workload", wave + `"1"`, argo + "Skip", ""},
		{"skipped, but not only", argo + `"Skip,PostSync"`, "", "in hook PostSync, this in sync wave 0"},
		{"PostDelete", argo + "PostDelete", "", "only in hook PostDelete, this in sync wave 0"},

		{"post-install", helm + "post-install", "", "in hook post-install, this with the objects that are no hooks"},
		{"pre-install", helm + `"pre-install,pre-upgrade"`, "", ""},
		{"a migration before the rest", "", helm + `"pre-install, pre-upgrade"`, "with the objects that are no hooks, this in hook pre-install"},
		{"a step before an upgrade", "", helm + "pre-upgrade", ""},
		{"a step before an upgrade, under Argo CD", wave + `"0"`, helm + "pre-upgrade", "in sync wave 0, this in hook pre-upgrade"},
		{"a migration after the rest", "", helm + "post-upgrade", ""},
		{"a larger weight", helm + "pre-install, " + weight + `"5"`, helm + "pre-install, " + weight + `"-5"`, "in hook pre-install, weight 5, this in hook pre-install, weight -5"},
		{"a smaller weight", helm + "pre-install, " + weight + `"-5"`, helm + "pre-install", ""},
		{"a weight without a hook is nothing to Helm", weight + `"5"`, "", ""},
		{"but a wave to Argo CD", weight + `"5"`, wave + `"1"`, "in sync wave 5, this in sync wave 1"},
		{"a wave counts before a weight", helm + "pre-install, " + weight + `"5", ` + wave + `"0"`, helm + "pre-install", ""},
		{"capitals", helm + "Pre-Install", "", ""},
		{"Argo CD's words count before Helm's", helm + "post-install, " + argo + "PreSync", "", ""},
		{"words that Argo CD does not know", helm + "post-install, " + argo + "Never", "", "in hook post-install, this in sync wave 0"},
		{"crd-install is no hook", helm + "crd-install", "", ""},

		{"a source for tests", helm + "test", "", "only in hook test, this with the objects that are no hooks"},
		{"a test", "", helm + "test", ""},
		{"a test and its source", helm + "test, " + weight + `"-1"`, helm + "test", ""},
		{"a test and its source, late", helm + "test, " + weight + `"1"`, helm + "test", "only in hook test, this only in hook test"},
		{"other times", helm + "post-delete", helm + "pre-rollback", ""},

		{"deleted at once", helm + "pre-install, " + delete + `"before-hook-creation,hook-succeeded"`, "", "in hook pre-install, and is deleted once that has succeeded"},
		{"deleted at once by Argo CD", argo + "PreSync, " + policy + "HookSucceeded", "", "in hook PreSync, and is deleted once that has succeeded"},
		{"deleted together", helm + "pre-install, " + delete + "hook-succeeded", helm + "pre-install, " + delete + "hook-succeeded", ""},
		{"deleted before the next", helm + "pre-install, " + delete + "before-hook-creation", "", ""},
		{"a policy without a hook", delete + "hook-succeeded", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, ref := range []string{"configMapRef: {name: cm}", "configMapRef: {name: cm, optional: true}"} {
				source := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, annotations: {" + c.source + "}}\ndata: {a: x}\n"
				uses := strings.Replace(pod("containers: [{name: c, envFrom: [{"+ref+"}]}]"), "metadata: {name: web", "metadata: {annotations: {"+c.workload+"}, name: web", 1)
				if got := late(t, source+uses); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
					t.Errorf("%s\n%q, not %q", uses, got, c.want)
				}
			}
		})
	}
}

// late is what is told of a late source, without what is always the same.
func late(t *testing.T, stream string) (message string) {
	t.Helper()
	g, results := build(t, stream, Options{})
	for _, f := range g.Findings(results) {
		if f.Code == LateSource {
			message += strings.TrimPrefix(f.Message, "ConfigMap/cm comes ")
		}
	}
	return message
}

// TestLateSourceOf: whose position it is that counts.
func TestLateSourceOf(t *testing.T) {
	const afterwards = `annotations: {argocd.argoproj.io/sync-wave: "1"}, `
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata: {" + afterwards + "name: cm}\ndata: {a: x}\n"
	uses := pod("containers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: a}}}], envFrom: [{configMapRef: {name: cm}}]}]")
	const message = "comes in sync wave 1, this in sync wave 0: new pods start before it"
	for name, c := range map[string]struct{ stream, want string }{
		"once per template": {cm + uses, "late-source warning:13 Deployment/web spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef: ConfigMap/cm " + message},
		"a Job": {
			cm + strings.NewReplacer("apps/v1", "batch/v1", "Deployment", "Job").Replace(uses),
			"late-source warning:13 Job/web spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef: ConfigMap/cm " + message,
		},
		"a producer": {
			"apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {" + afterwards + "name: s}\nspec: {encryptedData: {a: x}}\n" + pod("containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]"),
			"late-source warning:13 Deployment/web spec.template.spec.containers[0].envFrom[0].secretRef: SealedSecret/s " + message,
		},
		"a dependency of another kind": {
			"apiVersion: example.com/v1\nkind: Thing\nmetadata: {" + afterwards + "name: cm}\n" + strings.Replace(pod("containers: [{name: c}]"), "{name: web", "{annotations: {restamp.dev/depends-on: Thing/cm}, name: web", 1),
			"late-source warning:7 Deployment/web metadata.annotations.restamp.dev/depends-on: Thing/cm " + message,
		},
		"a Rollout starts the pods": {
			cm + "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {" + afterwards + "name: r}\nspec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n" + uses, "",
		},
		"a source that restarts nobody": {strings.Replace(cm, "annotations: {", `annotations: {restamp.dev/ignore: "true", `, 1) + uses, ""},
		"an ignored reference":          {cm + strings.Replace(uses, "{name: web", "{annotations: {restamp.dev/ignore: ConfigMap/cm}, name: web", 1), ""},
		"a workload that is off":        {cm + strings.Replace(uses, "{name: web", `{annotations: {restamp.dev/enabled: "false"}, name: web`, 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range findings(t, c.stream, Options{}) {
				if strings.HasPrefix(f, "late-source") {
					got = append(got, f)
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}
