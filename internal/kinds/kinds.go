// Package kinds holds what is known of Kubernetes kinds, as tables: where a
// workload keeps its pod templates and what a change of one does, which fields
// of a pod or of another object name configuration, and from which objects a
// controller makes a Secret. A further kind is a row here and a test.
//
// Users add rows of the same form in the configuration.
package kinds

import "strings"

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
	dotted = strings.ReplaceAll(dotted, Each, "."+Each)
	return strings.Split(strings.ReplaceAll(dotted, EachValue, "."+EachValue), ".")
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
	producers  map[gk]*Producer
	references map[gk][]*Reference
	known      map[string]bool
}

// Default are the built-in tables.
var Default = NewTables(nil, nil, nil)

// NewTables returns the built-in tables with further rows. A kind of which
// there are further workload rows, or a further producer row, has those instead
// of the built-in ones; further references add up.
func NewTables(workloads []Workload, producers []Producer, references []Reference) *Tables {
	t := &Tables{
		workloads: make(map[gk][]*Workload), producers: make(map[gk]*Producer), references: make(map[gk][]*Reference),
		known: map[string]bool{ConfigMap: true, Secret: true},
	}
	t.addWorkloads(Workloads)
	for _, w := range workloads {
		delete(t.workloads, gk{w.Group, w.Kind})
	}
	t.addWorkloads(workloads)
	for _, rows := range [][]Producer{Producers, producers} {
		for i := range rows {
			t.producers[gk{rows[i].Group, rows[i].Kind}] = &rows[i]
			t.known[rows[i].Kind] = true
		}
	}
	for _, rows := range [][]Reference{References, references} {
		for i := range rows {
			key := gk{rows[i].Group, rows[i].Kind}
			t.references[key] = append(t.references[key], &rows[i])
		}
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

// WorkloadOf returns the rows of a workload's kind, none for other kinds.
func (t *Tables) WorkloadOf(group, kind string) []*Workload { return t.workloads[gk{group, kind}] }

// ProducerOf returns the row of a producer's kind, nil for other kinds.
func (t *Tables) ProducerOf(group, kind string) *Producer { return t.producers[gk{group, kind}] }

// ReferencesOf returns the references that a kind's objects have outside of
// their pods.
func (t *Tables) ReferencesOf(group, kind string) []*Reference { return t.references[gk{group, kind}] }

// Known reports whether some group's kind of that name has a row.
func (t *Tables) Known(kind []byte) bool { return t.known[string(kind)] }
