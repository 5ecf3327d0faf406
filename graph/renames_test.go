package graph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// renamed is an object's annotations under kustomize: names and namespaces that
// it had, comma lists, and its prefixes and suffixes.
func renamed(kind, names, namespaces, prefixes, suffixes string) string {
	kinds := strings.Repeat(kind+",", strings.Count(names, ",")) + kind
	s := `internal.config.kubernetes.io/previousNames: "` + names + `", internal.config.kubernetes.io/previousNamespaces: "` + namespaces +
		`", internal.config.kubernetes.io/previousKinds: "` + kinds + `"`
	if prefixes != "" {
		s += `, internal.config.kubernetes.io/prefixes: "` + prefixes + `"`
	}
	if suffixes != "" {
		s += `, internal.config.kubernetes.io/suffixes: "` + suffixes + `"`
	}
	return s
}

func renamedMap(namespace, name, annotations string) string {
	return strings.Replace(configMap(namespace, name, "k: x"), "metadata: {", "metadata: {annotations: {"+annotations+"}, ", 1)
}

// TestRenamed: while kustomize builds, a reference says a name that its object
// had before. The workload's reference is to cm.
func TestRenamed(t *testing.T) {
	one := func(prefix string) string {
		return renamedMap("", prefix+"cm", renamed("ConfigMap", "cm", "default", prefix, ""))
	}
	web := func(annotations string) string { return workload("", annotations) }
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"by the name that it had", web("") + one("a-"), []string{"ConfigMap/a-cm/k"}},
		{"by the first of several", web("") + renamedMap("", "b-a-cm", renamed("ConfigMap", "cm,a-cm", "default,default", "a-,b-", "")), []string{"ConfigMap/b-a-cm/k"}},
		{"prefixes choose", web(renamed("Deployment", "web", "default", "b-", "")) + one("a-") + one("b-"), []string{"ConfigMap/b-cm/k"}},
		{"an end of the prefixes is enough", web(renamed("Deployment", "web", "default", "b-,top-", "")) + one("a-") + renamedMap("", "top-b-cm", renamed("ConfigMap", "cm,b-cm", "default,default", "b-,top-", "")), []string{"ConfigMap/top-b-cm/k"}},
		{"suffixes choose", web(renamed("Deployment", "web", "default", "", "-y")) + renamedMap("", "cm-x", renamed("ConfigMap", "cm", "default", "", "-x")) + renamedMap("", "cm-y", renamed("ConfigMap", "cm", "default", "", "-y")), []string{"ConfigMap/cm-y/k"}},
		{"nothing chooses", web("") + one("a-") + one("b-"), nil},
		{"before one that has the name", web("") + one("a-") + configMap("", "cm", "own: x"), []string{"ConfigMap/a-cm/k"}},
		{"nobody had the name", web("") + configMap("", "cm", "own: x") + renamedMap("", "a-other", renamed("ConfigMap", "other", "default", "a-", "")), []string{"ConfigMap/cm/own"}},
		{"in the namespace where it is", workload("prod", "") + renamedMap("prod", "a-cm", renamed("ConfigMap", "cm", "default", "a-", "")), []string{"ConfigMap/a-cm/k"}},
		{"not in the one where it was", workload("default", "") + renamedMap("prod", "a-cm", renamed("ConfigMap", "cm", "default", "a-", "")), nil},
		{"an unset namespace is kustomize's default", workload("default", "") + one("a-"), []string{"ConfigMap/a-cm/k"}},
		{"and no other", workload("prod", "") + one("a-"), nil},
		{"nor is it any", web("") + renamedMap("prod", "a-cm", renamed("ConfigMap", "cm", "default", "a-", "")) + configMap("", "cm", "own: x"), []string{"ConfigMap/cm/own"}},
		{"whose the new name is, is another question", web("") + renamedMap("default", "a-cm", renamed("ConfigMap", "cm", "default", "a-", "")) + configMap("prod", "a-cm", "own: x"), nil},
		{"before one that is going to have a hash", web("") + one("a-") + renamedMap("", "cm", "internal.config.kubernetes.io/needsHashSuffix: enabled"), nil},
		{"of another kind", web("") + renamedMap("", "a-cm", renamed("Secret", "cm", "default", "a-", "")), nil},
		{"lists of unequal length", web("") + renamedMap("", "a-cm", `internal.config.kubernetes.io/previousNames: "cm,x", internal.config.kubernetes.io/previousNamespaces: default, internal.config.kubernetes.io/previousKinds: ConfigMap`), nil},
		{"ignored by the name that it has", web(`restamp.dev/ignore: "ConfigMap/a-cm"`) + one("a-"), nil},
		{"ignored by the name that it had", web(`restamp.dev/ignore: "ConfigMap/cm"`) + one("a-"), nil},
		{"depends-on, in the namespace where it was", workload("prod", `restamp.dev/depends-on: "ops/ConfigMap/shared"`) + renamedMap("ops2", "a-shared", renamed("ConfigMap", "shared", "ops", "a-", "")), []string{"ConfigMap/ops2/a-shared/k"}},
		{"going to have a hash", web("") + renamedMap("", "cm", "internal.config.kubernetes.io/needsHashSuffix: enabled"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, labels(t, c.stream, Options{})); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNamedByContent: the names are kustomize v5.8.2's.
func TestNamedByContent(t *testing.T) {
	for _, c := range []struct {
		name, object string
		want         bool
	}{
		{"ConfigMap", configMap("prod", "ov-gen-hmg6f82fh6", `x: "1"`), true},
		{"changed afterwards", configMap("prod", "ov-gen-hmg6f82fh6", `x: "2"`), false},
		{"looks like it", configMap("", "web-bcdfghkmtb", `x: "1"`), false},
		{"no hash at all", configMap("", "web", `x: "1"`), false},
		{"binary", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bin-f4bft2424b}\ndata: {t: \"<&>\\n\"}\nbinaryData: {b: AAEC/w==}\n", true},
		{"Secret", "apiVersion: v1\nkind: Secret\ntype: Opaque\nmetadata: {name: sec-bm76c6cd96}\ndata: {p: eA==}\n", true},
		{"empty", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: empty-6ct58987ht}\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := build(t, c.object, Options{})
			if got := g.all[0].suffixed; got != c.want {
				t.Errorf("named by its content: %v", got)
			}
		})
	}
}
