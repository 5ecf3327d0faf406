package graph

import "sync"

// spot is where an object is looked for. The group is not part of it: few kinds
// of one name have several.
type spot struct{ kind, namespace, name string }

// index finds objects by kind, namespace and name. A lookup takes constant
// time, also where many namespaces have an object of one name.
type index[T comparable] struct {
	first map[spot]T
	more  map[spot][]T // behind the first; few spots have several
	order []spot       // as they came

	once   sync.Once
	spread map[spot][]string // the first few namespaces of a kind and name; made when somebody asks
}

// few namespaces are enough to tell several from one, and to name some.
const few = 3

func newIndex[T comparable](size int) *index[T] {
	return &index[T]{first: make(map[spot]T, size), more: make(map[spot][]T)}
}

func (x *index[T]) add(at spot, object T) {
	if _, ok := x.first[at]; ok {
		x.more[at] = append(x.more[at], object)
		return
	}
	x.first[at] = object
	x.order = append(x.order, at)
}

// at returns all objects of a spot.
func (x *index[T]) at(buf []T, at spot) []T {
	if first, ok := x.first[at]; ok {
		buf = append(append(buf, first), x.more[at]...)
	}
	return buf
}

// find appends the objects that count for somebody in the spot's namespace:
// those in it; else, where one of the two sides has none, the compatible ones.
// ambiguous says that these are of several namespaces; then a few are given.
func (x *index[T]) find(buf []T, at spot) (found []T, ambiguous bool) {
	found = x.at(buf, at)
	if len(found) > len(buf) {
		return found, false
	}
	if at.namespace != "" {
		at.namespace = ""
		return x.at(buf, at), false
	}
	namespaces := x.namespaces(at)
	for _, at.namespace = range namespaces {
		found = x.at(found, at)
	}
	return found, len(namespaces) > 1
}

// namespaces are the first few namespaces that have an object of a kind and
// name.
func (x *index[T]) namespaces(at spot) []string {
	x.once.Do(func() {
		x.spread = make(map[spot][]string)
		for _, s := range x.order {
			key := spot{kind: s.kind, name: s.name}
			if list := x.spread[key]; len(list) < few {
				x.spread[key] = append(list, s.namespace)
			}
		}
	})
	return x.spread[spot{kind: at.kind, name: at.name}]
}

// replace puts an object in another one's place.
func (x *index[T]) replace(at spot, old, by T) {
	if x.first[at] == old {
		x.first[at] = by
		return
	}
	for i, object := range x.more[at] {
		if object == old {
			x.more[at][i] = by
		}
	}
}
