package render

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kudo"
)

// KUDOOptions say how to render a KUDO package.
type KUDOOptions struct {
	Plans      []string // run one after the other; default: deploy
	Instance   string   // default: the operator's name and -instance
	Params     []string // name=value, over those of the files
	ParamFiles []string // relative to the package; one that starts with a slash is in the root
}

// isPackage reports whether a folder is a KUDO package.
func isPackage(dir string) bool {
	if !isFile(dir, kudo.OperatorFile) || !isFile(dir, kudo.ParamsFile) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, kudo.OperatorFile))
	return err == nil && kudo.Known(text)
}

// kudoPackage renders a KUDO package, with its children.
func kudoPackage(dir string, opts FolderOptions) (*Rendered, error) {
	secrets := opts.KUDO.secrets()
	files, err := opts.paramFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		secrets = append(secrets, secretValues(f.Text)...)
	}
	result, err := kudo.Render(opts.packageFiles, filepath.ToSlash(filepath.Clean(dir)), kudo.Options{
		Plans: opts.KUDO.Plans, Instance: opts.KUDO.Instance, Namespace: opts.Namespace, Params: opts.KUDO.Params, ParamFiles: files,
		Learn: func(name, value string) {
			if secretWord.MatchString(name) && value != "true" && value != "false" {
				secrets = append(secrets, value)
			}
		},
	})
	if err != nil {
		return nil, &TemplateError{redact(err.Error(), secrets)}
	}
	rendered := &Rendered{}
	for _, note := range result.Notes {
		rendered.Notes = append(rendered.Notes, redact(note, secrets))
	}
	for _, r := range result.Renditions {
		rendered.Sources = append(rendered.Sources, rendition(r.Name, string(r.Text)))
	}
	if len(rendered.Sources) > 0 {
		rendered.Sources[0].Made = madeBy(result.Pipes)
	}
	return rendered, nil
}

// madeBy says who makes what pipes make.
func madeBy(pipes []kudo.Pipe) map[graph.ID]string {
	made := make(map[graph.ID]string)
	for _, p := range pipes {
		made[graph.ID{Kind: p.Kind, Namespace: p.Namespace, Name: p.Name}] = "the task " + p.Task
	}
	return made
}

func (o *KUDOOptions) secrets() (values []string) {
	for _, param := range o.Params {
		_, value, _ := strings.Cut(param, "=")
		values = append(values, value)
	}
	return slices.DeleteFunc(values, func(v string) bool { return v == "true" || v == "false" })
}

// paramFiles reads the files of values for parameters.
func (o *FolderOptions) paramFiles(dir string) (files []kudo.ParamsText, err error) {
	var errs []error
	for _, name := range o.KUDO.ParamFiles {
		at, err := o.localFile(dir, name)
		var text []byte
		if err == nil {
			text, err = o.readFile(at)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("reading parameters %s: %w", name, pathless(err)))
		}
		files = append(files, kudo.ParamsText{Name: name, Text: text})
	}
	return files, errors.Join(errs...)
}

// packageFiles reads what is KUDO's in a folder.
func (o *FolderOptions) packageFiles(dir string) (kudo.Files, error) {
	files := make(kudo.Files)
	var errs []error
	read := func(name string) {
		at := filepath.FromSlash(path.Join(dir, name))
		text, err := o.readFile(at)
		if err != nil {
			errs = append(errs, fmt.Errorf("reading %s: %w", at, pathless(err)))
			return
		}
		files[name] = text
	}
	for _, name := range []string{kudo.OperatorFile, kudo.ParamsFile} {
		read(name)
	}
	top := filepath.Join(filepath.FromSlash(dir), kudo.TemplatesFolder)
	err := filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("reading %s: %w", at, pathless(err))
		case d.IsDir() || !kudo.IsTemplate(d.Name()):
			return nil
		}
		rel, err := filepath.Rel(filepath.FromSlash(dir), at)
		read(filepath.ToSlash(rel))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // a package may have no templates
	}
	return files, errors.Join(append(errs, err)...)
}
