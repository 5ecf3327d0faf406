package kudo

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// operator is what operator.yaml says.
type operator struct {
	APIVersion      string          `json:"apiVersion"`
	Name            string          `json:"name"`
	OperatorVersion string          `json:"operatorVersion"`
	AppVersion      string          `json:"appVersion"`
	Tasks           []task          `json:"tasks"`
	Plans           map[string]plan `json:"plans"`
}

type plan struct {
	Phases []phase `json:"phases"`
}

type phase struct {
	Name  string `json:"name"`
	Steps []step `json:"steps"`
}

type step struct {
	Name  string   `json:"name"`
	Tasks []string `json:"tasks"`
}

type task struct {
	Name string   `json:"name"`
	Kind string   `json:"kind"`
	Spec taskSpec `json:"spec"`
}

type taskSpec struct {
	Resources []string `json:"resources"` // of Apply, Delete and Toggle

	Parameter string `json:"parameter"` // of Toggle

	WantErr bool `json:"wantErr"` // of Dummy

	Pod  string     `json:"pod"` // of Pipe
	Pipe []pipeSpec `json:"pipe"`

	Package       string `json:"package"` // of KudoOperator
	InstanceName  string `json:"instanceName"`
	ParameterFile string `json:"parameterFile"`
}

type pipeSpec struct {
	File    string `json:"file"`
	EnvFile string `json:"envFile"`
	Kind    string `json:"kind"`
	Key     string `json:"key"`
}

// pkg is a package that has been read.
type pkg struct {
	dir       string
	operator  operator
	params    []parameter
	templates map[string]string // paths in the package, by the names that tasks give them
	files     Files
}

// Known reports whether the text of a package's operator.yaml is KUDO's.
func Known(text []byte) bool {
	var o operator
	if yaml.Unmarshal(text, &o) != nil {
		return strings.Contains(string(text), APIVersion) // rendering it will tell
	}
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group == "kudo.dev" || o.APIVersion == "" && len(o.Tasks) > 0 && len(o.Plans) > 0
}

// Children are the folders of the packages that an operator.yaml installs,
// relative to its own.
func Children(text []byte) (dirs []string) {
	var o operator
	if yaml.Unmarshal(text, &o) != nil {
		return nil // rendering it will tell
	}
	for _, t := range o.Tasks {
		if t.Kind == "KudoOperator" {
			dirs = append(dirs, t.Spec.Package)
		}
	}
	return dirs
}

func (p *pkg) path(name string) string { return path.Join(p.dir, name) }

// read reads a package.
func read(dir string, files Files) (*pkg, error) {
	p := &pkg{dir: dir, files: files, templates: make(map[string]string)}
	for name := range files {
		if below, ok := strings.CutPrefix(name, TemplatesFolder+"/"); ok {
			p.templates[below] = name
		}
	}
	for _, name := range []string{OperatorFile, ParamsFile} {
		if _, ok := files[name]; !ok {
			return nil, fmt.Errorf("%s: a KUDO package must have this file", p.path(name))
		}
	}
	if err := yaml.Unmarshal(files[OperatorFile], &p.operator); err != nil {
		return nil, fmt.Errorf("reading %s: %w", p.path(OperatorFile), err)
	}
	if err := checkVersion(p.operator.APIVersion); err != nil {
		return nil, fmt.Errorf("reading %s: %w", p.path(OperatorFile), err)
	}
	params, err := readParams(files[ParamsFile])
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", p.path(ParamsFile), err)
	}
	p.params = params
	return p, p.check()
}

func checkVersion(version string) error {
	if version != "" && version != APIVersion {
		return fmt.Errorf("the apiVersion is %q, and must be %s", version, APIVersion)
	}
	return nil
}

// check looks at all tasks, as KUDO does before it installs a package.
func (p *pkg) check() error {
	var errs []error
	for i := range p.operator.Tasks {
		t := &p.operator.Tasks[i]
		if err := t.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: task %s: %w", p.path(OperatorFile), t.Name, err))
		}
		for _, name := range t.needs() {
			if _, ok := p.templates[name]; !ok {
				errs = append(errs, fmt.Errorf("%s: task %s: there is no template %s", p.path(OperatorFile), t.Name, name))
			}
		}
	}
	return errors.Join(errs...)
}

// needs are the templates of a task.
func (t *task) needs() []string {
	switch {
	case slices.Contains([]string{"Apply", "Delete", "Toggle"}, t.Kind):
		return t.Spec.Resources
	case t.Kind == "Pipe":
		return []string{t.Spec.Pod}
	case t.Kind == "KudoOperator" && t.Spec.ParameterFile != "":
		return []string{t.Spec.ParameterFile}
	}
	return nil
}

func (t *task) check() error {
	switch t.Kind {
	case "Apply", "Delete", "Toggle":
		if len(t.Spec.Resources) == 0 {
			return errors.New("it has no resources")
		}
		if t.Kind == "Toggle" && t.Spec.Parameter == "" {
			return errors.New("it has no parameter")
		}
	case "Pipe":
		return t.checkPipes()
	case "KudoOperator":
		if t.Spec.Package == "" {
			return errors.New("it has no package")
		}
	case "Dummy":
	default:
		return fmt.Errorf("there is no kind %q of tasks", t.Kind)
	}
	return nil
}

func (t *task) checkPipes() error {
	if len(t.Spec.Pipe) == 0 {
		return errors.New("it has no pipe")
	}
	for _, s := range t.Spec.Pipe {
		switch {
		case (s.File == "") == (s.EnvFile == ""):
			return fmt.Errorf("pipe %s: it must have a file or an envFile", s.Key)
		case s.Kind != "Secret" && s.Kind != "ConfigMap":
			return fmt.Errorf("pipe %s: its kind must be Secret or ConfigMap", s.Key)
		case !pipeKey.MatchString(s.Key):
			return fmt.Errorf("pipe %q: its key may have letters, digits, _ and - alone", s.Key)
		}
	}
	return nil
}

// task returns the task of a name.
func (p *pkg) task(name string) (*task, bool) {
	i := slices.IndexFunc(p.operator.Tasks, func(t task) bool { return t.Name == name })
	if i < 0 {
		return nil, false
	}
	return &p.operator.Tasks[i], true
}
