package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder makes files in a temporary folder, and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func names(t *testing.T, dir string, sources []Source) (all []string) {
	t.Helper()
	for _, s := range sources {
		rel, err := filepath.Rel(dir, s.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rel)
	}
	return all
}

func TestFiles(t *testing.T) {
	dir := folder(t, map[string]string{
		"b.yaml": "", "a.yml": "", "c.json": "", "D.YAML": "", "sub/e.yaml": "", "notes.txt": "", ".hidden.yaml": "", ".git/f.yaml": "",
	})
	for link, target := range map[string]string{"loop": ".", "sub/up": "..", "link.yaml": "b.yaml", "other": "sub", "nowhere": "none"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := Files([]string{dir, filepath.Join(dir, "b.yaml"), filepath.Join(dir, "notes.txt")})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"D.YAML", "a.yml", "b.yaml", "c.json", "other/e.yaml", "notes.txt"}
	if diff := cmp.Diff(want, names(t, dir, sources)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestFilesTellsAllErrors(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": ""})
	if err := os.Symlink("nowhere.yaml", filepath.Join(dir, "dangling.yaml")); err != nil {
		t.Fatal(err)
	}
	_, err := Files([]string{dir, filepath.Join(dir, "none.yaml")})
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "dangling.yaml: no such file") {
		t.Errorf("got %v", err)
	}
}

const (
	envFile = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: env}\ndata: {A: b}\n"
	webFile = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers: [{name: c, envFrom: [{configMapRef: {name: env}}]}]\n"
)

func stampFiles(t *testing.T, dir string) *Run {
	t.Helper()
	sources, err := Files([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	run, err := Stamp(sources, Options{Join: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestWriteFiles(t *testing.T) {
	dir := folder(t, map[string]string{"env.yaml": envFile, "real/web.yaml": webFile})
	real, link := filepath.Join(dir, "real/web.yaml"), filepath.Join(dir, "a-link.yaml")
	if err := os.Symlink("real/web.yaml", link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "env.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	written, err := stampFiles(t, dir).WriteFiles()
	if err != nil || len(written) != 1 {
		t.Fatalf("written %q (%v), want one file", written, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more (%v)", err)
	}
	if info, err = os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are %v (%v)", info.Mode(), err)
	}
	text, err := os.ReadFile(real)
	if err != nil || !strings.Contains(string(text), "restamp.dev/config-hash") {
		t.Errorf("the file holds %q (%v)", text, err)
	}
	after, err := os.Stat(filepath.Join(dir, "env.yaml"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that does not change was written (%v)", err)
	}
	if written, err := stampFiles(t, dir).WriteFiles(); err != nil || len(written) != 0 {
		t.Errorf("the second time %q is written (%v)", written, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*/.restamp-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q (%v)", left, err)
	}
}

// TestWriteFilesOrNone: where one file cannot be written, none is.
func TestWriteFilesOrNone(t *testing.T) {
	dir := folder(t, map[string]string{"env.yaml": envFile, "a/web.yaml": webFile, "b/web.yaml": strings.Replace(webFile, "web", "api", 1)})
	run := stampFiles(t, dir)
	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := run.WriteFiles(); err == nil || !strings.HasPrefix(err.Error(), "writing "+filepath.Join(dir, "b/web.yaml")+": ") {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a/web.yaml"))
	if err != nil || string(text) != webFile {
		t.Errorf("the other file was written: %q (%v)", text, err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestWriteJoinsFiles: as one stream, with markers where they are missing.
func TestWriteJoinsFiles(t *testing.T) {
	dir := folder(t, map[string]string{"1.yaml": "kind: A", "2.yaml": "---\nkind: B\n", "3.yaml": "", "4.json": `{"kind": "C"}`, "5.yaml": "# c\nkind: D\n", "6.yaml": "# d\n%YAML 1.2\n---\nkind: E\n"})
	if got, want := written(t, stampFiles(t, dir)), "kind: A\n---\nkind: B\n---\n{\"kind\": \"C\"}\n---\n# c\nkind: D\n...\n# d\n%YAML 1.2\n---\nkind: E\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestJoinedFilesKeepTheirStamps: a text that ends with its file has a newline
// more in a stream, and its stamp is of that.
func TestJoinedFilesKeepTheirStamps(t *testing.T) {
	dir := folder(t, map[string]string{"1.yaml": envFile[:len(envFile)-len("data: {A: b}\n")] + "data:\n  A: |\n    b", "2.yaml": webFile})
	out := written(t, stampFiles(t, dir))
	if _, again := stamp(t, out, Options{}); again != out {
		t.Errorf("%q becomes %q", out, again)
	}
}

// TestWriteFilesRestores: where a file cannot take its place, those that did
// have their old text back.
func TestWriteFilesRestores(t *testing.T) {
	dir := folder(t, map[string]string{"env.yaml": envFile, "a/web.yaml": webFile, "b/web.yaml": strings.Replace(webFile, "web", "api", 1)})
	run := stampFiles(t, dir)
	blocked := filepath.Join(dir, "b/web.yaml")
	replaced := []replacement{}
	for _, in := range run.Inputs {
		if strings.HasSuffix(in.Name, "a/web.yaml") {
			replaced = append(replaced, replacement{in: in})
		}
	}
	if _, err := run.WriteFiles(); err != nil {
		t.Fatal(err)
	}
	if err := restore(replaced); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{filepath.Join(dir, "a/web.yaml"): false, blocked: true} {
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), "config-hash") != want {
			t.Errorf("%s holds %q (%v)", path, text, err)
		}
	}
}
