package kinds

import "slices"

// generated are producers of which nothing decides the content of what is made:
// it is random, or an endpoint and a password that somebody else chose. Their
// other settings would restart pods for nothing. Sources: Crossplane
// (crossplane-runtime 2.5, pkg/xcrd/schemas.go, and its page "Connection
// details": managed resources, claims and composites of any kind have the
// field), Aiven operator 0.44 (api/v1alpha1/common.go: the prefix starts the
// names of the keys), Rook 1.20 (pkg/operator/ceph/client), CloudNativePG 1.30
// (api/v1/cluster_funcs.go), Crunchy's operator 6.0 (internal/naming; without
// users there is one of the cluster's name), Zalando's operator 2.0
// (pkg/util/config: the default name template and system users), RabbitMQ
// cluster operator 2.22 (internal/resource), ECK 3.5 (pkg/apis, the namers, and
// pkg/controller/common/certificates), Strimzi (KafkaResources, and
// KafkaUserModel without a prefix), MongoDB community operator 0.9 (api/v1),
// Grafana operator 5.24 (api/v1beta1).
var generated = slices.Concat(
	[]Producer{
		{
			Makes: Secret,
			Name:  P("spec.writeConnectionSecretToRef.name"), Namespace: P("spec.writeConnectionSecretToRef.namespace"),
		},
		{
			Group: "ceph.rook.io", Kind: "CephClient", Makes: Secret,
			Name: P("spec.secretName"), Names: []string{"rook-ceph-client-{metadata.name}"},
			Policy: P("spec.removeSecret"), MakesNot: []string{"true"},
		},
		suffixed("postgresql.cnpg.io", "Cluster", "app", "superuser", "ca", "server", "replication"),
		{
			Group: "postgres-operator.crunchydata.com", Kind: "PostgresCluster", Makes: Secret,
			Each: P("spec.users[]"), Names: []string{"{metadata.name}-pguser-{name}"},
		},
		{
			Group: "postgres-operator.crunchydata.com", Kind: "PostgresCluster", Makes: Secret,
			Names: []string{"{metadata.name}-pguser-{metadata.name}", "{metadata.name}-cluster-cert"},
		},
		{
			Group: "acid.zalan.do", Kind: "postgresql", Makes: Secret,
			Each: P("spec.users{}"), Names: []string{"{key}.{metadata.name}.credentials.postgresql.acid.zalan.do"},
		},
		{
			Group: "acid.zalan.do", Kind: "postgresql", Makes: Secret,
			Names: []string{
				"postgres.{metadata.name}.credentials.postgresql.acid.zalan.do",
				"standby.{metadata.name}.credentials.postgresql.acid.zalan.do",
			},
		},
		suffixed("rabbitmq.com", "RabbitmqCluster", "default-user", "erlang-cookie"),
		suffixed("elasticsearch.k8s.elastic.co", "Elasticsearch", "es-elastic-user", "es-http-certs-public", "es-http-certs-internal", "es-transport-certs-public"),
		suffixed("kibana.k8s.elastic.co", "Kibana", "kb-http-certs-public", "kb-http-certs-internal"),
		suffixed("apm.k8s.elastic.co", "ApmServer", "apm-token", "apm-http-certs-public", "apm-http-certs-internal"),
		suffixed("enterprisesearch.k8s.elastic.co", "EnterpriseSearch", "ent-http-certs-public", "ent-http-certs-internal"),
		suffixed("logstash.k8s.elastic.co", "Logstash", "ls-http-certs-public", "ls-http-certs-internal"),
		suffixed("maps.k8s.elastic.co", "ElasticMapsServer", "ems-http-certs-public", "ems-http-certs-internal"),
		suffixed("agent.k8s.elastic.co", "Agent", "agent-http-certs-public", "agent-http-certs-internal"),
		suffixed("kafka.strimzi.io", "Kafka", "cluster-ca-cert", "cluster-ca", "clients-ca-cert", "clients-ca", "kafka-jmx"),
		{Group: "kafka.strimzi.io", Kind: "KafkaUser", Makes: Secret},
		{
			Group: "mongodbcommunity.mongodb.com", Kind: "MongoDBCommunity", Makes: Secret,
			Each: P("spec.users[]"), Name: P("connectionStringSecretName"), Names: []string{"{metadata.name}-{db}-{name}", "{metadata.name}-admin-{name}"},
		},
		{Group: "grafana.integreatly.org", Kind: "GrafanaServiceAccount", Makes: Secret, Name: P("spec.tokens[].secretName")},
	},
	kindsOf(
		Producer{
			Group: "aiven.io", Makes: Secret, Name: P("spec.connInfoSecretTarget.name"), Names: ownName,
			Content: paths("spec.connInfoSecretTarget.prefix"),
			Policy:  P("spec.connInfoSecretTargetDisabled"), MakesNot: []string{"true"},
		},
		"Clickhouse", "ClickhouseUser", "ConnectionPool", "Flink", "Grafana", "Kafka", "MySQL", "OpenSearch",
		"OrganizationProject", "PostgreSQL", "Project", "ServiceUser", "Valkey",
	),
)

// suffixed is the row of a kind that makes Secrets of its own name with
// something behind it.
func suffixed(group, kind string, suffixes ...string) Producer {
	row := Producer{Group: group, Kind: kind, Makes: Secret}
	for _, suffix := range suffixes {
		row.Names = append(row.Names, "{metadata.name}-"+suffix)
	}
	return row
}
