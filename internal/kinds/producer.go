package kinds

// Producer says which object a controller makes of a kind's objects, and what
// in them decides its content. A kind of which several are made has a row for
// each; where two of them name one field as content, it counts as the first
// one says.
type Producer struct {
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"` // default: every kind without a row that has a value at Name
	Makes string `json:"makes,omitempty"`

	MakesPath Path `json:"makesPath,omitempty"` // to the kind of what is made, where the object says it; an apiVersion may stand beside it
	When      Path `json:"when,omitempty"`      // to what must be there, or nothing is made

	// Each leads to items of which each makes an object. The paths below, down
	// to Computed, start at the item then, and else at the object.
	Each       Path     `json:"each,omitempty"`
	Name       Path     `json:"name,omitempty"`       // to the name of what is made
	Names      []string `json:"names,omitempty"`      // its names where no value is there; default: the producer's own where Name is not told either
	Namespace  Path     `json:"namespace,omitempty"`  // to its namespaces; default: the producer's own
	Everywhere bool     `json:"everywhere,omitempty"` // the producer has no namespace; it makes one in every namespace, if not Namespace leads to some
	Selectors  []Path   `json:"selectors,omitempty"`  // to what selects further namespaces: then any may have one
	Entries    []Path   `json:"entries,omitempty"`    // to what decides single keys: a map by key, or a list
	EntryKey   string   `json:"entryKey,omitempty"`   // the field of a list's item, or of a map's value, that names the key
	Keys       []Path   `json:"keys,omitempty"`       // to the names of keys that have no entry
	Open       []Path   `json:"open,omitempty"`       // where still further keys may come from; they may in any case where the row tells no key
	Computed   []Path   `json:"computed,omitempty"`   // where values are computed, so that every entry may decide every key

	// The paths below start at the object.
	Content []Path `json:"content,omitempty"` // to what decides every key
	Without []Path `json:"without,omitempty"` // to what of it does not

	Policy        Path     `json:"policy,omitempty"`        // to a word that says whether the object is made
	PolicyDefault string   `json:"policyDefault,omitempty"` // the word where none is there
	Merges        []string `json:"merges,omitempty"`        // words for: the keys go into an object that others make
	MakesNot      []string `json:"makesNot,omitempty"`      // words for: nothing is made
}

// Names are patterns: {spec.user.name} stands for the text at that path of the
// item or of the object, {a|b} for the first of both that there is, and {key}
// for the item's key where it is a map's value. A pattern that lacks a text
// makes no name.
var ownName = []string{"{metadata.name}"}

// Counts reports whether anything in the producer decides the content of what
// is made. Where nothing does, the content is random or comes from elsewhere:
// it restarts nobody, but who refers to it refers to something that is there.
func (p *Producer) Counts() bool { return len(p.Entries)+len(p.Content) > 0 }

// paths makes Paths of their dotted forms.
func paths(dotted ...string) []Path {
	all := make([]Path, len(dotted))
	for i, d := range dotted {
		all[i] = P(d)
	}
	return all
}

// kindsOf repeats a row for several kinds of its group.
func kindsOf(row Producer, kinds ...string) []Producer {
	rows := make([]Producer, len(kinds))
	for i, kind := range kinds {
		rows[i] = row
		rows[i].Kind = kind
	}
	return rows
}
