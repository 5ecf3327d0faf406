package render

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/restamp/restamp/internal/kudo"
)

// Applications finds the folders below root that are applications of their own,
// sorted: kustomizations that no other one is built of, charts that are no
// other's part, KUDO packages that are no other's child, folders of templates
// with all below them, and folders of manifests outside of these. Others that
// could be rendered are left, for a reason. Hidden folders do not count, nor
// does what lies below one of the given folders.
func Applications(root string, opts FolderOptions, except ...string) (found []string, left []Left, err error) {
	f := applicationFinder{opts: opts, users: make(map[string]string), plain: make(map[string]bool), owners: make(map[string]bool)}
	for _, dir := range except {
		f.except = append(f.except, filepath.Clean(dir))
	}
	if opts.Root == "" {
		f.opts.Root = root
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("reading %s: %w", path, pathless(err))
		case !d.IsDir():
			return nil
		case path != root && strings.HasPrefix(d.Name(), ".") || slices.Contains(f.except, filepath.Clean(path)):
			return fs.SkipDir
		}
		return f.visit(filepath.Clean(path))
	})
	if err != nil {
		return nil, nil, err
	}
	found, left = f.sorted()
	return found, left, nil
}

// Left is a folder that could be rendered and is no application of its own.
type Left struct {
	Dir, Reason string
}

type applicationFinder struct {
	opts   FolderOptions
	except []string
	found  []string
	left   []Left
	plain  map[string]bool   // the ones of those that hold manifests as they are
	users  map[string]string // who uses a folder, or a file
	owners map[string]bool   // folders whose subfolders hold no plain manifests of their own
}

func (f *applicationFinder) visit(dir string) error {
	name := Detect(dir, f.opts)
	switch {
	case isKustomization(dir):
		f.owners[dir] = true
		if k := readKustomization(dir); k != nil {
			f.addParts(dir, k)
			if k.Kind == types.ComponentKind {
				f.leave(dir, "a component")
				return nil
			}
		}
	case isChart(dir) || name == "kudo" || name == "templates": // what is below is theirs
		f.addWhole(dir, name)
		return fs.SkipDir
	case name == "":
		return nil
	case name == "plain":
		f.plain[dir] = true
	}
	f.found = append(f.found, dir)
	return nil
}

func (f *applicationFinder) leave(dir, reason string) { f.left = append(f.left, Left{dir, reason}) }

// addWhole adds an application that has its subfolders to itself.
func (f *applicationFinder) addWhole(dir, renderer string) {
	switch renderer {
	case "kudo":
		f.addChildren(dir)
	case "templates":
	default:
		if f.addDependencies(dir) == "library" {
			f.leave(dir, "a library chart")
			return
		}
	}
	f.found = append(f.found, dir)
}

// addDependencies notes the charts of the repository that a chart is made of.
// It returns the chart's type.
func (f *applicationFinder) addDependencies(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, chartName))
	var c struct {
		Type         string
		Dependencies []struct{ Repository string }
	}
	if err != nil || yaml.Unmarshal(text, &c) != nil {
		return "" // rendering will tell
	}
	for _, dependency := range c.Dependencies {
		if path, local := strings.CutPrefix(dependency.Repository, "file://"); local {
			f.use(dir, filepath.Join(dir, path))
		}
	}
	return c.Type
}

// addChildren notes the packages that a KUDO package installs with it.
func (f *applicationFinder) addChildren(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, kudo.OperatorFile))
	if err != nil {
		return // rendering will tell
	}
	for _, child := range kudo.Children(text) {
		f.use(dir, filepath.Join(dir, child))
	}
}

// addParts notes the folders and files that a kustomization is built of.
func (f *applicationFinder) addParts(dir string, k *kustomization) {
	for _, entry := range slices.Concat(k.Resources, k.Components, k.plugins(), k.files()) {
		f.use(dir, filepath.Join(dir, entry))
	}
	for _, c := range k.HelmCharts {
		f.use(dir, k.chartPath(dir, c))
	}
}

func (f *applicationFinder) use(dir, path string) {
	if f.users[path] == "" {
		f.users[path] = dir
	}
}

// sorted are the applications that are left when those that others use are not.
func (f *applicationFinder) sorted() ([]string, []Left) {
	users := f.folderUsers()
	found := slices.DeleteFunc(f.found, func(dir string) bool {
		reason := ""
		if owner := f.owner(dir); f.plain[dir] && owner != "" {
			reason = "manifests below the kustomization " + owner
		}
		if user := f.users[dir]; user != "" && !f.inCircle(dir) {
			reason = "part of " + user
		} else if user := users[dir]; f.plain[dir] && user != "" {
			reason = "files of it are part of " + user
		}
		if reason != "" {
			f.leave(dir, reason)
		}
		return reason != ""
	})
	slices.Sort(found)
	slices.SortFunc(f.left, func(a, b Left) int { return strings.Compare(a.Dir, b.Dir) })
	return found, f.left
}

// inCircle reports whether a folder's users lead back to themselves, so that none
// of them is whole: rendering tells.
func (f *applicationFinder) inCircle(dir string) bool {
	seen := make(map[string]bool)
	for user := f.users[dir]; user != "" && !seen[user]; user = f.users[user] {
		if user == dir {
			return true
		}
		seen[user] = true
	}
	return false
}

// folderUsers are those of the files of folders.
func (f *applicationFinder) folderUsers() map[string]string {
	users := make(map[string]string)
	for _, path := range slices.Sorted(maps.Keys(f.users)) {
		if dir := filepath.Dir(path); users[dir] == "" && !isFolder(path) {
			users[dir] = f.users[path]
		}
	}
	return users
}

// owner is the innermost folder with a kustomization that a folder lies in.
func (f *applicationFinder) owner(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if f.owners[parent] {
			return parent
		}
	}
	return ""
}
