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
	Templates []*Template

	text        []byte // as it stands in the document, to tell duplicates apart
	target      *ID    // the workload whose template is used instead of an own one
	targetAt    Place
	targetField string
	stall       string // why its pods would not follow a changed template
	stallAt     Place
	settings    settings
	problems    []problem
	renames     *renames
	position    *position // when it comes, nil where it says nothing about it
	owner       *Workload // the workload that uses this one's template

	superseded bool // another object with the same identity comes later
}

// Template is a pod template of a workload.
type Template struct {
	Path  string // in the object: "spec.template"
	Place Place
	Stamp string // the one that it carries, "" without one; of several, each with its annotation's name

	node       int32 // in the document's tree
	row        *kinds.Workload
	class      kinds.Class
	reason     string           // what a change does, "" for what the class says
	slot       []string         // from the template to the annotations that hold its stamps
	name       string           // of the annotation, where one stamp is for all
	stamps     []manifest.Entry // that it carries
	stamped    bool
	foreign    bool // what stands in the stamp's place is somebody else's
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

	anyGroup  bool // no group is told: the only match counts
	declared  bool // by an annotation of ours
	env       bool // binaryData does not count
	lenient   bool // a key that the source lacks is nothing to tell
	subPath   bool // of a volume that is mounted through subPath alone
	refreshed bool // files that the kubelet keeps fresh do not count
	made      bool // the workload's controller makes the source
}

func (r *Reader) readWorkload(rows []*kinds.Workload, n tree.Node, h header) *Workload {
	w := &Workload{ID: h.id, Place: r.at(n), text: r.span(n), problems: h.problems, renames: h.renames, position: h.position}
	var problems []problem
	w.settings, problems = readSettings(h.annotations, "metadata.annotations", r.at)
	w.problems = append(w.problems, problems...)
	for _, row := range rows {
		r.readTarget(w, row, n)
		r.readStall(w, row, n)
	}
	if w.target != nil {
		return w
	}
	for _, row := range rows {
		r.readTemplates(w, row, n)
	}
	r.readReferences(w, n)
	for _, row := range rows {
		w.markMade(row, n)
	}
	return w
}

// readTemplates reads the pod templates of one row.
func (r *Reader) readTemplates(w *Workload, row *kinds.Workload, n tree.Node) {
	class, why := classOf(row, n)
	for _, at := range each(n, row.Template) {
		if at.node.Kind() == tree.Map {
			t := r.readTemplate(w, row, class, at)
			t.reason = why
			w.Templates = append(w.Templates, t)
		} else if !at.node.Empty() {
			w.problems = append(w.problems, problem{field: at.path, place: r.at(at.node), message: "the pod template is " + typeName(at.node) + ", not a map"})
		}
	}
	for i, step := range row.Template {
		if step != kinds.Each && step != kinds.EachValue {
			r.checkWay(w, n, class, row.Template[:i:i], step)
		}
	}
}

// classOf is a row's class for an object, whose settings may say another one,
// and what a change does.
func classOf(row *kinds.Workload, n tree.Node) (class kinds.Class, why string) {
	for _, when := range row.When {
		if slices.Contains(when.Values, n.Path(when.Path...).Text()) {
			return when.Class, when.Why
		}
	}
	return row.Class, row.Why
}

// checkWay tells of a key that stands twice on the way to the pod templates.
func (r *Reader) checkWay(w *Workload, n tree.Node, class kinds.Class, path kinds.Path, step string) {
	for _, at := range each(n, path) {
		if first, again := at.node.Duplicate(step); again.Exists() {
			p := twice(join(at.path, step), r.at(again), r.at(first))
			p.strict = class == kinds.Rolls // whatever the template may hold that nobody looks at
			w.problems = append(w.problems, p)
		}
	}
}

// readTarget reads the reference to the workload whose template is used.
func (r *Reader) readTarget(w *Workload, row *kinds.Workload, n tree.Node) {
	ref := n.Path(row.Target...)
	if row.Target == nil || ref.Kind() != tree.Map {
		return
	}
	w.target = &ID{
		Group: kinds.Group(ref.Field("apiVersion").Text()), Kind: ref.Field("kind").Text(),
		Namespace: w.ID.Namespace, Name: ref.Field("name").Text(),
	}
	w.targetAt, w.targetField = r.at(ref), row.Target.String()
}

func (r *Reader) readStall(w *Workload, row *kinds.Workload, n tree.Node) {
	for _, stall := range row.Stalls {
		if stall.Lacks != "" {
			r.readLack(w, stall, n)
			continue
		}
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

// readLack tells that a list, which is there, has no item with a certain word.
func (r *Reader) readLack(w *Workload, stall kinds.Stall, n tree.Node) {
	list := n.Path(stall.Path[:slices.Index(stall.Path, kinds.Each)]...)
	has := func(at located) bool { return at.node.Text() == stall.Lacks }
	if list.Kind() == tree.Seq && !slices.ContainsFunc(each(n, stall.Path), has) {
		w.stall, w.stallAt = stall.Why, r.at(list)
	}
}

var (
	defaultSlot    = []string{"metadata", "annotations"}
	defaultSpec    = kinds.P("spec")
	ownAnnotations = []string{enabledAnnotation, dependsOnAnnotation, ignoreAnnotation}
)

func (r *Reader) readTemplate(w *Workload, row *kinds.Workload, class kinds.Class, at located) *Template {
	t := &Template{Path: at.path, Place: r.at(at.node), node: at.node.Index(), row: row, class: class, slot: defaultSlot}
	if row.Annotations != nil {
		t.slot = row.Annotations
	}
	path, spec := kinds.Path(t.slot), row.Spec
	if spec == nil {
		spec = defaultSpec
	}
	last := len(path) - 1
	metadata := r.walk(t, at.node, at.path, path[:last])
	annotations := r.walk(t, metadata, join(at.path, path[:last].String()), path[last:])
	r.readAnnotations(w, t, annotations, join(at.path, path.String()))
	if class == kinds.Rolls { // others restart nobody by that
		r.noteMetadata(w, t, annotations, metadata.Field("labels"), join(at.path, path[:last].String()))
	}
	p := &r.pod
	p.Reader, p.workload, p.template = r, w, t
	p.path = append(p.path[:0], join(at.path, spec.String())...)
	p.read(r.walk(t, at.node, at.path, spec), row)
	return t
}

// walk follows a path and tells of keys that stand twice on it.
func (r *Reader) walk(t *Template, n tree.Node, at string, path kinds.Path) tree.Node {
	var next [1]tree.Node
	for i := range path {
		next[0] = tree.Node{}
		n.Pick(path[i:i+1], next[:], func(first, again tree.Node) {
			t.problems = append(t.problems, twice(join(at, path[:i+1].String()), r.at(again), r.at(first)))
		})
		n = next[0]
	}
	return n
}

// readAnnotations reads what the template's annotations at path say to us.
func (r *Reader) readAnnotations(w *Workload, t *Template, annotations tree.Node, path string) {
	r.readStamps(t, annotations, path)
	if path == "metadata.annotations" {
		return // they are the workload's own, which were read
	}
	var own [3]tree.Node
	annotations.Pick(ownAnnotations, own[:], func(first, again tree.Node) {
		t.problems = append(t.problems, twice(join(path, again.Text()), r.at(again), r.at(first)))
	})
	var problems []problem
	t.settings, problems = readSettings(annotations, path, r.at)
	t.problems = append(t.problems, problems...)
}

// readStamps reads the stamps that a template carries. In an annotation that
// has a meaning of its own, what is no stamp is somebody else's.
func (r *Reader) readStamps(t *Template, annotations tree.Node, path string) {
	switch {
	case t.row.Annotation != "":
		t.name = t.row.Annotation
	case r.opts.Naming != nil:
		t.name = r.opts.Naming.Only()
	default:
		t.name = Annotation
	}
	for k, v := range annotations.Fields() {
		name := k.Text()
		if !r.isOurs(t, name) {
			continue
		}
		if slices.ContainsFunc(t.stamps, func(e manifest.Entry) bool { return e.Key == name }) {
			first, again := annotations.Duplicate(name)
			t.problems = append(t.problems, twice(join(path, name), r.at(again), r.at(first)))
			continue
		}
		if name == t.row.Annotation && !isStamp(v.Text()) {
			t.foreign = true
			continue
		}
		t.stamps = append(t.stamps, manifest.Entry{Key: name, Value: v.Text()})
	}
	t.stamped, t.Stamp = len(t.stamps) > 0, t.show(t.stamps)
}

// isOurs reports whether an annotation holds a stamp. What an older
// configuration left behind under the default name is one too.
func (r *Reader) isOurs(t *Template, name string) bool {
	switch {
	case t.row.Annotation != "":
		return name == t.row.Annotation
	case name == Annotation:
		return true
	}
	return r.opts.Naming != nil && r.opts.Naming.Ours(name)
}

// show writes stamps for people: the only one as it is, others with their
// annotations' names.
func (t *Template) show(stamps []manifest.Entry) string {
	if len(stamps) == 1 && stamps[0].Key == t.name {
		return stamps[0].Value
	}
	var parts []string
	for _, e := range stamps {
		parts = append(parts, e.Key+"="+e.Value)
	}
	return strings.Join(parts, ", ")
}

// isStamp reports whether a value may be one of ours.
func isStamp(value string) bool {
	return strings.HasPrefix(value, "h1:") || strings.HasPrefix(value, "h1.")
}

// noteMetadata notes annotations and labels by which pods restart without us.
func (r *Reader) noteMetadata(w *Workload, t *Template, annotations, labels tree.Node, path string) {
	for k := range annotations.Fields() {
		name := k.Text()
		if !r.isOurs(t, name) && slices.ContainsFunc(kinds.ForeignChecksums, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
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

// Superseded reports whether a later object of the input has the same identity.
func (w *Workload) Superseded() bool { return w.superseded }

// Text is the object as it stands in its document, nil where its end cannot be
// told.
func (w *Workload) Text() []byte { return w.text }

// Node is the template's place in the tree of its document.
func (t *Template) Node() int32 { return t.node }

// Plain reports whether it is a pod template as the kinds of Kubernetes have it.
// Others are fields of an operator, who makes pods of them in his own way.
func (t *Template) Plain() bool {
	return t.row.Annotations == nil && t.row.Annotation == "" && t.row.Spec == nil
}

// Slot is the way from the template to the annotations that hold its stamps.
func (t *Template) Slot() []string { return t.slot }

// Stamps are the annotations with stamps that the template carries.
func (t *Template) Stamps() []manifest.Entry { return t.stamps }
