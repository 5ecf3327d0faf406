package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
)

// check says what is wrong with the value of a setting, "" for nothing.
func (c *Config) check(name string) string {
	if problem := c.checkWords(name); problem != "" {
		return problem
	}
	switch name {
	case "annotation", "value":
		if _, err := c.naming(); err != nil {
			return err.Error()
		}
	case "namespace":
		if c.Namespace != "" && !graph.ValidNamespace(c.Namespace) {
			return fmt.Sprintf("%q is no name of a namespace", c.Namespace)
		}
	case "ignore":
		for _, entry := range c.Ignore {
			if _, err := graph.ParseIgnore(entry); err != nil {
				return err.Error()
			}
		}
	case "workloads", "producers", "references":
		return c.checkRows()
	}
	return ""
}

// checkWords holds the values of a setting against those that its field's tag
// lists.
func (c *Config) checkWords(name string) string {
	v := reflect.ValueOf(c).Elem()
	i := slices.Index(names(v.Type()), name)
	list := v.Type().Field(i).Tag.Get("enum")
	if list == "" {
		return ""
	}
	words := strings.Split(list, ",")
	given, ok := v.Field(i).Interface().([]string)
	if !ok {
		given = []string{v.Field(i).String()}
	}
	for _, word := range given {
		if !slices.Contains(words, word) {
			return fmt.Sprintf("%q is none of %s", word, strings.Join(words, ", "))
		}
	}
	return ""
}

// checkRows says what no row may lack or hold beside what its type says.
func (c *Config) checkRows() string {
	for i, w := range c.Workloads {
		if w.Kind == "" || w.Template == nil {
			return fmt.Sprintf("[%d]: kind and template must be there", i)
		}
	}
	for i, p := range c.Producers {
		switch {
		case p.Makes == "" && len(p.MakesPath) == 0:
			return fmt.Sprintf("[%d]: makes or makesPath must be there", i)
		case p.Makes != "" && p.Makes != kinds.Secret && p.Makes != kinds.ConfigMap:
			return fmt.Sprintf("[%d]: makes: %q is neither %s nor %s", i, p.Makes, kinds.ConfigMap, kinds.Secret)
		case p.Kind == "" && len(p.Name) == 0:
			return fmt.Sprintf("[%d]: kind or name must be there", i)
		}
	}
	for i, r := range c.References {
		if r.Kind == "" || r.To == "" || len(r.Path) == 0 {
			return fmt.Sprintf("[%d]: kind, path and to must be there", i)
		}
		if last := r.Path[len(r.Path)-1]; r.Key != "" && (last == kinds.Each || last == kinds.EachValue) {
			return fmt.Sprintf("[%d]: key stands beside a name, but the path ends in a list", i)
		}
	}
	return ""
}
