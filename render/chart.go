package render

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// releaseName is what helm takes. A dash must not start it: helm would take it
// for a flag.
var releaseName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?$`)

// arguments are those of helm template.
func (c *chart) arguments() ([]string, error) {
	o := &c.opts.Helm
	if !releaseName.MatchString(o.Release) {
		return nil, fmt.Errorf("the release name %q: helm takes up to 53 lower-case letters, digits, dashes and dots", o.Release)
	}
	if err := checkLinks(c.opts.Root, c.dir); err != nil {
		return nil, err
	}
	args := []string{"template", o.Release, "."}
	if !o.SkipCRDs {
		args = append(args, "--include-crds")
	}
	if c.opts.Namespace != "" {
		args = append(args, "--namespace", c.opts.Namespace)
	}
	if c.opts.KubeVersion != "" {
		args = append(args, "--kube-version", c.opts.KubeVersion)
	}
	for _, version := range c.opts.APIVersions {
		args = append(args, "--api-versions", version)
	}
	files, err := c.valuesFiles()
	if err != nil {
		return nil, err
	}
	c.learn(files)
	for _, file := range files {
		args = append(args, "--values", file)
	}
	if c.opts.Values.Text != "" {
		args = append(args, "--values", "-")
	}
	return slices.Concat(args, eachAs("--set", c.opts.Values.Sets), eachAs("--set-string", c.opts.Values.SetStrings)), nil
}

func eachAs(flag string, values []string) []string {
	var args []string
	for _, value := range values {
		args = append(args, flag, value)
	}
	return args
}

// checkLinks refuses a folder of a chart with a symbolic link that leads out of
// the repository: helm would follow it.
func checkLinks(root, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		_, err = inside(root, path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it leads nowhere
		}
		return err
	})
}

// checkFolders refuses a dependency in a folder outside of the repository: helm
// would copy it.
func (c *chart) checkFolders() error {
	for _, address := range c.dependencies(chartName, "Chart.lock", "requirements.yaml", "requirements.lock") {
		path, ok := strings.CutPrefix(address, "file://")
		if !ok {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.dir, path)
		}
		path, err := inside(c.opts.Root, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // helm will say so
		}
		if err == nil {
			err = checkLinks(c.opts.Root, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// valuesFiles are the paths of the values files, with links followed.
func (c *chart) valuesFiles() ([]string, error) {
	files, err := c.opts.valuesFiles(c.dir)
	errs := []error{err}
	for i, path := range files {
		if strings.ContainsAny(path, `,"`) {
			errs = append(errs, fmt.Errorf("reading values file %s: helm takes no file with a comma or a quote in its name", c.opts.Values.Files[i]))
		}
	}
	return files, errors.Join(errs...)
}

// learn gathers the values that errors must not tell.
func (c *chart) learn(valuesFiles []string) {
	c.secrets = c.opts.Values.secrets()
	for _, file := range append([]string{filepath.Join(c.dir, "values.yaml")}, valuesFiles...) {
		if text, err := os.ReadFile(file); err == nil { // else helm will tell
			c.secrets = append(c.secrets, secretValues(text)...)
		}
	}
}
