package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

const chartName = "Chart.yaml"

// HelmOptions say how to render a chart.
type HelmOptions struct {
	Command  string // the helm binary; default: helm, from PATH
	Release  string // must be set
	SkipCRDs bool   // what is in crds/ is left out
	Offline  bool   // dependencies that are missing are an error
}

func (o *HelmOptions) command() string {
	if o.Command == "" {
		return "helm"
	}
	return o.Command
}

func isChart(dir string) bool { return isFile(dir, chartName) }

func helmAble(dir string, opts FolderOptions) bool {
	_, err := exec.LookPath(opts.Helm.command())
	return err == nil && isChart(dir)
}

// NoHelmError says that there is no helm to render a chart with.
type NoHelmError struct {
	Command string
	Err     error
}

func (e *NoHelmError) Error() string {
	return fmt.Sprintf("%s needs helm: looking for %q: %v", chartName, e.Command, e.Err)
}

// HelmError is what helm says of a chart, without the values that it quotes.
type HelmError struct {
	Subcommand string
	Text       string
}

func (e *HelmError) Error() string { return e.Subcommand + ": " + e.Text }

// chart is one that is being rendered.
type chart struct {
	dir     string
	opts    FolderOptions
	command string
	env     []string
	secrets []string // not to be told in errors
	home    string   // temporary
}

// helm renders a chart. Its dependencies are fetched where they are missing.
func helm(ctx context.Context, dir string, opts FolderOptions) (*Rendered, error) {
	c, err := newChart(dir, opts)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.home) // temporary, whatever is left of it
	args, err := c.arguments()
	if err != nil {
		return nil, err
	}
	out, err := c.run(ctx, args...)
	var failed *HelmError
	if errors.As(err, &failed) && strings.Contains(failed.Text, "missing in charts/") && !opts.Helm.Offline {
		if err := c.fetchDependencies(ctx); err != nil {
			return nil, err
		}
		out, err = c.run(ctx, args...)
	}
	if err != nil {
		return nil, err
	}
	return &Rendered{Sources: []Source{Stream("helm template", bytes.NewReader(out))}}, nil
}

func newChart(dir string, opts FolderOptions) (*chart, error) {
	command, err := exec.LookPath(opts.Helm.command())
	if err == nil {
		command, err = filepath.Abs(command) // helm runs in the chart's folder
	}
	var lookup *exec.Error
	if errors.As(err, &lookup) {
		err = lookup.Err
	}
	if err != nil {
		return nil, &NoHelmError{opts.Helm.command(), err}
	}
	if !isChart(dir) {
		return nil, fmt.Errorf("found no %s", chartName)
	}
	c := &chart{dir: dir, opts: opts, command: command}
	if c.home, err = os.MkdirTemp("", "restamp-helm-"); err != nil {
		return nil, err
	}
	c.env = helmEnvironment(os.Environ(), c.home)
	return c, nil
}

// helmEnvironment gives helm a home of its own for what the environment does
// not place: the user's may be read-only, and what one application leaves in it
// is not for the next.
func helmEnvironment(env []string, home string) []string {
	for _, name := range []string{"CACHE", "CONFIG", "DATA"} {
		variable := "HELM_" + name + "_HOME="
		if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, variable) }) {
			env = append(env, variable+filepath.Join(home, strings.ToLower(name)))
		}
	}
	return env
}

// run runs helm. What it says on success stays unsaid: its warnings quote values.
func (c *chart) run(ctx context.Context, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.command, args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.opts.Values.Text), &stdout, &stderr
	cmd.WaitDelay = time.Second // for what helm started itself and left behind
	err := cmd.Run()
	if err == nil {
		return stdout.Bytes(), nil
	}
	var exit *exec.ExitError
	if ctx.Err() != nil || !errors.As(err, &exit) {
		return nil, interrupted(ctx, err)
	}
	text := c.complaint(stderr.String())
	if text == "" {
		text = exit.Error()
	}
	return nil, &HelmError{"helm " + args[0], text}
}

// complaint is what is worth telling of helm's stderr: the error, without the
// warnings before it, which quote values.
func (c *chart) complaint(stderr string) string {
	if i := strings.Index("\n"+stderr, "\nError: "); i >= 0 {
		stderr = stderr[i:]
	}
	stderr, _, _ = strings.Cut(stderr, "\nUse --debug flag") // restamp has none
	stderr = strings.TrimPrefix(strings.TrimSpace(stderr), "Error: ")
	return redact(strings.ReplaceAll(stderr, c.home, "$HELM_HOME"), c.secrets)
}

// fetchDependencies fetches what Chart.yaml names and charts/ lacks, by
// Chart.lock where there is one. For that, helm wants to know the repositories.
func (c *chart) fetchDependencies(ctx context.Context) error {
	if err := c.checkFolders(); err != nil {
		return err
	}
	for i, repository := range c.repositories() {
		if _, err := c.run(ctx, "repo", "add", fmt.Sprintf("restamp-%d", i), repository); err != nil {
			return err
		}
	}
	_, err := c.run(ctx, "dependency", "build")
	return err
}

// repositories are the addresses of those that helm must be told of before. A
// registry (oci://) or a folder (file://) is none, an alias (@name) must be in
// helm's own configuration.
func (c *chart) repositories() []string {
	return slices.DeleteFunc(c.dependencies(chartName, "requirements.yaml"), func(address string) bool {
		return !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://")
	})
}

// dependencies are the addresses from where the chart's parts come, as its
// files say, sorted. Like helm's, the reader takes a key in whatever case.
func (c *chart) dependencies(names ...string) []string {
	var found []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(c.dir, name))
		var file struct {
			Dependencies []struct{ Repository string }
		}
		if err != nil || yaml.Unmarshal(text, &file) != nil {
			continue // helm has read it, or will tell
		}
		for _, dependency := range file.Dependencies {
			found = append(found, dependency.Repository)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
