package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
)

// judge finds the verdict on a template of which something changed.
func (c *comparer) judge(w *Workload, old, now *graph.Result) {
	if old.Digest != now.Digest {
		c.lineChanges(w, c.old.detail(old), c.now.detail(now))
	}
	c.compareFields(w, old, now)
	w.Pods, w.Roll = c.pods(c.now, now), c.roll(now)
	config := len(w.Changes) > 0 || len(w.Renames) > 0
	stamp := c.old.effective(old) != c.now.effective(now)
	template := len(w.Fields) > 0
	switch {
	case !config && !template && !stamp && len(w.Others) == 0:
		c.diff.Unchanged++
		return
	case !c.rolls(now):
		c.judgeOther(w, now, config, template)
	case w.Roll.Stall != "" && (stamp || template):
		w.Verdict, w.Why = Stays, w.Roll.Stall
		if config {
			w.Mend = "restart the pods by hand, or change the setting"
		}
	case !c.old.stamped && c.now.stamped && old.Template.Stamp == "" && now.Template.Stamp != "":
		w.Verdict = First
	case config && !stamp && !template && len(w.Renames) == 0:
		c.judgeStuck(w, now)
	case config && template:
		w.Verdict = ByBoth
	case template:
		w.Verdict = ByTemplate
	case config || stamp:
		w.Verdict = ByConfig
		c.explainStamp(w, config)
	default:
		w.Verdict, w.Why = Stays, "only "+paths(w.Others)+" changed"
	}
	c.add(*w)
}

// effective is the stamp with which a template is applied: the one that it
// carries, where its render is stamped, else the one that it would get.
func (s *side) effective(r *graph.Result) string {
	if s.stamped {
		return r.Template.Stamp
	}
	return r.Stamp
}

// rolls reports whether a change of the template replaces pods.
func (c *comparer) rolls(r *graph.Result) bool {
	class := r.Class()
	return class == kinds.Rolls || class == kinds.Elsewhere
}

// judgeOther judges a workload whose pods do not follow its template.
func (c *comparer) judgeOther(w *Workload, now *graph.Result, config, template bool) {
	w.Verdict, w.Why = Stays, now.Why
	switch class := now.Class(); {
	case !config && !template:
		w.Why = "only " + paths(w.Others) + " changed"
	case class == kinds.NextRun:
		w.Why = "the pods of the next run get it"
	case class == kinds.Immutable && template:
		w.Verdict, w.Why = Stuck, "the API server refuses a change of the pod template of a "+w.ID.Kind
		w.Mend = "delete it before it is applied, or give it another name"
	case class == kinds.Immutable:
		w.Verdict, w.Why = Stuck, "a "+w.ID.Kind+" that ran does not run again"
		w.Mend = "run it again by hand, if it should see the change"
	case class == kinds.Costly && template:
		w.Verdict, w.Why = ByTemplate, "a change ends running work"
		if config {
			w.Verdict = ByBoth
		}
	default:
		w.Verdict, w.Mend = Stuck, "restart the pods by hand, or say restamp.dev/enabled: \"true\""
	}
}

// judgeStuck judges a workload whose configuration changed and nothing else.
func (c *comparer) judgeStuck(w *Workload, now *graph.Result) {
	switch {
	case now.Why != "" && now.Action == graph.Keep:
		w.Verdict, w.Why = Stays, now.Why
	case c.now.stamped && now.Stale():
		w.Verdict, w.Why = Stuck, "its stamp was not made anew"
		w.Mend = "run restamp over the new render"
	default:
		w.Verdict, w.Why = Stuck, "nothing in its pod template changes with it"
	}
}

// explainStamp says why a stamp changed though no key did.
func (c *comparer) explainStamp(w *Workload, config bool) {
	if !config {
		w.Why = "its stamp changed, though nothing that it uses did: it was made in another way, or with another key"
	}
}

// compareFields compares the template and the rest of the object.
func (c *comparer) compareFields(w *Workload, old, now *graph.Result) {
	ours := make(map[string]bool)
	for _, r := range []*graph.Result{old, now} {
		at := ""
		for _, s := range r.Template.Slot() {
			at = step(at, s)
		}
		for _, e := range append(slices.Clone(r.Template.Stamps()), r.Stamps...) {
			ours[step(at, e.Key)] = true
		}
	}
	d := differ{skip: func(path string) bool { return ours[path] }}
	d.diff("", c.old.template(old), c.now.template(now))
	for _, f := range d.fields {
		if !w.renamed(f) {
			f.Path = join(now.Template.Path, f.Path)
			w.Fields = append(w.Fields, f)
		}
	}
	w.Noise = noise(w.Fields, len(w.Changes) > 0)
	c.compareOthers(w, old, now)
}

// compareOthers compares what is outside of the templates. Labels and
// annotations of the object are nobody's reason to restart.
func (c *comparer) compareOthers(w *Workload, old, now *graph.Result) {
	templates := make(map[string]bool)
	for _, t := range append(slices.Clone(old.Workload.Templates), now.Workload.Templates...) {
		templates[t.Path] = true
	}
	d := differ{skip: func(path string) bool { return templates[path] || path == "status" }}
	if now.Template.Path != "" {
		d.diff("", c.old.object(old), c.now.object(now))
	}
	w.Others = d.fields
}

// renamed reports whether a field changed from a source's old name to its new
// one.
func (w *Workload) renamed(f Field) bool {
	return slices.ContainsFunc(w.Renames, func(r Rename) bool {
		return f.Old != "" && strings.HasSuffix(r.Old, "/"+f.Old) && strings.HasSuffix(r.New, "/"+f.New)
	})
}

// noise names the changed fields of a template that say nothing about what the
// pods do.
func noise(fields []Field, config bool) (words []string) {
	for _, f := range fields {
		name := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		if i := strings.IndexByte(name, '['); i >= 0 {
			name = strings.TrimSuffix(name[i+1:], "]")
		}
		if i := strings.LastIndex(f.Path, "["); i >= 0 && strings.HasSuffix(f.Path, "]") {
			name = f.Path[i+1 : len(f.Path)-1]
		}
		switch {
		case strings.Contains(f.Path, "labels") && (name == kinds.ChartLabel || name == "app.kubernetes.io/version"):
			words = append(words, fmt.Sprintf("the label %s changed: a new version of the chart restarts pods by itself", name))
		case strings.Contains(f.Path, "annotations") && isForeignChecksum(name) && !config:
			words = append(words, name+" changed, though nothing that the pods use did")
		case strings.Contains(f.Path, "annotations") && isForeignChecksum(name):
			words = append(words, name+" is another tool's checksum")
		}
	}
	return words
}

func isForeignChecksum(name string) bool {
	return slices.ContainsFunc(kinds.ForeignChecksums, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

func join(path, rest string) string {
	switch {
	case path == "" || rest == "":
		return path + rest
	case rest[0] == '[':
		return path + rest
	}
	return path + "." + rest
}

// paths lists fields in words.
func paths(fields []Field) string {
	const most = 3
	var names []string
	for _, f := range fields {
		names = append(names, f.Path)
	}
	if len(names) > most {
		return fmt.Sprintf("%s and %d more fields", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// objectsOf walks the objects of some kinds.
func (s *side) objectsOf(wanted func(kind []byte) bool, visit func(o manifest.Object)) {
	for _, in := range s.run.Inputs {
		for _, c := range in.Chunks {
			for doc := range c.Documents() {
				if _, sure := doc.Skim(wanted); sure {
					continue
				}
				for o := range manifest.Objects(s.tree(&doc).Root()) {
					if wanted([]byte(o.Kind)) {
						visit(o)
					}
				}
			}
		}
	}
}
