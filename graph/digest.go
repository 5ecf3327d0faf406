package graph

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// Line is one line of the text under a stamp: what a pod template uses.
type Line struct {
	Sum    [sha256.Size]byte // of the value
	Secret bool              // of a Secret's value: the sum is not for showing
	Keyed  bool              // through HMAC

	Annotation string // that has the stamp above it; of an explanation's lines alone

	source, key string
	suffixed    bool // the source's name ends in a hash of its content
}

// Label says what the line is of: Kind/name/key.
func (l Line) Label() string { return l.source + l.key }

// Source is the label without the key, and ends in a slash.
func (l Line) Source() string { return l.source }

// Key is the key, or a producer's field.
func (l Line) Key() string { return l.key }

// nothing is the hash of no bytes.
var nothing = sha256.Sum256(nil)

// sorter puts lines in the order of their text. It sorts short keys instead of
// the lines, which are long.
type sorter struct {
	keys   []sortKey
	sorted []Line
}

type sortKey struct {
	start uint64 // of the sum
	line  int32
}

// sort returns lines in the order of their text, each once.
func (s *sorter) sort(lines []Line) []Line {
	s.keys = s.keys[:0]
	for i := range lines {
		s.keys = append(s.keys, sortKey{binary.BigEndian.Uint64(lines[i].Sum[:]), int32(i)})
	}
	slices.SortFunc(s.keys, func(a, b sortKey) int {
		if c := cmp.Compare(a.start, b.start); c != 0 {
			return c
		}
		return compareLines(&lines[a.line], &lines[b.line])
	})
	s.sorted = s.sorted[:0]
	for i, key := range s.keys {
		if l := &lines[key.line]; i == 0 || compareLines(l, &lines[s.keys[i-1].line]) != 0 {
			s.sorted = append(s.sorted, *l)
		}
	}
	return s.sorted
}

func compareLines(a, b *Line) int {
	if c := bytes.Compare(a.Sum[:], b.Sum[:]); c != 0 {
		return c
	}
	if a.source == b.source {
		return strings.Compare(a.key, b.key)
	}
	if strings.HasPrefix(a.source, b.source) || strings.HasPrefix(b.source, a.source) {
		return strings.Compare(a.Label(), b.Label())
	}
	return strings.Compare(a.source, b.source)
}

// appendStamp hashes lines, which are sorted. Where one is keyed, the stamp
// names the key. The buffer is for the text.
func appendStamp(buf []byte, lines []Line, secretKey []byte) (text []byte, stamp string) {
	keyed := false
	for i := range lines {
		l := &lines[i]
		buf = hex.AppendEncode(buf, l.Sum[:])
		buf = append(buf, "  "...)
		buf = append(append(buf, l.source...), l.key...)
		buf = append(buf, '\n')
		keyed = keyed || l.Keyed
	}
	sum := sha256.Sum256(buf)
	version := "h1:"
	if keyed {
		version = "h1." + keyID(secretKey) + ":"
	}
	return buf, version + hex.EncodeToString(sum[:])
}

// keyID names a key without telling it.
func keyID(secretKey []byte) string {
	sum := sha256.Sum256(append([]byte("restamp key id"), secretKey...))
	return hex.EncodeToString(sum[:4])
}
