package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// newRequest makes a repository of which the last commit is a pull request as it
// would be merged: its first parent is what it is merged into.
func newRequest(t *testing.T) shell {
	t.Helper()
	s := newShell(t)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		s.env["GIT_"+who+"_NAME"], s.env["GIT_"+who+"_EMAIL"] = "a", "a@example.com"
	}
	s.env["GIT_CONFIG_GLOBAL"] = os.DevNull
	s.env["CALLS"] = filepath.Join(s.dir, "calls")
	s.want(t, 0, "", `
git init -q . && git add rendered && git commit -qm base
git checkout -qb change && sed -i s/info/debug/ rendered/in.yaml && git commit -qam change
git checkout -q - && git merge -q --no-ff -m merge change`)
	return s
}

// stand puts a stand-in for a program on the path.
func (s shell) stand(t *testing.T, program, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.path, program), []byte("#!/usr/bin/env bash\nset -eu\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// calls are what the stand-ins were asked for since the last time.
func (s shell) calls(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(s.env["CALLS"])
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	os.Remove(s.env["CALLS"])
	return string(text)
}

const comment = "<!-- restamp-diff -->\n### restamp: 1 workload restarts (3 pods)\n"

// TestGitHubDiff runs the steps of the workflow, with a stand-in for gh that
// knows the comments of a file.
func TestGitHubDiff(t *testing.T) {
	type step struct {
		Name, Uses, If, Run string
		With                map[string]any
		Env                 map[string]string
	}
	var flow struct {
		Name        string
		On          string
		Permissions map[string]string
		Concurrency map[string]any
		Env         map[string]string
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []step
		}
	}
	decode(t, "deploy/github/restamp-diff.yaml", &flow)
	if flow.On != "pull_request" || len(flow.Permissions) != 2 || flow.Permissions["contents"] != "read" || flow.Permissions["pull-requests"] != "write" {
		t.Errorf("on %s with %v", flow.On, flow.Permissions)
	}
	steps := make(map[string]step)
	for _, step := range flow.Jobs["diff"].Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: what comes from outside can be any command", step.Name)
		}
		steps[step.Name] = step
	}
	s := newRequest(t)
	for name, value := range flow.Env {
		s.env[name] = value
	}
	s.env["RUNNER_TEMP"], s.env["GITHUB_STEP_SUMMARY"] = t.TempDir(), filepath.Join(s.dir, "summary")

	s.want(t, 0, "", steps["Compare"].Run)
	s.want(t, 0, comment, "cat summary")
	s.want(t, 0, "<title>restamp diff: 1 workload restarts (3 pods)</title>", "cat $RUNNER_TEMP/restamp-diff.html")

	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not there, for the stand-in")
	}
	for variable := range steps["Comment"].Env {
		s.env[variable] = "7"
	}
	s.stand(t, "gh", `
case "$*" in
*--jq*) test "$1 $2 $3" = "api --paginate repos/7/issues/7/comments" && jq -r "$5" comments.json ;;
*) printf '%s\n' "$*" >> "$CALLS"; cat "${!##*@}" >> "$CALLS" ;;
esac
`)
	for comments, want := range map[string]string{
		`[]`: "api --silent --method POST repos/7/issues/7/comments -F body=@",
		`[{"id": 1, "user": {"login": "someone"}, "body": "<!-- restamp-diff --> mine"}, {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "else"}]`:                                   "--method POST repos/7/issues/7/comments",
		`[{"id": 3, "user": {"login": "github-actions[bot]"}, "body": "<!-- restamp-diff -->\nold"}, {"id": 4, "user": {"login": "github-actions[bot]"}, "body": "<!-- restamp-diff -->\nold"}]`: "--method PATCH repos/7/issues/comments/3 ",
		`[{"id": 5, "user": {"login": "github-actions[bot]"}, "body": "<!-- restamp-diff:eu -->\nanother"}]`:                                                                                     "--method POST repos/7/issues/7/comments",
	} {
		if err := os.WriteFile(filepath.Join(s.dir, "comments.json"), []byte(comments), 0o644); err != nil {
			t.Fatal(err)
		}
		s.want(t, 0, "", steps["Comment"].Run)
		if calls := s.calls(t); !strings.Contains(calls, want) || !strings.Contains(calls, comment) || strings.Count(calls, "api ") != 1 {
			t.Errorf("%s: %s", comments, calls)
		}
	}
	s.stand(t, "gh", "echo may not >&2; exit 1\n")
	s.want(t, 1, "may not", steps["Comment"].Run)

	s.want(t, 0, "::notice ", steps["Budget"].Run)
	s.env["MAX_RESTARTS"] = "0"
	s.want(t, 1, "--max-restarts allows 0: Deployment/shop/web", steps["Budget"].Run)
	s.env["RENDERED"] = "rendered; touch here"
	s.want(t, 1, "reading rendered; touch here: no such file", steps["Compare"].Run)
	if _, err := os.Stat(filepath.Join(s.dir, "here")); err == nil {
		t.Error("a name was run as a command")
	}
}

// TestGitLabDiff runs the script of the job, with a stand-in for curl that is
// the API.
func TestGitLabDiff(t *testing.T) {
	var file struct {
		Variables map[string]string
		Diff      struct {
			Stage, Image string
			Rules        []map[string]string
			Before       []string `yaml:"before_script"`
			Script       []string
			Artifacts    map[string]any
		} `yaml:"restamp-diff"`
	}
	decode(t, "deploy/gitlab/restamp-diff.gitlab-ci.yml", &file)
	script := strings.Join(file.Diff.Script, "\n")
	s := newRequest(t)
	for name, value := range file.Variables {
		s.env[name] = value
	}
	for name, value := range map[string]string{
		"CI_API_V4_URL": "https://gitlab.example.com/api/v4", "CI_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "8",
		"CI_MERGE_REQUEST_DIFF_BASE_SHA": "", "RESTAMP_COMMENT_TOKEN": "",
	} {
		s.env[name] = value
	}
	s.want(t, 0, "", "git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git rev-parse HEAD^1 > base")
	base, err := os.ReadFile(filepath.Join(s.dir, "base"))
	if err != nil {
		t.Fatal(err)
	}
	s.env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = strings.TrimSpace(string(base))

	s.stand(t, "curl", "exit 9\n")
	s.want(t, 0, "1 workload restarts (3 pods)", script) // without a token
	s.want(t, 0, comment, "cat restamp-diff.md")
	s.want(t, 0, "<title>restamp diff: 1 workload restarts (3 pods)</title>", "cat restamp-diff.html")
	s.env["RESTAMP_MAX_RESTARTS"] = "0"
	s.want(t, 1, "--max-restarts allows 0: Deployment/shop/web", script)
	s.env["RESTAMP_MAX_RESTARTS"] = "-1"

	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not there, which the job installs")
	}
	s.env["RESTAMP_COMMENT_TOKEN"] = "glpat-secret"
	s.stand(t, "curl", `
for word; do case $word in *glpat*) echo "the token is among the arguments" >&2; exit 1;; esac; done
test "$1 $2 $3 $4" = "--silent --show-error --fail --header"
test "$(cat "${5#@}")" = "PRIVATE-TOKEN: glpat-secret"
shift 5
url=${!#}
case $url in
*/user) echo '{"id": 42}' ;;
*/notes\?per_page=100\&page=1) cat notes.json ;;
*/notes\?*) echo '[]' ;;
*) printf '%s\n' "$4 $url" >> "$CALLS"; cat "${6#body@}" >> "$CALLS" ;;
esac
`)
	for notes, want := range map[string]string{
		`[]`: "POST https://gitlab.example.com/api/v4/projects/7/merge_requests/8/notes\n",
		`[{"id": 1, "author": {"id": 41}, "body": "<!-- restamp-diff --> mine"}, {"id": 2, "author": {"id": 42}, "body": "else"}]`:                       "POST https://gitlab.example.com/api/v4/projects/7/merge_requests/8/notes\n",
		`[{"id": 3, "author": {"id": 42}, "body": "<!-- restamp-diff -->\nold"}, {"id": 4, "author": {"id": 42}, "body": "<!-- restamp-diff -->\nold"}]`: "PUT https://gitlab.example.com/api/v4/projects/7/merge_requests/8/notes/3\n",
	} {
		if err := os.WriteFile(filepath.Join(s.dir, "notes.json"), []byte(notes), 0o644); err != nil {
			t.Fatal(err)
		}
		s.want(t, 0, "", script)
		if calls := s.calls(t); !strings.HasPrefix(calls, want+comment) {
			t.Errorf("%s: %s", notes, calls)
		}
	}
}

var installed = regexp.MustCompile(`go install "?(\S+?)@`)

// TestDiffRecipesInstallThis: the recipes install this very module.
func TestDiffRecipesInstallThis(t *testing.T) {
	name, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"deploy/github/restamp-diff.yaml", "deploy/gitlab/restamp-diff.gitlab-ci.yml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := installed.FindStringSubmatch(string(text)); m == nil || m[1] != strings.TrimSpace(string(name)) {
			t.Errorf("%s installs %v", file, m)
		}
	}
}
