package compare

import (
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// fixed are the fields that the API server lets nobody change, by kind
// (kubernetes/pkg/apis/apps/validation, apis/batch/validation). Of a kind with
// but, every other field of the spec is one.
var fixed = map[string]struct{ fields, but []string }{
	"Deployment": {fields: []string{"spec.selector"}},
	"DaemonSet":  {fields: []string{"spec.selector"}},
	"ReplicaSet": {fields: []string{"spec.selector"}},
	"StatefulSet": {but: []string{
		"spec.replicas", "spec.ordinals", "spec.updateStrategy", "spec.revisionHistoryLimit",
		"spec.persistentVolumeClaimRetentionPolicy", "spec.minReadySeconds", "spec.template",
	}},
}

// refused are the changed fields that the API server refuses.
func refused(w *Workload) (fields []Field) {
	rule, ok := fixed[w.ID.Kind]
	if !ok || w.ID.Group != "apps" {
		return nil
	}
	for _, f := range w.Others {
		if !below(f.Path, "spec") {
			continue
		}
		in := func(field string) bool { return below(f.Path, field) }
		if slices.ContainsFunc(rule.fields, in) || rule.but != nil && !slices.ContainsFunc(rule.but, in) {
			fields = append(fields, f)
		}
	}
	return fields
}

// below reports whether a path leads to a field or into it.
func below(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// judgePod judges a bare Pod that changed: its labels, its annotations and its
// images may change, and nothing else that starts anything.
func (w *Workload) judgePod(e evidence) {
	images, others := 0, 0
	for _, f := range w.Fields {
		switch {
		case image.MatchString(f.Path):
			images++
		case !below(f.Path, "metadata"):
			others++
		}
	}
	switch {
	case others > 0:
		w.Verdict, w.Why = Stuck, "the API server refuses such a change of a Pod"
		w.Mend = "delete it before the new one is applied, or give it another name"
	case images > 0 && !e.config:
		w.Verdict, w.Why = ByTemplate, "its containers restart in place"
	case images > 0:
		w.Verdict, w.Why = ByBoth, "its containers restart in place"
	case e.config:
		w.Verdict, w.Why, w.Mend = Stuck, "nobody restarts a bare Pod", "delete it and apply it again"
	default:
		w.Verdict, w.Why = Stays, "its metadata changes and no more"
	}
}

// anew says why an object is made anew each time and not changed: hooks of Helm
// and of Argo CD are deleted before they are made, unless they say another
// policy, and then they are gone before. It is "" for others.
func (c *comparer) anew(r *graph.Result) string {
	if r.Workload.ID.Name == "" {
		return "it gets a name when it is made: each apply makes a new one"
	}
	annotations := c.now.object(r).Path("metadata", "annotations")
	switch {
	case annotations.Field("helm.sh/hook").Exists():
		return "it is a hook of Helm: it is made anew each time that it runs"
	case annotations.Field("argocd.argoproj.io/hook").Exists():
		return "it is a hook of Argo CD: it is made anew each time that it runs"
	case replaced(annotations.Field("argocd.argoproj.io/sync-options")):
		return "Argo CD replaces it by force"
	}
	return ""
}

func replaced(options tree.Node) bool {
	text := strings.ReplaceAll(options.Text(), " ", "")
	return slices.Contains(strings.Split(text, ","), "Force=true") && slices.Contains(strings.Split(text, ","), "Replace=true")
}
