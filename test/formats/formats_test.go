// Package formats holds what restamp reports against the readers of its
// formats: the schema of SARIF 2.1.0, the published schema of the JSON report,
// and a renderer of GitHub's Markdown. It is a module of its own so that none of
// them is a dependency of restamp.
package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/restamp/restamp/internal/cli"
)

// inputs are streams with everything there is to report, and with names that
// want to be more than names.
var inputs = map[string]string{
	"nothing":    "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n",
	"unreadable": "a: [\n",
	"empty":      "",
	"many":       many(),
	"odd": `apiVersion: apps/v1
kind: Deployment
metadata: {name: "</code><img src=x onerror=alert(1)>", namespace: "| a | b |"}
spec:
  template:
    spec:
      containers:
      - name: c
        envFrom:
        - configMapRef: {name: "` + "```\\n# big\\n```" + `"}
        - configMapRef: {name: "[x](javascript:alert(1)) ![y](http://example.com/y.png) <https://example.com>"}
        - configMapRef: {name: "https://example.com www.example.com #1 a@example.com **x** _y_ ~~z~~ &lt; \\"}
        - configMapRef: {name: "` + "` `` ``` ```` `" + `"}
        - configMapRef: {name: "{0} {{1}} %s \u2028 \x01 ::error::"}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
data: {"bad key": "*"}
`,
}

func many() string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d}\ndata: {a: yes}\n", i)
	}
	return b.String()
}

// reports are what restamp says of each input in a format, from standard input
// and from a file with an odd name.
func reports(t *testing.T, format string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	file := filepath.Join(t.TempDir(), "a b,%:#?.yaml")
	for name, input := range inputs {
		if err := os.WriteFile(file, []byte(input), 0o644); err != nil {
			t.Fatal(err)
		}
		all[name] = stderr(t, input, "lint", "-v", "--report", format)
		all[name+", file"] = stderr(t, "", "lint", "-v", "--report", format, file)
		all[name+", check"] = stderr(t, input, "stamp", "--check", "--fail-on", "none", "--report", format, "-")
	}
	all["no file"] = stderr(t, "", "lint", "--report", format, "none.yaml", "none\n.yaml")
	return all
}

func stderr(t *testing.T, input string, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Run(args, strings.NewReader(input), &stdout, &stderr); code > 1 {
		t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
	}
	return stderr.Bytes()
}

// validate reads a text and holds it against a schema.
func validate(t *testing.T, schema *jsonschema.Schema, name string, text []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func compile(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", v); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestJSON: what --report json writes is as its schema says.
func TestJSON(t *testing.T) {
	text, err := os.ReadFile("../../docs/schemas/report.v1alpha1.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := compile(t, text)
	for name, report := range reports(t, "json") {
		validate(t, schema, name, report)
	}
	for _, wrong := range []string{`{}`, `{"apiVersion": "restamp.dev/v1alpha1", "kind": "Report", "findings": [{}]}`} {
		v, _ := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if schema.Validate(v) == nil {
			t.Errorf("the schema takes %s", wrong)
		}
	}
	held(t, text, reports(t, "json")["odd"])
}

// held: the schema describes every field that a finding has.
func held(t *testing.T, schema, report []byte) {
	t.Helper()
	var described struct {
		Definitions map[string]struct{ Properties map[string]any }
	}
	var written struct{ Findings []map[string]any }
	if err := errors.Join(json.Unmarshal(schema, &described), json.Unmarshal(report, &written)); err != nil {
		t.Fatal(err)
	}
	for _, finding := range written.Findings {
		for field := range finding {
			if described.Definitions["finding"].Properties[field] == nil {
				t.Errorf("the schema does not describe %s", field)
			}
		}
	}
}

// TestSARIF: what --report sarif writes is valid, and a reader of SARIF finds in
// it what --report json has.
func TestSARIF(t *testing.T) {
	schema := compile(t, sarifSchema(t))
	counts := make(map[string]int)
	for name, report := range reports(t, "json") {
		var r struct{ Findings []any }
		if err := json.Unmarshal(report, &r); err != nil {
			t.Fatal(err)
		}
		counts[name] = len(r.Findings)
	}
	for name, report := range reports(t, "sarif") {
		validate(t, schema, name, report)
		log, err := sarif.FromBytes(report)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		run := log.Runs[0]
		if len(run.Results) != counts[name] {
			t.Errorf("%s: %d results, not %d", name, len(run.Results), counts[name])
		}
		failed := strings.HasPrefix(name, "unreadable") || strings.HasPrefix(name, "empty") || name == "no file"
		if told := len(run.Invocations[0].ToolExecutionNotifications) > 0; told != failed || *run.Invocations[0].ExecutionSuccessful == failed {
			t.Errorf("%s: failed %t, notified %t", name, failed, told)
		}
		for _, result := range run.Results {
			if rule := run.Tool.Driver.Rules[result.RuleIndex]; *rule.ID != *result.RuleID {
				t.Errorf("%s: rule %d is %s, not %s", name, result.RuleIndex, *rule.ID, *result.RuleID)
			}
		}
	}
}

// sarifSchema is the schema of SARIF 2.1.0 (OASIS, errata 01), which go-sarif
// has as a constant of its own.
func sarifSchema(t *testing.T) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "sarif-schema-2.1.0.json") {
		t.Fatalf("%s has no schema (%v)", path, err)
	}
	return []byte(text)
}

// TestMarkdown: a comment holds what is from the input in code spans alone, has
// no elements and links but ours, and is not too long for GitHub.
func TestMarkdown(t *testing.T) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for name, report := range reports(t, "markdown") {
		if len(report) > 65_536 {
			t.Errorf("%s: %d bytes", name, len(report))
		}
		var page bytes.Buffer
		if err := markdown.Convert(report, &page); err != nil {
			t.Fatal(err)
		}
		for _, fault := range foreign(t, page.Bytes()) {
			t.Errorf("%s: %s in\n%s", name, fault, report)
		}
	}
	odd := string(reports(t, "markdown")["odd"])
	for _, part := range []string{"onerror=alert(1)", "javascript:alert(1)", "a@example.com", "{0} {{1}} %s"} {
		if !strings.Contains(odd, part) {
			t.Errorf("%s is not told:\n%s", part, odd)
		}
	}
}

// foreign are the elements of a page that a report does not have, and the texts
// outside of code that look like something from the input.
func foreign(t *testing.T, page []byte) (faults []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{
		"html": true, "head": true, "body": true, "h3": true, "p": true, "ul": true, "li": true, "strong": true, "code": true,
		"table": true, "thead": true, "tbody": true, "tr": true, "th": true, "td": true, "a": true,
	}
	for n := range root.Descendants() {
		switch {
		case n.Type == html.ElementNode && !known[n.Data]:
			faults = append(faults, "element "+n.Data)
		case n.Type == html.CommentNode || n.Type == html.ElementNode && n.Data == "a" && !strings.HasPrefix(n.Attr[0].Val, "https://github.com/restamp/restamp/blob/main/docs/findings.md#"):
			faults = append(faults, fmt.Sprintf("%s %v", n.Data, n.Attr))
		case n.Type == html.TextNode && n.Parent.Data != "code" && strings.ContainsAny(n.Data, "@#<>[]`{}"):
			faults = append(faults, fmt.Sprintf("text %q", n.Data))
		}
	}
	return faults
}
