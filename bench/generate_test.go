package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// An object is what the tests look at.
type object struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Data     map[string]yaml.Node
	Spec     yaml.Node
}

func TestGenerateIsDeterministic(t *testing.T) {
	for name, write := range map[string]writer{"config-heavy": configHeavy(0.002), "crd-heavy": crdHeavy(500e3)} {
		var a, b bytes.Buffer
		if _, err := write(&a); err != nil {
			t.Fatal(err)
		}
		if _, err := write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two runs wrote different streams", name)
		}
	}
}

func TestConfigHeavyCounts(t *testing.T) {
	var b bytes.Buffer
	made, err := writeConfigHeavy(&b, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	want := census{ConfigMaps: 400, Secrets: 100, Workloads: 200, Others: 600, CRDs: 4}
	if made != want {
		t.Errorf("writeConfigHeavy tells of %v, want %v", made, want)
	}
	if got := count(parseAll(t, b.Bytes())); got != want {
		t.Errorf("writeConfigHeavy wrote %v, want %v", got, want)
	}
	if size := b.Len(); size < 19e5 || size > 21e5 {
		t.Errorf("writeConfigHeavy(0.02) wrote %d bytes, want 1.9 to 2.1 MB", size)
	}
}

func TestCRDHeavyShare(t *testing.T) {
	var b bytes.Buffer
	made, err := writeCRDHeavy(&b, 2e6)
	if err != nil {
		t.Fatal(err)
	}
	if got := count(parseAll(t, b.Bytes())); got != made {
		t.Errorf("writeCRDHeavy wrote %v, tells of %v", got, made)
	}
	var crds int
	for _, doc := range bytes.SplitAfter(b.Bytes(), []byte("\n---\n")) {
		if bytes.Contains(doc, []byte("\nkind: CustomResourceDefinition\n")) {
			crds += len(doc)
		}
	}
	if share := float64(crds) / float64(b.Len()); share < 0.88 || share > 0.95 {
		t.Errorf("CRDs are %.2f of the bytes, want about %.2f", share, realCRDShare)
	}
}

func TestConfigMapSizes(t *testing.T) {
	var b bytes.Buffer
	if _, err := writeConfigHeavy(&b, 0.02); err != nil {
		t.Fatal(err)
	}
	for _, doc := range bytes.Split(b.Bytes(), []byte("\n---\n")) {
		if size := len(doc); bytes.Contains(doc, []byte("\nkind: ConfigMap\nmetadata:")) && (size < 1000 || size > 8192) {
			t.Errorf("ConfigMap of %d bytes, want 1 to 8 KB:\n%.200s", size, doc)
		}
	}
}

// TestObjectsAreValid looks at names and at the values of ConfigMaps and Secrets.
func TestObjectsAreValid(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	for _, o := range smallStream(t) {
		if !name.MatchString(o.Metadata.Name) || len(o.Metadata.Name) > 52 {
			t.Errorf("%s %s: bad name", o.Kind, o.Metadata.Name)
		}
		for key, value := range o.Data {
			if value.ShortTag() != "!!str" {
				t.Errorf("%s %s: %s is %s", o.Kind, o.Metadata.Name, key, value.ShortTag())
			}
			if _, err := base64.StdEncoding.DecodeString(value.Value); o.Kind == "Secret" && err != nil {
				t.Errorf("Secret %s: %s: %v", o.Metadata.Name, key, err)
			}
		}
	}
}

// TestReferencesResolve looks for the ConfigMaps and Secrets that workloads name.
func TestReferencesResolve(t *testing.T) {
	objects := smallStream(t)
	sources := map[string]bool{}
	for _, o := range objects {
		if id := o.Kind + "/" + o.Metadata.Namespace + "/" + o.Metadata.Name; o.Data != nil {
			if sources[id] {
				t.Errorf("%s twice", id)
			}
			sources[id] = true
		}
	}
	for _, o := range objects {
		if !isWorkload(o) {
			continue
		}
		found := references(&o.Spec)
		if len(found) < 8 {
			t.Errorf("%s %s names %q, want at least 8", o.Kind, o.Metadata.Name, found)
		}
		for _, ref := range found {
			if kind, name, _ := strings.Cut(ref, "/"); !sources[kind+"/"+o.Metadata.Namespace+"/"+name] {
				t.Errorf("%s %s names %s, which is not there", o.Kind, o.Metadata.Name, ref)
			}
		}
	}
}

// references are the names below a node, as Kind/name.
func references(n *yaml.Node) []string {
	var found []string
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			var source struct{ Name string }
			kind := referenceFields[n.Content[i-1].Value]
			if kind != "" && child.Decode(&source) == nil && source.Name != "" {
				found = append(found, kind+"/"+source.Name)
			}
		}
		found = append(found, references(child)...)
	}
	return found
}

var referenceFields = map[string]string{
	"configMap": "ConfigMap", "configMapRef": "ConfigMap", "configMapKeyRef": "ConfigMap",
	"secret": "Secret", "secretRef": "Secret", "secretKeyRef": "Secret",
}

func smallStream(t *testing.T) []object {
	t.Helper()
	var b bytes.Buffer
	if _, err := writeConfigHeavy(&b, 0.01); err != nil {
		t.Fatal(err)
	}
	return parseAll(t, b.Bytes())
}

func parseAll(t *testing.T, text []byte) []object {
	t.Helper()
	var all []object
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var o object
		if err := d.Decode(&o); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("document %d: %v", len(all), err)
		}
		all = append(all, o)
	}
}

func count(objects []object) census {
	var c census
	for _, o := range objects {
		switch {
		case isWorkload(o):
			c.Workloads++
		case o.Kind == "ConfigMap":
			c.ConfigMaps++
		case o.Kind == "Secret":
			c.Secrets++
		case o.Kind == "CustomResourceDefinition":
			c.CRDs++
		default:
			c.Others++
		}
	}
	return c
}

func isWorkload(o object) bool {
	_, ok := workloads[o.Kind]
	return ok
}
