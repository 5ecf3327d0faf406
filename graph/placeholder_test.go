package graph

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVaultPlaceholders: what argocd-vault-plugin fills in is told of, and
// hashed as it is.
func TestVaultPlaceholders(t *testing.T) {
	const path = "avp.kubernetes.io/path: kv/data/web"
	for _, c := range []struct {
		name, annotations, body string
		want                    bool
	}{
		{"a path", "", "kind: Secret\nstringData: {k: '<path:kv/data/web#password>'}", true},
		{"a path with a version", "", "kind: Secret\nstringData: {k: '<path:kv/data/web#password#3 | base64encode>'}", true},
		{"a path inside a text", "", "kind: ConfigMap\ndata: {k: 'url=<path:kv/data/web#url>/x'}", true},
		{"a path in data", "", "kind: Secret\ndata: {k: <path:kv/data/web#password | base64encode>}", true},
		{"a path, encoded", "", "kind: Secret\ndata: {k: PHBhdGg6a3YvZGF0YS93ZWIjcGFzc3dvcmQ+}", true},
		{"a key without a path", "", "kind: ConfigMap\ndata: {k: '<password>'}", false},
		{"a key with the object's path", path, "kind: ConfigMap\ndata: {k: 'x <password> z'}", true},
		{"a key in data", path, "kind: Secret\ndata: {k: <password | base64encode>}", true},
		{"a key, encoded", path, "kind: Secret\ndata: {k: PHBhc3N3b3JkPg==}", true},
		{"no key in a text", path, "kind: ConfigMap\ndata: {k: a < b}", false},
		{"left alone", `avp.kubernetes.io/ignore: "true"`, "kind: Secret\nstringData: {k: '<path:kv/data/web#password>'}", false},
	} {
		source := "---\napiVersion: v1\nmetadata: {name: s, annotations: {" + c.annotations + "}}\n" + c.body + "\n"
		uses := pod("containers: [{name: c, envFrom: [{configMapRef: {name: s, optional: true}}, {secretRef: {name: s, optional: true}}]}]")
		got := findings(t, source+uses, Options{})
		told := len(got) == 1 && strings.HasPrefix(got[0], "placeholder warning:5 ")
		if told != c.want || !told && len(got) > 0 {
			t.Errorf("%s: %q", c.name, got)
		}
		if all := labels(t, source+uses, Options{}); len(all) != 1 {
			t.Errorf("%s: lines %q", c.name, all)
		}
	}
	producer := "---\napiVersion: onepassword.com/v1\nkind: OnePasswordItem\nmetadata: {name: s}\nspec: {itemPath: '<path:kv/data/web#item>'}\n"
	got := findings(t, producer+pod("containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]"), Options{})
	if len(got) != 2 || !strings.HasPrefix(got[0], "stand-in") || !strings.HasPrefix(got[1], "placeholder warning:5 OnePasswordItem/s spec.itemPath:") {
		t.Errorf("in a producer: %q", got)
	}
}

// TestSOPS: an encrypted object counts with each value as written, and with
// those that encrypted_regex leaves plain as in any object; the sops block
// counts nowhere.
func TestSOPS(t *testing.T) {
	const secret = `---
apiVersion: v1
kind: Secret
metadata: {name: s}
data:
  host: bWFpbC5leGFtcGxlLmNvbQ==
  password: ENC[AES256_GCM,data:Tr7o=,iv:1=,aad:No=,tag:k=,type:str]
stringData:
  token: ENC[AES256_GCM,data:aa==,iv:2=,tag:b=,type:str]
sops:
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:p6==,iv:Y=,tag:A=,type:str]
  encrypted_regex: ^(password|token)$
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {level: info, key: "ENC[AES256_GCM,data:cc==,iv:3=,tag:d=,type:str]"}
binaryData: {logo: "ENC[AES256_GCM,data:ee==,iv:4=,tag:f=,type:str]", plain: AAEC}
sops: {mac: "ENC[AES256_GCM,data:q7==,iv:Z=,tag:B=,type:str]"}
`
	uses := pod("containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w}]}]\nvolumes: [{name: v, secret: {secretName: s}}, {name: w, configMap: {name: cm}}]")
	want := []string{
		"ConfigMap/cm/key", "ConfigMap/cm/level", "ConfigMap/cm/logo", "ConfigMap/cm/plain",
		"Secret/s/host", "Secret/s/password", "Secret/s/token",
	}
	if diff := cmp.Diff(want, labels(t, secret+uses, Options{})); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got := findings(t, secret+uses, Options{}); len(got) > 0 {
		t.Errorf("findings %q", got)
	}
	stamp := func(from, to string) string {
		_, results := build(t, strings.Replace(secret, from, to, 1)+uses, Options{})
		return results[0].Stamp
	}
	same := stamp("", "")
	for _, from := range []string{"data:p6", "data:q7", "2026-01-01", "^(password|token)$"} {
		if stamp(from, "data:zz") != same {
			t.Errorf("%s counts", from)
		}
	}
	for _, from := range []string{"data:Tr7o", "data:aa", "data:cc", "data:ee", "info", "bWFpbC5"} {
		if stamp(from, "data:zz") == same {
			t.Errorf("%s does not count", from)
		}
	}
}

// TestCopies: a controller fills a Secret from another one, which counts where
// the input has it; else the Secret is a stand-in.
func TestCopies(t *testing.T) {
	const original = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: ca, namespace: ops}\nstringData: {ca.crt: x, other: x}\n"
	for _, annotation := range []string{"reflector.v1.k8s.emberstack.com/reflects: ops/ca", "replicator.v1.mittwald.de/replicate-from: ops/ca"} {
		mirror := "---\napiVersion: v1\nkind: Secret\nmetadata: {name: mirror, namespace: web, annotations: {" + annotation + "}}\n"
		uses := strings.Replace(pod("containers: [{name: c, env: [{name: A, valueFrom: {secretKeyRef: {name: mirror, key: ca.crt}}}]}]"), "{name: web", "{namespace: web, name: web", 1)
		if diff := cmp.Diff([]string{"Secret/ops/ca/ca.crt"}, labels(t, original+mirror+uses, Options{})); diff != "" {
			t.Errorf("%s: lines (-want +got):\n%s", annotation, diff)
		}
		if got := findings(t, original+mirror+uses, Options{Strict: true}); len(got) > 0 {
			t.Errorf("%s: findings %q", annotation, got)
		}
		all := strings.Replace(uses, "env: [{name: A, valueFrom: {secretKeyRef: {name: mirror, key: ca.crt}}}]", "envFrom: [{secretRef: {name: mirror}}]", 1)
		want := []string{"Secret/mirror/", "Secret/ops/ca/ca.crt", "Secret/ops/ca/other"}
		if diff := cmp.Diff(want, labels(t, original+mirror+all, Options{})); diff != "" {
			t.Errorf("%s: lines of all keys (-want +got):\n%s", annotation, diff)
		}
		want = []string{"stand-in info:1 Secret/web/mirror : a controller copies the content of this Secret from Secret/ops/ca: a change of the value itself is not seen"}
		if diff := cmp.Diff(want, findings(t, strings.TrimPrefix(mirror, "---\n")+uses, Options{Strict: true})); diff != "" {
			t.Errorf("%s: findings without the original (-want +got):\n%s", annotation, diff)
		}
	}
	const own = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, annotations: {replicator.v1.mittwald.de/replicate-from: base}}\n"
	base := configMap("", "base", "k: x")
	if got := labels(t, own+base+workload("", ""), Options{}); !slices.Equal(got, []string{"ConfigMap/base/k", "ConfigMap/cm/"}) {
		t.Errorf("in one namespace: %q", got)
	}
}
