package render

import (
	"bufio"
	"bytes"
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
		p, err := prepare(in, func(dst io.Writer) error { return r.WriteInput(dst, in) })
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", in.Name, pathless(err))
		}
		ready = append(ready, p)
	}
	for i, p := range ready {
		if err := os.Rename(p.temporary, p.target); err != nil {
			err = fmt.Errorf("writing %s: %w", p.in.Name, linkless(err))
			return nil, errors.Join(err, restore(ready[:i]))
		}
		written = append(written, p.in.Name)
	}
	return written, nil
}

// restore puts the old texts back.
func restore(replaced []replacement) error {
	var errs []error
	for _, p := range replaced {
		back, err := prepare(p.in, func(dst io.Writer) error { return writeText(dst, p.in) })
		if err == nil {
			err = os.Rename(back.temporary, back.target)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("restoring %s, which is stamped now: %w", p.in.Name, linkless(pathless(err))))
		}
	}
	return errors.Join(errs...)
}

func writeText(dst io.Writer, in *manifest.Input) error {
	for _, c := range in.Chunks {
		if _, err := dst.Write(c.Text); err != nil {
			return err
		}
	}
	return nil
}

// linkless takes the paths out of an error of os.Rename.
func linkless(err error) error {
	var e *os.LinkError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// replacement is a file that is ready to take another's place.
type replacement struct {
	in                *manifest.Input
	target, temporary string
}

func prepare(in *manifest.Input, write func(io.Writer) error) (p replacement, err error) {
	target, err := filepath.EvalSymlinks(in.Name)
	if err != nil {
		return p, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return p, err
	}
	if !info.Mode().IsRegular() {
		return p, errors.New("it is no regular file")
	}
	temporary, err := beside(target, info.Mode().Perm(), func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<18)
		return errors.Join(write(out), out.Flush(), keepOwner(f, info))
	})
	return replacement{in, target, temporary}, err
}

// beside writes a file in the folder of target, from where it can take target's
// place in one step.
func beside(target string, mode fs.FileMode, write func(*os.File) error) (temporary string, err error) {
	f, err := os.CreateTemp(filepath.Dir(target), ".restamp-*")
	if err != nil {
		return "", err
	}
	if err := errors.Join(write(f), f.Chmod(mode), f.Close()); err != nil {
		os.Remove(f.Name()) // the error to tell is the first
		return "", err
	}
	return f.Name(), nil
}

// WriteIfChanged writes the stream to a file unless it holds the same already, and
// makes the folders that it is in. A reader sees the old file or the new one,
// never a part.
func (r *Run) WriteIfChanged(path string) (changed bool, err error) {
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		return false, err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text.Bytes()) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	temporary, err := beside(path, 0o644, func(f *os.File) error {
		_, err := f.Write(text.Bytes())
		return err
	})
	if err != nil {
		return false, err
	}
	if err := os.Rename(temporary, path); err != nil {
		return false, errors.Join(err, os.Remove(temporary))
	}
	return true, nil
}
