package cli

import "testing"

func TestEscapeCommas(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "a": "a", "a,b": `a\,b`, `a\,b`: `a\,b`, ",a,": `\,a\,`, "{a,b}": "{a,b}",
	} {
		if got := escapeCommas(value); got != want {
			t.Errorf("escapeCommas(%q) is %q, want %q", value, got, want)
		}
	}
}
