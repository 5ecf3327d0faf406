// Package config reads what a user sets for all of a run: an object of kind
// Restamp, or a ConfigMap with the settings that are single words.
//
// Where the object comes from, a file or a function's input, is nothing to it.
// A setting that nobody knows is an error: a misspelt one would otherwise
// change nothing, and nobody would notice.
package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// APIVersion and Kind are those of the configuration.
const (
	APIVersion = "restamp.dev/v1alpha1"
	Kind       = "Restamp"
)

// Config is what can be set. The zero value is what a user gets who sets
// nothing.
type Config struct {
	Namespace string   `json:"namespace,omitempty"` // of the objects that name none
	Mode      string   `json:"mode,omitempty"`      // all, the default, or opt-in: only workloads with restamp.dev/enabled: "true"
	Include   []string `json:"include,omitempty"`   // more classes to stamp: next-run, costly
	Ignore    []string `json:"ignore,omitempty"`    // references that nobody follows, as in restamp.dev/ignore
	Strict    bool     `json:"strict,omitempty"`    // unresolved references are errors
	FailOn    string   `json:"failOn,omitempty"`    // least severity of a finding that fails the run
	Validator bool     `json:"validator,omitempty"` // change nothing, and fail where something would change
}

// classes are those that Include may name.
var classes = map[string]kinds.Class{
	kinds.NextRun.String(): kinds.NextRun,
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
	for _, name := range c.Include {
		opts.Include = append(opts.Include, classes[name])
	}
	for _, entry := range c.Ignore {
		if t, err := graph.ParseIgnore(entry); err == nil { // it was read once already
			opts.Ignore = append(opts.Ignore, t)
		}
	}
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
		if err := d.known(n, "apiVersion", "kind", "metadata", "spec", "argsOneLiner", "argsFromFile"); err != nil {
			return nil, err
		}
		return c, d.settings(n.Field("spec"), "spec", c, false)
	case apiVersion == "v1" && kind == kinds.ConfigMap:
		if err := d.known(n, "apiVersion", "kind", "metadata", "data"); err != nil {
			return nil, err
		}
		return c, d.settings(n.Field("data"), "data", c, true)
	}
	d.object = ""
	return nil, d.fail(n, "", fmt.Sprintf("the configuration is %q of %q; it must be %s of %s, or ConfigMap of v1",
		kind, apiVersion, Kind, APIVersion))
}
