package graph

import (
	"hash"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Objects are what one document, or one chunk of a stream, holds that matters
// here. The zero value holds nothing.
type Objects struct {
	Sources   []*Source
	Workloads []*Workload
	Count     int // documents that hold an object of whatever kind
}

// Reader reads documents. It keeps its memory between them, and must not be
// used by two goroutines at once. Options must be set before the first use.
type Reader struct {
	opts    Options
	parser  tree.Parser
	doc     *manifest.Document // the one that is being read
	mac     hash.Hash
	text    []byte // buffers
	decoded []byte
}

// NewReader returns a Reader.
func NewReader(opts Options) *Reader { return &Reader{opts: opts} }

// Read adds what a document holds to objects. Documents that surely hold
// neither source nor workload are not parsed. The error is a *tree.SyntaxError.
func (r *Reader) Read(doc manifest.Document, objects *Objects) error {
	h, sure := doc.Skim()
	if sure && len(h.Kind) > 0 {
		objects.Count++
	}
	if sure && !kinds.Known(h.Kind) && !manifest.IsList(string(h.Kind)) {
		return nil
	}
	t, err := r.parser.Parse(doc.Text)
	if err != nil {
		return err
	}
	r.doc = &doc
	counted := sure
	for o := range manifest.Objects(t.Root()) {
		if !counted && o.Kind != "" {
			objects.Count++
			counted = true
		}
		r.readObject(o, objects)
	}
	return nil
}

// ReadOthers adds the objects that a workload depends on by annotation and
// whose kinds are neither sources nor producers.
func (r *Reader) ReadOthers(doc manifest.Document, wanted map[string]bool, objects *Objects) error {
	h, sure := doc.Skim()
	if sure && !wanted[string(h.Kind)] && !manifest.IsList(string(h.Kind)) {
		return nil
	}
	t, err := r.parser.Parse(doc.Text)
	if err != nil {
		return err
	}
	r.doc = &doc
	for o := range manifest.Objects(t.Root()) {
		group := kinds.Group(o.APIVersion)
		if wanted[o.Kind] && !isLocal(o) && kinds.ProducerOf(group, o.Kind) == nil {
			s := &Source{ID: r.identity(o), Place: r.at(o.Node), text: r.span(o.Node)}
			r.readOther(s, o.Node)
			r.readSourceSettings(s, o.Node)
			objects.Sources = append(objects.Sources, s)
		}
	}
	return nil
}

func (r *Reader) readObject(o manifest.Object, objects *Objects) {
	group := kinds.Group(o.APIVersion)
	producer := kinds.ProducerOf(group, o.Kind)
	row := kinds.WorkloadOf(group, o.Kind)
	isCore := group == "" && core(o.Kind)
	if producer == nil && row == nil && !isCore || isLocal(o) {
		return
	}
	if row != nil {
		objects.Workloads = append(objects.Workloads, r.readWorkload(row, o))
		return
	}
	s := &Source{ID: r.identity(o), Place: r.at(o.Node), Producer: producer, text: r.span(o.Node)}
	if s.ID.Name == "" && o.Path("metadata", "generateName").Text() != "" {
		return // nobody can refer to it
	}
	if producer != nil {
		r.readProducer(s, o.Node)
	} else {
		r.readSource(s, o.Node)
	}
	r.readSourceSettings(s, o.Node)
	objects.Sources = append(objects.Sources, s)
}

// isLocal reports whether an object is for tools alone and reaches no cluster.
func isLocal(o manifest.Object) bool {
	return o.Path("metadata", "annotations").Field("config.kubernetes.io/local-config").Text() == "true"
}

func (r *Reader) identity(o manifest.Object) ID {
	metadata := o.Field("metadata")
	namespace := metadata.Field("namespace").Text()
	if namespace == "" {
		namespace = r.opts.Namespace
	}
	return ID{kinds.Group(o.APIVersion), o.Kind, namespace, metadata.Field("name").Text()}
}

func (r *Reader) at(n tree.Node) Place { return Place{r.doc, n.Offset()} }

// span is an object's text, nil where it cannot be told.
func (r *Reader) span(n tree.Node) []byte {
	if end := n.End(); end >= 0 && !n.Shared() {
		return r.doc.Text[n.Offset():end]
	}
	return nil
}

// readSourceSettings reads a source's name and what its annotations say.
func (r *Reader) readSourceSettings(s *Source, n tree.Node) {
	metadata := n.Field("metadata")
	r.checkMetadata(n, func(p problem) { s.problems = append(s.problems, p) })
	if s.Producer == nil && core(s.ID.Kind) && !validName(s.ID.Name) && !strings.Contains(s.ID.Name, "${") {
		s.fault(r.at(n), "metadata.name", "the name is none that the API server takes")
	}
	for _, field := range []string{"labels", "annotations"} {
		for k := range metadata.Field(field).Fields() {
			if kinds.Injected[k.Text()] {
				s.standIn = "a controller injects the content of this " + s.ID.Kind
				s.open = true
			}
		}
	}
	if s.ID.Kind == kinds.ConfigMap && kinds.ClusterConfigMaps[s.ID.Name] {
		s.standIn, s.open = "the cluster makes this ConfigMap in every namespace", true
	}
	for k, v := range metadata.Field("annotations").Fields() {
		name := k.Text()
		if name != ignoreAnnotation && name != ignoreKeysAnnotation {
			continue
		}
		var err error
		if name == ignoreAnnotation {
			s.ignored, err = parseBool(v.Text())
		} else {
			s.ignoreKeys, err = parseKeys(v.Text())
		}
		if err != nil {
			s.fault(r.at(v), "metadata.annotations."+name, err.Error())
		}
	}
}

// checkMetadata tells of keys that stand twice where identities and
// annotations are read, and of names that are no strings.
func (r *Reader) checkMetadata(n tree.Node, tell func(problem)) {
	metadata := n.Field("metadata")
	r.checkTwice(n, "", tell, "apiVersion", "kind", "metadata")
	r.checkTwice(metadata, "metadata", tell, "name", "namespace", "annotations")
	for _, name := range []string{"name", "namespace"} {
		v := metadata.Field(name)
		if v.Exists() && v.Type() != tree.String && v.Type() != tree.Null {
			tell(problem{field: "metadata." + name, place: r.at(v), message: "the " + name + " is " + typeName(v) + " where a string must be: quote it"})
		}
	}
}

func (r *Reader) checkTwice(n tree.Node, path string, tell func(problem), keys ...string) {
	for _, key := range keys {
		if first, again := n.Duplicate(key); again.Exists() {
			tell(twice(join(path, key), r.at(again), r.at(first)))
		}
	}
}
