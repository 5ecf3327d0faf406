// Package naming says what the annotations are called that take stamps, and
// how a stamp looks in one: one annotation for all that a pod template uses, or
// one per source, by a template.
package naming

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/restamp/restamp/internal/funcs"
)

// Source is what a template of an annotation's name is given.
type Source struct {
	Kind, Group, Namespace, Name string // Namespace is "" for the workload's own
}

// stamp is what a template of a value is given.
type stamp struct {
	Source
	Hash string // h1:...
}

// Naming is a way of naming. The nil Naming is none.
type Naming struct {
	name    string // where there is one for all
	pattern *regexp.Regexp
	names   *template.Template // of one per source
	values  *template.Template // nil for the stamp itself
	taken   []string           // names that mean something else
}

// New reads the templates of an annotation's name and of its value. An empty
// one stands for the default, which is given. Names that are taken are never
// those of a stamp.
func New(annotation, value, def string, taken ...string) (*Naming, error) {
	n := &Naming{name: def, taken: taken}
	var err error
	if value != "" {
		if n.values, err = compile(value); err != nil {
			return nil, fmt.Errorf("value: %w", err)
		}
	}
	switch {
	case annotation == "":
	case !strings.Contains(annotation, "{{"):
		n.name = annotation
	default:
		if n.names, err = compile(annotation); err != nil {
			return nil, fmt.Errorf("annotation: %w", err)
		}
		if !strings.Contains(start(n.names), "/") {
			return nil, fmt.Errorf("annotation: %q must begin with a text up to a slash, as checksum/{{ .Name }} does: what begins so is taken for a stamp, and taken away when it is none any more", annotation)
		}
		n.pattern = patternOf(n.names)
	}
	return n, n.try()
}

func compile(text string) (*template.Template, error) {
	return template.New("").Option("missingkey=error").Funcs(funcs.Map()).Parse(text)
}

// try makes a name and values, so that a template that never works is told at
// once. A value must be another one for another stamp, with a key and without:
// else no pod would ever restart.
func (n *Naming) try() error {
	s := Source{Kind: "ConfigMap", Namespace: "shop", Name: "settings"}
	if _, err := n.Name(s); err != nil {
		return fmt.Errorf("annotation: %w", err)
	}
	if !n.PerSource() {
		s = Source{}
	}
	for _, stamp := range []string{"h1:", "h1.00000000:"} {
		one, err := n.Value(stamp+strings.Repeat("0", 64), s)
		if err != nil {
			return fmt.Errorf("value: %w", err)
		}
		if other, err := n.Value(stamp+strings.Repeat("f", 64), s); err == nil && other == one {
			return fmt.Errorf("value: of every stamp %s<hex> it makes %q: no pod would ever restart", stamp, one)
		}
	}
	return nil
}

// PerSource reports whether each source has an annotation of its own.
func (n *Naming) PerSource() bool { return n.names != nil }

// Plain reports whether the value is the stamp itself.
func (n *Naming) Plain() bool { return n.values == nil }

// Only is the name where there is one for all.
func (n *Naming) Only() string { return n.name }

// Ours reports whether an annotation's name is one that a source may have.
func (n *Naming) Ours(name string) bool {
	if n.names == nil {
		return name == n.name
	}
	return n.pattern.MatchString(name) && !slices.Contains(n.taken, name)
}

// Name is the name of a source's annotation. Other sources may have the same
// one, where the template says so; but no name is bent to another's.
func (n *Naming) Name(s Source) (string, error) {
	name := n.name
	if n.names != nil {
		raw, err := execute(n.names, s)
		if err != nil {
			return "", err
		}
		name = keyOf(raw)
	}
	if slices.Contains(n.taken, name) {
		return "", fmt.Errorf("%q means something else", name)
	}
	return name, checkKey(name)
}

// Value is a stamp as it is written.
func (n *Naming) Value(hash string, s Source) (string, error) {
	if n.values == nil {
		return hash, nil
	}
	return execute(n.values, stamp{s, hash})
}

// short takes as much as the API server does of all annotations of an object
// together (TotalAnnotationSizeLimitB of k8s.io/apimachinery).
type short struct{ strings.Builder }

func (s *short) Write(p []byte) (int, error) {
	const most = 256 << 10
	if s.Len()+len(p) > most {
		return 0, fmt.Errorf("the template makes more than the %d bytes that annotations may have", most)
	}
	return s.Builder.Write(p)
}

func execute(t *template.Template, data any) (string, error) {
	var b short
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}

// maxName is how long the part of an annotation's name behind the slash may
// be, in bytes.
const maxName = 63

var (
	keyName   = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
	keyPrefix = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	unfit     = regexp.MustCompile(`[^-A-Za-z0-9_.]`)
)

// keyOf makes a key that the API server takes of one that it may not take. A
// bent key ends in a hash of what it was, so that no two become one.
func keyOf(raw string) string {
	prefix, name, found := strings.Cut(raw, "/")
	if !found {
		prefix, name = "", raw
	}
	if len(name) <= maxName && keyName.MatchString(name) {
		return raw
	}
	sum := sha256.Sum256([]byte(raw))
	name = strings.TrimLeft(bend(name)+"-"+hex.EncodeToString(sum[:hashed]), "-")
	if found {
		return prefix + "/" + name
	}
	return name
}

// hashed is how many bytes of a hash are in a bent name.
const hashed = 4

// bend makes the start of a name fit, and leaves room for a dash and a hash.
func bend(name string) string {
	name = strings.TrimLeft(unfit.ReplaceAllString(name, "-"), "-_.")
	return name[:min(len(name), maxName-1-2*hashed)]
}

// checkKey refuses what the API server would (k8s.io/apimachinery,
// IsQualifiedName).
func checkKey(key string) error {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		prefix, name = "", key
	}
	if len(name) > maxName || !keyName.MatchString(name) || found && (len(prefix) > 253 || !keyPrefix.MatchString(prefix)) {
		return fmt.Errorf("%q is no name of an annotation", key)
	}
	return nil
}

// patternOf matches the names that a template makes: its texts stand as they
// are, its actions for anything. A bent name has the start and a hash.
func patternOf(t *template.Template) *regexp.Regexp {
	var b strings.Builder
	for _, node := range t.Root.Nodes {
		if text, ok := node.(*parse.TextNode); ok {
			b.WriteString(regexp.QuoteMeta(string(text.Text)))
		} else {
			b.WriteString(".*")
		}
	}
	prefix, name, _ := strings.Cut(start(t), "/")
	return regexp.MustCompile(`^(` + b.String() + `|` + regexp.QuoteMeta(prefix+"/"+bend(name)) + `(.*-)?[0-9a-f]{8})$`)
}

// start is the text that a template begins with.
func start(t *template.Template) string {
	if len(t.Root.Nodes) > 0 {
		if text, ok := t.Root.Nodes[0].(*parse.TextNode); ok {
			return string(text.Text)
		}
	}
	return ""
}
