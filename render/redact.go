package render

import (
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// quoting matches where kustomize, helm and what they are made of quote the
// text that they stumble on, which may be a secret's. The groups are kept.
var quoting = []*regexp.Regexp{
	// kustomize
	regexp.MustCompile("(?s)( with config: `).*(`: )"),
	regexp.MustCompile(`(\[patch: )"(?:\\.|[^"\\])*"(\])`),
	regexp.MustCompile(`(?s)(specify one of patch and path in\n).*()`),
	regexp.MustCompile(`(?s)(can't be set at the same time\n).*()`),
	regexp.MustCompile(`(?s)(specify a target for patch ).*()`),
	regexp.MustCompile(`(?s)(: decoding )[\[{-].*()`),
	regexp.MustCompile(`(?s)(empty item at \S+ in object ).*()`),
	regexp.MustCompile(`(?s)(literal sources )\[.*\](: )`),
	regexp.MustCompile(`(invalid literal source ).*(, expected key=value)`),
	regexp.MustCompile(`(has invalid utf8 bytes : ).*()`),
	regexp.MustCompile(`(?s)(Helm template:\n).*()`),
	regexp.MustCompile(`(?s)(node contents:\n).*()`),
	regexp.MustCompile(`(?s)(is out of bounds for value ).*()`),
	regexp.MustCompile(`(bad replacement type=.* val=).*()`),
	regexp.MustCompile(`(?s)((?:evalsymlink failure on|accumulating resources from|lstat) '?)[^'\n]*\n.*()`), // a text taken for a path
	regexp.MustCompile(`(:/{1,2}[^/\s:@']*:)[^/\s@']+(@)`),
	// YAML
	regexp.MustCompile("(cannot unmarshal !!\\w+ `)[^`]*(`)"),
	regexp.MustCompile(`(unknown anchor ')[^']*(')`),
	// Go, through a template's functions
	regexp.MustCompile(`(parsing )"(?:\\.|[^"\\])*"()`),
	regexp.MustCompile(`(parse )"(?:\\.|[^"\\])*"()`),
	regexp.MustCompile(`(invalid \w+ )"(?:\\.|[^"\\])*"()`),
	regexp.MustCompile("(error parsing regexp: [^`\n]*)`[^`]*`()"),
	regexp.MustCompile(`(range can't iterate over )[^\n]*()`),
	// JSON schemas
	regexp.MustCompile(`(: )'[^\n]*'( does not match pattern )`),
	regexp.MustCompile(`(: )'[^\n]*'( is not valid )[^\n]*`),
	regexp.MustCompile(`(\(map\[).*(\]\))`),
}

const redacted = "..."

// redact takes values out of an error's text: those that are known, and what is
// quoted where values are.
func redact(text string, values []string) string {
	for _, pattern := range quoting {
		text = pattern.ReplaceAllString(text, "${1}"+redacted+"${2}")
	}
	values = slices.Clone(values)
	for _, value := range slices.Clone(values) {
		values = append(values, base64.StdEncoding.EncodeToString([]byte(value)))
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // one may hold another
	for _, value := range values {
		const shortest = 4 // what is shorter is in any text
		if len(value) >= shortest {
			text = strings.ReplaceAll(text, value, redacted)
		}
	}
	return text
}

// secretWord matches the name of a value that is nobody's business.
var secretWord = regexp.MustCompile(`(?i)pass|pwd|pw$|secret|token|key|cred|auth|private|cert|dsn|salt|webhook|connection`)

// withCredentials matches an address that holds a password.
var withCredentials = regexp.MustCompile(`://[^/\s:@]*:[^/\s@]+@`)

// secretValues returns the texts in a values file that are secrets, as their
// names say or as they look.
func secretValues(text []byte) []string {
	var root yaml.Node
	if yaml.Unmarshal(text, &root) != nil {
		return nil // helm will say so
	}
	var found []string
	var walk func(n *yaml.Node, secret bool)
	walk = func(n *yaml.Node, secret bool) {
		if n.Kind == yaml.ScalarNode && (secret || withCredentials.MatchString(n.Value)) {
			found = append(found, n.Value)
		}
		for i, child := range n.Content {
			named := n.Kind == yaml.MappingNode && i%2 == 1 && secretWord.MatchString(n.Content[i-1].Value)
			isKey := n.Kind == yaml.MappingNode && i%2 == 0
			walk(child, (secret || named) && !isKey)
		}
	}
	walk(&root, false)
	return found
}

// secrets are the values that errors must not tell: who sets one by hand may
// have a reason to.
func (o *ValuesOptions) secrets() []string {
	found := secretValues([]byte(o.Text))
	for _, set := range slices.Concat(o.Sets, o.SetStrings) {
		_, value, _ := strings.Cut(set, "=")
		found = append(found, value, strings.ReplaceAll(value, `\,`, ","))
		found = append(found, strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("{},=", r) })...)
	}
	return found
}
