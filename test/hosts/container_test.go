package hosts

import (
	"archive/tar"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// imageName is a full one: kpt would look for a short one in its own registry.
const imageName = "localhost/restamp:v0.1.0"

// dockerfile is what the last stage of the project's Dockerfile says.
type dockerfile struct {
	files  map[string]string // by their place in the image, the ones to take
	config []string          // the other instructions
}

var labels = regexp.MustCompile(`[a-z.-]+="[^"]*"`)

// readDockerfile reads the last stage. The binary is the one under test: there
// is no registry here to build it from.
func readDockerfile(t *testing.T) dockerfile {
	t.Helper()
	d := dockerfile{files: make(map[string]string)}
	values := strings.NewReplacer("$VERSION", "v0.1.0", "$CREATED", "2026-01-01T00:00:00Z")
	text := strings.ReplaceAll(read(t, "../../Dockerfile"), "\\\n", " ")
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		switch words[0] {
		case "FROM":
			d = dockerfile{files: make(map[string]string)}
			if last := len(words) == 2; last && words[1] != "scratch" {
				t.Fatalf("the last stage is FROM %s", words[1])
			}
		case "COPY":
			if words[1] == "--from=build" {
				d.files[words[3]] = restamp
				continue
			}
			d.files[words[2]] = filepath.Join("../..", words[1])
		case "LABEL": // an import takes one at a time
			for _, label := range labels.FindAllString(line, -1) {
				d.config = append(d.config, "LABEL "+values.Replace(label))
			}
		case "USER", "ENTRYPOINT":
			d.config = append(d.config, strings.TrimSpace(line))
		}
	}
	return d
}

// container has podman run with the image in it, and no network. Its programs
// are Debian's; its storage ends with the test.
func container(t *testing.T) call {
	t.Helper()
	need(t, "podman", "runc")
	// podman cleans up after a container only where this path is a short one.
	dir, err := os.MkdirTemp("", "pod")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	write(t, dir+"/containers.conf", `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=1000:1000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "`+dir+`/tmp"
`)
	write(t, dir+"/storage.conf", `[storage]
driver = "vfs"
graphroot = "`+dir+`/root"
runroot = "`+dir+`/run"
`)
	// kustomize knows docker alone. The root that it does not ask to be
	// read-only is so here.
	script(t, dir+"/bin/docker", `echo "$@" >> "${0%/*}/../log"
[ "$1" != run ] || { shift; set -- run --read-only "$@"; }
exec podman "$@"
`)
	c := call{dir: dir, env: []string{
		"CONTAINERS_CONF=" + dir + "/containers.conf", "CONTAINERS_STORAGE_CONF=" + dir + "/storage.conf",
		"PATH=" + dir + "/bin:" + os.Getenv("PATH"), "KPT_FN_RUNTIME=podman",
	}}
	d := readDockerfile(t)
	archive(t, dir+"/root.tar", d.files)
	args := []string{"import"}
	for _, line := range d.config {
		args = append(args, "--change", line)
	}
	c.must(t, "podman", append(args, "root.tar", imageName)...)
	return c
}

// archive makes the image's file system: these files and nothing else.
func archive(t *testing.T, name string, files map[string]string) {
	t.Helper()
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := tar.NewWriter(out)
	for path, from := range files {
		text := read(t, from)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		header := tar.Header{Name: strings.TrimPrefix(path, "/"), Size: int64(len(text)), Mode: int64(info.Mode() & fs.ModePerm)}
		if err := w.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestImageIsDescribed(t *testing.T) {
	c := container(t)
	var images []struct {
		Config struct {
			User       string
			Entrypoint []string
			Labels     map[string]string
		}
	}
	if err := json.Unmarshal([]byte(c.must(t, "podman", "inspect", imageName).stdout), &images); err != nil {
		t.Fatal(err)
	}
	config := images[0].Config
	equal(t, "user", config.User, "nobody")
	equal(t, "entry point", config.Entrypoint, []string{"/usr/local/bin/restamp"})
	for _, name := range []string{"created", "description", "source", "version", "title", "documentation", "vendor", "licenses"} {
		if config.Labels["org.opencontainers.image."+name] == "" {
			t.Errorf("no label org.opencontainers.image.%s", name)
		}
	}
	for _, name := range []string{"readme-url", "license", "keywords"} {
		if config.Labels["io.artifacthub.package."+name] == "" {
			t.Errorf("no label io.artifacthub.package.%s", name)
		}
	}
	equal(t, "version", config.Labels["org.opencontainers.image.version"], "v0.1.0")
}

// TestImageNeedsNothing: no network, no rights, nothing to write to.
func TestImageNeedsNothing(t *testing.T) {
	c := container(t)
	run := []string{"run", "--rm", "-i", "--network", "none", "--user", "nobody", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", imageName}
	says(t, c.must(t, "podman", append(run, "--help")...).stdout, "Usage:", "restamp stamp")
	for _, file := range []string{"../../examples/first/in.yaml", "../../testdata/streams/resource-list.yaml"} {
		c.stdin = read(t, file)
		equal(t, file, c.must(t, "podman", run...).stdout, filter(t, c.stdin))
	}
}

func containerTransformer() string {
	return strings.Replace(transformer("restamp"), "exec:\n        path: restamp", "container:\n        image: "+imageName, 1)
}

func TestKustomizeContainer(t *testing.T) {
	c := container(t)
	want := build(t, folder(t, transformer("restamp"), app, overlay("namePrefix: ov-", transformed)), functions...).stdout
	dir := folder(t, containerTransformer(), app, overlay("namePrefix: ov-", transformed))
	out := c.must(t, kustomize, "build", "--enable-alpha-plugins", dir).stdout
	stamped(t, out, 2)
	equal(t, "what a program of that name makes", out, want)
	says(t, read(t, c.dir+"/log"), "--network none --user nobody --security-opt=no-new-privileges", imageName)

	strict := strings.Replace(containerTransformer(), "mode: all", "strict: true", 1)
	c.fails(t, []string{"missing-reference", "Secret/token"}, kustomize, "build", "--enable-alpha-plugins",
		folder(t, strict, app, "-- kustomization.yaml --\nresources: [config.yaml, web.yaml]\n"+transformed+"\n"))
}

func TestKubectlKustomizeContainer(t *testing.T) {
	need(t, "kubectl")
	c := container(t)
	dir := folder(t, containerTransformer(), app, overlay("nameSuffix: -x", transformed))
	out := c.must(t, "kubectl", "kustomize", "--enable-alpha-plugins", dir).stdout
	stamped(t, out, 2)
	plain := c.must(t, "kubectl", "kustomize", folder(t, app, overlay("nameSuffix: -x"))).stdout
	equal(t, "stamps", stamps(t, out), stamps(t, filter(t, plain)))
}

func TestKptContainer(t *testing.T) {
	dir := kptDir(t, pkg("pipeline:", "  mutators:", "  - image: "+imageName, "  validators:",
		"  - image: "+imageName, "    configMap: {validator: \"true\"}")...)
	c := container(t)
	c.dir = dir
	before := files(t, dir+"/shop")
	c.must(t, "kpt", "fn", "render", "shop")
	after := files(t, dir+"/shop")
	kptChanged(t, before, after)

	c.must(t, "kpt", "fn", "eval", "shop", "--image", imageName, "--", "strict=true")
	equal(t, "the package after a second run", files(t, dir+"/shop"), after)
}

// TestKptDocShowsHelp: kpt asks an image for its documentation.
func TestKptDocShowsHelp(t *testing.T) {
	need(t, "kpt")
	c := container(t)
	r := c.must(t, "kpt", "fn", "doc", "--image", imageName)
	says(t, r.stdout+r.stderr, "Usage:", "restamp stamp")
}

// TestImageBuildsForBothArchitectures, without a C library.
func TestImageBuildsForBothArchitectures(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", t.TempDir()+"/restamp", ".")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", arch, err, out)
		}
	}
}

// TestArgoCDInAReadOnlyContainer: a sidecar has user 999, a root that nobody
// can write to, and a folder for temporary files.
func TestArgoCDInAReadOnlyContainer(t *testing.T) {
	c := container(t)
	dir := folder(t, app, "-- kustomization.yaml --\nresources: [config.yaml, secret.yaml, web.yaml]\nnamePrefix: eu-\n")
	args := []string{
		"run", "--rm", "--read-only", "--network", "none", "--user", "999:999", "--cap-drop", "all", "--tmpfs", "/tmp",
		"--volume", dir + ":/app:ro", "--workdir", "/app", "--env", "ARGOCD_APP_NAME=shop", "--env", "ARGOCD_APP_NAMESPACE=shop", imageName,
	}
	r := c.must(t, "podman", append(args, "argocd", "discover")...)
	equal(t, "discovered", r.stdout, "kustomize\n")
	r = c.must(t, "podman", append(args, "argocd", "generate")...)
	if found := stamps(t, r.stdout); len(found) != 1 || found["Deployment//eu-web"] == "" {
		t.Errorf("stamps %v in:\n%s", found, r.stdout)
	}
}
