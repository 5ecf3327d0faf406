package cli

import (
	"bytes"
	"io"
	"os"
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
