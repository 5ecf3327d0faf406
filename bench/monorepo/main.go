// Command monorepo compares restamp build --all with kustomize build, called
// once for each application of a repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	apps := flag.Int("apps", 2000, "applications in the repository")
	kustomize := flag.String("kustomize", "kustomize", "kustomize binary")
	restamp := flag.String("restamp", "", "restamp binary (default: build the folder above)")
	rounds := flag.Int("rounds", 3, "rounds, of which the median counts")
	flag.Parse()
	if err := run(*apps, *rounds, *kustomize, *restamp); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(apps, rounds int, kustomize, restamp string) error {
	dir, err := os.MkdirTemp("", "monorepo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if restamp == "" {
		restamp = filepath.Join(dir, "restamp")
		if out, err := exec.Command("go", "build", "-C", "..", "-o", restamp, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("building restamp: %w\n%s", err, out)
		}
	}
	repository := filepath.Join(dir, "repository")
	if err := generate(repository, apps); err != nil {
		return err
	}
	fmt.Printf("%d applications, each a base and an overlay; the median of %d rounds\n", apps, rounds)
	var ours, theirs []time.Duration
	for i := range rounds { // in turns, so that both see the same machine
		t, err := timed(func() error {
			_, err := buildAll(restamp, repository, filepath.Join(dir, fmt.Sprint("out", i)))
			return err
		})
		if err != nil {
			return err
		}
		ours = append(ours, t)
		if t, err = timed(func() error { return buildEach(kustomize, repository, apps) }); err != nil {
			return err
		}
		theirs = append(theirs, t)
	}
	var memory int64
	again, err := timed(func() (err error) {
		memory, err = buildAll(restamp, repository, filepath.Join(dir, "out0"))
		return err
	})
	if err != nil {
		return err
	}
	few := max(1, apps/10)
	if err := generate(filepath.Join(dir, "few"), few); err != nil {
		return err
	}
	fewMemory, err := buildAll(restamp, filepath.Join(dir, "few"), filepath.Join(dir, "out-few"))
	if err != nil {
		return err
	}
	a, b := median(ours), median(theirs)
	perApp := func(t time.Duration) float64 { return t.Seconds() * 1000 / float64(apps) }
	fmt.Printf("restamp build --all              %8.2f s %8.2f ms per application\n", a.Seconds(), perApp(a))
	fmt.Printf("restamp build --all, no changes  %8.2f s %8.2f ms per application\n", again.Seconds(), perApp(again))
	fmt.Printf("kustomize build, one by one      %8.2f s %8.2f ms per application: %.1f times\n", b.Seconds(), perApp(b), b.Seconds()/a.Seconds())
	fmt.Printf("restamp's peak RSS: %d MB; with %d applications: %d MB\n", memory>>10, few, fewMemory>>10)
	return nil
}

func timed(do func() error) (time.Duration, error) {
	start := time.Now()
	err := do()
	return time.Since(start), err
}

func median(times []time.Duration) time.Duration {
	for i := range times {
		for j := i; j > 0 && times[j] < times[j-1]; j-- {
			times[j], times[j-1] = times[j-1], times[j]
		}
	}
	return times[len(times)/2]
}

// buildAll returns the peak RSS in KB.
func buildAll(restamp, repository, out string) (int64, error) {
	cmd := exec.Command(restamp, "build", "--all", repository, "-o", out)
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("restamp build --all: %w\n%s", err, text)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, nil
}

func buildEach(kustomize, repository string, apps int) error {
	for i := range apps {
		cmd := exec.Command(kustomize, "build", overlay(repository, i))
		if _, err := cmd.Output(); err != nil {
			return fmt.Errorf("kustomize build: %w", err)
		}
	}
	return nil
}

func overlay(repository string, i int) string {
	return filepath.Join(repository, fmt.Sprintf("app-%04d", i), "overlays", "prod")
}

// generate writes applications: a base with a ConfigMap, a generated one, a
// Deployment and a Service, and an overlay with a patch.
func generate(repository string, apps int) error {
	for i := range apps {
		base := filepath.Join(repository, fmt.Sprintf("app-%04d", i), "base")
		for path, text := range map[string]string{
			filepath.Join(base, "kustomization.yaml"): "resources: [app.yaml]\nconfigMapGenerator:\n- name: flags\n  literals: [dark=false]\n",
			filepath.Join(base, "app.yaml"):           fmt.Sprintf(app, i),
			filepath.Join(overlay(repository, i), "kustomization.yaml"): fmt.Sprintf(
				"resources: [../../base]\nnamespace: team-%d\nnamePrefix: prod-\npatches: [{path: replicas.yaml}]\n", i%50),
			filepath.Join(overlay(repository, i), "replicas.yaml"): "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n",
		} {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

const app = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {LEVEL: info, INDEX: "%d"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: example.com/web:1.4
        envFrom: [{configMapRef: {name: settings}}, {configMapRef: {name: flags}}]
`
