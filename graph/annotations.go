package graph

import (
	"fmt"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// The annotations that a user may set. A workload's may stand on the workload
// or on its pod template.
const (
	enabledAnnotation    = Domain + "enabled"
	dependsOnAnnotation  = Domain + "depends-on"
	ignoreAnnotation     = Domain + "ignore"
	ignoreKeysAnnotation = Domain + "ignore-keys"
)

// UserAnnotations are the names of those: no stamp has such a one.
var UserAnnotations = []string{enabledAnnotation, dependsOnAnnotation, ignoreAnnotation, ignoreKeysAnnotation}

// Target is an entry of a depends-on or ignore list:
// [namespace/]Kind[.group]/name[:key].
type Target struct {
	namespace, kind, group, name, key string
	hasGroup, hasKey                  bool
}

// ParseIgnore reads an entry of an ignore list. Names and keys may hold *.
func ParseIgnore(entry string) (Target, error) { return parseTarget(entry, true) }

func parseTargets(list string, patterns bool) ([]Target, error) {
	var targets []Target
	for _, entry := range strings.Split(list, ",") {
		t, err := parseTarget(strings.TrimSpace(entry), patterns)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func parseTarget(entry string, patterns bool) (t Target, err error) {
	bad := fmt.Errorf("%q is not [namespace/]Kind[.group]/name[:key]", printable(entry))
	rest := entry
	rest, t.key, t.hasKey = strings.Cut(rest, ":")
	parts := strings.Split(rest, "/")
	if len(parts) == 3 {
		t.namespace, parts = parts[0], parts[1:]
		if t.namespace == "" {
			return t, bad
		}
	}
	if len(parts) != 2 {
		return t, bad
	}
	t.kind, t.group, t.hasGroup = strings.Cut(parts[0], ".")
	t.name = parts[1]
	switch {
	case !isKind(t.kind) || t.name == "" || t.hasGroup && t.group == "":
		return t, bad
	case !t.hasGroup && !core(t.kind) && (strings.EqualFold(t.kind, kinds.ConfigMap) || strings.EqualFold(t.kind, kinds.Secret)):
		return t, fmt.Errorf("%q: the kind is written ConfigMap or Secret", printable(entry))
	case t.hasKey && !validKey(strings.ReplaceAll(t.key, "*", "x")):
		return t, bad
	case strings.ContainsAny(entry, " \t\r\n") || strings.Contains(t.namespace, "*"):
		return t, bad
	case !patterns && strings.Contains(rest+t.key, "*"):
		return t, fmt.Errorf("%q: * is for %s and %s only", printable(entry), ignoreAnnotation, ignoreKeysAnnotation)
	}
	return t, nil
}

func isKind(s string) bool {
	for i, c := range s {
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// parseKeys reads the list of an ignore-keys annotation.
func parseKeys(list string) ([]string, error) {
	var keys []string
	for _, entry := range strings.Split(list, ",") {
		key := strings.TrimSpace(entry)
		if key == "" || !validKey(strings.ReplaceAll(key, "*", "x")) {
			return nil, fmt.Errorf("%q is no key, nor a pattern of keys with *", printable(key))
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseBool(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf(`%q is neither "true" nor "false"`, printable(s))
}

// match reports whether a name fits a pattern, in which * stands for any text.
func match(pattern, name string) bool {
	prefix, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	name = name[len(prefix):]
	for {
		var part string
		part, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
}

func matchAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if match(p, name) {
			return true
		}
	}
	return false
}

// settings are what the annotations of a workload, or of its pod template, say.
type settings struct {
	enabled   *bool
	dependsOn []dependency
	ignore    []Target
	words     []word // of other tools
	said      []said // as it stands
}

// said is one of our annotations.
type said struct {
	name, value, field string
	place              Place
	faulty             bool
}

// dependency is an entry of a depends-on list and where it stands.
type dependency struct {
	Target
	place Place
	field string
}

// readSettings reads the annotations at path, with its faults.
func readSettings(annotations tree.Node, path string, at func(tree.Node) Place) (s settings, problems []problem) {
	for k, v := range annotations.Fields() {
		name := k.Text()
		if !strings.HasPrefix(name, Domain) {
			s.words = readWord(s.words, k, v, path, at)
			continue
		}
		field := path + "." + name
		var err error
		switch {
		case name != enabledAnnotation && name != dependsOnAnnotation && name != ignoreAnnotation:
			continue
		case v.Type() != tree.String:
			err = fmt.Errorf("the value is %s; annotations are strings, so quote it", typeName(v))
		case name == enabledAnnotation:
			var on bool
			if on, err = parseBool(v.Text()); err == nil {
				s.enabled = &on
			}
		case name == ignoreAnnotation:
			s.ignore, err = parseTargets(v.Text(), true)
		default:
			var targets []Target
			targets, err = parseTargets(v.Text(), false)
			for _, t := range targets {
				s.dependsOn = append(s.dependsOn, dependency{t, at(v), field})
			}
		}
		if err != nil {
			problems = append(problems, problem{field: field, place: at(v), message: err.Error(), strict: true})
		}
		s.said = append(s.said, said{name, v.Text(), field, at(v), err != nil})
	}
	return s, problems
}

// problem is a fault in an object.
type problem struct {
	field   string
	place   Place
	message string
	also    Place // the other place, of what is there twice
	strict  bool  // an error whether or not there is anything to stamp
}

// twice is the problem of a key that stands in two places.
func twice(field string, place, also Place) problem {
	return problem{field: field, place: place, message: "the key stands here and", also: also}
}

// text is the problem in words. It is put together late, as lines are not known
// while documents are read.
func (p problem) text() string {
	if p.also.Doc == nil {
		return p.message
	}
	return fmt.Sprintf("%s in line %d", p.message, p.also.Line())
}

// typeName says what a node is, for a message.
func typeName(n tree.Node) string {
	if n.Kind() == tree.Scalar {
		return n.Type().String()
	}
	return n.Kind().String()
}
