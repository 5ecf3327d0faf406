package values

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type (
	m = map[string]any
	l = []any
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want m
	}{
		{"", m{}},
		{"# nothing\n", m{}},
		{"a: 1000000\nb: 1.5\nc: yes\nd: 012\ne: \"1\"\nf:\ng: {h: [1, x]}", m{"a": 1000000, "b": 1.5, "c": true, "d": 10, "e": "1", "f": nil, "g": m{"h": l{1, "x"}}}},
		{"1: one\ntrue: two", m{"1": "one", "true": "two"}},
		{"a: 99999999999999999999", m{"a": 99999999999999999999.0}},
		{"a: &x {b: 1}\nc: *x", m{"a": m{"b": 1}, "c": m{"b": 1}}},
	} {
		got, err := Parse([]byte(c.text))
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("Parse(%q): %v (-want +got):\n%s", c.text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"- a":          "the values are no map",
		"a":            "the values are no map",
		"a: 1\na: 2":   `key "a" already set`,
		"a: 1\n---\nb": "more than one document",
		"a: [":         "yaml:",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
}

func TestMerge(t *testing.T) {
	under := m{"a": m{"b": 1, "c": 2}, "d": l{1, 2}, "e": "x", "f": nil}
	Merge(under, m{"a": m{"b": 3, "c": nil}, "d": l{3}, "e": m{"y": 1}, "g": nil})
	if diff := cmp.Diff(m{"a": m{"b": 3}, "d": l{3}, "e": m{"y": 1}, "f": nil}, under); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		under      m
		expression string
		want       m
	}{
		{m{}, "a=b", m{"a": "b"}},
		{m{}, "a.b=c", m{"a": m{"b": "c"}}},
		{m{}, "a=1,b=true,c=1.5,d=012,e=,f=-3,g=False", m{"a": 1, "b": true, "c": "1.5", "d": "012", "e": "", "f": -3, "g": false}},
		{m{"a": 1, "b": m{"c": 1}}, "a=null,b.c=null", m{"b": m{}}},
		{m{}, "a={b,2,true}", m{"a": l{"b", 2, true}}},
		{m{}, "a={},b={c},d={,}", m{"a": l{}, "b": l{"c"}, "d": l{"", ""}}},
		{m{}, "a[1].b=c,a[0]=d", m{"a": l{"d", m{"b": "c"}}}},
		{m{}, "a[0][1]=b", m{"a": l{l{nil, "b"}}}},
		{m{"a": l{m{"b": 1, "c": 2}, 3}}, "a[0].b=4", m{"a": l{m{"b": 4, "c": 2}, 3}}},
		{m{}, `a\.b=c\,d,e={f\,g}`, m{"a.b": "c,d", "e": l{"f,g"}}},
		{m{}, `a=b=c`, m{"a": "b=c"}},
		{m{}, `example\.com/a=b`, m{"example.com/a": "b"}},
		{m{}, `a=x{y}`, m{"a": "x{y}"}},
	} {
		err := Set(c.under, c.expression, Typed)
		if diff := cmp.Diff(c.want, c.under); err != nil || diff != "" {
			t.Errorf("Set(%q): %v (-want +got):\n%s", c.expression, err, diff)
		}
	}
	under := m{}
	if err := Set(under, "a=1,b={true,null}", Text); err != nil || cmp.Diff(m{"a": "1", "b": l{"true", "null"}}, under) != "" {
		t.Errorf("texts: %v (%v)", under, err)
	}
}

func TestSetErrors(t *testing.T) {
	for expression, want := range map[string]string{
		"":                 `after "": a key is missing`,
		"=hunter2":         `after "": a key is missing`,
		"a":                "a: there must be =value behind it",
		"a,b=c":            "a: there must be =value behind it",
		"a.=b":             `after "a": a key is missing`,
		"a[x]=b":           "a: in brackets must be a number",
		"a[-1]=b":          "a: in brackets must be a number",
		"a[99999999]=b":    "a: in brackets must be a number",
		"a[0=b":            "a: in brackets must be a number",
		"a[0]b=c":          "a[0]: there must be =value behind it",
		"a[0]":             "a[0]: there must be =value behind it",
		"a={hunter2":       "a: the list has no end",
		"a={b}hunter2":     "a: only a comma may stand behind a list",
		"s.b=hunter2":      "s.b: what is there is no map",
		"s[0]=hunter2":     "s[0]: what is there is no list",
		"l.b[2].c=hunter2": "l.b[2].c: what is there is no map",
	} {
		err := Set(m{"s": "text", "l": l{}}, expression, Typed)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Set(%q): %v, want %q", expression, err, want)
		}
	}
}

// FuzzSet: no expression makes it panic, and none that is refused is quoted.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{"a=b", "a.b[0].c={d,e}", `a\.b=c\,d`, "a[0][1]=b", "a={", "a[0]."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		_ = Set(m{"a": m{"b": l{1}}}, expression, Typed)
	})
}
