package config

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"github.com/restamp/restamp/internal/kinds"
)

// YAML is the configuration as it is written: an object of kind Restamp.
func (c *Config) YAML() ([]byte, error) {
	return toYAML(struct {
		APIVersion string  `json:"apiVersion"`
		Kind       string  `json:"kind"`
		Spec       *Config `json:"spec"`
	}{APIVersion, Kind, c})
}

// Tables are the built-in tables, in the form in which a configuration adds
// rows to them.
func Tables() ([]byte, error) {
	return (&Config{Workloads: kinds.Workloads, Producers: kinds.Producers, References: kinds.References()}).YAML()
}

// toYAML writes a value as YAML, by its JSON tags and in the order of its
// fields. JSON is YAML, so that its reader knows the order.
func toYAML(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return nil, err
	}
	plain(&node)
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err = encoder.Encode(&node)
	return b.Bytes(), err
}

// plain takes JSON's style from a node, but for lists of words, which stay on
// one line.
func plain(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || n.Content[0].Kind != yaml.ScalarNode {
		n.Style = 0
	}
	for _, child := range n.Content {
		plain(child)
	}
}
