package render

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restamp/restamp/graph"
)

// TestVectors holds h1 to the golden vectors: no release may change a hash.
func TestVectors(t *testing.T) {
	dirs, err := filepath.Glob("../testdata/vectors/*/in.yaml")
	if err != nil || len(dirs) < 12 {
		t.Fatalf("found %d vectors, want 12 or more (%v)", len(dirs), err)
	}
	for _, in := range dirs {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) { testVector(t, dir) })
	}
}

func testVector(t *testing.T, dir string) {
	opts := Options{}
	if key, err := os.ReadFile(filepath.Join(dir, "key.txt")); err == nil {
		opts.Graph.SecretKey = bytes.TrimSuffix(key, []byte("\n"))
	}
	run, err := Stamp([]Source{file(filepath.Join(dir, "in.yaml"))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	var stamped []graph.Result
	for _, r := range run.Results {
		if r.Action == graph.Set {
			stamped = append(stamped, r)
		}
	}
	if len(stamped) != 1 {
		t.Fatalf("%d stamps, want 1", len(stamped))
	}
	var lines strings.Builder
	for _, detail := range run.Explain(stamped[0].Workload) {
		if detail.Template != stamped[0].Template {
			continue
		}
		for _, l := range detail.Lines {
			lines.WriteString(hex.EncodeToString(l.Sum[:]) + "  " + l.Label() + "\n")
		}
	}
	if diff := cmp.Diff(golden(t, dir, "lines.txt"), lines.String()); diff != "" {
		t.Errorf("lines mismatch (-want +got):\n%s", diff)
	}
	if want := strings.TrimSpace(golden(t, dir, "stamp.txt")); stamped[0].Stamp != want {
		t.Errorf("stamp %s, want %s", stamped[0].Stamp, want)
	}
	var out bytes.Buffer
	if err := run.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `restamp.dev/config-hash: "`+stamped[0].Stamp+`"`) {
		t.Errorf("the output holds no stamp:\n%s", out.String())
	}
}

func golden(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
