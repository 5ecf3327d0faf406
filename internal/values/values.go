// Package values reads the values that templates are given: from YAML, and one
// by one from what --set takes. It says where something is wrong, and never
// quotes a value.
package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// Parse reads a file of values: nothing, or one map. Scalars are read as the
// API server reads them, and whole numbers stay whole.
func Parse(text []byte) (map[string]any, error) {
	if err := checkSingle(text); err != nil {
		return nil, err
	}
	v, err := Decode(text)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return make(map[string]any), nil
	case map[string]any:
		return v, nil
	}
	return nil, errors.New("the values are no map")
}

// checkSingle refuses a second document, which nobody would read.
func checkSingle(text []byte) error {
	in := yamlv3.NewDecoder(bytes.NewReader(text))
	var doc yamlv3.Node
	if in.Decode(&doc) != nil {
		return nil // Decode will tell
	}
	if err := in.Decode(&doc); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one document")
	}
	return nil
}

// Decode reads any YAML, without what the JSON that it stands for could not
// say. A key that is there twice is an error.
func Decode(text []byte) (any, error) {
	asJSON, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(asJSON))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		return nil, err
	}
	return plain(v), nil
}

// plain makes numbers of what JSON calls numbers: an int where that is the
// whole number, else a float64.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			v[key] = plain(child)
		}
	case []any:
		for i, child := range v {
			v[i] = plain(child)
		}
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String()
	}
	return v
}

// Merge puts the values of over on those of under, map by map. A null takes a
// value away; all else replaces it.
func Merge(under, over map[string]any) {
	for key, v := range over {
		if v == nil {
			delete(under, key)
			continue
		}
		below, ok := under[key].(map[string]any)
		if above, isMap := v.(map[string]any); ok && isMap {
			Merge(below, above)
			continue
		}
		under[key] = v
	}
}

// Form is how the text of a value is read.
type Form uint8

// The forms.
const (
	Typed Form = iota // true, false and null are what they say, and so is a whole number
	Text              // each is a text
)

// Set sets what an expression of --set says: path=value, and more of it behind
// commas. A path's keys stand between dots, and the place in a list in
// brackets: a.b=c, a[0].b=c. A list stands in braces: a={b,c}. A backslash
// takes its meaning from what follows it. A null takes a value away.
func Set(values map[string]any, expression string, form Form) error {
	p := setter{text: expression, form: form}
	for {
		path, err := p.path()
		if err != nil {
			return err
		}
		v, err := p.value()
		if err != nil {
			return fmt.Errorf("%s: %w", show(path), err)
		}
		if _, err := put(values, path, v); err != nil {
			return fmt.Errorf("%s: %w", show(path), err)
		}
		if p.at == len(p.text) {
			return nil
		}
	}
}
