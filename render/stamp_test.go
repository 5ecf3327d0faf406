package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"sigs.k8s.io/yaml"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
)

// stamp stamps a stream and returns the run and what it writes.
func stamp(t testing.TB, stream string, opts Options) (*Run, string) {
	t.Helper()
	run, err := Stamp([]Source{Stream("in.yaml", strings.NewReader(stream))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return run, written(t, run)
}

func written(t testing.TB, run *Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := run.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// streams are the inputs of all examples and vectors.
func streams(t testing.TB) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, pattern := range []string{"../examples/*/in.yaml", "../testdata/vectors/*/in.yaml", "../testdata/streams/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s matches nothing (%v)", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(data)
		}
	}
	return all
}

func TestStampTwiceIsStampOnce(t *testing.T) {
	for name, stream := range streams(t) {
		_, once := stamp(t, stream, Options{})
		run, twice := stamp(t, once, Options{})
		if once != twice {
			t.Errorf("%s: the second time something changes", name)
		}
		for _, r := range run.Results {
			if r.Action != graph.Keep {
				t.Errorf("%s: %s asks for another stamp", name, r.Workload.ID)
			}
		}
	}
}

// TestOrderChangesNoStamp shuffles the documents of each stream.
func TestOrderChangesNoStamp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, stream := range streams(t) {
		if strings.Contains(stream, "%YAML") {
			continue // a directive may not stand behind a marker
		}
		want := stampsOf(t, stream)
		docs := documents(stream)
		for range 5 {
			random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
			if got := stampsOf(t, strings.Join(docs, "\n---\n")); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: shuffled %v, before %v", name, got, want)
			}
		}
	}
}

func stampsOf(t *testing.T, stream string) map[string]string {
	t.Helper()
	run, _ := stamp(t, stream, Options{})
	stamps := make(map[string]string)
	for _, r := range run.Results {
		stamps[r.Workload.ID.String()+" "+r.Template.Path] = r.Stamp
	}
	return stamps
}

func documents(stream string) (docs []string) {
	in := &manifest.Input{}
	_ = in.Read(strings.NewReader(stream), func(c *manifest.Chunk) { // a strings.Reader never fails
		for doc := range c.Documents() {
			docs = append(docs, strings.TrimPrefix(string(doc.Text), "---"))
		}
	})
	return docs
}

// TestOnlyStampsChange compares the lines, and the decoded values by the
// library that the API server's clients use.
func TestOnlyStampsChange(t *testing.T) {
	for name, stream := range streams(t) {
		_, out := stamp(t, stream, Options{})
		checkSame(t, name, stream, out)
	}
}

// checkSame fails where more than stamps differs between two streams.
func checkSame(t testing.TB, name, before, after string) (stamps int) {
	t.Helper()
	was, is := documents(before), documents(after)
	if len(was) != len(is) {
		t.Errorf("%s: %d documents became %d", name, len(was), len(is))
		return 0
	}
	for i := range was {
		if was[i] == is[i] {
			continue
		}
		var a, b any
		errA, errB := yaml.Unmarshal([]byte(was[i]), &a), yaml.Unmarshal([]byte(is[i]), &b)
		if (errA == nil) != (errB == nil) {
			t.Errorf("%s: document %d: %v before, %v after", name, i, errA, errB)
			continue
		}
		b, n := unstamp(b)
		a, _ = unstamp(a)
		stamps += n
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: document %d differs in more than stamps:\n%s\nbecame\n%s", name, i, was[i], is[i])
		}
	}
	return stamps
}

// unstamp takes stamps out of a decoded document, with the maps around them
// that are empty, and counts them.
func unstamp(v any) (any, int) {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if key == graph.Annotation {
				n++
				delete(v, key)
				continue
			}
			clean, k := unstamp(inner)
			n += k
			v[key] = clean
			if m, ok := clean.(map[string]any); (key == "annotations" || key == "metadata") && (clean == nil || ok && len(m) == 0) {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			clean, k := unstamp(v[i])
			n += k
			v[i] = clean
		}
	}
	return v, n
}

// TestCorpus stamps every file in the folder that RESTAMP_CORPUS names.
func TestCorpus(t *testing.T) {
	root := os.Getenv("RESTAMP_CORPUS")
	if root == "" {
		t.Skip("RESTAMP_CORPUS names no folder")
	}
	sources, err := Files([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	unread, unstamped, templates, set := 0, 0, 0, 0
	codes := make(map[graph.Code]int)
	for _, source := range sources {
		run, err := Stamp([]Source{source}, Options{})
		if err != nil {
			unread++
			t.Logf("%v", err)
			continue
		}
		data, err := os.ReadFile(source.Name)
		if err != nil {
			t.Fatal(err)
		}
		out := written(t, run)
		templates += len(run.Results)
		set += checkSame(t, source.Name, string(data), out)
		again, err := Stamp([]Source{Stream(source.Name, strings.NewReader(out))}, Options{})
		if err != nil || written(t, again) != out {
			t.Errorf("%s: the second time something changes (%v)", source.Name, err)
		}
		for _, f := range run.Findings {
			codes[f.Code]++
		}
		for _, r := range run.Results {
			if r.Stamp == "" && r.Why == "" {
				t.Errorf("%s: %s has no stamp, and nobody says why", source.Name, r.Workload.ID)
			}
			if r.Stamp == "" {
				unstamped++
			}
		}
	}
	t.Logf("%d files, %d unread; %d pod templates, %d stamps, %d without one; findings %v", len(sources), unread, templates, set, unstamped, codes)
}

func TestEmptyInput(t *testing.T) {
	for _, stream := range []string{"", "\n", "---\n---\n", "# only a comment\n", "a: b\n"} {
		if _, err := Stamp([]Source{Stream("x", strings.NewReader(stream))}, Options{}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%q: %v", stream, err)
		}
		if _, out := stamp(t, stream, Options{AllowEmpty: true}); out != stream {
			t.Errorf("%q: %q is written", stream, out)
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	_, err := Stamp([]Source{Stream("stdin", io.MultiReader(strings.NewReader("kind: A\n"), iotest.ErrReader(broken)))}, Options{})
	if !errors.Is(err, broken) || err.Error() != "reading stdin: broken pipe" {
		t.Errorf("a reader that fails: %v", err)
	}
	_, err = Stamp([]Source{Stream("app.yaml", strings.NewReader("a: b\n---\nkind: Deployment\nspec: [\n---\nkind: ConfigMap\n\tx: y\n"))}, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "reading app.yaml:") || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two documents that are no YAML: %v", err)
	}
}

// TestUnsplicedDocumentsPass: what cannot be spliced is told, and stays.
func TestUnsplicedDocumentsPass(t *testing.T) {
	stream := "kind: ConfigMap\napiVersion: v1\nmetadata: {name: cm}\ndata: {a: b}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    metadata:\n      annotations: text\n    spec: {containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}\n"
	run, out := stamp(t, stream, Options{})
	if out != stream {
		t.Errorf("%q is written", out)
	}
	found := false
	for _, f := range run.Findings {
		found = found || f.Code == graph.CannotStamp && f.Severity == graph.Error && f.Place.Line() == 12
	}
	if !found {
		t.Errorf("findings: %+v", run.Findings)
	}
}

// TestManyOfOneKind wants time that grows with the input: each of these was
// quadratic in some draft.
func TestManyOfOneKind(t *testing.T) {
	const n = 20_000
	var oneName, identity, items, notes strings.Builder
	items.WriteString(`{"kind": "List", "items": [`)
	for i := range n {
		fmt.Fprintf(&oneName, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: n%d}\ndata: {k: v%d}\n", i, i)
		fmt.Fprintf(&oneName, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d%d}\nspec: {template: {spec: {containers: [{envFrom: [{configMapRef: {name: cm}}]}]}}}\n", i)
		fmt.Fprintf(&identity, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {k: v%d}\n", i)
		fmt.Fprintf(&items, `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d%d"}, "spec": {"template": {"spec": {"containers": [{"envFrom": [{"configMapRef": {"name": "none"}}]}]}}}}, `, i)
		fmt.Fprintf(&notes, `{name: A%d, valueFrom: {configMapKeyRef: {name: cm, key: k%d}}}, `, i, i)
	}
	items.WriteString("{}]}")
	keys := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata:\n"
	for i := range n {
		keys += fmt.Sprintf("  k%d: v\n", i)
	}
	keys += "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {template: {spec: {containers: [{name: c, env: [" + notes.String() + "]}]}}}\n"
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	deployment := func(template string) string {
		return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n    " + strings.ReplaceAll(template, "\n", "\n    ") + "\n"
	}
	source := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata:\n" + many("  k%d: v\n")
	for name, stream := range map[string]string{
		"one name": oneName.String(), "one identity": identity.String(), "items and findings": items.String(), "keys": keys,
		"one source many times": source + deployment("spec: {containers: [{name: c, envFrom: ["+strings.Repeat("{configMapRef: {name: cm}}, ", n)+"]}]}"),
		"entries of a producer": "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: s}\nspec:\n  target: {template: {data: {x: y}}}\n  data: [" + many("{secretKey: k%d}, ") + "]\n" +
			deployment("spec: {containers: [{name: c, env: ["+many("{name: A, valueFrom: {secretKeyRef: {name: s, key: k%d}}}, ")+"]}]}"),
		"volumes":      source + deployment("spec: {containers: [{name: c, volumeMounts: ["+many("{name: v%[1]d, mountPath: /v, subPath: k%[1]d}, ")+"]}], volumes: ["+many("{name: v%d, configMap: {name: cm}}, ")+"]}"),
		"unmounted":    source + deployment("spec: {volumes: ["+many("{name: v%d, configMap: {name: none}}, ")+"]}"),
		"missing":      source + deployment("spec: {containers: [{name: c, envFrom: ["+many("{configMapRef: {name: none%d}}, ")+"]}]}"),
		"annotations":  source + deployment("metadata:\n  annotations:\n"+many("    a%d: x\n")+"spec: {containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}"),
		"JSON objects": many(`{"kind": "A", "n": %d} `),
		"a list twice": deployment("spec:\n" + many("  containers: [{name: c%d}]\n")),
	} {
		t.Run(name, func(t *testing.T) {
			run, _ := stamp(t, stream, Options{})
			for _, f := range run.Findings {
				f.Place.Line()
			}
		})
	}
}

// FuzzStamp: whatever the stream, it is an error, or only stamps change; and the
// second time nothing does.
func FuzzStamp(f *testing.F) {
	for _, stream := range streams(f) {
		f.Add(stream)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		if len(stream) > 1<<13 {
			return
		}
		run, err := Stamp([]Source{Stream("fuzz", strings.NewReader(stream))}, Options{AllowEmpty: true})
		if err != nil {
			return
		}
		out := written(t, run)
		checkSame(t, "fuzz", stream, out)
		again, err := Stamp([]Source{Stream("fuzz", strings.NewReader(out))}, Options{AllowEmpty: true})
		if err != nil || written(t, again) != out {
			t.Errorf("%q\nbecomes %q\nthen fails or changes (%v)", stream, out, err)
		}
	})
}
