package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// expectation knows what a document should be after its edits: what it was,
// but for the edited entries. Its edits are sorted by their nodes.
type expectation []Edit

func newExpectation(edits []Edit) expectation {
	return slices.SortedFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.Node, b.Node) })
}

// first returns the first edit at or behind a node's start.
func (x expectation) first(n tree.Node) (Edit, bool) {
	i, _ := slices.BinarySearchFunc(x, n.Index(), func(e Edit, index int32) int { return cmp.Compare(e.Node, index) })
	if i == len(x) {
		return Edit{}, false
	}
	return x[i], true
}

// check compares a document before and after its edits.
func (x expectation) check(was, is tree.Node) error {
	e, ok := x.first(was)
	switch {
	case !ok || !was.Contains(e.Node):
		if !tree.SameTree(was, is) {
			return errors.New("something changed that no edit should")
		}
		return nil
	case e.Node == was.Index() && was.Kind() == tree.Map && is.Kind() == tree.Map:
		return x.checkEdited(was, is, e, e.Path)
	case was.Kind() != is.Kind():
		return fmt.Errorf("%s became %s", was.Kind(), is.Kind())
	}
	old, now := was.First(), is.First()
	for old.Exists() && now.Exists() {
		if err := x.check(old, now); err != nil {
			return err
		}
		old, now = old.Next(was), now.Next(is)
	}
	if old.Exists() || now.Exists() {
		return errors.New("a list or a map changed its length")
	}
	return nil
}

// checkEdited compares two maps of which entries were edited, at the end of the
// path. Either may be missing or empty where the edit opened or closed it.
func (x expectation) checkEdited(was, is tree.Node, e Edit, path []string) error {
	for _, n := range []tree.Node{was, is} {
		if n.Kind() == tree.Seq || !n.Empty() && n.Kind() != tree.Map {
			return errors.New("a map became something else")
		}
	}
	if len(path) > 0 {
		if _, again := is.Duplicate(path[0]); again.Exists() {
			return fmt.Errorf("%s would stand there twice", path[0])
		}
		if err := x.checkOthers(was, is, func(k tree.Node) bool { return k.Is(path[0]) }); err != nil {
			return err
		}
		return x.checkEdited(was.Field(path[0]), is.Field(path[0]), e, path[1:])
	}
	for _, name := range e.Remove {
		if is.Field(name).Exists() {
			return errors.New("the stamp is still there")
		}
	}
	for _, entry := range e.Set {
		if _, again := is.Duplicate(entry.Key); again.Exists() {
			return errors.New("the stamp would stand there twice")
		}
		if now := is.Field(entry.Key); now.Type() != tree.String || now.Text() != entry.Value {
			return errors.New("the stamp is not there")
		}
	}
	return x.checkOthers(was, is, e.touches)
}

// checkOthers compares the entries of two maps but for some keys. They stand in
// the same order, but where a merged entry was written out.
func (x expectation) checkOthers(was, is tree.Node, except func(tree.Node) bool) error {
	old, now := others(was, except), others(is, except)
	if len(old) != len(now) {
		return errors.New("an entry was lost or added")
	}
	for i, k := range old {
		if k.Kind() != tree.Scalar {
			return errors.New("a complex key stands on the way")
		}
		v := now[i].Value()
		if now[i].Text() != k.Text() {
			v = is.Field(k.Text())
		}
		if err := x.check(k.Value(), v); err != nil {
			return err
		}
	}
	return nil
}

// others are a map's keys but some.
func others(n tree.Node, except func(tree.Node) bool) (keys []tree.Node) {
	for k := range n.Fields() {
		if !except(k) {
			keys = append(keys, k)
		}
	}
	return keys
}
