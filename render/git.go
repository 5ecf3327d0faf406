package render

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// Git finds the manifests of a revision of the repository that holds the folder
// dir: a file, or a folder with all that is in it, named from the repository's
// root, or with "./" from dir; "" is the root. It asks the git binary. Names are
// shown as "revision:path".
func Git(dir, revision, at string) ([]Source, error) {
	if strings.HasPrefix(revision, "-") || revision == "" {
		return nil, fmt.Errorf("reading git:%s: that is no revision", revision)
	}
	if at == "." || strings.HasPrefix(at, "./") || strings.HasPrefix(at, "../") {
		prefix, err := git(dir, "rev-parse", "--show-prefix")
		if err != nil {
			return nil, fmt.Errorf("reading git:%s: %w", revision, err)
		}
		at = strings.TrimSpace(string(prefix)) + at
	}
	at = path.Clean("/" + at)[1:]
	commit, err := git(dir, "rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("reading git:%s: %w", revision, err)
	}
	id := strings.TrimSpace(string(commit))
	args := []string{"ls-tree", "-r", "-z", "--name-only", "--full-tree", id}
	if at != "" {
		args = append(args, "--", at)
	}
	list, err := git(dir, args...)
	if err != nil {
		return nil, fmt.Errorf("reading git:%s:%s: %w", revision, at, err)
	}
	var sources []Source
	for _, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		below := strings.TrimPrefix(name, at+"/")
		if name == "" || name != at && (isHidden(below) || !isManifest(below)) {
			continue
		}
		sources = append(sources, gitFile(dir, revision, id, name))
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("reading git:%s:%s: no manifests there", revision, at)
	}
	return sources, nil
}

// isHidden reports whether a file, or a folder on the way to it, is hidden.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

func gitFile(dir, revision, id, name string) Source {
	return Source{Name: revision + ":" + name, Open: func() (io.ReadCloser, error) {
		text, err := git(dir, "cat-file", "blob", id+":"+name)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(text)), nil
	}}
}

// git runs the git binary. Its words are the error.
func git(dir string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if words := strings.TrimSpace(stderr.String()); words != "" {
			first, _, _ := strings.Cut(words, "\n")
			return nil, fmt.Errorf("%s", first)
		}
		return nil, err
	}
	return stdout.Bytes(), nil
}
