package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// generatedName is the form of a name that ends in kustomize's hash: its ten
// characters are hexadecimal digits, five of which are replaced.
var generatedName = regexp.MustCompile(`^(.+)-([2456789bcdfghkmt]{10})$`)

var hashDigits = strings.NewReplacer("0", "g", "1", "h", "3", "k", "a", "m", "e", "t")

// namedByContent reports whether a ConfigMap's or Secret's name ends in the
// hash that kustomize's generators compute of its content (api/hasher of
// kustomize v5.8): then other content has another name, and whoever uses it
// restarts because of that. The look of the name is not enough: content that
// changed after kustomize keeps its name.
func namedByContent(id ID, n tree.Node) bool {
	dash := len(id.Name) - len("-0123456789")
	if dash < 1 || id.Name[dash] != '-' { // as of nearly every name: spare the pattern
		return false
	}
	parts := generatedName.FindStringSubmatch(id.Name)
	if parts == nil {
		return false
	}
	content := map[string]any{"kind": id.Kind, "data": stringMap(n.Field("data"))}
	more := "binaryData"
	if id.Kind == kinds.Secret {
		content["type"], more = n.Field("type").Text(), "stringData"
	}
	if m, ok := stringMap(n.Field(more)).(map[string]any); ok {
		content[more] = m
	}
	// kustomize means to hash the name too, but finds none where it looks.
	for _, content["name"] = range []string{"", parts[1]} {
		text, err := json.Marshal(content)
		if err != nil {
			return false
		}
		sum := sha256.Sum256(text)
		if hashDigits.Replace(hex.EncodeToString(sum[:5])) == parts[2] {
			return true
		}
	}
	return false
}

// stringMap is a map of strings as kustomize hashes it; where there is none, it
// takes an empty string.
func stringMap(n tree.Node) any {
	if n.Kind() != tree.Map {
		return ""
	}
	m := make(map[string]any, n.Len())
	for k, v := range n.Fields() {
		if m[k.KeyText()] = v.Text(); v.Type() == tree.Null {
			m[k.KeyText()] = nil
		}
	}
	return m
}
