package compare

import (
	"strconv"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Pods is how many pods a workload has, as far as the manifests say.
type Pods struct {
	Count   int
	Each    bool   // one on each node; Count is 0
	AtLeast bool   // an autoscaler keeps at least so many
	Unknown string // why nobody can tell, "" where one can
}

func (p Pods) known() bool { return !p.Each && p.Unknown == "" }

// None reports whether there are surely no pods.
func (p Pods) None() bool { return p.known() && !p.AtLeast && p.Count == 0 }

// plain are the kinds that have as many pods as spec.replicas says, or the
// field replicas beside their pod template, and one where it says nothing.
var plain = map[string]bool{
	"Deployment": true, "StatefulSet": true, "Rollout": true, "ReplicaSet": true, "ReplicationController": true,
	"DeploymentConfig": true, "CloneSet": true, "ClusterServiceVersion": true,
}

// pods counts the pods of a template of a workload.
func (c *comparer) pods(s *side, r *graph.Result) Pods {
	id, object := scaled(s, r)
	switch {
	case id.Kind == "DaemonSet":
		return Pods{Each: true}
	case id.Kind == "Pod":
		return Pods{Count: 1}
	case id.Kind == "Job" || id.Kind == "CronJob":
		return Pods{Unknown: "a " + id.Kind + " has pods while it runs"}
	case !plain[id.Kind]:
		return Pods{Unknown: "the manifest of a " + id.Kind + " does not say how many"}
	}
	for _, scaler := range c.scalers[anywhere(id)] {
		if maybeSame(scaler.namespace, id.Namespace) {
			return Pods{Count: scaler.least, AtLeast: true}
		}
	}
	path := "spec.template"
	if r.Workload.Owner() == nil {
		path = r.Template.Path
	}
	replicas := beside(object, path, "replicas")
	if absent(replicas) {
		return Pods{Count: 1}
	}
	n, err := strconv.Atoi(replicas.Text())
	if err != nil {
		return Pods{Unknown: "replicas is no number"}
	}
	return Pods{Count: n}
}

// scaled is the workload that has a template's pods: the one that uses it, if
// one does.
func scaled(s *side, r *graph.Result) (graph.ID, tree.Node) {
	if owner := r.Workload.Owner(); owner != nil {
		return owner.ID, s.other(owner.Place)
	}
	return r.Workload.ID, s.object(r)
}

// beside is a field beside the one that a path leads to.
func beside(object tree.Node, path, field string) tree.Node {
	parts := strings.Split(path, ".")
	at := object
	for _, part := range parts[:len(parts)-1] {
		name, index, isItem := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		at = at.Field(name)
		if i, err := strconv.Atoi(index); isItem && err == nil {
			at, _ = item(at, i)
		}
	}
	return at.Field(field)
}

// Totals are the sums over a diff.
type Totals struct {
	ByVerdict map[Verdict]int
	Restarts  int  // workloads
	Pods      int  // at least
	EachNode  int  // workloads with a pod on each node, which are not in Pods
	Unknown   int  // workloads that restart and do not say how many pods they have
	AtLeast   bool // some are scaled
}

// Totals counts. Of a workload with several templates, each template counts.
func (d *Diff) Totals() Totals {
	t := Totals{ByVerdict: make(map[Verdict]int)}
	for _, w := range d.Workloads {
		t.ByVerdict[w.Verdict]++
		if !w.Verdict.Restarts() {
			continue
		}
		t.Restarts++
		switch {
		case w.Pods.Each:
			t.EachNode++
		case w.Pods.Unknown != "":
			t.Unknown++
		default:
			t.Pods += w.Pods.Count
			t.AtLeast = t.AtLeast || w.Pods.AtLeast
		}
	}
	return t
}
