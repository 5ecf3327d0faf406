package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/cli"
)

var (
	findingSection = regexp.MustCompile(`(?m)^## ([a-z-]+)$`)
	findingFile    = regexp.MustCompile("```yaml\n# ([^\n]+)\n([^`]*)```\n")
	findingExample = regexp.MustCompile("```yaml\n# ([^\n]+)\n([^`]*)```\n\n```sh\n(! )?restamp ([^\n]+)\n```")
)

// TestFindingsPage: docs/findings.md has a section about every code, in the
// order of the table, and only those. Each begins with the usual severity, says
// how to mend and to silence it, and has a manifest with that finding alone.
func TestFindingsPage(t *testing.T) {
	text, err := os.ReadFile("docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	var codes, want []string
	for _, r := range graph.Rules {
		want = append(want, string(r.Code))
	}
	sections := findingSection.FindAllSubmatchIndex(text, -1)
	t.Chdir(t.TempDir())
	for i, at := range sections {
		end := len(text)
		if i+1 < len(sections) {
			end = sections[i+1][0]
		}
		code := string(text[at[2]:at[3]])
		codes = append(codes, code)
		t.Run(code, func(t *testing.T) { checkSection(t, graph.RuleOf(graph.Code(code)), string(text[at[1]:end])) })
	}
	if !slices.Equal(codes, want) {
		t.Errorf("the page has sections about\n%q\nnot\n%q", codes, want)
	}
}

func checkSection(t *testing.T, rule graph.Rule, section string) {
	severity := rule.Severity.String()
	if begins := "\n\n" + strings.ToUpper(severity[:1]) + severity[1:]; !strings.HasPrefix(section, begins) {
		t.Errorf("the section does not begin with %q", begins)
	}
	if !strings.Contains(section, "\n*To mend it*, ") || !strings.Contains(section, "silence it") {
		t.Error("the section does not say how to mend or to silence it")
	}
	example := findingExample.FindStringSubmatch(section)
	if example == nil {
		t.Fatal("the section has no manifest with a command")
	}
	name, fails, command := example[1], example[3] != "", example[4]
	if name != string(rule.Code)+".yaml" {
		t.Fatalf("the manifest is called %s", name)
	}
	for _, file := range findingFile.FindAllStringSubmatch(section, -1) {
		if err := os.WriteFile(file[1], []byte(file[2]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(append(strings.Fields(command), "--report", "json"), strings.NewReader(""), &stdout, &stderr)
	if code > 1 || code == 1 != fails {
		t.Errorf("%s: exit code %d", command, code)
	}
	var report struct {
		Findings []struct{ Code, Severity string }
	}
	if err := json.Unmarshal(stderr.Bytes(), &report); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, &stderr)
	}
	found := 0
	for _, f := range report.Findings {
		switch {
		case f.Code == string(rule.Code) && f.Severity == severity:
			found++
		case f.Code != string(graph.FirstStamp): // which every new workload has
			t.Errorf("%s: %s %s", command, f.Severity, f.Code)
		}
	}
	if found != 1 {
		t.Errorf("%s: the finding is there %d times", command, found)
	}
}
