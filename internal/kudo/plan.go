package kudo

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/templates"
)

// instance is an installation of a package, while one of its plans runs.
type instance struct {
	*runner
	pkg      *pkg
	name     string
	params   map[string]any
	planName string
	pipes    map[string]string // names of what the plan's pipes make, by key
}

// place is where in a plan a task runs.
type place struct {
	phase, step string
	task        *task
}

func (i *instance) fail(at place, err error) error {
	return fmt.Errorf("%s: plan %s, phase %s, step %s, task %s: %w", i.pkg.path(OperatorFile), i.planName, at.phase, at.step, at.task.Name, err)
}

// run runs the plan, and goes on where a task fails, to tell of all that do.
func (i *instance) run() error {
	places, err := i.places()
	if err != nil {
		return err
	}
	if err := i.findPipes(places); err != nil {
		return err
	}
	var errs []error
	for _, at := range places {
		errs = append(errs, i.do(at))
	}
	return errors.Join(errs...)
}

// places are the tasks of the plan, in the order in which they run. What may
// run in parallel runs in the order in which it is written.
func (i *instance) places() (places []place, err error) {
	file := i.pkg.path(OperatorFile)
	p, ok := i.pkg.operator.Plans[i.planName]
	if !ok {
		names := slices.Sorted(maps.Keys(i.pkg.operator.Plans))
		return nil, fmt.Errorf("%s: there is no plan %s, but %s", file, i.planName, strings.Join(names, ", "))
	}
	var errs []error
	for _, phase := range p.Phases {
		for _, step := range phase.Steps {
			for _, name := range step.Tasks {
				t, ok := i.pkg.task(name)
				if !ok {
					errs = append(errs, fmt.Errorf("%s: plan %s, phase %s, step %s: there is no task %s", file, i.planName, phase.Name, step.Name, name))
					continue
				}
				places = append(places, place{phase.Name, step.Name, t})
			}
		}
	}
	return places, errors.Join(errs...)
}

var (
	pipeKey   = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	notInPipe = regexp.MustCompile(`[^a-z0-9]+`)
)

// findPipes names what the pipes of the plan make. Those of other plans are not
// there for its templates.
func (i *instance) findPipes(places []place) error {
	i.pipes = make(map[string]string)
	for _, at := range places {
		for _, s := range at.task.Spec.Pipe {
			if at.task.Kind != "Pipe" {
				break
			}
			if _, twice := i.pipes[s.Key]; twice {
				return i.fail(at, fmt.Errorf("the plan has the pipe %s twice", s.Key))
			}
			parts := []string{i.name, i.planName, at.phase, at.step, at.task.Name, s.Key}
			for n, part := range parts {
				parts[n] = notInPipe.ReplaceAllString(strings.ToLower(part), "")
			}
			i.pipes[s.Key] = strings.Join(parts, ".")
		}
	}
	return nil
}

// do does a task.
func (i *instance) do(at place) error {
	switch t := at.task; t.Kind {
	case "Apply":
		return i.apply(at)
	case "Delete":
		return i.remove(at)
	case "Toggle":
		on, err := i.toggled(t)
		switch {
		case err != nil:
			return i.fail(at, err)
		case on:
			return i.apply(at)
		}
		return i.remove(at)
	case "Pipe":
		return i.pipe(at)
	case "KudoOperator":
		return i.child(at)
	case "Dummy":
		if t.Spec.WantErr {
			return i.fail(at, errors.New("it says wantErr, with which the plan fails"))
		}
	}
	return nil
}

func (i *instance) toggled(t *task) (bool, error) {
	v, ok := i.params[t.Spec.Parameter]
	text, isText := v.(string)
	if !ok || !isText {
		return false, fmt.Errorf("there must be a parameter %s, and no list or map", t.Spec.Parameter)
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("the parameter %s must be true or false", t.Spec.Parameter)
	}
	return on, nil
}

// apply puts what the task's templates make to what is there already.
func (i *instance) apply(at place) error {
	return i.each(at, func(o *object) { i.state.apply(o) })
}

func (i *instance) remove(at place) error {
	return i.each(at, func(o *object) { i.state.remove(o.id) })
}

// each renders the task's templates and hands on each object that they make.
func (i *instance) each(at place, use func(*object)) error {
	var errs []error
	for _, name := range at.task.Spec.Resources {
		file, text, err := i.render(at, name)
		if err == nil {
			err = i.objects(file, text, use)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// render runs a template.
func (i *instance) render(at place, name string) (file, text string, err error) {
	data := i.data()
	data["Pipes"], data["PlanName"], data["PhaseName"], data["StepName"] = i.pipes, i.planName, at.phase, at.step
	return i.execute(name, data)
}

func (i *instance) execute(name string, data map[string]any) (file, text string, err error) {
	at := i.pkg.templates[name]
	file = i.pkg.path(at)
	text, err = templates.Execute(templates.File{Name: file, Text: string(i.pkg.files[at])}, data, functions())
	return file, text, err
}

// data are what all templates see.
func (i *instance) data() map[string]any {
	o := &i.pkg.operator
	return map[string]any{
		"Params": i.params, "Name": i.name, "Namespace": i.opts.Namespace,
		"OperatorName": o.Name, "OperatorVersion": o.OperatorVersion, "AppVersion": o.AppVersion,
	}
}

// pipe notes what the task makes. Its pod is rendered to tell of its faults
// alone: it does not outlive the task.
func (i *instance) pipe(at place) error {
	if _, _, err := i.render(at, at.task.Spec.Pod); err != nil {
		return err
	}
	for _, s := range at.task.Spec.Pipe {
		p := Pipe{Task: at.task.Name, Kind: s.Kind, Namespace: i.opts.Namespace, Name: i.pipes[s.Key]}
		i.result.Pipes = append(i.result.Pipes, p)
		i.result.Notes = append(i.result.Notes, fmt.Sprintf("%s: task %s: %s/%s is left out, as KUDO fills it by running a pod: make it in another way",
			i.pkg.path(OperatorFile), p.Task, p.Kind, p.Name))
	}
	return nil
}

// child installs a package as a part of this one.
func (i *instance) child(at place) error {
	spec := &at.task.Spec
	given := make(map[string]string)
	if spec.ParameterFile != "" {
		file, text, err := i.execute(spec.ParameterFile, i.data())
		if err != nil {
			return err
		}
		notes, err := readValues(given, ParamsText{file, []byte(text)})
		i.result.Notes = append(i.result.Notes, notes...)
		if err != nil {
			return err
		}
	}
	p, err := i.load(path.Join(i.pkg.dir, spec.Package))
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("it is no folder with a package, relative to this one: KUDO's repositories and archives are not asked")
	}
	if err != nil {
		return i.fail(at, fmt.Errorf("reading the package %s: %w", spec.Package, err))
	}
	i.result.Notes = append(i.result.Notes, p.unknown(given)...) // KUDO lets it pass
	name := spec.InstanceName
	if name == "" {
		name = i.name + "-" + p.operator.Name
	}
	return i.install(p, name, given, []string{deployPlan})
}
