package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Git finds the manifests of a revision of the repository that holds the folder
// dir: a file, or a folder with all that is in it, named from the repository's
// root, or with "./" or "../" from dir; "" is the root. It asks the git binary.
// Hidden files are left out and links within the repository are followed, as
// Files does. Names are shown as "revision:path". The error is fs.ErrNotExist
// where the revision is there and has no manifests at that place.
func Git(dir, revision, at string) ([]Source, error) {
	shown := "git:" + revision
	if at != "" {
		shown += ":" + at
	}
	if strings.HasPrefix(revision, "-") || revision == "" {
		return nil, fmt.Errorf("reading %s: that is no revision", shown)
	}
	g := &gitTree{dir: dir, revision: revision, seen: make(map[string]bool)}
	files, err := g.files(at)
	if err == nil && len(files) == 0 {
		err = noManifests{}
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", shown, err)
	}
	return g.sources(files)
}

// noManifests is the error of a place without manifests.
type noManifests struct{}

func (noManifests) Error() string        { return "no manifests there" }
func (noManifests) Is(target error) bool { return target == fs.ErrNotExist }

// gitTree is the tree of a commit.
type gitTree struct {
	dir, revision string
	commit        string
	seen          map[string]bool // places that were listed
}

// gitFile is a file in a tree.
type gitFile struct{ name, blob string }

// files lists the manifests at a place.
func (g *gitTree) files(at string) ([]gitFile, error) {
	if at == "." || at == ".." || strings.HasPrefix(at, "./") || strings.HasPrefix(at, "../") {
		prefix, err := g.git(nil, "rev-parse", "--show-prefix")
		if err != nil {
			return nil, err
		}
		at = strings.TrimSuffix(string(prefix), "\n") + at
	}
	at = path.Clean(strings.TrimPrefix(at, "/"))
	if at == ".." || strings.HasPrefix(at, "../") {
		return nil, errors.New("that is outside of the repository")
	}
	commit, err := g.git(nil, "rev-parse", "--verify", "--quiet", "--end-of-options", g.revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("git knows no such commit: %w", err)
	}
	g.commit = strings.TrimSpace(string(commit))
	return g.list(at, at)
}

// list lists the manifests at a place in the tree, which is shown under a
// name: links lead to places under other names.
func (g *gitTree) list(at, shown string) (files []gitFile, err error) {
	if g.seen[at] {
		return nil, nil // a folder may link to itself
	}
	g.seen[at] = true
	args := []string{"ls-tree", "-r", "-z", "--full-tree", g.commit}
	if at != "." {
		args = append(args, "--", at)
	}
	list, err := g.git(nil, args...)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		kind, name, _ := strings.Cut(entry, "\t") // mode type object
		words := strings.Fields(kind)
		below := strings.TrimPrefix(strings.TrimPrefix(name, at), "/")
		if at == "." {
			below = name
		}
		as := path.Join(shown, below)
		switch {
		case len(words) != 3 || words[1] != "blob" || isHidden(below):
		case words[0] == "120000":
			there, err := g.follow(name, words[2], as, name == at)
			if err != nil {
				return nil, err
			}
			files = append(files, there...)
		case name == at || isManifest(as):
			files = append(files, gitFile{as, words[2]})
		}
	}
	return files, nil
}

// follow lists what a link leads to. What is outside of the repository is in
// no commit. Some link was named by the user if it is the first.
func (g *gitTree) follow(link, blob, shown string, named bool) ([]gitFile, error) {
	target, err := g.git(nil, "cat-file", "blob", blob)
	if err != nil {
		return nil, err
	}
	at := path.Join(path.Dir(link), string(target))
	if path.IsAbs(string(target)) || at == ".." || strings.HasPrefix(at, "../") {
		return nil, nil
	}
	files, err := g.list(at, shown)
	return slices.DeleteFunc(files, func(f gitFile) bool { return !named && !isManifest(f.name) }), err
}

// isHidden reports whether a file, or a folder on the way to it, is hidden.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// sources reads files, all at once: a process for each would take long.
func (g *gitTree) sources(files []gitFile) ([]Source, error) {
	var blobs strings.Builder
	for _, f := range files {
		blobs.WriteString(f.blob + "\n")
	}
	all, err := g.git(strings.NewReader(blobs.String()), "cat-file", "--batch")
	if err != nil {
		return nil, fmt.Errorf("reading git:%s: %w", g.revision, err)
	}
	var sources []Source
	for _, f := range files {
		head, rest, _ := bytes.Cut(all, []byte("\n"))
		words := strings.Fields(string(head)) // object type size
		size := -1
		if len(words) == 3 && words[0] == f.blob && words[1] == "blob" {
			size, _ = strconv.Atoi(words[2])
		}
		if size < 0 || size >= len(rest) {
			return nil, fmt.Errorf("reading git:%s:%s: git does not give its content: %s", g.revision, f.name, head)
		}
		text := rest[:size]
		all = rest[size+1:]
		sources = append(sources, Source{
			Name: g.revision + ":" + f.name,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		})
	}
	return sources, nil
}

// git runs the git binary. Its words are the error.
func (g *gitTree) git(stdin io.Reader, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = g.dir, stdin, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if words := strings.TrimSpace(stderr.String()); words != "" {
			first, _, _ := strings.Cut(words, "\n")
			return nil, errors.New(first)
		}
		return nil, err
	}
	return stdout.Bytes(), nil
}
