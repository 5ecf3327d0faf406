package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
)

// Selection says which part of a picture is wanted. The zero value is all of
// it.
type Selection struct {
	From       []string // sources, as Kind[.group]/[namespace/]name[:key]: what uses them
	Of         []string // workloads, likewise without a key: what they use
	Namespaces []string // of workloads and sources, "" for the unset one
	Missing    bool     // what is not there, or not told
	Unused     bool     // what nobody uses
}

// NoneError says that a picture has nothing of a name.
type NoneError struct {
	Name string
	Has  []string // what it has instead
}

func (e *NoneError) Error() string { return fmt.Sprintf("the input has nothing that %s names", e.Name) }

// Select returns the part of a picture that is wanted.
func (p *Picture) Select(s Selection) (*Picture, error) {
	part := p
	if len(s.Namespaces) > 0 {
		part = part.keep(part.within(s.Namespaces))
	}
	var err error
	if len(s.From) > 0 {
		if part, err = part.from(s.From); err != nil {
			return nil, err
		}
	}
	if len(s.Of) > 0 {
		if part, err = part.of(s.Of); err != nil {
			return nil, err
		}
	}
	if s.Missing || s.Unused {
		part = part.keep(func(u *Use) bool {
			return s.Missing && (u.Source.Unresolved() && u.State != graph.Ignored || len(u.Lacks) > 0)
		}, func(n *Source) bool { return s.Unused && n.Unused() }, nil)
	}
	return part, nil
}

// keep returns the part of a picture with certain uses, and, used or not,
// certain sources and workloads. A source comes with its producers.
func (p *Picture) keep(use func(*Use) bool, source func(*Source) bool, workload func(*Workload) bool) *Picture {
	part := &Picture{From: p.From}
	sources, workloads := make(map[*Source]*Source), make(map[*Workload]*Workload)
	var addSource func(*Source) *Source
	addSource = func(s *Source) *Source {
		n := sources[s]
		if n == nil {
			c := *s
			n = &c
			n.Uses, n.Makes, n.MadeBy = nil, nil, nil
			sources[s] = n
			part.Sources = append(part.Sources, n)
			for _, by := range s.MadeBy {
				maker := addSource(by)
				maker.Makes, n.MadeBy = append(maker.Makes, n), append(n.MadeBy, maker)
			}
		}
		return n
	}
	addWorkload := func(w *Workload) *Workload {
		n := workloads[w]
		if n == nil {
			c := *w
			n = &c
			n.Uses = nil
			workloads[w] = n
			part.Workloads = append(part.Workloads, n)
		}
		return n
	}
	for _, u := range p.Uses {
		if use(u) {
			c := *u
			c.Source, c.Workload = addSource(u.Source), addWorkload(u.Workload)
			c.Source.Uses, c.Workload.Uses = append(c.Source.Uses, &c), append(c.Workload.Uses, &c)
			part.Uses = append(part.Uses, &c)
		}
	}
	for _, s := range p.Sources {
		if source != nil && source(s) {
			addSource(s)
		}
	}
	for _, w := range p.Workloads {
		if workload != nil && workload(w) {
			addWorkload(w)
		}
	}
	part.sort()
	return part
}

// within are the parts of a picture that are in namespaces.
func (p *Picture) within(namespaces []string) (func(*Use) bool, func(*Source) bool, func(*Workload) bool) {
	in := func(id graph.ID) bool { return slices.Contains(namespaces, id.Namespace) }
	return func(u *Use) bool { return in(u.Workload.ID) || in(u.Source.ID) },
		func(s *Source) bool { return in(s.ID) },
		func(w *Workload) bool { return in(w.ID) }
}

// from is who uses some sources, and what is made of them.
func (p *Picture) from(names []string) (*Picture, error) {
	keys := make(map[*Source][]string) // that are of interest, "" for all
	for _, name := range names {
		object, key, hasKey := strings.Cut(name, ":")
		if !hasKey {
			key = ""
		}
		found := false
		for _, s := range p.Sources {
			if Names(object, s.ID) {
				found = true
				keys[s] = append(keys[s], key)
				for _, made := range s.Makes {
					keys[made] = append(keys[made], key)
				}
			}
		}
		if !found {
			return nil, &NoneError{name, sourceNames(p)}
		}
	}
	part := p.keep(func(u *Use) bool {
		return slices.ContainsFunc(keys[u.Source], u.asksFor)
	}, func(s *Source) bool { return keys[s] != nil }, nil)
	part.From = names
	for _, u := range part.Uses {
		u.narrow(keys, p)
	}
	return part, nil
}

// asksFor reports whether a use is about a key, "" for any.
func (u *Use) asksFor(key string) bool {
	return key == "" || u.All || slices.Contains(u.Keys, key) || slices.Contains(u.Counts, key)
}

// narrow leaves of what counts the keys that are of interest.
func (u *Use) narrow(keys map[*Source][]string, p *Picture) {
	for s, wanted := range keys {
		if s.ID != u.Source.ID || slices.Contains(wanted, "") {
			continue
		}
		u.Counts = slices.DeleteFunc(slices.Clone(u.Counts), func(key string) bool { return !slices.Contains(wanted, key) })
		u.All, u.Keys = false, wanted
		u.Left = slices.DeleteFunc(slices.Clone(u.Left), func(why string) bool {
			return !slices.ContainsFunc(wanted, func(key string) bool { return strings.Contains(why, "key "+key) })
		})
		if len(u.Counts) == 0 && len(u.Left) == 0 {
			u.Left = []string{"it has no key " + strings.Join(wanted, ", ")}
		}
	}
}

// of is what some workloads use.
func (p *Picture) of(names []string) (*Picture, error) {
	wanted := make(map[*Workload]bool)
	for _, name := range names {
		found := false
		for _, w := range p.Workloads {
			if Names(name, w.ID) {
				found, wanted[w] = true, true
			}
		}
		if !found {
			return nil, &NoneError{name, workloadNames(p)}
		}
	}
	return p.keep(func(u *Use) bool { return wanted[u.Workload] }, nil, func(w *Workload) bool { return wanted[w] }), nil
}

func sourceNames(p *Picture) (names []string) {
	for _, s := range p.Sources {
		names = append(names, s.Name)
	}
	return names
}

func workloadNames(p *Picture) (names []string) {
	for _, w := range p.Workloads {
		names = append(names, w.Name)
	}
	return names
}

// Names reports whether a user's words mean an object: its name,
// Kind[.group]/name or Kind[.group]/namespace/name. The kind's case does not
// count, as with kubectl.
func Names(words string, id graph.ID) bool {
	parts := strings.Split(words, "/")
	last := len(parts) - 1
	if last > 2 || parts[last] != id.Name {
		return false
	}
	if last == 0 {
		return true
	}
	kind, group, hasGroup := strings.Cut(parts[0], ".")
	return strings.EqualFold(kind, id.Kind) && (!hasGroup || group == id.Group) && (last == 1 || parts[1] == id.Namespace)
}
