// Package argocd runs restamp in Argo CD's own config-management server, over
// its socket and with its client, by the plugin.yaml that restamp ships.
//
// The programs come from the environment: RESTAMP_TEST_BINARY,
// RESTAMP_TEST_CMP_SERVER and RESTAMP_TEST_HELM. Without them the tests fail.
package argocd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

// user is the one that the sidecar runs as.
const user = 999

// patience is how long a server may take to start, and an answer to come.
const patience = time.Minute

// server is a sidecar: the config-management server with restamp and helm on
// its PATH, and nothing else, no shell either.
type server struct {
	t      *testing.T
	dir    string
	client apiclient.ConfigManagementPluginServiceClient
	log    *buffer
}

// buffer is written to while it is read.
type buffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

// start starts a server, with more in its environment. Where the test may, it
// runs as the sidecar's user, whose home is not there.
func start(t *testing.T, env ...string) *server {
	t.Helper()
	s := &server{t: t, dir: place(t), log: new(buffer)}
	for _, program := range []struct{ variable, name string }{
		{"RESTAMP_TEST_BINARY", "restamp"}, {"RESTAMP_TEST_CMP_SERVER", "argocd-cmp-server"}, {"RESTAMP_TEST_HELM", "helm"},
	} {
		if os.Getenv(program.variable) == "" {
			t.Fatalf("%s is not set: run `make test-hosts`", program.variable)
		}
		s.copy(os.Getenv(program.variable), "bin/"+program.name, 0o755)
	}
	s.copy("../../../deploy/argocd/plugin.yaml", "config/plugin.yaml", 0o644)
	for _, name := range []string{"plugins", "tmp"} {
		s.must(os.Mkdir(filepath.Join(s.dir, name), 0o755))
	}
	if os.Getuid() == 0 {
		s.give("plugins", "tmp")
	}
	s.run(env)
	socket := filepath.Join(s.dir, "plugins/restamp.sock")
	s.wait(func() bool { // the file is there before anybody listens
		c, err := net.Dial("unix", socket)
		return err == nil && c.Close() == nil
	})
	connection, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	s.must(err)
	t.Cleanup(func() { _ = connection.Close() }) // the server is being killed anyway
	s.client = client
	return s
}

// place makes a folder that any user can look into, unlike the test's own.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "restamp-cmp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.log)
	}
}

func (s *server) copy(from, to string, mode fs.FileMode) {
	s.t.Helper()
	in, err := os.Open(from)
	s.must(err)
	defer in.Close()
	to = filepath.Join(s.dir, to)
	s.must(os.MkdirAll(filepath.Dir(to), 0o755))
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, mode)
	s.must(err)
	_, err = io.Copy(out, in)
	s.must(err)
	s.must(out.Close())
}

func (s *server) give(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.must(os.Chown(filepath.Join(s.dir, name), user, user))
	}
}

func (s *server) run(env []string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.dir, "bin/argocd-cmp-server"), "--config-dir-path", filepath.Join(s.dir, "config"), "--logformat", "text")
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.Env = append([]string{
		"PATH=" + filepath.Join(s.dir, "bin"), "HOME=/nonexistent",
		"TMPDIR=" + filepath.Join(s.dir, "tmp"), "ARGOCD_PLUGINSOCKFILEPATH=" + filepath.Join(s.dir, "plugins"),
	}, env...)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	}
	s.must(cmd.Start())
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it does not end on SIGTERM
		_ = cmd.Wait()         // and says that it was killed
	})
}

func (s *server) wait(until func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !until(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("nothing happens:\n%s", s.log)
		}
	}
}

// application is one that repo-server asks for.
type application struct {
	repository map[string]string // files by their names
	path       string            // of the application in it
	env        []string          // what repo-server sends
	within     time.Duration     // it wants the answer; default: patience
}

// ask sends an application to the server.
func (s *server) ask(app application, stream func(ctx context.Context) (sender, error)) error {
	s.t.Helper()
	within := app.within
	if within == 0 {
		within = patience
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	s.t.Cleanup(cancel)
	root := s.t.TempDir()
	for name, text := range app.repository {
		path := filepath.Join(root, name)
		s.must(os.MkdirAll(filepath.Dir(path), 0o755))
		s.must(os.WriteFile(path, []byte(text), 0o644))
	}
	to, err := stream(ctx)
	if err != nil {
		return fmt.Errorf("opening the stream: %w", err)
	}
	env := append([]string{"ARGOCD_APP_NAME=argocd_shop", "ARGOCD_APP_NAMESPACE=shop", "ARGOCD_APP_SOURCE_PATH=" + app.path, "KUBE_VERSION=1.34.1", "KUBE_API_VERSIONS=v1,apps/v1"}, app.env...)
	return cmp.SendRepoStream(ctx, filepath.Join(root, app.path), root, to, env, nil)
}

type sender = cmp.StreamSender

// matches asks whether the plugin takes an application.
func (s *server) matches(app application) bool {
	s.t.Helper()
	var stream apiclient.ConfigManagementPluginService_MatchRepositoryClient
	s.must(s.ask(app, func(ctx context.Context) (to sender, err error) {
		stream, err = s.client.MatchRepository(ctx)
		return stream, err
	}))
	answer, err := stream.CloseAndRecv()
	s.must(err)
	return answer.IsSupported
}

// generate asks for an application's manifests, each a line of JSON.
func (s *server) generate(app application) ([]string, error) {
	s.t.Helper()
	var stream apiclient.ConfigManagementPluginService_GenerateManifestClient
	s.must(s.ask(app, func(ctx context.Context) (to sender, err error) {
		stream, err = s.client.GenerateManifest(ctx)
		return stream, err
	}))
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return answer.Manifests, nil
}
