package kinds

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// fields are rows of the table of references in short: all pairs of a kind and a
// path.
type fields struct {
	kinds string // with spaces between them
	to    string
	paths string // with alternatives in brackets: "spec.(a,b.(c,d)).name"
	key   string // as in Reference
	only  string // Reference.For, in its dotted form
}

// lazily makes the rows of a group when an object of it turns up: most streams
// have none.
func lazily(groups map[string][]fields) map[string]func() map[string][]*Reference {
	made := make(map[string]func() map[string][]*Reference)
	for group, list := range groups {
		made[group] = sync.OnceValue(func() map[string][]*Reference {
			index := make(map[string][]*Reference)
			for _, f := range list {
				for _, kind := range strings.Fields(f.kinds) {
					for _, path := range alternatives(f.paths) {
						index[kind] = append(index[kind], &Reference{Group: group, Kind: kind, Path: P(path), Key: f.key, For: P(f.only), To: f.to})
					}
				}
			}
			return index
		})
	}
	return made
}

// References are the rows of the built-in table, by group and kind.
func References() (rows []Reference) {
	for _, group := range slices.Sorted(maps.Keys(references)) {
		index := references[group]()
		for _, kind := range slices.Sorted(maps.Keys(index)) {
			for _, row := range index[kind] {
				rows = append(rows, *row)
			}
		}
	}
	return rows
}

// alternatives are the texts that a text with alternatives in brackets stands
// for: "a.(b,c).d" for "a.b.d" and "a.c.d".
func alternatives(text string) (found []string) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return []string{text}
	}
	parts, rest := options(text[open+1:])
	for _, part := range parts {
		found = append(found, alternatives(text[:open]+part+rest)...)
	}
	return found
}

// options are what the commas of an opened bracket separate, and what follows
// the bracket.
func options(text string) (parts []string, rest string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case depth > 0 && c == ')':
			depth--
		case depth == 0 && c == ',':
			parts, from = append(parts, text[from:i]), i+1
		case depth == 0 && c == ')':
			return append(parts, text[from:i]), text[i+1:]
		}
	}
	return []string{text}, ""
}
