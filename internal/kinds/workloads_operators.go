package kinds

import "slices"

// monitoringWorkloads are kinds of operators for metrics, logs and traces. The
// operators make the annotations of a changed object those of their Deployments,
// StatefulSets and DaemonSets. Sources:
//   - Prometheus operator 0.93, example/prometheus-operator-crd-full;
//   - VictoriaMetrics operator 0.74, config/crd/overlay and
//     internal/controller/operator/factory;
//   - OpenTelemetry operator 0.158, bundle/manifests (a sidecar's collector has
//     no pods of its own);
//   - Logging operator 6.7, config/crd and pkg/resources/{fluentd,fluentbit};
//   - Datadog operator, config/crd and
//     internal/controller/datadogagent/override/podtemplatespec.go;
//   - Grafana operator 5.24, config/crd.
var monitoringWorkloads = slices.Concat(
	of(podMetadata("monitoring.coreos.com", "spec", "thanos"), "Prometheus"),
	of(podMetadata("monitoring.coreos.com", "spec"), "PrometheusAgent", "ThanosRuler", "Alertmanager"),
	of(podMetadata(victoria, "spec", "vmBackup"),
		"VMAgent", "VMAlert", "VMSingle", "VMAuth", "VMAlertmanager", "VMAnomaly", "VLAgent", "VLogs", "VLSingle", "VTSingle"),
	victoriaCluster("VMCluster", "spec.vmselect", "spec.vminsert", "spec.vmstorage"),
	victoriaCluster("VLCluster", "spec.vlselect", "spec.vlinsert", "spec.vlstorage"),
	victoriaCluster("VTCluster", "spec.select", "spec.insert", "spec.storage"),
	of(Workload{
		Group: "opentelemetry.io", Template: P("spec"), Annotations: P("podAnnotations"), Spec: here,
		Containers: containersAt("", "initContainers[]", "additionalContainers[]"),
		When:       []When{{Path: P("spec.mode"), Values: []string{"sidecar"}, Class: NextRun, Why: "pods with the collector as a sidecar take a change when they start"}},
	}, "OpenTelemetryCollector"),
	[]Workload{
		{
			Group: "opentelemetry.io", Kind: "TargetAllocator", Template: P("spec"), Annotations: P("podAnnotations"), Spec: here,
			Containers: containersAt("", "initContainers[]", "additionalContainers[]"),
		},
		{Group: "opentelemetry.io", Kind: "OpAMPBridge", Template: P("spec"), Annotations: P("podAnnotations"), Spec: here, Containers: containersAt("")},
	},
	logging("Logging", "annotations", here, "spec.fluentd", "spec.fluentbit"), logging("FluentdConfig", "annotations", here, "spec"), logging("FluentbitAgent", "annotations", here, "spec"),
	logging("Logging", "statefulSet.spec.template.metadata.annotations", P("statefulSet.spec.template.spec"), "spec.syslogNG"),
	logging("SyslogNGConfig", "statefulSet.spec.template.metadata.annotations", P("statefulSet.spec.template.spec"), "spec"),
	[]Workload{
		{
			Group: "datadoghq.com", Kind: "DatadogAgent", Template: P("spec.override{}"), Annotations: P("annotations"), Spec: here,
			Containers: containersAt("", "containers{}"), Mounted: true,
		},
		{Group: "grafana.integreatly.org", Kind: "Grafana", Template: P("spec.deployment.spec.template")},
	},
)

const victoria = "operator.victoriametrics.com"

// podMetadata is the form in which the operators for Prometheus and
// VictoriaMetrics have pods: their main container's fields stand in the spec.
func podMetadata(group, template string, containers ...string) Workload {
	return Workload{
		Group: group, Template: P(template), Annotations: P("podMetadata.annotations"), Spec: here,
		Containers: containersAt(append([]string{"", "containers[]", "initContainers[]"}, containers...)...),
	}
}

func victoriaCluster(kind string, templates ...string) []Workload {
	row := podMetadata(victoria, "spec", "vmBackup")
	row.Kind = kind
	return in(row, templates...)
}

func logging(kind, annotations string, spec Path, templates ...string) []Workload {
	row := Workload{Group: "logging.banzaicloud.io", Kind: kind, Annotations: P(annotations), Spec: spec}
	if len(spec) == 0 {
		row.Containers = containersAt("sidecarContainers[]") // of fluentd
	}
	return in(row, templates...)
}

// databaseWorkloads are kinds of operators for databases, queues and object
// stores. Sources:
//   - Strimzi, packaging/helm-charts/.../crds, KafkaPool.java (the pod
//     template of a KafkaNodePool takes the place of the whole one of the Kafka,
//     so that one is never made where there is none);
//   - ECK, config/crds and pkg/apis;
//   - CloudNativePG 1.30, config/crd, internal/controller/cluster_upgrade.go
//     (the annotation is compared as text; inheritedMetadata restarts nobody);
//   - Crunchy postgres-operator 6.0, config/crd,
//     internal/controller/postgrescluster/{instance,pgbouncer,pgbackrest}.go;
//   - Zalando postgres-operator 2.0, manifests, pkg/cluster/sync.go and
//     cluster.go (changed annotations are patched into running pods);
//   - Percona's operators: deploy/crd.yaml or config/crd, and where they build
//     StatefulSets (those for PXC hash Secrets of their own, which are no
//     references here);
//   - RabbitMQ cluster-operator 2.22, config/crd; MongoDB community operator
//     0.13, config/crd; MinIO operator of October 2025, its CRD and
//     pkg/resources/statefulsets; Altinity clickhouse-operator 0.25, deploy and
//     pkg/model/common/creator/stateful-set.go; MariaDB operator 26.6, config/crd
//     (UpdateStrategy); Dragonfly operator 1.6, internal/resources; Spotahome
//     redis-operator of 2023, operator/redisfailover/service/generator.go.
var databaseWorkloads = slices.Concat(strimzi, elastic, postgres, percona, []Workload{
	{Group: "rabbitmq.com", Kind: "RabbitmqCluster", Template: P("spec.override.statefulSet.spec.template")},
	{Group: "mongodbcommunity.mongodb.com", Kind: "MongoDBCommunity", Template: P("spec.statefulSet.spec.template")},
	{
		Group: "minio.min.io", Kind: "Tenant", Template: P("spec"), Annotations: P("poolsMetadata.annotations"), Spec: here,
		Containers: containersAt("", "initContainers[]", "sideCars.containers[]"), Volumes: P("additionalVolumes"), Mounted: true,
	},
	{Group: "minio.min.io", Kind: "Tenant", Template: P("spec.kes"), Annotations: P("annotations"), Spec: here, Containers: containersAt("")},
	{Group: "clickhouse.altinity.com", Kind: "ClickHouseInstallation", Template: P("spec.templates.podTemplates[]")},
	{Group: "clickhouse-keeper.altinity.com", Kind: "ClickHouseKeeperInstallation", Template: P("spec.templates.podTemplates[]")},
	{
		Group: mariadb, Kind: "MariaDB", Template: P("spec"), Annotations: P("podMetadata.annotations"), Spec: here, Stalls: mariadbStalls,
		Containers: containersAt("", "initContainers[]", "sidecarContainers[]", "galera.agent", "galera.initContainer", "replication.agent", "replication.initContainer"),
	},
	{
		Group: mariadb, Kind: "MaxScale", Template: P("spec"), Annotations: P("podMetadata.annotations"), Spec: here, Stalls: mariadbStalls[:1],
		Containers: containersAt(""),
	},
	{
		Group: "dragonflydb.io", Kind: "Dragonfly", Template: P("spec"), Annotations: P("podMetadata.annotations"), Spec: here,
		Containers: containersAt("", "initContainers[]", "additionalContainers[]"), Volumes: P("additionalVolumes"),
	},
}, in(Workload{
	Group: "databases.spotahome.com", Kind: "RedisFailover", Annotations: P("podAnnotations"), Spec: here,
	Containers: containersAt("initContainers[]", "extraContainers[]", "exporter"), Volumes: P("extraVolumes"), Mounted: true,
}, "spec.redis", "spec.sentinel"))

const mariadb = "k8s.mariadb.com"

var mariadbStalls = []Stall{
	{Path: P("spec.updateStrategy.type"), Value: "OnDelete", Why: onDelete},
	{Path: P("spec.updateStrategy.type"), Value: "Never", Why: "update strategy Never: pods keep the old template"},
	{Path: P("spec.updateStrategy.rollingUpdate.partition"), Why: parted},
}

// strimziPod is the form in which Strimzi has pods: a template for the pod, and
// one for each container beside it.
func strimziPod(kind string, containers ...string) Workload {
	return Workload{
		Group: "kafka.strimzi.io", Kind: kind, Annotations: P("template.pod.metadata.annotations"),
		Spec: P("template"), Containers: containersAt(containers...), Volumes: P("pod.volumes"),
	}
}

var strimzi = slices.Concat(
	in(strimziPod("Kafka", "kafkaContainer", "initContainer"), "spec.kafka"),
	in(strimziPod("Kafka", "topicOperatorContainer", "userOperatorContainer"), "spec.entityOperator"),
	in(strimziPod("Kafka", "cruiseControlContainer"), "spec.cruiseControl"),
	in(strimziPod("Kafka", "container"), "spec.kafkaExporter"),
	in(strimziPod("KafkaConnect", "connectContainer", "initContainer"), "spec"),
	in(strimziPod("KafkaMirrorMaker2", "connectContainer", "initContainer"), "spec"),
	in(strimziPod("KafkaBridge", "bridgeContainer", "initContainer"), "spec"),
	[]Workload{{
		Group: "kafka.strimzi.io", Kind: "KafkaNodePool", Template: P("spec.template.pod"), Spec: here, Mounted: true,
	}},
)

// elasticPod is the form in which ECK has pods.
func elasticPod(group, kind string, templates ...string) []Workload {
	return in(Workload{Group: group, Kind: kind, Annotations: P("podTemplate.metadata.annotations"), Spec: P("podTemplate.spec")}, templates...)
}

var elastic = slices.Concat(
	elasticPod("elasticsearch.k8s.elastic.co", "Elasticsearch", "spec.nodeSets[]"),
	elasticPod("kibana.k8s.elastic.co", "Kibana", "spec"),
	elasticPod("apm.k8s.elastic.co", "ApmServer", "spec"),
	elasticPod("enterprisesearch.k8s.elastic.co", "EnterpriseSearch", "spec"),
	elasticPod("maps.k8s.elastic.co", "ElasticMapsServer", "spec"),
	elasticPod("logstash.k8s.elastic.co", "Logstash", "spec"),
	elasticPod("beat.k8s.elastic.co", "Beat", "spec.daemonSet", "spec.deployment"),
	elasticPod("agent.k8s.elastic.co", "Agent", "spec.daemonSet", "spec.deployment", "spec.statefulSet"),
)

var postgres = slices.Concat(
	[]Workload{
		{
			Group: "postgresql.cnpg.io", Kind: "Cluster", Template: here, Spec: P("spec"), Containers: containersAt("", "postgresql.extensions[]"), Volumes: here,
			Annotation: "kubectl.kubernetes.io/restartedAt", Class: Elsewhere, Why: "the instances restart one by one, the primary last",
		},
		{Group: "postgresql.cnpg.io", Kind: "Pooler", Template: P("spec.template")},
		{
			Group: "acid.zalan.do", Kind: "postgresql", Template: P("spec"), Annotations: P("podAnnotations"), Spec: here, Volumes: here,
			Containers: containersAt("", "initContainers[]", "sidecars[]"), Class: InPlace, Why: "the operator puts a changed annotation into the running pods",
		},
	},
	in(Workload{Group: crunchy, Kind: "PostgresCluster", Containers: containersAt("containers[]"), Annotations: P("metadata.annotations"), Spec: here, Volumes: here},
		"spec.instances[]", "spec.proxy.pgBouncer"),
	in(Workload{Group: crunchy, Kind: "PostgresCluster", Annotations: P("metadata.annotations"), Spec: here, Volumes: here},
		"spec.backups.pgbackrest", "spec.userInterface.pgAdmin"),
)

const crunchy = "postgres-operator.crunchydata.com"

// perconaPod is the form in which Percona's operators have pods, but for that
// for PostgreSQL, which is made of Crunchy's.
func perconaPod(group, kind string, templates ...string) []Workload {
	return in(Workload{
		Group: group, Kind: kind, Annotations: P("annotations"), Spec: here,
		Containers: containersAt("", "sidecars[]"), Volumes: P("sidecarVolumes"),
	}, templates...)
}

var percona = slices.Concat(
	perconaPod("pxc.percona.com", "PerconaXtraDBCluster", "spec.pxc", "spec.haproxy", "spec.proxysql"),
	perconaPod("psmdb.percona.com", "PerconaServerMongoDB",
		"spec.replsets[]", "spec.replsets[].arbiter", "spec.replsets[].hidden", "spec.replsets[].nonvoting",
		"spec.sharding.configsvrReplSet", "spec.sharding.mongos"),
	perconaPod("ps.percona.com", "PerconaServerMySQL", "spec.mysql"),
	in(Workload{Group: "ps.percona.com", Kind: "PerconaServerMySQL", Annotations: P("annotations"), Spec: here, Containers: containersAt(""), Volumes: here},
		"spec.orchestrator", "spec.proxy.haproxy", "spec.proxy.router"),
	[]Workload{
		{
			Group: "pgv2.percona.com", Kind: "PerconaPGCluster", Template: P("spec.instances[]"), Annotations: P("metadata.annotations"), Spec: here,
			Containers: containersAt("", "initContainers[]", "sidecars[]"), Volumes: P("sidecarVolumes"),
		},
		{
			Group: "pgv2.percona.com", Kind: "PerconaPGCluster", Template: P("spec.proxy.pgBouncer"), Annotations: P("metadata.annotations"), Spec: here,
			Containers: containersAt("", "sidecars[]"), Volumes: P("sidecarVolumes"),
		},
		{
			Group: "pgv2.percona.com", Kind: "PerconaPGCluster", Template: P("spec.backups.pgbackrest"), Annotations: P("metadata.annotations"), Spec: here,
			Containers: containersAt("", "repoHost.sidecars[]"), Volumes: P("repoHost.sidecarVolumes"),
		},
	},
)

// serviceWorkloads are kinds of operators for gateways, networks and logins.
// Sources: Envoy Gateway, charts/gateway-helm/crds and
// internal/infrastructure/kubernetes/proxy/resource_provider.go; Contour,
// examples/render and internal/provisioner; kgateway 2.0, its CRD and
// internal/kgateway/deployer; Tigera operator, pkg/imports/crds; Keycloak 26.0,
// keycloaks.k8s.keycloak.org-v1.yml.
var serviceWorkloads = slices.Concat(
	[]Workload{
		{
			Group: "gateway.envoyproxy.io", Kind: "EnvoyProxy", Template: P("spec.provider.kubernetes.envoyDeployment"),
			Annotations: P("pod.annotations"), Spec: here, Containers: containersAt("container", "initContainers[]"), Volumes: P("pod.volumes"),
		},
		{
			Group: "gateway.envoyproxy.io", Kind: "EnvoyProxy", Template: P("spec.provider.kubernetes.envoyDaemonSet"),
			Annotations: P("pod.annotations"), Spec: here, Containers: containersAt("container"), Volumes: P("pod.volumes"),
		},
		{Group: "projectcontour.io", Kind: "ContourDeployment", Template: P("spec.contour"), Annotations: P("podAnnotations"), Spec: here, Volumes: here},
		{
			Group: "projectcontour.io", Kind: "ContourDeployment", Template: P("spec.envoy"), Annotations: P("podAnnotations"), Spec: here,
			Volumes: P("extraVolumes"), Mounted: true,
		},
		{
			Group: "gateway.kgateway.dev", Kind: "GatewayParameters", Template: P("spec.kube"), Annotations: P("podTemplate.extraAnnotations"), Spec: here,
			Containers: containersAt("istio.customSidecars[]", "aiExtension"), Volumes: here,
		},
		{Group: "k8s.keycloak.org", Kind: "Keycloak", Template: P("spec.unsupported.podTemplate")},
	},
	tigera("Installation", "calicoNodeDaemonSet", "calicoNodeWindowsDaemonSet", "calicoKubeControllersDeployment", "csiNodeDriverDaemonSet", "typhaDeployment"),
	tigera("APIServer", "apiServerDeployment"),
)

func tigera(kind string, parts ...string) (rows []Workload) {
	for _, part := range parts {
		rows = append(rows, Workload{Group: "operator.tigera.io", Kind: kind, Template: P("spec." + part + ".spec.template")})
	}
	return rows
}
