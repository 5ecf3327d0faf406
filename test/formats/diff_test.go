package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	xhtml "golang.org/x/net/html"

	"github.com/restamp/restamp/internal/cli"
)

// odd is a name that wants to be more than a name.
var odd = []string{
	"</code><img src=x onerror=alert(1)>", "` `` ``` ```` `", "[x](javascript:alert(1)) ![y](http://example.com/y.png)",
	"<https://example.com> https://example.com www.example.com", "@team #1 GH-1 a@example.com org/repo#1", "**x** _y_ ~~z~~ &lt; \\",
	"--> <!-- restamp-diff -->", "</details></script><script>alert(1)</script>", "{0} {{1}} %s \u2028 \x01 ::error::", "```\n# big\n```", "| a | b |",
}

// diffs are what restamp diff writes in a format: of the renders that report's
// tests have, and of two in which every name and key is odd.
func diffs(t *testing.T, format string, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shop := "../../internal/report/testdata/diff/"
	sides := map[string][2]string{
		"shop":      {shop + "old.yaml", shop + "new.yaml"},
		"comes":     {write("none.yaml", ""), shop + "new.yaml"},
		"goes":      {shop + "old.yaml", write("none.yaml", "")},
		"no change": {shop + "old.yaml", shop + "old.yaml"},
		"odd":       {write("odd old.yaml", oddities(1)), write("odd new.yaml", oddities(2))},
		"moved":     {write("a.yaml", in("a", oddities(1))), write("b.yaml", in("b", oddities(1)))},
	}
	all := make(map[string]string)
	for name, side := range sides {
		var stdout, stderr bytes.Buffer
		args := slices.Concat([]string{"diff", "--allow-empty", "--fail-on", "none", "-o", format}, args, side[:])
		if code := cli.Run(args, nil, &stdout, &stderr); code > 1 || stdout.Len() == 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
		}
		all[name] = stdout.String()
	}
	return all
}

func in(namespace, stream string) string {
	return strings.ReplaceAll(stream, `"metadata":{`, `"metadata":{"namespace":"`+namespace+`",`)
}

// oddities is a stream in which everything that can have a name has an odd one.
func oddities(version int) string {
	var b strings.Builder
	put := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "---\n%s\n", text)
	}
	type m = map[string]any
	for _, name := range odd {
		value := fmt.Sprint(name, version)
		put(m{"apiVersion": "v1", "kind": "ConfigMap", "metadata": m{"name": name}, "data": m{name: value, "a": "b", "c": "d"}})
		put(m{"apiVersion": "v1", "kind": "ConfigMap", "metadata": m{"name": name + fmt.Sprint(version)}, "data": m{name: name, "e": "f"}})
		put(m{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": m{"name": name}, "spec": m{
			"strategy": m{"type": name},
			"template": m{"metadata": m{"labels": m{name: value}, "annotations": m{"checksum/" + name: value}}, "spec": m{
				"containers": []m{{"name": name, "image": value, "envFrom": []m{{"configMapRef": m{"name": name}}, {"configMapRef": m{"name": name + fmt.Sprint(version)}}}}},
			}},
		}})
		put(m{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": m{"name": name + fmt.Sprint(version), "labels": m{name: value}}, "spec": m{"template": m{}}})
	}
	return b.String()
}

// TestDiffJSON: what restamp diff writes is as its schema says, and the schema
// describes every field that is written.
func TestDiffJSON(t *testing.T) {
	text, err := os.ReadFile("../../docs/schemas/diff.v1alpha1.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := compile(t, text)
	// The same schema, but nothing that it does not describe may be there.
	strict := compile(t, []byte(strings.ReplaceAll(string(text), `"properties": {`, `"additionalProperties": false, "properties": {`)))
	for _, args := range [][]string{nil, {"--values"}, {"--twice"}} {
		for name, diff := range diffs(t, "json", args...) {
			validate(t, schema, name, []byte(diff))
			validate(t, strict, name, []byte(diff))
		}
	}
	for _, wrong := range []string{`{}`, `{"apiVersion": "restamp.dev/v1alpha1", "kind": "Diff", "summary": {}, "workloads": [], "sources": []}`} {
		v, _ := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if schema.Validate(v) == nil {
			t.Errorf("the schema takes %s", wrong)
		}
	}
}

// TestDiffSARIF: the log is valid, and each result has its rule.
func TestDiffSARIF(t *testing.T) {
	schema := compile(t, sarifSchema(t))
	for name, diff := range diffs(t, "sarif") {
		validate(t, schema, name, []byte(diff))
		log, err := sarif.FromBytes([]byte(diff))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		run := log.Runs[0]
		if (name == "shop" || name == "odd") != (len(run.Results) > 0) {
			t.Errorf("%s: %d results", name, len(run.Results))
		}
		for _, result := range run.Results {
			if rule := run.Tool.Driver.Rules[result.RuleIndex]; *rule.ID != *result.RuleID {
				t.Errorf("%s: rule %d is %s, not %s", name, result.RuleIndex, *rule.ID, *result.RuleID)
			}
		}
	}
}

// TestDiffMarkdown: a comment holds what is from the input in code spans alone,
// and has no elements but its own.
func TestDiffMarkdown(t *testing.T) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	for name, diff := range diffs(t, "markdown", "--values") {
		if len(diff) > 65_536 {
			t.Errorf("%s: %d bytes", name, len(diff))
		}
		marker, rest, _ := strings.Cut(diff, "\n")
		if marker != "<!-- restamp-diff -->" || name == "odd" && strings.Count(rest, "<!--") == 0 {
			t.Errorf("%s: the marker is %q", name, marker)
		}
		var page bytes.Buffer
		if err := markdown.Convert([]byte(rest), &page); err != nil {
			t.Fatal(err)
		}
		for _, fault := range foreignToDiff(t, page.Bytes()) {
			t.Errorf("%s: %s in\n%s", name, fault, diff)
		}
	}
}

// foreignToDiff are the elements that a comment about a diff does not have, and
// texts outside of code that look like something from the input.
func foreignToDiff(t *testing.T, page []byte) (faults []string) {
	t.Helper()
	root, err := xhtml.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{
		"html": true, "head": true, "body": true, "h3": true, "p": true, "ul": true, "li": true, "strong": true, "code": true,
		"details": true, "summary": true, "blockquote": true,
	}
	depth := 0
	for n := range root.Descendants() {
		switch {
		case n.Type == xhtml.ElementNode && !known[n.Data]:
			faults = append(faults, "element "+n.Data)
		case n.Type == xhtml.CommentNode:
			faults = append(faults, "a comment")
		case n.Type == xhtml.TextNode && n.Parent.Data != "code" && strings.ContainsAny(n.Data, "@#<>[]`{}_*&|~"):
			faults = append(faults, fmt.Sprintf("text %q", n.Data))
		case n.Data == "details" && n.Parent.Data != "body":
			depth++
		}
	}
	if depth > 0 {
		faults = append(faults, "details within something else")
	}
	return faults
}

// TestDiffHTML: the page has no element, attribute or address of anybody
// else's.
func TestDiffHTML(t *testing.T) {
	for name, diff := range diffs(t, "html", "--values") {
		root, err := xhtml.Parse(strings.NewReader(diff))
		if err != nil {
			t.Fatal(err)
		}
		scripts := 0
		for n := range root.Descendants() {
			if n.Type != xhtml.ElementNode {
				continue
			}
			switch n.Data {
			case "script":
				scripts++
			case "img", "iframe", "object", "embed", "base":
				t.Errorf("%s: element %s", name, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") && a.Val != "data:," {
					t.Errorf("%s: attribute %s=%q of %s", name, a.Key, a.Val, n.Data)
				}
			}
		}
		if scripts != 1 {
			t.Errorf("%s: %d scripts", name, scripts)
		}
	}
}

// TestDiffGitHub: one command on each line, and nothing else.
func TestDiffGitHub(t *testing.T) {
	for name, diff := range diffs(t, "github") {
		for line := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
			if !strings.HasPrefix(line, "::notice ") && !strings.HasPrefix(line, "::warning ") || strings.ContainsAny(line, "\r\x01") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}
