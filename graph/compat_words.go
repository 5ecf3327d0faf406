package graph

import (
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Tool is another tool for the same purpose, whose annotations may stand in
// manifests.
type Tool string

// The tools whose annotations are known.
const (
	Reloader Tool = "reloader" // stakater/Reloader, v1.4
	Wave     Tool = "wave"     // wave-k8s/wave, v0.11
	Kudo     Tool = "kudo"     // kudobuilder/kudo, KEP-27
)

// Tools are all of them.
var Tools = []Tool{Reloader, Wave, Kudo}

var toolNames = map[Tool]string{Reloader: "Reloader", Wave: "wave", Kudo: "KUDO"}

// role is what an annotation of another tool says.
type role uint8

const (
	selects  role = iota + 1 // on a workload: what its fields name counts, or does not
	lists                    // on a workload: these count, whether a field names them or not
	excludes                 // on a workload: these do not
	searches                 // on a workload: what its fields name and a mark is on counts
	marks                    // on a source: the mark
	skips                    // on a source: it never counts
	leftover                 // it is of use to the tool alone, which wrote it
	unlike                   // it sets what there is no like of here
)

// A wordRow says what an annotation of another tool means.
type wordRow struct {
	tool Tool
	role role
	kind string // of the sources that it is about, "" for all
	tell string // of a leftover or an unlike one, to the user
}

// wordRows is the table of the other tools' annotations.
var wordRows = map[string]wordRow{
	"reloader.stakater.com/auto":   {tool: Reloader, role: selects},
	"reloader.stakater.com/search": {tool: Reloader, role: searches},
	"reloader.stakater.com/match":  {tool: Reloader, role: marks},
	"reloader.stakater.com/ignore": {tool: Reloader, role: skips},

	"configmap.reloader.stakater.com/auto":           {tool: Reloader, role: selects, kind: kinds.ConfigMap},
	"secret.reloader.stakater.com/auto":              {tool: Reloader, role: selects, kind: kinds.Secret},
	"secretproviderclass.reloader.stakater.com/auto": {tool: Reloader, role: selects, kind: kinds.SecretProviderClass},

	"configmap.reloader.stakater.com/reload":           {tool: Reloader, role: lists, kind: kinds.ConfigMap},
	"secret.reloader.stakater.com/reload":              {tool: Reloader, role: lists, kind: kinds.Secret},
	"secretproviderclass.reloader.stakater.com/reload": {tool: Reloader, role: lists, kind: kinds.SecretProviderClass},

	"configmaps.exclude.reloader.stakater.com/reload":            {tool: Reloader, role: excludes, kind: kinds.ConfigMap},
	"secrets.exclude.reloader.stakater.com/reload":               {tool: Reloader, role: excludes, kind: kinds.Secret},
	"secretproviderclasses.exclude.reloader.stakater.com/reload": {tool: Reloader, role: excludes, kind: kinds.SecretProviderClass},

	"reloader.stakater.com/rollout-strategy":        {tool: Reloader, role: unlike, tell: "restamp always changes the pod template, and never spec.restartAt"},
	"deployment.reloader.stakater.com/pause-period": {tool: Reloader, role: unlike, tell: "restamp has no pause between restarts, and needs none: all that one apply changes is one restart"},
	"deployment.reloader.stakater.com/paused-at":    {tool: Reloader, role: leftover, tell: "Reloader paused the Deployment when this was written, and waits to resume it"},
	"reloader.stakater.com/last-reloaded-from":      {tool: Reloader, role: leftover, tell: "Reloader left this behind when it restarted the pods: it restarts them whenever somebody takes it out"},

	"wave.pusher.com/update-on-config-change": {tool: Wave, role: selects},
	"wave.pusher.com/extra-configmaps":        {tool: Wave, role: lists, kind: kinds.ConfigMap},
	"wave.pusher.com/extra-secrets":           {tool: Wave, role: lists, kind: kinds.Secret},
	"wave.pusher.com/config-hash":             {tool: Wave, role: leftover, tell: "wave left this hash behind: without wave nobody keeps it up to date, and it restarts the pods whenever somebody takes it out"},
	"wave.pusher.com/scheduling-disabled":     {tool: Wave, role: leftover, tell: "wave kept the pods from being scheduled when this was written: without wave spec.schedulerName must be put right by hand"},

	"kudo.dev/skip-hash-calculation": {tool: Kudo, role: skips},
}

// toolKinds are the kinds of workloads on which a tool acts; on others its
// annotations mean nothing.
var toolKinds = map[Tool][]ID{
	Reloader: {
		{Group: "apps", Kind: "Deployment"},
		{Group: "extensions", Kind: "Deployment"},
		{Group: "apps", Kind: "StatefulSet"},
		{Group: "apps", Kind: "DaemonSet"},
		{Group: "extensions", Kind: "DaemonSet"},
		{Group: "batch", Kind: "CronJob"},
		{Group: "batch", Kind: "Job"},
		{Group: "argoproj.io", Kind: "Rollout"},
	},
	Wave: {
		{Group: "apps", Kind: "Deployment"},
		{Group: "apps", Kind: "StatefulSet"},
		{Group: "apps", Kind: "DaemonSet"},
	},
}

// word is an annotation of another tool as it stands on an object.
type word struct {
	wordRow
	name, value string
	field       string
	place       Place
	faulty      string // why the API server would refuse it, "" where it would not
}

// readWord adds an annotation to the words of an object, if it is another
// tool's.
func readWord(words []word, k, v tree.Node, path string, at func(tree.Node) Place) []word {
	name := k.Text()
	row, ok := wordRows[name]
	if !ok {
		return words
	}
	w := word{wordRow: row, name: name, value: v.Text(), field: path + "." + name, place: at(v)}
	if v.Type() != tree.String {
		w.faulty = "the value is " + typeName(v) + "; annotations are strings, so quote it"
	}
	return append(words, w)
}

// madeAnnotations lead from a producer to the annotations that the controller
// puts on what it makes. Sources: as for kinds.Producers.
var madeAnnotations = []kinds.Path{
	kinds.P("spec.target.template.metadata.annotations"), // ExternalSecret
	kinds.P("spec.template.metadata.annotations"),        // SealedSecret
	kinds.P("spec.secretTemplate.annotations"),           // Certificate
}

// readMadeWords reads the words of what a producer makes.
func (r *Reader) readMadeWords(s *Source, n tree.Node) {
	for _, path := range madeAnnotations {
		for k, v := range n.Path(path...).Fields() {
			s.words = readWord(s.words, k, v, path.String(), r.at)
		}
	}
}

// actsOn reports whether a tool acts on a workload, or on the one that uses its
// template.
func (t Tool) actsOn(w *Workload) bool {
	return slices.Contains(toolKinds[t], ID{Group: w.ID.Group, Kind: w.ID.Kind}) || w.owner != nil && t.actsOn(w.owner)
}

// entries are the entries of a comma list, trimmed, without empty ones.
func entries(list string) []string {
	var all []string
	for _, entry := range strings.Split(list, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			all = append(all, entry)
		}
	}
	return all
}
