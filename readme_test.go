package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestReadmeCommands runs every command of the README, in order, in a folder
// with the examples, a chart and rendered manifests. helm and kubectl are
// stand-ins here: one prints an example, the other wants a stamp in what it is
// given.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and installs")
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("README.md has %d blocks of commands", len(blocks))
	}
	place := stage(t)
	tests := 0
	for _, block := range blocks {
		switch commands := strings.TrimSpace(block[1]); {
		case commands == "go test ./...":
			tests++ // this very run
		case strings.HasPrefix(commands, "go install"):
			run(t, place, ".", commands)
		default:
			run(t, place, place, commands)
		}
	}
	if tests != 1 {
		t.Errorf("README.md says %d times how to run the tests", tests)
	}
}

var exampleCommand = regexp.MustCompile(`(?m)^ {4,}(restamp .*)$`)

// TestExampleCommands runs what the examples' own pages say.
func TestExampleCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	pages, err := filepath.Glob("examples/*/README.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("found %d pages (%v)", len(pages), err)
	}
	place := stage(t)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		commands := exampleCommand.FindAllStringSubmatch(string(text), -1)
		if len(commands) == 0 {
			t.Errorf("%s shows no command", page)
		}
		for _, command := range commands {
			run(t, place, place, command[1])
		}
	}
}

// stage makes the folder in which the commands run.
func stage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("examples")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "rendered"), os.DirFS("examples/first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "rendered", "out.yaml")); err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]string{
		"helm":    "#!/bin/sh\ntest \"$1 $2 $3\" = 'template shop ./chart' && cat examples/first/in.yaml\n",
		"kubectl": "#!/bin/sh\ntest \"$*\" = 'apply -f -' && grep -q restamp.dev/config-hash\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(binary, filepath.Join(dir, "restamp")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// built is a restamp that all tests share: linking it takes seconds.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "restamp-built-")
	if err != nil {
		return "", err
	}
	remove = append(remove, dir)
	if out, err := exec.Command("go", "build", "-o", dir, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building: %w\n%s", err, out)
	}
	return filepath.Join(dir, "restamp"), nil
})

// remove are the folders that tests share.
var remove []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range remove {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func run(t *testing.T, place, dir, commands string) {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"PATH="+place+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOPATH="+filepath.Join(place, "go"), "GOBIN=", "GOMODCACHE="+strings.TrimSpace(string(cache)))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", commands, err, out)
	}
}

// TestReadmeShowsTheFirstExample: the stamp on the first screen is a real one.
func TestReadmeShowsTheFirstExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile("examples/first/out.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(readme)) {
		if added, ok := strings.CutPrefix(line, "+ "); ok && !strings.Contains(string(out), strings.TrimSpace(added)) {
			t.Errorf("examples/first/out.yaml does not have %s", added)
		}
	}
}
