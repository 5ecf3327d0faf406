package graph

import "sync"

// index finds objects by kind, namespace and name. A lookup takes constant
// time, also where many namespaces have an object of one name.
type index[T any] struct {
	first map[ID]T
	more  map[ID][]T // behind the first: several producers may make one object
	order []ID       // as they came

	once   sync.Once
	spread map[ID][]string // the first few namespaces that a name has; made when somebody asks
}

// few namespaces are enough to tell several from one, and to name some.
const few = 3

func newIndex[T any](size int) *index[T] {
	return &index[T]{first: make(map[ID]T, size), more: make(map[ID][]T)}
}

func (x *index[T]) add(at ID, object T) {
	if _, ok := x.first[at]; ok {
		x.more[at] = append(x.more[at], object)
		return
	}
	x.first[at] = object
	x.order = append(x.order, at)
}

// at returns the objects of an identity.
func (x *index[T]) at(buf []T, at ID) []T {
	if first, ok := x.first[at]; ok {
		buf = append(append(buf, first), x.more[at]...)
	}
	return buf
}

// find appends the objects that count for somebody in the identity's namespace:
// those in it; else, where one of the two sides has none, the compatible ones.
// ambiguous says that these are of several namespaces; then a few are given.
func (x *index[T]) find(buf []T, at ID) (found []T, ambiguous bool) {
	found = x.at(buf, at)
	if len(found) > len(buf) {
		return found, false
	}
	if at.Namespace != "" {
		at.Namespace = ""
		return x.at(buf, at), false
	}
	namespaces := x.namespaces(at)
	for _, at.Namespace = range namespaces {
		found = x.at(found, at)
	}
	return found, len(namespaces) > 1
}

// namespaces are the first few namespaces that have an object of a group, kind
// and name.
func (x *index[T]) namespaces(at ID) []string {
	x.once.Do(func() {
		x.spread = make(map[ID][]string)
		for _, s := range x.order {
			key := s
			key.Namespace = ""
			if list := x.spread[key]; len(list) < few {
				x.spread[key] = append(list, s.Namespace)
			}
		}
	})
	at.Namespace = ""
	return x.spread[at]
}

// makers are producers by what they make.
type makers struct {
	near *index[*Source] // in a namespace
	all  *index[*Source] // in any
}

func newMakers() *makers { return &makers{newIndex[*Source](0), newIndex[*Source](0)} }

func (m *makers) add(p *product, s *Source) {
	if p.everywhere {
		id := p.id
		id.Namespace = ""
		m.all.add(id, s)
		return
	}
	m.near.add(p.id, s)
}

// find appends the producers that count for somebody in the identity's
// namespace: those that make it there; else those that make it in any.
func (m *makers) find(buf []*Source, at ID) (found []*Source, ambiguous bool) {
	if found, ambiguous = m.near.find(buf, at); len(found) > len(buf) {
		return found, ambiguous
	}
	at.Namespace = ""
	return m.all.at(buf, at), false
}
