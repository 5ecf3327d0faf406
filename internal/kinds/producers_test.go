package kinds

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProducers: what no row may get wrong.
func TestProducers(t *testing.T) {
	first := make(map[string]Producer)
	for _, p := range Producers {
		name := p.Kind + "." + p.Group
		if p.Makes != ConfigMap && p.Makes != Secret && p.MakesPath == nil {
			t.Errorf("%s makes %q", name, p.Makes)
		}
		if p.Kind == "" && len(p.Name) == 0 {
			t.Errorf("a row for any kind has no name to look for")
		}
		for _, pattern := range p.Names {
			if strings.Count(pattern, "{") != strings.Count(pattern, "}") {
				t.Errorf("%s: pattern %s", name, pattern)
			}
		}
		for _, content := range p.Content {
			field := name + " " + content.String()
			before, ok := first[field]
			if diff := cmp.Diff(before.Without, p.Without); ok && diff != "" {
				t.Errorf("%s counts in two ways (-one +other):\n%s", field, diff)
			}
			first[field] = p
		}
	}
}
