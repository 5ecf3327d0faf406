// Package kinds holds what is known of Kubernetes kinds, as tables: where a
// workload keeps its pod templates and what a change of one does, which fields
// of a pod or of another object name configuration, and from which objects a
// controller makes a Secret. A further kind is a row here and a test.
//
// Users add rows of the same form in the configuration.
package kinds

import (
	"bytes"
	"slices"
	"strings"
)

// The steps of a Path that go into every item of a list and into every value
// of a map.
const (
	Each      = "[]"
	EachValue = "{}"
)

// Path leads from field to field of an object. The empty path stays where it
// is; the nil path leads nowhere.
type Path []string

// P makes a Path of its dotted form: "spec.deployments[].spec", "spec.roles{}".
func P(dotted string) Path {
	if dotted == "" {
		return nil
	}
	if strings.ContainsAny(dotted, "[{") {
		dotted = strings.ReplaceAll(strings.ReplaceAll(dotted, Each, "."+Each), EachValue, "."+EachValue)
	}
	return strings.Split(dotted, ".")
}

// String is the path's dotted form.
func (p Path) String() string {
	dotted := strings.ReplaceAll(strings.Join(p, "."), "."+Each, Each)
	return strings.ReplaceAll(dotted, "."+EachValue, EachValue)
}

// Group returns the group of an apiVersion, "" for the core group.
func Group(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// A gk names a kind without its version: versions of one kind are one kind.
type gk struct{ group, kind string }

// Tables are the rows that a run goes by.
type Tables struct {
	workloads  map[gk][]*Workload
	producers  map[gk][]*Producer
	marks      [][]byte            // what a document holds that may be a producer of any kind
	references map[gk][]*Reference // the further ones
	known      map[string]bool
}

// Default are the built-in tables.
var Default = NewTables(nil, nil, nil)

// NewTables returns the built-in tables with further rows. A kind of which
// there are further workload rows, or a further producer row, has those instead
// of the built-in ones; further references add up.
func NewTables(workloads []Workload, producers []Producer, further []Reference) *Tables {
	t := &Tables{
		workloads: make(map[gk][]*Workload), producers: make(map[gk][]*Producer), references: make(map[gk][]*Reference),
		known: map[string]bool{ConfigMap: true, Secret: true},
	}
	t.addWorkloads(Workloads)
	for _, w := range workloads {
		delete(t.workloads, gk{w.Group, w.Kind})
	}
	t.addWorkloads(workloads)
	t.addProducers(Producers)
	for _, p := range producers {
		if p.Kind != "" {
			delete(t.producers, gk{p.Group, p.Kind})
		}
	}
	t.addProducers(producers)
	for i := range further {
		key := gk{further[i].Group, further[i].Kind}
		t.references[key] = append(t.references[key], &further[i])
	}
	return t
}

func (t *Tables) addWorkloads(rows []Workload) {
	for i := range rows {
		key := gk{rows[i].Group, rows[i].Kind}
		t.workloads[key] = append(t.workloads[key], &rows[i])
		t.known[rows[i].Kind] = true
	}
}

func (t *Tables) addProducers(rows []Producer) {
	for i := range rows {
		key := gk{rows[i].Group, rows[i].Kind}
		t.producers[key] = append(t.producers[key], &rows[i])
		if rows[i].Kind != "" {
			t.known[rows[i].Kind] = true
			continue
		}
		mark := ""
		for _, step := range rows[i].Name {
			if len(step) > len(mark) {
				mark = step
			}
		}
		t.marks = append(t.marks, []byte(mark))
	}
}

// WorkloadOf returns the rows of a workload's kind, none for other kinds.
func (t *Tables) WorkloadOf(group, kind string) []*Workload { return t.workloads[gk{group, kind}] }

// ProducersOf returns the rows of a producer's kind: those for any kind where
// it has none itself, and none for a workload's kind then.
func (t *Tables) ProducersOf(group, kind string) []*Producer {
	rows := t.producers[gk{group, kind}]
	if rows == nil && t.workloads[gk{group, kind}] == nil {
		rows = t.producers[gk{}]
	}
	return rows
}

// Marked reports whether a document of a kind that is not known may be a
// producer all the same. A definition of kinds names fields, but has none.
func (t *Tables) Marked(kind, text []byte) bool {
	return string(kind) != "CustomResourceDefinition" &&
		slices.ContainsFunc(t.marks, func(mark []byte) bool { return bytes.Contains(text, mark) })
}

// ReferencesOf returns the references that a kind's objects have outside of
// their pods.
func (t *Tables) ReferencesOf(group, kind string) []*Reference {
	further := t.references[gk{group, kind}]
	builtIn, ok := references[group]
	if !ok {
		return further
	}
	return append(slices.Clip(builtIn()[kind]), further...)
}

// Known reports whether some group's kind of that name has a row.
func (t *Tables) Known(kind []byte) bool { return t.known[string(kind)] }
