package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/render"
)

func stamped(t *testing.T, stream string, opts graph.Options) *render.Run {
	t.Helper()
	run, err := render.Stamp([]render.Source{render.Stream("in", strings.NewReader(stream))}, render.Options{Graph: opts, AllowEmpty: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// restamped is a stream with its stamps.
func restamped(t *testing.T, stream string, opts graph.Options) string {
	t.Helper()
	var b strings.Builder
	if err := stamped(t, stream, opts).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// told is a diff in a few lines.
func told(d *Diff) string {
	var b strings.Builder
	for _, w := range d.Workloads {
		fmt.Fprintf(&b, "%s %s", w.ID, w.Verdict)
		if w.Template != "" {
			fmt.Fprintf(&b, " at %s", w.Template)
		}
		if w.Verdict.Restarts() {
			fmt.Fprintf(&b, ", %s", podsOf(w.Pods))
		}
		b.WriteString("\n")
		line := func(name, text string) {
			if text != "" {
				b.WriteString("  " + name + " " + text + "\n")
			}
		}
		line("why:", w.Why)
		line("mend:", w.Mend)
		for _, r := range w.Renames {
			line("renamed:", r.Old+" "+r.New)
		}
		for _, k := range w.Changes {
			line("key:", keyOf(k))
		}
		for _, f := range w.Fields {
			line("field:", strings.TrimSpace(f.Path+" "+string(f.Change)+" "+strings.Trim(f.Old+" > "+f.New, "> ")))
		}
		for _, n := range w.Noise {
			line("noise:", n)
		}
		for _, n := range w.Roll.Notes {
			line("note:", n)
		}
	}
	for _, s := range d.Sources {
		fmt.Fprintf(&b, "%s %s", s.ID, s.Change)
		if s.Change == Moved {
			fmt.Fprintf(&b, " from %s", s.Was)
		}
		for _, k := range s.Keys {
			fmt.Fprintf(&b, " %s:%s", k.Key, k.Change)
		}
		fmt.Fprintf(&b, ", users: %d\n", s.Users)
	}
	fmt.Fprintf(&b, "unchanged: %d\n", d.Unchanged)
	return b.String()
}

func podsOf(p Pods) string {
	switch {
	case p.Each:
		return "pods: each node"
	case p.Unknown != "":
		return "pods: " + p.Unknown
	case p.AtLeast:
		return fmt.Sprintf("pods: %d or more", p.Count)
	}
	return fmt.Sprintf("pods: %d", p.Count)
}

func keyOf(k KeyChange) string {
	text := k.Source + " " + k.Key + " " + string(k.Change)
	if k.Secret {
		text += " secret"
	}
	if k.Note != "" {
		text += " (" + k.Note + ")"
	}
	for _, t := range k.Through {
		text += " through " + t.Field + "@" + t.Container
	}
	return text
}

const (
	config = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: env}
data: {LEVEL: info, MODE: a, SIZE: "1"}
`
	secret = `
---
apiVersion: v1
kind: Secret
metadata: {name: pass}
data: {password: aHVudGVyMg==}
`
	// web uses all of env.
	web = `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        image: web:1
        envFrom: [{configMapRef: {name: env}}]
`
	// db uses a key of env and one of pass.
	db = `
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  template:
    spec:
      containers:
      - name: db
        image: db:1
        env:
        - name: L
          valueFrom: {configMapKeyRef: {name: env, key: LEVEL}}
        - name: P
          valueFrom: {secretKeyRef: {name: pass, key: password}}
`
	mode = "MODE: a"
)

// in puts texts of a stream in the place of others, in pairs.
func in(stream string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(stream, pairs[i]) {
			panic("no " + pairs[i] + " in " + stream)
		}
		stream = strings.Replace(stream, pairs[i], pairs[i+1], 1)
	}
	return stream
}

// kind makes another kind of a workload.
func kind(workload, apiVersion, kind string) string {
	return in(workload, "apps/v1", apiVersion, "kind: Deployment", "kind: "+kind)
}

type comparison struct {
	name     string
	old, now string
	stamp    string // which sides are stamped first: "old", "now", "both"
	want     string
	opts     graph.Options
}

func (c comparison) diff(t *testing.T) *Diff {
	t.Helper()
	old, now := c.old, c.now
	if c.stamp == "old" || c.stamp == "both" {
		old = restamped(t, old, c.opts)
	}
	if c.stamp == "now" || c.stamp == "both" {
		now = restamped(t, now, c.opts)
	}
	return Compare(stamped(t, old, c.opts), stamped(t, now, c.opts), Options{})
}

func (c comparison) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), told(c.diff(t))); diff != "" {
			t.Errorf("mismatch (-want +got):\n%s", diff)
		}
	})
}

const envMode = "  key: ConfigMap/env MODE changed through spec.template.spec.containers[0].envFrom[0].configMapRef@app\n"

// TestVerdicts: each verdict, on renders without stamps.
func TestVerdicts(t *testing.T) {
	all := config + secret + web + db
	for _, c := range []comparison{
		{name: "nothing", old: all, now: all, want: "unchanged: 2\n"},
		{name: "order and comments", old: all, now: db + "# a comment\n" + web + secret + config, want: "unchanged: 2\n"},
		{name: "configuration", old: all, now: in(all, mode, "MODE: b"), want: `
Deployment/web restarts-config, pods: 3
` + envMode + `StatefulSet/db does-not-restart
  why: it does not use what changed: ConfigMap/env key MODE
ConfigMap/env changed MODE:changed, users: 2
unchanged: 0
`},
		{name: "template", old: web, now: in(web, "web:1", "web:2"), want: `
Deployment/web restarts-template, pods: 3
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "both", old: config + web, now: in(config+web, mode, "MODE: b", "web:1", "web:2"), want: `
Deployment/web restarts-both, pods: 3
` + envMode + `  field: spec.template.spec.containers[app].image changed web:1 > web:2
ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "only replicas", old: web, now: in(web, "replicas: 3", "replicas: 5"), want: `
Deployment/web does-not-restart
  why: only spec.replicas changed
unchanged: 0
`},
		{name: "new", old: config, now: config + web, want: "Deployment/web added\nunchanged: 0\n"},
		{name: "removed", old: config + web, now: config, want: "Deployment/web removed\nunchanged: 0\n"},
		{name: "an application comes", now: config + web, want: "Deployment/web added\nConfigMap/env added, users: 1\nunchanged: 0\n"},
		{name: "an application goes", old: config + web, want: "Deployment/web removed\nConfigMap/env removed, users: 0\nunchanged: 0\n"},
		{name: "a label of the ConfigMap", old: config + web, now: in(config+web, "{name: env}", "{name: env, labels: {a: b}}"), want: "unchanged: 1\n"},
		{name: "data is stringData", old: secret + db, now: in(secret+db, "data: {password: aHVudGVyMg==}", "stringData: {password: hunter2}"), want: "unchanged: 1\n"},
		{name: "a Secret", old: all, now: in(all, "aHVudGVyMg==", "aHVudGVyMw=="), want: `
StatefulSet/db restarts-config, pods: 1
  key: Secret/pass password changed secret through spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef@db
  note: its only pod goes before the new one comes
Secret/pass changed password:changed, users: 1
unchanged: 1
`},
		{name: "a key comes", old: config + web, now: in(config+web, mode, "MODE: a, NEW: b"), want: `
Deployment/web restarts-config, pods: 3
  key: ConfigMap/env NEW added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
ConfigMap/env changed NEW:added, users: 1
unchanged: 0
`},
		{name: "a source goes, the reference stays", old: config + web, now: web, want: `
Deployment/web restarts-config, pods: 3
  why: its stamp goes: nothing that it uses is in the input
  key: ConfigMap/env LEVEL removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env MODE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env SIZE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
ConfigMap/env removed, users: 0
unchanged: 0
`},
		{name: "a reference comes", old: config + in(web, "envFrom: [{configMapRef: {name: env}}]", "stdin: true"), now: config + web, want: `
Deployment/web restarts-template, pods: 3
  why: it gets its first stamp
  key: ConfigMap/env LEVEL added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env MODE added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env SIZE added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  field: spec.template.spec.containers[app].stdin removed
  field: spec.template.spec.containers[app].envFrom added
unchanged: 0
`},
		{name: "a dependency is declared", old: config + secret + web, now: config + secret + in(web, "{name: web}", "{name: web, annotations: {restamp.dev/depends-on: Secret/pass}}"), want: `
Deployment/web restarts-config, pods: 3
  key: Secret/pass password added secret through metadata.annotations.restamp.dev/depends-on@
unchanged: 0
`},
		{name: "a key is ignored from now on", old: config + web, now: in(config+web, "{name: env}", "{name: env, annotations: {restamp.dev/ignore-keys: MODE}}"), want: `
Deployment/web restarts-config, pods: 3
  key: ConfigMap/env MODE removed (it is still there, but does not count any more) through spec.template.spec.containers[0].envFrom[0].configMapRef@app
unchanged: 0
`},
		{name: "duplicates: the last counts", old: config + config + web + web, now: in(config, mode, "MODE: b") + config + in(web, "web:1", "web:2") + web, want: "unchanged: 1\n"},
		{name: "sources without a name", old: in(config+config, "{name: env}", "{}", "{name: env}", "{}"), now: in(config+config, "{name: env}", "{}", "{name: env}", "{}"), want: "unchanged: 0\n"},
		{name: "an unreadable autoscaler", old: web, now: web + "---\nkind: HorizontalPodAutoscaler\na: [\n", want: "unchanged: 1\n"},
	} {
		c.run(t)
	}
}

// TestStamps: renders that carry stamps, one of them or both.
func TestStamps(t *testing.T) {
	app := config + web
	changed := in(app, mode, "MODE: b")
	stale := func(t *testing.T) string { return in(restamped(t, app, graph.Options{}), mode, "MODE: b") }
	off := in(web, "{name: web}", `{name: web, annotations: {restamp.dev/enabled: "false"}}`)
	key := graph.Options{SecretKey: []byte("key")}
	for _, c := range []comparison{
		{name: "both", old: app, now: changed, stamp: "both", want: `
Deployment/web restarts-config, pods: 3
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "adopted", old: app, now: app, stamp: "now", want: "Deployment/web first-stamp, pods: 3\nunchanged: 0\n"},
		{name: "adopted with a change", old: app, now: changed, stamp: "now", want: `
Deployment/web first-stamp, pods: 3
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "adopted with a new image", old: app, now: in(app, "web:1", "web:2"), stamp: "now", want: `
Deployment/web restarts-template, pods: 3
  why: it gets its first stamp
  field: spec.template.spec.containers[app].image changed web:1 > web:2
unchanged: 0
`},
		{name: "the new one is not stamped yet", old: app, now: app, stamp: "old", want: "unchanged: 1\n"},
		{name: "the new one is not stamped yet and changes", old: app, now: changed, stamp: "old", want: `
Deployment/web restarts-config, pods: 3
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "stale", old: restamped(t, app, graph.Options{}), now: stale(t), want: `
Deployment/web should-restart-but-will-not
  why: its stamp was not made anew
  mend: run restamp over the new render
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "the old one was stale", old: stale(t), now: restamped(t, changed, graph.Options{}), want: `
Deployment/web restarts-config, pods: 3
  why: its old stamp was stale
unchanged: 0
`},
		{name: "one workload has no stamp", old: restamped(t, app, graph.Options{}) + in(web, "{name: web}", "{name: api}"), now: restamped(t, changed, graph.Options{}) + in(web, "{name: web}", "{name: api}"), want: `
Deployment/web restarts-config, pods: 3
` + envMode + `Deployment/api should-restart-but-will-not
  why: its pod template has no stamp
  mend: run restamp over the new render
` + envMode + `ConfigMap/env changed MODE:changed, users: 2
unchanged: 0
`},
		{name: "switched off", old: config + web + db, now: config + off + db, stamp: "both", want: `
Deployment/web restarts-config, pods: 3
  why: its stamp goes: switched off by restamp.dev/enabled
unchanged: 1
`},
		{name: "switched on", old: config + off + db, now: config + web + db, stamp: "both", want: "Deployment/web first-stamp, pods: 3\nunchanged: 1\n"},
		{name: "opted out, and the configuration changes", old: config + off, now: in(config, mode, "MODE: b") + off, want: `
Deployment/web does-not-restart
  why: switched off by restamp.dev/enabled
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "opt-in, and nobody asked", opts: graph.Options{OptIn: true}, old: app, now: changed, want: `
Deployment/web should-restart-but-will-not
  why: the mode is opt-in, and nothing says restamp.dev/enabled: "true"
  mend: restart the pods by hand, or let restamp stamp it: restamp.dev/enabled: "true"
` + envMode + `ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "a key for Secret values", opts: key, old: secret + db, now: in(secret+db, "aHVudGVyMg==", "aHVudGVyMw=="), stamp: "both", want: `
StatefulSet/db restarts-config, pods: 1
  key: Secret/pass password changed secret through spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef@db
  note: its only pod goes before the new one comes
Secret/pass changed password:changed, users: 1
unchanged: 0
`},
		{name: "a key from now on", old: restamped(t, secret+db, graph.Options{}), now: restamped(t, secret+db, key), opts: key, want: `
StatefulSet/db restarts-config, pods: 1
  why: its stamp changed, though nothing that it uses did: it was made with another key for Secret values
  note: its only pod goes before the new one comes
unchanged: 0
`},
		{name: "stamped with a key, compared without", old: restamped(t, secret+db, key), now: secret + db, want: "unchanged: 1\n"},
	} {
		c.run(t)
	}
}

// TestOtherKey: it is said where stamps could not be compared.
func TestOtherKey(t *testing.T) {
	c := comparison{old: restamped(t, secret+db, graph.Options{SecretKey: []byte("key")}), now: secret + db}
	if !c.diff(t).OtherKey {
		t.Error("nothing is said of the key")
	}
}

// TestNames: sources that go by another name, or are elsewhere.
func TestNames(t *testing.T) {
	named := func(stream, name string) string { return strings.ReplaceAll(stream, "name: env}", "name: "+name+"}") }
	app := config + web
	in2 := func(stream, namespace string) string {
		return strings.ReplaceAll(stream, "metadata: {", "metadata: {namespace: "+namespace+", ")
	}
	for _, c := range []comparison{
		{name: "renamed", old: app, now: named(app, "settings"), want: `
Deployment/web restarts-config, pods: 3
  renamed: ConfigMap/env ConfigMap/settings
ConfigMap/settings renamed from ConfigMap/env, users: 1
unchanged: 0
`},
		{name: "renamed, with a change", old: app, now: in(named(app, "settings"), mode, "MODE: b"), want: `
Deployment/web restarts-config, pods: 3
  renamed: ConfigMap/env ConfigMap/settings
  key: ConfigMap/settings MODE changed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
ConfigMap/settings renamed from ConfigMap/env MODE:changed, users: 1
unchanged: 0
`},
		{name: "another source altogether", old: app, now: in(named(app, "settings"), "{LEVEL: info, MODE: a, SIZE: \"1\"}", "{A: b}"), want: `
Deployment/web restarts-template, pods: 3
  key: ConfigMap/env LEVEL removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env MODE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env SIZE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/settings A added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  field: spec.template.spec.containers[app].envFrom[0].configMapRef.name changed
ConfigMap/settings added, users: 1
ConfigMap/env removed, users: 0
unchanged: 0
`},
		{name: "kustomize's suffix", old: named(app, "env-5g7h8k2mtb"), now: in(named(app, "env-9c4d6f2bt7"), "LEVEL: info, MODE: a, SIZE: \"1\"", "LEVEL: debug"), want: `
Deployment/web restarts-config, pods: 3
  renamed: ConfigMap/env-5g7h8k2mtb ConfigMap/env-9c4d6f2bt7
  key: ConfigMap/env-5g7h8k2mtb MODE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env-5g7h8k2mtb SIZE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env-9c4d6f2bt7 LEVEL changed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
ConfigMap/env-9c4d6f2bt7 renamed from ConfigMap/env-5g7h8k2mtb LEVEL:changed MODE:removed SIZE:removed, users: 1
unchanged: 0
`},
		{name: "two with the same content", old: app + in(named(config, "env2"), "kind: ConfigMap", "kind: ConfigMap"), now: named(app, "env2"), want: `
Deployment/web restarts-config, pods: 3
  renamed: ConfigMap/env ConfigMap/env2
ConfigMap/env removed, users: 0
unchanged: 0
`},
		{name: "the source moves away", old: in2(app, "a"), now: in2(config, "b") + in2(web, "a"), want: `
Deployment/a/web restarts-config, pods: 3
  why: its stamp goes: nothing that it uses is in the input
  key: ConfigMap/env LEVEL removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env MODE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/env SIZE removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
ConfigMap/b/env renamed from ConfigMap/a/env, users: 0
unchanged: 0
`},
		{name: "the application moves", old: in2(app, "a"), now: in2(app, "b"), want: `
Deployment/b/web added
  why: it moved here from namespace a: these are new pods
Deployment/a/web removed
  why: it moved to namespace b
ConfigMap/b/env renamed from ConfigMap/a/env, users: 1
unchanged: 0
`},
		{name: "the namespace is told from now on", old: app, now: in2(app, "a"), want: `
Deployment/a/web does-not-restart
  why: only metadata.namespace changed
unchanged: 0
`},
		{name: "the namespace is told, and it may be either", old: app, now: in2(app, "a") + in2(app, "b"), want: `
Deployment/a/web added
Deployment/b/web added
Deployment/web removed
ConfigMap/a/env renamed from ConfigMap/env, users: 1
ConfigMap/b/env added, users: 1
unchanged: 0
`},
		{name: "empty ones are not alike", old: in(app, "data: {LEVEL: info, MODE: a, SIZE: \"1\"}", ""), now: in(named(app, "settings"), "data: {LEVEL: info, MODE: a, SIZE: \"1\"}", ""), want: `
Deployment/web restarts-template, pods: 3
  key: ConfigMap/env  removed through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  key: ConfigMap/settings  added through spec.template.spec.containers[0].envFrom[0].configMapRef@app
  field: spec.template.spec.containers[app].envFrom[0].configMapRef.name changed
ConfigMap/settings added, users: 1
ConfigMap/env removed, users: 0
unchanged: 0
`},
	} {
		c.run(t)
	}
}
