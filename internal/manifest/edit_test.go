package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// Each case sets the annotation k of the maps named t, or of the one map t, to
// the value "v" (or takes it away), as a stamp is set in a pod template.
var editCases = []struct {
	name, in, want string
	why            string
}{
	// What is there already decides where the entry goes.
	{name: "no metadata", in: "t:\n  spec: {}\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n  spec: {}\n"},
	{name: "metadata behind", in: "t:\n  spec: {}\n  metadata:\n    labels: {}\n", want: "t:\n  spec: {}\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "metadata null", in: "t:\n  metadata:\n  spec: {}\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n  spec: {}\n"},
	{name: "metadata {}", in: "t:\n  metadata: {}\n  spec: {}\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n  spec: {}\n"},
	{name: "no annotations", in: "t:\n  metadata:\n    labels:\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels:\n      a: b\n"},
	{name: "annotations null", in: "t:\n  metadata:\n    annotations:\n    labels:\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels:\n      a: b\n"},
	{name: "annotations null in words", in: "t:\n  metadata:\n    annotations: null # none\n    labels: {}\n", want: "t:\n  metadata:\n    annotations: # none\n      k: \"v\"\n    labels: {}\n"},
	{name: "annotations ~", in: "t:\n  metadata:\n    annotations: ~\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n"},
	{name: "annotations {}", in: "t:\n  metadata:\n    annotations: {}\n    labels: {}\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "annotations {} and comment", in: "t:\n  metadata:\n    annotations: {}   # none yet\n", want: "t:\n  metadata:\n    annotations:   # none yet\n      k: \"v\"\n"},
	{name: "annotations {} on its own line", in: "t:\n  metadata:\n    annotations:\n      {}\n    labels: {}\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "annotations {} over two lines", in: "t:\n  metadata:\n    annotations: {\n      }\n", want: "t:\n  metadata:\n    annotations: {\"k\": \"v\"\n      }\n"},
	{name: "annotations in brackets", in: "t:\n  metadata:\n    annotations: {a: b}\n", want: "t:\n  metadata:\n    annotations: {\"k\": \"v\", a: b}\n"},
	{name: "annotations with others", in: "t:\n  metadata:\n    annotations:\n      a: b\n      c: d\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n      a: b\n      c: d\n"},
	{name: "quoted keys", in: "\"t\":\n  'metadata':\n    \"annotations\":\n      a: b\n", want: "\"t\":\n  'metadata':\n    \"annotations\":\n      k: \"v\"\n      a: b\n"},

	// Layout is kept, and comments stay where they are.
	{name: "eight spaces", in: "t:\n        metadata:\n                annotations:\n                        a: b\n", want: "t:\n        metadata:\n                annotations:\n                        k: \"v\"\n                        a: b\n"},
	{name: "one space", in: "t:\n metadata:\n  annotations:\n   a: b\n", want: "t:\n metadata:\n  annotations:\n   k: \"v\"\n   a: b\n"},
	{name: "indented root", in: "  t:\n    metadata:\n      labels: {}\n", want: "  t:\n    metadata:\n      annotations:\n        k: \"v\"\n      labels: {}\n"},
	{name: "comments around", in: "t: # the template\n  # head\n\n  metadata: # meta\n    # before\n    annotations: # notes\n      # first\n      a: b # last\n    # behind\n# less\n  spec: {}\n", want: "t: # the template\n  # head\n\n  metadata: # meta\n    # before\n    annotations: # notes\n      k: \"v\"\n      # first\n      a: b # last\n    # behind\n# less\n  spec: {}\n"},
	{name: "kept text last", in: "t:\n  metadata:\n    annotations:\n      a: |+\n        text\n\n\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n      a: |+\n        text\n\n\n", why: "at the block's end the blank lines would be part of the text"},
	{name: "no final newline", in: "t:\n  metadata:\n    annotations:", want: "t:\n  metadata:\n    annotations:\n      k: \"v\""},
	{name: "no final newline, {}", in: "t:\n  metadata: {}", want: "t:\n  metadata:\n    annotations:\n      k: \"v\""},
	{name: "CRLF", in: "t:\r\n  metadata:\r\n    annotations:\r\n      a: b\r\n", want: "t:\r\n  metadata:\r\n    annotations:\r\n      k: \"v\"\r\n      a: b\r\n"},
	{name: "CRLF, null", in: "t:\r\n  metadata:\r\n  spec: {}\r\n", want: "t:\r\n  metadata:\r\n    annotations:\r\n      k: \"v\"\r\n  spec: {}\r\n"},
	{name: "mixed line ends", in: "t:\r\n  metadata:\n    labels: {}\r\n", want: "t:\r\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\r\n"},
	{name: "BOM", in: "\xEF\xBB\xBFt:\n  metadata:\n    labels: {}\n", want: "\xEF\xBB\xBFt:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "directive and marker", in: "%YAML 1.2\n---\nt:\n  metadata: {}\n...\n", want: "%YAML 1.2\n---\nt:\n  metadata:\n    annotations:\n      k: \"v\"\n...\n"},
	{name: "text that looks alike", in: "t:\n  note: |\n    metadata:\n      annotations: {}\n  metadata:\n    annotations:\n      a: b\n", want: "t:\n  note: |\n    metadata:\n      annotations: {}\n  metadata:\n    annotations:\n      k: \"v\"\n      a: b\n"},
	{name: "item of a list", in: "items:\n- t:\n    metadata:\n      labels: {}\n- t:\n    spec: {}\n", want: "items:\n- t:\n    metadata:\n      annotations:\n        k: \"v\"\n      labels: {}\n- t:\n    metadata:\n      annotations:\n        k: \"v\"\n    spec: {}\n"},
	{name: "wide dashes", in: "items:\n  -   t:\n        metadata:\n          labels: {}\n", want: "items:\n  -   t:\n        metadata:\n          annotations:\n            k: \"v\"\n          labels: {}\n"},

	// JSON, and YAML in brackets.
	{name: "JSON on one line", in: `{"t":{"spec":{}}}`, want: `{"t":{"metadata": {"annotations": {"k": "v"}}, "spec":{}}}`},
	{name: "JSON with layout", in: "{\n  \"t\": {\n    \"metadata\": {\n      \"labels\": {}\n    }\n  }\n}\n", want: "{\n  \"t\": {\n    \"metadata\": {\n      \"annotations\": {\"k\": \"v\"},\n      \"labels\": {}\n    }\n  }\n}\n"},
	{name: "JSON, annotations empty", in: `{"t": {"metadata": {"annotations": {}}}}`, want: `{"t": {"metadata": {"annotations": {"k": "v"}}}}`},
	{name: "JSON, metadata null", in: `{"t": {"metadata": null, "spec": 1}}`, want: `{"t": {"metadata": {"annotations": {"k": "v"}}, "spec": 1}}`},
	{name: "JSON with tabs", in: "{\n\t\"t\": {\n\t\t\"spec\": {}\n\t}\n}", want: "{\n\t\"t\": {\n\t\t\"metadata\": {\"annotations\": {\"k\": \"v\"}},\n\t\t\"spec\": {}\n\t}\n}"},
	{name: "brackets in a block", in: "t: {metadata: {labels: {a: b}}, spec: {}}\n", want: "t: {metadata: {\"annotations\": {\"k\": \"v\"}, labels: {a: b}}, spec: {}}\n"},
	{name: "nothing in brackets", in: "t: {metadata: {annotations: , labels: {}}}\n", want: "t: {metadata: {annotations: {\"k\": \"v\"}, labels: {}}}\n"},

	// A value that is there is replaced, whole.
	{name: "same value", in: "t:\n  metadata:\n    annotations:\n      k: 'old'\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n"},
	{name: "plain value", in: "t:\n  metadata:\n    annotations:\n      k: old # note\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\" # note\n      a: b\n"},
	{name: "value over lines", in: "t:\n  metadata:\n    annotations:\n      k: old\n        and more\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n      a: b\n"},
	{name: "literal value", in: "t:\n  metadata:\n    annotations:\n      k: |-\n        old\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n      a: b\n"},
	{name: "kept folded value", in: "t:\n  metadata:\n    annotations:\n      k: >+\n        old\n\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n\n      a: b\n"},
	{name: "null value", in: "t:\n  metadata:\n    annotations:\n      k:\n      a: b\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n      a: b\n"},
	{name: "number for a value", in: "t:\n  metadata:\n    annotations:\n      k: 12e4\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n"},
	{name: "value in JSON", in: `{"t": {"metadata": {"annotations": {"a": "b", "k": "old"}}}}`, want: `{"t": {"metadata": {"annotations": {"a": "b", "k": "v"}}}}`},

	// What is not plain goes through the library.
	{name: "tags", in: "t: !!map\n  metadata: !!map\n    labels: {a: !!str 1}\n", want: "t: !!map\n  metadata: !!map\n    annotations:\n      k: \"v\"\n    labels: {a: !!str 1}\n"},
	{name: "anchor that nobody uses", in: "t: &t\n  metadata: &m\n    labels: {}\n", want: "t: &t\n  metadata: &m\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "tab behind a value", in: "t:\n  metadata:\n    labels: {}\t\n  spec: x\t# c\n", want: "t:\n  metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\t\n  spec: x\t# c\n"},
	{name: "space before the colon", in: "t :\n  metadata :\n    labels : {}\n", want: "t :\n  metadata :\n    annotations:\n      k: \"v\"\n    labels : {}\n"},
	{name: "escaped key", in: "t:\n  \"meta\\x64ata\":\n    labels: {}\n", want: "t:\n  \"meta\\x64ata\":\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "content on the marker's line", in: "--- {t: {spec: {}}}\n", want: "--- {t: {\"metadata\": {\"annotations\": {\"k\": \"v\"}}, spec: {}}}\n"},
	{name: "complex key", in: "? t\n: metadata:\n    labels: {}\n", want: "? t\n: metadata:\n    annotations:\n      k: \"v\"\n    labels: {}\n"},
	{name: "alias as metadata", in: "m: &m\n  labels: {a: \"1\"}\nt:\n  metadata: *m\n", want: "m: &m\n  labels: {a: \"1\"}\nt:\n  metadata: {\"annotations\": {\"k\": \"v\"}, \"labels\": {\"a\": \"1\"}}\n"},
	{name: "alias as annotations", in: "m: &m {a: yes, b: 012, c: null, d: [x, \"\\u2028\"]}\nt:\n  metadata:\n    annotations: *m # alias\n", want: "m: &m {a: yes, b: 012, c: null, d: [x, \"\\u2028\"]}\nt:\n  metadata:\n    annotations: {\"k\": \"v\", \"a\": yes, \"b\": 012, \"c\": null, \"d\": [\"x\", \"\\u2028\"]} # alias\n"},
	{name: "alias as value", in: "m: &m old\nt:\n  metadata:\n    annotations:\n      k: *m\n", want: "m: &m old\nt:\n  metadata:\n    annotations:\n      k: \"v\"\n"},
	{name: "alias as template", in: "m: &m\n  spec: {}\nt: *m\n", want: "m: &m\n  spec: {}\nt: {\"metadata\": {\"annotations\": {\"k\": \"v\"}}, \"spec\": {}}\n"},
	{name: "shared template", in: "items:\n- t: &t\n    spec: {}\n- t: *t\n", want: "items:\n- t: &t\n    metadata:\n      annotations:\n        k: \"v\"\n    spec: {}\n- t: *t\n", why: "both want the same stamp: one splice serves both"},
	{name: "shared metadata", in: "items:\n- t:\n    metadata: &m\n      labels: {}\n- t:\n    metadata: *m\n", want: "items:\n- t:\n    metadata: &m\n      annotations:\n        k: \"v\"\n      labels: {}\n- t:\n    metadata: {\"annotations\": {\"k\": \"v\"}, \"labels\": {}}\n"},
	{name: "merged metadata", in: "m: &m\n  metadata: {labels: {a: b}}\nt:\n  <<: *m\n  spec: {}\n", want: "m: &m\n  metadata: {labels: {a: b}}\nt:\n  \"metadata\": {\"annotations\": {\"k\": \"v\"}, \"labels\": {\"a\": \"b\"}}\n  <<: *m\n  spec: {}\n", why: "a key of its own hides the merged one, so that it must hold what that did"},
	{name: "merged annotations", in: "m: &m {a: b}\nt:\n  metadata:\n    annotations:\n      <<: *m\n", want: "m: &m {a: b}\nt:\n  metadata:\n    annotations:\n      k: \"v\"\n      <<: *m\n"},
}

func TestEditSets(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := applyTo(c.in, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.why, diff)
			}
			if again, err := applyTo(got, false); err != nil || again != got {
				t.Errorf("once more gives %q (%v)", again, err)
			}
		})
	}
}

// TestEditRemoves takes away what the cases above put in. Where the maps around
// it are gone too, nothing is left of them.
func TestEditRemoves(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := applyTo(c.want, true)
			if err != nil {
				var e *EditError
				if !errors.As(err, &e) || !strings.Contains(c.want, "*") && !strings.Contains(c.want, "<<") {
					t.Fatal(err)
				}
				return
			}
			if strings.Contains(got, `"v"`) {
				t.Errorf("the value is still there:\n%s", got)
			}
			if strings.HasSuffix(c.want, "\n") != strings.HasSuffix(got, "\n") {
				t.Errorf("the final newline changed:\n%q\n%q", c.want, got)
			}
		})
	}
}

var removeCases = []struct{ name, in, want string }{
	{"alone", "t:\n  metadata:\n    annotations:\n      k: x\n  spec: {}\n", "t:\n  spec: {}\n"},
	{"beside another", "t:\n  metadata:\n    annotations:\n      k: x\n      a: b\n", "t:\n  metadata:\n    annotations:\n      a: b\n"},
	{"behind another", "t:\n  metadata:\n    annotations:\n      a: b\n      k: x\n  spec: {}\n", "t:\n  metadata:\n    annotations:\n      a: b\n  spec: {}\n"},
	{"beside labels", "t:\n  metadata:\n    annotations:\n      k: x\n    labels: {}\n", "t:\n  metadata:\n    labels: {}\n"},
	{"comments stay", "t:\n  metadata: # m\n    # one\n    annotations: # a\n      # two\n      k: x # own\n      # three\n  spec: {}\n", "t:\n    # one\n      # two\n      # three\n  spec: {}\n"},
	{"literal", "t:\n  metadata:\n    annotations:\n      k: |\n        x\n        y\n      a: b\n", "t:\n  metadata:\n    annotations:\n      a: b\n"},
	{"brackets", "t:\n  metadata:\n    annotations: {k: x, a: b}\n", "t:\n  metadata:\n    annotations: {a: b}\n"},
	{"brackets, last", "t:\n  metadata:\n    annotations: {a: b, k: x}\n", "t:\n  metadata:\n    annotations: {a: b}\n"},
	{"brackets, alone", "t:\n  metadata:\n    annotations: {k: x}\n    labels: {}\n", "t:\n  metadata:\n    labels: {}\n"},
	{"brackets and comments", "t:\n  metadata:\n    annotations: {\n      a: b # c\n      , k: x\n      }\n", "t:\n  metadata:\n    annotations: {\n      a: b # c\n      \n      }\n"},
	{"brackets and comments behind", "t:\n  metadata:\n    annotations: {\n      k: x, # c\n      a: b}\n", "t:\n  metadata:\n    annotations: {\n       # c\n      a: b}\n"},
	{"JSON", `{"t": {"metadata": {"annotations": {"k": "x"}}, "spec": 1}}`, `{"t": {"spec": 1}}`},
	{"JSON, layout", "{\"t\": {\n  \"spec\": 1,\n  \"metadata\": {\"annotations\": {\"k\": \"x\"}}\n}}", "{\"t\": {\n  \"spec\": 1\n}}"},
	{"no final newline", "t:\n  spec: {}\n  metadata:\n    annotations:\n      k: x", "t:\n  spec: {}"},
	{"CRLF", "t:\r\n  metadata:\r\n    annotations:\r\n      k: x\r\n  spec: {}\r\n", "t:\r\n  spec: {}\r\n"},
	{"all there is", "t:\n  metadata:\n    annotations:\n      k: x\nu: {}\n", "t:\n  metadata:\nu: {}\n"},
	{"all there is, in brackets", "t:\n  metadata: {annotations: {k: x}}\n", "t:\n  metadata: {}\n"},
	{"all there is, at the end", "t:\n  metadata:\n    annotations:\n      k: x", "t:\n  metadata:"},
	{"not there", "t:\n  metadata:\n    labels: {}\n", "t:\n  metadata:\n    labels: {}\n"},
}

func TestEditRemove(t *testing.T) {
	for _, c := range removeCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := applyTo(c.in, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"annotations a text", "t:\n  metadata:\n    annotations: text\n", "annotations is a scalar"},
		{"annotations a list", "t:\n  metadata:\n    annotations: [a]\n", "annotations is a list"},
		{"annotations an empty list", "t:\n  metadata:\n    annotations: []\n", "annotations is a list"},
		{"a tag before the map", "t:\n  metadata:\n    annotations:\n      !!map {}\n", "a tag or an anchor stands before"},
		{"metadata twice", "t:\n  metadata: {}\n  spec: {}\n  metadata: {}\n", "metadata stands here and in line 2"},
		{"k twice", "t:\n  metadata:\n    annotations:\n      k: x\n      k: y\n", "k stands here and in line 4"},
		{"value a map", "m: &m\n  annotations: {a: b}\nt:\n  metadata:\n    annotations:\n      <<: *m\n      k: {a: b}\n", "k is a map"},
		{"anchor used elsewhere", "t:\n  metadata: &m\n    labels: {}\nother: *m\n", "would not read as it should"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := applyTo(c.in, false)
			var e *EditError
			if !errors.As(err, &e) || !strings.Contains(e.Problem, c.want) {
				t.Errorf("got %q and error %v, want an EditError with %q", got, err, c.want)
			}
		})
	}
}

// several sets two annotations, m and k, and takes a and c away.
var several = Edit{Set: []Entry{{"m", "1"}, {"k", "2"}}, Remove: []string{"a", "c"}}

var severalCases = []struct{ name, in, want string }{
	{"nothing there", "t:\n  spec: {}\n", "t:\n  metadata:\n    annotations:\n      m: \"1\"\n      k: \"2\"\n  spec: {}\n"},
	{"null", "t:\n  metadata:\n    annotations:\n", "t:\n  metadata:\n    annotations:\n      m: \"1\"\n      k: \"2\"\n"},
	{"empty", "t:\n  metadata:\n    annotations: {} # c\n", "t:\n  metadata:\n    annotations: # c\n      m: \"1\"\n      k: \"2\"\n"},
	{"one of two", "t:\n  metadata:\n    annotations:\n      k: x # c\n      b: y\n", "t:\n  metadata:\n    annotations:\n      m: \"1\"\n      k: \"2\" # c\n      b: y\n"},
	{"some go", "t:\n  metadata:\n    annotations:\n      a: x\n      b: y\n      c: z\n", "t:\n  metadata:\n    annotations:\n      m: \"1\"\n      k: \"2\"\n      b: y\n"},
	{"all go, new ones come", "t:\n  metadata:\n    annotations:\n      # one\n      a: x\n      c: z\n  spec: {}\n", "t:\n  metadata:\n    annotations:\n      m: \"1\"\n      k: \"2\"\n      # one\n  spec: {}\n"},
	{"brackets", "t:\n  metadata:\n    annotations: {b: y}\n", "t:\n  metadata:\n    annotations: {\"m\": \"1\", \"k\": \"2\", b: y}\n"},
	{"brackets, some go", "t:\n  metadata:\n    annotations: {a: x, b: 1, c: z, k: q}\n", "t:\n  metadata:\n    annotations: {\"m\": \"1\", b: 1, k: \"2\"}\n"},
	{"brackets with comments", "t:\n  metadata:\n    annotations: {\n      'x': y, # keep\n      a: old, # and this\n      z: w,\n    }\n", "t:\n  metadata:\n    annotations: {\n      \"k\": \"2\",\n      'x': y, # keep\n      \"m\": \"1\", # and this\n      z: w,\n    }\n"},
	{"JSON", `{"t": {"spec": 1}}`, `{"t": {"metadata": {"annotations": {"m": "1", "k": "2"}}, "spec": 1}}`},
	{"an alias", "x: &x {annotations: {a: b, d: e}}\nt:\n  metadata: *x\n", "x: &x {annotations: {a: b, d: e}}\nt:\n  metadata: {\"annotations\": {\"m\": \"1\", \"k\": \"2\", \"d\": \"e\"}}\n"},
	{"as they are", "t:\n  metadata:\n    annotations:\n      m: '1'\n      k: \"2\"\n", "t:\n  metadata:\n    annotations:\n      m: '1'\n      k: \"2\"\n"},
}

func TestEditSeveral(t *testing.T) {
	for _, c := range severalCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := apply(c.in, several)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
			gone, err := apply(got, Edit{Remove: []string{"m", "k"}})
			if err != nil && !strings.Contains(c.in, "*") || strings.Contains(gone, `"2"`) {
				t.Errorf("taking both away: %q (%v)", gone, err)
			}
		})
	}
}

var removeSeveralCases = []struct{ name, in, want string }{
	{"all", "t:\n  metadata:\n    annotations: # n\n      a: x\n      # c\n      c: y\n  spec: {}\n", "t:\n      # c\n  spec: {}\n"},
	{"all, beside labels", "t:\n  metadata:\n    annotations:\n      a: x\n      c: y\n    labels: {}\n", "t:\n  metadata:\n    labels: {}\n"},
	{"all at the end", "t:\n  spec: {}\n  metadata:\n    annotations:\n      a: x\n      c: y", "t:\n  spec: {}"},
	{"all in brackets", "t:\n  metadata:\n    annotations: {a: x, c: y}\n  spec: {}\n", "t:\n  spec: {}\n"},
	{"some", "t:\n  metadata:\n    annotations:\n      a: x\n      b: z\n      c: y\n", "t:\n  metadata:\n    annotations:\n      b: z\n"},
	{"JSON", `{"t": {"metadata": {"annotations": {"a": "x", "c": "y"}, "labels": {}}, "spec": 1}}`, `{"t": {"metadata": {"labels": {}}, "spec": 1}}`},
	{"some in brackets", "t:\n  metadata: {annotations: {a: x, c: y, 'b': z}}\n", "t:\n  metadata: {annotations: {'b': z}}\n"},
	{"some at the end of brackets", "t:\n  metadata: {annotations: {'b': z, a: x, c: y}}\n", "t:\n  metadata: {annotations: {'b': z}}\n"},
	{"some apart in brackets", "t:\n  metadata: {annotations: {a: x, 'b': z, c: y,}}\n", "t:\n  metadata: {annotations: {'b': z,}}\n"},
	{"one is there", "t:\n  metadata:\n    annotations:\n      c: y\n  spec: {}\n", "t:\n  spec: {}\n"},
}

func TestEditRemovesSeveral(t *testing.T) {
	for _, c := range removeSeveralCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := apply(c.in, Edit{Remove: []string{"a", "c"}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditRefusesDifferentStampsForOneTemplate(t *testing.T) {
	doc := document("items:\n- t: &t\n    spec: {}\n- t: *t\n")
	sites := templates(doc)
	edits := []Edit{
		{Node: sites[0], Path: editPath, Set: []Entry{{"k", "one"}}},
		{Node: sites[1], Path: editPath, Set: []Entry{{"k", "two"}}},
	}
	_, err := new(Editor).Splices(doc, edits)
	if err == nil || !strings.Contains(err.Error(), "needs another stamp") {
		t.Errorf("got error %v", err)
	}
}

// TestEditRefusesToMeet: two edits of one map would each open it.
func TestEditRefusesToMeet(t *testing.T) {
	for _, text := range []string{"t:\n  spec: {}\n", "t:\n  metadata:\n    annotations:\n      a: b\n", `{"t": {}}`} {
		doc := document(text)
		edit := Edit{Node: templates(doc)[0], Path: editPath, Set: []Entry{{"k", "v"}}}
		if splices, err := new(Editor).Splices(doc, []Edit{edit, edit}); err == nil {
			t.Errorf("%q: %v", text, splices)
		}
	}
}

var editPath = []string{"metadata", "annotations"}

func document(text string) *Document {
	c := &Chunk{Text: []byte(text), Input: &Input{Name: "test"}}
	c.Input.Chunks = []*Chunk{c}
	return &Document{Chunk: c, Text: c.Text}
}

// templates finds the maps named t.
func templates(doc *Document) (nodes []int32) {
	t, err := new(tree.Parser).Parse(doc.Text)
	if err != nil {
		return nil
	}
	var walk func(n tree.Node)
	walk = func(n tree.Node) {
		for k, v := range n.Fields() {
			if k.Is("t") && v.Kind() == tree.Map {
				nodes = append(nodes, v.Index())
			} else {
				walk(v)
			}
		}
		for v := range n.Items() {
			walk(v)
		}
	}
	walk(t.Root())
	return nodes
}

func applyTo(text string, remove bool) (string, error) {
	if remove {
		return apply(text, Edit{Remove: []string{"k"}})
	}
	return apply(text, Edit{Set: []Entry{{"k", "v"}}})
}

// apply makes an edit in every template.
func apply(text string, edit Edit) (string, error) {
	doc := document(text)
	var edits []Edit
	for _, node := range templates(doc) {
		edit.Node, edit.Path = node, editPath
		edits = append(edits, edit)
	}
	splices, err := new(Editor).Splices(doc, edits)
	if err != nil {
		return "", err
	}
	if err := checkWhole(doc, splices, edits); err != nil {
		return "", fmt.Errorf("a splice was let pass: %w", err)
	}
	return string(Join(nil, doc.Text, splices)), nil
}

// checkWhole reads the whole changed document, also where the editor was
// content with a part.
func checkWhole(doc *Document, splices []Splice, edits []Edit) error {
	old, err := new(tree.Parser).Parse(doc.Text)
	if err != nil {
		return err
	}
	return new(Editor).check(&splicer{doc: doc, tree: old, text: doc.Text, splices: splices}, edits)
}

// FuzzEdit: an edit is refused, or made so that everything else reads as
// before, which Splices checks itself; and made again it changes nothing.
func FuzzEdit(f *testing.F) {
	for _, c := range editCases {
		f.Add(c.in)
		f.Add(c.want)
	}
	for _, c := range removeCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		got, err := applyTo(text, false)
		var refused *EditError
		var syntax *tree.SyntaxError
		if err != nil && !errors.As(err, &refused) && !errors.As(err, &syntax) {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil || got == text {
			return
		}
		if again, err := applyTo(got, false); err != nil || again != got {
			t.Errorf("%q\nbecomes %q\nthen    %q (%v)", text, got, again, err)
		}
		applyTo(got, true)
		apply(text, several)
		apply(got, Edit{Remove: []string{"k", "a", "c"}})
	})
}
