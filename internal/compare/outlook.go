package compare

import (
	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/render"
)

// Outlook says of the workloads of one render how their pods would be replaced.
type Outlook struct {
	c      comparer
	labels map[graph.Place]tree.Node // of the objects of the document that was looked at last
	doc    *manifest.Document
}

// NewOutlook looks for what bears on workloads: autoscalers and disruption
// budgets.
func NewOutlook(run *render.Run) *Outlook {
	o := &Outlook{c: comparer{now: newSide(run)}}
	o.c.findCluster()
	return o
}

// Roll says how the pods of a pod template are replaced.
func (o *Outlook) Roll(r *graph.Result) Roll { return o.c.roll(r) }

// Pods counts them.
func (o *Outlook) Pods(r *graph.Result) Pods { return o.c.pods(o.c.now, r) }

// Label returns the first of some labels that the object at a place has.
func (o *Outlook) Label(at graph.Place, names ...string) string {
	if at.Doc == nil {
		return ""
	}
	if at.Doc != o.doc {
		o.read(at.Doc)
	}
	labels := o.labels[at]
	for _, name := range names {
		if v := labels.Field(name); v.Type() == tree.String && v.Text() != "" {
			return v.Text()
		}
	}
	return ""
}

// read reads the labels of a document's objects. It was read before, so that
// there is nothing to tell of it.
func (o *Outlook) read(doc *manifest.Document) {
	o.doc, o.labels = doc, make(map[graph.Place]tree.Node)
	t, err := new(tree.Parser).Parse(doc.Text)
	if err != nil {
		return
	}
	for object := range manifest.Objects(t.Root()) {
		o.labels[graph.Place{Doc: doc, Offset: object.Offset()}] = object.Path("metadata", "labels")
	}
}
