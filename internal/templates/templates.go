// Package templates runs Go templates so that the same input has the same
// output. A key that is missing, a value that is null and a function that
// depends on more than its arguments are errors; each names the template, the
// line, and what stands there.
package templates

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/restamp/restamp/internal/funcs"
)

// File is a template by the name that errors give it.
type File struct {
	Name, Text string
	Helper     bool // it is there for what it defines alone, and makes no output
}

// Output is what became of a file.
type Output struct{ Name, Text string }

// Render runs the files that are no helpers, in their order, each with the same
// data. All of them see what any of them defines. The error tells of all that
// is wrong, joined.
func Render(files []File, data any) ([]Output, error) {
	set := newSet()
	var errs []error
	definedIn := make(map[string]string)
	for _, f := range files {
		errs = append(errs, set.add(f, definedIn))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var outputs []Output
	for _, f := range files {
		if f.Helper {
			continue
		}
		text, err := execute(set.root.Lookup(f.Name), data)
		var deep *depthError
		if errors.As(err, &deep) {
			err = fmt.Errorf("%s: %w", f.Name, err)
		}
		errs = append(errs, err)
		outputs = append(outputs, Output{f.Name, text})
	}
	return outputs, errors.Join(errs...)
}

// Execute runs one template by itself, with the given functions alone.
func Execute(f File, data any, functions template.FuncMap) (string, error) {
	t, err := template.New(f.Name).Option(strict).Funcs(functions).Parse(f.Text)
	if err != nil {
		return "", tidy(err)
	}
	return execute(t, data)
}

const strict = "missingkey=error"

func execute(t *template.Template, data any) (string, error) {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", tidy(err)
	}
	text := b.String()
	if at := strings.Index(text, noValue); at >= 0 {
		line := strings.Count(text[:at], "\n") + 1
		return "", fmt.Errorf("%s: line %d of what it makes: a value that is null was written", t.Name(), line)
	}
	return text, nil
}

// noValue is what text/template writes for null.
const noValue = "<no value>"

// set is a set of templates that can call each other.
type set struct {
	root  *template.Template
	depth int // of include and tpl within each other
}

func newSet() *set {
	s := &set{root: template.New("").Option(strict)}
	s.root.Funcs(s.functions(s.root))
	return s
}

// add parses a file. What one file defines, no other may.
func (s *set) add(f File, definedIn map[string]string) error {
	trees, err := parse.Parse(f.Name, f.Text, "", "", s.known())
	if err != nil {
		return tidy(err)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if other, twice := definedIn[name]; twice {
			errs = append(errs, fmt.Errorf("%s: the template %q is defined in %s too", f.Name, name, other))
			continue
		}
		definedIn[name] = f.Name
		if _, err := s.root.AddParseTree(name, trees[name]); err != nil {
			errs = append(errs, tidy(err))
		}
	}
	return errors.Join(errs...)
}

// known are the names of all functions, as parse wants them.
func (s *set) known() map[string]any {
	m := map[string]any(s.functions(s.root))
	for _, builtin := range strings.Fields("and call eq ge gt html index js le len lt ne not or print printf println slice urlquery") {
		m[builtin] = true
	}
	return m
}

// place matches where text/template says that an error is: the template, the
// line and column, and what stands there.
var place = regexp.MustCompile(`template: ([^:\n]*:\d+(?::\d+)?): (?:executing (?:"(?:[^"\\]|\\.)*") at <([^\n]*?)>: )?(?:error calling \w+: )?`)

// tidy makes "file:line:column: what stands there: problem" of an error of
// text/template.
func tidy(err error) error {
	var deep *depthError
	if errors.As(err, &deep) {
		return deep // not with each step of the way
	}
	return errors.New(place.ReplaceAllStringFunc(err.Error(), func(found string) string {
		m := place.FindStringSubmatch(found)
		if m[2] == "" {
			return m[1] + ": "
		}
		return m[1] + ": " + m[2] + ": "
	}))
}

// functions are those of restamp's list and the ones that Helm's users know.
func (s *set) functions(of *template.Template) template.FuncMap {
	m := funcs.Map()
	maps.Copy(m, template.FuncMap{
		"toYaml":   toYAML,
		"fromYaml": fromYAML,
		"required": required,
		"include":  func(name string, data any) (string, error) { return s.include(of, name, data) },
		"tpl":      func(text string, data any) (string, error) { return s.tpl(of, text, data) },
	})
	for name, reason := range refused {
		m[name] = func(...any) (string, error) { return "", fmt.Errorf("%s is not allowed: %s", name, reason) }
	}
	return m
}

var refused = map[string]string{"lookup": "it asks a cluster"}
