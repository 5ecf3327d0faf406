package compare

import (
	"fmt"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
)

// evidence is what of a template changed.
type evidence struct {
	config   bool // what it uses: its keys, or what they are called
	template bool // its own fields, but for other tools' checksums
	checksum bool // other tools' checksums
	stamp    bool // what it is stamped with
	first    bool // it had no stamp
	gone     bool // it has none any more
}

func (e evidence) rolls() bool { return e.template || e.checksum || e.stamp }

// judge finds the verdict on a template of which something changed.
func (c *comparer) judge(w *Workload, old, now *graph.Result) {
	if old.Digest != now.Digest {
		c.lineChanges(w, c.old.detail(old), c.now.detail(now))
	}
	if !sameText(old.Workload, now.Workload) || !sameText(old.Workload.Owner(), now.Workload.Owner()) {
		c.compareFields(w, old, now)
	}
	e := c.evidence(w, old, now)
	w.Roll = c.roll(now)
	c.limitPods(w, old, now)
	anew := ""
	if now.Class() == kinds.Immutable || w.ID.Name == "" {
		anew = c.anew(now)
	}
	switch refused := refused(w); {
	case !e.config && !e.rolls() && len(w.Others) == 0:
		c.unused(now)
		return
	case len(refused) > 0:
		w.Verdict, w.Why = Stuck, "the API server refuses a change of "+paths(refused)
		w.Mend = "delete it before the new one is applied (kubectl delete --cascade=orphan keeps its pods), or leave the field as it is"
	case anew != "":
		w.Verdict, w.Why = Stays, anew
	case !e.config && !e.rolls():
		w.Verdict, w.Why = Stays, "only "+paths(w.Others)+" changed"
		c.resumed(w, old)
	case !rolls(now.Class()):
		c.judgeOther(w, now, e)
	case w.Roll.Stall != "" && e.rolls():
		w.Verdict, w.Why = Stays, w.Roll.Stall
		if e.config {
			w.Mend = "restart the pods by hand, or change the setting"
		}
	case w.Pods.None() && e.rolls():
		w.Verdict, w.Why = Stays, "it is scaled to zero: there are no pods"
	case e.rolls():
		c.judgeRolling(w, old, now, e)
	default:
		c.judgeStuck(w, now)
	}
	if !w.Verdict.Restarts() {
		w.Noise = nil
	}
	c.add(*w)
}

// evidence sums up what changed.
func (c *comparer) evidence(w *Workload, old, now *graph.Result) evidence {
	e := evidence{config: len(w.Renames) > 0}
	for _, f := range w.Fields {
		if f.checksum {
			e.checksum = true
		} else {
			e.template = true
		}
	}
	for _, k := range w.Changes {
		e.config = e.config || !k.byReference || !e.template
	}
	before, after := c.stamps(old, now)
	e.stamp = before != after
	e.first, e.gone = e.stamp && before == "", e.stamp && after == ""
	return e
}

// stamps are those with which two templates are applied: those that they
// carry, where a render is stamped, else those that they would get.
func (c *comparer) stamps(old, now *graph.Result) (before, after string) {
	before, after = old.Stamp, now.Stamp
	switch {
	case c.now.stamped:
		before, after = old.Template.Stamp, now.Template.Stamp
	case c.old.stamped && keyID(old.Template.Stamp) != keyID(old.Stamp) && old.Template.Stamp != "" && old.Stamp != "":
		c.diff.OtherKey = true // what it covers can only be compared unkeyed
	case c.old.stamped:
		before = old.Template.Stamp
	}
	return before, after
}

// keyID is the part of a stamp that names its form and its key.
func keyID(stamp string) string {
	id, _, _ := strings.Cut(stamp, ":")
	return id
}

// rolls reports whether a change of the template replaces pods.
func rolls(class kinds.Class) bool {
	return class == kinds.Rolls || class == kinds.Elsewhere || class == kinds.Costly
}

// judgeRolling judges a workload whose pods are replaced.
func (c *comparer) judgeRolling(w *Workload, old, now *graph.Result, e evidence) {
	var words []string
	switch {
	case e.first && !e.template && !e.checksum && (!e.config || !c.old.stamped):
		w.Verdict = First
	case e.config && e.template:
		w.Verdict = ByBoth
	case e.template, e.checksum && !e.config:
		w.Verdict = ByTemplate
	default:
		w.Verdict = ByConfig
	}
	if w.noisy() && !e.config {
		words = append(words, "nothing in its template changed but noise")
	}
	switch {
	case w.Verdict == First:
	case e.gone:
		words = append(words, "its stamp goes: "+now.Why)
	case e.first && !e.config:
		words = append(words, "it gets its first stamp")
	case e.config || !e.stamp:
	case keyID(old.Template.Stamp) != keyID(now.Template.Stamp) && c.now.stamped:
		words = append(words, "its stamp changed, though nothing that it uses did: it was made with another key for Secret values")
	case c.old.stamped && old.Stale():
		words = append(words, "its old stamp was stale")
	case len(w.Changes) == 0:
		words = append(words, "its stamp changed, though nothing that it uses did: it was made in another way")
	}
	if e.template && !now.Template.Plain() {
		words = append(words, "which of these changes restart pods is its operator's decision")
	}
	if now.Class() == kinds.Costly {
		words = append(words, "that ends running work")
	}
	w.Why = strings.Join(words, "; ")
}

// judgeOther judges a workload whose pods do not follow its template.
func (c *comparer) judgeOther(w *Workload, now *graph.Result, e evidence) {
	w.Verdict, w.Why = Stays, now.Why
	switch class := now.Class(); {
	case class == kinds.NextRun && running[w.ID.Kind] && e.config:
		w.Verdict, w.Why = Stuck, "a "+w.ID.Kind+" leaves the pods that run as they are"
		w.Mend = "restart the pods by hand"
	case class == kinds.NextRun && running[w.ID.Kind]:
		w.Why = "a " + w.ID.Kind + " leaves the pods that run as they are: those that start later get it"
	case class == kinds.NextRun:
		w.Why = "the pods of the next run get it"
	case class == kinds.Immutable && w.ID.Kind == "Pod":
		w.judgePod(e)
	case class == kinds.Immutable && e.rolls():
		w.Verdict, w.Why = Stuck, "the API server refuses a change of the pod template of a "+w.ID.Kind
		w.Mend = "delete it before the new one is applied, or give it another name"
	case class == kinds.Immutable:
		w.Verdict, w.Why = Stuck, "a "+w.ID.Kind+" that ran does not run again"
		w.Mend = "run it again by hand, if it should see the change"
	case class == kinds.InPlace && e.template:
		w.Verdict, w.Why = ByTemplate, "its containers restart in place, where its update strategy lets them"
		if e.config {
			w.Verdict = ByBoth
		}
	case e.config:
		w.Verdict, w.Mend = Stuck, "restart the pods by hand"
		if w.Why == "" {
			w.Why = "its pods get the annotation and run on"
		}
	default:
		w.Why = "its pods get the annotation and run on"
	}
}

// running are the kinds of class next-run that keep pods running.
var running = map[string]bool{"ReplicaSet": true, "ReplicationController": true}

// judgeStuck judges a workload whose configuration changed and nothing else.
func (c *comparer) judgeStuck(w *Workload, now *graph.Result) {
	w.Verdict = Stuck
	switch {
	case now.Off:
		w.Verdict, w.Why = Stays, now.Why
	case now.Class() == kinds.Costly && now.Action == graph.Keep && now.Why != "":
		w.Why, w.Mend = now.Why, "let the running work end, then restart it"
	case now.Why != "" && now.Action == graph.Keep:
		w.Why, w.Mend = now.Why, `restart the pods by hand, or let restamp stamp it: restamp.dev/enabled: "true"`
	case c.now.stamped && now.Template.Stamp == "":
		w.Why, w.Mend = "its pod template has no stamp", "run restamp over the new render"
	case c.now.stamped && now.Stale():
		w.Why, w.Mend = "its stamp was not made anew", "run restamp over the new render"
	default:
		w.Why, w.Mend = "nothing in its pod template changes with it", "restart the pods by hand"
	}
}

// resumed tells of a workload whose pods were held back, and are not any more.
func (c *comparer) resumed(w *Workload, old *graph.Result) {
	if old.Workload.Stall() != "" && w.Roll.Stall == "" {
		w.Why += "; what was held back until now rolls out with that, if anything was"
	}
}

// paths lists fields in words.
func paths(fields []Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Path)
	}
	return some(names, "fields")
}

// some lists a few names in words.
func some(names []string, noun string) string {
	const most = 3
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d more %s", strings.Join(names[:most], ", "), len(names)-most, noun)
	}
	return strings.Join(names, ", ")
}
