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
	Mounted     bool    `json:"mounted,omitempty"`    // its volumes count though no container mounts them
	Class       Class   `json:"class"`
	When        []When  `json:"when,omitempty"`   // other classes, of objects with certain settings
	Why         string  `json:"why,omitempty"`    // what a change of the template does, where the class does not say all
	Target      Path    `json:"target,omitzero"`  // to a reference {apiVersion, kind, name} whose pod template is used instead
	Stalls      []Stall `json:"stalls,omitempty"` // settings with which a changed template rolls late or never
}

// When gives objects with a setting another class.
type When struct {
	Path   Path     `json:"path"`
	Values []string `json:"values"` // "" stands for a field that is not there
	Class  Class    `json:"class"`
}

// Stall is a setting that keeps a changed pod template from rolling by itself.
type Stall struct {
	Path  Path   `json:"path"`
	Value string `json:"value,omitempty"` // default: any number above zero
	Why   string `json:"why"`
}

// Reference is a field outside of a pod's spec that names a source. It counts
// for the pod template that it stands in, or, outside of any, for all of the
// object's.
type Reference struct {
	Group   string `json:"group,omitempty"`
	Kind    string `json:"kind"`
	Path    Path   `json:"path"`              // to the source's name
	Key     string `json:"key,omitempty"`     // the field beside the name that tells the one key that is used; default: all are
	To      string `json:"to"`                // the source's kind
	ToGroup string `json:"toGroup,omitempty"` // and group
}

const paused = "the workload is paused: its pods stay as they are until it is resumed"

// Workloads is the table of kinds with pod templates. Sources: the API
// reference of Kubernetes 1.32 (apps, batch, core), Argo Rollouts'
// specification (spec.workloadRef), Knative's (serving.knative.dev), OLM's
// ClusterServiceVersion type, KEDA's ScaledJob (its default rollout strategy
// deletes running Jobs). The API server has stopped serving the extensions
// group; manifests of it are still about.
var Workloads = []Workload{
	{Group: "apps", Kind: "Deployment", Template: P("spec.template"), Stalls: []Stall{{P("spec.paused"), "true", paused}}},
	{Group: "extensions", Kind: "Deployment", Template: P("spec.template"), Stalls: []Stall{{P("spec.paused"), "true", paused}}},
	{Group: "apps", Kind: "StatefulSet", Template: P("spec.template"), Stalls: []Stall{
		{P("spec.updateStrategy.type"), "OnDelete", onDelete},
		{P("spec.updateStrategy.rollingUpdate.partition"), "", "pods below the partition keep the old template"},
	}},
	{Group: "apps", Kind: "DaemonSet", Template: P("spec.template"), Stalls: []Stall{{P("spec.updateStrategy.type"), "OnDelete", onDelete}}},
	{Group: "extensions", Kind: "DaemonSet", Template: P("spec.template"), Stalls: []Stall{{P("spec.updateStrategy.type"), "OnDelete", onDelete}}},
	{Group: "argoproj.io", Kind: "Rollout", Template: P("spec.template"), Target: P("spec.workloadRef"), Stalls: []Stall{{P("spec.paused"), "true", paused}}},
	{Group: "serving.knative.dev", Kind: "Service", Template: P("spec.template")},
	{Group: "operators.coreos.com", Kind: "ClusterServiceVersion", Template: P("spec.install.spec.deployments[].spec.template")},

	{Group: "batch", Kind: "CronJob", Template: P("spec.jobTemplate.spec.template"), Class: NextRun},
	{Group: "apps", Kind: "ReplicaSet", Template: P("spec.template"), Class: NextRun},
	{Group: "extensions", Kind: "ReplicaSet", Template: P("spec.template"), Class: NextRun},
	{Group: "", Kind: "ReplicationController", Template: P("spec.template"), Class: NextRun},
	{Group: "", Kind: "PodTemplate", Template: P("template"), Class: NextRun},

	{Group: "batch", Kind: "Job", Template: P("spec.template"), Class: Immutable},
	{Group: "", Kind: "Pod", Template: Path{}, Class: Immutable},

	{Group: "keda.sh", Kind: "ScaledJob", Template: P("spec.jobTargetRef.template"), Class: Costly},
}

const onDelete = "update strategy OnDelete: pods get the new template only when somebody deletes them"

// References is the table of references outside of pods.
var References = []Reference{}
