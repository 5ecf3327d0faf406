package compare

import (
	"fmt"
	"strconv"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Pods is how many pods a workload has, as far as the manifests say.
type Pods struct {
	Count   int
	Each    bool   // one on each node; Count is 0
	AtLeast bool   // an autoscaler keeps at least so many
	Unknown string // why nobody can tell, "" where one can
}

// Roll is how a workload's pods are replaced.
type Roll struct {
	How   string // in a few words, "" where the manifest does not say
	Down  bool   // all pods go before new ones come
	Stall string // why they are not replaced by themselves
	Note  string // what else to know
}

// budget is a PodDisruptionBudget that allows no disruption.
type budget struct {
	id       graph.ID
	selector tree.Node
}

// findCluster finds the autoscalers and disruption budgets of the new render.
func (c *comparer) findCluster() {
	c.scalers = make(map[graph.ID]int)
	wanted := func(kind []byte) bool {
		switch string(kind) {
		case "HorizontalPodAutoscaler", "ScaledObject", "PodDisruptionBudget":
			return true
		}
		return manifest.IsList(kind)
	}
	c.now.objectsOf(wanted, func(o manifest.Object) {
		namespace := o.Path("metadata", "namespace").Text()
		switch o.Kind {
		case "HorizontalPodAutoscaler":
			c.scaler(o, namespace, "minReplicas", 1)
		case "ScaledObject":
			c.scaler(o, namespace, "minReplicaCount", 0)
		case "PodDisruptionBudget":
			if zero(o.Path("spec", "maxUnavailable")) || o.Path("spec", "minAvailable").Text() == "100%" {
				c.budgets = append(c.budgets, budget{graph.ID{Kind: o.Kind, Namespace: namespace, Name: o.Path("metadata", "name").Text()}, o.Path("spec", "selector")})
			}
		}
	})
}

func zero(n tree.Node) bool { return n.Text() == "0" || n.Text() == "0%" }

func (c *comparer) scaler(o manifest.Object, namespace, field string, least int) {
	target := o.Path("spec", "scaleTargetRef")
	kind := target.Field("kind").Text()
	if kind == "" {
		kind = "Deployment" // KEDA's default
	}
	if n, err := strconv.Atoi(o.Path("spec", field).Text()); err == nil {
		least = n
	}
	group := kinds.Group(target.Field("apiVersion").Text())
	if group == "" {
		group = "apps"
	}
	c.scalers[graph.ID{Group: group, Kind: kind, Namespace: namespace, Name: target.Field("name").Text()}] = least
}

// pods counts the pods of a workload.
func (c *comparer) pods(s *side, r *graph.Result) Pods {
	o := s.object(r)
	id := r.Workload.ID
	switch id.Kind {
	case "DaemonSet":
		return Pods{Each: true}
	case "Deployment", "StatefulSet", "Rollout", "ReplicaSet", "ReplicationController", "DeploymentConfig":
		if least, ok := c.scalers[id]; ok {
			return Pods{Count: least, AtLeast: true}
		}
		replicas := o.Path("spec", "replicas")
		if absent(replicas) {
			return Pods{Count: 1}
		}
		if n, err := strconv.Atoi(replicas.Text()); err == nil {
			return Pods{Count: n}
		}
	case "Pod":
		return Pods{Count: 1}
	}
	return Pods{Unknown: "the manifest of a " + id.Kind + " does not say"}
}

// roll says how the pods of a workload are replaced.
func (c *comparer) roll(r *graph.Result) Roll {
	spec := c.now.object(r).Field("spec")
	roll := Roll{Stall: r.Workload.Stall()}
	switch r.Workload.ID.Kind {
	case "Deployment":
		strategy := spec.Field("strategy")
		roll.How = strategyName(strategy.Field("type").Text())
		roll.Down = roll.How == "Recreate"
		if limits := strategy.Field("rollingUpdate"); limits.Kind() == tree.Map && !roll.Down {
			roll.How += words(limits, "maxUnavailable", "maxSurge")
		}
	case "StatefulSet", "DaemonSet":
		strategy := spec.Field("updateStrategy")
		roll.How = strategyName(strategy.Field("type").Text())
		if limits := strategy.Field("rollingUpdate"); limits.Kind() == tree.Map {
			roll.How += words(limits, "partition", "maxUnavailable", "maxSurge")
		}
	case "Rollout":
		for _, name := range []string{"canary", "blueGreen"} {
			if spec.Field("strategy").Field(name).Exists() {
				roll.How = name
			}
		}
	}
	for _, b := range c.budgets {
		if b.matches(r.Workload.ID.Namespace, c.now.template(r).Path("metadata", "labels")) {
			roll.Note = fmt.Sprintf("%s allows no disruption: it does not hold this back, but nodes cannot be drained meanwhile", b.id)
		}
	}
	return roll
}

func strategyName(name string) string {
	if name == "" {
		return "RollingUpdate"
	}
	return name
}

func words(limits tree.Node, names ...string) (text string) {
	for _, name := range names {
		if v := limits.Field(name); !absent(v) {
			text += ", " + name + " " + v.Text()
		}
	}
	return text
}

// matches reports whether a budget is about pods with these labels.
func (b *budget) matches(namespace string, labels tree.Node) bool {
	if b.id.Namespace != namespace {
		return false
	}
	for k, v := range b.selector.Field("matchLabels").Fields() {
		if labels.Field(k.KeyText()).Text() != v.Text() {
			return false
		}
	}
	for e := range b.selector.Field("matchExpressions").Items() {
		if !matchesExpression(e, labels.Field(e.Field("key").Text())) {
			return false
		}
	}
	return true
}

func matchesExpression(e, label tree.Node) bool {
	in := false
	for v := range e.Field("values").Items() {
		in = in || label.Exists() && v.Text() == label.Text()
	}
	switch e.Field("operator").Text() {
	case "In":
		return in
	case "NotIn":
		return !in
	case "Exists":
		return label.Exists()
	case "DoesNotExist":
		return !label.Exists()
	}
	return false
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
