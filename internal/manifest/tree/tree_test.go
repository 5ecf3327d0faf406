package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func parse(t *testing.T, text string) Node {
	t.Helper()
	tree, err := new(Parser).Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree.Root()
}

// TestResolveAgreesWithTheAPIServersReader holds the types of plain scalars to
// sigs.k8s.io/yaml, by which kubectl, Helm and Argo CD read manifests.
func TestResolveAgreesWithTheAPIServersReader(t *testing.T) {
	words := strings.Fields(`a yes Yes YES yEs no on off y n Y N true True TRUE tRUE false null Null ~ nil
		0 1 -1 +1 012 0o12 08 09 0x1f 0X1F 0b101 -0b101 1_000 1__0 _1 1. .5 -.5 +.5 . .. ... .x 1e3 1E3 1e+3 1e-3 1e 1.2.3
		12:30 12:30:45 1:20 2001-01-01 2001-1-1 2001-01-01T10:00:00Z 2001-13-99 0001-01-01 .inf -.Inf +.INF .nan .NaN nan inf
		9223372036854775807 9223372036854775808 18446744073709551615 -9223372036854775808 0.1 1e400 -0 0x 0b 0b2 --1 +-1 1- 1a
		= === 1.0 100000000000000000 v1.2 1,000 0777 1e3e3 ４`)
	for _, word := range words {
		data, err := yaml.YAMLToJSON([]byte("a: " + word))
		if err != nil {
			if lower := strings.ToLower(word); !strings.HasSuffix(lower, ".inf") && lower != ".nan" { // JSON cannot say these
				t.Errorf("%s: %v", word, err)
			}
			continue
		}
		node := parse(t, "a: "+word).Field("a")
		got, ok := node.AppendJSON(nil)
		if node.Type() == String {
			got, ok = fmt.Appendf(nil, "%q", node.Text()), true
		}
		if want := strings.TrimSuffix(strings.TrimPrefix(string(data), `{"a":`), "}"); !ok || string(got) != want {
			t.Errorf("%s: got %s, the API server's reader %s", word, got, want)
		}
	}
}

func TestAppendJSONKeepsDigits(t *testing.T) {
	for in, want := range map[string]string{
		"123456789012345678901234567890": "123456789012345678901234567890",
		"-98765432109876543210":          "-98765432109876543210",
		"1.5e300":                        "1.5e+300",
		"1e-7":                           "1e-7",
		"0.000001":                       "0.000001",
		"123456789.0":                    "123456789",
		"1e21":                           "1e+21",
		"-0.0":                           "0",
	} {
		if got, ok := parse(t, "a: "+in).Field("a").AppendJSON(nil); !ok || string(got) != want {
			t.Errorf("%s: got %s (%v), want %s", in, got, ok, want)
		}
	}
	if got, ok := parse(t, "a: .inf").Field("a").AppendJSON(nil); ok {
		t.Errorf("infinity: got %s", got)
	}
}

func TestAliasesAndMergeKeysAreResolved(t *testing.T) {
	root := parse(t, `
base: &base {a: 1, b: 2}
more: &more {b: 3, c: 4}
one: *base
two:
  <<: [*base, *more]
  a: own
three:
- *base
`)
	if root.Path("one", "b").Text() != "2" || !root.Field("one").Alias() || !root.Path("one", "b").Shared() {
		t.Error("an alias is not what its anchor is")
	}
	two := root.Field("two")
	var got []string
	for k, v := range two.Fields() {
		got = append(got, k.Text()+"="+v.Text())
	}
	if diff := cmp.Diff([]string{"a=own", "b=2", "c=4"}, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	if two.Field("a").Merged() || !two.Field("c").Merged() {
		t.Error("merged entries are not told from own ones")
	}
}

func TestBytesLeavesTheDocumentAlone(t *testing.T) {
	text := []byte("a: plain\nb: \"esc\\taped, and longer than the plain one\"\nc: other\n")
	before := bytes.Clone(text)
	tree, err := new(Parser).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	for range 3 {
		for _, v := range tree.Root().Fields() {
			v.Bytes(&buf)
		}
	}
	if !bytes.Equal(text, before) {
		t.Errorf("the document is now %q", text)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unclosed", "a: b\nc: [d\ne: f\n", "line 2: did not find expected ',' or ']'"},
		{"NUL", "a: b\nc: \x00\n", "line 2: a NUL byte"},
		{"UTF-16", "\xFF\xFEa\x00", "line 1: UTF-16"},
		{"invalid UTF-8", "a: b\nc: \xFF\n", "line 2: bytes that are not UTF-8"},
		{"lone CR", "a: b\rc: d\n", "line 1: a carriage return"},
		{"bell", "a: b\nc: \x07\n", "line 2: control characters"},
		{"tab for indentation", "a:\n\tb: c\n", "line 2"},
		{"self-reference", "a: &a\n  b: *a\n", "an alias inside its own anchor"},
		{"merge into itself", "a: &a\n  <<: *a\n", "inside its own anchor"},
		{"merge of a text", "a: &a x\nb:\n  <<: *a\n", "a merge key without a map"},
		{"too deep", strings.Repeat("[", 20000), "line"},
		{"template", "{{- if .Values.x }}\na: b\n{{- end }}\n", "line"},
		{"JSON and more", "{\"a\": 1} x\n", "line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := new(Parser).Parse([]byte(c.in))
			var e *SyntaxError
			if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestErrorsQuoteNothing: an anchor's or a tag's name may be part of a Secret.
func TestErrorsQuoteNothing(t *testing.T) {
	for _, in := range []string{"a: *hunter2\n", "a: !hunter2!x y\n", "a: \"\\hunter2\"\n", "a: `hunter2\n", "a: @hunter2\n", "%hunter2\na: b\n", "a: b: hunter2\n", "hunter2\na: b\n", "a: &hunter2", "a: !<hunter2\n"} {
		if _, err := new(Parser).Parse([]byte(in)); err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// TestHostileInput wants an answer of any kind, soon.
func TestHostileInput(t *testing.T) {
	bomb := "a0: &a0 x\n"
	merges := "m0: &m0 {k: v}\n"
	for i := range 30 {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i)
		merges += fmt.Sprintf("m%d: &m%d {<<: [*m%d, *m%d, *m%d]}\n", i+1, i+1, i, i, i)
	}
	anchors := strings.Builder{}
	keys := strings.Builder{}
	for i := range 100_000 {
		fmt.Fprintf(&anchors, "k%d: &a%d v\n", i, i)
		fmt.Fprintf(&keys, "key-%d: value\n", i)
	}
	for name, in := range map[string]string{
		"alias bomb":   bomb,
		"merge bomb":   merges,
		"anchors":      anchors.String(),
		"keys":         keys.String(),
		"deep flow":    strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"deeper flow":  strings.Repeat("{a: ", 100_000),
		"deep JSON":    strings.Repeat(`{"a":`, 100_000),
		"deep block":   deepBlock(3000),
		"dashes":       strings.Repeat("- ", 100_000),
		"long line":    `{"a": [` + strings.Repeat(`"x", `, 2_000_000) + `"x"]}`,
		"long key":     strings.Repeat("k", 5_000_000) + ": v\n",
		"open quote":   "a: \"" + strings.Repeat("x ", 1_000_000),
		"many colons":  strings.Repeat("a:", 1_000_000) + "\n",
		"many hashes":  "a: b" + strings.Repeat(" #", 1_000_000) + "\n",
		"blank lines":  "a: |\n" + strings.Repeat("\n", 1_000_000),
		"open flow":    "a: [" + strings.Repeat("\n", 1_000_000),
		"long literal": "a: |\n" + strings.Repeat("  text\n", 1_000_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			new(Parser).Parse([]byte(in))
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v for %d bytes", took, len(in))
			}
		})
	}
}

func deepBlock(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
