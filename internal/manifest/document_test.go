package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/manifest/tree"
)

var splitCases = []struct {
	name string
	docs []string // which together are the stream
}{
	{"one", []string{"a: b\n"}},
	{"two", []string{"a: b\n", "---\nc: d\n"}},
	{"marker first", []string{"---\na: b\n", "---\nc: d\n"}},
	{"content on the marker's line", []string{"a: b\n", "--- {c: d}\n", "---\te: f\n"}},
	{"comment on the marker's line", []string{"a: b\n", "--- # Source: x.yaml\nc: d\n"}},
	{"comments and nothing", []string{"# a\n\n", "---\n", "---\n# b\n", "---"}},
	{"no final newline", []string{"a: b\n", "---\nc: d"}},
	{"CRLF", []string{"a: b\r\n", "---\r\nc: d\r\n", "...\r\n"[:0] + "---\r\ne: f\r\n"}},
	{"dashes in text", []string{"a: |\n  ---\n  b\n  --- c\nd: \"---\"\n---x: y\n----\n", "---\n- -\n-- -\n"}},
	{"end marks", []string{"a: b\n...\n", "c: d\n... # end\n", "# only\n...\n", "---\ne: f\n"}},
	{"end mark first", []string{"...\n", "a: b\n"}},
	{"directives", []string{"%YAML 1.2\n# c\n\n%TAG ! x\n---\na: b\n...\n", "%YAML 1.1\n---\nc: d\n", "---\n%e: f\n"}},
	{"BOM in between", []string{"\xEF\xBB\xBFa: b\n", "---\n", "\xEF\xBB\xBFc: d\n", "\xEF\xBB\xBF---\ne: \xEF\xBB\xBF\n"}},
	{"JSON", []string{"{\"a\": \"}{\"}\n"}},
	{"JSON after JSON", []string{"{\"a\": {\"b\": [1]}}\n", "{\"c\": \"\\\"\"} \n ", "{}\n"}},
	{"JSON on one line", []string{"{\"a\":1}", "{\"b\":2}"}},
	{"JSON with markers", []string{"\n {\"a\":1}\n", "---\n{\"b\":2}\n", "{\"c\":3}\n", "--- {\"d\":4}\n{}\n"}},
	{"brackets with text", []string{"{a: '}}{'}\n", "---\n{a: b # }}{\n}\n"}},
	{"braces that are no JSON", []string{"{{ if x }}\na: b\n{{ end }}\n"}},
}

func TestDocuments(t *testing.T) {
	for _, c := range splitCases {
		t.Run(c.name, func(t *testing.T) {
			in := &Input{Chunks: []*Chunk{{Text: []byte(strings.Join(c.docs, ""))}}}
			in.Chunks[0].Input = in
			var got []string
			lines := 1
			for doc := range in.Chunks[0].Documents() {
				got = append(got, string(doc.Text))
				if doc.Line(0) != lines {
					t.Errorf("document %d is in line %d, want %d", len(got), doc.Line(0), lines)
				}
				lines += bytes.Count(doc.Text, newline)
			}
			if diff := cmp.Diff(c.docs, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReadCutsBetweenDocuments reads a stream of many sizes of documents: the
// chunks together are the stream, and no document is cut.
func TestReadCutsBetweenDocuments(t *testing.T) {
	var stream bytes.Buffer
	want := 0
	for i := range 4000 {
		fmt.Fprintf(&stream, "---\n# %d\n%%x: y\na: |\n%s", i, strings.Repeat("  --- text\n", i%997))
		if i%7 == 0 {
			stream.WriteString("...\n%YAML 1.2\n---\nb: c\n")
			want++
		}
		want++
	}
	in := &Input{Name: "test"}
	var got bytes.Buffer
	docs := 0
	err := in.Read(iotest.OneByteReader(bytes.NewReader(stream.Bytes())), func(c *Chunk) {
		for doc := range c.Documents() {
			got.Write(doc.Text)
			docs++
		}
	})
	if err != nil || !bytes.Equal(got.Bytes(), stream.Bytes()) {
		t.Errorf("the documents are not the stream (%v)", err)
	}
	if len(in.Chunks) < 5 || docs != want {
		t.Errorf("%d chunks with %d documents, want %d documents in 5 or more", len(in.Chunks), docs, want)
	}
}

func TestReadTellsAnError(t *testing.T) {
	broken := errors.New("broken")
	in := &Input{Name: "test"}
	err := in.Read(io.MultiReader(strings.NewReader("a: b\n"), iotest.ErrReader(broken)), func(*Chunk) {})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestSkim(t *testing.T) {
	for _, c := range []struct {
		name, in, apiVersion, kind string
		sure                       bool
	}{
		{"plain", "apiVersion: v1\nkind: Service\nmetadata:\n  name: x\n", "v1", "Service", true},
		{"marker and comments", "# c\n--- # d\nkind: Service # e\napiVersion: 'v1'\nitems:\n- kind: x\n", "v1", "Service", true},
		{"CRLF", "apiVersion: a/v1\r\nkind: \"Service\"\r\n", "a/v1", "Service", true},
		{"nothing", "# only\n\n---\n", "", "", true},
		{"no kind", "a: b\n", "", "", true},
		{"wanted", "kind: Wanted\napiVersion: v1\n", "", "Wanted", false},
		{"two kinds", "kind: A\nkind: B\n", "", "A", false},
		{"kind inside quotes", "note: \"x\nkind: A\n\"\nkind: B\n", "", "A", false},
		{"quoted key", "\"kind\": A\n", "", "", false},
		{"JSON", "{\"kind\": \"A\"}\n", "", "", false},
		{"indented root", "  kind: A\n", "", "", false},
		{"anchor", "kind: &k A\n", "", "", false},
		{"complex key", "? kind\n: A\n", "", "", false},
		{"content on the marker's line", "--- kind: A\n", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, sure := document(c.in).Skim(func(kind []byte) bool { return string(kind) == "Wanted" })
			if sure != c.sure || sure && (string(h.Kind) != c.kind || string(h.APIVersion) != c.apiVersion) {
				t.Errorf("got %s, %s, sure %v", h.APIVersion, h.Kind, sure)
			}
		})
	}
}

func TestObjects(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"one", "apiVersion: v1\nkind: A\n", []string{"v1 A"}},
		{"List", "kind: List\nitems:\n- {kind: A, apiVersion: v1}\n- {kind: B, apiVersion: b/v1}\n", []string{"v1 A", "b/v1 B"}},
		{"ResourceList", "kind: ResourceList\nitems: [{kind: A, apiVersion: v1}]\nfunctionConfig: {kind: F}\n", []string{"v1 A"}},
		{"typed list", "apiVersion: a/v1\nkind: AList\nitems: [{metadata: {}}, {kind: B, apiVersion: v1}]\n", []string{"a/v1 A", "v1 B"}},
		{"list in a list", "kind: List\nitems: [{kind: List, items: [{kind: A}]}]\n", []string{" A"}},
		{"a kind that ends so", "apiVersion: v1\nkind: AllowList\nspec: {}\n", []string{"v1 AllowList"}},
		{"no map", "- a\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := new(tree.Parser).Parse([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for o := range Objects(root.Root()) {
				got = append(got, o.APIVersion+" "+o.Kind)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzDocuments: whatever the text, the documents are the text, each at least
// a byte long, and a chunk cut anywhere that Read may cut gives the same ones.
func FuzzDocuments(f *testing.F) {
	for _, c := range splitCases {
		f.Add([]byte(strings.Join(c.docs, "")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := split(text)
		if got := bytes.Join(whole, nil); !bytes.Equal(got, text) {
			t.Fatalf("the documents are %q, not %q", got, text)
		}
		cut := lastCut(text, 0)
		if cut == 0 {
			return
		}
		if parts := append(split(text[:cut]), split(text[cut:])...); !cmp.Equal(whole, parts) {
			t.Errorf("cut at %d: %q, whole: %q", cut, parts, whole)
		}
	})
}

func split(text []byte) (docs [][]byte) {
	c := &Chunk{Text: text}
	for doc := range c.Documents() {
		docs = append(docs, doc.Text)
	}
	return docs
}
