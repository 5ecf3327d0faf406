package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A block of a page: a file that is to be written, or commands.
var block = regexp.MustCompile("(?ms)^(#+ [^\n]*)$|^```(yaml|sh)\n(.*?)^```$")

// TestDocs does what the pages in docs say, from the first line to the last:
// a block of YAML that starts with a file's name is written, and commands are
// run, in one folder per page, with the real hosts. A container's image is
// stood in for by the binary (container_test.go has the containers), and Argo
// CD's client by git.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("found %d pages (%v)", len(pages), err)
	}
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		t.Run(name, func(t *testing.T) {
			switch name {
			case "kustomize":
				need(t, "kubectl")
			case "kpt":
				need(t, "kpt")
			}
			doPage(t, read(t, page))
		})
	}
}

func doPage(t *testing.T, text string) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "deploy"), os.DirFS("../../deploy")); err != nil {
		t.Fatal(err)
	}
	bin := docsPrograms(t)
	helm := helm4
	blocks := 0
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		heading, kind, content := b[1], b[2], b[3]
		if heading != "" && strings.Contains(heading, "Helm 3") {
			helm = helm3
		}
		switch first, _, _ := strings.Cut(content, "\n"); {
		case kind == "yaml" && strings.HasPrefix(first, "# "):
			write(t, filepath.Join(dir, strings.TrimPrefix(first, "# ")), content)
		case kind == "yaml":
			t.Errorf("a block does not say which file it is:\n%s", content)
		case kind == "sh":
			link(t, helm, filepath.Join(bin, "helm"))
			doCommands(t, dir, bin, content)
			blocks++
		}
	}
	if blocks == 0 {
		t.Error("the page has no commands")
	}
}

// docsPrograms is a folder with the programs that pages name.
func docsPrograms(t *testing.T) string {
	bin := t.TempDir()
	link(t, kustomize, filepath.Join(bin, "kustomize"))
	script(t, filepath.Join(bin, "docker"), "case $1 in version) echo 28.2.2;; run) exec restamp;; *) exit 1;; esac\n")
	script(t, filepath.Join(bin, "argocd"), "test \"$1 $2 $3 $4\" = 'app manifests shop --revision' && git show \"$5:rendered/shop.yaml\"\n")
	return bin
}

func link(t *testing.T, program, at string) {
	t.Helper()
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, at); err != nil {
		t.Fatal(err)
	}
}

func doCommands(t *testing.T, dir, bin, commands string) {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = dir
	home := filepath.Join(dir, ".home")
	cmd.Env = append([]string{"HOME=" + home, "KUSTOMIZE_PLUGIN_HOME=" + filepath.Join(home, "plugins"), "HELM_DATA_HOME=" + filepath.Join(home, "helm")},
		"PATH="+bin+string(os.PathListSeparator)+filepath.Dir(restamp)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", commands, err, out)
	}
}
