package kudo

import (
	"testing"

	"github.com/restamp/restamp/internal/funcs"
)

// TestLacking: what KUDO lacks is what restamp has.
func TestLacking(t *testing.T) {
	all := funcs.Map()
	for _, name := range lacking {
		if all[name] == nil {
			t.Errorf("there is no function %s to take out", name)
		}
	}
	if functions()["dig"] != nil || functions()["toYaml"] == nil {
		t.Error("the functions are not KUDO's")
	}
}

func TestToYAML(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{map[string]any{"b": 1e6, "a": "x"}, "a: x\nb: 1e+06\n"},
		{[]any{"a", true}, "- a\n- true\n"},
		{"012", "\"012\"\n"},
	} {
		if got, err := toYAML(c.v); err != nil || got != c.want {
			t.Errorf("toYAML(%v) is %q (%v), want %q", c.v, got, err, c.want)
		}
	}
}
