package config

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

var update = flag.Bool("update", false, "write the shipped schema anew")

func read(t *testing.T, text string) (*Config, error) {
	t.Helper()
	doc, err := new(tree.Parser).Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Read(doc.Root())
}

// TestTables: what `restamp kinds` prints is a configuration with the very rows.
func TestTables(t *testing.T) {
	text, err := Tables()
	if err != nil {
		t.Fatal(err)
	}
	c, err := read(t, string(text))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{Workloads: kinds.Workloads, References: kinds.References()}
	if diff := cmp.Diff(want.Workloads, c.Workloads); diff != "" {
		t.Errorf("workloads (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(kinds.Producers, c.Producers); diff != "" {
		t.Errorf("producers (-want +got):\n%s", diff)
	}
	if len(want.References)+len(c.References) > 0 {
		if diff := cmp.Diff(want.References, c.References); diff != "" {
			t.Errorf("references (-want +got):\n%s", diff)
		}
	}
}

func TestShippedSchema(t *testing.T) {
	const path = "../../docs/schemas/restamp.v1alpha1.json"
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the shipped schema differs; -update writes it (-shipped +made):\n%s", diff)
	}
}

// TestFunctionDefinition: catalogues of functions are told the same schema. It
// is the last thing in their file.
func TestFunctionDefinition(t *testing.T) {
	const path = "../../deploy/krm/restamp.yaml"
	shipped, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start, _, found := strings.Cut(string(shipped), "\n          spec:\n")
	if !found {
		t.Fatalf("%s has no schema of spec", path)
	}
	spec, err := toYAML(schemaOf(reflect.TypeFor[Config]()))
	if err != nil {
		t.Fatal(err)
	}
	made := start + "\n          spec:\n"
	for line := range strings.Lines(string(spec)) {
		made += "            " + line
	}
	if *update {
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(shipped), made); diff != "" {
		t.Errorf("the shipped definition differs; -update writes it (-shipped +made):\n%s", diff)
	}
}

const head = "apiVersion: restamp.dev/v1alpha1\nkind: Restamp\nspec:\n"

func TestFaults(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"  workloads: [{group: a, kind: K}]", "Restamp: spec.workloads[0]: template is missing"},
		{"  workloads: [{kind: K, template: spec.template}]", "Restamp: spec.workloads[0].template: it is a string, not a list"},
		{"  workloads: [{kind: K, template: [spec], class: rolling}]", `Restamp: spec.workloads[0].class: "rolling" is none of rolls, next-run, immutable, in-place, costly, elsewhere`},
		{"  workloads: [{kind: '', template: [spec]}]", "Restamp: spec.workloads: [0]: kind and template must be there"},
		{"  producers: [{kind: K}]", "Restamp: spec.producers: [0]: makes or makesPath must be there"},
		{"  producers: [{kind: K, makes: Pod}]", `Restamp: spec.producers: [0]: makes: "Pod" is neither ConfigMap nor Secret`},
		{"  producers: [{makes: Secret}]", "Restamp: spec.producers: [0]: kind or name must be there"},
		{"  references: [{kind: K, path: [spec, a, '[]'], key: k, to: Secret}]", "Restamp: spec.references: [0]: key stands beside a name, but the path ends in a list"},
		{"  references: [{kind: K, path: [], to: Secret}]", "Restamp: spec.references: [0]: kind, path and to must be there"},
		{"  workloads: [{kind: K, template: [spec], annotations: []}]", "Restamp: spec.workloads: [0]: annotations must lead somewhere"},
		{"  workloads: [{kind: K, template: [spec], stalls: [{path: [spec, a], lacks: x, why: z}]}]", "Restamp: spec.workloads: [0]: stalls: lacks is about a list, into which the path must go by []"},
		{"  workloads: [{kind: K, template: [spec], annotations: [metadata, '[]']}]", "Restamp: spec.workloads: [0]: annotations: [] cannot stand here, as the path goes from field to field"},
		{"  workloads: [{kind: K, template: ['']}]", "Restamp: spec.workloads: [0]: template: a step of the path is empty"},
		{"  workloads: [{kind: K, template: [spec], annotation: restamp.dev/enabled}]", `Restamp: spec.workloads: [0]: annotation: "restamp.dev/enabled" means something else`},
		{"  workloads: [{kind: K, template: [spec], annotation: 'x/{{ .Name }}'}]", "Restamp: spec.workloads: [0]: annotation: it is a name here, not a template"},
		{"  producers: [{kind: K, makes: Secret, content: [[spec, items, '[]', value]]}]", "Restamp: spec.producers: [0]: content: [] cannot stand here, as the path goes from field to field"},
		{"  annotation: 'a b'", `Restamp: spec.annotation: annotation: "a b" is no name of an annotation`},
		{"  value: '{{ now }}'", "Restamp: spec.value: value: template: :1:3: executing \"\" at <now>: error calling now: now is not allowed: it depends on the time or on the time zone"},
		{"  volumes: some", `Restamp: spec.volumes: "some" is none of all, subpath`},
		{"  follow: [serviceAccountName]", `Restamp: spec.follow: "serviceAccountName" is none of imagePullSecrets, serviceAccount`},
		{"  include: next-run", "Restamp: spec.include: it is a string, not a list"},
		{"  include: [{}]", "Restamp: spec.include[0]: it is a map where a string must be"},
	} {
		_, err := read(t, head+c.spec+"\n")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got: %v\nwant: %s", c.spec, err, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	c, err := read(t, head+`  annotation: checksum/{{ .Kind | lower }}-{{ .Name }}
  value: "{{ .Hash | trunc 19 }}"
  mode: opt-in
  namespace: shop
  volumes: subpath
  include: [next-run]
  follow: [imagePullSecrets, serviceAccount]
  ignore: ["ConfigMap/kube-root-ca.crt", "Secret/*:ca.crt"]
  workloads: [{group: example.com, kind: Widget, template: [spec, podTemplate]}]
  references: [{group: example.com, kind: Widget, path: [spec, configRef, name], to: ConfigMap}]
`)
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Annotation: "checksum/{{ .Kind | lower }}-{{ .Name }}", Value: "{{ .Hash | trunc 19 }}", Mode: "opt-in", Namespace: "shop", Volumes: "subpath",
		Include: []string{"next-run"}, Follow: []string{"imagePullSecrets", "serviceAccount"},
		Ignore:     []string{"ConfigMap/kube-root-ca.crt", "Secret/*:ca.crt"},
		Workloads:  []kinds.Workload{{Group: "example.com", Kind: "Widget", Template: kinds.P("spec.podTemplate")}},
		References: []kinds.Reference{{Group: "example.com", Kind: "Widget", Path: kinds.P("spec.configRef.name"), To: "ConfigMap"}},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

// TestTablesAreRows: what is said of users' rows holds for the built-in ones.
func TestTablesAreRows(t *testing.T) {
	c := Config{Workloads: kinds.Workloads, Producers: kinds.Producers, References: kinds.References()}
	if problem := c.checkRows(); problem != "" {
		t.Error(problem)
	}
}
