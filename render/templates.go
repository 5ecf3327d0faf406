package render

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/templates"
)

// TemplateError is what is wrong with templates, without the values that it
// quotes.
type TemplateError struct {
	Text string
}

func (e *TemplateError) Error() string { return e.Text }

// helperEndings are those of files with definitions, which an underscore
// starts.
var helperEndings = []string{".tmpl", ".tpl"}

func (o *FolderOptions) patterns() []string {
	if o.Pattern != "" {
		return []string{o.Pattern}
	}
	return []string{"*.yaml.tmpl", "*.yml.tmpl", "*.json.tmpl"}
}

// isTemplate reports whether a file is a template by its name.
func (o *FolderOptions) isTemplate(path string) bool {
	return slices.ContainsFunc(o.patterns(), func(pattern string) bool {
		match, _ := filepath.Match(pattern, filepath.Base(path)) // goTemplates has tried the pattern
		return match
	})
}

func isHelper(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "_") && slices.Contains(helperEndings, filepath.Ext(path))
}

// isValues reports whether a file is for values by its name.
func isValues(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "values") && isManifest(path)
}

// hasTemplates reports whether there is a template at a folder's top, or below
// it where the folder has values.
func hasTemplates(dir string, opts FolderOptions) bool {
	for _, pattern := range opts.patterns() {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		if isFile(dir, valuesName) {
			below, _ := filepath.Glob(filepath.Join(dir, "[^.]*", pattern))
			found = append(found, below...)
		}
		if slices.ContainsFunc(found, func(path string) bool { return !isValues(path) && !isHelper(path) }) {
			return true
		}
	}
	return false
}

// goTemplates runs the Go templates of a folder and of those below it, with the
// values of values.yaml and of the options, and takes the manifests beside them
// as they are.
func goTemplates(dir string, opts FolderOptions) (*Rendered, error) {
	if _, err := filepath.Match(opts.Pattern, ""); err != nil {
		return nil, fmt.Errorf("the pattern %q: %w", opts.Pattern, err)
	}
	all, secrets, err := valuesOf(dir, opts)
	if err != nil {
		return nil, err
	}
	w := plainWalk{opts: opts, out: &Rendered{}, values: isValues}
	files, err := w.templates(dir)
	if err := errors.Join(append(w.errs, err)...); err != nil {
		return nil, err
	}
	outputs, err := templates.Render(files, map[string]any{"Values": all})
	if err != nil {
		return nil, &TemplateError{redact(err.Error(), secrets)}
	}
	for _, o := range outputs {
		w.out.Sources = append(w.out.Sources, rendition(o.Name, o.Text))
	}
	if len(w.out.Sources) == 0 {
		return nil, &EmptyFolderError{}
	}
	slices.SortFunc(w.out.Sources, func(a, b Source) int { return cmp.Compare(a.Name, b.Name) })
	return w.out, nil
}

// rendition is the source of what a template made. Its lines are not the
// template's, which the name says.
func rendition(name, text string) Source {
	return Source{Name: name + " (rendered)", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// templates gathers the templates of a folder, and adds its manifests.
func (w *plainWalk) templates(dir string) (files []templates.File, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("reading %s: %w", path, pathless(err))
		case path != dir && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
		case isHelper(path) || w.opts.isTemplate(path) && !isValues(path):
			text, err := w.opts.readFile(path)
			if err != nil {
				w.errs = append(w.errs, fmt.Errorf("reading %s: %w", path, pathless(err)))
			}
			files = append(files, templates.File{Name: path, Text: string(text), Helper: strings.HasPrefix(d.Name(), "_")})
		case isManifest(path):
			w.add(path)
		}
		return nil
	})
	return files, err
}
