package graph

import (
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Workload is an object with pod templates.
type Workload struct {
	ID        ID
	Place     Place
	Row       *kinds.Workload
	Templates []*Template

	text     []byte // as it stands in the document, to tell duplicates apart
	target   *ID    // the workload whose template is used instead of an own one
	targetAt Place
	stall    string // why its pods would not follow a changed template
	stallAt  Place
	settings settings
	problems []problem
	owner    *Workload // the workload that uses this one's template
}

// Template is a pod template of a workload.
type Template struct {
	Path  string // in the object: "spec.template"
	Place Place
	Stamp string // the one that it carries, "" without one

	node       int32 // in the document's tree
	stamped    bool
	references []Reference
	settings   settings
	problems   []problem
	notes      []Finding // what was noticed on the way
}

// Reference is a field of a pod template, or a declared dependency, that names
// a source.
type Reference struct {
	Kind, Group, Namespace, Name string // Namespace is "" for the workload's own

	All       bool     // all keys are used
	Keys      []string // the keys that are used, where not all are
	Optional  bool
	Unmounted bool // of a volume that no container mounts: nothing is used
	Field     string
	Container string // whose field it is, "" for a volume's or a declared one
	Place     Place

	anyGroup bool // no group is told: the only match counts
	env      bool // binaryData does not count
	lenient  bool // a key that the source lacks is nothing to tell
	declared bool // by depends-on
}

func (r *Reader) readWorkload(row *kinds.Workload, o manifest.Object) *Workload {
	w := &Workload{ID: r.identity(o), Place: r.at(o.Node), Row: row, text: r.span(o.Node)}
	r.checkMetadata(o.Node, func(p problem) { w.problems = append(w.problems, p) })
	r.checkWay(w, o.Node)
	var problems []problem
	w.settings, problems = readSettings(o.Path("metadata", "annotations"), "metadata.annotations", r.at)
	w.problems = append(w.problems, problems...)
	r.readTarget(w, o.Node)
	r.readStall(w, o.Node)
	if w.target != nil {
		return w
	}
	for _, at := range each(o.Node, row.Template) {
		if at.node.Kind() == tree.Map {
			w.Templates = append(w.Templates, r.readTemplate(w, at))
		} else if !at.node.Empty() {
			w.problems = append(w.problems, problem{field: at.path, place: r.at(at.node), message: "the pod template is " + typeName(at.node) + ", not a map"})
		}
	}
	return w
}

// checkWay tells of keys that stand twice on the way to the pod templates.
func (r *Reader) checkWay(w *Workload, n tree.Node) {
	path := w.Row.Template
	for i, step := range path {
		if step == kinds.Each {
			continue
		}
		for _, at := range each(n, path[:i:i]) {
			r.checkTwice(at.node, at.path, func(p problem) { w.problems = append(w.problems, p) }, step)
		}
	}
}

// readTarget reads the reference to the workload whose template is used.
func (r *Reader) readTarget(w *Workload, n tree.Node) {
	ref := n.Path(w.Row.Target...)
	if w.Row.Target == nil || ref.Kind() != tree.Map {
		return
	}
	w.target = &ID{
		Group: kinds.Group(ref.Field("apiVersion").Text()), Kind: ref.Field("kind").Text(),
		Namespace: w.ID.Namespace, Name: ref.Field("name").Text(),
	}
	w.targetAt = r.at(ref)
}

func (r *Reader) readStall(w *Workload, n tree.Node) {
	for _, stall := range w.Row.Stalls {
		v := n.Path(stall.Path...)
		text := v.Text()
		if stall.Value == "" {
			number, err := strconv.Atoi(text)
			if err != nil && !strings.HasSuffix(text, "%") || err == nil && number == 0 || text == "0%" {
				continue
			}
		} else if text != stall.Value && (stall.Value != "true" || !v.True()) {
			continue
		}
		w.stall, w.stallAt = stall.Why, r.at(v)
	}
}

func (r *Reader) readTemplate(w *Workload, at located) *Template {
	t := &Template{Path: at.path, Place: r.at(at.node), node: at.node.Index()}
	tell := func(p problem) { t.problems = append(t.problems, p) }
	metadata := at.node.Field("metadata")
	annotations := metadata.Field("annotations")
	path := join(at.path, "metadata.annotations")
	r.checkTwice(at.node, at.path, tell, "metadata", "spec")
	r.checkTwice(metadata, join(at.path, "metadata"), tell, "annotations")
	r.checkTwice(annotations, path, tell, Annotation, enabledAnnotation, dependsOnAnnotation, ignoreAnnotation)
	stamp := annotations.Field(Annotation)
	t.Stamp, t.stamped = stamp.Text(), stamp.Exists()
	if len(at.path) > 0 { // else it is the Pod itself, whose annotations were read
		var problems []problem
		t.settings, problems = readSettings(annotations, path, r.at)
		t.problems = append(t.problems, problems...)
	}
	r.noteMetadata(w, t, metadata, path)
	p := podReader{Reader: r, workload: w, template: t, path: join(at.path, "spec")}
	p.read(at.node.Field("spec"))
	return t
}

// noteMetadata notes annotations and labels by which pods restart without us.
func (r *Reader) noteMetadata(w *Workload, t *Template, metadata tree.Node, path string) {
	for k := range metadata.Field("annotations").Fields() {
		name := k.Text()
		for _, prefix := range kinds.ForeignChecksums {
			if strings.HasPrefix(name, prefix) {
				t.note(ForeignChecksum, Info, w, path+"."+name, r.at(k), "a checksum of another tool restarts these pods too, when what it covers changes")
				break
			}
		}
	}
	if k, _ := metadata.Field("labels").Entry(kinds.ChartLabel); k.Exists() {
		field := strings.TrimSuffix(path, "annotations") + "labels." + kinds.ChartLabel
		t.note(ChartLabel, Info, w, field, r.at(k), "each new version of the chart restarts these pods, whether configuration changes or not")
	}
}

func (t *Template) note(code Code, severity Severity, w *Workload, field string, at Place, message string) {
	t.notes = append(t.notes, Finding{
		Code: code, Severity: severity, Object: w.ID, Field: field, Place: at, Message: message, Hint: hints[code],
	})
}
