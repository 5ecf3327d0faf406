package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"restamp": func() { os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the scripts in testdata, each a story of the command line.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// TestEveryCommandHasAnExample: help shows one.
func TestEveryCommandHasAnExample(t *testing.T) {
	for _, cmd := range newRoot(new(options)).Commands() {
		if !cmd.HasExample() && cmd.Name() != "completion" && cmd.Name() != "help" {
			t.Errorf("%s has no example", cmd.Name())
		}
	}
}

// TestFoldersMakeNoLines: the name of a folder is no command to a CI system.
func TestFoldersMakeNoLines(t *testing.T) {
	dir := t.TempDir()
	app := filepath.Join(dir, "in", "a\n::error::")
	if err := os.MkdirAll(app, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(app, "a.yaml"), []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: [\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	code := Run([]string{"build", "--all", filepath.Join(dir, "in"), "-o", filepath.Join(dir, "out")}, strings.NewReader(""), io.Discard, &stderr)
	if code != atFault || strings.Contains("\n"+stderr.String(), "\n::") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

// TestFailingOutput: a stream that cannot be written is an error.
func TestFailingOutput(t *testing.T) {
	in := strings.NewReader("kind: A\n")
	var stderr bytes.Buffer
	if code := Run(nil, in, failingWriter{}, &stderr); code != atFault || !strings.Contains(stderr.String(), "writing the stream: short write") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestRepositoryRoot(t *testing.T) {
	for _, c := range []struct{ dir, source, want string }{
		{"/tmp/x/apps/web", "apps/web", "/tmp/x"},
		{"/tmp/x/apps/web", "./apps/web/", "/tmp/x"},
		{"/tmp/x", ".", "/tmp/x"},
		{"/tmp/x", "", "/tmp/x"},
		{"/tmp/x/web", "apps/web", "/tmp/x"}, // Argo CD sent the folder apps alone
		{"/tmp/x", "apps/web", "/tmp/x"},
		{"/web", "web/web", "/"},
	} {
		if got := repositoryRoot(c.dir, c.source); got != c.want {
			t.Errorf("repositoryRoot(%q, %q) is %q, want %q", c.dir, c.source, got, c.want)
		}
	}
}

// TestWorkspace: what a killed run has left goes; what another one has in use
// stays, and so does what is nobody's workspace.
func TestWorkspace(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	killed, unmarked := workspacePrefix+"killed", workspacePrefix+"unmarked"
	write(t, tmp, killed+"/"+workspaceMark, "")
	write(t, tmp, killed+"/file", "")
	write(t, tmp, unmarked+"/file", "")
	write(t, tmp, "restamp-bin/"+workspaceMark, "")
	remove, err := workspace()
	if err != nil {
		t.Fatal(err)
	}
	used := os.Getenv("TMPDIR")
	sweep(tmp)
	want := []string{"restamp-bin", unmarked, filepath.Base(used)}
	if !locks {
		want = append(want, killed)
	}
	slices.Sort(want)
	if got := namesIn(t, tmp); !slices.Equal(got, want) {
		t.Errorf("there is %v, want %v", got, want)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if slices.Contains(namesIn(t, tmp), filepath.Base(used)) || os.Getenv("TMPDIR") != tmp {
		t.Errorf("there is %v still, or TMPDIR is %s", namesIn(t, tmp), os.Getenv("TMPDIR"))
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
