// Package kudo renders KUDO packages as they would be after a plan has run,
// without KUDO and without a cluster.
//
// A package is a folder with an operator.yaml, a params.yaml and templates. An
// instance is one installation of it: a name, a namespace and values for its
// parameters. A plan has phases, these have steps, and these have tasks, which
// apply and delete what templates make. A pipe is a ConfigMap or Secret that a
// task fills by running a pod: its name is known, its content is not.
//
// What depends on a run of a plan is left out: the annotations that name plan,
// phase and step, owner references, and the pods of pipes. The labels that
// KUDO's engine adds are there, as selectors count on them.
package kudo

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// APIVersion is the one of operator.yaml and params.yaml.
const APIVersion = "kudo.dev/v1beta1"

// The files at a package's top, and the folder of its templates.
const (
	OperatorFile    = "operator.yaml"
	ParamsFile      = "params.yaml"
	TemplatesFolder = "templates"
)

// IsTemplate reports whether a file below TemplatesFolder is a template by its
// name.
func IsTemplate(name string) bool { return strings.Contains(path.Base(name), ".yaml") }

// Files are a package's files, by their paths in it.
type Files map[string][]byte

// Options say what to render. The zero value renders the plan deploy with all
// parameters as they are by default.
type Options struct {
	Plans      []string     // run one after the other; default: deploy
	Instance   string       // default: the operator's name and -instance
	Namespace  string       // default: default
	Params     []string     // name=value; the last one of a name wins, also over files
	ParamFiles []ParamsText // maps of names to values; the last one wins

	Learn func(name, value string) // is told of each parameter's value, of child packages too
}

// ParamsText is a file of values for parameters.
type ParamsText struct {
	Name string
	Text []byte
}

// Result is what a package renders to.
type Result struct {
	Renditions []Rendition // in the order in which the plan applies them
	Pipes      []Pipe      // that the plan makes
	Notes      []string    // what the user should know
}

// Rendition is what is left of what a template made.
type Rendition struct {
	Name string // of the template
	Text []byte
}

// Pipe is a ConfigMap or Secret that a task fills at run time.
type Pipe struct {
	Task, Kind, Namespace, Name string
}

// Render renders the package in a folder; open reads those that are asked for,
// the first one and its children.
func Render(open func(dir string) (Files, error), dir string, opts Options) (*Result, error) {
	r := &runner{open: open, opts: opts, state: newState()}
	if r.opts.Namespace == "" {
		r.opts.Namespace = "default"
	}
	given, err := r.given()
	if err != nil {
		return nil, err
	}
	plans := opts.Plans
	if len(plans) == 0 {
		plans = []string{deployPlan}
	}
	p, err := r.load(dir)
	if err != nil {
		return nil, err
	}
	name := opts.Instance
	if name == "" {
		name = p.operator.Name + "-instance"
	}
	if !instanceName.MatchString(name) {
		return nil, fmt.Errorf("the instance %q: its name may have lower-case letters, digits, dashes and dots alone", name)
	}
	if unknown := p.unknown(given); len(unknown) > 0 {
		return nil, errors.New(strings.Join(unknown, "\n"))
	}
	if err := r.install(p, name, given, plans); err != nil {
		return nil, err
	}
	r.result.Renditions = r.state.renditions()
	return &r.result, nil
}

const deployPlan = "deploy"

var instanceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// given are the values that the options give to parameters.
func (r *runner) given() (map[string]string, error) {
	given := make(map[string]string)
	var errs []error
	for _, file := range r.opts.ParamFiles {
		notes, err := readValues(given, file)
		r.result.Notes = append(r.result.Notes, notes...)
		errs = append(errs, err)
	}
	for _, param := range r.opts.Params {
		name, value, found := strings.Cut(param, "=")
		if !found || name == "" || value == "" {
			errs = append(errs, fmt.Errorf("parameter %s: it must be name=value, and the value not empty", name))
		}
		given[name] = value
	}
	return given, errors.Join(errs...)
}

// runner runs plans of a package and of its children.
type runner struct {
	open   func(dir string) (Files, error)
	opts   Options
	state  *state
	result Result
	above  []string // the folders of the packages that are being rendered
}

func (r *runner) load(dir string) (*pkg, error) {
	files, err := r.open(dir)
	if err != nil {
		return nil, err
	}
	return read(dir, files)
}

// install runs plans of an instance.
func (r *runner) install(p *pkg, name string, given map[string]string, plans []string) error {
	if slices.Contains(r.above, p.dir) {
		return fmt.Errorf("%s: the package is a child of itself: %s", p.dir, strings.Join(append(r.above, p.dir), ", "))
	}
	r.above = append(r.above, p.dir)
	defer func() { r.above = r.above[:len(r.above)-1] }()
	params, notes, err := p.values(given, r.opts.Learn)
	r.result.Notes = append(r.result.Notes, notes...)
	if err != nil {
		return err
	}
	for _, plan := range plans {
		i := instance{runner: r, pkg: p, name: name, params: params, planName: plan}
		if err := i.run(); err != nil {
			return err
		}
	}
	return nil
}
