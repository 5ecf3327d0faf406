package report

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/render"
)

func compared(t *testing.T, old, now string, opts compare.Options) *compare.Diff {
	t.Helper()
	var runs []*render.Run
	for _, stream := range []string{old, now} {
		run, err := render.Stamp([]render.Source{render.Stream("rendered/shop.yaml", strings.NewReader(stream))}, render.Options{AllowEmpty: true})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return compare.Compare(runs[0], runs[1], opts)
}

// shop is the diff of the two renders in testdata.
func shop(t *testing.T, opts compare.Options) *compare.Diff {
	t.Helper()
	var texts []string
	for _, name := range []string{"old", "new"} {
		text, err := os.ReadFile("testdata/diff/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return compared(t, texts[0], texts[1], opts)
}

func diffed(t *testing.T, d *compare.Diff, opts DiffOptions) string {
	t.Helper()
	if err := opts.Check(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Diff(&b, d, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDiffFormats holds what each format makes of one diff.
func TestDiffFormats(t *testing.T) {
	d := shop(t, compare.Options{})
	for _, format := range DiffFormats {
		t.Run(format, func(t *testing.T) {
			golden(t, "diff/shop."+format, withoutBase(diffed(t, d, DiffOptions{Format: format, Version: "v1"})))
		})
	}
	t.Run("values", func(t *testing.T) {
		d := shop(t, compare.Options{Values: true})
		golden(t, "diff/values.text", diffed(t, d, DiffOptions{Format: "text"}))
		golden(t, "diff/values.markdown", diffed(t, d, DiffOptions{Format: "markdown", Marker: "shop"}))
	})
	t.Run("terminal", func(t *testing.T) {
		golden(t, "diff/narrow.text", diffed(t, d, DiffOptions{Format: "text", Style: Style{Color: true, Width: 60}}))
	})
}

// base is what all pages have.
var base = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<meta http-equiv="Content-Security-Policy"[^>]*>`)

func withoutBase(text string) string { return base.ReplaceAllString(text, "...") }

// TestDiffTellsNoSecret: in no format, whether values are asked for or not, is a
// Secret's value told, or its hash.
func TestDiffTellsNoSecret(t *testing.T) {
	old, _ := os.ReadFile("testdata/diff/old.yaml")
	// A value may stand in a template too, where nobody knows that it is secret.
	plain := strings.Replace(string(old), "name: web\n        image", "name: web\n        args: [--token=hunter2]\n        env: [{name: T, value: hunter2}]\n        image", 1)
	hidden := []string{"hunter2", "swordfish", "f52fbd32b2b3b86ff88ef6c490628285", "aHVudGVyMg"}
	now := strings.ReplaceAll(strings.ReplaceAll(plain, "LOG_LEVEL: info", "LOG_LEVEL: debug"), "hunter2", "swordfish")
	d := compared(t, plain, now, compare.Options{Values: true})
	for _, format := range DiffFormats {
		text := diffed(t, d, DiffOptions{Format: format})
		if !strings.Contains(text, "password") {
			t.Errorf("%s says nothing of the Secret:\n%s", format, text)
		}
		for _, value := range hidden {
			if strings.Contains(text, value) {
				t.Errorf("%s tells %s:\n%s", format, value, text)
			}
		}
	}
}

// TestDiffTellsValuesWhereAsked: logs get none even then.
func TestDiffTellsValuesWhereAsked(t *testing.T) {
	for format, has := range map[string]bool{"text": true, "json": true, "markdown": true, "html": true, "sarif": false, "github": false} {
		for asked, d := range map[bool]*compare.Diff{false: shop(t, compare.Options{}), true: shop(t, compare.Options{Values: true})} {
			if got := strings.Contains(diffed(t, d, DiffOptions{Format: format}), "debug"); got != (has && asked) {
				t.Errorf("%s, asked for values %t: tells them %t", format, asked, got)
			}
		}
	}
}

// many is a stream of n workloads that use one ConfigMap, and a further one
// each.
func many(n int, value string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata: {key: " + value + "}\n")
	for i := range n {
		name := fmt.Sprintf("app-%d-%s", i, strings.Repeat("x", i%100))
		fmt.Fprintf(&b, `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s}
spec: {template: {spec: {containers: [{name: c, image: "a:%s", envFrom: [{configMapRef: {name: shared}}, {configMapRef: {name: own-%d}}]}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: own-%d}
data: {A: %s, B: %s, C: %s}
`, name, value, i, i, value, value, value)
	}
	return b.String()
}

// TestDiffMarkdownFits: a comment is never longer than GitHub takes, and counts
// every workload that it does not list.
func TestDiffMarkdownFits(t *testing.T) {
	for _, n := range []int{1, 100, 500, 3000} {
		text := diffed(t, compared(t, many(n, "x"), many(n, "y"), compare.Options{}), DiffOptions{Format: "markdown"})
		if len(text) > markdownLongest {
			t.Errorf("%d workloads: %d bytes", n, len(text))
		}
		listed := strings.Count(text, "\n- `Deployment/app-")
		if !strings.Contains(text, "both: "+strconv.Itoa(n)+"**") || listed < min(n, 10) ||
			listed < n && !strings.Contains(text, "\n- "+strconv.Itoa(n-listed)+" more,") {
			t.Errorf("%d workloads, %d listed:\n%.3000s", n, listed, text)
		}
		if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
			t.Errorf("%d workloads: details stay open", n)
		}
	}
}

// TestProse: whatever is more than a word stands in a code span.
func TestProse(t *testing.T) {
	for s, want := range map[string]string{
		"3 workloads restart (7 pods); 1 new": "3 workloads restart (7 pods); 1 new",
		"ConfigMap/a key b changed":           "`ConfigMap/a` key b changed",
		"(LOG_LEVEL), x.y:":                   "(`LOG_LEVEL`), `x.y`:",
		"@team #1 <b> [x](y) **z** `":         "`@team` `#1` `<b>` `[x](y`) `**z**` `` ` ``",
		"https://example.com www.example.com": "`https://example.com` `www.example.com`",
		"a\nb":                                "`a?b`",
		"it's made-up":                        "it's made-up",
		"12345678 - + 1. ---":                 "`12345678` `-` `+` 1. `---`",
	} {
		if got := prose(s); got != want {
			t.Errorf("prose(%q) = %q, not %q", s, got, want)
		}
	}
}

// TestMarkers: a bot finds its comment, and no marker ends it.
func TestMarkers(t *testing.T) {
	d := shop(t, compare.Options{})
	for id, want := range map[string]string{"": "<!-- restamp-diff -->\n", "eu-1": "<!-- restamp-diff:eu-1 -->\n"} {
		if text := diffed(t, d, DiffOptions{Format: "markdown", Marker: id}); !strings.HasPrefix(text, want) {
			t.Errorf("%q: %.60q", id, text)
		}
	}
	for _, id := range []string{"a b", "-->", "a--b", "ä", "\n"} {
		if (DiffOptions{Format: "markdown", Marker: id}).Check() == nil {
			t.Errorf("%q is taken", id)
		}
	}
}

// TestDiffGitHubCommands reads what is written as GitHub's runner does.
func TestDiffGitHubCommands(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(diffed(t, shop(t, compare.Options{}), DiffOptions{Format: "github"}), "\n"), "\n")
	command, properties, data := runnerReads(t, lines[1])
	want := map[string]string{"file": "rendered/shop.yaml", "line": "19", "title": "A workload restarts because of its configuration"}
	if diff := cmp.Diff(want, properties); diff != "" || command != "notice" || !strings.HasPrefix(data, "Deployment/shop/web restarts: its configuration changed\n") {
		t.Errorf("%s %q (-want +got):\n%s", command, data, diff)
	}
}

// TestFolding: no line is wider than the terminal, where that can be had.
func TestFolding(t *testing.T) {
	text := diffed(t, shop(t, compare.Options{}), DiffOptions{Format: "text", Style: Style{Width: 70}})
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > 70 && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}
