package manifest

import (
	"errors"
	"fmt"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// expectation knows what a document should be after its edits: what it was,
// but for the edited entries.
type expectation map[int32]Edit

func newExpectation(edits []Edit) expectation {
	x := make(expectation, len(edits))
	for _, e := range edits {
		x[e.Node] = e
	}
	return x
}

// check compares a document before and after its edits.
func (x expectation) check(was, is tree.Node) error {
	if e, ok := x[was.Index()]; ok && was.Exists() {
		return x.checkEdited(was, is, e, e.Path)
	}
	if was.Kind() != is.Kind() {
		return fmt.Errorf("%s became %s", was.Kind(), is.Kind())
	}
	switch was.Kind() {
	case tree.Scalar:
		if was.Type() != is.Type() || was.Text() != is.Text() {
			return errors.New("a scalar changed")
		}
	case tree.Map, tree.Seq:
		return x.checkChildren(was, is)
	}
	return nil
}

// checkChildren walks two collections in step.
func (x expectation) checkChildren(was, is tree.Node) error {
	a, b := was.Children(), is.Children()
	for {
		old, more := a()
		now, same := b()
		if more != same {
			return errors.New("a list or a map changed its length")
		}
		if !more {
			return nil
		}
		if err := x.check(old, now); err != nil {
			return err
		}
	}
}

// checkEdited compares two maps of which one entry was edited, at the end of
// the path. Either may be missing or empty where the edit opened or closed it.
func (x expectation) checkEdited(was, is tree.Node, e Edit, path []string) error {
	for _, n := range []tree.Node{was, is} {
		if !n.Empty() && n.Kind() != tree.Map {
			return errors.New("a map became something else")
		}
	}
	if err := x.checkOthers(was, is, path[0]); err != nil {
		return err
	}
	old, now := was.Field(path[0]), is.Field(path[0])
	switch {
	case len(path) > 1:
		return x.checkEdited(old, now, e, path[1:])
	case e.Remove && now.Exists():
		return errors.New("the stamp is still there")
	case !e.Remove && (now.Type() != tree.String || now.Text() != e.Value):
		return errors.New("the stamp is not there")
	}
	return nil
}

// checkOthers compares the entries of two maps but for one key.
func (x expectation) checkOthers(was, is tree.Node, except string) error {
	n := 0
	for k, v := range was.Fields() {
		if k.Kind() != tree.Scalar {
			return errors.New("a complex key stands on the way")
		}
		if k.Text() == except {
			continue
		}
		n++
		if err := x.check(v, is.Field(k.Text())); err != nil {
			return err
		}
	}
	for k := range is.Fields() {
		if k.Text() != except {
			n--
		}
	}
	if n != 0 {
		return errors.New("an entry was lost or added")
	}
	return nil
}
