package hosts

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRandomKustomizationsAreStampedAsTheirOutputIs: within a build names and
// references do not agree yet. What the function makes of them must be what a
// plain filter makes of the final stream, where kustomize has settled it.
//
// RESTAMP_TEST_CASES tries more than the usual number.
func TestRandomKustomizationsAreStampedAsTheirOutputIs(t *testing.T) {
	cases := 60
	if text := os.Getenv("RESTAMP_TEST_CASES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		cases = n
	}
	built, found := 0, 0
	for seed := range cases {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			g := &random{Rand: rand.New(rand.NewPCG(uint64(seed), 1)), files: make(map[string]string)}
			g.top()
			plain := call{}.run(t, kustomize, "build", g.write(t, ""))
			if plain.code != 0 {
				return // two objects of one name, say
			}
			built++
			out := build(t, g.write(t, transformed+"\n"), functions...).stdout
			got := stamps(t, out)
			found += len(got)
			if r := (call{stdin: out}).run(t, restamp, "stamp", "--check", "-"); r.code != 0 {
				t.Errorf("--check: %s%s", r.stdout, r.stderr)
			}
			if !g.suffixed {
				equal(t, "stamps", got, stamps(t, filter(t, plain.stdout)))
			}
			equal(t, "all else", unstamped(t, out), unstamped(t, plain.stdout))
			if t.Failed() {
				g.show(t)
				t.Logf("without restamp:\n%s", plain.stdout)
			}
		})
	}
	if built < cases/2 || found < cases {
		t.Errorf("of %d cases kustomize built %d, with %d stamps: they try too little", cases, built, found)
	}
}

// random makes kustomizations.
type random struct {
	*rand.Rand
	files    map[string]string
	suffixed bool // something will get a hash suffix
}

func (g *random) one(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *random, of ...T) T { return of[g.IntN(len(of))] }

// write writes the files, and more lines of the top kustomization.
func (g *random) write(t *testing.T, more string) string {
	dir := folder(t, transformer("restamp"))
	for name, text := range g.files {
		if name == "kustomization.yaml" {
			text += more
		}
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func (g *random) show(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		t.Logf("-- %s --\n%s", name, g.files[name])
	}
}

// top is the kustomization that is built: of bases, instances of bases, and
// objects of its own.
func (g *random) top() {
	var resources []string
	bases := 1 + g.IntN(2)
	for i := range bases {
		base := fmt.Sprintf("base%d", i)
		g.base(base)
		instances := 1 + g.IntN(2)
		for j := range instances {
			dir := fmt.Sprintf("i%d%d", i, j)
			g.instance(dir, base)
			if g.one(4) {
				g.layer("m"+dir, dir)
				dir = "m" + dir
			}
			resources = append(resources, dir)
		}
	}
	if g.one(3) {
		g.files["own.yaml"] = strings.Join(g.objects("own"), "---\n")
		resources = append(resources, "own.yaml")
	}
	g.files["kustomization.yaml"] = g.kustomization(resources, 3)
}

// kustomization is one with names of its own, one time in n each.
func (g *random) kustomization(resources []string, n int) string {
	text := "resources: [" + strings.Join(resources, ", ") + "]\n"
	if g.one(n) {
		text += "namePrefix: " + pick(g, "a-", "b-", "c-") + "\n"
	}
	if g.one(n) {
		text += "nameSuffix: " + pick(g, "-x", "-y", "-z") + "\n"
	}
	if g.one(n) {
		text += "namespace: " + pick(g, "dev", "prod") + "\n"
	}
	return text
}

func (g *random) layer(dir, below string) {
	g.files[dir+"/kustomization.yaml"] = g.kustomization([]string{"../" + below}, 2)
}

// instance is a base with another name, and maybe other content.
func (g *random) instance(dir, base string) {
	text := g.kustomization([]string{"../" + base}, 2)
	for _, name := range []string{"cfg", "env"} {
		generated := strings.Contains(g.files[base+"/kustomization.yaml"], "name: "+name+",")
		switch {
		case !g.one(3):
		case generated && !strings.Contains(text, "configMapGenerator"):
			text += "configMapGenerator:\n- {name: " + name + ", behavior: " + pick(g, "merge", "replace") + ", literals: [k0=" + g.value() + "]}\n"
		case !generated && !strings.Contains(text, "patches") && strings.Contains(g.files[base+"/objects.yaml"], "metadata: {name: "+name+"}"):
			text += "patches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {k0: " + g.value() + "}}'\n"
		}
	}
	g.files[dir+"/kustomization.yaml"] = text
}

func (g *random) value() string { return "v" + strconv.Itoa(g.IntN(1000)) }

func (g *random) base(dir string) {
	text := g.kustomization([]string{"objects.yaml"}, 4)
	objects := g.objects(dir)
	for _, kind := range []string{"configMap", "secret"} {
		name := map[string]string{"configMap": "env", "secret": "token"}[kind]
		if !g.one(3) {
			continue
		}
		objects = slices.DeleteFunc(objects, func(o string) bool { return strings.Contains(o, "metadata: {name: "+name+"}") })
		options := ", options: {disableNameSuffixHash: true}"
		if g.one(3) {
			options = ""
			g.suffixed = true
		}
		text += kind + "Generator:\n- {name: " + name + ", literals: [k0=" + g.value() + ", k1=" + g.value() + "]" + options + "}\n"
	}
	g.files[dir+"/kustomization.yaml"] = text
	g.files[dir+"/objects.yaml"] = strings.Join(objects, "---\n")
}

// objects are sources and workloads that use them, and some that are not there.
func (g *random) objects(tag string) []string {
	var all []string
	for _, name := range []string{"cfg", "env"} {
		if !g.one(4) {
			all = append(all, fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {k0: %s, k1: %s}\n", name, g.value(), g.value()))
		}
	}
	all = append(all, fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {k0: %s}\n", g.value()))
	for i := range 1 + g.IntN(2) {
		all = append(all, g.workload(fmt.Sprintf("%s-%d", tag, i)))
	}
	if g.one(4) {
		i := g.IntN(len(all))
		all[i] = strings.Replace(all[i], "metadata: {", "metadata: {namespace: "+pick(g, "dev", "prod", "default")+", ", 1)
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (g *random) workload(name string) string {
	container := fmt.Sprintf("name: app, image: 'app:1', envFrom: [%s]", strings.Join(g.some(
		"{configMapRef: {name: cfg}}", "{configMapRef: {name: env}}", "{secretRef: {name: token}}", "{configMapRef: {name: none, optional: true}}"), ", "))
	container += fmt.Sprintf(", env: [%s]", strings.Join(g.some(
		"{name: A, valueFrom: {configMapKeyRef: {name: cfg, key: k0}}}", "{name: B, valueFrom: {secretKeyRef: {name: token, key: k0}}}",
		"{name: C, valueFrom: {configMapKeyRef: {name: env, key: none}}}"), ", "))
	container += ", volumeMounts: [{name: v, mountPath: /v}]"
	volume := pick(g, "configMap: {name: env}", "secret: {secretName: token}", "configMap: {name: cfg, items: [{key: k1, path: k}]}",
		"projected: {sources: [{configMap: {name: cfg}}, {secret: {name: token}}]}", "emptyDir: {}")
	pod := fmt.Sprintf("{containers: [{%s}], volumes: [{name: v, %s}]}", container, volume)
	kind := pick(g, "Deployment", "StatefulSet", "DaemonSet", "CronJob")
	if kind == "CronJob" {
		return fmt.Sprintf("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: %s, annotations: {restamp.dev/enabled: \"true\"}}\n"+
			"spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: %s}}}}\n", name, pod)
	}
	return fmt.Sprintf("apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\n"+
		"spec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: %s}}\n", kind, name, pod)
}

// some takes each of these or not.
func (g *random) some(of ...string) (taken []string) {
	for _, text := range of {
		if g.one(2) {
			taken = append(taken, text)
		}
	}
	return taken
}
