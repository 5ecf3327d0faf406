// Package kinds holds what is known of Kubernetes kinds, as tables: where a
// workload keeps its pod templates and what a change of one does, which fields
// of a pod name configuration, and from which objects a controller makes a
// Secret. A further kind is a row here and a test.
package kinds

import "strings"

// Each is the step of a Path that goes into every item of a list.
const Each = "[]"

// Path leads from field to field of an object.
type Path []string

// P makes a Path of its dotted form: "spec.deployments[].spec".
func P(dotted string) Path {
	if dotted == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(dotted, Each, "."+Each), ".")
}

// String is the path's dotted form.
func (p Path) String() string {
	return strings.ReplaceAll(strings.Join(p, "."), "."+Each, Each)
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

func index[R any](rows []R, key func(*R) gk) map[gk]*R {
	m := make(map[gk]*R, len(rows))
	for i := range rows {
		m[key(&rows[i])] = &rows[i]
	}
	return m
}

var (
	workloadIndex = index(Workloads, func(w *Workload) gk { return gk{w.Group, w.Kind} })
	producerIndex = index(Producers, func(p *Producer) gk { return gk{p.Group, p.Kind} })
	known         = knownKinds()
)

// WorkloadOf returns the row of a workload's kind, nil for other kinds.
func WorkloadOf(group, kind string) *Workload { return workloadIndex[gk{group, kind}] }

// ProducerOf returns the row of a producer's kind, nil for other kinds.
func ProducerOf(group, kind string) *Producer { return producerIndex[gk{group, kind}] }

// Known reports whether some group's kind of that name has a row.
func Known(kind []byte) bool { return known[string(kind)] }

func knownKinds() map[string]bool {
	m := map[string]bool{ConfigMap: true, Secret: true}
	for _, w := range Workloads {
		m[w.Kind] = true
	}
	for _, p := range Producers {
		m[p.Kind] = true
	}
	return m
}
