package compare

import (
	"fmt"
	"strconv"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Roll is how a workload's pods are replaced.
type Roll struct {
	How   string // in a few words, "" where the manifest does not say
	Down  bool   // all pods go before new ones come
	Stall string // why they are not replaced by themselves
	Notes []string
}

// scaler is an autoscaler.
type scaler struct {
	namespace string
	least     int // pods
}

// budget is a PodDisruptionBudget.
type budget struct {
	id       graph.ID
	selector tree.Node
	never    bool // it allows no disruption
	least    int  // it allows none of so few pods
}

// findCluster finds the autoscalers and disruption budgets of the new render.
func (c *comparer) findCluster() {
	c.scalers = make(map[graph.ID][]scaler)
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
			b := budget{id: graph.ID{Kind: o.Kind, Namespace: namespace, Name: o.Path("metadata", "name").Text()}, selector: o.Path("spec", "selector")}
			least := o.Path("spec", "minAvailable").Text()
			b.never = zero(o.Path("spec", "maxUnavailable")) || least == "100%"
			b.least, _ = strconv.Atoi(least) // a percentage allows some
			c.budgets = append(c.budgets, b)
		}
	})
}

func zero(n tree.Node) bool { return n.Text() == "0" || n.Text() == "0%" }

func (c *comparer) scaler(o manifest.Object, namespace, field string, least int) {
	target := o.Path("spec", "scaleTargetRef")
	kind, group := target.Field("kind").Text(), kinds.Group(target.Field("apiVersion").Text())
	if kind == "" {
		kind = "Deployment" // KEDA's default
	}
	if group == "" {
		group = "apps"
	}
	if n, err := strconv.Atoi(o.Path("spec", field).Text()); err == nil {
		least = n
	}
	id := graph.ID{Group: group, Kind: kind, Name: target.Field("name").Text()}
	c.scalers[id] = append(c.scalers[id], scaler{namespace, least})
}

// roll says how the pods of a workload are replaced.
func (c *comparer) roll(r *graph.Result) Roll {
	id, object := scaled(c.now, r)
	spec := object.Field("spec")
	roll := Roll{Stall: r.Workload.Stall()}
	switch id.Kind {
	case "Deployment", "DeploymentConfig":
		roll.How = strategyName(spec.Field("strategy"), "maxUnavailable", "maxSurge")
		roll.Down = roll.How == "Recreate"
	case "StatefulSet", "DaemonSet":
		roll.How = strategyName(spec.Field("updateStrategy"), "partition", "maxUnavailable", "maxSurge")
	case "Rollout":
		for _, name := range []string{"canary", "blueGreen"} {
			if spec.Path("strategy", name).Exists() {
				roll.How = name
			}
		}
	}
	return roll
}

// strategyName is a strategy with its limits.
func strategyName(strategy tree.Node, limits ...string) string {
	name := strategy.Field("type").Text()
	if name == "" {
		name = "RollingUpdate"
	}
	for _, field := range []string{"rollingUpdate", "rollingParams"} {
		for _, limit := range limits {
			if v := strategy.Field(field).Field(limit); !absent(v) && name != "Recreate" && name != "OnDelete" {
				name += ", " + limit + " " + v.Text()
			}
		}
	}
	return name
}

// limitPods counts the pods that are replaced: of a workload that is scaled as
// well, those that were there and stay; with a partition, those above it. It
// notes what else there is to know about that.
func (c *comparer) limitPods(w *Workload, old, now *graph.Result) {
	p := &w.Pods
	if before := c.pods(c.old, old); p.known() && before.known() && !p.AtLeast && before.Count < p.Count {
		p.Count = before.Count
	}
	if w.ID.Kind == "StatefulSet" && p.known() {
		partition, err := strconv.Atoi(c.now.object(now).Path("spec", "updateStrategy", "rollingUpdate", "partition").Text())
		if err == nil && partition > 0 && partition < p.Count && w.Roll.Stall != "" {
			p.Count -= partition
			w.Roll.Stall = ""
			w.Roll.Notes = append(w.Roll.Notes, "pods "+pods(partition)+" keep the old template, by the partition")
		}
		if p.Count == 1 && !p.AtLeast && partition <= 0 {
			w.Roll.Notes = append(w.Roll.Notes, "its only pod goes before the new one comes")
		}
	}
	for _, b := range c.budgets {
		if b.blocks(w) && b.matches(w.ID.Namespace, c.now.template(now).Path("metadata", "labels")) {
			w.Roll.Notes = append(w.Roll.Notes, fmt.Sprintf("%s allows no disruption: that keeps nodes from being drained, not this roll-out", b.id))
		}
	}
}

// pods are the ordinals below a number.
func pods(n int) string {
	if n == 1 {
		return "0"
	}
	return fmt.Sprintf("0 to %d", n-1)
}

// blocks reports whether a budget allows no pod of a workload to be evicted.
func (b *budget) blocks(w *Workload) bool {
	return b.never || b.least > 0 && w.Pods.known() && !w.Pods.AtLeast && b.least >= w.Pods.Count
}

// matches reports whether a budget is about pods with these labels. An empty
// selector is about all pods, none at all about none.
func (b *budget) matches(namespace string, labels tree.Node) bool {
	if !maybeSame(b.id.Namespace, namespace) || absent(b.selector) {
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
