package graph

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/kinds"
)

// TestProducersOfAllKinds reads each stream of testdata/producers, whose
// comments say what it should come to: "#=" the labels of the lines, "#!" the
// findings.
func TestProducersOfAllKinds(t *testing.T) {
	files, _ := filepath.Glob("testdata/producers/*.yaml")
	if len(files) == 0 {
		t.Fatal("no streams")
	}
	var all strings.Builder
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stream := string(text)
			all.WriteString("\n" + stream)
			if diff := cmp.Diff(told(stream, "#= "), labels(t, stream, Options{})); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(told(stream, "#! "), briefFindings(t, stream)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	for _, p := range kinds.Producers {
		object := regexp.MustCompile(`apiVersion: ` + p.Group + `/\w+\nkind: ` + p.Kind + `\n`)
		if p.Kind != "" && !object.MatchString(all.String()) {
			t.Errorf("no stream has a %s of %s", p.Kind, p.Group)
		}
	}
}

// told are the lines of a stream's comments that start with a mark, sorted.
func told(stream, mark string) (lines []string) {
	for line := range strings.Lines(stream) {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			lines = append(lines, strings.TrimSpace(rest))
		}
	}
	slices.Sort(lines)
	return lines
}

// briefFindings are a stream's findings without their places, sorted.
func briefFindings(t *testing.T, stream string) (all []string) {
	g, results := build(t, stream, Options{})
	for _, f := range g.Findings(results) {
		if f.Code != FirstStamp && f.Code != UnkeyedSecret {
			all = append(all, fmt.Sprintf("%s %s %s: %s", f.Code, f.Severity, f.Object, f.Message))
		}
	}
	slices.Sort(all)
	return all
}

// TestWhatProducersRestart changes the streams of testdata/producers: what
// decides no content changes no stamp, what decides some does.
func TestWhatProducersRestart(t *testing.T) {
	for _, c := range []struct {
		file, from, to string
		restarts       bool
	}{
		{"external-secret", "refreshInterval: 1h", "refreshInterval: 2h", false},
		{"external-secret", "deletionPolicy: Retain", "deletionPolicy: Delete", false},
		{"external-secret", "metadata: {labels: {app: web}}", "metadata: {labels: {app: other}}", false},
		{"external-secret", "immutable: true", "immutable: false", false},
		{"external-secret", "creationPolicy: Owner", "creationPolicy: Orphan", false},
		{"external-secret", "apiVersion: external-secrets.io/v1beta1", "apiVersion: external-secrets.io/v1", false},
		{"external-secret", "property: theme", "property: colour", false},
		{"external-secret", "property: level", "property: verbosity", true},
		{"external-secret", "property: user", "property: login", true},
		{"external-secret", "engineVersion: v2", "engineVersion: v3", true},
		{"external-secret", "mergePolicy: Merge", "mergePolicy: Replace", true},
		{"external-secret", "{{ .user }}", "{{ .password }}", true},
		{"external-secret", "key: web/smtp", "key: web/mail", true},
		{"cluster-external-secret", "refreshTime: 1m", "refreshTime: 2m", false},
		{"cluster-external-secret", "refreshInterval: 1h", "refreshInterval: 2h", false},
		{"cluster-external-secret", "team: platform", "team: other", false},
		{"cluster-external-secret", "property: token", "property: key", true},
		{"sealed-secret", "namespace-wide", "cluster-wide", false},
		{"sealed-secret", "user: AgAR7mA1b2C3", "user: AgAR8", false},
		{"sealed-secret", "password: AgBy3i4OJSWK", "password: AgBy4", true},
		{"sealed-secret", "data: AgD1c2Vj", "data: AgD2", true},
		{"sops-secret", "lastmodified: \"2026-01-01", "lastmodified: \"2027-01-01", false},
		{"sops-secret", "mac: ENC[AES256_GCM,data:mm", "mac: ENC[AES256_GCM,data:zz", false},
		{"sops-secret", "data:jj", "data:zz", false},
		{"sops-secret", "labels: {app: web}", "labels: {app: other}", false},
		{"sops-secret", "data:gg", "data:zz", true},
		{"sops-secret", "data:pp", "data:zz", true},
		{"certificate", "renewBefore: 360h", "renewBefore: 361h", false},
		{"certificate", "policy: Windows", "policy: Always", false},
		{"certificate", "secretTemplate: {labels: {app: web}}", "secretTemplate: {labels: {app: other}}", false},
		{"certificate", "duration: 2160h", "duration: 2161h", true},
		{"certificate", "create: true", "create: false", true},
		{"vault-secrets-operator", "refreshAfter: 30s", "refreshAfter: 31s", false},
		{"vault-secrets-operator", "hmacSecretData: true", "hmacSecretData: false", false},
		{"vault-secrets-operator", "{kind: Deployment, name: web}", "{kind: Deployment, name: other}", false},
		{"vault-secrets-operator", "overwrite: true", "overwrite: false", false},
		{"vault-secrets-operator", "labels: {app: web}", "labels: {app: other}", false},
		{"vault-secrets-operator", "renewalPercent: 67", "renewalPercent: 68", false},
		{"vault-secrets-operator", "revoke: true", "revoke: false", false},
		{"vault-secrets-operator", "expiryOffset: 1h", "expiryOffset: 2h", false},
		{"vault-secrets-operator", "path: web/config", "path: web/other", true},
		{"vault-secrets-operator", "password={{", "pass={{", true},
		{"vault-secrets-operator", "ttl: 24h", "ttl: 25h", true},
		{"secret-provider-class", "objectName: db", "objectName: other", true},
		{"secret-sync", "forceSynchronization: \"1\"", "forceSynchronization: \"2\"", false},
		{"secret-sync", "sourcePath: db-user", "sourcePath: db-login", false},
		{"secret-sync", "sourcePath: db-password", "sourcePath: db-pass", true},
		{"secret-sync", "secretProviderClassName: google", "secretProviderClassName: other", true},
		{"vendors", "operator.1password.io/auto-restart: \"true\"", "operator.1password.io/auto-restart: \"false\"", false},
		{"vendors", "itemPath: vaults/web", "itemPath: vaults/other", true},
		{"vendors", "resyncSeconds: 60", "resyncSeconds: 61", false},
		{"vendors", "config: prd", "config: stg", true},
		{"vendors", "secretKeyName: other", "secretKeyName: another", false},
		{"vendors", "azureIdentity: {name: web}", "azureIdentity: {name: other}", false},
		{"vendors", "transform: [trim]", "transform: []", true},
		{"vendors", "reconcileStrategy: Replace", "reconcileStrategy: Merge", false},
		{"vendors", "{% .Secrets.b %}", "{% .Secrets.c %}", false},
		{"vendors", "{% .Secrets.a %}", "{% .Secrets.c %}", true},
		{"vendors", "refreshPeriod: 3m0s", "refreshPeriod: 4m0s", false},
		{"vendors", "{{ .db.user }}", "{{ .db.login }}", false},
		{"vendors", "{{ .db.password }}", "{{ .db.pass }}", true},
		{"vendors", "approvePlan: plan-main-3f2a", "approvePlan: plan-main-4b1c", false},
		{"vendors", "interval: 10m", "interval: 11m", false},
		{"vendors", "value: eu", "value: us", true},
		{"infisical", "resyncInterval: 10", "resyncInterval: 11", false},
		{"infisical", "OTHER: x", "OTHER: z", false},
		{"infisical", "{{ .URL.Value }}", "{{ .HOST.Value }}", true},
		{"infisical", "leaseTTL: 1h", "leaseTTL: 2h", false},
		{"infisical", "leaseRevocationPolicy: Revoke", "leaseRevocationPolicy: None", false},
		{"infisical", "refreshInterval: 1m", "refreshInterval: 2m", false},
		{"infisical", "{{ .B }}", "{{ .C }}", false},
		{"infisical", "{{ .All }}", "{{ .Some }}", true},
		{"bundles", "labels: {app: web}", "labels: {app: other}", false},
		{"bundles", "key: trust.jks", "key: other.jks", false},
		{"bundles", "password: changeit", "password: changed", true},
		{"bundles", "key: tls.crt", "key: ca.crt", true},
		{"copies", "synchronize: true", "synchronize: false", false},
		{"copies", "theme: dark", "theme: light", false},
		{"copies", "NO_PROXY: .svc", "NO_PROXY: .local", false},
		{"copies", "level: info", "level: debug", true},
		{"copies", "HTTP_PROXY: proxy", "HTTP_PROXY: cache", true},
		{"generated", "instances: 3", "instances: 4", false},
		{"generated", "instances: 1}", "instances: 2}", true}, // declared
		{"generated", "size: small", "size: large", false},
		{"connection-secrets", "instanceClass: db.t4g.small", "instanceClass: db.t4g.large", false},
		{"aiven", "startup-4, connInfo", "startup-8, connInfo", false},
		{"aiven", "prefix: BUS_", "prefix: KAFKA_", true},
	} {
		text, err := os.ReadFile("testdata/producers/" + c.file + ".yaml")
		if err != nil || !strings.Contains(string(text), c.from) {
			t.Fatalf("%s has no %q: %v", c.file, c.from, err)
		}
		_, before := build(t, string(text), Options{})
		_, after := build(t, strings.Replace(string(text), c.from, c.to, 1), Options{})
		restarts := false
		for i := range before {
			restarts = restarts || before[i].Stamp != after[i].Stamp
		}
		if restarts != c.restarts {
			t.Errorf("%s: from %q to %q restarts: %v", c.file, c.from, c.to, restarts)
		}
	}
}

// TestProducersOfUsers: a row of the configuration counts like a built-in one,
// and takes the place of those of its kind.
func TestProducersOfUsers(t *testing.T) {
	object := func(apiVersion, kind, spec string) string {
		return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: m}\nspec: " + spec + "\n"
	}
	uses := pod(`containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]`)
	for _, c := range []struct {
		name   string
		row    kinds.Producer
		object string
		want   []string
	}{
		{
			"of a new kind",
			kinds.Producer{Group: "example.com", Kind: "MySecret", Makes: "Secret", Name: kinds.P("spec.secretName"), Content: []kinds.Path{kinds.P("spec.items")}},
			object("example.com/v1", "MySecret", "{secretName: s, items: [a], other: x}"),
			[]string{"MySecret.example.com/m/spec.items"},
		},
		{
			"of a built-in kind",
			kinds.Producer{Group: "onepassword.com", Kind: "OnePasswordItem", Makes: "Secret", Name: kinds.P("spec.name"), Content: []kinds.Path{kinds.P("spec")}},
			object("onepassword.com/v1", "OnePasswordItem", "{name: s, itemPath: x}"),
			[]string{"OnePasswordItem.onepassword.com/m/spec"},
		},
		{
			"of any kind",
			kinds.Producer{Makes: "Secret", Name: kinds.P("spec.outputSecret"), Content: []kinds.Path{kinds.P("spec.size")}},
			object("example.com/v1", "Whatever", "{outputSecret: s, size: 1}"),
			[]string{"Whatever.example.com/m/spec.size"},
		},
	} {
		opts := Options{Tables: kinds.NewTables(nil, []kinds.Producer{c.row}, nil)}
		if diff := cmp.Diff(c.want, labels(t, c.object+uses, opts)); diff != "" {
			t.Errorf("%s: lines (-want +got):\n%s", c.name, diff)
		}
	}
	row := kinds.Producer{
		Group: "example.com", Kind: "MySecret", Makes: "Secret", Name: kinds.P("spec.secretName"), Content: []kinds.Path{kinds.P("spec")},
		Without: []kinds.Path{kinds.P("spec.secretName"), kinds.P("spec.items[].note"), kinds.P("spec.users{}.comment")},
	}
	opts := Options{Tables: kinds.NewTables(nil, []kinds.Producer{row}, nil)}
	stamp := func(spec string) string {
		_, results := build(t, object("example.com/v1", "MySecret", spec)+uses, opts)
		return results[0].Stamp
	}
	same := stamp("{secretName: s, items: [{a: x, note: one}], users: {u: {b: x, comment: one}}}")
	if got := stamp("{secretName: s, items: [{a: x, note: two}], users: {u: {b: x}}}"); got != same {
		t.Error("what the row leaves out, inside a list or a map, counts")
	}
	for _, spec := range []string{"{secretName: s, items: [{a: z, note: one}], users: {u: {b: x}}}", "{secretName: s, items: [{a: x}], users: {u: {b: z}}}"} {
		if stamp(spec) == same {
			t.Errorf("%s has the same stamp", spec)
		}
	}
}
