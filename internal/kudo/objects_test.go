package kudo

import (
	"strings"
	"testing"
)

// TestState: objects keep their places, whatever is applied over them.
func TestState(t *testing.T) {
	s := newState()
	one, two := &Rendition{Name: "one"}, &Rendition{Name: "two"}
	put := func(r *Rendition, name, text string) {
		s.apply(&object{id: id{kind: "A", name: name}, rendition: r, text: []byte(text)})
	}
	put(one, "a", "a: 1\n")
	put(one, "b", "---\nb: 1") // the last document of a text may have no line end
	put(two, "c", "c: 1\n")
	put(two, "a", "a: 2\n")
	s.remove(id{kind: "A", name: "c"})
	s.remove(id{kind: "A", name: "none"})
	put(two, "c", "c: 2\n")
	put(two, "d", "d: 1\n")
	var got []string
	for _, r := range s.renditions() {
		got = append(got, r.Name+": "+string(r.Text))
	}
	const want = "two: a: 2\n|one: ---\nb: 1|two: c: 2\n---\nd: 1\n"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}
