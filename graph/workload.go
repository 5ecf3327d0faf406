package graph

import (
	"slices"
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
	renames  *renames
	owner    *Workload // the workload that uses this one's template

	superseded bool // another object with the same identity comes later
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
	notes      []Finding         // what was noticed on the way
	prepared   []manifest.Splice // for anyStamp; nil where none were made
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
}

func (r *Reader) readWorkload(row *kinds.Workload, n tree.Node, h header) *Workload {
	w := &Workload{ID: h.id, Place: r.at(n), Row: row, text: r.span(n), problems: h.problems, renames: h.renames}
	var problems []problem
	w.settings, problems = readSettings(h.annotations, "metadata.annotations", r.at)
	w.problems = append(w.problems, problems...)
	r.readTarget(w, n)
	r.readStall(w, n)
	if w.target != nil {
		return w
	}
	for _, at := range each(n, row.Template) {
		if at.node.Kind() == tree.Map {
			w.Templates = append(w.Templates, r.readTemplate(w, at))
		} else if !at.node.Empty() {
			w.problems = append(w.problems, problem{field: at.path, place: r.at(at.node), message: "the pod template is " + typeName(at.node) + ", not a map"})
		}
	}
	for i, step := range row.Template {
		if step != kinds.Each {
			r.checkWay(w, n, row.Template[:i:i], step)
		}
	}
	return w
}

// checkWay tells of a key that stands twice on the way to the pod templates.
func (r *Reader) checkWay(w *Workload, n tree.Node, path kinds.Path, step string) {
	for _, at := range each(n, path) {
		if first, again := at.node.Duplicate(step); again.Exists() {
			p := twice(join(at.path, step), r.at(again), r.at(first))
			p.strict = w.Row.Class == kinds.Rolls // whatever the template may hold that nobody looks at
			w.problems = append(w.problems, p)
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

var (
	templateKeys   = []string{"metadata", "spec"}
	templateLabels = []string{"annotations", "labels"}
	ownAnnotations = []string{Annotation, enabledAnnotation, dependsOnAnnotation, ignoreAnnotation}
)

func (r *Reader) readTemplate(w *Workload, at located) *Template {
	t := &Template{Path: at.path, Place: r.at(at.node), node: at.node.Index()}
	var parts, metadata [2]tree.Node
	var own [4]tree.Node
	path := at.path
	tell := func(first, again tree.Node) {
		t.problems = append(t.problems, twice(join(path, again.Text()), r.at(again), r.at(first)))
	}
	at.node.Pick(templateKeys, parts[:], tell)
	path = join(at.path, "metadata")
	parts[0].Pick(templateLabels, metadata[:], tell)
	path += ".annotations"
	metadata[0].Pick(ownAnnotations, own[:], tell)
	t.Stamp, t.stamped = own[0].Text(), own[0].Exists()
	if at.path != "" { // else it is the Pod itself, whose annotations were read
		var problems []problem
		t.settings, problems = readSettings(metadata[0], path, r.at)
		t.problems = append(t.problems, problems...)
	}
	if w.Row.Class == kinds.Rolls { // others restart nobody by that
		r.noteMetadata(w, t, metadata[0], metadata[1])
	}
	p := &r.pod
	p.Reader, p.workload, p.template = r, w, t
	p.path = append(p.path[:0], join(at.path, "spec")...)
	p.read(parts[1])
	return t
}

// noteMetadata notes annotations and labels by which pods restart without us.
func (r *Reader) noteMetadata(w *Workload, t *Template, annotations, labels tree.Node) {
	path := join(t.Path, "metadata")
	for k := range annotations.Fields() {
		name := k.Text()
		if slices.ContainsFunc(kinds.ForeignChecksums, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			t.note(ForeignChecksum, Info, w, path+".annotations."+name, r.at(k), "a checksum of another tool restarts these pods too, when what it covers changes")
		}
	}
	if k, _ := labels.Entry(kinds.ChartLabel); k.Exists() {
		t.note(ChartLabel, Info, w, path+".labels."+kinds.ChartLabel, r.at(k), "each new version of the chart restarts these pods, whether configuration changes or not")
	}
}

func (t *Template) note(code Code, severity Severity, w *Workload, field string, at Place, message string) {
	t.notes = append(t.notes, Finding{
		Code: code, Severity: severity, Object: w.ID, Field: field, Place: at, Message: message, Hint: hints[code],
	})
}
