package tree

import (
	"bytes"
	encjson "encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// differ describes the first difference between two readings of one text, ""
// where there is none. Offsets count too: splices rest on them.
func differ(a, b Node, path string) string {
	if a.Kind() != b.Kind() {
		return fmt.Sprintf("%s: %s and %s", path, a.Kind(), b.Kind())
	}
	if a.Exists() && a.Offset() != b.Offset() && !(a.Kind() == Scalar && a.Text() == "") {
		return fmt.Sprintf("%s: offsets %d and %d", path, a.Offset(), b.Offset())
	}
	switch a.Kind() {
	case Scalar:
		if a.Type() != b.Type() || a.Text() != b.Text() {
			return fmt.Sprintf("%s: %s %q and %s %q", path, a.Type(), a.Text(), b.Type(), b.Text())
		}
	case Map, Seq:
		if a.Flow() != b.Flow() {
			return path + ": one of them in brackets"
		}
		return differChildren(children(a), children(b), path)
	}
	return ""
}

func children(n Node) []Node {
	var all []Node
	for k, v := range n.Fields() {
		all = append(all, k, v)
	}
	for v := range n.Items() {
		all = append(all, v)
	}
	return all
}

func differChildren(a, b []Node, path string) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%s: %d and %d children", path, len(a), len(b))
	}
	for i := range a {
		if d := differ(a[i], b[i], fmt.Sprintf("%s.%d", path, i)); d != "" {
			return d
		}
	}
	return ""
}

// compare reads a text with both readers. It reports whether the scanner took
// the text.
func compare(t *testing.T, text []byte) bool {
	t.Helper()
	var s scanner
	if !s.run(text) {
		return false
	}
	fast := &Tree{text: text, nodes: s.nodes}
	if isJSON(text) {
		compareJSON(t, fast)
		return true
	}
	slow, err := parseLibrary(text)
	if err != nil {
		t.Errorf("the scanner takes what the library refuses (%v):\n%q", err, text)
		return true
	}
	if d := differ(fast.Root(), slow.Root(), "$"); d != "" {
		t.Errorf("scanner and library: %s in\n%q", d, text)
	}
	return true
}

func isJSON(text []byte) bool {
	start := JSONStart(text)
	return start >= 0 && encjson.Valid(text[start:])
}

// compareJSON holds the JSON reader to encoding/json.
func compareJSON(t *testing.T, fast *Tree) {
	t.Helper()
	decoder := encjson.NewDecoder(bytes.NewReader(fast.text[JSONStart(fast.text):]))
	decoder.UseNumber()
	if got, want := tokens(fast.Root(), nil), jsonTokens(decoder); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("JSON reader: got %q\nwant %q\nof %q", got, want, fast.text)
	}
}

func tokens(n Node, out []string) []string {
	switch n.Kind() {
	case Scalar:
		switch n.Type() {
		case String:
			return append(out, fmt.Sprintf("%q", n.Text()))
		case Null:
			return append(out, "null")
		}
		return append(out, n.Text())
	case Map:
		out = append(out, "{")
		for k, v := range n.Fields() {
			out = tokens(v, tokens(k, out))
		}
		return append(out, "}")
	}
	out = append(out, "[")
	for v := range n.Items() {
		out = tokens(v, out)
	}
	return append(out, "]")
}

func jsonTokens(decoder *encjson.Decoder) (out []string) {
	for {
		token, err := decoder.Token()
		if err != nil {
			return out
		}
		switch v := token.(type) {
		case string:
			out = append(out, fmt.Sprintf("%q", v))
		case nil:
			out = append(out, "null")
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
}

func TestScannerAgreesWithLibrary(t *testing.T) {
	taken := 0
	for _, text := range samples {
		if compare(t, []byte(text)) {
			taken++
		}
		if compare(t, []byte(strings.ReplaceAll(text, "\n", "\r\n"))) {
			taken++
		}
	}
	if taken < len(samples) {
		t.Errorf("the scanner took %d of %d samples", taken, 2*len(samples))
	}
}

// TestScannerAgreesWithLibraryOnCorpus walks the folder that RESTAMP_CORPUS
// names.
func TestScannerAgreesWithLibraryOnCorpus(t *testing.T) {
	root := os.Getenv("RESTAMP_CORPUS")
	if root == "" {
		t.Skip("RESTAMP_CORPUS names no folder")
	}
	docs, taken := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for i, text := range bytes.Split(data, []byte("\n---")) {
			if i > 0 {
				text = append([]byte("---"), text...)
			}
			docs++
			if compare(t, text) {
				taken++
			} else if testing.Verbose() {
				t.Logf("%s: document %d goes to the library", path, i)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents, %d taken by the scanner", docs, taken)
}

func FuzzScannerAgreesWithLibrary(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<12 || bytes.Contains(text, []byte("%YAML")) {
			return
		}
		compare(t, text)
	})
}
