package naming

import (
	"strings"
	"testing"
)

const def = "restamp.dev/config-hash"

var settings = Source{Kind: "ConfigMap", Name: "settings"}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		annotation string
		source     Source
		want       string
	}{
		{"", settings, def},
		{"example.com/config", settings, "example.com/config"},
		{"checksum/{{ .Kind | lower }}-{{ .Name }}", settings, "checksum/configmap-settings"},
		{"checksum/{{ .Name }}", Source{Kind: "Secret", Name: "a.b"}, "checksum/a.b"},
		{"checksum/{{ .Name }}", Source{Name: long}, "checksum/" + strings.Repeat("x", 54) + "-d39fd490"},
		{"checksum/{{ .Kind }}:{{ .Name }}", settings, "checksum/ConfigMap-settings-7f869d67"},
		{"checksum/-{{ .Name }}-", settings, "checksum/settings--6a649e38"},
		{"checksum/of {{ .Name }}", settings, "checksum/of-settings-30da48bf"},
		{"checksum/" + long + "{{ .Name }}", settings, "checksum/" + strings.Repeat("x", 54) + "-1316bea5"},
		{"checksum/{{ .Namespace }}", settings, "checksum/"},
	} {
		n, err := New(c.annotation, "", def)
		if err != nil {
			t.Errorf("%s: %v", c.annotation, err)
			continue
		}
		got, err := n.Name(c.source)
		if strings.HasSuffix(c.want, "/") {
			if !strings.HasPrefix(got, c.want) || len(got) != len(c.want)+8 {
				t.Errorf("%s: %q (%v)", c.annotation, got, err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.annotation, got, err, c.want)
		}
		if !n.Ours(got) {
			t.Errorf("%s: %q is not known again", c.annotation, got)
		}
	}
}

// TestNamesDoNotMeet: two names that are bent to fit stay two.
func TestNamesDoNotMeet(t *testing.T) {
	n, err := New("checksum/{{ .Kind }}_{{ .Name }}", "", def)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]Source)
	for _, s := range []Source{
		{Name: strings.Repeat("a", 80) + "1"},
		{Name: strings.Repeat("a", 80) + "2"},
		{Kind: "K", Name: "a:b"},
		{Kind: "K", Name: "a/b"},
		{Kind: "K", Name: "a-b"},
		{Kind: "K", Name: "a b"},
	} {
		name, err := n.Name(s)
		if err != nil {
			t.Errorf("%v: %v", s, err)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%v and %v are both %q", s, other, name)
		}
		seen[name] = s
	}
}

func TestOurs(t *testing.T) {
	n, err := New("checksum/{{ .Kind | lower }}-{{ .Name }}", "", def)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"checksum/configmap-a": true, "checksum/secret-b.c": true, "checksum/config": false, "other/configmap-a": false,
		"checksum/" + strings.Repeat("x", 54) + "-0123abcd": true, def: false,
	} {
		if got := n.Ours(name); got != want {
			t.Errorf("%s is ours: %v", name, got)
		}
	}
}

// TestTaken: a template of our own domain does not take the user's annotations
// for stamps.
func TestTaken(t *testing.T) {
	n, err := New("restamp.dev/{{ .Name }}", "", def, "restamp.dev/enabled")
	if err != nil {
		t.Fatal(err)
	}
	if n.Ours("restamp.dev/enabled") || !n.Ours("restamp.dev/settings") {
		t.Error("restamp.dev/enabled is a stamp, or restamp.dev/settings is none")
	}
	if _, err := n.Name(Source{Name: "enabled"}); err == nil {
		t.Error("a source named enabled has a stamp of that name")
	}
}

func TestValues(t *testing.T) {
	n, err := New("", "{{ .Hash | trunc 19 }}", def)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := n.Value("h1:"+strings.Repeat("0", 64), settings); err != nil || got != "h1:0000000000000000" {
		t.Errorf("%q (%v)", got, err)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ annotation, value, want string }{
		{"checksum/{{ .Nmae }}", "", "annotation: template: :1:"},
		{"checksum/{{ .Name", "", "annotation: template: :1: unclosed action"},
		{"checksum/{{ nosuch .Name }}", "", `function "nosuch" not defined`},
		{"x/{{ now }}", "", "now is not allowed: it depends on the time"},
		{"a b", "", `annotation: "a b" is no name of an annotation`},
		{"{{ .Name }}", "", "annotation: \"{{ .Name }}\" must begin with a text up to a slash"},
		{"x-{{ .Name }}/x", "", "must begin with a text up to a slash"},
		{"restamp.dev/ignore", "", `annotation: "restamp.dev/ignore" means something else`},
		{"restamp.dev/{{ .Kind }}", "", `annotation: "restamp.dev/ConfigMap" means something else`},
		{"", "{{ range 1000000000 }}x{{ end }}{{ .Hash }}", "value: the template makes more than the 262144 bytes"},
		{"", "constant", `value: of every stamp h1:<hex> it makes "constant"`},
		{"", "{{ .Hash | trunc 3 }}", `value: of every stamp h1:<hex> it makes "h1:"`},
		{"", "{{ .Hash | trunc 11 }}", `value: of every stamp h1.00000000:<hex> it makes "h1.00000000"`},
		{"", "{{ if .Name }}{{ .Hash }}{{ end }}", `value: of every stamp h1:<hex> it makes ""`},
		{"UPPER/x", "", `"UPPER/x" is no name`},
		{"X/{{ .Kind }}", "", `"X/ConfigMap" is no name`},
		{"", "{{ .Hsah }}", "value: template: :1:"},
		{"", "{{ randAlpha 3 }}", "value: template: :1:3: executing"},
	} {
		if _, err := New(c.annotation, c.value, def, "restamp.dev/ignore", "restamp.dev/ConfigMap"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %q", c.annotation, c.value, err, c.want)
		}
	}
}
