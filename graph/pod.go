package graph

import (
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
	workload *Workload
	template *Template
	path     string           // of the spec
	mounts   map[string]mount // by the volume's name
}

// mount is how the containers of a pod use a volume.
type mount struct {
	whole    bool // some container sees all of it
	subPaths []string
}

func (p *podReader) read(spec tree.Node) {
	for k, v := range spec.Fields() {
		for _, list := range kinds.ContainerLists {
			if k.Is(list) {
				p.each(v, p.path+"."+list, p.container)
			}
		}
	}
	for k, v := range spec.Fields() {
		if k.Is("volumes") {
			p.each(v, p.path+".volumes", p.volume)
		}
	}
	p.checkTwice(spec, p.path, p.tell, append([]string{"volumes"}, kinds.ContainerLists...)...)
}

func (p *podReader) tell(pr problem) { p.template.problems = append(p.template.problems, pr) }

func (p *podReader) malformed(n tree.Node, field, want string) {
	p.tell(problem{field: field, place: p.at(n), message: "this is " + typeName(n) + ", not " + want})
}

// each walks the items of a list, which must be maps.
func (p *podReader) each(list tree.Node, field string, visit func(item tree.Node, field string)) {
	if list.Kind() != tree.Seq {
		if !list.Empty() || list.Kind() == tree.Map {
			p.malformed(list, field, "a list")
		}
		return
	}
	i := 0
	for item := range list.Items() {
		at := field + "[" + strconv.Itoa(i) + "]"
		i++
		if item.Kind() == tree.Map {
			visit(item, at)
		} else if !item.Empty() {
			p.malformed(item, at, "a map")
		}
	}
}

func (p *podReader) container(c tree.Node, field string) {
	name := c.Field("name").Text()
	for k, v := range c.Fields() {
		switch {
		case k.Is("env"):
			p.each(v, field+".env", func(item tree.Node, at string) { p.env(item, at, name) })
		case k.Is("envFrom"):
			p.each(v, field+".envFrom", func(item tree.Node, at string) {
				p.named(item, at, kinds.EnvFrom, Reference{All: true, env: true, Container: name})
			})
		case k.Is("volumeMounts"):
			p.each(v, field+".volumeMounts", p.mount)
		case k.Is("volumeDevices"):
			p.each(v, field+".volumeDevices", p.mount)
		}
	}
	p.checkTwice(c, field, p.tell, "env", "envFrom", "volumeMounts")
}

func (p *podReader) env(item tree.Node, field, container string) {
	if name := item.Field("name"); strings.HasPrefix(name.Text(), kinds.LeftoverEnv) {
		p.template.note(LeftoverEnv, Warning, p.workload, field, p.at(name), "Reloader left this variable behind: it restarts the pods whenever somebody takes it out")
	}
	for k, from := range item.Fields() {
		if !k.Is("valueFrom") {
			continue
		}
		if from.Kind() != tree.Map {
			if !from.Empty() {
				p.malformed(from, field+".valueFrom", "a map")
			}
			continue
		}
		p.named(from, field+".valueFrom", kinds.Env, Reference{env: true, Container: container})
	}
}

// named reads references of the form {name, key, optional}.
func (p *podReader) named(n tree.Node, field string, rows []kinds.NameRef, ref Reference) {
	for _, row := range rows {
		source := n.Field(row.Path[0])
		at := field + "." + row.Path[0]
		if source.Kind() != tree.Map {
			if !source.Empty() {
				p.malformed(source, at, "a map")
			}
			continue
		}
		r := ref
		if !r.All {
			key, ok := p.str(source.Field("key"), at+".key")
			if !ok {
				continue
			}
			r.Keys = []string{key}
		}
		p.add(r, row, source.Field("name"), source, at)
	}
}

// str reads a string that must be there.
func (p *podReader) str(n tree.Node, field string) (string, bool) {
	switch {
	case n.Type() == tree.String:
		return n.Text(), true
	case n.Exists() && n.Type() != tree.Null:
		p.malformed(n, field, "a string")
	}
	return "", false
}

// add adds a reference to the source that name tells; an empty name tells none.
func (p *podReader) add(ref Reference, row kinds.NameRef, name, source tree.Node, field string) {
	text, ok := p.str(name, field)
	if !ok || text == "" {
		return
	}
	ref.Kind, ref.Group, ref.Name = row.Kind, row.Group, text
	ref.Field, ref.Place = field, p.at(name)
	ref.Optional = source.Field("optional").True()
	p.template.references = append(p.template.references, ref)
}

func (p *podReader) mount(item tree.Node, field string) {
	name := item.Field("name").Text()
	if p.mounts == nil {
		p.mounts = make(map[string]mount)
	}
	m := p.mounts[name]
	sub := item.Field("subPath").Text()
	if sub == "" || item.Field("subPathExpr").Text() != "" || path.Clean(sub) == "." {
		m.whole = true
	} else {
		m.subPaths = append(m.subPaths, path.Clean(sub))
	}
	p.mounts[name] = m
}

func (p *podReader) volume(v tree.Node, field string) {
	m, mounted := p.mounts[v.Field("name").Text()]
	before := len(p.template.references)
	for _, row := range kinds.Volumes {
		source := v.Field(row.Path[0])
		name := v.Path(row.Path...)
		if !name.Exists() {
			if row.Files && source.Exists() && source.Kind() != tree.Map && !source.Empty() {
				p.malformed(source, field+"."+row.Path[0], "a map")
			}
			continue
		}
		ref := Reference{All: true, Unmounted: !mounted}
		if row.Files {
			ref = p.files(source, field+"."+row.Path[0], m, mounted)
		}
		p.add(ref, row, name, source, field+"."+row.Path.String())
	}
	if sources := v.Path("projected", "sources"); sources.Exists() {
		p.each(sources, field+".projected.sources", func(item tree.Node, at string) { p.projected(item, at, m, mounted) })
	}
	if !mounted {
		severity := Info
		if len(p.template.references) > before {
			severity = Warning
		}
		p.template.note(UnmountedVolume, severity, p.workload, field, p.at(v), "no container mounts the volume "+printable(v.Field("name").Text())+", so nothing of it is used")
	}
}

func (p *podReader) projected(item tree.Node, field string, m mount, mounted bool) {
	for _, row := range kinds.Projected {
		source := item.Field(row.Path[0])
		if source.Kind() != tree.Map {
			if !source.Empty() {
				p.malformed(source, field+"."+row.Path[0], "a map")
			}
			continue
		}
		ref := p.files(source, field+"."+row.Path[0], m, mounted)
		ref.lenient = len(m.subPaths) > 0 && !m.whole // another source may have the file
		p.add(ref, row, item.Path(row.Path...), source, field+"."+row.Path.String())
	}
}

// files tells which keys of a source a volume shows where it is mounted: those
// of items, or all; and of these, where every mount has a subPath, those that
// the subPaths reach. A folder that items make reaches every item below it.
func (p *podReader) files(source tree.Node, field string, m mount, mounted bool) Reference {
	ref := Reference{Unmounted: !mounted}
	items := source.Field("items")
	if items.Empty() {
		ref.All = m.whole || !mounted
		if !ref.All {
			ref.Keys = slices.DeleteFunc(slices.Clone(m.subPaths), func(sub string) bool { return strings.Contains(sub, "/") })
		}
		return ref
	}
	p.each(items, field+".items", func(item tree.Node, at string) {
		key, ok := p.str(item.Field("key"), at+".key")
		file := path.Clean(item.Field("path").Text())
		if ok && (m.whole || !mounted || slices.ContainsFunc(m.subPaths, func(sub string) bool {
			return file == sub || strings.HasPrefix(file, sub+"/")
		})) {
			ref.Keys = append(ref.Keys, key)
		}
	})
	return ref
}
