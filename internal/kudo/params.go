package kudo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// parameter is one of params.yaml. KUDO reads its numbers as JSON's, all of
// them floating, and keeps every default as a text.
type parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required *bool  `json:"required"` // nil stands for true
	Default  any    `json:"default"`
	Enum     []any  `json:"enum"`

	line int
	note string // on how the default reads
}

func readParams(text []byte) ([]parameter, error) {
	var file struct {
		APIVersion string      `json:"apiVersion"`
		Parameters []parameter `json:"parameters"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if err := checkVersion(file.APIVersion); err != nil {
		return nil, err
	}
	var root yamlv3.Node
	if err := yamlv3.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if nodes := field(document(&root), "parameters"); nodes != nil && len(nodes.Content) == len(file.Parameters) {
		for i, n := range nodes.Content {
			p := &file.Parameters[i]
			p.line = n.Line
			p.note = misread(field(n, "default"), p.Default)
		}
	}
	return file.Parameters, nil
}

func document(root *yamlv3.Node) *yamlv3.Node {
	if root.Kind == yamlv3.DocumentNode {
		return root.Content[0]
	}
	return root
}

// field returns the value of a map's key, nil where there is none.
func field(n *yamlv3.Node, key string) *yamlv3.Node {
	if n == nil || n.Kind != yamlv3.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// misread tells where a plain scalar is another text for KUDO than it is for
// whoever wrote it.
func misread(n *yamlv3.Node, v any) string {
	if n == nil || n.Kind != yamlv3.ScalarNode || n.Style != 0 || v == nil {
		return ""
	}
	if read := fmt.Sprint(v); read != n.Value {
		return fmt.Sprintf("KUDO reads %s as %s: put it in quotes", n.Value, read)
	}
	return ""
}

// wrap is the text that KUDO makes of a value: YAML of a list or a map, Go's
// notation of all else.
func wrap(v any, collection bool) (string, error) {
	if !collection {
		return fmt.Sprint(v), nil
	}
	text, err := yaml.Marshal(v)
	return string(text), err
}

func (p *parameter) collection() bool { return p.Type == "array" || p.Type == "map" }

// byDefault is the default as a text. A list or a map has one in any case,
// null.
func (p *parameter) byDefault() (text string, ok bool, err error) {
	if p.Default == nil && !p.collection() {
		return "", false, nil
	}
	text, err = wrap(p.Default, p.collection())
	return text, true, err
}

// readValues reads a file of values into given.
func readValues(given map[string]string, file ParamsText) (notes []string, err error) {
	var all map[string]any
	var root yamlv3.Node
	if err := errors.Join(yaml.Unmarshal(file.Text, &all), yamlv3.Unmarshal(file.Text, &root)); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file.Name, err)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n := field(document(&root), name)
		v := all[name]
		if v == nil {
			errs = append(errs, fmt.Errorf("%s: parameter %s: it is null", file.Name, name))
			continue
		}
		if note := misread(n, v); note != "" {
			notes = append(notes, fmt.Sprintf("%s:%d: parameter %s: %s", file.Name, n.Line, name, note))
		}
		_, isMap := v.(map[string]any)
		_, isList := v.([]any)
		text, err := wrap(v, isMap || isList)
		given[name] = text
		errs = append(errs, err)
	}
	return notes, errors.Join(errs...)
}

// values are what templates see of the parameters, by name. Each parameter is
// there; one without a value is an empty text.
func (p *pkg) values(given map[string]string, learn func(name, value string)) (params map[string]any, notes []string, err error) {
	var errs []error
	params = make(map[string]any)
	for i := range p.params {
		q := &p.params[i]
		v, err := q.value(given, learn)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: parameter %s: %w", p.path(ParamsFile), q.line, q.Name, err))
		}
		if _, isGiven := given[q.Name]; q.note != "" && !isGiven {
			notes = append(notes, fmt.Sprintf("%s:%d: parameter %s: %s", p.path(ParamsFile), q.line, q.Name, q.note))
		}
		params[q.Name] = v
	}
	return params, notes, errors.Join(errs...)
}

// unknown tells of values that are given to no parameter.
func (p *pkg) unknown(given map[string]string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(p.params, func(q parameter) bool { return q.Name == name }) {
			all = append(all, fmt.Sprintf("parameter %s: %s has no such parameter", name, p.path(ParamsFile)))
		}
	}
	return all
}

func (p *parameter) value(given map[string]string, learn func(name, value string)) (any, error) {
	text, isGiven := given[p.Name]
	if !isGiven {
		var ok bool
		var err error
		if text, ok, err = p.byDefault(); err != nil {
			return nil, err
		}
		if !ok && (p.Required == nil || *p.Required) {
			return nil, errors.New("it is required, and has no value and no default")
		}
	}
	if learn != nil {
		learn(p.Name, text)
	}
	if isGiven {
		if err := p.check(text); err != nil {
			return nil, err
		}
	}
	return p.unwrap(text)
}

// unwrap is what templates see: lists and maps as such, all else as a text.
func (p *parameter) unwrap(text string) (any, error) {
	switch p.Type {
	case "array":
		var list []any
		if err := yaml.Unmarshal([]byte(text), &list); err != nil {
			return nil, errors.New("it is no list")
		}
		return list, nil
	case "map":
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			return nil, errors.New("it is no map")
		}
		return v, nil
	}
	return text, nil
}

// check refuses a value as KUDO does. It does not quote it.
func (p *parameter) check(text string) error {
	var err error
	switch p.Type {
	case "integer":
		_, err = strconv.ParseInt(text, 10, 64)
	case "number":
		_, err = strconv.ParseFloat(text, 64)
	case "boolean":
		_, err = strconv.ParseBool(text)
	case "map":
		var m map[string]any
		err = yaml.Unmarshal([]byte(text), &m)
	case "array":
		_, err = p.unwrap(text)
	}
	if err != nil {
		return fmt.Errorf("the value is no %s", p.Type)
	}
	if p.Enum == nil {
		return nil
	}
	var allowed []string
	for _, v := range p.Enum {
		word, err := wrap(v, p.collection())
		if err != nil {
			return err
		}
		allowed = append(allowed, word)
	}
	if !slices.Contains(allowed, text) {
		return fmt.Errorf("the value must be one of %s", strings.Join(allowed, ", "))
	}
	return nil
}
