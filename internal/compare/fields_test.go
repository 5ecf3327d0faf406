package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// TestFields: which fields differ, as the API server would see it.
func TestFields(t *testing.T) {
	for _, test := range []struct{ name, old, now, want string }{
		{"nothing", `a: {b: 1, c: [x, y]}`, `a: {c: [x, y], b: 1}`, ""},
		{"style", `a: "x"`, "a: |-\n  x\n", ""},
		{"a scalar", `a: {b: 1}`, `a: {b: 2}`, "a.b changed"},
		{"a type", `a: "1"`, `a: 1`, "a changed"},
		{"null is nothing", `a: {b: null}`, `a: {}`, ""},
		{"an empty list is nothing", `a: {b: []}`, `a: {}`, ""},
		{"empty annotations are nothing", `metadata: {annotations: {}, labels: {}}`, `{}`, ""},
		{"an empty map is something", `volumes: [{name: v}]`, `volumes: [{name: v, emptyDir: {}}]`, "volumes[v].emptyDir added"},
		{"a pod's empty security context is nothing", `spec: {}`, `spec: {securityContext: {}}`, ""},
		{"each field of a map", `a: {}`, `a: {b: {c: 1, d: 2}}`, "a.b.c added; a.b.d added"},
		{"a map goes", `a: {b: {c: 1}}`, `a: {}`, "a.b.c removed"},
		{"keys with dots", `annotations: {a.b/c: x}`, `annotations: {a.b/c: y, "": z}`, "annotations[a.b/c] changed; annotations[] added"},
		{"an item comes", `env: [{name: A, value: x}]`, `env: [{name: N, value: y}, {name: A, value: x}]`, "env[N] added"},
		{"an item goes", `env: [{name: A, value: x}, {name: B}]`, `env: [{name: B}]`, "env[A] removed"},
		{"an item changes", `env: [{name: A, value: x}]`, `env: [{name: A, value: z}]`, "env[A].value changed"},
		{"the order of named items", `env: [{name: A}, {name: B}]`, `env: [{name: B}, {name: A}]`, "env reordered"},
		{"mounts by their path", `volumeMounts: [{name: v, mountPath: /a, subPath: x}, {name: v, mountPath: /b}]`, `volumeMounts: [{name: v, mountPath: /a, subPath: y}, {name: v, mountPath: /b}]`, "volumeMounts[/a].subPath changed"},
		{"ports by their number", `ports: [{containerPort: 80}, {containerPort: 81, name: x}]`, `ports: [{containerPort: 80, name: w}, {containerPort: 81, name: x}]`, "ports[80].name added"},
		{"items that cannot be told apart", `l: [{name: a, b: 1}, {name: a, b: 2}]`, `l: [{name: a, b: 1}, {name: a, b: 3}]`, "l[1].b changed"},
		{"an argument changes", `args: [a, b, c]`, `args: [a, x, c]`, "args[1] changed"},
		{"an argument comes", `args: [a, b, c]`, `args: [a, x, b, c]`, "args changed"},
		{"an item without a name comes first", `envFrom: [{configMapRef: {name: a}}]`, `envFrom: [{secretRef: {name: s}}, {configMapRef: {name: a}}]`, "envFrom[0] added"},
		{"kinds of nodes", `a: [x]`, `a: {x: 1}`, "a changed"},
		{"amounts", `resources: {limits: {cpu: 1, memory: 1Gi, x: 1e3, y: 5}}`, `resources: {limits: {cpu: 1000m, memory: "1024Mi", x: 1k, y: 0.5}}`, "resources.limits.y changed"},
		{"no amounts", `resources: {limits: {cpu: a, memory: 1Q}}`, `resources: {limits: {cpu: b, memory: 2Q}}`, "resources.limits.cpu changed; resources.limits.memory changed"},
		{"numbers", `a: 0644`, `a: 420`, ""},
		{"a number and a text", `a: "420"`, `a: 420`, "a changed"},
		{"defaults of a pod", `spec: {}`, `spec: {restartPolicy: Always, dnsPolicy: ClusterFirst, terminationGracePeriodSeconds: 30, hostNetwork: false, serviceAccountName: ""}`, ""},
		{"others", `spec: {}`, `spec: {restartPolicy: Never, terminationGracePeriodSeconds: 31, hostNetwork: true, automountServiceAccountToken: false, runtimeClassName: ""}`, "spec.restartPolicy added; spec.terminationGracePeriodSeconds added; spec.hostNetwork added; spec.automountServiceAccountToken added; spec.runtimeClassName added"},
		{"defaults of a container", `containers: [{name: a, image: "x:1", ports: [{containerPort: 1}], livenessProbe: {httpGet: {port: 1}}}]`, `containers: [{name: a, image: "x:1", imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log, ports: [{containerPort: 1, protocol: TCP}], livenessProbe: {httpGet: {port: 1, scheme: HTTP}, timeoutSeconds: 1}}]`, ""},
		{"a policy that is not the default", `containers: [{name: a, image: "x:5000/y"}, {name: b, image: "x:1"}]`, `containers: [{name: a, image: "x:5000/y", imagePullPolicy: IfNotPresent}, {name: b, image: "x:1", imagePullPolicy: Always}]`, "containers[a].imagePullPolicy added; containers[b].imagePullPolicy added"},
		{"a policy that follows the tag", `containers: [{name: a, image: "x@sha256:1", imagePullPolicy: IfNotPresent}, {name: b, image: "x:latest", imagePullPolicy: Always}]`, `containers: [{name: a, image: "x@sha256:1"}, {name: b, image: "x:latest"}]`, ""},
		{"an empty variable is none", `env: [{name: A}]`, `env: [{name: A, value: ""}]`, ""},
		{"an empty label is one", `metadata: {labels: {a: b}}`, `metadata: {labels: {a: b, c: ""}}`, "metadata.labels.c added"},
		{"modes of volumes", `volumes: [{name: a, configMap: {name: b}}]`, `volumes: [{name: a, configMap: {name: b, defaultMode: 0644}}]`, ""},
		{"an amount without end", `resources: {limits: {cpu: 1e999999999}}`, `resources: {limits: {cpu: 1e999999998}}`, "resources.limits.cpu changed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := differ{pod: true}
			d.diff("", root(t, test.old), root(t, test.now))
			var got []string
			for _, f := range d.fields {
				got = append(got, f.Path+" "+string(f.Change))
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func root(t *testing.T, text string) tree.Node {
	t.Helper()
	parsed, err := new(tree.Parser).Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Root()
}

// TestNoise: what restarts pods for nothing is named.
func TestNoise(t *testing.T) {
	labelled := in(web, "{app: web}", "{app: web, helm.sh/chart: web-1}")
	summed := func(sum string) string {
		return in(web, "      labels:", "      annotations: {checksum/config: "+sum+"}\n      labels:")
	}
	for _, c := range []comparison{
		{name: "the chart's label", old: labelled, now: in(labelled, "web-1", "web-2"), want: `
Deployment/web restarts-template, pods: 3
  why: nothing in its template changed but noise
  field: spec.template.metadata.labels[helm.sh/chart] changed
  noise: each new version of the chart changes the label helm.sh/chart, and restarts the pods by that alone
unchanged: 0
`},
		{name: "the chart's label and an image", old: labelled, now: in(labelled, "web-1", "web-2", "web:1", "web:2"), want: `
Deployment/web restarts-template, pods: 3
  field: spec.template.metadata.labels[helm.sh/chart] changed
  field: spec.template.spec.containers[app].image changed web:1 > web:2
  noise: each new version of the chart changes the label helm.sh/chart, and restarts the pods by that alone
unchanged: 0
`},
		{name: "two labels", old: in(labelled, "{app: web", "{app: web, app.kubernetes.io/version: 1.x"), now: in(labelled, "{app: web", "{app: web, app.kubernetes.io/version: 2.x", "web-1", "web-2"), want: `
Deployment/web restarts-template, pods: 3
  why: nothing in its template changed but noise
  field: spec.template.metadata.labels[app.kubernetes.io/version] changed
  field: spec.template.metadata.labels[helm.sh/chart] changed
  noise: each new version of the chart changes the labels app.kubernetes.io/version and helm.sh/chart, and restarts the pods by that alone
unchanged: 0
`},
		{name: "a checksum for nothing", old: config + summed("a"), now: config + summed("b"), want: `
Deployment/web restarts-template, pods: 3
  why: nothing in its template changed but noise
  field: spec.template.metadata.annotations[checksum/config] changed
  noise: checksum/config changed, though nothing that the pods use did
unchanged: 0
`},
		{name: "a checksum with its content", old: config + summed("a"), now: in(config, mode, "MODE: b") + summed("b"), want: `
Deployment/web restarts-config, pods: 3
` + envMode + `  field: spec.template.metadata.annotations[checksum/config] changed
  noise: checksum/config is another tool's checksum
ConfigMap/env changed MODE:changed, users: 1
unchanged: 0
`},
		{name: "a checksum goes with the first stamp", old: config + summed("a"), now: config + web, stamp: "now", want: `
Deployment/web restarts-template, pods: 3
  why: nothing in its template changed but noise; it gets its first stamp
  field: spec.template.metadata.annotations[checksum/config] removed
  noise: checksum/config is another tool's checksum, and goes
unchanged: 0
`},
	} {
		c.run(t)
	}
}

// TestValues: those of ConfigMaps are kept where that is asked for, and no
// other value at all but images.
func TestValues(t *testing.T) {
	old := config + secret + web + db
	now := in(old, mode, "MODE: b", "SIZE: \"1\"", "NEW: \"\"", "aHVudGVyMg==", "aHVudGVyMw==",
		"image: web:1", "image: web:2\n        env: [{name: image, value: hunter2}]", "app: web}", "app: web, x.image: a}\n      annotations: {image: hunter2}")
	kept := func(opts Options) (values []string) {
		d := Compare(stamped(t, old, graph.Options{}), stamped(t, now, graph.Options{}), opts)
		for _, w := range d.Workloads {
			for _, k := range w.Changes {
				for _, v := range []*string{k.Old, k.New} {
					if v != nil {
						values = append(values, k.Key+"="+*v)
					}
				}
			}
			for _, f := range append(w.Fields, w.Others...) {
				if f.Old+f.New != "" {
					values = append(values, f.Path+"="+f.Old+","+f.New)
				}
			}
		}
		return values
	}
	images := []string{"spec.template.spec.containers[app].image=web:1,web:2"}
	if diff := cmp.Diff(images, kept(Options{})); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append([]string{"MODE=a", "MODE=b", "NEW=", "SIZE=1"}, images...), kept(Options{Values: true})); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

// TestDiffers: two renders of one commit differ in more than what restarts.
func TestDiffers(t *testing.T) {
	for _, test := range []struct {
		name, old, now string
		want           bool
	}{
		{"nothing", config + web, config + web, false},
		{"a field that restarts nobody", web, in(web, "replicas: 3", "replicas: 2"), false},
		{"a value", config + web, in(config+web, mode, "MODE: b"), true},
		{"a value that nobody uses", secret, in(secret, "aHVudGVyMg==", "aHVudGVyMw=="), true},
		{"a name", web, in(web, "{name: web}", "{name: web2}"), true},
	} {
		if got := (comparison{old: test.old, now: test.now}).diff(t).Differs(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
