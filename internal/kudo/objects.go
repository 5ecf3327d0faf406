package kudo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// id is an object's identity.
type id struct{ group, kind, namespace, name string }

// object is one that a template made.
type object struct {
	id        id
	rendition *Rendition // that it is of
	text      []byte
}

// state is what is there after the tasks so far.
type state struct {
	objects []*object
	cluster map[[2]string]bool // kinds, by group and name, that CRDs say are in no namespace
}

func newState() *state { return &state{cluster: make(map[[2]string]bool)} }

// apply puts an object in the place of the one with its identity, or behind all
// others.
func (s *state) apply(o *object) {
	if at := s.find(o.id); at >= 0 {
		s.objects[at] = o
		return
	}
	s.objects = append(s.objects, o)
}

func (s *state) remove(id id) {
	if at := s.find(id); at >= 0 {
		s.objects = slices.Delete(s.objects, at, at+1)
	}
}

func (s *state) find(id id) int {
	return slices.IndexFunc(s.objects, func(o *object) bool { return o.id == id })
}

// renditions are the objects, with those together that one template made.
func (s *state) renditions() (all []Rendition) {
	var last *Rendition
	for _, o := range s.objects {
		if o.rendition != last {
			all = append(all, Rendition{Name: o.rendition.Name})
			last = o.rendition
		}
		r := &all[len(all)-1]
		r.Text = appendDocument(r.Text, o.text)
	}
	return all
}

// appendDocument appends a document to others.
func appendDocument(text, doc []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	if len(text) > 0 && !strings.HasPrefix(string(doc), "---") {
		text = append(text, "---\n"...)
	}
	return append(text, doc...)
}

// documents splits a text.
func documents(text []byte) (docs []manifest.Document) {
	in := &manifest.Input{}
	c := &manifest.Chunk{Text: text, Input: in}
	in.Chunks = []*manifest.Chunk{c}
	for doc := range c.Documents() {
		docs = append(docs, doc)
	}
	return docs
}

// objects hands on what a template made, as KUDO would apply it.
func (i *instance) objects(file, text string, use func(*object)) error {
	rendition := &Rendition{Name: file}
	var errs []error
	var parser tree.Parser
	for _, doc := range documents([]byte(text)) {
		fail := func(offset int, problem string) {
			errs = append(errs, fmt.Errorf("%s: line %d of what it makes: %s", file, doc.Line(offset), problem))
		}
		t, err := parser.Parse(doc.Text)
		var syntax *tree.SyntaxError
		switch {
		case errors.As(err, &syntax):
			errs = append(errs, fmt.Errorf("%s: line %d of what it makes: %s", file, doc.Line(0)+syntax.Line-1, syntax.Problem))
			continue
		case err != nil:
			fail(0, err.Error())
			continue
		case t.Root().Empty():
			continue
		}
		o, problem := i.object(t.Root())
		if problem != "" {
			fail(t.Root().Offset(), problem)
			continue
		}
		if o.text, err = i.enhance(doc.Text, o.id); err != nil {
			fail(t.Root().Offset(), err.Error())
			continue
		}
		o.rendition = rendition
		use(o)
	}
	return errors.Join(errs...)
}

// object reads an object's identity, and notes what a CRD says of its kind.
func (i *instance) object(root tree.Node) (o *object, problem string) {
	version, kind := root.Field("apiVersion").Text(), root.Field("kind").Text()
	group, _, found := strings.Cut(version, "/")
	if !found {
		group = ""
	}
	o = &object{id: id{group: group, kind: kind, namespace: i.opts.Namespace, name: root.Path("metadata", "name").Text()}}
	switch {
	case version == "" || kind == "":
		return nil, "a document without apiVersion or kind"
	case manifest.IsList(kind) && root.Field("items").Kind() == tree.Seq:
		return nil, "a " + kind + ", which KUDO cannot apply: write its items as documents"
	case o.id.name == "":
		return nil, "a " + kind + " without a name"
	case kind == "CustomResourceDefinition" && root.Path("spec", "scope").Text() == "Cluster":
		i.state.cluster[[2]string{root.Path("spec", "group").Text(), root.Path("spec", "names", "kind").Text()}] = true
	}
	if i.state.cluster[[2]string{group, kind}] || slices.Contains(clusterKinds[group], kind) {
		o.id.namespace = ""
	}
	return o, ""
}

// enhance gives an object its namespace and KUDO's labels.
func (i *instance) enhance(text []byte, id id) ([]byte, error) {
	var err error
	set := func(at func(root tree.Node) []tree.Node, path []string, entries ...manifest.Entry) {
		if err == nil {
			text, err = edited(text, at, path, entries)
		}
	}
	if id.namespace != "" {
		set(self, []string{"metadata"}, manifest.Entry{Key: "namespace", Value: id.namespace})
	}
	labels := []manifest.Entry{
		{Key: "heritage", Value: "kudo"},
		{Key: "kudo.dev/instance", Value: i.name},
		{Key: "kudo.dev/operator", Value: i.pkg.operator.Name},
	}
	set(self, []string{"metadata", "labels"}, labels...)
	for _, p := range labelled {
		if p.kind == id.kind && p.group == id.group {
			set(p.at, []string{"metadata", "labels"}, labels...)
		}
	}
	return text, err
}

func self(root tree.Node) []tree.Node { return []tree.Node{root} }

// edited sets entries at a path below some maps of a document.
func edited(text []byte, at func(root tree.Node) []tree.Node, path []string, entries []manifest.Entry) ([]byte, error) {
	docs := documents(text)
	var parser tree.Parser
	t, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	var edits []manifest.Edit
	for _, n := range at(t.Root()) {
		if n.Kind() == tree.Map {
			edits = append(edits, manifest.Edit{Node: n.Index(), Path: path, Set: entries})
		}
	}
	if len(edits) == 0 || len(docs) == 0 {
		return text, nil
	}
	splices, err := new(manifest.Editor).SplicesIn(&docs[0], t, edits)
	if err != nil {
		return nil, err
	}
	return manifest.Join(nil, text, splices), nil
}
