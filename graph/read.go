package graph

import (
	"hash"
	"slices"
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
	pod     podReader
	vault   vaultUse // of the object that is being read
	editor  manifest.Editor
	text    []byte // buffers
	decoded []byte
}

// NewReader returns a Reader.
func NewReader(opts Options) *Reader { return &Reader{opts: opts} }

// Read adds what a document holds to objects. Documents that surely hold
// neither source nor workload are not parsed. The error is a *tree.SyntaxError.
func (r *Reader) Read(doc manifest.Document, objects *Objects) error {
	if h, sure := doc.Skim(r.known); sure && !r.opts.tables().Marked(h.Kind, doc.Text) {
		if len(h.Kind) > 0 {
			objects.Count++
		}
		return nil
	}
	t, err := r.parser.Parse(doc.Text)
	if err != nil {
		return err
	}
	r.doc = &doc
	counted, before := false, len(objects.Workloads)
	for o := range manifest.Objects(t.Root()) {
		if !counted && o.Kind != "" {
			objects.Count++
			counted = true
		}
		r.readObject(o, objects)
	}
	r.prepare(t, objects.Workloads[before:])
	return nil
}

// prepare makes the splice for a stamp while the document is parsed anyway:
// that spares parsing it again when the stamp is known. It is done for the
// documents of which most will need one, those with a single pod template that
// has references and no stamp.
func (r *Reader) prepare(t *tree.Tree, workloads []*Workload) {
	if len(workloads) != 1 || len(workloads[0].Templates) != 1 {
		return
	}
	template := workloads[0].Templates[0]
	if template.stamped || len(template.references) == 0 || template.class != kinds.Rolls || r.opts.Naming != nil {
		return
	}
	edit := manifest.Edit{Node: template.node, Path: template.slot, Set: []manifest.Entry{{Key: template.name, Value: anyStamp}}}
	// An error is told when the stamp turns out to be wanted, by trying again.
	template.prepared, _ = r.editor.SplicesIn(r.doc, t, []manifest.Edit{edit})
}

// anyStamp stands for a stamp in a splice that is prepared.
const anyStamp = "h1:0000000000000000000000000000000000000000000000000000000000000000"

// known reports whether objects of a kind may be sources or workloads, or hold
// such.
func (r *Reader) known(kind []byte) bool {
	return r.opts.tables().Known(kind) || manifest.IsList(kind)
}

// ReadOthers adds the objects that a workload depends on by annotation and
// whose kinds are neither sources nor producers.
func (r *Reader) ReadOthers(doc manifest.Document, wanted map[string]bool, objects *Objects) error {
	if _, sure := doc.Skim(func(kind []byte) bool { return wanted[string(kind)] || manifest.IsList(kind) }); sure {
		return nil
	}
	t, err := r.parser.Parse(doc.Text)
	if err != nil {
		return err
	}
	r.doc = &doc
	for o := range manifest.Objects(t.Root()) {
		group := kinds.Group(o.APIVersion)
		if !wanted[o.Kind] || group == "" && core(o.Kind) {
			continue // or it was read before
		}
		h := r.readHeader(o)
		if s := r.readMaker(o, h); h.local || s != nil && !s.silent {
			continue
		}
		s := &Source{ID: h.id, Place: r.at(o.Node), text: r.span(o.Node), problems: h.problems, renames: h.renames, position: h.position}
		r.readOther(s, o.Node)
		if r.opts.tables().WorkloadOf(group, o.Kind) == nil { // a workload's annotations are about itself
			r.readSourceSettings(s, h)
		}
		objects.Sources = append(objects.Sources, s)
	}
	return nil
}

func (r *Reader) readObject(o manifest.Object, objects *Objects) {
	group := kinds.Group(o.APIVersion)
	rows := r.opts.tables().WorkloadOf(group, o.Kind)
	isCore := group == "" && core(o.Kind)
	if rows == nil && !isCore && r.opts.tables().ProducersOf(group, o.Kind) == nil {
		return
	}
	h := r.readHeader(o)
	if h.local {
		return
	}
	if rows != nil {
		objects.Workloads = append(objects.Workloads, r.readWorkload(rows, o.Node, h))
	}
	switch {
	case h.id.Name == "" && o.Path("metadata", "generateName").Text() != "":
		// nobody can refer to it
	case isCore && rows == nil:
		s := &Source{ID: h.id, Place: r.at(o.Node), text: r.span(o.Node), problems: h.problems, renames: h.renames, position: h.position}
		r.readSource(s, o.Node)
		s.suffixed = namedByContent(s.ID, o.Node)
		r.readSourceSettings(s, h)
		objects.Sources = append(objects.Sources, s)
	default:
		if s := r.readMaker(o, h); s != nil {
			objects.Sources = append(objects.Sources, s)
		}
	}
}

// readMaker reads a producer, nil for what is none or makes nothing. What
// stands in a workload's metadata is about the workload.
func (r *Reader) readMaker(o manifest.Object, h header) *Source {
	group := kinds.Group(o.APIVersion)
	makers := r.opts.tables().ProducersOf(group, o.Kind)
	if len(makers) == 0 || group == "" && core(o.Kind) {
		return nil
	}
	s := &Source{ID: h.id, Place: r.at(o.Node), text: r.span(o.Node), renames: h.renames, position: h.position}
	if makers[0].Everywhere {
		s.ID.Namespace = ""
	}
	if !r.readProducer(s, makers, o.Node) {
		return nil
	}
	if r.opts.tables().WorkloadOf(group, o.Kind) == nil && !s.silent {
		s.problems = h.problems
		r.readSourceSettings(s, h)
	}
	return s
}

// header is what every object has.
type header struct {
	id                  ID
	name                Place
	labels, annotations tree.Node
	local               bool // for tools alone: it reaches no cluster
	renames             *renames
	position            *position
	problems            []problem
}

var (
	rootKeys     = []string{"metadata", "apiVersion", "kind"}
	metadataKeys = []string{"name", "namespace", "labels", "annotations"}
)

// readHeader reads an object's identity and metadata, with what is wrong
// there: a key that stands twice, a name that is no string.
func (r *Reader) readHeader(o manifest.Object) (h header) {
	var root [3]tree.Node
	var metadata [4]tree.Node
	o.Pick(rootKeys, root[:], func(first, again tree.Node) {
		h.problems = append(h.problems, twice(again.Text(), r.at(again), r.at(first)))
	})
	root[0].Pick(metadataKeys, metadata[:], func(first, again tree.Node) {
		h.problems = append(h.problems, twice("metadata."+again.Text(), r.at(again), r.at(first)))
	})
	for i, v := range metadata[:2] {
		if v.Exists() && v.Type() != tree.String && v.Type() != tree.Null {
			h.problems = append(h.problems, problem{
				field: "metadata." + metadataKeys[i], place: r.at(v),
				message: "the " + metadataKeys[i] + " is " + typeName(v) + " where a string must be: quote it",
			})
		}
	}
	h.labels, h.annotations = metadata[2], metadata[3]
	if h.name = r.at(o.Node); metadata[0].Exists() {
		h.name = r.at(metadata[0])
	}
	h.id = ID{kinds.Group(o.APIVersion), o.Kind, metadata[1].Text(), metadata[0].Text()}
	if h.id.Namespace == "" {
		h.id.Namespace = r.opts.Namespace
	}
	h.local = h.annotations.Field("config.kubernetes.io/local-config").Text() == "true"
	h.renames = readRenames(h.annotations)
	h.position = readPosition(h.annotations)
	r.vault = vaultOf(h.annotations)
	return h
}

func (r *Reader) at(n tree.Node) Place { return Place{r.doc, n.Offset()} }

// span is an object's text, nil where it cannot be told.
func (r *Reader) span(n tree.Node) []byte {
	if end := n.End(); end >= 0 && !n.Shared() {
		return r.doc.Text[n.Offset():end]
	}
	return nil
}

// readSourceSettings checks a source's name and reads what its annotations say.
func (r *Reader) readSourceSettings(s *Source, h header) {
	if !s.producer && core(s.ID.Kind) && !validName(s.ID.Name) && !strings.Contains(s.ID.Name, "${") {
		s.problems = append(s.problems, problem{field: "metadata.name", place: h.name, message: "the name is none that the API server takes"})
	}
	switch {
	case s.ID.Kind == kinds.ConfigMap && kinds.ClusterConfigMaps[s.ID.Name]:
		s.standIn, s.open = "the cluster makes this ConfigMap in every namespace", true
	case injected(h.labels) || injected(h.annotations):
		s.standIn, s.open = "a controller injects the content of this "+s.ID.Kind, true
	}
	for k, v := range h.annotations.Fields() {
		var err error
		switch {
		case k.Is(ignoreAnnotation):
			s.ignored, err = parseBool(v.Text())
			s.ignoreSaid = true
		case k.Is(ignoreKeysAnnotation):
			s.ignoreKeys, err = parseKeys(v.Text())
		case !s.producer && copied(k):
			s.copyOf(v.Text())
		default:
			s.words = readWord(s.words, k, v, "metadata.annotations", r.at)
		}
		if err != nil {
			s.problems = append(s.problems, problem{field: "metadata.annotations." + k.Text(), place: r.at(v), message: err.Error(), strict: true})
		}
	}
}

func copied(annotation tree.Node) bool {
	return slices.ContainsFunc(kinds.Copied, annotation.Is)
}

// copyOf notes that a controller copies the content of another object, which
// is told as namespace/name, into the source.
func (s *Source) copyOf(name string) {
	id := ID{Kind: s.ID.Kind, Namespace: s.ID.Namespace, Name: name}
	if namespace, rest, found := strings.Cut(name, "/"); found {
		id.Namespace, id.Name = namespace, rest
	}
	s.copies, s.open = &id, true
	s.standIn = "a controller copies the content of this " + s.ID.Kind + " from " + id.String()
}

func injected(metadata tree.Node) bool {
	for k := range metadata.Fields() {
		if name := k.Text(); strings.Contains(name, "/inject-") && kinds.Injected[name] {
			return true
		}
	}
	return false
}
