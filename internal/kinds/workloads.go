package kinds

// Class says what a change of a kind's pod template does.
type Class uint8

// The classes, with what is done by default.
const (
	Rolls     Class = iota // new pods replace the old ones: stamped
	NextRun                // pods of the next run or replacement alone: left, unless opted in
	Immutable              // refused by the API server: never touched
	Costly                 // running work is killed: left, unless opted in per object
)

// String is the class's name in the documentation.
func (c Class) String() string {
	return [...]string{"rolls", "next-run", "immutable", "costly"}[c]
}

// Workload says where a kind keeps its pod templates.
type Workload struct {
	Group, Kind string
	Template    Path // to each pod template
	Class       Class
	Target      Path    // to a reference {apiVersion, kind, name} whose pod template is used instead
	Stalls      []Stall // settings with which a changed template rolls late or never
}

// Stall is a setting that keeps a changed pod template from rolling by itself.
type Stall struct {
	Path  Path
	Value string // "" stands for any number above zero
	Why   string
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
