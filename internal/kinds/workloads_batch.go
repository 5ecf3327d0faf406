package kinds

import "slices"

// batchWorkloads are kinds whose pods do a job and end. Sources:
//   - KEDA 2.20, config/crd and controllers/keda/scaledjob_controller.go (all
//     strategies but gradual delete the Jobs that run; the old field rules);
//   - JobSet 0.13, pkg/webhooks/jobset_webhook.go (immutable unless suspended);
//   - Kubeflow training-operator, branch release-1.9, pkg/apis/kubeflow.org/v1,
//     and mpi-operator, manifests (MPIJob v2beta1);
//   - KubeRay 1.7, ray-operator/config/crd and apis/ray/v1 (upgradeStrategy);
//   - Spark operator, api/v1beta2; issues 2766 and 2774 (a changed spec ends
//     the application and submits it again);
//   - Flink operator, FlinkDeploymentSpec, JobManagerSpec, TaskManagerSpec
//     (a changed spec is a job upgrade);
//   - Argo Workflows 4.1, pkg/apis/workflow/v1alpha1/workflow_types.go;
//   - Argo Rollouts, manifests/crds (Experiment, AnalysisTemplate);
//   - KubeVirt 1.9, api/core/v1/schema.go, pkg/virt-controller/watch/pool.
var batchWorkloads = slices.Concat(
	[]Workload{
		{Group: "keda.sh", Kind: "ScaledJob", Template: P("spec.jobTargetRef.template"), Class: Costly, Why: deletesJobs, When: []When{
			{Path: P("spec.rolloutStrategy"), Values: []string{"gradual"}, Class: NextRun, Why: gradual},
			{Path: P("spec.rolloutStrategy"), Values: []string{"default", "immediate"}, Class: Costly, Why: deletesJobs},
			{Path: P("spec.rollout.strategy"), Values: []string{"gradual"}, Class: NextRun, Why: gradual},
		}},
		{Group: "jobset.x-k8s.io", Kind: "JobSet", Template: P("spec.replicatedJobs[].template.spec.template"), Class: Immutable},
		{Group: "argoproj.io", Kind: "Experiment", Template: P("spec.templates[].template"), Class: NextRun},
	},
	kubeflow("PyTorchJob", "spec.pytorchReplicaSpecs{}.template"), kubeflow("TFJob", "spec.tfReplicaSpecs{}.template"),
	kubeflow("XGBoostJob", "spec.xgbReplicaSpecs{}.template"), kubeflow("PaddleJob", "spec.paddleReplicaSpecs{}.template"),
	kubeflow("JAXJob", "spec.jaxReplicaSpecs{}.template"), kubeflow("MPIJob", "spec.mpiReplicaSpecs{}.template"),
	of(Workload{Group: "argoproj.io", Template: P("spec.metrics[].provider.job.spec.template"), Class: NextRun}, "AnalysisTemplate", "ClusterAnalysisTemplate"),
	ray, spark, flink, workflows, virtualMachines,
)

func kubeflow(kind, template string) []Workload {
	return []Workload{{
		Group: "kubeflow.org", Kind: kind, Template: P(template), Class: NextRun,
		Why: "replicas that run keep the old template",
	}}
}

const (
	deletesJobs = "a change of the pod template deletes the Jobs that run"
	gradual     = "Jobs that run go on with the old template"

	rayGroup   = "ray.io"
	newCluster = "a change of a pod template makes a whole new cluster"
	laterPods  = "only pods that are made later get a changed template"
)

var ray = slices.Concat(
	in(Workload{
		Group: rayGroup, Kind: "RayCluster", Class: NextRun, Why: laterPods,
		When: []When{{Path: P("spec.upgradeStrategy.type"), Values: []string{"Recreate"}, Class: Costly, Why: "a change of a pod template ends all pods of the cluster"}},
	}, "spec.headGroupSpec.template", "spec.workerGroupSpecs[].template"),
	in(Workload{
		Group: rayGroup, Kind: "RayService", Class: Costly, Why: newCluster,
		When: []When{{Path: P("spec.upgradeStrategy.type"), Values: []string{"None"}, Class: NextRun, Why: laterPods}},
	}, "spec.rayClusterConfig.headGroupSpec.template", "spec.rayClusterConfig.workerGroupSpecs[].template"),
	in(Workload{Group: rayGroup, Kind: "RayJob", Class: NextRun},
		"spec.rayClusterSpec.headGroupSpec.template", "spec.rayClusterSpec.workerGroupSpecs[].template", "spec.submitterPodTemplate"),
	in(Workload{Group: rayGroup, Kind: "RayCronJob", Class: NextRun},
		"spec.jobTemplate.rayClusterSpec.headGroupSpec.template", "spec.jobTemplate.rayClusterSpec.workerGroupSpecs[].template", "spec.jobTemplate.submitterPodTemplate"),
)

// Volumes stand beside driver and executor: references tell of them.
var sparkPod = Workload{
	Group: "sparkoperator.k8s.io", Annotations: P("annotations"), Spec: here, Volumes: here,
	Containers: containersAt("", "sidecars[]", "initContainers[]", "template.spec.containers[]", "template.spec.initContainers[]"),
}

var spark = slices.Concat(
	in(sparkPod.as("SparkApplication", Costly, "a change ends the application and submits it again"), "spec.driver", "spec.executor"),
	in(sparkPod.as("ScheduledSparkApplication", NextRun, ""), "spec.template.driver", "spec.template.executor"),
)

// as is a row with a kind, a class and what a change does.
func (w Workload) as(kind string, class Class, why string) Workload {
	w.Kind, w.Class, w.Why = kind, class, why
	return w
}

var flink = in(Workload{
	Group: "flink.apache.org", Kind: "FlinkDeployment", Class: Costly, Why: "a change of a pod template upgrades the job: it stops, and goes on from its state",
}, "spec.podTemplate", "spec.jobManager.podTemplate", "spec.taskManager.podTemplate")

var workflows = func() []Workload {
	w := Workload{
		Group: "argoproj.io", Template: P("spec"), Annotations: P("podMetadata.annotations"), Spec: here, Class: NextRun,
		Containers: containersAt("templates[].container", "templates[].script", "templates[].containerSet.containers[]",
			"templates[].initContainers[]", "templates[].sidecars[]",
			"templateDefaults.container", "templateDefaults.script", "templateDefaults.initContainers[]", "templateDefaults.sidecars[]"),
	}
	rows := of(w, "Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate")
	w.Template = P("spec.workflowSpec")
	return append(rows, of(w, "CronWorkflow")...)
}()

var virtualMachines = slices.Concat(
	of(Workload{Group: "kubevirt.io", Template: P("spec.template"), Mounted: true, Class: NextRun, Why: "a virtual machine takes the change when somebody restarts it"},
		"VirtualMachine", "VirtualMachineInstanceReplicaSet"),
	[]Workload{
		{Group: "pool.kubevirt.io", Kind: "VirtualMachinePool", Template: P("spec.virtualMachineTemplate.spec.template"), Mounted: true, Class: Costly, Why: "a change of the template restarts the virtual machines"},
		{Group: "kubevirt.io", Kind: "VirtualMachineInstance", Template: here, Mounted: true, Class: Immutable},
	},
)
