package render

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/restamp/restamp/internal/values"
)

// valuesName is the file in a folder that has the values for its templates.
const valuesName = "values.yaml"

// valuesFiles are the paths of the values files, with links followed.
func (o *FolderOptions) valuesFiles(dir string) (paths []string, err error) {
	var errs []error
	for _, name := range o.Values.Files {
		path, err := o.localFile(dir, name)
		if err != nil {
			errs = append(errs, fmt.Errorf("reading values file %s: %w", name, pathless(err)))
		}
		paths = append(paths, path)
	}
	return paths, errors.Join(errs...)
}

// localFile is the path of a file that is named relative to a folder, or to the
// root where a slash starts the name.
func (o *FolderOptions) localFile(dir, name string) (string, error) {
	if u, err := url.Parse(name); err == nil && u.Scheme != "" {
		return "", errors.New("it is no path: files are taken from the repository alone")
	}
	if filepath.IsAbs(name) {
		return inside(o.Root, filepath.Join(o.Root, name))
	}
	return inside(o.Root, filepath.Join(dir, name))
}

// valuesOf gathers the values for a folder's templates, and the texts among
// them that errors must not tell.
func valuesOf(dir string, opts FolderOptions) (all map[string]any, secrets []string, err error) {
	all, secrets = make(map[string]any), opts.Values.secrets()
	files, err := opts.valuesFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	own := filepath.Join(dir, valuesName)
	for i, path := range append([]string{own}, files...) {
		text, err := opts.readFile(path)
		if i == 0 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			secrets = append(secrets, secretValues(text)...)
			err = mergeText(all, text, i == 0)
		}
		if err != nil {
			return nil, secrets, fmt.Errorf("reading %s: %s", path, redact(pathless(err).Error(), secrets))
		}
	}
	if err := mergeText(all, []byte(opts.Values.Text), false); err != nil {
		return nil, secrets, fmt.Errorf("reading values: %s", redact(err.Error(), secrets))
	}
	return all, secrets, opts.Values.set(all)
}

func (o *FolderOptions) readFile(path string) ([]byte, error) {
	target, err := regular(o.Root, path)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(target)
}

// mergeText puts values over others. The first ones may be null.
func mergeText(all map[string]any, text []byte, first bool) error {
	more, err := values.Parse(text)
	if err != nil {
		return err
	}
	if first {
		for key, v := range more {
			all[key] = v
		}
		return nil
	}
	values.Merge(all, more)
	return nil
}

// set sets single values.
func (o *ValuesOptions) set(all map[string]any) error {
	var errs []error
	for _, sets := range []struct {
		flag        string
		expressions []string
		form        values.Form
	}{{"--set", o.Sets, values.Typed}, {"--set-string", o.SetStrings, values.Text}} {
		for _, expression := range sets.expressions {
			if err := values.Set(all, expression, sets.form); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", sets.flag, err))
			}
		}
	}
	return errors.Join(errs...)
}
