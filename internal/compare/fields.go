package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Field is a field that changed. Of an image both values are kept: no other
// value is, as it may be secret.
type Field struct {
	Path     string
	Change   Change
	Old, New string

	checksum bool // of another tool
}

// image is the path of a container's image in a pod template.
var image = regexp.MustCompile(`(^|\.)(c|initC|ephemeralC)ontainers\[[^\]]*\]\.image$`)

// compareFields compares the template and the rest of the object.
func (c *comparer) compareFields(w *Workload, old, now *graph.Result) {
	ours := make(map[string]bool)
	for _, r := range []*graph.Result{old, now} {
		at := ""
		for _, s := range r.Template.Slot() {
			at = step(at, s)
		}
		for _, e := range append(slices.Clone(r.Template.Stamps()), r.Stamps...) {
			ours[step(at, e.Key)] = true
		}
	}
	d := differ{skip: func(path string) bool { return ours[path] }, pod: true}
	d.diff("", c.old.template(old), c.now.template(now))
	path := c.now.path(now)
	for _, f := range d.fields {
		if w.renamed(f) {
			continue
		}
		if !now.Template.Plain() && sizes[f.Path] {
			w.Others = append(w.Others, Field{Path: join(path, f.Path), Change: f.Change})
			continue
		}
		f.checksum = isForeignChecksum(f.Path)
		if !image.MatchString(f.Path) {
			f.Old, f.New = "", ""
		}
		f.Path = join(path, f.Path)
		w.Fields = append(w.Fields, f)
	}
	w.Noise = noise(w.Fields, len(w.Changes) > 0)
	c.compareOthers(w, old, now)
}

// sizes are fields of operators that change the number of pods, and restart
// none.
var sizes = map[string]bool{
	"replicas": true, "instances": true, "size": true, "shards": true, "numberOfInstances": true, "minReplicas": true,
	"maxReplicas": true, "paused": true,
}

// compareOthers compares what is outside of the templates. Labels and
// annotations of the object are nobody's reason to restart.
func (c *comparer) compareOthers(w *Workload, old, now *graph.Result) {
	templates := make(map[string]bool)
	for _, t := range append(slices.Clone(old.Workload.Templates), now.Workload.Templates...) {
		templates[namedPath(c.old.object(old), t.Path)] = true
		templates[namedPath(c.now.object(now), t.Path)] = true
	}
	d := differ{skip: func(path string) bool { return templates[path] || path == "status" }}
	if now.Template.Path != "" {
		d.diff("", c.old.object(old), c.now.object(now))
	}
	if a, b := old.Workload.Owner(), now.Workload.Owner(); a != nil && b != nil {
		d.diff(b.ID.Kind, c.old.other(a.Place), c.now.other(b.Place))
	}
	for _, f := range d.fields {
		w.Others = append(w.Others, Field{Path: f.Path, Change: f.Change})
	}
}

// renamed reports whether a field changed from a source's old name to its new
// one.
func (w *Workload) renamed(f Field) bool {
	return slices.ContainsFunc(w.Renames, func(r Rename) bool {
		return f.Change == Changed && lastPart(r.Old) == f.Old && lastPart(r.New) == f.New && lastPart(r.Old) != lastPart(r.New)
	})
}

func lastPart(label string) string { return label[strings.LastIndexByte(label, '/')+1:] }

// noise names the changed fields of a template that say nothing about what the
// pods do.
func noise(fields []Field, config bool) (words []string) {
	var labels []string
	for _, f := range fields {
		name := lastStep(f.Path)
		switch {
		case isChartLabel(f.Path):
			labels = append(labels, name)
		case f.checksum && f.Change != Changed:
			words = append(words, name+" is another tool's checksum, and "+map[Change]string{Came: "comes", Went: "goes"}[f.Change])
		case f.checksum && config:
			words = append(words, name+" is another tool's checksum")
		case f.checksum:
			words = append(words, name+" changed, though nothing that the pods use did")
		}
	}
	switch len(labels) {
	case 0:
		return words
	case 1:
		return append(words, "each new version of the chart changes the label "+labels[0]+", and restarts the pods by that alone")
	}
	return append(words, "each new version of the chart changes the labels "+strings.Join(labels, " and ")+", and restarts the pods by that alone")
}

// noisy reports whether noise is all that changed in a template.
func (w *Workload) noisy() bool {
	return len(w.Fields) > 0 && !slices.ContainsFunc(w.Fields, func(f Field) bool { return !f.checksum && !isChartLabel(f.Path) })
}

func isChartLabel(path string) bool {
	name := lastStep(path)
	return strings.Contains(path, "metadata.labels") && (name == kinds.ChartLabel || name == "app.kubernetes.io/version" || name == "chart")
}

func isForeignChecksum(path string) bool {
	name := lastStep(path)
	return strings.Contains(path, "metadata.annotations") &&
		slices.ContainsFunc(kinds.ForeignChecksums, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// differ lists the fields in which two nodes differ, as far as the API server
// would see a difference.
type differ struct {
	skip   func(path string) bool
	pod    bool // it is a pod template, of whose fields the defaults are known
	fields []Field
}

func (d *differ) diff(path string, old, now tree.Node) {
	switch {
	case d.skip != nil && d.skip(path):
	case d.absent(path, old) && d.absent(path, now):
	case d.absent(path, old):
		d.whole(path, Came, now)
	case d.absent(path, now):
		d.whole(path, Went, old)
	case old.Kind() == tree.Map && now.Kind() == tree.Map:
		d.maps(path, old, now)
	case old.Kind() == tree.Seq && now.Kind() == tree.Seq:
		d.lists(path, old, now)
	case tree.SameTree(old, now) || sameNumber(old, now) || isQuantity(path) && old.Kind() == tree.Scalar && sameQuantity(old.Text(), now.Text()):
	default:
		d.add(Field{Path: path, Change: Changed, Old: scalar(old), New: scalar(now)})
	}
}

// absent reports whether there is nothing at all: the API server drops nulls
// and empty lists.
func absent(n tree.Node) bool {
	return !n.Exists() || n.Kind() == tree.Scalar && n.Type() == tree.Null || n.Kind() == tree.Seq && n.Len() == 0
}

func (d *differ) absent(path string, n tree.Node) bool {
	return absent(n) || d.pod && isDefault(path, n)
}

// sameNumber reports whether two scalars are the same number: 0644 and 420.
func sameNumber(a, b tree.Node) bool {
	return a.Kind() == tree.Scalar && b.Kind() == tree.Scalar && a.Type() == tree.Int && b.Type() == tree.Int && plainText(a) == plainText(b)
}

// meaningless are the maps that mean the same empty and absent.
var meaningless = map[string]bool{
	"metadata": true, "annotations": true, "labels": true, "nodeSelector": true, "resources": true, "limits": true,
	"requests": true, "matchLabels": true,
}

func (d *differ) add(f Field) { d.fields = append(d.fields, f) }

// whole tells of something that came or went. Of a map, which may hold fields
// that are skipped, each entry is told.
func (d *differ) whole(path string, change Change, n tree.Node) {
	if n.Kind() != tree.Map || n.Len() == 0 {
		if n.Kind() != tree.Map || !meaningless[lastStep(path)] && path != "spec.securityContext" {
			d.add(Field{Path: path, Change: change})
		}
		return
	}
	for k, v := range n.Fields() {
		if change == Came {
			d.diff(step(path, k.KeyText()), tree.Node{}, v)
		} else {
			d.diff(step(path, k.KeyText()), v, tree.Node{})
		}
	}
}

func (d *differ) maps(path string, old, now tree.Node) {
	field := func(name string, a, b tree.Node) {
		if d.pod && name == "imagePullPolicy" && absent(a) != absent(b) && pullPolicy(old) == pullPolicy(now) {
			return
		}
		d.diff(step(path, name), a, b)
	}
	for k, v := range old.Fields() {
		field(k.KeyText(), v, now.Field(k.KeyText()))
	}
	for k, v := range now.Fields() {
		if !old.Field(k.KeyText()).Exists() {
			field(k.KeyText(), tree.Node{}, v)
		}
	}
}

// itemKeys are the fields by which the items of lists are told apart, where
// that is not the name (the merge keys of the API's types).
var itemKeys = map[string]string{
	"volumeMounts": "mountPath", "volumeDevices": "devicePath", "ports": "containerPort", "hostAliases": "ip",
	"topologySpreadConstraints": "topologyKey",
}

// lists compares lists of items that can be told apart one by one, others by
// place.
func (d *differ) lists(path string, old, now tree.Node) {
	key := itemKeys[lastStep(path)]
	if key == "" {
		key = "name"
	}
	a, b := byName(old, key), byName(now, key)
	if a == nil || b == nil {
		d.items(path, old, now)
		return
	}
	var before, after []string // that are in both
	for item := range old.Items() {
		name := item.Field(key).Text()
		d.entry(path+"["+name+"]", item, b[name])
		if b[name].Exists() {
			before = append(before, name)
		}
	}
	for item := range now.Items() {
		name := item.Field(key).Text()
		if !a[name].Exists() {
			d.entry(path+"["+name+"]", tree.Node{}, item)
		} else {
			after = append(after, name)
		}
	}
	if !slices.Equal(before, after) {
		d.add(Field{Path: path, Change: Reordered})
	}
}

// entry compares an item. One that came or went is told as a whole.
func (d *differ) entry(path string, old, now tree.Node) {
	switch {
	case d.skip != nil && d.skip(path):
	case !old.Exists():
		d.add(Field{Path: path, Change: Came})
	case !now.Exists():
		d.add(Field{Path: path, Change: Went})
	default:
		d.diff(path, old, now)
	}
}

// byName returns a list's items by a field, nil where not each has one of its
// own.
func byName(list tree.Node, key string) map[string]tree.Node {
	m := make(map[string]tree.Node)
	for item := range list.Items() {
		name := item.Field(key).Text()
		if name == "" || m[name].Exists() {
			return nil
		}
		m[name] = item
	}
	return m
}

// items compares by place, but for what is the same at both ends.
func (d *differ) items(path string, old, now tree.Node) {
	a, b := slices.Collect(old.Items()), slices.Collect(now.Items())
	start := 0
	same := func(x, y tree.Node) bool {
		inner := differ{pod: d.pod}
		inner.diff(path+"[]", x, y)
		return len(inner.fields) == 0
	}
	for start < min(len(a), len(b)) && same(a[start], b[start]) {
		start++
	}
	for len(a) > start && len(b) > start && same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) != len(b) && scalars(a[start:]) && scalars(b[start:]) {
		d.add(Field{Path: path, Change: Changed})
		return
	}
	for i := start; i < max(len(a), len(b)); i++ {
		var x, y tree.Node
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		d.entry(fmt.Sprintf("%s[%d]", path, i), x, y)
	}
}

func scalars(list []tree.Node) bool {
	return !slices.ContainsFunc(list, func(n tree.Node) bool { return n.Kind() != tree.Scalar })
}

func scalar(n tree.Node) string {
	if n.Kind() != tree.Scalar {
		return ""
	}
	return n.Text()
}

// step appends a key to a path. One with dots is put in brackets.
func step(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./[]") || key == "":
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// lastStep is the last key of a path.
func lastStep(path string) string {
	if i := strings.LastIndexByte(path, '['); i >= 0 && strings.HasSuffix(path, "]") {
		return path[i+1 : len(path)-1]
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

func join(path, rest string) string {
	switch {
	case path == "" || rest == "":
		return path + rest
	case rest[0] == '[':
		return path + rest
	}
	return path + "." + rest
}
