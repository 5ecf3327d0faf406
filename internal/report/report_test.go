package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/render"
)

var update = flag.Bool("update", false, "write the golden files anew")

// findings are those of a stream, under the name of a file.
func findings(t *testing.T, name, stream string) []graph.Finding {
	t.Helper()
	run, err := render.Stamp([]render.Source{render.Stream(name, strings.NewReader(stream))}, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run.Findings
}

func in(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/in.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func written(t *testing.T, findings []graph.Finding, opts Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Findings(&b, findings, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFormats holds what each format makes of one stream, and of an input that
// could not be read. Of SARIF the rules are left out: those are the table's.
func TestFormats(t *testing.T) {
	all := findings(t, "rendered/app.yaml", in(t))
	faults := []Fault{{"rendered/a,b.yaml", 3, "reading rendered/a,b.yaml:3: 100% no YAML"}, {"", 0, "reading none: no such file"}}
	for _, format := range Formats {
		t.Run(format, func(t *testing.T) {
			var failure bytes.Buffer
			if err := Failure(&failure, faults, Options{Format: format, Version: "v1"}); err != nil {
				t.Fatal(err)
			}
			text := written(t, all, Options{Format: format, Version: "v1"})
			golden(t, "findings."+format, withoutRules(t, format, text))
			golden(t, "failure."+format, withoutRules(t, format, failure.String()))
		})
	}
}

func withoutRules(t *testing.T, format, text string) string {
	t.Helper()
	if format != "sarif" {
		return text
	}
	var log map[string]any
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	driver := log["runs"].([]any)[0].(map[string]any)["tool"].(map[string]any)["driver"].(map[string]any)
	if rules := driver["rules"].([]any); len(rules) != len(graph.Rules) {
		t.Errorf("%d rules, not %d", len(rules), len(graph.Rules))
	}
	delete(driver, "rules")
	var b bytes.Buffer
	if err := writeJSON(&b, log); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if os.Getenv("CI") == "true" {
			t.Fatal("golden files are not to be written by CI")
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s mismatch (-want +got):\n%s", path, diff)
	}
}

// TestLeast: the formats for people leave out what is not asked for, the others
// nothing.
func TestLeast(t *testing.T) {
	all := findings(t, "app.yaml", in(t))
	for format, has := range map[string]bool{"text": false, "github": false, "markdown": false, "json": true, "sarif": true} {
		least := written(t, all, Options{Format: format, Least: graph.Error})
		if strings.Contains(least, "gone") != has {
			t.Errorf("%s: a warning among errors:\n%s", format, least)
		}
	}
	if text := written(t, all, Options{Least: graph.Warning}); !strings.HasSuffix(text, "restamp: 1 more info (-v shows it)\n") {
		t.Errorf("infos are not counted:\n%s", text)
	}
}

// TestGitHubCommands reads what is written as GitHub's runner does: one command
// per finding, and every word of it as it was.
func TestGitHubCommands(t *testing.T) {
	const file = "odd, 100% ::warning::.yaml\n::error::"
	all := findings(t, file, in(t))
	lines := strings.Split(strings.TrimSuffix(written(t, all, Options{Format: "github"}), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d lines for %d findings:\n%s", len(lines), len(all), strings.Join(lines, "\n"))
	}
	for i, f := range all {
		command, properties, data := runnerReads(t, lines[i])
		want := map[string]string{"file": file, "line": strconv.Itoa(f.Place.Line()), "title": string(f.Code)}
		if diff := cmp.Diff(want, properties); diff != "" || command != githubCommands[f.Severity] {
			t.Errorf("%s: %s mismatch (-want +got):\n%s", lines[i], command, diff)
		}
		if !strings.HasPrefix(data, sentence(f)+"\n") || !strings.HasSuffix(data, "\n"+help(f.Code)) {
			t.Errorf("%s: %q", lines[i], data)
		}
	}
	text := written(t, findings(t, StandardInput, in(t)), Options{Format: "github"})
	if strings.Contains(text, "file=") || strings.Contains(text, "line=") {
		t.Errorf("standard input is no file:\n%s", text)
	}
}

func runnerReads(t *testing.T, line string) (command string, properties map[string]string, data string) {
	t.Helper()
	head, data, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	if !ok || !strings.HasPrefix(line, "::") {
		t.Fatalf("%q is no command", line)
	}
	command, rest, _ := strings.Cut(head, " ")
	properties = make(map[string]string)
	for _, property := range strings.Split(rest, ",") {
		name, value, _ := strings.Cut(property, "=")
		properties[name] = unescaped(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	}
	return command, properties, unescaped(data, "%0D", "\r", "%0A", "\n", "%25", "%")
}

// unescaped replaces one after the other, as the runner does.
func unescaped(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return s
}

// TestCodeSpans: what is in one comes out again, whatever it is.
func TestCodeSpans(t *testing.T) {
	for s, want := range map[string]string{
		"a":         "`a`",
		"`":         "`` ` ``",
		"a`b":       "``a`b``",
		"``a":       "``` ``a ```",
		" a":        "`  a `",
		"a\nb":      "`a?b`",
		"``` a ` b": "```` ``` a ` b ````",
	} {
		if got := codeSpan(s); got != want {
			t.Errorf("codeSpan(%q) = %q, not %q", s, got, want)
		}
	}
}

// TestMarkdownFits: a comment is never longer than GitHub takes, and says how
// many findings it leaves out.
func TestMarkdownFits(t *testing.T) {
	for _, n := range []int{10, 500, 5000} {
		var stream strings.Builder
		for i := range n {
			fmt.Fprintf(&stream, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d-x%s}\n", i, strings.Repeat("x", i%200))
		}
		text := written(t, findings(t, "app.yaml", stream.String()), Options{Format: "markdown"})
		if len(text) > markdownLongest {
			t.Errorf("%d findings: %d bytes", n, len(text))
		}
		listed := strings.Count(text, "\n- `app.yaml")
		left := 0
		if _, more, ok := strings.Cut(text, "\n- "+strconv.Itoa(n-listed)+" more"); ok && strings.HasPrefix(more, ",") {
			left = n - listed
		}
		if listed+left != n || listed == 0 {
			t.Errorf("%d findings: %d listed, %d counted", n, listed, left)
		}
	}
	var long strings.Builder
	for range 3 {
		fmt.Fprintf(&long, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: '%s'}\n", strings.Repeat("`", 30_000))
	}
	if text := written(t, findings(t, "app.yaml", long.String()), Options{Format: "markdown"}); len(text) > markdownLongest {
		t.Errorf("long names: %d bytes", len(text))
	}
	if text := written(t, nil, Options{Format: "markdown"}); text != "### restamp: no findings\n" {
		t.Errorf("no findings: %q", text)
	}
}

// TestURIs: files are told as URIs, relative where they are.
func TestURIs(t *testing.T) {
	for file, want := range map[string]string{
		"rendered/app.yaml":       "rendered/app.yaml",
		"./rendered//app.yaml":    "rendered/app.yaml",
		"../a b/100%/ä#?.yaml":    "../a%20b/100%25/%C3%A4%23%3F.yaml",
		"a:b.yaml":                "./a:b.yaml",
		"/abs/a.yaml":             "file:///abs/a.yaml",
		"[x]\n\\.yaml":            "%5Bx%5D%0A%5C.yaml",
		"javascript:alert(1).yml": "./javascript:alert%281%29.yml",
	} {
		if got := uri(file); got != want {
			t.Errorf("uri(%q) = %q, not %q", file, got, want)
		}
	}
}

// TestFingerprints: they stay where lines move, and no two are alike.
func TestFingerprints(t *testing.T) {
	prints := func(stream string) (all []string) {
		seen := make(map[string]int)
		for _, f := range findings(t, "app.yaml", stream) {
			all = append(all, fingerprint(f, seen))
		}
		return all
	}
	before := prints(in(t))
	if diff := cmp.Diff(before, prints("# moved\n\n"+in(t))); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	seen := make(map[string]bool)
	for _, p := range prints(in(t) + "---\n" + in(t)) {
		if seen[p] {
			t.Errorf("%s is there twice", p)
		}
		seen[p] = true
	}
}

// TestPrintable: what turns a line around, or is not seen, is not written.
func TestPrintable(t *testing.T) {
	if got, want := printable("a\u202eb\nc\u200bd\U000e0041 \u00e9\u4e16"), "a?b?c?d? \u00e9\u4e16"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
