package formats

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/restamp/restamp/internal/cli"
)

// strict is a schema that takes no field which it does not describe.
func strict(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	closeObjects(v)
	if text, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	return compile(t, text)
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, child := range v {
			closeObjects(child)
		}
	case []any:
		for _, child := range v {
			closeObjects(child)
		}
	}
}

// streams are the inputs of the drawings' own tests.
var streams = []string{"../../internal/draw/testdata/shop.yaml", "../../internal/draw/testdata/odd.yaml"}

func TestGraphJSON(t *testing.T) {
	schema := strict(t, "../../docs/schemas/graph.v1alpha1.json")
	for _, stream := range streams {
		for _, args := range [][]string{{}, {"--missing"}, {"--unused"}} {
			var out, stderr bytes.Buffer
			if code := cli.Run(append([]string{"graph", "-o", "json", stream}, args...), nil, &out, &stderr); code != 0 {
				t.Fatalf("%s %v: %d %s", stream, args, code, stderr.String())
			}
			validate(t, schema, stream, out.Bytes())
		}
	}
}

// TestExplainJSON: what explain -o json writes is as its schema says, and has no
// hash of a Secret's value.
func TestExplainJSON(t *testing.T) {
	schema := strict(t, "../../docs/schemas/explanation.v1alpha1.json")
	stream := filepath.Join(t.TempDir(), "in.yaml")
	text := `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter2}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, annotations: {restamp.dev/enabled: "false", restamp.dev/depends-on: ConfigMap/x, reloader.stakater.com/auto: "true"}}
spec:
  template:
    metadata: {annotations: {restamp.dev/enabled: "true", restamp.dev/config-hash: "h1:0"}, labels: {helm.sh/chart: d-1}}
    spec:
      containers: [{name: c, envFrom: [{secretRef: {name: s, optional: true}}], env: [{name: K, valueFrom: {secretKeyRef: {name: s, key: none}}}]}]
`
	if err := os.WriteFile(stream, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"Deployment/api", streams[0]}, {"worker", streams[0]}, {"cache", streams[0]}, {"migrate", streams[0]}, {"d", stream}} {
		var out, stderr bytes.Buffer
		if code := cli.Run(append([]string{"explain", "-o", "json"}, args...), nil, &out, &stderr); code != 0 {
			t.Fatalf("%v: %d %s", args, code, stderr.String())
		}
		validate(t, schema, args[0], out.Bytes())
		if sum := sha256.Sum256([]byte("hunter2")); strings.Contains(out.String(), hex.EncodeToString(sum[:])) {
			t.Error("the hash of a Secret's value is shown")
		}
	}
}
