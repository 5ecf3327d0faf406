package funcs

import (
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// TestEveryFunctionIsJudged: a new release of sprig must not let a function in,
// nor take one away, without a word here.
func TestEveryFunctionIsJudged(t *testing.T) {
	all := sprig.TxtFuncMap()
	for name := range all {
		_, no := refused[name]
		if yes := slices.Contains(allowed, name); yes == no {
			t.Errorf("%s: allowed %v, refused %v", name, yes, no)
		}
	}
	if len(allowed)+len(refused) != len(all) {
		t.Errorf("%d allowed and %d refused, but sprig has %d", len(allowed), len(refused), len(all))
	}
}

func TestMap(t *testing.T) {
	for _, c := range []struct{ text, want, err string }{
		{`{{ "AbC" | lower | trunc 2 }}`, "ab", ""},
		{`{{ list "x" "y" | toJson | sha256sum | trunc 8 }}`, "01f650e8", ""},
		{`{{ now }}`, "", "now is not allowed: it depends on the time"},
		{`{{ randAlphaNum 5 }}`, "", "randAlphaNum is not allowed: it is random"},
		{`{{ env "HOME" }}`, "", "env is not allowed: it reads the environment"},
		{`{{ genCA "x" 1 }}`, "", "genCA is not allowed: it makes or handles keys"},
		{`{{ keys (dict "a" 1) }}`, "", "keys is not allowed: the order"},
	} {
		tmpl, err := template.New("").Funcs(Map()).Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		err = tmpl.Execute(&b, nil)
		if c.err == "" && (err != nil || b.String() != c.want) {
			t.Errorf("%s gives %q (%v), want %q", c.text, b.String(), err, c.want)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s gives %v, want %q", c.text, err, c.err)
		}
	}
}
