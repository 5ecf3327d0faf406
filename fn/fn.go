// Package fn speaks the protocol of KRM functions (the functions specification
// of kustomize's cmd/config, config.kubernetes.io/v1): kustomize, kpt and others
// hand a ResourceList to a function and take one back.
//
// The list is stamped like any other document, by package render: its items
// keep every byte but those of the stamps. This package reads the function's
// configuration out of the list before that, and puts the findings into it as
// results afterwards.
package fn

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/config"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/render"
)

// Function is one call of restamp as a function.
type Function struct {
	Config *config.Config // from functionConfig; the zero configuration where there is none

	doc   manifest.Document
	root  tree.Node
	items []item // in the order of the text
	files bool   // the items know their files, as under kpt
	whole bool   // the items are all of a package
	build bool   // the host is kustomize build
}

// item is what results tell of an object of the list.
type item struct {
	offset           int
	apiVersion, kind string
	namespace, name  string
	path             string
	index            int
}

// The annotations that tell of an item's file; the second of each two is the
// older form.
var (
	pathAnnotations  = []string{"internal.config.kubernetes.io/path", "config.kubernetes.io/path"}
	indexAnnotations = []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
)

// buildAnnotation is what kustomize build marks every item with, and no other
// host does. It makes paths up as well, once a function has run.
const buildAnnotation = "kustomize.config.k8s.io/id"

// Open reads a document that may be a ResourceList. The function is nil where
// it is none, or none that can be read: then whoever stamps it tells. The error
// says what is wrong with the list or its configuration, with file and line.
func Open(doc manifest.Document) (*Function, error) {
	if !bytes.Contains(doc.Text, []byte("ResourceList")) {
		return nil, nil
	}
	t, err := new(tree.Parser).Parse(doc.Text)
	if err != nil {
		return nil, nil
	}
	root := t.Root()
	if root.Field("kind").Text() != "ResourceList" || !strings.HasPrefix(root.Field("apiVersion").Text(), "config.kubernetes.io/") {
		return nil, nil
	}
	f := &Function{Config: new(config.Config), doc: doc, root: root}
	for _, key := range []string{"items", "functionConfig", "results"} {
		if first, again := root.Duplicate(key); again.Exists() {
			return nil, f.fault(again.Offset(), fmt.Errorf("%s stands here and in line %d", key, doc.Line(first.Offset())))
		}
	}
	if n := root.Field("items"); n.Exists() && n.Kind() != tree.Seq && !(n.Empty() && n.Kind() == tree.Scalar) {
		return nil, f.fault(n.Offset(), fmt.Errorf("items is %s, not a list", n.Kind()))
	}
	f.readItems()
	if f.generates() {
		return nil, f.fault(f.items[0].offset, errors.New("restamp is a generator here, which kustomize gives nothing but its own configuration: list it under transformers"))
	}
	return f, f.readConfig()
}

// generates reports whether kustomize asks for more objects: then the function's
// configuration is all that it is given.
func (f *Function) generates() bool {
	n := f.root.Field("functionConfig")
	return len(f.items) == 1 && !f.build && !f.whole && f.items[0].kind == config.Kind && f.items[0].apiVersion == config.APIVersion &&
		n.Field("kind").Text() == config.Kind && n.Path("metadata", "name").Text() == f.items[0].name
}

func (f *Function) fault(offset int, err error) error {
	return fmt.Errorf("reading %s:%d: ResourceList: %w", f.doc.File(), f.doc.Line(offset), err)
}

func (f *Function) readConfig() error {
	n := f.root.Field("functionConfig")
	if n.Empty() && n.Kind() != tree.Seq {
		return nil
	}
	c, err := config.Read(n)
	if err != nil {
		at := n.Offset()
		if e, ok := err.(*config.Error); ok {
			at = e.Offset
		}
		return f.fault(at, fmt.Errorf("functionConfig: %w", err))
	}
	f.Config = c
	return nil
}

// readItems notes what results tell, and what sort of host this is: one that
// works on files marks every item with its file, and hands a package's Kptfile
// over, unless it was told to select.
func (f *Function) readItems() {
	for o := range manifest.Objects(f.root) {
		annotations := o.Path("metadata", "annotations")
		it := item{offset: o.Offset(), apiVersion: o.APIVersion, kind: o.Kind, path: either(annotations, pathAnnotations)}
		it.namespace, it.name = o.Path("metadata", "namespace").Text(), o.Path("metadata", "name").Text()
		if index, err := strconv.Atoi(either(annotations, indexAnnotations)); err == nil {
			it.index = index
		}
		f.build = f.build || annotations.Field(buildAnnotation).Exists()
		f.files = f.files || it.path != ""
		f.whole = f.whole || it.kind == "Kptfile"
		f.items = append(f.items, it)
	}
	slices.SortStableFunc(f.items, func(a, b item) int { return cmp.Compare(a.offset, b.offset) }) // aliases stand elsewhere
}

func either(annotations tree.Node, names []string) string {
	for _, name := range names {
		if v := annotations.Field(name); v.Exists() {
			return v.Text()
		}
	}
	return ""
}

// Apply puts what the list says into the options of the run that stamps it.
func (f *Function) Apply(opts *render.Options) {
	f.Config.Apply(&opts.Graph)
	opts.Graph.Partial = f.files && !f.whole && !f.build
	opts.AllowEmpty = true // an empty list in, the same out: nothing is lost
}

// holdsText reports whether a document is more than markers and comments.
func holdsText(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && string(line) != "---" && string(line) != "..." {
			return true
		}
	}
	return false
}

// Alone returns an error where the input holds more than the list.
func (f *Function) Alone(run *render.Run) error {
	for _, in := range run.Inputs {
		for _, c := range in.Chunks {
			for doc := range c.Documents() {
				if holdsText(doc.Text) && (c != f.doc.Chunk || doc.Start != f.doc.Start) {
					return f.fault(0, fmt.Errorf("another document follows in line %d: a function's input is one ResourceList", doc.Line(0)))
				}
			}
		}
	}
	return nil
}
