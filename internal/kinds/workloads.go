package kinds

import (
	"fmt"
	"slices"
	"strings"
)

// Class says what a change of a kind's pod template does.
type Class uint8

// The classes, with what is done by default.
const (
	Rolls     Class = iota // new pods replace the old ones: stamped
	NextRun                // pods of the next run or replacement alone: left, unless opted in
	Immutable              // refused by the API server: never touched
	InPlace                // the pods get the annotation and run on: left, with a warning, unless opted in
	Costly                 // running work is killed: left, unless opted in per object
	Elsewhere              // new pods come of an annotation of its own: stamped there
)

var classNames = []string{"rolls", "next-run", "immutable", "in-place", "costly", "elsewhere"}

// String is the class's name in the documentation.
func (c Class) String() string { return classNames[c] }

// ClassNames are the names of all classes.
func ClassNames() []string { return slices.Clone(classNames) }

// MarshalText is for rows that are printed.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is for rows that users write.
func (c *Class) UnmarshalText(text []byte) error {
	i := slices.Index(classNames, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %s", text, strings.Join(classNames, ", "))
	}
	*c = Class(i)
	return nil
}

// Workload says where a kind keeps pod templates. A kind may have several rows,
// one for each place.
type Workload struct {
	Group       string  `json:"group,omitempty"`
	Kind        string  `json:"kind"`
	Template    Path    `json:"template"`             // to each pod template
	Annotations Path    `json:"annotations,omitzero"` // from there to its annotations; default: metadata, annotations
	Annotation  string  `json:"annotation,omitempty"` // that takes the stamp; default: the stamp's own
	Spec        Path    `json:"spec,omitzero"`        // from the template to the pod's spec; default: spec
	Containers  []Path  `json:"containers,omitzero"`  // from the spec to each container; default: those of a PodSpec
	Volumes     Path    `json:"volumes,omitzero"`     // from the spec to the list of volumes; default: volumes; the empty path: it has none
	Mounted     bool    `json:"mounted,omitempty"`    // its volumes count though no container mounts them
	Class       Class   `json:"class"`
	When        []When  `json:"when,omitempty"`   // other classes, of objects with certain settings
	Why         string  `json:"why,omitempty"`    // what a change of the template does, where the class does not say all: a main clause
	Target      Path    `json:"target,omitzero"`  // to a reference {apiVersion, kind, name} whose pod template is used instead
	Stalls      []Stall `json:"stalls,omitempty"` // settings with which a changed template rolls late or never
	Made        []Made  `json:"made,omitempty"`   // Secrets that the controller makes, so that no manifest has them
}

// Made is the name of a Secret that a controller makes for an object.
type Made struct {
	Path   Path   `json:"path"`             // to what the name starts with
	Suffix string `json:"suffix,omitempty"` // what follows
}

// When gives objects with a setting another class.
type When struct {
	Path   Path     `json:"path"`
	Values []string `json:"values"` // "" stands for a field that is not there
	Class  Class    `json:"class"`
	Why    string   `json:"why,omitempty"` // as in Workload
}

// Stall is a setting that keeps a changed pod template from rolling by itself.
type Stall struct {
	Path  Path   `json:"path"`
	Value string `json:"value,omitempty"` // default: any number above zero
	Lacks string `json:"lacks,omitempty"` // instead of a value: a word that is not among those of a list
	Why   string `json:"why"`
}

// Reference is a field outside of a pod's spec that names a source. It counts
// for the innermost pod template that it stands in, or, outside of any, for all
// of the object's.
type Reference struct {
	Group   string `json:"group,omitempty"`
	Kind    string `json:"kind"`
	Path    Path   `json:"path"`              // to the source's name
	Key     string `json:"key,omitempty"`     // the field beside the name that tells the one key that is used; default: all are
	For     Path   `json:"for,omitzero"`      // the pod templates that it counts for: a row's template; default: see above
	To      string `json:"to"`                // the source's kind
	ToGroup string `json:"toGroup,omitempty"` // and group
}

// Workloads is the table of kinds with pod templates.
var Workloads = slices.Concat(
	coreWorkloads, platformWorkloads, kruiseWorkloads, batchWorkloads,
	monitoringWorkloads, databaseWorkloads, serviceWorkloads,
)

// of returns a row for each of several kinds that keep their pods alike.
func of(row Workload, kinds ...string) []Workload {
	rows := slices.Repeat([]Workload{row}, len(kinds))
	for i, kind := range kinds {
		rows[i].Kind = kind
	}
	return rows
}

// in returns a row for each of several places where one kind keeps pods.
func in(row Workload, templates ...string) []Workload {
	rows := slices.Repeat([]Workload{row}, len(templates))
	for i, template := range templates {
		rows[i].Template = P(template)
	}
	return rows
}

// here is the path that stays where it is.
var here = Path{}

// containersAt are the paths to containers, "" to a map that is read like one.
func containersAt(dotted ...string) (all []Path) {
	for _, d := range dotted {
		if d == "" {
			all = append(all, here)
		} else {
			all = append(all, P(d))
		}
	}
	return all
}

const (
	paused   = "the workload is paused: its pods stay as they are until it is resumed"
	onDelete = "update strategy OnDelete: pods get the new template only when somebody deletes them"
	parted   = "pods below the partition keep the old template"
)
