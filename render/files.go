package render

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/manifest"
)

// extensions are those of manifests in a folder. A file that is named itself
// may have any.
var extensions = []string{".yaml", ".yml", ".json"}

// Files finds the manifests at paths: files, and folders with all that is in
// them. Hidden files and folders are left out, links are followed, and each
// file is taken once, whatever leads to it. The error tells of all that could
// not be looked at, joined.
func Files(paths []string) ([]Source, error) {
	f := finder{seen: make(map[string]bool)}
	for _, path := range paths {
		f.find(path, true)
	}
	return f.sources, errors.Join(f.errs...)
}

type finder struct {
	sources []Source
	seen    map[string]bool // by the real path: a folder may link to itself
	errs    []error
}

// find adds a file or a folder. Some path was named by the user if it is the
// first.
func (f *finder) find(path string, named bool) {
	info, err := os.Stat(path)
	if err == nil {
		var real string
		if real, err = filepath.EvalSymlinks(path); err == nil {
			if f.seen[real] {
				return
			}
			f.seen[real] = true
		}
	}
	switch {
	case err != nil && !named && !isManifest(path):
		// a broken link that would have been left out anyway
	case err != nil:
		f.errs = append(f.errs, fmt.Errorf("reading %s: %w", path, pathless(err)))
	case info.IsDir():
		f.folder(path)
	case named || info.Mode().IsRegular() && isManifest(path):
		f.sources = append(f.sources, file(path))
	}
}

func (f *finder) folder(path string) {
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		f.errs = append(f.errs, fmt.Errorf("reading %s: %w", path, pathless(err)))
		return
	}
	for _, entry := range entries {
		if name := entry.Name(); !strings.HasPrefix(name, ".") && (!entry.Type().IsRegular() || isManifest(name)) {
			f.find(filepath.Join(path, name), false)
		}
	}
}

func isManifest(path string) bool {
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(path)))
}

func file(path string) Source {
	return Source{Name: path, Open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		return f, pathless(err)
	}}
}

// pathless takes the path out of an error that is told together with it.
func pathless(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// WriteFiles writes the inputs that change back to their files. Each new text
// is written beside the file first and put in its place when all are there: so
// a failure leaves every file as it was. Permissions are kept, and a symbolic
// link goes on to lead to its file. It returns the names of the files.
func (r *Run) WriteFiles() (written []string, err error) {
	var ready []replacement
	defer func() {
		for _, p := range ready {
			os.Remove(p.temporary) // gone already where it took its place
		}
	}()
	for _, in := range r.Inputs {
		if !r.Changed(in) {
			continue
		}
		p, err := r.prepare(in)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", in.Name, pathless(err))
		}
		ready = append(ready, p)
	}
	for _, p := range ready {
		if err := os.Rename(p.temporary, p.target); err != nil {
			return written, fmt.Errorf("writing %s: %w", p.name, pathless(err))
		}
		written = append(written, p.name)
	}
	return written, nil
}

// replacement is a file that is ready to take another's place.
type replacement struct {
	name, target, temporary string
}

func (r *Run) prepare(in *manifest.Input) (p replacement, err error) {
	target, err := filepath.EvalSymlinks(in.Name)
	if err != nil {
		return p, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return p, err
	}
	f, err := os.CreateTemp(filepath.Dir(target), ".restamp-*")
	if err != nil {
		return p, err
	}
	p = replacement{in.Name, target, f.Name()}
	out := bufio.NewWriterSize(f, 1<<18)
	err = errors.Join(r.WriteInput(out, in), out.Flush(), f.Chmod(info.Mode().Perm()), keepOwner(f, info), f.Close())
	if err != nil {
		os.Remove(p.temporary) // the error to tell is the first
	}
	return p, err
}
