package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestExamples runs every example: in.yaml gives out.yaml.
func TestExamples(t *testing.T) {
	inputs, err := filepath.Glob("../examples/*/in.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no examples found (%v)", err)
	}
	readme := golden(t, "..", "README.md")
	for _, in := range inputs {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			run, err := Stamp([]Source{file(in)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := run.Write(&out); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, filepath.Join(dir, "out.yaml"), out.Bytes())
			if !strings.Contains(readme, "(examples/"+filepath.Base(dir)+"/") {
				t.Errorf("README.md does not link %s", dir)
			}
		})
	}
}

func checkGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if os.Getenv("CI") == "true" {
			t.Fatal("golden files are not to be written by CI")
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s mismatch (-want +got):\n%s", path, diff)
	}
}
