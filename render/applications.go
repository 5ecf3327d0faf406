package render

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kudo"
)

// Applications finds the folders below root that are applications of their own,
// sorted: kustomizations that no other one is built of, charts that are no
// other's part, KUDO packages that are no other's child, folders of templates
// with all below them, and folders of manifests outside of these. Hidden
// folders are left out, and so is what lies below one of the given folders.
func Applications(root string, opts FolderOptions, except ...string) ([]string, error) {
	f := applicationFinder{opts: opts, parts: make(map[string]bool)}
	for _, dir := range except {
		f.except = append(f.except, filepath.Clean(dir))
	}
	if opts.Root == "" {
		f.opts.Root = root
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
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
		return nil, err
	}
	found := slices.DeleteFunc(f.found, func(dir string) bool { return f.parts[dir] })
	slices.Sort(found)
	return found, nil
}

type applicationFinder struct {
	opts   FolderOptions
	except []string
	found  []string
	parts  map[string]bool // folders of which others are built
	owners []string        // folders whose subfolders hold no plain manifests of their own
}

func (f *applicationFinder) visit(dir string) error {
	name := Detect(dir, f.opts)
	switch {
	case isKustomization(dir):
		f.owners = append(f.owners, dir)
		if k := readKustomization(dir); k != nil {
			f.addParts(dir, k)
			if k.Kind == "Component" {
				return nil
			}
		}
	case isChart(dir) || name == "kudo" || name == "templates": // what is below is theirs
		f.found = append(f.found, dir)
		if name == "kudo" {
			f.addChildren(dir)
		}
		return fs.SkipDir
	case name == "" || name == "plain" && f.owned(dir):
		return nil
	}
	f.found = append(f.found, dir)
	return nil
}

// addChildren notes the packages that a KUDO package installs with it.
func (f *applicationFinder) addChildren(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, kudo.OperatorFile))
	if err != nil {
		return // rendering will tell
	}
	for _, child := range kudo.Children(text) {
		f.parts[filepath.Join(dir, child)] = true
	}
}

func (f *applicationFinder) addParts(dir string, k *kustomization) {
	for _, list := range [][]string{k.Resources, k.Bases, k.Components} {
		for _, entry := range list {
			f.parts[filepath.Join(dir, entry)] = true
		}
	}
}

// owned reports whether a folder lies in one that has a renderer.
func (f *applicationFinder) owned(dir string) bool {
	return slices.ContainsFunc(f.owners, func(owner string) bool { return strings.HasPrefix(dir, owner+string(filepath.Separator)) })
}
