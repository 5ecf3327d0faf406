package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/render"
)

// templateKey identifies a pod template in a render. Where the way to it leads
// through a list of named items, it goes by their names: items change places.
type templateKey struct {
	id   graph.ID
	path string
}

// side is one of the two renders.
type side struct {
	run     *render.Run
	stamped bool // some pod template carries a stamp
	results []*graph.Result
	byKey   map[templateKey]*graph.Result
	count   map[graph.ID]int // templates of a workload
	parser  tree.Parser
	current *tree.Tree // of the document at
	at      *manifest.Document
	others  map[*manifest.Document]*tree.Tree
	details map[*graph.Workload][]graph.Detail
	names   map[*graph.Template]string // paths with the names of items
	numbers map[*graph.Template]int    // of objects without a name
}

func newSide(run *render.Run) *side {
	s := &side{
		run: run, byKey: make(map[templateKey]*graph.Result, len(run.Results)), count: make(map[graph.ID]int),
		others: make(map[*manifest.Document]*tree.Tree), details: make(map[*graph.Workload][]graph.Detail),
		names: make(map[*graph.Template]string), numbers: make(map[*graph.Template]int),
	}
	for i := range run.Results {
		r := &run.Results[i]
		s.stamped = s.stamped || r.Template.Stamp != ""
		if r.Workload.Superseded() {
			continue
		}
		s.results = append(s.results, r)
		for r.Workload.ID.Name == "" && s.byKey[s.key(r)] != nil {
			s.numbers[r.Template] = max(2, s.numbers[r.Template]+1)
		}
		s.byKey[s.key(r)] = r
		s.count[r.Workload.ID]++
	}
	return s
}

// key identifies a template. An object that is named when it is made has a
// number instead: it is the first of the render, or the second.
func (s *side) key(r *graph.Result) templateKey {
	key := templateKey{r.Workload.ID, s.path(r)}
	if n := s.numbers[r.Template]; n > 1 {
		key.path += fmt.Sprintf(" #%d", n)
	}
	return key
}

// templateName is a template's path, where it takes one to tell it from others.
func (s *side) templateName(r *graph.Result) string {
	if s.count[r.Workload.ID] < 2 {
		return ""
	}
	return s.key(r).path
}

// path is a template's path, with items of lists by their names.
func (s *side) path(r *graph.Result) string {
	t := r.Template
	if !strings.Contains(t.Path, "[") {
		return t.Path
	}
	name, ok := s.names[t]
	if !ok {
		name = namedPath(s.object(r), t.Path)
		s.names[t] = name
	}
	return name
}

// namedPath is a path with the indices in it put into names.
func namedPath(object tree.Node, path string) string {
	named, at := "", object
	for part := range strings.SplitSeq(path, ".") {
		field, index, isItem := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		list := at.Field(field)
		named, at = step(named, field), list
		i, err := strconv.Atoi(index)
		if !isItem || err != nil {
			continue
		}
		var name string
		at, name = item(list, i)
		named += "[" + name + "]"
	}
	return named
}

// item is an item of a list, with its name, or its place where the names do
// not tell the items apart.
func item(list tree.Node, i int) (at tree.Node, name string) {
	for n := range list.Items() {
		if i--; i < 0 {
			at = n
			break
		}
	}
	if byName(list, "name") != nil {
		return at, at.Field("name").Text()
	}
	return at, fmt.Sprint(slices.Index(slices.Collect(list.Items()), at))
}

// now parses the document that is at hand. Its nodes hold until the next one
// is.
func (s *side) now(doc *manifest.Document) *tree.Tree {
	if s.current == nil || s.at.Chunk != doc.Chunk || s.at.Start != doc.Start {
		s.current, _ = s.parser.Parse(doc.Text) // it was read before
		s.at = doc
	}
	return s.current
}

func (s *side) template(r *graph.Result) tree.Node {
	return s.now(r.Template.Place.Doc).At(r.Template.Node())
}

// object is the workload's own node.
func (s *side) object(r *graph.Result) tree.Node {
	return objectAt(s.now(r.Workload.Place.Doc), r.Workload.Place.Offset)
}

// other is an object in any document. Its node holds.
func (s *side) other(place graph.Place) tree.Node {
	t := s.others[place.Doc]
	if t == nil {
		t, _ = new(tree.Parser).Parse(place.Doc.Text) // it was read before
		s.others[place.Doc] = t
	}
	return objectAt(t, place.Offset)
}

func objectAt(t *tree.Tree, offset int) tree.Node {
	for o := range manifest.Objects(t.Root()) {
		if o.Offset() == offset {
			return o.Node
		}
	}
	return tree.Node{}
}

// detail is a result with all that led to it. What is found out for it is kept.
func (s *side) detail(r *graph.Result) *graph.Detail {
	details, ok := s.details[r.Workload]
	if !ok {
		details = s.run.Explain(r.Workload)
		s.details[r.Workload] = details
	}
	i := slices.IndexFunc(details, func(d graph.Detail) bool { return d.Template == r.Template })
	return &details[i]
}

// objectsOf walks the objects of some kinds.
func (s *side) objectsOf(wanted func(kind []byte) bool, visit func(o manifest.Object)) {
	for _, in := range s.run.Inputs {
		for _, c := range in.Chunks {
			for doc := range c.Documents() {
				if _, sure := doc.Skim(wanted); sure {
					continue
				}
				t, err := new(tree.Parser).Parse(doc.Text)
				if err != nil {
					continue // stamping has no word on it either
				}
				for o := range manifest.Objects(t.Root()) {
					if wanted([]byte(o.Kind)) {
						visit(o)
					}
				}
			}
		}
	}
}
