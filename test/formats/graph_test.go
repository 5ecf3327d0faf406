package formats

import (
	"bytes"
	"encoding/json"
	"os"
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
