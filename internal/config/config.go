// Package config reads what a user sets for all of a run: an object of kind
// Restamp, or a ConfigMap with the settings that are single words.
//
// Where the object comes from, a file or a function's input, is nothing to it.
// A setting that nobody knows is an error: a misspelt one would otherwise
// change nothing, and nobody would notice.
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/internal/naming"
)

// APIVersion and Kind are those of the configuration.
const (
	APIVersion = "restamp.dev/v1alpha1"
	Kind       = "Restamp"
)

// Config is what can be set. The zero value is what a user gets who sets
// nothing.
type Config struct {
	Annotation string            `json:"annotation,omitempty" doc:"Name of the annotation that takes the stamp; or a template with .Kind, .Group, .Namespace and .Name, for one stamp per source. Default: restamp.dev/config-hash."`
	Value      string            `json:"value,omitempty" doc:"Template of the annotation's value, with .Hash. Default: the stamp itself."`
	Mode       string            `json:"mode,omitempty" doc:"all, the default, or opt-in: only workloads with restamp.dev/enabled: \"true\"." enum:"all,opt-in"`
	Namespace  string            `json:"namespace,omitempty" doc:"Namespace of the objects that name none." pattern:"^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$"`
	Volumes    string            `json:"volumes,omitempty" doc:"all, the default, or subpath: files that the kubelet refreshes restart nobody." enum:"all,subpath"`
	Include    []string          `json:"include,omitempty" doc:"More classes of workloads to stamp." enum:"next-run,in-place,costly"`
	Follow     []string          `json:"follow,omitempty" doc:"References to follow that running pods do not use." enum:"imagePullSecrets,serviceAccount"`
	Ignore     []string          `json:"ignore,omitempty" doc:"References that no workload follows: [namespace/]Kind[.group]/name[:key], with * in names and keys." pattern:"^([^/:*\\s]+/)?[A-Za-z][A-Za-z0-9]*(\\.[^/:\\s]+)?/[^/:\\s]+(:[-._a-zA-Z0-9*]+)?$"`
	Compat     []string          `json:"compat,omitempty" doc:"Other tools whose annotations count beside ours." enum:"reloader,wave,kudo"`
	Strict     bool              `json:"strict,omitempty" doc:"Unresolved references are errors."`
	FailOn     string            `json:"failOn,omitempty" doc:"Least severity of a finding that fails the run. Default: error." enum:"error,warning,info,none"`
	Validator  bool              `json:"validator,omitempty" doc:"Change nothing, and fail where a stamp is missing or stale."`
	Workloads  []kinds.Workload  `json:"workloads,omitempty" doc:"Further kinds with pod templates, in the form of the built-in table. They replace the rows of the same kind."`
	Producers  []kinds.Producer  `json:"producers,omitempty" doc:"Further kinds of which a controller makes ConfigMaps or Secrets. They replace the rows of the same kind."`
	References []kinds.Reference `json:"references,omitempty" doc:"Further fields that name a source. They add to those of the same kind."`
}

// classes are those that Include may name.
var classes = map[string]kinds.Class{
	kinds.NextRun.String(): kinds.NextRun,
	kinds.InPlace.String(): kinds.InPlace,
	kinds.Costly.String():  kinds.Costly,
}

// Apply puts the settings that are about the graph into its options. A
// namespace that is set there already stays: a flag is nearer to the user.
func (c *Config) Apply(opts *graph.Options) {
	if opts.Namespace == "" {
		opts.Namespace = c.Namespace
	}
	opts.OptIn = opts.OptIn || c.Mode == "opt-in"
	opts.Strict = opts.Strict || c.Strict
	opts.SubPath = opts.SubPath || c.Volumes == "subpath"
	opts.ImagePullSecrets = opts.ImagePullSecrets || slices.Contains(c.Follow, "imagePullSecrets")
	opts.ServiceAccount = opts.ServiceAccount || slices.Contains(c.Follow, "serviceAccount")
	if len(c.Workloads)+len(c.Producers)+len(c.References) > 0 {
		opts.Tables = kinds.NewTables(c.Workloads, c.Producers, c.References)
	}
	if n, err := c.naming(); err == nil && c.Annotation+c.Value != "" { // it was made once already
		opts.Naming = n
	}
	for _, name := range c.Include {
		opts.Include = append(opts.Include, classes[name])
	}
	for _, name := range c.Compat {
		opts.Compat = append(opts.Compat, graph.Tool(name))
	}
	for _, entry := range c.Ignore {
		if t, err := graph.ParseIgnore(entry); err == nil { // it was read once already
			opts.Ignore = append(opts.Ignore, t)
		}
	}
}

// Default writes the defaults out.
func (c *Config) Default() {
	c.Annotation = cmp.Or(c.Annotation, graph.Annotation)
	c.Value = cmp.Or(c.Value, "{{ .Hash }}")
	c.Mode = cmp.Or(c.Mode, "all")
	c.Volumes = cmp.Or(c.Volumes, "all")
	c.FailOn = cmp.Or(c.FailOn, "error")
}

func (c *Config) naming() (*naming.Naming, error) {
	return naming.New(c.Annotation, c.Value, graph.Annotation, graph.UserAnnotations...)
}

// Error tells of a setting that cannot be taken.
type Error struct {
	Offset  int    // in the text that the node is of
	Object  string // kind and name of the configuration
	Field   string
	Problem string
}

func (e *Error) Error() string {
	parts := []string{e.Object, e.Field, e.Problem}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// Read reads a configuration from the root of its document, or from where
// else it stands. The error is an *Error.
func Read(n tree.Node) (*Config, error) {
	apiVersion, kind := n.Field("apiVersion").Text(), n.Field("kind").Text()
	d := decoder{object: kind}
	if name := n.Path("metadata", "name").Text(); name != "" {
		d.object += "/" + name
	}
	c := new(Config)
	switch {
	case n.Kind() != tree.Map:
		return nil, d.fail(n, "", "the configuration is "+n.Kind().String()+", not a map")
	case apiVersion == APIVersion && kind == Kind:
		// kustomize makes arguments of a plugin's last two keys.
		if err := d.known(n, "", "apiVersion", "kind", "metadata", "spec", "argsOneLiner", "argsFromFile"); err != nil {
			return nil, err
		}
		return c, d.settings(n.Field("spec"), "spec", c, false)
	case apiVersion == "v1" && kind == kinds.ConfigMap:
		if err := d.known(n, "", "apiVersion", "kind", "metadata", "data"); err != nil {
			return nil, err
		}
		return c, d.settings(n.Field("data"), "data", c, true)
	}
	d.object = ""
	return nil, d.fail(n, "", fmt.Sprintf("the configuration is %q of %q; it must be %s of %s, or ConfigMap of v1",
		kind, apiVersion, Kind, APIVersion))
}
