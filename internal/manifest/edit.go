package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// Edit sets and removes annotations, or other scalars, under a map of a
// document.
type Edit struct {
	Node   int32    // the map from which Path starts, a pod template say: its index in the document's tree
	Path   []string // keys down to the map that holds the annotations: metadata, annotations
	Set    []Entry
	Remove []string // with the maps on the path that then hold nothing, but never the last entry of Node
}

// Entry is an annotation and its value.
type Entry struct{ Key, Value string }

func (e *Edit) equal(other *Edit) bool {
	return slices.Equal(e.Set, other.Set) && slices.Equal(e.Remove, other.Remove)
}

// EditError tells why an edit cannot be made without touching anything else.
type EditError struct {
	Edit    Edit
	Offset  int // in the document's text
	Problem string
}

func (e *EditError) Error() string { return e.Problem }

// Editor makes edits into splices. It keeps its memory between documents, and
// must not be used by two goroutines at once. The zero Editor is ready.
type Editor struct {
	before, after tree.Parser
	text          []byte
	part          []Splice
}

// Splices returns what makes the edits of a document, in the order of its
// text. Everything else keeps its bytes: a new entry is put behind its parent's
// key, never at the end of a block, and is always quoted. The changed document
// is read again, or so much of it as can change, and compared with what it
// should be; what cannot be done safely is an *EditError.
func (e *Editor) Splices(d *Document, edits []Edit) ([]Splice, error) {
	t, err := e.before.Parse(d.Text)
	if err != nil {
		return nil, err
	}
	return e.SplicesIn(d, t, edits)
}

// SplicesIn is Splices for a document that is parsed already.
func (e *Editor) SplicesIn(d *Document, t *tree.Tree, edits []Edit) ([]Splice, error) {
	s := splicer{doc: d, tree: t, text: d.Text}
	if err := s.all(edits); err != nil {
		return nil, err
	}
	if err := e.order(&s); err != nil {
		return nil, err
	}
	if len(edits) == 1 && e.checkPart(&s, edits[0]) {
		return s.splices, nil
	}
	if err := e.check(&s, edits); err != nil {
		return nil, &EditError{edits[0], t.At(edits[0].Node).Offset(), "the changed document would not read as it should: " + reason(err)}
	}
	return s.splices, nil
}

// reason is why a changed document is not what it should be; a line of a text
// that nobody sees would mislead.
func reason(err error) string {
	var syntax *tree.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Problem
	}
	return err.Error()
}

// order sorts splices, of which no two may overlap.
func (e *Editor) order(s *splicer) error {
	slices.SortStableFunc(s.splices, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	at := 0
	for _, sp := range s.splices {
		if sp.Start < at {
			return errors.New("two edits meet in one place")
		}
		at = sp.End
	}
	return nil
}

// checkPart reads again only the block map that holds all of a change, a pod
// template's metadata say, and compares that. In a document that is plain from
// end to end, without anchors, the lines of such a map mean the same by
// themselves, and nothing but those lines changes. It reports whether that
// settles it: if not, the whole document must be read.
func (e *Editor) checkPart(s *splicer, edit Edit) bool {
	part := s.tree.At(edit.Node).Field(edit.Path[0])
	if !s.tree.Plain() || part.Kind() != tree.Map || part.Flow() || len(edit.Remove) > 0 {
		return false
	}
	start, end := s.behindParent(LineStart(s.text, part.Offset())), LineEnd(s.text, part.End())
	e.part = e.part[:0]
	for _, sp := range s.splices {
		if sp.Start < start || sp.End > end {
			return false
		}
		e.part = append(e.part, Splice{sp.Start - start, sp.End - start, sp.Text})
	}
	e.text = Join(e.text[:0], s.text[start:end], e.part)
	changed, err := e.after.Parse(e.text)
	return err == nil && changed.Plain() && expectation(nil).checkEdited(part, changed.Root(), edit, edit.Path[1:]) == nil
}

// check reads a changed document and compares it with the old one.
func (e *Editor) check(s *splicer, edits []Edit) error {
	e.text = Join(e.text[:0], s.text, s.splices)
	changed, err := e.after.Parse(e.text)
	if err != nil {
		return err
	}
	return newExpectation(edits).check(s.tree.Root(), changed.Root())
}

// Splice replaces the bytes of a document from Start to End.
type Splice struct {
	Start, End int
	Text       string
}

// Join appends a text to buf with splices made in it, which are in order.
func Join(buf, text []byte, splices []Splice) []byte {
	at := 0
	for _, sp := range splices {
		buf = append(buf, text[at:sp.Start]...)
		buf = append(buf, sp.Text...)
		at = sp.End
	}
	return append(buf, text[at:]...)
}

// splicer collects the splices of one document.
type splicer struct {
	doc     *Document
	tree    *tree.Tree
	text    []byte
	splices []Splice
}

func (s *splicer) all(edits []Edit) error {
	sites := make(map[int]Edit) // by the offset of the map's text: an alias is where its anchor is
	for _, shared := range []bool{false, true} {
		for _, e := range edits {
			base := s.tree.At(e.Node)
			if base.Shared() || base.Alias() {
				if !shared {
					continue
				}
				if done, ok := sites[site(base)]; ok {
					if !done.equal(&e) {
						return s.fail(e, base, "the pod template is an alias, and the workload that holds its anchor needs another stamp: write the template out")
					}
					continue // the anchor's splice is this one's too
				}
			} else if shared {
				continue
			}
			sites[site(base)] = e
			if err := s.edit(e, base); err != nil {
				return err
			}
		}
	}
	return nil
}

// site identifies the text of a map however it is reached.
func site(n tree.Node) int {
	for k := range n.Fields() {
		return k.Offset()
	}
	return n.Offset()
}

func (s *splicer) fail(e Edit, at tree.Node, format string, args ...any) error {
	return &EditError{e, at.Offset(), fmt.Sprintf(format, args...)}
}

// edit walks down the path and makes the splice where the text ends to hold
// what is wanted.
func (s *splicer) edit(e Edit, base tree.Node) error {
	if base.Kind() != tree.Map {
		return s.fail(e, base, "%s stands where a map should", base.Kind())
	}
	if base.Shared() {
		return s.fail(e, base, "the text stands behind an alias or a merge key: write it out")
	}
	if len(e.Set) == 0 {
		return s.remove(e, base)
	}
	if base.Alias() {
		s.replace(base, flowCopy(base, e.Path, &e))
		return nil
	}
	m := base
	for i, name := range e.Path {
		rest := e.Path[i+1:]
		k, v := m.Entry(name)
		if first, again := m.Duplicate(name); again.Exists() {
			return s.twice(e, name, first, again)
		}
		switch {
		case !v.Exists():
			s.insert(m, append([]string{name}, rest...), e.Set)
			return nil
		case v.Merged():
			s.insertText(m, quoteKey(name, true)+": "+flowCopy(v, rest, &e))
			return nil
		case v.Alias():
			return s.replaceScalar(e, v, flowCopy(v, rest, &e))
		case v.Kind() == tree.Seq:
			return s.fail(e, v, "%s is %s", name, v.Kind())
		case v.Empty():
			return s.openMap(e, m, k, v, rest)
		case v.Kind() != tree.Map:
			return s.fail(e, v, "%s is %s", name, v.Kind())
		}
		m = v
	}
	return s.editEntries(e, m)
}

func (s *splicer) twice(e Edit, name string, first, again tree.Node) error {
	return s.fail(e, again, "%s stands here and in line %d", name, s.doc.Line(first.Offset()))
}

// editEntries sets and removes entries of a map that has some.
func (s *splicer) editEntries(e Edit, m tree.Node) error {
	gone := presentOf(m, e.Remove)
	var missing []Entry
	for _, entry := range e.Set {
		_, v := m.Entry(entry.Key)
		first, again := m.Duplicate(entry.Key)
		switch {
		case again.Exists():
			return s.twice(e, entry.Key, first, again)
		case !v.Exists():
			missing = append(missing, entry)
		case v.Merged():
			s.insertText(m, quoteKey(entry.Key, true)+": "+quote(entry.Value))
		case v.Kind() == tree.Seq || v.Kind() == tree.Map && !v.Alias():
			return s.fail(e, v, "%s is %s", entry.Key, v.Kind())
		case v.Text() == entry.Value && v.Type() == tree.String && !v.Alias():
		default:
			if err := s.replaceScalar(e, v, quote(entry.Value)); err != nil {
				return err
			}
		}
	}
	if m.Flow() {
		return s.editFlow(e, m, missing, gone)
	}
	if len(missing) > 0 {
		s.insert(m, nil, missing)
	}
	for _, name := range gone {
		if err := s.removeEntry(e, m, name); err != nil {
			return err
		}
	}
	return nil
}

// editFlow adds and removes entries in brackets. A new one takes the place of
// one that goes, with its comma.
func (s *splicer) editFlow(e Edit, m tree.Node, missing []Entry, gone []string) error {
	for len(missing) > 0 && len(gone) > 0 {
		k, v := m.Entry(gone[0])
		switch {
		case v.Merged():
			return s.behindAlias(e, v)
		case v.End() < 0:
			return s.fail(e, v, noEnd)
		}
		s.add(k.Offset(), v.End(), quoteKey(missing[0].Key, true)+": "+quote(missing[0].Value))
		missing, gone = missing[1:], gone[1:]
	}
	if len(missing) > 0 {
		s.insert(m, nil, missing)
	}
	return s.removeRuns(e, m, gone)
}

// presentOf returns the keys of a list that a map has.
func presentOf(m tree.Node, keys []string) (present []string) {
	for _, name := range keys {
		if m.Field(name).Exists() {
			present = append(present, name)
		}
	}
	return present
}

func (s *splicer) replace(n tree.Node, text string) {
	s.add(n.Offset(), n.End(), text)
}

func (s *splicer) add(at, end int, text string) {
	s.splices = append(s.splices, Splice{at, end, text})
}

// replaceScalar replaces a scalar or an alias by text on one line.
func (s *splicer) replaceScalar(e Edit, v tree.Node, text string) error {
	if v.End() < 0 {
		return s.fail(e, v, "the end of the value that is there cannot be told: write it on one line, without a tag or an anchor")
	}
	if v.Offset() == v.End() && v.Offset() > 0 && !isSpace(s.text[v.Offset()-1]) {
		text = " " + text
	}
	s.replace(v, text)
	return nil
}

// insert adds entries below a path to a map that has others.
func (s *splicer) insert(m tree.Node, path []string, entries []Entry) {
	if m.Flow() {
		s.insertText(m, flowBody(path, entries))
		return
	}
	at := m.Offset()
	start := LineStart(s.text, at)
	indent := indentation(s.text, at)
	parent := s.behindParent(start)
	eol := s.eol(max(parent-1, 0))
	lines := blockPath(path, entries, indent, eol)
	if len(bytes.Trim(s.text[start:at], " ")) > 0 || parent == 0 {
		// The first key stands behind a dash, or no key is above it.
		s.add(at, at, lines+eol+indent)
		return
	}
	s.add(parent, parent, indent+lines+eol)
}

// insertText adds an entry, or several, written out on one line, to a map that has others.
func (s *splicer) insertText(m tree.Node, entry string) {
	at := m.Offset()
	if !m.Flow() {
		s.add(at, at, entry+s.eol(at)+indentation(s.text, at))
		return
	}
	first := skipSpace(s.text, at+1, len(s.text))
	gap := string(s.text[at+1 : first])
	switch {
	case s.text[first] == '}':
		s.add(at+1, at+1, entry)
	case bytes.IndexByte(s.text[at+1:first], '\n') >= 0:
		s.add(first, first, entry+","+gap)
	default:
		s.add(first, first, entry+", ")
	}
}

// behindParent goes up from a line over comments and blank lines, to behind
// the line with the key that holds the block.
func (s *splicer) behindParent(start int) int {
	for start > 0 {
		above := LineStart(s.text, start-1)
		line := bytes.TrimSpace(s.text[above:start])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		start = above
	}
	return start
}

// openMap gives entries to a map that is null or empty.
func (s *splicer) openMap(e Edit, parent, k, v tree.Node, rest []string) error {
	at, end := v.Offset(), v.End()
	if end < 0 {
		return s.fail(e, v, "the end of the empty map cannot be told: write {}")
	}
	sameLine := bytes.IndexByte(s.text[k.Offset():at], '\n') < 0
	inner := v.Flow() && bytes.IndexByte(s.text[at:end], '\n') >= 0
	switch {
	case inner: // brackets over several lines
		s.add(at+1, at+1, flowBody(rest, e.Set))
	case parent.Flow():
		return s.replaceScalar(e, v, flowPath(rest, e.Set))
	case !sameLine && v.Property():
		return s.fail(e, v, "a tag or an anchor stands before the empty map: take it out")
	case !sameLine: // the brackets have a line of their own
		s.replace(v, blockPath(rest, e.Set, indentation(s.text, at), s.eol(at)))
	default:
		indent := indentation(s.text, k.Offset()) + "  "
		before := len(bytes.TrimRight(s.text[:at], " \t"))
		if at < end {
			s.add(before, end, "")
		}
		line := LineEnd(s.text, end)
		text := indent + blockPath(rest, e.Set, indent, s.eol(at))
		if s.text[line-1] == '\n' {
			s.add(line, line, text+s.eol(at))
		} else { // the last line of all has no line end, and gets none
			s.add(line, line, s.eol(at)+text)
		}
	}
	return nil
}

// eol returns the line end of the line at an offset, or of the document's
// first line where that line has none.
func (s *splicer) eol(at int) string {
	end := LineEnd(s.text, at)
	if end == 0 || s.text[end-1] != '\n' {
		end = LineEnd(s.text, 0)
	}
	if end >= 2 && s.text[end-2] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentation returns as many spaces as the offset's column has characters.
func indentation(text []byte, at int) string {
	line := bytes.TrimPrefix(text[LineStart(text, at):at], bom)
	return string(bytes.Repeat([]byte(" "), len([]rune(string(line)))))
}
