package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/naming"
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
	for i := range c.Workloads {
		if problem := workloadProblem(&c.Workloads[i]); problem != "" {
			return fmt.Sprintf("[%d]: %s", i, problem)
		}
	}
	for i := range c.Producers {
		if problem := producerProblem(&c.Producers[i]); problem != "" {
			return fmt.Sprintf("[%d]: %s", i, problem)
		}
	}
	for i := range c.References {
		if problem := referenceProblem(&c.References[i]); problem != "" {
			return fmt.Sprintf("[%d]: %s", i, problem)
		}
	}
	return ""
}

func workloadProblem(w *kinds.Workload) string {
	switch {
	case w.Kind == "" || w.Template == nil:
		return "kind and template must be there"
	case w.Annotations != nil && len(w.Annotations) == 0:
		return "annotations must lead somewhere"
	case strings.Contains(w.Annotation, "{{"):
		return "annotation: it is a name here, not a template"
	}
	if _, err := naming.New(w.Annotation, "", graph.Annotation, graph.UserAnnotations...); err != nil {
		return err.Error()
	}
	problem := cmp.Or(pathProblem("template", lists, w.Template), pathProblem("annotations", fields, w.Annotations),
		pathProblem("spec", fields, w.Spec), pathProblem("volumes", fields, w.Volumes), pathProblem("containers", lists, w.Containers...), pathProblem("target", fields, w.Target))
	for _, when := range w.When {
		problem = cmp.Or(problem, pathProblem("when", fields, when.Path))
	}
	for _, stall := range w.Stalls {
		problem = cmp.Or(problem, stallProblem(stall))
	}
	return problem
}

func stallProblem(s kinds.Stall) string {
	switch {
	case s.Lacks == "":
		return pathProblem("stalls", fields, s.Path)
	case !slices.Contains(s.Path, kinds.Each):
		return "stalls: lacks is about a list, into which the path must go by " + kinds.Each
	}
	return pathProblem("stalls", lists, s.Path)
}

func producerProblem(p *kinds.Producer) string {
	switch {
	case p.Makes == "" && len(p.MakesPath) == 0:
		return "makes or makesPath must be there"
	case p.Makes != "" && p.Makes != kinds.Secret && p.Makes != kinds.ConfigMap:
		return fmt.Sprintf("makes: %q is neither %s nor %s", p.Makes, kinds.ConfigMap, kinds.Secret)
	case p.Kind == "" && len(p.Name) == 0:
		return "kind or name must be there"
	}
	return cmp.Or(pathProblem("makesPath", fields, p.MakesPath), pathProblem("when", fields, p.When),
		pathProblem("each", lists, p.Each), pathProblem("name", lists, p.Name), pathProblem("namespace", lists, p.Namespace),
		pathProblem("selectors", fields, p.Selectors...), pathProblem("entries", fields, p.Entries...), pathProblem("keys", lists, p.Keys...),
		pathProblem("open", fields, p.Open...), pathProblem("computed", fields, p.Computed...), pathProblem("content", fields, p.Content...),
		pathProblem("without", fields, p.Without...), pathProblem("policy", fields, p.Policy))
}

func referenceProblem(r *kinds.Reference) string {
	if r.Kind == "" || r.To == "" || len(r.Path) == 0 {
		return "kind, path and to must be there"
	}
	if last := r.Path[len(r.Path)-1]; r.Key != "" && (last == kinds.Each || last == kinds.EachValue) {
		return "key stands beside a name, but the path ends in a list"
	}
	return pathProblem("path", lists, r.Path)
}

// What a path may go into.
const (
	fields = "fields"
	lists  = "lists" // and maps: each of their items, beside fields
)

// pathProblem says what is wrong with paths, "" for nothing.
func pathProblem(name, into string, paths ...kinds.Path) string {
	for _, path := range paths {
		for _, step := range path {
			switch {
			case step == "":
				return name + ": a step of the path is empty"
			case into == fields && (step == kinds.Each || step == kinds.EachValue):
				return name + ": " + step + " cannot stand here, as the path goes from field to field"
			}
		}
	}
	return ""
}
