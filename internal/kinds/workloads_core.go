package kinds

import "slices"

// coreWorkloads are Kubernetes' own kinds, from its API reference (1.32). The
// API server has stopped serving the extensions group; manifests of it are still
// about.
var coreWorkloads = []Workload{
	{Group: "apps", Kind: "Deployment", Template: P("spec.template"), Stalls: pausable},
	{Group: "extensions", Kind: "Deployment", Template: P("spec.template"), Stalls: pausable},
	{Group: "apps", Kind: "StatefulSet", Template: P("spec.template"), Stalls: []Stall{
		{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete},
		{Path: P("spec.updateStrategy.rollingUpdate.partition"), Why: parted},
	}},
	{Group: "apps", Kind: "DaemonSet", Template: P("spec.template"), Stalls: []Stall{{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete}}},
	{Group: "extensions", Kind: "DaemonSet", Template: P("spec.template"), Stalls: []Stall{{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete}}},

	{Group: "batch", Kind: "CronJob", Template: P("spec.jobTemplate.spec.template"), Class: NextRun},
	{Group: "apps", Kind: "ReplicaSet", Template: P("spec.template"), Class: NextRun},
	{Group: "extensions", Kind: "ReplicaSet", Template: P("spec.template"), Class: NextRun},
	{Group: "", Kind: "ReplicationController", Template: P("spec.template"), Class: NextRun},
	{Group: "", Kind: "PodTemplate", Template: P("template"), Class: NextRun},

	{Group: "batch", Kind: "Job", Template: P("spec.template"), Class: Immutable},
	{Group: "", Kind: "Pod", Template: here, Class: Immutable},
}

var pausable = []Stall{{Path: P("spec.paused"), Value: "true", Why: paused}}

// platformWorkloads are kinds that run applications in a Deployment's stead, or
// make Deployments. Here and below the sources are the projects' main branches of
// summer 2026, where no version is named:
//   - Argo Rollouts, manifests/crds (spec.workloadRef of a Rollout);
//   - Knative Serving 1.23, config/core/300-resources;
//   - OLM: operator-framework/api 0.45, crds; operator-lifecycle-manager 0.46,
//     pkg/controller/install (certresources.go: the Secrets for webhooks and API
//     services are made);
//   - openshift/api, apps/v1/types.go; without triggers a DeploymentConfig has the
//     default, ConfigChange;
//   - LeaderWorkerSet 0.10, config/crd;
//   - Crossplane, cluster/crds (DeploymentRuntimeConfig);
//   - KServe 0.20, config/crd and pkg/apis/serving/v1beta1/component.go;
//   - Temporal Worker Controller 1.8, internal/k8s/deployments.go (the build ID
//     is a hash of the template);
//   - actions-runner-controller (gha-runner-scale-set 0.14),
//     autoscalingrunnerset_controller.go and runnerdeployment_controller.go.
var platformWorkloads = slices.Concat(
	[]Workload{
		{Group: "argoproj.io", Kind: "Rollout", Template: P("spec.template"), Target: P("spec.workloadRef"), Stalls: pausable},
		{Group: "serving.knative.dev", Kind: "Service", Template: P("spec.template"), Why: "a new Revision takes over"},
		{Group: "serving.knative.dev", Kind: "Configuration", Template: P("spec.template"), Why: "a new Revision takes over"},
		{
			Group: "operators.coreos.com", Kind: "ClusterServiceVersion", Template: P("spec.install.spec.deployments[].spec.template"),
			Made: []Made{
				{Path: P("spec.webhookdefinitions[].deploymentName"), Suffix: "-service-cert"},
				{Path: P("spec.apiservicedefinitions.owned[].deploymentName"), Suffix: "-service-cert"},
			},
		},
		{Group: "apps.openshift.io", Kind: "DeploymentConfig", Template: P("spec.template"), Stalls: append([]Stall{
			{Path: P("spec.triggers[].type"), Lacks: "ConfigChange", Why: "without a trigger ConfigChange a changed template waits until somebody starts a rollout"},
		}, pausable...)},
		{Group: "pkg.crossplane.io", Kind: "DeploymentRuntimeConfig", Template: P("spec.deploymentTemplate.spec.template"), Why: "the Deployments of the packages that name it roll"},
		{Group: "actions.github.com", Kind: "AutoscalingRunnerSet", Template: P("spec.template"), Why: "runners are replaced when their jobs are done"},
		{Group: "actions.github.com", Kind: "AutoscalingRunnerSet", Template: P("spec.listenerTemplate"), Why: "the listener is replaced"},
	},
	in(Workload{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet", Why: "one group of pods after the other is replaced", Stalls: []Stall{
		{Path: P("spec.rolloutStrategy.rollingUpdateConfiguration.partition"), Why: "groups below the partition keep the old template"},
	}}, "spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"),
	in(Workload{
		Group: "serving.kserve.io", Kind: "InferenceService", Annotations: P("annotations"), Spec: here, Why: "a new revision of the component takes over",
		Containers: containersAt("containers[]", "initContainers[]", "model", "huggingface", "lightgbm", "onnx", "paddle", "pmml", "pytorch",
			"sklearn", "tensorflow", "triton", "xgboost", "alibi", "art", "workerSpec.containers[]", "workerSpec.initContainers[]"),
	}, "spec.predictor", "spec.transformer", "spec.explainer"),
	of(Workload{Group: "temporal.io", Template: P("spec.template"), Why: "a new version of the worker runs beside the old one"}, "WorkerDeployment", "TemporalWorkerDeployment"),
	[]Workload{
		{Group: "actions.summerwind.dev", Kind: "RunnerSet", Template: P("spec.template"), Why: "runners are replaced when their jobs are done"},
		{
			Group: "actions.summerwind.dev", Kind: "RunnerDeployment", Template: P("spec.template"), Why: "runners are replaced when their jobs are done",
			Containers: containersAt("", "containers[]", "initContainers[]", "sidecarContainers[]"),
		},
		{
			Group: "actions.summerwind.dev", Kind: "RunnerReplicaSet", Template: P("spec.template"), Class: NextRun,
			Containers: containersAt("", "containers[]", "initContainers[]", "sidecarContainers[]"),
		},
	},
)

// kruiseWorkloads are OpenKruise's. Sources: openkruise/kruise,
// config/crd and apis/apps/{v1alpha1,v1beta1} (update strategies),
// pkg/webhook/advancedcronjob (only schedule and the like may change); issues
// 1826, 1942 and 2370 (a changed annotation is put into running pods).
var kruiseWorkloads = slices.Concat(
	[]Workload{
		{
			Group: kruise, Kind: "CloneSet", Template: P("spec.template"), Stalls: []Stall{
				{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete},
				{Path: P("spec.updateStrategy.paused"), Value: "true", Why: paused},
				{Path: P("spec.updateStrategy.rollingUpdate.paused"), Value: "true", Why: paused},
				{Path: P("spec.updateStrategy.partition"), Why: "as many pods as the partition says keep the old template"},
				{Path: P("spec.updateStrategy.rollingUpdate.partition"), Why: "as many pods as the partition says keep the old template"},
			},
			When: slices.Concat(whenInPlace("spec.updateStrategy.type"), whenInPlace("spec.updateStrategy.rollingUpdate.podUpdatePolicy")),
		},
		{
			Group: kruise, Kind: "StatefulSet", Template: P("spec.template"), Stalls: []Stall{
				{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete},
				{Path: P("spec.updateStrategy.rollingUpdate.paused"), Value: "true", Why: paused},
				{Path: P("spec.updateStrategy.rollingUpdate.partition"), Why: parted},
			},
			When: whenInPlace("spec.updateStrategy.rollingUpdate.podUpdatePolicy"),
		},
		{
			Group: kruise, Kind: "DaemonSet", Template: P("spec.template"), Stalls: []Stall{
				{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete},
				{Path: P("spec.updateStrategy.rollingUpdate.paused"), Value: "true", Why: paused},
				{Path: P("spec.updateStrategy.rollingUpdate.partition"), Why: "as many pods as the partition says keep the old template"},
			},
			When: whenInPlace("spec.updateStrategy.rollingUpdate.rollingUpdateType"),
		},
		{
			Group: kruise, Kind: "UnitedDeployment", Template: P("spec.template.cloneSetTemplate.spec.template"),
			When: slices.Concat(whenInPlace("spec.template.cloneSetTemplate.spec.updateStrategy.type"), whenInPlace("spec.template.cloneSetTemplate.spec.updateStrategy.rollingUpdate.podUpdatePolicy")),
		},
		{
			Group: kruise, Kind: "UnitedDeployment", Template: P("spec.template.advancedStatefulSetTemplate.spec.template"),
			When: whenInPlace("spec.template.advancedStatefulSetTemplate.spec.updateStrategy.rollingUpdate.podUpdatePolicy"),
		},
		// Its own annotations take the stamp of one who opts in: what it puts
		// into pods has no place for annotations of its own.
		{Group: kruise, Kind: "SidecarSet", Template: here, Class: InPlace, Why: "the pods that it has put containers into run on"},
		{Group: kruise, Kind: "BroadcastJob", Template: P("spec.template"), Class: NextRun},
	},
	in(Workload{Group: kruise, Kind: "UnitedDeployment"}, "spec.template.statefulSetTemplate.spec.template", "spec.template.deploymentTemplate.spec.template"),
	in(Workload{Group: kruise, Kind: "AdvancedCronJob", Class: Immutable}, "spec.template.jobTemplate.spec.template", "spec.template.broadcastJobTemplate.spec.template"),
)

const (
	kruise  = "apps.kruise.io"
	inPlace = "its update strategy puts a changed annotation into the running pods, whose containers run on"
)

func whenInPlace(path string) []When {
	return []When{{Path: P(path), Values: []string{"InPlaceIfPossible", "InPlaceOnly"}, Class: InPlace, Why: inPlace}}
}
