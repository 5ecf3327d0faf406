package templates

import (
	"errors"
	"fmt"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/restamp/restamp/internal/values"
)

// toYAML writes a value as YAML, without a line end behind it.
func toYAML(v any) (string, error) {
	text, err := yaml.Marshal(v)
	return strings.TrimSuffix(string(text), "\n"), err
}

// fromYAML reads YAML. An error is an error, not a value that tells of it.
func fromYAML(text string) (any, error) { return values.Decode([]byte(text)) }

// required returns a value that must be there.
func required(message string, v any) (any, error) {
	if text, isText := v.(string); v == nil || isText && text == "" {
		return nil, errors.New(message)
	}
	return v, nil
}

// mostDepth is how deep templates may include each other.
const mostDepth = 200

// depthError says that a template includes itself, by way of others maybe.
type depthError struct{ name string }

func (e *depthError) Error() string {
	return fmt.Sprintf("templates include each other more than %d deep: %q", mostDepth, e.name)
}

// deeper runs a template from within another one.
func (s *set) deeper(name string, run func() (string, error)) (string, error) {
	if s.depth == mostDepth {
		return "", &depthError{name}
	}
	s.depth++
	defer func() { s.depth-- }()
	return run()
}

// include runs a template by its name.
func (s *set) include(of *template.Template, name string, data any) (string, error) {
	t := of.Lookup(name)
	if t == nil {
		return "", fmt.Errorf("there is no template %q", name)
	}
	return s.deeper(t.Name(), func() (string, error) { return execute(t, data) })
}

// tpl runs a text as a template. What it defines, it alone can call.
func (s *set) tpl(of *template.Template, text string, data any) (string, error) {
	own, err := of.Clone()
	if err != nil {
		return "", err
	}
	t, err := own.New("tpl").Option(strict).Funcs(s.functions(own)).Parse(text)
	if err != nil {
		return "", tidy(err)
	}
	return s.deeper(t.Name(), func() (string, error) { return execute(t, data) })
}
