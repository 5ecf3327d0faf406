package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// decoder reads nodes into Go values, strictly.
type decoder struct{ object string }

func (d *decoder) fail(at tree.Node, field, problem string) error {
	return &Error{at.Offset(), d.object, field, problem}
}

// known refuses keys that are not in a list, and those that stand twice.
func (d *decoder) known(n tree.Node, keys ...string) error {
	seen := make(map[string]bool)
	for k := range n.Fields() {
		name := k.KeyText()
		switch {
		case !slices.Contains(keys, name):
			return d.fail(k, name, "there is no such field; there are "+strings.Join(keys, ", "))
		case seen[name]:
			return d.fail(k, name, "the field stands twice")
		}
		seen[name] = true
	}
	return nil
}

// settings reads the settings in a map, which may be absent. words says that
// all are strings, as in a ConfigMap.
func (d *decoder) settings(n tree.Node, path string, c *Config, words bool) error {
	if n.Empty() && n.Kind() != tree.Seq {
		return nil
	}
	if n.Kind() != tree.Map {
		return d.fail(n, path, "it is "+n.Kind().String()+", not a map")
	}
	v := reflect.ValueOf(c).Elem()
	if err := d.known(n, names(v.Type())...); err != nil {
		return withPath(err, path)
	}
	for k, value := range n.Fields() {
		name := k.KeyText()
		at := path + "." + name
		if err := d.setting(value, at, v.Field(slices.Index(names(v.Type()), name)), words); err != nil {
			return err
		}
		if problem := c.check(name); problem != "" {
			return d.fail(value, at, problem)
		}
	}
	return nil
}

func withPath(err error, path string) error {
	if e, ok := err.(*Error); ok {
		e.Field = path + "." + e.Field
	}
	return err
}

// names are the names of a struct's fields in YAML.
func names(t reflect.Type) (list []string) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, name)
	}
	return list
}

// setting reads one value: a string, a truth or a list of strings.
func (d *decoder) setting(n tree.Node, path string, v reflect.Value, words bool) error {
	if v.Kind() == reflect.Slice {
		if words {
			return d.fail(n, path, "this is a list: give it in a configuration of kind "+Kind)
		}
		return d.list(n, path, v)
	}
	if v.Kind() == reflect.Bool {
		isBool := n.Kind() == tree.Scalar && (n.Type() == tree.Bool || words && n.Type() == tree.String)
		if text := n.Text(); !isBool || text != "true" && text != "false" {
			return d.fail(n, path, "it must be true or false")
		}
		v.SetBool(n.Text() == "true")
		return nil
	}
	if n.Kind() != tree.Scalar || n.Type() != tree.String {
		return d.fail(n, path, "it is "+typeName(n)+" where a string must be")
	}
	v.SetString(n.Text())
	return nil
}

func (d *decoder) list(n tree.Node, path string, v reflect.Value) error {
	if n.Kind() != tree.Seq {
		return d.fail(n, path, "it is "+typeName(n)+", not a list")
	}
	i := 0
	for item := range n.Items() {
		if item.Kind() != tree.Scalar || item.Type() != tree.String {
			return d.fail(item, fmt.Sprintf("%s[%d]", path, i), "it is "+typeName(item)+" where a string must be")
		}
		v.Set(reflect.Append(v, reflect.ValueOf(item.Text())))
		i++
	}
	return nil
}

func typeName(n tree.Node) string {
	if n.Kind() == tree.Scalar {
		return n.Type().String()
	}
	return n.Kind().String()
}

// check says what is wrong with the value of a setting, "" for nothing.
func (c *Config) check(name string) string {
	switch {
	case name == "namespace" && c.Namespace != "" && !graph.ValidNamespace(c.Namespace):
		return fmt.Sprintf("%q is no name of a namespace", c.Namespace)
	case name == "mode" && c.Mode != "all" && c.Mode != "opt-in":
		return fmt.Sprintf("%q is neither all nor opt-in", c.Mode)
	case name == "failOn" && !slices.Contains([]string{"error", "warning", "info", "none"}, c.FailOn):
		return fmt.Sprintf("%q is none of error, warning, info and none", c.FailOn)
	case name == "include":
		for _, class := range c.Include {
			if _, ok := classes[class]; !ok {
				return fmt.Sprintf("%q is no class that can be included: there are next-run and costly", class)
			}
		}
	case name == "ignore":
		for _, entry := range c.Ignore {
			if _, err := graph.ParseIgnore(entry); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}
