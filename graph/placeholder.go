package graph

import (
	"bytes"
	"regexp"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// isCiphertext reports whether SOPS encrypted a value.
func isCiphertext(text []byte) bool {
	return bytes.HasPrefix(text, []byte("ENC[")) && bytes.HasSuffix(text, []byte("]"))
}

// vaultUse is what argocd-vault-plugin does with an object.
type vaultUse uint8

const (
	vaultFillsPaths vaultUse = iota // placeholders that tell their path: <path:a/b#key>
	vaultFillsAll                   // and those that do not: <key>
	vaultFillsNone
)

func vaultOf(annotations tree.Node) (use vaultUse) {
	for k, v := range annotations.Fields() {
		switch {
		case k.Is(kinds.VaultIgnore) && v.Text() == "true":
			return vaultFillsNone
		case k.Is(kinds.VaultPath):
			use = vaultFillsAll
		}
	}
	return use
}

var (
	vaultPath  = []byte("<path:")
	vaultKey   = regexp.MustCompile(`<[^<>\n]+>`)
	variable   = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*([:=?+-][^}]*)?\}`)
	isVariable = regexp.MustCompile(`^\s*` + variable.String() + `\s*$`)
)

// fills reports whether the plugin will fill in part of a text.
func (v vaultUse) fills(text []byte) bool {
	switch v {
	case vaultFillsAll:
		return vaultKey.Match(text)
	case vaultFillsPaths:
		return bytes.Contains(text, vaultPath)
	}
	return false
}

// isPlaceholder reports whether a later step will make a value out of a text.
// A variable counts only where it is the whole text: elsewhere it is as likely a
// shell script's.
func (v vaultUse) isPlaceholder(text []byte) bool {
	if v.fills(text) {
		return true
	}
	const longest = 1024
	return len(text) < longest && bytes.Contains(text, []byte("${")) && isVariable.Match(text)
}

// holdsPlaceholder reports whether there is a placeholder anywhere in a text.
func (v vaultUse) holdsPlaceholder(text []byte) bool { return v.fills(text) || variable.Match(text) }
