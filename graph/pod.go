package graph

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// podReader finds the references of a pod's spec.
type podReader struct {
	*Reader
	workload  *Workload
	template  *Template
	container string            // the one that is being read
	mounted   bool              // all volumes are, whether a container says so or not
	path      []byte            // to the field that is being read
	mounts    map[string]*shown // by the volume's name
	found     []Reference
	fields    map[string]string // the paths of references, of which a stream has few
}

// shown is what all containers together see of a volume.
type shown struct {
	mounted, whole bool
	refreshed      bool // a container sees it as the kubelet keeps it, and that does not count
	subPaths       map[string]bool
}

func (p *podReader) read(spec tree.Node, row *kinds.Workload) {
	clear(p.mounts)
	p.found = p.found[:0]
	if row.Containers == nil {
		p.lists(spec, podLists[:3])
	}
	for _, path := range row.Containers {
		p.containers(spec, path)
	}
	p.container, p.mounted = "", row.Mounted
	p.follow(spec)
	if row.Volumes == nil {
		p.lists(spec, podLists[3:])
	} else if len(row.Volumes) > 0 {
		list := p.walk(p.template, spec, string(p.path), row.Volumes)
		p.each(list, row.Volumes.String(), p.readVolume)
	}
	p.template.references = slices.Clone(p.found)
}

// containers reads the containers at a path, where they are not those of a
// PodSpec. The spec itself may be one.
func (p *podReader) containers(spec tree.Node, path kinds.Path) {
	outer := len(p.path)
	for _, at := range each(spec, path) {
		if at.node.Kind() == tree.Map {
			if at.path != "" {
				p.path = append(append(p.path, '.'), at.path...)
			}
			p.readContainer(at.node)
			p.path = p.path[:outer]
		}
	}
}

// follow reads the references that a running pod does not use, where they are
// asked for.
func (p *podReader) follow(spec tree.Node) {
	if p.opts.ImagePullSecrets {
		p.each(spec.Field(kinds.ImagePullSecrets), kinds.ImagePullSecrets, func(item tree.Node) {
			p.add(Reference{All: true}, kinds.NameRef{Path: kinds.Path{"", "name"}, Kind: kinds.Secret}, item)
		})
	}
	if name := spec.Field(kinds.ServiceAccountName); p.opts.ServiceAccount && name.Type() == tree.String && name.Text() != "" {
		p.found = append(p.found, Reference{
			Kind: kinds.ServiceAccount, Name: name.Text(), All: true, Optional: true,
			Field: p.interned(kinds.ServiceAccountName), Place: p.at(name),
		})
	}
}

// The lists of a pod and of a container in which references stand. Volumes come
// last: what they show depends on the mounts.
var (
	podLists       = append(slices.Clip(kinds.ContainerLists), "volumes")
	containerLists = []string{"env", "envFrom", "volumeMounts", "volumeDevices"}
)

// lists reads lists of a map.
func (p *podReader) lists(n tree.Node, names []string) {
	var lists [4]tree.Node
	n.Pick(names, lists[:len(names)], p.twice)
	for i, name := range names {
		p.list(lists[i], name)
	}
}

func (p *podReader) list(list tree.Node, name string) {
	switch name {
	case "volumes":
		p.each(list, name, p.readVolume)
	case "env":
		p.each(list, name, p.readEnv)
	case "envFrom":
		p.each(list, name, p.readEnvFrom)
	case "volumeMounts", "volumeDevices":
		p.each(list, name, p.readMount)
	default:
		p.each(list, name, p.readContainer)
	}
}

// field is the path of what is being read, and of steps below it.
func (p *podReader) field(steps ...string) string {
	return strings.Join(append([]string{string(p.path)}, steps...), ".")
}

// interned is field, with one string for all of the same path.
func (p *podReader) interned(steps ...string) string {
	outer := len(p.path)
	for _, step := range steps {
		p.path = append(append(p.path, '.'), step...)
	}
	field, ok := p.fields[string(p.path)]
	if !ok {
		field = string(p.path)
		if p.fields == nil {
			p.fields = make(map[string]string)
		}
		p.fields[field] = field
	}
	p.path = p.path[:outer]
	return field
}

func (p *podReader) tell(pr problem) { p.template.problems = append(p.template.problems, pr) }

// twice tells of a list that stands twice in the map that is being read. The
// first one's references count too: whoever is right, there is something to
// stamp.
func (p *podReader) twice(first, again tree.Node) {
	p.tell(twice(p.field(again.Text()), p.at(again), p.at(first)))
	p.list(first.Value(), first.Text())
}

func (p *podReader) malformed(n tree.Node, want string, steps ...string) {
	p.tell(problem{field: p.field(steps...), place: p.at(n), message: "this is " + typeName(n) + ", not " + want})
}

// each walks the items of a list, which must be maps.
func (p *podReader) each(list tree.Node, step string, visit func(tree.Node)) {
	if !list.Exists() {
		return
	}
	outer := len(p.path)
	p.path = append(append(p.path, '.'), step...)
	defer func() { p.path = p.path[:outer] }()
	if list.Kind() != tree.Seq {
		if !list.Empty() || list.Kind() == tree.Map {
			p.malformed(list, "a list")
		}
		return
	}
	inner, i := len(p.path), 0
	for item := range list.Items() {
		p.path = append(strconv.AppendInt(append(p.path[:inner], '['), int64(i), 10), ']')
		i++
		if item.Kind() == tree.Map {
			visit(item)
		} else if !item.Empty() {
			p.malformed(item, "a map")
		}
	}
}

// submap returns a map's field that must be a map.
func (p *podReader) submap(n tree.Node, step string) (tree.Node, bool) {
	v := n.Field(step)
	if v.Kind() == tree.Map {
		return v, true
	}
	if !v.Empty() {
		p.malformed(v, "a map", step)
	}
	return v, false
}

// str reads a string that must be there.
func (p *podReader) str(n tree.Node, steps ...string) (string, bool) {
	switch {
	case !n.Exists():
		return "", false
	case n.Type() == tree.String:
		return n.Text(), true
	case n.Type() != tree.Null:
		p.malformed(n, "a string", steps...)
	}
	return "", false
}

func (p *podReader) readContainer(c tree.Node) {
	p.container = c.Field("name").Text()
	p.lists(c, containerLists)
}

var envKeys = []string{"name", "valueFrom"}

func (p *podReader) readEnv(item tree.Node) {
	var parts [2]tree.Node
	item.Pick(envKeys, parts[:], func(first, again tree.Node) {
		p.tell(twice(p.field(again.Text()), p.at(again), p.at(first)))
	})
	if strings.HasPrefix(parts[0].Text(), kinds.LeftoverEnv) {
		p.template.note(LeftoverEnv, Warning, p.workload, p.field(), p.at(parts[0]), "Reloader left this variable behind: it restarts the pods whenever somebody takes it out")
	}
	if !parts[1].Exists() {
		return
	}
	from, ok := p.submap(item, "valueFrom")
	if !ok {
		return
	}
	outer := len(p.path)
	p.path = append(p.path, ".valueFrom"...)
	for _, row := range kinds.Env {
		source, ok := p.submap(from, row.Path[0])
		if !ok {
			continue
		}
		if key, ok := p.str(source.Field("key"), row.Path[0], "key"); ok {
			p.add(Reference{env: true, Keys: []string{key}}, row, source, row.Path[0])
		}
	}
	p.path = p.path[:outer]
}

func (p *podReader) readEnvFrom(item tree.Node) {
	for _, row := range kinds.EnvFrom {
		if source, ok := p.submap(item, row.Path[0]); ok {
			p.add(Reference{env: true, All: true}, row, source, row.Path[0])
		}
	}
}

// add adds the reference that a field makes; an empty name makes none.
func (p *podReader) add(ref Reference, row kinds.NameRef, source tree.Node, steps ...string) {
	rest := row.Path[1:]
	name := source.Path(rest...)
	if name.Kind() != tree.Scalar || name.Type() != tree.String {
		if !name.Empty() || name.Kind() > tree.Scalar {
			p.malformed(name, "a string", append(slices.Clip(steps), rest...)...)
		}
		return
	}
	text := name.Text()
	if text == "" {
		return
	}
	ref.Kind, ref.Group, ref.Name = row.Kind, row.Group, text
	ref.Container, ref.Field, ref.Place = p.container, p.interned(steps...), p.at(name)
	ref.Optional = source.Field("optional").True()
	p.found = append(p.found, ref)
}

func (p *podReader) readMount(item tree.Node) {
	name := item.Field("name").Text()
	s := p.mounts[name]
	if s == nil {
		if p.mounts == nil {
			p.mounts = make(map[string]*shown)
		}
		s = &shown{mounted: true}
		p.mounts[name] = s
	}
	sub, expr := item.Field("subPath").Text(), item.Field("subPathExpr").Text()
	if sub == "" && expr == "" && p.opts.SubPath {
		s.refreshed = true
		return
	}
	if sub == "" || expr != "" || path.Clean(sub) == "." {
		s.whole = true
		return
	}
	if s.subPaths == nil {
		s.subPaths = make(map[string]bool)
	}
	s.subPaths[path.Clean(sub)] = true
}

func (p *podReader) readVolume(v tree.Node) {
	volume := p.mounts[v.Field("name").Text()]
	switch {
	case p.mounted:
		volume = &shown{mounted: true, whole: true}
	case volume == nil:
		volume = new(shown)
	}
	before := len(p.found)
	for i := range kinds.Volumes {
		row := &kinds.Volumes[i]
		source := v.Field(row.Path[0])
		if !source.Exists() {
			continue
		}
		if source, ok := p.submap(v, row.Path[0]); ok {
			ref := Reference{All: true, Unmounted: !volume.mounted}
			if row.Files {
				ref = p.files(source, volume, row.Path[0])
			}
			p.add(ref, *row, source, row.Path[0])
		}
	}
	if sources := v.Field("projected").Field("sources"); sources.Exists() {
		outer := len(p.path)
		p.path = append(p.path, ".projected"...)
		p.each(sources, "sources", func(item tree.Node) { p.readProjected(item, volume) })
		p.path = p.path[:outer]
	}
	if !volume.mounted {
		severity := Info
		if len(p.found) > before {
			severity = Warning
		}
		p.template.note(UnmountedVolume, severity, p.workload, p.field(), p.at(v), "no container mounts the volume "+printable(v.Field("name").Text())+", so nothing of it is used")
	}
}

func (p *podReader) readProjected(item tree.Node, volume *shown) {
	for _, row := range kinds.Projected {
		if source, ok := p.submap(item, row.Path[0]); ok {
			ref := p.files(source, volume, row.Path[0])
			ref.lenient = !volume.whole // another source may have the file
			p.add(ref, row, source, row.Path[0])
		}
	}
}

// files tells which keys of a source a volume shows: those of items, or all;
// and of these, where every mount has a subPath, those that the subPaths reach.
// A folder that items make reaches every item below it.
func (p *podReader) files(source tree.Node, volume *shown, step string) Reference {
	ref := Reference{Unmounted: !volume.mounted, refreshed: volume.refreshed && !volume.whole, subPath: len(volume.subPaths) > 0 && !volume.whole}
	items := source.Field("items")
	if items.Empty() {
		ref.All = volume.whole || !volume.mounted
		if !ref.All {
			ref.Keys = slices.DeleteFunc(slices.Sorted(maps.Keys(volume.subPaths)), func(sub string) bool { return strings.Contains(sub, "/") })
		}
		return ref
	}
	outer := len(p.path)
	p.path = append(append(p.path, '.'), step...)
	p.each(items, "items", func(item tree.Node) {
		key, ok := p.str(item.Field("key"), "key")
		if ok && volume.reaches(path.Clean(item.Field("path").Text())) {
			ref.Keys = append(ref.Keys, key)
		}
	})
	p.path = p.path[:outer]
	return ref
}

// reaches reports whether some mount shows a file of the volume: by its own path
// or by that of a folder above it.
func (s *shown) reaches(file string) bool {
	if s.whole || !s.mounted {
		return true
	}
	for ; file != "." && file != "/"; file = path.Dir(file) {
		if s.subPaths[file] {
			return true
		}
	}
	return false
}
