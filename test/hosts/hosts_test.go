// Package hosts runs restamp through the hosts that people render with:
// kustomize, kubectl, kpt, Helm 3 and Helm 4, and as a container.
//
// The script run builds what the tests need. A host that cannot be built fails
// them; kpt, kubectl and podman are taken where they are installed, and
// reported where they are not.
package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

// The programs that run builds.
var (
	restamp   = os.Getenv("RESTAMP_TEST_BINARY")
	kustomize = os.Getenv("RESTAMP_TEST_KUSTOMIZE")
	helm3     = os.Getenv("RESTAMP_TEST_HELM3")
	helm4     = os.Getenv("RESTAMP_TEST_HELM4")
)

// environment is that of every process: restamp is on PATH, and no setting of
// the user's gets in.
var environment []string

// notRun are the programs that are not installed.
var notRun = make(map[string]bool)

func TestMain(m *testing.M) {
	if restamp == "" || kustomize == "" || helm3 == "" || helm4 == "" {
		fmt.Fprintln(os.Stderr, "the hosts are not built: run `make test-hosts`")
		os.Exit(1)
	}
	home, err := os.MkdirTemp("", "restamp-hosts-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	environment = []string{
		"HOME=" + home,
		"PATH=" + filepath.Dir(restamp) + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
	code := m.Run()
	if err := os.RemoveAll(home); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	for _, name := range slices.Sorted(maps.Keys(notRun)) {
		fmt.Printf("not run: %s is not installed\n", name)
	}
	os.Exit(code)
}

// need skips a test where a program is not installed, and has it reported.
func need(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			notRun[name] = true
			t.Skipf("not run: %s is not installed", name)
		}
	}
}

// A call is a process to be: where it runs, what it reads, and what its
// environment has more.
type call struct {
	dir, stdin string
	env        []string
}

// A result is what became of a process.
type result struct {
	stdout, stderr string
	code           int
}

func (c call) run(t *testing.T, name string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.dir, strings.NewReader(c.stdin), &stdout, &stderr
	cmd.Env = append(slices.Clone(environment), c.env...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs a process that has to succeed.
func (c call) must(t *testing.T, name string, args ...string) result {
	t.Helper()
	r := c.run(t, name, args...)
	if r.code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s%s", filepath.Base(name), strings.Join(args, " "), r.code, r.stderr, r.stdout)
	}
	return r
}

// fails runs a process that has to fail with all of these words on stderr.
func (c call) fails(t *testing.T, words []string, name string, args ...string) result {
	t.Helper()
	r := c.run(t, name, args...)
	if r.code == 0 {
		t.Fatalf("%s %s: exit code 0\n%s%s", filepath.Base(name), strings.Join(args, " "), r.stderr, r.stdout)
	}
	says(t, r.stderr, words...)
	return r
}

func says(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("no %q in:\n%s", word, text)
		}
	}
}

// folder makes a folder of files, given in txtar's form.
func folder(t *testing.T, archives ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, archive := range archives {
		for _, file := range txtar.Parse([]byte(archive)).Files {
			write(t, filepath.Join(dir, file.Name), string(file.Data))
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func script(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, "#!/bin/sh\nset -eu\n"+text)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files reads all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[name] = read(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// objects reads a stream's objects, those of lists too.
func objects(t *testing.T, stream string) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := yaml.NewDecoder(strings.NewReader(stream))
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, stream)
		}
		items, list := object["items"].([]any)
		if !list && object != nil {
			all = append(all, object)
		}
		for _, item := range items {
			all = append(all, item.(map[string]any))
		}
	}
}

const annotation = "restamp.dev/config-hash"

// at goes down a tree.
func at(tree map[string]any, path ...string) map[string]any {
	for _, name := range path {
		tree, _ = tree[name].(map[string]any)
	}
	return tree
}

// template is an object's pod template.
func template(object map[string]any) map[string]any {
	if object["kind"] == "CronJob" {
		return at(object, "spec", "jobTemplate", "spec", "template")
	}
	return at(object, "spec", "template")
}

// stamps finds the stamps of a stream, by kind, namespace and name.
func stamps(t *testing.T, stream string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, object := range objects(t, stream) {
		stamp, ok := at(template(object), "metadata", "annotations")[annotation].(string)
		if !ok {
			continue
		}
		metadata := at(object, "metadata")
		namespace, _ := metadata["namespace"].(string)
		found[fmt.Sprintf("%s/%s/%s", object["kind"], namespace, metadata["name"])] = stamp
	}
	return found
}

// unstamped reads a stream's objects without their stamps.
func unstamped(t *testing.T, stream string) []map[string]any {
	t.Helper()
	all := objects(t, stream)
	for _, object := range all {
		metadata := at(template(object), "metadata")
		annotations := at(metadata, "annotations")
		delete(annotations, annotation)
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
		if len(metadata) == 0 {
			delete(template(object), "metadata")
		}
	}
	return all
}

// filter stamps a stream in a plain pipe: what every host is compared with.
func filter(t *testing.T, stream string, args ...string) string {
	t.Helper()
	return call{stdin: stream}.must(t, restamp, args...).stdout
}

// stamped fails a test unless a stream has n stamps, all as they should be.
func stamped(t *testing.T, stream string, n int) {
	t.Helper()
	if found := stamps(t, stream); len(found) != n {
		t.Fatalf("%d stamps, not %d: %v in:\n%s", len(found), n, found, stream)
	}
	if r := (call{stdin: stream}).run(t, restamp, "stamp", "--check", "-"); r.code != 0 {
		t.Errorf("--check: exit code %d\n%s%s\n%s", r.code, r.stdout, r.stderr, stream)
	}
}

// added are the lines that restamp may add: a stamp, the map that it is in, and
// a function's results.
var added = regexp.MustCompile(`^ *annotations:$|^ *` + regexp.QuoteMeta(annotation) + `: "h1:[0-9a-f]{64}"$|^results:$|^- \{"message":`)

// onlyStampsAdded fails a test unless all lines of a text are in another one,
// as they were and in their order, and only stamps beside them.
func onlyStampsAdded(t *testing.T, before, after string) {
	t.Helper()
	rest := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		i := slices.Index(rest, line)
		if i < 0 {
			t.Fatalf("lost or moved: %q in:\n%s", line, after)
		}
		for _, more := range rest[:i] {
			if !added.MatchString(more) {
				t.Fatalf("%q stands before %q in:\n%s", more, line, after)
			}
		}
		rest = rest[i+1:]
	}
	if len(rest) > 0 {
		t.Fatalf("added at the end: %q", rest)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// app is a small application: two workloads, one of them with a Secret.
const app = `
-- config.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: cfg
data:
  level: info # how much to say
  unused: "1"
-- secret.yaml --
apiVersion: v1
kind: Secret
metadata:
  name: token
stringData:
  token: hunter2
-- web.yaml --
# What customers see.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        image: "web:1"
        env:
        - name: LEVEL
          valueFrom:
            configMapKeyRef: {name: cfg, key: level}
        envFrom:
        - secretRef:
            name: token
-- db.yaml --
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  selector:
    matchLabels:
      app: db
  serviceName: db
  template:
    metadata:
      labels:
        app: db
      annotations:
        team: data
    spec:
      containers:
        - name: db
          image: db:1
          volumeMounts:
            - name: cfg
              mountPath: /etc/db
      volumes:
        - name: cfg
          configMap:
            name: cfg
`
