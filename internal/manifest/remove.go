package manifest

import (
	"bytes"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// entry is a map's key and value.
type entry struct {
	parent, key, value tree.Node
}

// remove takes the entry at the path's end away, and each map on the path that
// holds nothing else, but not the last entry of the map from which it starts.
func (s *splicer) remove(e Edit, base tree.Node) error {
	var way []entry
	m := base
	for _, name := range e.Path {
		k, v := m.Entry(name)
		if !v.Exists() {
			return nil
		}
		if base.Alias() || v.Merged() || v.Alias() && len(way)+1 < len(e.Path) {
			return s.fail(e, v, "the stamp to remove stands behind an alias or a merge key: write it out")
		}
		way = append(way, entry{m, k, v})
		m = v
	}
	lowest := 0
	if base.Len() == 1 {
		lowest = 1 // an empty block is null, and the path's start stays a map
	}
	top := len(way) - 1
	for top > lowest && way[top].parent.Len() == 1 {
		top--
	}
	if way[top].parent.Flow() {
		return s.removeFlow(e, way[top])
	}
	return s.removeBlock(e, way[top:])
}

// removeFlow takes an entry and one comma out of brackets.
func (s *splicer) removeFlow(e Edit, gone entry) error {
	var before, after tree.Node
	found := false
	for k, v := range gone.parent.Fields() {
		switch {
		case k == gone.key:
			found = true
		case !found:
			before = v
		case !after.Exists():
			after = k
		}
	}
	start, end := gone.key.Offset(), gone.value.End()
	switch {
	case end < 0 || before.Exists() && before.End() < 0:
		return s.fail(e, gone.value, "the end of the stamp to remove cannot be told: write it on one line, without a tag or an anchor")
	case after.Exists() && !after.Merged():
		end = s.throughComma(end, after.Offset())
	case before.Exists():
		start = s.fromComma(before.End(), start)
	}
	if start < 0 || end < 0 {
		return s.fail(e, gone.key, "comments stand between the stamp to remove and a comma")
	}
	s.add(start, end, "")
	return nil
}

// throughComma returns the offset up to which an entry goes that another one
// follows: to that one, or where a comment is on the way, behind the comma; -1
// where the comment comes first.
func (s *splicer) throughComma(end, next int) int {
	gap := s.text[end:next]
	if bytes.IndexByte(gap, '#') < 0 {
		return next
	}
	comma := skipSpace(s.text, end, next)
	if s.text[comma] != ',' {
		return -1
	}
	return comma + 1
}

// fromComma returns the offset from which an entry goes that follows another
// one: from there, or where a comment is on the way, from the comma; -1 where
// the comment comes last.
func (s *splicer) fromComma(end, start int) int {
	gap := s.text[end:start]
	if bytes.IndexByte(gap, '#') < 0 {
		return end
	}
	gap = bytes.TrimRight(gap, " \t\r\n")
	if gap[len(gap)-1] != ',' {
		return -1
	}
	return end + len(gap) - 1
}

// removeBlock takes the lines of an entry away. Of the maps that fall with it
// only the keys' own lines go: a comment between them stays.
func (s *splicer) removeBlock(e Edit, way []entry) error {
	gone := way[0]
	last := way[len(way)-1]
	for i, w := range way {
		if w.value.Flow() {
			last = w
			way = way[:i+1]
			break
		}
	}
	end := last.value.End()
	if end < 0 {
		return s.fail(e, last.value, "the end of the stamp to remove cannot be told: write it on one line, without a tag or an anchor")
	}
	start := LineStart(s.text, gone.key.Offset())
	if len(bytes.TrimLeft(s.text[start:gone.key.Offset()], " ")) > 0 {
		return s.removeFirst(e, gone)
	}
	for _, w := range way[:len(way)-1] {
		at := LineStart(s.text, w.key.Offset())
		s.add(at, LineEnd(s.text, at), "")
	}
	at := LineStart(s.text, last.key.Offset())
	end = LineEnd(s.text, end)
	if s.text[end-1] != '\n' {
		s.cutLastLine(at, end)
		return nil
	}
	s.add(at, end, "")
	return nil
}

// cutLastLine takes the document's last line away, which has no line end, and
// leaves none behind the line above.
func (s *splicer) cutLastLine(at, end int) {
	for len(s.splices) > 0 && s.splices[len(s.splices)-1].End == at {
		at = s.splices[len(s.splices)-1].Start
		s.splices = s.splices[:len(s.splices)-1]
	}
	at = len(bytes.TrimSuffix(bytes.TrimSuffix(s.text[:at], newline), []byte("\r")))
	s.add(at, end, "")
}

// removeFirst takes an entry away that stands behind a dash or a marker: the
// next key moves up.
func (s *splicer) removeFirst(e Edit, gone entry) error {
	found := false
	for k := range gone.parent.Fields() {
		if found && !k.Merged() {
			s.add(gone.key.Offset(), k.Offset(), "")
			return nil
		}
		found = found || k == gone.key
	}
	return s.fail(e, gone.key, "nothing would be left of the map that holds the stamp")
}
