package graph

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Line is one line of the text under a stamp: what a pod template uses.
type Line struct {
	Sum    [sha256.Size]byte // of the value
	Label  string            // Kind/name/key
	Secret bool              // of a Secret's value: the sum is not for showing
	Keyed  bool              // through HMAC
}

// nothing is the hash of no bytes.
var nothing = sha256.Sum256(nil)

// sortLines puts lines in the order of their text, each once.
func sortLines(lines []Line) []Line {
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(bytes.Compare(a.Sum[:], b.Sum[:]), cmp.Compare(a.Label, b.Label))
	})
	return slices.CompactFunc(lines, func(a, b Line) bool { return a.Sum == b.Sum && a.Label == b.Label })
}

// stamp hashes lines, which are sorted. Where one is keyed, the stamp names the
// key.
func stamp(lines []Line, secretKey []byte) string {
	text := make([]byte, 0, len(lines)*112)
	keyed := false
	for _, l := range lines {
		text = hex.AppendEncode(text, l.Sum[:])
		text = append(text, "  "...)
		text = append(text, l.Label...)
		text = append(text, '\n')
		keyed = keyed || l.Keyed
	}
	sum := sha256.Sum256(text)
	version := "h1"
	if keyed {
		version += "." + keyID(secretKey)
	}
	return version + ":" + hex.EncodeToString(sum[:])
}

// keyID names a key without telling it.
func keyID(secretKey []byte) string {
	sum := sha256.Sum256(append([]byte("restamp key id"), secretKey...))
	return hex.EncodeToString(sum[:4])
}
