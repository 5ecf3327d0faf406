package manifest

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/restamp/restamp/internal/manifest/tree"
)

const noEnd = "the end of the stamp to remove cannot be told: write it on one line, without a tag or an anchor"

// entry is a map's key and value.
type entry struct {
	parent, key, value tree.Node
}

// remove takes entries at the path's end away, and each map on the path that
// holds nothing else, but not the last entry of the map from which it starts.
func (s *splicer) remove(e Edit, base tree.Node) error {
	var way []entry
	m := base
	for _, name := range e.Path {
		k, v := m.Entry(name)
		if !v.Exists() {
			return nil
		}
		if base.Alias() || v.Merged() || v.Alias() {
			return s.behindAlias(e, v)
		}
		way = append(way, entry{m, k, v})
		m = v
	}
	gone := presentOf(m, e.Remove)
	switch {
	case len(gone) == 0:
		return nil
	case base.Alias():
		return s.behindAlias(e, base)
	case len(gone) < m.Len():
		return s.editEntries(e, m)
	}
	return s.removeAll(e, base, m, way)
}

// removeAll takes all entries of a map away, to which a way leads.
func (s *splicer) removeAll(e Edit, base, m tree.Node, way []entry) error {
	var all []entry
	for k, v := range m.Fields() {
		if v.Merged() {
			return s.behindAlias(e, v)
		}
		all = append(all, entry{m, k, v})
	}
	last := len(all) - 1
	switch {
	case m.Flow() && last > 0 && len(way) == 0:
		return s.fail(e, m, "nothing would be left of the map that holds the stamps")
	case m.Flow() && last > 0:
		return s.removeWay(e, base, m, way)
	}
	for _, gone := range all[:last] {
		if err := s.removeBlock(e, []entry{gone}); err != nil {
			return err
		}
	}
	return s.removeWay(e, base, m, append(way, all[last]))
}

func (s *splicer) behindAlias(e Edit, v tree.Node) error {
	return s.fail(e, v, "the stamp to remove stands behind an alias or a merge key: write it out")
}

// removeEntry takes one of a block's entries away.
func (s *splicer) removeEntry(e Edit, m tree.Node, name string) error {
	k, v := m.Entry(name)
	if v.Merged() {
		return s.behindAlias(e, v)
	}
	return s.removeBlock(e, []entry{{m, k, v}})
}

// removeRuns takes entries out of brackets in which others stay: those that
// stand side by side at once, as they share their commas.
func (s *splicer) removeRuns(e Edit, m tree.Node, gone []string) error {
	var run []entry
	for k, v := range m.Fields() {
		switch {
		case !slices.ContainsFunc(gone, k.Is):
			if err := s.removeRun(e, run); err != nil {
				return err
			}
			run = nil
		case v.Merged():
			return s.behindAlias(e, v)
		default:
			run = append(run, entry{m, k, v})
		}
	}
	return s.removeRun(e, run)
}

func (s *splicer) removeRun(e Edit, run []entry) error {
	for i := 1; i < len(run); i++ {
		if end := run[i-1].value.End(); end < 0 || bytes.IndexByte(s.text[end:run[i].key.Offset()], '#') >= 0 {
			return s.fail(e, run[i].key, "comments stand between the stamps to remove")
		}
	}
	if len(run) == 0 {
		return nil
	}
	return s.removeFlow(e, run[0], run[len(run)-1])
}

// removeWay takes the last entry of a way away, and those above it that hold
// nothing else. Of m nothing else is left.
func (s *splicer) removeWay(e Edit, base, m tree.Node, way []entry) error {
	lowest := 0
	if base.Len() == 1 {
		lowest = 1 // an empty block is null, and the path's start stays a map
	}
	top := len(way) - 1
	for top > lowest && (way[top].parent.Len() == 1 || way[top].parent == m) {
		top--
	}
	if way[top].parent.Flow() {
		return s.removeFlow(e, way[top], way[top])
	}
	return s.removeBlock(e, way[top:])
}

// removeFlow takes the entries from one to another and one comma out of
// brackets.
func (s *splicer) removeFlow(e Edit, gone, last entry) error {
	var before, after tree.Node
	begun, found := false, false
	for k, v := range gone.parent.Fields() {
		begun = begun || k == gone.key
		switch {
		case !begun:
			before = v
		case found && !after.Exists():
			after = k
		}
		found = found || k == last.key
	}
	start, end := gone.key.Offset(), last.value.End()
	switch {
	case end < 0 || before.Exists() && before.End() < 0:
		return s.fail(e, gone.value, noEnd)
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
		return s.fail(e, last.value, noEnd)
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
	slices.SortStableFunc(s.splices, func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) })
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
