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
		{`{{ range until 3 }}x{{ end }}{{ untilStep 1 5 2 }}{{ seq 1 3 }}{{ repeat 2 "ab" }}{{ indent 2 "a" }}{{ nindent 2 "a" }}`, "xxx[1 3]1 2 3abab  a\n  a", ""},
		{`{{ until 1000000000 }}`, "", "1000000000 is more than 1048576"},
		{`{{ untilStep 0 9223372036854775807 5 }}`, "", "is more than 1048576"},
		{`{{ seq 1 1000000000 }}`, "", "is more than 1048576"},
		{`{{ repeat 1000 (repeat 10000 "x") }}`, "", "10000000 is more than 1048576"},
		{`{{ indent 1000000000 "x" }}`, "", "is more than 1048576"},
		{`{{ nindent 1000000000 "x" }}`, "", "is more than 1048576"},
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
