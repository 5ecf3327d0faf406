package graph

import (
	"fmt"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// located is a node and the path that leads to it, with the numbers of items.
type located struct {
	node tree.Node
	path string
	key  string // the node's in its map, where the path goes into all values of one
}

// each follows a path, into every item of the lists on it. Without a path
// there is nothing.
func each(n tree.Node, path kinds.Path) []located {
	if path == nil {
		return nil
	}
	found := []located{{node: n}}
	for _, step := range path {
		var next []located
		for _, at := range found {
			if step == kinds.EachValue {
				for k, v := range at.node.Fields() {
					next = append(next, located{v, join(at.path, k.KeyText()), k.KeyText()})
				}
				continue
			}
			if step != kinds.Each {
				if child := at.node.Field(step); child.Exists() {
					next = append(next, located{child, join(at.path, step), ""})
				}
				continue
			}
			i := 0
			for item := range at.node.Items() {
				next = append(next, located{item, fmt.Sprintf("%s[%d]", at.path, i), ""})
				i++
			}
		}
		found = next
	}
	return found
}

// join is the path of a field, or of an item of a list, below another path.
func join(path, step string) string {
	if path == "" || step == "" {
		return path + step
	}
	if step[0] == '[' {
		return path + step
	}
	return path + "." + step
}
