package graph

import (
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// markMade marks the references to Secrets that the workload's controller makes.
func (w *Workload) markMade(row *kinds.Workload, n tree.Node) {
	for _, made := range row.Made {
		for _, at := range each(n, made.Path) {
			name := at.node.Text() + made.Suffix
			for _, t := range w.Templates {
				for i := range t.references {
					if ref := &t.references[i]; ref.Kind == kinds.Secret && ref.Name == name {
						ref.made = true
					}
				}
			}
		}
	}
}

// readReferences reads the references that stand outside of pods. One that
// stands in a pod template is that one's.
func (r *Reader) readReferences(w *Workload, n tree.Node) {
	for _, row := range r.opts.tables().ReferencesOf(w.ID.Group, w.ID.Kind) {
		last := len(row.Path) - 1
		for _, at := range each(n, row.Path[:last:last]) {
			for _, name := range each(at.node, row.Path[last:]) {
				r.addReference(w, row, at, located{node: name.node, path: join(at.path, name.path)})
			}
		}
	}
}

func (r *Reader) addReference(w *Workload, row *kinds.Reference, parent, name located) {
	text := name.node.Text()
	if text == "" || name.node.Type() != tree.String {
		return // nothing is named, or nothing that the API server takes
	}
	ref := Reference{
		Group: row.ToGroup, Kind: row.To, Name: text, Field: name.path, Place: r.at(name.node), All: true,
		Optional: parent.node.Field("optional").True(),
	}
	if key := parent.node.Field(row.Key).Text(); row.Key != "" && key != "" {
		ref.All, ref.Keys = false, []string{key}
	}
	if row.For != nil {
		for _, t := range w.Templates {
			if slices.Equal(t.row.Template, row.For) {
				t.references = append(t.references, ref)
			}
		}
		return
	}
	if t := w.around(ref.Field); t != nil {
		t.references = append(t.references, ref)
		return
	}
	for _, t := range w.Templates {
		t.references = append(t.references, ref)
	}
}

// around is the innermost pod template that a field stands in, nil for none.
func (w *Workload) around(field string) (innermost *Template) {
	for _, t := range w.Templates {
		if strings.HasPrefix(field, t.Path+".") && (innermost == nil || len(t.Path) > len(innermost.Path)) {
			innermost = t
		}
	}
	return innermost
}
