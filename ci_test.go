package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// decode reads a file of YAML; a field that the type does not have is an error.
func decode(t *testing.T, file string, into any) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoder := yaml.NewDecoder(f)
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// A shell is where a CI system runs its commands.
type shell struct {
	dir, path string
	env       map[string]string
}

// newShell makes a repository with rendered manifests in it, and restamp beside
// it.
func newShell(t *testing.T) shell {
	t.Helper()
	if testing.Short() {
		t.Skip("builds")
	}
	place := stage(t)
	s := shell{dir: filepath.Join(place, "repository"), path: place, env: make(map[string]string)}
	if err := os.CopyFS(filepath.Join(s.dir, "rendered"), os.DirFS(filepath.Join(place, "rendered"))); err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs commands, and returns their exit code and what they say.
func (s shell) run(t *testing.T, commands string) (int, string) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", commands)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.path+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		cmd.Env = append(cmd.Env, name+"="+s.env[name])
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// want runs commands that have to end with an exit code, and to say something.
func (s shell) want(t *testing.T, code int, words, commands string) {
	t.Helper()
	got, out := s.run(t, commands)
	if got != code || !strings.Contains(out, words) {
		t.Errorf("%s\nexit code %d, not %d, or no %q in:\n%s", commands, got, code, words, out)
	}
}

// checks tries commands that have to fail until the manifests are stamped.
func (s shell) checks(t *testing.T, commands string) {
	t.Helper()
	s.want(t, 0, "", "cp ../rendered/in.yaml rendered/in.yaml")
	s.want(t, 1, "Deployment/shop/web: spec.template: there is no stamp yet", commands)
	s.want(t, 0, "", "restamp stamp -w rendered")
	s.want(t, 0, "", commands)
	s.want(t, 0, "", "sed -i s/info/debug/ rendered/in.yaml")
	s.want(t, 1, "the stamp is stale", commands)
	s.want(t, 0, "", "restamp stamp -w rendered")
}

// TestPreCommitHooks calls the hooks as pre-commit does: at the root of a
// repository, with the entry, its arguments, and no file names.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language string
		Args                                   []string
		PassFilenames                          bool `yaml:"pass_filenames"`
		AlwaysRun                              bool `yaml:"always_run"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	commands := make(map[string]string)
	for _, hook := range hooks {
		if hook.Language != "golang" || hook.PassFilenames || !hook.AlwaysRun || hook.Name == "" || hook.Description == "" {
			t.Errorf("%+v", hook)
		}
		commands[hook.ID] = strings.Join(append([]string{hook.Entry}, hook.Args...), " ")
	}
	s := newShell(t)
	s.want(t, 0, "", "git init -q . && git add .")
	s.checks(t, commands["restamp"])

	s.want(t, 0, "", "sed -i s/debug/warn/ rendered/in.yaml")
	s.want(t, 0, "1 of 1 files written", commands["restamp-write"])
	s.want(t, 0, "", commands["restamp"])
}

var input = regexp.MustCompile(`^\$\{\{ inputs\.([a-z]+) \}\}$`)

// An action is what the GitHub Action's file may say.
type action struct {
	Name, Description, Author string
	Branding                  map[string]string
	Inputs                    map[string]struct{ Description, Default string }
	Runs                      struct {
		Using string
		Steps []struct {
			Name, Shell, Run string
			Env              map[string]string
		}
	}
}

// TestAction runs the steps of the GitHub Action.
func TestAction(t *testing.T) {
	var action action
	decode(t, "action.yml", &action)
	if action.Runs.Using != "composite" || len(action.Runs.Steps) != 2 {
		t.Fatalf("%+v", action.Runs)
	}
	for _, step := range action.Runs.Steps {
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an input in a command can be any command", step.Name)
		}
	}
	s := newShell(t)
	install, check := action.Runs.Steps[0], action.Runs.Steps[1]
	given := func(inputs map[string]string) {
		for variable, value := range check.Env {
			name := input.FindStringSubmatch(value)[1]
			s.env[variable] = action.Inputs[name].Default
			if text, ok := inputs[name]; ok {
				s.env[variable] = text
			}
		}
	}

	s.want(t, 0, "restamp", install.Run) // there it is
	given(nil)
	s.want(t, 1, "::error file=rendered/in.yaml,line=20,", check.Run) // at its line in the pull request
	s.checks(t, check.Run)
	given(map[string]string{"paths": "rendered\n\n", "args": "--strict -n shop\n--quiet"})
	s.checks(t, check.Run)
	given(map[string]string{"paths": "\n"})
	s.want(t, 2, "nothing to check", check.Run)
	given(map[string]string{"paths": "none\nrendered"})
	s.want(t, 1, "reading none", check.Run)
	given(map[string]string{"paths": "--help\n$(touch here)\nrendered"})
	s.want(t, 1, "reading --help", check.Run)
	given(map[string]string{"args": "--no-such-flag"})
	s.want(t, 1, "no-such-flag", check.Run)
	if _, err := os.Stat(filepath.Join(s.dir, "here")); err == nil {
		t.Error("an input was run as a command")
	}

	// Two environments have objects of the same names.
	s.want(t, 0, "", "restamp stamp -w rendered && cp -r rendered production && sed -i s/debug/error/ production/in.yaml && restamp stamp -w production")
	given(map[string]string{"paths": "rendered\nproduction"})
	s.want(t, 0, "", check.Run)
}

// TestActionInstalls: without a restamp the action builds its own.
func TestActionInstalls(t *testing.T) {
	var action action
	decode(t, "action.yml", &action)
	s := newShell(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	s.env = map[string]string{
		"PATH":               filepath.Dir(tool) + ":/usr/bin:/bin",
		"GITHUB_ACTION_PATH": here, "GITHUB_PATH": filepath.Join(s.dir, "path"), "RUNNER_TEMP": s.dir,
	}
	s.want(t, 0, "", action.Runs.Steps[0].Run)
	s.want(t, 0, "restamp ", `"$(cat path)/restamp" version`)
}

// TestGitLab runs the script of the job.
func TestGitLab(t *testing.T) {
	var file struct {
		Variables map[string]string
		Restamp   struct {
			Stage, Image string
			Before       []string `yaml:"before_script"`
			Script       []string
		}
	}
	decode(t, "deploy/gitlab/restamp.gitlab-ci.yml", &file)
	module := exec.Command("go", "list", "-m")
	name, err := module.Output()
	if err != nil {
		t.Fatal(err)
	}
	if install := strings.Join(file.Restamp.Before, "\n"); !strings.Contains(install, strings.TrimSpace(string(name))+"@$RESTAMP_VERSION") {
		t.Errorf("it installs something else: %s", install)
	}
	s := newShell(t)
	s.env = file.Variables
	script := strings.Join(file.Restamp.Script, "\n")
	s.checks(t, script)
	s.env["RESTAMP_PATHS"], s.env["RESTAMP_ARGS"] = "rendered", "--strict -q"
	s.checks(t, script)
	s.env["RESTAMP_PATHS"] = ""
	s.want(t, 2, "nothing to check", script)
}

var yamlBlock = regexp.MustCompile("(?s)```yaml\n# (\\S+)\n(.*?)```")

// TestDocumentedCI: what docs/ci.md asks for is what the files here offer.
func TestDocumentedCI(t *testing.T) {
	text, err := os.ReadFile("docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := make(map[string]string)
	for _, m := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
		blocks[m[1]] = m[2]
	}
	has := func(file string, words ...string) {
		shipped, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if !strings.Contains(string(shipped), word) {
				t.Errorf("%s has no %q", file, word)
			}
		}
	}
	var preCommit struct {
		Repos []struct {
			Hooks []struct{ ID string }
		}
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	var gitlab struct {
		Include   []struct{ Remote string }
		Variables map[string]string
	}
	for file, into := range map[string]any{".pre-commit-config.yaml": &preCommit, ".github/workflows/stamps.yaml": &workflow, ".gitlab-ci.yml": &gitlab} {
		if err := yaml.Unmarshal([]byte(blocks[file]), into); err != nil {
			t.Fatal(err)
		}
	}
	has(".pre-commit-hooks.yaml", "- id: "+preCommit.Repos[0].Hooks[0].ID+"\n", "- id: restamp-write\n")
	step := workflow.Jobs["stamps"].Steps[1]
	for name := range step.With {
		has("action.yml", "\n  "+name+":\n")
	}
	_, file, _ := strings.Cut(gitlab.Include[0].Remote, "/v0.1.0/")
	for name := range gitlab.Variables {
		has(file, "\n  "+name+": ")
	}
}
