package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/restamp/restamp/internal/kinds"
)

// choice is one combination of all that decides whether a workload is stamped.
type choice struct {
	rollout, workload, template string // restamp.dev/enabled; "none" for no Rollout
	auto                        string // reloader.stakater.com/auto on the workload
	kind                        string
	optIn, include              bool // mode opt-in; all classes included
}

// kindsOfChoices have a kind for each class, and whether Reloader knows it.
var kindsOfChoices = map[string]struct {
	class    kinds.Class
	reloader bool
}{
	"apps/v1 Deployment":         {kinds.Rolls, true},
	"apps/v1 ReplicaSet":         {kinds.NextRun, false},
	"keda.sh/v1alpha1 ScaledJob": {kinds.Costly, false},
	"batch/v1 Job":               {kinds.Immutable, true},
	"example.com/v1 CloneSet":    {kinds.InPlace, false},
	"example.com/v1 Cluster":     {kinds.Elsewhere, false},
}

// tablesOfChoices have the kinds of classes without a built-in one of a plain
// form.
var tablesOfChoices = kinds.NewTables([]kinds.Workload{
	{Group: "example.com", Kind: "CloneSet", Template: kinds.P("spec.template"), Class: kinds.InPlace},
	{Group: "example.com", Kind: "Cluster", Template: kinds.P("spec.template"), Class: kinds.Elsewhere},
}, nil, nil)

// want says what becomes of a workload that has an old stamp.
func (c choice) want() Action {
	class := kindsOfChoices[c.kind].class
	if class == kinds.Immutable {
		return Keep // whatever is said
	}
	if c.rollout != "none" {
		class = kinds.Rolls // with the Rollout
	}
	for _, word := range []string{c.template, c.workload, c.rollout} { // the nearest one of ours
		switch word {
		case "true":
			return Set
		case "false":
			return Remove
		}
	}
	if kindsOfChoices[c.kind].reloader || c.rollout != "none" { // then another tool's
		switch c.auto {
		case "true":
			return Set
		case "false":
			return Remove
		}
	}
	switch { // then the mode, and the class
	case c.optIn:
		return Keep
	case class == kinds.Rolls || class == kinds.Elsewhere || c.include:
		return Set
	}
	return Keep
}

func (c choice) stream() string {
	annotation := func(name, value string) string {
		if value == "" || value == "none" {
			return ""
		}
		return fmt.Sprintf("%s: %q, ", name, value)
	}
	apiVersion, kind, _ := strings.Cut(c.kind, " ")
	stream := fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: web, annotations: {%s%s}}\n", apiVersion, kind,
		annotation("restamp.dev/enabled", c.workload), annotation("reloader.stakater.com/auto", c.auto))
	template := fmt.Sprintf("template: {metadata: {annotations: {%s restamp.dev/config-hash: h1:old}}, spec: {containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}}", annotation("restamp.dev/enabled", c.template))
	if kind == "ScaledJob" {
		template = "jobTargetRef: {" + template + "}"
	}
	stream += "spec: {" + template + "}\n"
	if c.rollout != "none" {
		stream += fmt.Sprintf("---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r, annotations: {%s}}\nspec: {workloadRef: {apiVersion: %s, kind: %s, name: web}}\n",
			annotation("restamp.dev/enabled", c.rollout), apiVersion, kind)
	}
	return configMap("", "cm", "k: x") + stream
}

// inNamespace puts all objects of a stream into a namespace.
func inNamespace(namespace int, stream string) string {
	stream = strings.ReplaceAll(stream, "metadata: {name: ", fmt.Sprintf("metadata: {namespace: n%d, name: ", namespace))
	return "---\n" + strings.ReplaceAll(stream, ", namespace: }", "}")
}

// TestWhetherToStamp tries all combinations, each in its own namespace.
func TestWhetherToStamp(t *testing.T) {
	words := []string{"", "true", "false"}
	for bits := range 4 {
		var choices []choice
		for kind := range kindsOfChoices {
			for i := range 4 * 27 {
				choices = append(choices, choice{
					kind: kind, optIn: bits&1 > 0, include: bits&2 > 0,
					rollout: append(words, "none")[i%4], workload: words[i/4%3], template: words[i/12%3], auto: words[i/36],
				})
			}
		}
		var stream strings.Builder
		for i, c := range choices {
			stream.WriteString(inNamespace(i, c.stream()))
		}
		opts := Options{OptIn: bits&1 > 0, Compat: Tools, Tables: tablesOfChoices}
		if bits&2 > 0 {
			opts.Include = []kinds.Class{kinds.NextRun, kinds.InPlace, kinds.Costly}
		}
		_, results := build(t, stream.String(), opts)
		if len(results) != len(choices) {
			t.Fatalf("%d results of %d choices", len(results), len(choices))
		}
		for i, c := range choices {
			if results[i].Action != c.want() {
				t.Errorf("%+v: action %d, want %d", c, results[i].Action, c.want())
			}
		}
	}
}

// use is one combination of all that decides which keys of a source count. The
// source has the keys a and b.
type use struct {
	field, dependsOn, listed   bool   // by which a workload uses it; listed by Reloader's annotation
	source                     string // restamp.dev/ignore on the source
	keys                       bool   // restamp.dev/ignore-keys: a
	workload, template, config string // ignore lists: nothing, one key, or the reference
	skip                       string // another tool's annotation on the source
	exclude                    bool   // Reloader's exclude list on the workload
}

const ignoreKey, ignoreAll = "ConfigMap/cm:b", "ConfigMap/c*"

// want are the keys that count. "" stands for a source of which no key is left.
func (u use) want() (keys []string) {
	ours := []string{u.workload, u.template, u.config}
	theirs := u.field || u.listed
	if u.skip != "" && u.source == "" || u.exclude {
		theirs = false // no word of ours asks for it
	}
	if u.source == "true" || slices.Contains(ours, ignoreAll) || !u.dependsOn && !theirs {
		return nil
	}
	if !u.keys {
		keys = append(keys, "a")
	}
	if !slices.Contains(ours, ignoreKey) {
		keys = append(keys, "b")
	}
	if keys == nil {
		keys = []string{""}
	}
	return keys
}

func (u use) stream() string {
	list := func(name, value string) string {
		if value == "" {
			return ""
		}
		return fmt.Sprintf("%s: %q, ", name, value)
	}
	optional := func(yes bool, value string) string {
		if yes {
			return value
		}
		return ""
	}
	source := list("restamp.dev/ignore", u.source) + list("restamp.dev/ignore-keys", optional(u.keys, "a")) + optional(u.skip != "", u.skip)
	web := list("restamp.dev/ignore", u.workload) + list("restamp.dev/depends-on", optional(u.dependsOn, "ConfigMap/cm")) +
		list("configmap.reloader.stakater.com/reload", optional(u.listed, "cm")) +
		list("configmaps.exclude.reloader.stakater.com/reload", optional(u.exclude, "cm"))
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, annotations: {%s}}\ndata: {a: x, b: x}\n", source) +
		fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {%s}}\n", web) +
		fmt.Sprintf("spec: {template: {metadata: {annotations: {%s}}, spec: {containers: [{name: c, envFrom: [%s]}]}}}\n",
			list("restamp.dev/ignore", u.template), optional(u.field, "{configMapRef: {name: cm}}"))
}

// TestWhatCounts tries all combinations, each in its own namespace.
func TestWhatCounts(t *testing.T) {
	lists := []string{"", ignoreKey, ignoreAll}
	sources := []string{"", "true", "false"}
	skips := []string{"", `kudo.dev/skip-hash-calculation: ""`, `reloader.stakater.com/ignore: "true"`}
	for _, config := range lists {
		opts := Options{Compat: Tools}
		if config != "" {
			target, err := ParseIgnore(config)
			if err != nil {
				t.Fatal(err)
			}
			opts.Ignore = []Target{target}
		}
		var uses []use
		var stream strings.Builder
		for i := range 32 * 81 {
			bits, i := i%32, i/32
			u := use{
				field: bits&1 > 0, dependsOn: bits&2 > 0, listed: bits&4 > 0, keys: bits&8 > 0, exclude: bits&16 > 0,
				source: sources[i%3], skip: skips[i/3%3], workload: lists[i/9%3], template: lists[i/27], config: config,
			}
			uses = append(uses, u)
			stream.WriteString(inNamespace(len(uses), u.stream()))
		}
		g, _ := build(t, stream.String(), opts)
		resolver := g.NewResolver()
		for i, u := range uses {
			var got []string
			for _, line := range resolver.Explain(g.Workloads[i])[0].Lines {
				got = append(got, strings.TrimPrefix(line.Label(), "ConfigMap/cm/"))
			}
			slices.Sort(got)
			if !slices.Equal(got, u.want()) {
				t.Errorf("%+v: keys %q, want %q", u, got, u.want())
			}
		}
	}
}

// TestWhyNothingCounts: that all is left out is another thing than that nothing
// is there.
func TestWhyNothingCounts(t *testing.T) {
	const leftOut, notThere = "all that it uses and that is in the input is left out", "nothing that it uses is in the input"
	for annotation, want := range map[string]string{
		`restamp.dev/ignore: ConfigMap/cm`: leftOut,
		search + `"true"`:                  leftOut,
		`restamp.dev/ignore: ConfigMap/x`:  notThere,
	} {
		stream := workload("", annotation)
		if want == leftOut {
			stream += configMap("", "cm", "k: x")
		}
		if _, results := build(t, stream, Options{Compat: Tools}); results[0].Why != want {
			t.Errorf("%s: %s", annotation, results[0].Why)
		}
	}
}

// TestToggling: which toggle changes a stamp, and so restarts pods.
func TestToggling(t *testing.T) {
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, annotations: {%s}}\ndata: {a: x, b: x}\n"
	const other = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: x}\n"
	stream := func(source, workload string) string {
		return fmt.Sprintf(cm, source) + other +
			fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {%s}}\n", workload) +
			"spec: {template: {spec: {containers: [{name: c, envFrom: [{configMapRef: {name: cm}}]}]}}}\n"
	}
	before := stream("", "")
	for _, c := range []struct {
		name     string
		after    string
		opts     Options
		restarts bool
	}{
		{"ignore on a source in use", stream(`restamp.dev/ignore: "true"`, ""), Options{}, true},
		{"ignore false on a source", stream(`restamp.dev/ignore: "false"`, ""), Options{}, false},
		{"ignore-keys, a key in use", stream("restamp.dev/ignore-keys: a", ""), Options{}, true},
		{"ignore-keys, a key that is not there", stream("restamp.dev/ignore-keys: z", ""), Options{}, false},
		{"an ignore list, a reference in use", stream("", `restamp.dev/ignore: "ConfigMap/cm"`), Options{}, true},
		{"an ignore list, a key in use", stream("", `restamp.dev/ignore: "ConfigMap/cm:a"`), Options{}, true},
		{"an ignore list, something else", stream("", `restamp.dev/ignore: "ConfigMap/other"`), Options{}, false},
		{"depends-on, something new", stream("", "restamp.dev/depends-on: ConfigMap/other"), Options{}, true},
		{"depends-on, something that counts already", stream("", "restamp.dev/depends-on: ConfigMap/cm"), Options{}, false},
		{"depends-on, something that is not there", stream("", "restamp.dev/depends-on: ConfigMap/gone"), Options{}, false},
		{"depends-on and ignore", stream("", "restamp.dev/depends-on: ConfigMap/other, restamp.dev/ignore: ConfigMap/other"), Options{}, false},
		{"enabled false", stream("", `restamp.dev/enabled: "false"`), Options{}, true},
		{"enabled true on what is stamped anyway", stream("", `restamp.dev/enabled: "true"`), Options{}, false},
		{"mode opt-in", before, Options{OptIn: true}, false},
		{"ignore in the configuration", before, Options{Ignore: []Target{{kind: "ConfigMap", name: "cm"}}}, true},
		{"compat, nothing said", before, Options{Compat: Tools}, false},
		{"compat, auto", stream("", auto+`"true"`), Options{Compat: Tools}, false},
		{"compat, auto false", stream("", auto+`"false"`), Options{Compat: Tools}, true},
		{"compat, a skipped source", stream(`kudo.dev/skip-hash-calculation: ""`, ""), Options{Compat: Tools}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, results := build(t, before, Options{})
			stamped := strings.Replace(c.after, "template: {", "template: {metadata: {annotations: {restamp.dev/config-hash: '"+results[0].Stamp+"'}}, ", 1)
			_, results = build(t, stamped, c.opts)
			if got := results[0].Action != Keep; got != c.restarts {
				t.Errorf("restarts: %v, want %v", got, c.restarts)
			}
		})
	}
}
