package hosts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/yaml"
)

// definition reads what restamp says of itself, strictly, as the type that
// hosts have for it.
func definition(t *testing.T) framework.KRMFunctionDefinition {
	t.Helper()
	var d framework.KRMFunctionDefinition
	if err := yaml.UnmarshalStrict([]byte(read(t, "../../deploy/krm/restamp.yaml")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFunctionDefinition(t *testing.T) {
	d := definition(t)
	equal(t, "apiVersion", d.APIVersion, framework.FunctionDefinitionGroupVersion)
	equal(t, "kind", d.Kind, framework.FunctionDefinitionKind)
	equal(t, "versions", len(d.Spec.Versions), 1)
	version := d.Spec.Versions[0]
	equal(t, "apiVersion of the configuration", d.Spec.Group+"/"+version.Name, "restamp.dev/v1alpha1")
	equal(t, "command", version.Runtime.Exec.Path, "restamp")

	var metadata struct {
		Image, Description, SourceURL, License string
		Tags, ExamplePackageURLs               []string
	}
	if err := yaml.UnmarshalStrict([]byte(read(t, "../../deploy/kpt/metadata.yaml")), &metadata); err != nil {
		t.Fatal(err)
	}
	equal(t, "description", metadata.Description, d.Spec.Description)
	equal(t, "license", metadata.License, version.License)
	says(t, version.Runtime.Container.Image, metadata.Image+":v")
}

// schema is that of the configuration, as hosts read it.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(definition(t).Spec.Versions[0].Schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("restamp.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("restamp.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// configure gives restamp a configuration, and returns what it says of it.
func configure(t *testing.T, config string) result {
	t.Helper()
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig:\n"
	return call{stdin: list + "  " + strings.ReplaceAll(config, "\n", "\n  ") + "\n"}.run(t, restamp)
}

// TestSchemaAcceptsWhatRestampAccepts, and nothing else.
func TestSchemaAcceptsWhatRestampAccepts(t *testing.T) {
	s := schema(t)
	for _, test := range []struct {
		spec string
		ok   bool
	}{
		{"{}", true},
		{"{namespace: shop, mode: opt-in, strict: true, failOn: warning, validator: false}", true},
		{"{namespace: ''}", true},
		{"{namespace: Shop}", false},
		{"{namespace: a.b}", false},
		{"{namespace: 7}", false},
		{"{namespace: null}", false},
		{"{mode: all}", true},
		{"{mode: some}", false},
		{"{mode: ''}", false},
		{"{strict: 'true'}", false},
		{"{strict: null}", false},
		{"{validator: 1}", false},
		{"{failOn: none}", true},
		{"{failOn: never}", false},
		{"{include: []}", true},
		{"{include: [next-run, costly]}", true},
		{"{include: [immutable]}", false},
		{"{include: next-run}", false},
		{"{include: null}", false},
		{"{ignore: [ConfigMap/kube-root-ca.crt, 'Secret/*:ca.crt', ops/Secret/x, Widget.example.com/x]}", true},
		{"{ignore: [ConfigMap]}", false},
		{"{ignore: [1/x]}", false},
		{"{ignore: [a/b/c/d]}", false},
		{"{ignore: ['*/ConfigMap/x']}", false},
		{"{ignore: ['ConfigMap/x y']}", false},
		{"{ignore: [ConfigMap/]}", false},
		{"{ignore: ['ConfigMap/x:']}", false},
		{"{ignore: [Widget./x]}", false},
		{"{ignore: ConfigMap/x}", false},
		{"{annotation: example.com/hash, value: '{{ .Hash }}', volumes: subpath, follow: [imagePullSecrets]}", true},
		{"{volumes: none}", false},
		{"{follow: [everything]}", false},
		{"{workloads: [{group: example.com, kind: Widget, template: [spec, podTemplate]}]}", true},
		{"{workloads: [{group: example.com, kind: Widget, template: [spec, podTemplate], class: rolls}]}", true},
		{"{workloads: [{group: example.com, kind: Widget}]}", false},
		{"{workloads: [{group: example.com, kind: Widget, template: spec.podTemplate}]}", false},
		{"{workloads: [{group: example.com, kind: Widget, template: [spec], class: perhaps}]}", false},
		{"{references: [{group: example.com, kind: Widget, path: [spec, configRef, name], to: ConfigMap}]}", true},
		{"{references: [{group: example.com, kind: Widget, to: ConfigMap}]}", false},
		{"{strickt: true}", false},
		{"[]", false},
	} {
		config := "apiVersion: restamp.dev/v1alpha1\nkind: Restamp\nmetadata: {name: restamp}\nspec: " + test.spec
		var value any
		if err := yaml.Unmarshal([]byte(config), &value); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(value); (err == nil) != test.ok {
			t.Errorf("%s: the schema says %v", test.spec, err)
		}
		if r := configure(t, config); (r.code == 0) != test.ok {
			t.Errorf("%s: restamp says %s", test.spec, r.stderr)
		}
	}
}

// TestSchemaIsTheShippedOne, which is made of the Go type.
func TestSchemaIsTheShippedOne(t *testing.T) {
	spec := func(text string) any {
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			t.Fatal(err)
		}
		return schema.Properties["spec"]
	}
	text, err := json.Marshal(definition(t).Spec.Versions[0].Schema.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "spec", spec(string(text)), spec(read(t, "../../docs/schemas/restamp.v1alpha1.json")))
}

// TestSchemaTakesTheDocumentedConfiguration, with every field in it.
func TestSchemaTakesTheDocumentedConfiguration(t *testing.T) {
	for _, b := range block.FindAllStringSubmatch(read(t, "../../docs/configuration.md"), -1) {
		if !strings.Contains(b[3], "kind: Restamp") {
			continue
		}
		var value any
		if err := yaml.Unmarshal([]byte(b[3]), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema(t).Validate(value); err != nil {
			t.Errorf("%v in:\n%s", err, b[3])
		}
		return
	}
	t.Error("docs/configuration.md shows no configuration")
}
