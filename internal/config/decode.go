package config

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// decoder reads nodes into Go values, strictly.
type decoder struct{ object string }

func (d *decoder) fail(at tree.Node, field, problem string) error {
	return &Error{at.Offset(), d.object, strings.TrimPrefix(field, "."), problem}
}

// known refuses keys that are not in a list, and those that stand twice.
func (d *decoder) known(n tree.Node, path string, keys ...string) error {
	seen := make(map[string]bool)
	for k := range n.Fields() {
		name := k.KeyText()
		switch {
		case !slices.Contains(keys, name):
			return d.fail(k, path+"."+name, "there is no such field; there are "+strings.Join(keys, ", "))
		case seen[name]:
			return d.fail(k, path+"."+name, "the field stands twice")
		}
		seen[name] = true
	}
	return nil
}

// settings reads the settings in a map, which may be absent. words says that
// all are strings, as in a ConfigMap.
func (d *decoder) settings(n tree.Node, path string, c *Config, words bool) error {
	if n.Kind() == tree.Scalar && n.Empty() || !n.Exists() {
		return nil
	}
	if n.Kind() != tree.Map {
		return d.fail(n, path, "it is "+typeName(n)+", not a map")
	}
	v := reflect.ValueOf(c).Elem()
	if err := d.known(n, path, names(v.Type())...); err != nil {
		return err
	}
	for k, value := range n.Fields() {
		name := k.KeyText()
		at, field := path+"."+name, v.Field(slices.Index(names(v.Type()), name))
		if words && field.Kind() == reflect.Slice {
			return d.fail(value, at, "this is a list: give it in a configuration of kind "+Kind)
		}
		if err := d.value(value, at, field, words); err != nil {
			return err
		}
		if problem := c.check(name); problem != "" {
			return d.fail(value, at, problem)
		}
	}
	return nil
}

// names are the names of a struct's fields in YAML.
func names(t reflect.Type) (list []string) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, name)
	}
	return list
}

// value reads one value.
func (d *decoder) value(n tree.Node, path string, v reflect.Value, words bool) error {
	if word, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := word.UnmarshalText([]byte(n.Text())); err != nil {
			return d.fail(n, path, err.Error())
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Slice:
		return d.list(n, path, v)
	case reflect.Struct:
		return d.row(n, path, v)
	case reflect.Bool:
		return d.truth(n, path, v, words)
	}
	if n.Kind() != tree.Scalar || n.Type() != tree.String {
		return d.fail(n, path, "it is "+typeName(n)+" where a string must be")
	}
	v.SetString(n.Text())
	return nil
}

// truth reads true or false, which stands in quotes in a ConfigMap.
func (d *decoder) truth(n tree.Node, path string, v reflect.Value, words bool) error {
	isBool := n.Kind() == tree.Scalar && (n.Type() == tree.Bool || words && n.Type() == tree.String)
	if text := n.Text(); !isBool || text != "true" && text != "false" {
		return d.fail(n, path, "it must be true or false")
	}
	v.SetBool(n.Text() == "true")
	return nil
}

func (d *decoder) list(n tree.Node, path string, v reflect.Value) error {
	if n.Kind() != tree.Seq {
		return d.fail(n, path, "it is "+typeName(n)+", not a list")
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, n.Len())) // a list of nothing is not no list
	i := 0
	for item := range n.Items() {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(item, fmt.Sprintf("%s[%d]", path, i), element, false); err != nil {
			return err
		}
		v.Set(reflect.Append(v, element))
		i++
	}
	return nil
}

// row reads the fields of a map into those of a struct.
func (d *decoder) row(n tree.Node, path string, v reflect.Value) error {
	if n.Kind() != tree.Map {
		return d.fail(n, path, "it is "+typeName(n)+", not a map")
	}
	fields := names(v.Type())
	if err := d.known(n, path, fields...); err != nil {
		return err
	}
	for k, value := range n.Fields() {
		name := k.KeyText()
		if err := d.value(value, path+"."+name, v.Field(slices.Index(fields, name)), false); err != nil {
			return err
		}
	}
	for i, name := range fields {
		if required(v.Type().Field(i)) && !n.Field(name).Exists() {
			return d.fail(n, path, name+" is missing")
		}
	}
	return nil
}

// required reports whether a field must be there: its tag says nothing of
// leaving it out, and its type has no default.
func required(f reflect.StructField) bool {
	return !strings.Contains(f.Tag.Get("json"), "omit") && f.Type != reflect.TypeFor[kinds.Class]()
}

func typeName(n tree.Node) string {
	if n.Kind() == tree.Scalar {
		return n.Type().String()
	}
	return n.Kind().String()
}
