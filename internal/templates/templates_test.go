package templates

import (
	"strings"
	"testing"
)

var data = map[string]any{"Values": map[string]any{
	"a": 1000000, "b": "text", "list": []any{"x", "y"}, "map": map[string]any{"k": "v"}, "null": nil, "tpl": "{{ .Values.b | upper }}",
}}

func TestRender(t *testing.T) {
	helper := File{Name: "_helpers.tmpl", Text: `{{ define "name" }}the-{{ .Values.b }}{{ end }}`, Helper: true}
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"{{ .Values.a }}", "1000000"},
		{"{{ .Values.map | toYaml }}|", "k: v|"},
		{`{{ (fromYaml "a: {b: 3}").a.b }}`, "3"},
		{`{{ include "name" . | quote }}`, `"the-text"`},
		{`{{ template "name" . }}`, "the-text"},
		{"{{ tpl .Values.tpl . }}", "TEXT"},
		{`{{ tpl "{{ define \"x\" }}{{ .Values.b }}{{ end }}{{ include \"x\" . }} {{ include \"name\" . }}" . }}`, "text the-text"},
		{`{{ required "no" .Values.b }}`, "text"},
		{"{{ list .Values.a .Values.b | toJson | sha256sum | trunc 8 }}", "7cc55273"},
		{"{{ range $k, $v := .Values.map }}{{ $k }}{{ $v }}{{ end }}", "kv"},
		{"{{ range until (len .Values.list) }}{{ . }}{{ end }}", "01"},
		{"{{ if .Values.null }}a{{ else }}b{{ end }}", "b"},
	} {
		got, err := Render([]File{{Name: "a.yaml.tmpl", Text: c.text}, helper}, data)
		if err != nil || len(got) != 1 || got[0].Text != c.want || got[0].Name != "a.yaml.tmpl" {
			t.Errorf("%s makes %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\n\n  x: {{ .Values.c }}", `a.yaml.tmpl:3:15: .Values.c: map has no entry for key "c"`},
		{"{{ .Values.map.x.y }}", `a.yaml.tmpl:1:10: .Values.map.x.y: map has no entry for key "x"`},
		{"{{ .Chart.Name }}", `.Chart.Name: map has no entry for key "Chart"`},
		{"x: {{ .Values.null }}", "a.yaml.tmpl: line 1 of what it makes: a value that is null was written"},
		{"{{ now }}", "a.yaml.tmpl:1:3: now: now is not allowed: it depends on the time"},
		{`{{ lookup "v1" "Secret" "a" "b" }}`, "lookup is not allowed: it asks a cluster"},
		{"{{ nosuch }}", `a.yaml.tmpl:1: function "nosuch" not defined`},
		{"{{ if }}", "a.yaml.tmpl:1: missing value for if"},
		{`{{ required "say what" "" }}`, `a.yaml.tmpl:1:3: required "say what" "": say what`},
		{`{{ include "none" . }}`, `include "none" .: there is no template "none"`},
		{`{{ include "bad" . }}`, `a.yaml.tmpl:1:3: include "bad" .: _helpers.tmpl:1:28: .Values.c: map has no entry for key "c"`},
		{`{{ define "loop" }}{{ include "loop" . }}{{ end }}{{ include "loop" . }}`, "a.yaml.tmpl: templates include each other more than 200 deep: \"loop\""},
		{`{{ tpl "{{ .Values.c }}" . }}`, `tpl:1:10: .Values.c: map has no entry for key "c"`},
		{`{{ fromYaml "a: [" }}`, "fromYaml"},
		{`{{ define "bad" }}{{ end }}`, `the template "bad" is defined in a.yaml.tmpl too`},
	} {
		_, err := Render([]File{{Name: "a.yaml.tmpl", Text: c.text}, {Name: "_helpers.tmpl", Text: `{{ define "bad" }}{{ .Values.c }}{{ end }}`, Helper: true}}, data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestAllErrorsAtOnce: each file's fault is told.
func TestAllErrorsAtOnce(t *testing.T) {
	_, err := Render([]File{{Name: "a", Text: "{{ .X }}"}, {Name: "b", Text: "ok"}, {Name: "c", Text: "{{ .Y }}"}}, data)
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("got %v", err)
	}
}
