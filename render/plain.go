package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// skipMarker is Argo CD's word for a file that it must leave out of a plain
// folder.
var skipMarker = []byte("+argocd:skip-file-rendering")

// plain takes the manifests of a folder as they are: those at its top, and only
// if asked those below. YAML that holds no Kubernetes object, such as a chart's
// values, is left out, as by Argo CD.
func plain(_ context.Context, dir string, opts FolderOptions) (*Rendered, error) {
	if tool := foreign(dir); tool != "" && opts.Renderer == "" {
		return nil, fmt.Errorf("%s asks for another tool, which restamp is not; the renderer \"plain\" takes the manifests beside it", tool)
	}
	w := plainWalk{opts: opts, out: &Rendered{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("reading %s: %w", path, pathless(err))
		case d.IsDir() && path != dir && !opts.Recurse:
			return fs.SkipDir
		case !d.IsDir() && isManifest(path):
			w.add(path)
		}
		return nil
	})
	if err := errors.Join(append(w.errs, err)...); err != nil {
		return nil, err
	}
	below := ""
	if !opts.Recurse {
		below = firstBelow(dir)
	}
	if len(w.out.Sources) == 0 {
		return nil, &EmptyFolderError{below}
	}
	if below != "" {
		w.note(below, "left out, with all that is in subfolders")
	}
	return w.out, nil
}

// plainWalk gathers what a plain folder holds.
type plainWalk struct {
	opts   FolderOptions
	out    *Rendered
	errs   []error
	values func(path string) bool // is a file for values, which nobody misses
}

func (w *plainWalk) note(path, text string) { w.out.Notes = append(w.out.Notes, path+": "+text) }

func (w *plainWalk) add(path string) {
	target, err := regular(w.opts.Root, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.note(path, "left out, as the link leads nowhere")
		return
	case errors.Is(err, errIrregular):
		w.note(path, "left out, as it is no file")
		return
	case err == nil:
		err = w.addFile(path, target)
	}
	if err != nil {
		w.errs = append(w.errs, fmt.Errorf("reading %s: %w", path, pathless(err)))
	}
}

func (w *plainWalk) addFile(path, target string) error {
	text, err := os.ReadFile(target)
	switch {
	case err != nil:
		return err
	case bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")):
		return errors.New("it is UTF-16, and must be UTF-8")
	case bytes.Contains(text, skipMarker):
		return nil
	}
	objects, other := contents(text)
	switch {
	case objects > 0 && other > 0:
		return fmt.Errorf("line %d: a document without kind, beside Kubernetes objects", other)
	case objects > 0:
		w.out.Sources = append(w.out.Sources, Source{Name: path, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(text)), nil
		}})
	case other > 0 && (w.values == nil || !w.values(path)):
		w.note(path, "left out, as it holds no Kubernetes object")
	}
	return nil
}

// contents counts the documents of a text that are objects, and returns the
// line of the first that is none, 0 without such.
func contents(text []byte) (objects, other int) {
	for h := range headers(text) {
		switch {
		case h.kind != "":
			objects++
		case !h.empty && other == 0:
			other = h.doc.Line(0)
		}
	}
	return objects, other
}

// header tells what a document is.
type header struct {
	doc              manifest.Document
	apiVersion, kind string
	empty            bool
}

// objectWord stands in what was meant to be an object, in YAML or in JSON,
// wherever it breaks off. A kind deep inside may be an editor's.
var objectWord = regexp.MustCompile(`apiVersion|(?m:^kind\s*:)|\A\s*\{\s*"kind"`)

// headers walks the documents of a text. One that is no YAML counts as an
// object where a word of one is in it: then reading it tells what is wrong.
func headers(text []byte) func(yield func(header) bool) {
	return func(yield func(header) bool) {
		in := &manifest.Input{}
		var chunks []*manifest.Chunk
		// A bytes.Reader never fails.
		_ = in.Read(bytes.NewReader(text), func(c *manifest.Chunk) { chunks = append(chunks, c) })
		var parser tree.Parser
		for _, c := range chunks {
			for doc := range c.Documents() {
				if !yield(headerOf(doc, &parser)) {
					return
				}
			}
		}
	}
}

func headerOf(doc manifest.Document, parser *tree.Parser) header {
	h, sure := doc.Skim(func([]byte) bool { return false })
	if sure && len(h.Kind) > 0 {
		return header{doc, string(h.APIVersion), string(h.Kind), false}
	}
	t, err := parser.Parse(doc.Text)
	if err != nil {
		if objectWord.Match(doc.Text) {
			return header{doc, "?", "?", false}
		}
		return header{doc: doc}
	}
	root := t.Root()
	return header{doc, root.Field("apiVersion").Text(), root.Field("kind").Text(), root.Empty()}
}

// firstBelow returns a file in a subfolder that holds an object, or nothing.
func firstBelow(dir string) (found string) {
	// A folder that cannot be read is not for this to tell.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir():
			if path != dir && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
		case filepath.Dir(path) != filepath.Clean(dir) && isManifest(path):
			if text, err := os.ReadFile(path); err == nil {
				if objects, _ := contents(text); objects > 0 {
					found = path
					return fs.SkipAll
				}
			}
		}
		return nil
	})
	return found
}
