package graph

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

var update = flag.Bool("update", false, "write what the tests of kinds found")

// kindSources are ConfigMaps c1 to c7 and Secrets s1 to s7, and of each one that
// no manifest may use.
func kindSources() string {
	var b strings.Builder
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", ""} {
		c, s := "c"+n, "s"+n
		if n == "" {
			c, s = "other", "other"
		}
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: c, b: c}\n", c)
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Secret\nmetadata: {name: %s}\nstringData: {a: s, b: s}\n", s)
	}
	return b.String() + "---\n"
}

// TestKinds has a manifest for each row of the table of workloads. Behind it
// stands, for each pod template, its class, where a stamp lands, and what counts.
func TestKinds(t *testing.T) {
	files, err := filepath.Glob("testdata/kinds/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	covered := make(map[*kinds.Workload]bool)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i++ {
			c := &archive.Files[i]
			t.Run(c.Name, func(t *testing.T) { testKind(t, archive, i, covered) })
			i++ // over what is wanted
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range kinds.Workloads {
		if !slices.ContainsFunc(kinds.Default.WorkloadOf(w.Group, w.Kind), func(row *kinds.Workload) bool {
			return covered[row] && slices.Equal(row.Template, w.Template) && slices.Equal(row.Annotations, w.Annotations)
		}) {
			t.Errorf("no manifest has a pod template of %s.%s at %s", w.Kind, w.Group, w.Template)
		}
	}
}

const wanted = " gives"

func testKind(t *testing.T, archive *txtar.Archive, i int, covered map[*kinds.Workload]bool) {
	c := archive.Files[i]
	got := kindLines(t, string(c.Data), covered)
	if strings.HasPrefix(c.Name, "no workload") != (got == "") {
		t.Errorf("it gives %q", got)
	}
	if i+1 == len(archive.Files) || archive.Files[i+1].Name != c.Name+wanted {
		if !*update {
			t.Fatalf("%q does not stand behind it; -update writes it", c.Name+wanted)
		}
		archive.Files = slices.Insert(archive.Files, i+1, txtar.File{Name: c.Name + wanted})
	}
	want := &archive.Files[i+1]
	if *update {
		want.Data = []byte(got)
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

// kindLines says of each pod template of a manifest what TestKinds looks at.
func kindLines(t *testing.T, text string, covered map[*kinds.Workload]bool) string {
	t.Helper()
	g, results := build(t, kindSources()+text, Options{})
	// opted in, where that changes something
	opted := strings.Replace(text, "metadata: {", "metadata: {annotations: {"+enabledAnnotation+`: "true"}, `, 1)
	if strings.Contains(text, "  annotations: {capabilities") {
		opted = text
	}
	in, ins := build(t, kindSources()+opted, Options{})
	if len(ins) != len(results) {
		t.Fatalf("%d pod templates, %d when opted in", len(results), len(ins))
	}
	for i, f := range in.Findings(ins) {
		if f.Code == CannotStamp || f.Code == MissingReference {
			t.Errorf("finding %d: %s %s", i, f.Field, f.Message)
		}
	}
	var b strings.Builder
	for i, r := range results {
		covered[r.Template.row] = true
		class := r.Template.class
		byDefault := class == kinds.Rolls || class == kinds.Elsewhere
		if (r.Action == Set) != byDefault || (ins[i].Action == Set) != (class != kinds.Immutable) {
			t.Errorf("class %s: action %d, opted in %d", class, r.Action, ins[i].Action)
		}
		where := "nowhere below " + r.Template.Path
		if class != kinds.Immutable {
			where = landing(t, &ins[i])
		}
		fmt.Fprintf(&b, "%s, %s:\n ", class, where)
		for _, l := range g.NewResolver().Explain(r.Workload)[indexOf(r)].Lines {
			fmt.Fprintf(&b, " %s", l.Label())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func indexOf(r Result) int { return slices.Index(r.Workload.Templates, r.Template) }

// landing is the path of the annotation that a result's edit makes.
func landing(t *testing.T, r *Result) string {
	t.Helper()
	edit, ok := r.Edit()
	if !ok {
		t.Fatalf("%s: no edit", r.Template.Path)
	}
	doc := r.Template.Place.Doc
	splices, err := new(manifest.Editor).Splices(doc, []manifest.Edit{edit})
	if err != nil {
		t.Fatalf("%s: %v", r.Template.Path, err)
	}
	var p tree.Parser
	changed, err := p.Parse(manifest.Join(nil, doc.Text, splices))
	if err != nil {
		t.Fatal(err)
	}
	return find(changed.Root(), "", r.Stamp)
}

// find is the path of a value.
func find(n tree.Node, path, value string) string {
	if n.Kind() == tree.Scalar && n.Text() == value {
		return path
	}
	for k, v := range n.Fields() {
		name := k.Text()
		if strings.Contains(name, "/") {
			name = "[" + name + "]"
		}
		if at := find(v, join(path, name), value); at != "" {
			return at
		}
	}
	i := 0
	for item := range n.Items() {
		if at := find(item, fmt.Sprintf("%s[%d]", path, i), value); at != "" {
			return at
		}
		i++
	}
	return ""
}
