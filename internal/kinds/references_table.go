package kinds

// Parts of paths that several rows have.
const (
	volumeMaps    = "(configMap.name,projected.sources[].configMap.name)"
	volumeSecrets = "(secret.secretName,projected.sources[].secret.name)"
	envMaps       = "[].valueFrom.configMapKeyRef.name"
	envSecrets    = "[].valueFrom.secretKeyRef.name"

	// how the operators for Prometheus and VictoriaMetrics reach other servers
	tlsSecrets   = "tlsConfig.(keySecret,(ca,cert).secret)"
	tlsMaps      = "tlsConfig.(ca,cert).configMap"
	webSecrets   = "(keySecret,(cert,client_ca).secret)"
	webMaps      = "(cert,client_ca).configMap"
	httpSecrets  = tlsSecrets + ",basicAuth.(username,password),authorization.credentials"
	oauthSecrets = "oauth2.(clientId.secret,clientSecret," + tlsSecrets + ")"
	oauthMaps    = "(" + tlsMaps + ",oauth2.(clientId.configMap," + tlsMaps + "))"
	sigv4        = "sigv4.(accessKey,secretKey)"
	remoteWrite  = "remoteWrite[].(" + httpSecrets + "," + oauthSecrets + "," + sigv4 + ",azureAd.oauth.clientSecret)"
	authSecrets  = "(" + tlsSecrets + ",basicAuth.(username,password),authorization.credentials,bearerTokenSecret,oauth2.(client_id.secret,client_secret))"
	authMaps     = "(" + tlsMaps + ",oauth2.client_id.configMap)"

	victoriaKinds   = "VMAgent VMAlert VMSingle VMAuth VMAlertmanager VMAnomaly VLAgent VLogs VLSingle VTSingle"
	victoriaSecrets = "(secrets[],extraEnvsFrom[].secretRef.name)"
	victoriaMaps    = "(configMaps[],extraEnvsFrom[].configMapRef.name)"
	workflowKinds   = "Workflow WorkflowTemplate ClusterWorkflowTemplate"
)

// references is the table of references outside of pods, by group. Its sources
// are those of the workloads' tables. Left out is what a pod reads but once,
// when its cluster first starts, and what the controller puts into effect by
// itself: passwords of databases, certificates that are loaded again.
var references = lazily(map[string][]fields{
	"monitoring.coreos.com": {
		{"Prometheus PrometheusAgent Alertmanager", Secret, "spec.secrets[]", "", ""},
		{"Prometheus PrometheusAgent Alertmanager", ConfigMap, "spec.configMaps[]", "", ""},
		{"Prometheus PrometheusAgent ThanosRuler Alertmanager", Secret, "spec.web.tlsConfig." + webSecrets + ".name", "key", ""},
		{"Prometheus PrometheusAgent ThanosRuler Alertmanager", ConfigMap, "spec.web.tlsConfig." + webMaps + ".name", "key", ""},
		{"Prometheus PrometheusAgent", Secret, "spec.(additionalScrapeConfigs," + remoteWrite + ",apiserverConfig.(" + httpSecrets + "),scrapeClasses[].(" + tlsSecrets + ",authorization.credentials),tracingConfig." + tlsSecrets + ").name", "key", ""},
		{"Prometheus PrometheusAgent", ConfigMap, "spec.(remoteWrite[]." + oauthMaps + ",(apiserverConfig,scrapeClasses[],tracingConfig)." + tlsMaps + ").name", "key", ""},
		{"Prometheus", Secret, "spec.(additionalAlertManagerConfigs,additionalAlertRelabelConfigs).name", "key", ""},
		{"Prometheus", Secret, "spec.(remoteRead[].(" + httpSecrets + "," + oauthSecrets + "),alerting.alertmanagers[].(" + httpSecrets + "," + sigv4 + ")).name", "key", ""},
		{"Prometheus", ConfigMap, "spec.(remoteRead[]." + oauthMaps + ",alerting.alertmanagers[]." + tlsMaps + ").name", "key", ""},
		{"Prometheus", Secret, "spec.thanos.(objectStorageConfig,tracingConfig,grpcServerTlsConfig.(keySecret,(ca,cert).secret)).name", "key", ""},
		{"Prometheus", ConfigMap, "spec.thanos.grpcServerTlsConfig.(ca,cert).configMap.name", "key", ""},
		{"ThanosRuler", Secret, "spec.(alertRelabelConfigs,alertmanagersConfig,objectStorageConfig,queryConfig,tracingConfig," + remoteWrite + ").name", "key", ""},
		{"ThanosRuler", Secret, "spec.grpcServerTlsConfig.(keySecret,(ca,cert).secret).name", "key", ""},
		{"ThanosRuler", ConfigMap, "spec.(grpcServerTlsConfig.(ca,cert).configMap,remoteWrite[]." + oauthMaps + ").name", "key", ""},
		{"Alertmanager", Secret, "spec.configSecret", "", ""},
		{"Alertmanager", Secret, "spec.alertmanagerConfiguration.(templates[].secret,global.(slackApiUrl,opsGenieApiUrl,opsGenieApiKey,mattermost.webhookURL,rocketChat.(token,tokenID),victorops.apiKey,wechat.apiSecret)).name", "key", ""},
		{"Alertmanager", Secret, "spec.alertmanagerConfiguration.global.(smtp.(authPassword,authSecret," + tlsSecrets + "),httpConfig.(bearerTokenSecret," + httpSecrets + "," + oauthSecrets + ")).name", "key", ""},
		{"Alertmanager", ConfigMap, "spec.alertmanagerConfiguration.(templates[].configMap,global.(smtp." + tlsMaps + ",httpConfig." + oauthMaps + ")).name", "key", ""},
		{"Alertmanager", Secret, "spec.clusterTLS.(client.(keySecret,(ca,cert).secret),server." + webSecrets + ").name", "key", ""},
		{"Alertmanager", ConfigMap, "spec.clusterTLS.(client.(ca,cert).configMap,server." + webMaps + ").name", "key", ""},
	},
	victoria: {
		{victoriaKinds, Secret, "spec." + victoriaSecrets, "", ""},
		{victoriaKinds, ConfigMap, "spec." + victoriaMaps, "", ""},
		{victoriaKinds, Secret, "spec.extraEnvs" + envSecrets, "key", ""},
		{victoriaKinds, ConfigMap, "spec.extraEnvs" + envMaps, "key", ""},
		{"VMCluster", Secret, "spec.(vmselect,vminsert,vmstorage)." + victoriaSecrets, "", ""},
		{"VMCluster", ConfigMap, "spec.(vmselect,vminsert,vmstorage)." + victoriaMaps, "", ""},
		{"VMCluster", Secret, "spec.(vmselect,vminsert,vmstorage).extraEnvs" + envSecrets, "key", ""},
		{"VMCluster", ConfigMap, "spec.(vmselect,vminsert,vmstorage).extraEnvs" + envMaps, "key", ""},
		{"VLCluster", Secret, "spec.(vlselect,vlinsert,vlstorage)." + victoriaSecrets, "", ""},
		{"VLCluster", ConfigMap, "spec.(vlselect,vlinsert,vlstorage)." + victoriaMaps, "", ""},
		{"VLCluster", Secret, "spec.(vlselect,vlinsert,vlstorage).extraEnvs" + envSecrets, "key", ""},
		{"VLCluster", ConfigMap, "spec.(vlselect,vlinsert,vlstorage).extraEnvs" + envMaps, "key", ""},
		{"VTCluster", Secret, "spec.(select,insert,storage)." + victoriaSecrets, "", ""},
		{"VTCluster", ConfigMap, "spec.(select,insert,storage)." + victoriaMaps, "", ""},
		{"VTCluster", Secret, "spec.(select,insert,storage).extraEnvs" + envSecrets, "key", ""},
		{"VTCluster", ConfigMap, "spec.(select,insert,storage).extraEnvs" + envMaps, "key", ""},
		{victoriaKinds + " VMCluster VLCluster", Secret, "spec.license.keyRef.name", "key", ""},
		{"VMAgent VMSingle", Secret, "spec.(additionalScrapeConfigs,(apiServerConfig,scrapeClasses[],remoteWrite[])." + authSecrets + ").name", "key", ""},
		{"VMAgent VMSingle", ConfigMap, "spec.(relabelConfig,streamAggrConfig.configmap,(apiServerConfig,scrapeClasses[],remoteWrite[])." + authMaps + ").name", "key", ""},
		{"VMAgent", ConfigMap, "spec.remoteWrite[].(urlRelabelConfig,streamAggrConfig.configmap).name", "key", ""},
		{"VMAlert", Secret, "spec.(notifierConfigRef,(datasource,notifier,notifiers[],remoteRead,remoteWrite)." + authSecrets + ").name", "key", ""},
		{"VMAlert", ConfigMap, "spec.(datasource,notifier,notifiers[],remoteRead,remoteWrite)." + authMaps + ".name", "key", ""},
		{"VMAlertmanager VMAuth", Secret, "spec.configSecret", "", ""},
		{"VMAuth", Secret, "spec.externalConfig.secretRef.name", "key", ""},
		{"VMAnomaly", Secret, "spec.(configSecret,(reader,writer,monitoring.push)." + authSecrets + ").name", "key", ""},
		{"VMAnomaly", ConfigMap, "spec.(reader,writer,monitoring.push)." + authMaps + ".name", "key", ""},
		{"VMSingle", Secret, "spec.vmBackup.credentialsSecret.name", "key", ""},
		{"VMCluster", Secret, "spec.vmstorage.vmBackup.credentialsSecret.name", "key", ""},
		{"VLAgent VLSingle", Secret, "spec.syslogSpec.tcpListeners[].tlsConfig.(certSecret,keySecret).name", "key", ""},
		{"VLCluster", Secret, "spec.vlinsert.syslogSpec.tcpListeners[].tlsConfig.(certSecret,keySecret).name", "key", ""},
	},
	"opentelemetry.io": {
		{"OpenTelemetryCollector", ConfigMap, "spec.configmaps[].name", "", ""},
	},
	"logging.banzaicloud.io": {
		{"Logging", Secret, "spec.(fluentd,fluentbit).envVars" + envSecrets, "key", ""},
		{"Logging", ConfigMap, "spec.(fluentd,fluentbit).envVars" + envMaps, "key", ""},
		{"Logging", Secret, "spec.((fluentd,fluentbit,syslogNG).tls.secretName,fluentbit.customConfigSecret,fluentd.extraVolumes[].volume.secret.secretName)", "", ""},
		{"Logging", ConfigMap, "spec.fluentd.extraVolumes[].volume.configMap.name", "", ""},
		{"FluentdConfig FluentbitAgent", Secret, "spec.envVars" + envSecrets, "key", ""},
		{"FluentdConfig FluentbitAgent", ConfigMap, "spec.envVars" + envMaps, "key", ""},
		{"FluentdConfig", Secret, "spec.(tls.secretName,extraVolumes[].volume.secret.secretName)", "", ""},
		{"FluentdConfig", ConfigMap, "spec.extraVolumes[].volume.configMap.name", "", ""},
		{"FluentbitAgent", Secret, "spec.(tls.secretName,customConfigSecret)", "", ""},
		{"SyslogNGConfig", Secret, "spec.tls.secretName", "", ""},
	},
	"datadoghq.com": {
		{"DatadogAgent", Secret, "spec.global.(credentials.(apiSecret,appSecret),clusterAgentTokenSecret).secretName", "keyName", ""},
		{"DatadogAgent", Secret, "spec.global.env" + envSecrets, "key", ""},
		{"DatadogAgent", ConfigMap, "spec.global.env" + envMaps, "key", ""},
		{"DatadogAgent", ConfigMap, "spec.override{}.(customConfigurations{},extraConfd,extraChecksd).configMap.name", "", ""},
	},
	"kafka.strimzi.io": {
		{"Kafka", ConfigMap, "spec.((kafka,cruiseControl).(metricsConfig,logging),entityOperator.(topicOperator,userOperator).logging).valueFrom.configMapKeyRef.name", "key", ""},
		{"Kafka", Secret, "spec.cruiseControl.apiUsers.valueFrom.secretKeyRef.name", "key", ""},
		{"Kafka", Secret, "spec.kafka.listeners[].configuration.brokerCertChainAndKey.secretName", "", ""},
		{"KafkaConnect KafkaMirrorMaker2 KafkaBridge", ConfigMap, "spec.(metricsConfig,logging).valueFrom.configMapKeyRef.name", "key", ""},
		{"KafkaConnect KafkaBridge", Secret, "spec.(tls.trustedCertificates[],authentication.(certificateAndKey,passwordSecret)).secretName", "", ""},
		// clusters[] was v1beta2's, before target and source
		{"KafkaMirrorMaker2", Secret, "spec.(target,mirrors[].source,clusters[]).(tls.trustedCertificates[],authentication.(certificateAndKey,passwordSecret)).secretName", "", ""},
		{"KafkaNodePool", Secret, "spec.template.(kafkaContainer,initContainer).env" + envSecrets, "key", ""},
		{"KafkaNodePool", ConfigMap, "spec.template.(kafkaContainer,initContainer).env" + envMaps, "key", ""},
	},
	"elasticsearch.k8s.elastic.co":    {{"Elasticsearch", Secret, "spec.secureSettings[].secretName", "", ""}},
	"kibana.k8s.elastic.co":           {{"Kibana", Secret, "spec.secureSettings[].secretName", "", ""}},
	"apm.k8s.elastic.co":              {{"ApmServer", Secret, "spec.secureSettings[].secretName", "", ""}},
	"enterprisesearch.k8s.elastic.co": {{"EnterpriseSearch", Secret, "spec.configRef.secretName", "", ""}},
	"maps.k8s.elastic.co":             {{"ElasticMapsServer", Secret, "spec.configRef.secretName", "", ""}},
	"logstash.k8s.elastic.co":         {{"Logstash", Secret, "spec.(configRef,pipelinesRef,secureSettings[]).secretName", "", ""}},
	"beat.k8s.elastic.co":             {{"Beat", Secret, "spec.(configRef,secureSettings[]).secretName", "", ""}},
	"agent.k8s.elastic.co":            {{"Agent", Secret, "spec.(configRef,secureSettings[]).secretName", "", ""}},
	"postgresql.cnpg.io": {
		{"Cluster", ConfigMap, "spec.projectedVolumeTemplate.sources[].configMap.name", "", ""},
		{"Cluster", Secret, "spec.projectedVolumeTemplate.sources[].secret.name", "", ""},
	},
	"acid.zalan.do": {
		{"postgresql", ConfigMap, "spec.additionalVolumes[].volumeSource." + volumeMaps, "", ""},
		{"postgresql", Secret, "spec.additionalVolumes[].volumeSource." + volumeSecrets, "", ""},
	},
	crunchy: {
		{"PostgresCluster", ConfigMap, "spec.(config.files[],monitoring.pgmonitor.exporter.configuration[]).configMap.name", "", "spec.instances[]"},
		{"PostgresCluster", Secret, "spec.(config.files[],monitoring.pgmonitor.exporter.configuration[]).secret.name", "", "spec.instances[]"},
		{"PostgresCluster", ConfigMap, "spec.(proxy.pgBouncer.config.files[],backups.pgbackrest.configuration[],userInterface.pgAdmin.config.files[]).configMap.name", "", ""},
		{"PostgresCluster", Secret, "spec.(proxy.pgBouncer.config.files[],backups.pgbackrest.configuration[],userInterface.pgAdmin.config.files[]).secret.name", "", ""},
	},
	"pgv2.percona.com": {
		{"PerconaPGCluster", ConfigMap, "spec.config.files[].configMap.name", "", "spec.instances[]"},
		{"PerconaPGCluster", Secret, "spec.config.files[].secret.name", "", "spec.instances[]"},
		{"PerconaPGCluster", ConfigMap, "spec.(proxy.pgBouncer.config.files[],backups.pgbackrest.configuration[]).configMap.name", "", ""},
		{"PerconaPGCluster", Secret, "spec.(proxy.pgBouncer.config.files[],backups.pgbackrest.configuration[]).secret.name", "", ""},
		{"PerconaPGCluster", ConfigMap, "spec.instances[].extraVolumes[].volumeSource." + volumeMaps, "", ""},
		{"PerconaPGCluster", Secret, "spec.instances[].extraVolumes[].volumeSource." + volumeSecrets, "", ""},
	},
	"psmdb.percona.com": {
		{"PerconaServerMongoDB", ConfigMap, "spec.(sharding.(mongos,configsvrReplSet),replsets[](,.arbiter,.hidden,.nonvoting)).hookScript.configMapRef.name", "", ""},
	},
	"minio.min.io":            {{"Tenant", Secret, "spec.kes.kesSecret.name", "", ""}},
	"clickhouse.altinity.com": {{"ClickHouseInstallation", Secret, "spec.configuration.clusters[].secret.valueFrom.secretKeyRef.name", "key", ""}},
	"dragonflydb.io": {
		{"Dragonfly", Secret, "spec.(aclFromSecret,authentication.(passwordFromSecret,clientCaCertSecret)).name", "key", ""},
		{"Dragonfly", Secret, "spec.tlsSecretRef.name", "", ""},
		{"Dragonfly", ConfigMap, "spec.(customLivenessProbeConfigMap,customReadinessProbeConfigMap,customStartupProbeConfigMap).name", "", ""},
	},
	"databases.spotahome.com": {
		{"RedisFailover", ConfigMap, "spec.(redis.(startupConfigMap,shutdownConfigMap),sentinel.startupConfigMap)", "", ""},
		{"RedisFailover", Secret, "spec.auth.secretPath", "", "spec.redis"},
	},
	"sparkoperator.k8s.io": {
		{"SparkApplication", Secret, "spec.(driver,executor).envSecretKeyRefs{}.name", "key", ""},
		{"SparkApplication", Secret, "spec.((driver,executor).(secrets[].name,template.spec.volumes[]." + volumeSecrets + "),volumes[]." + volumeSecrets + ")", "", ""},
		{"SparkApplication", ConfigMap, "spec.(sparkConfigMap,hadoopConfigMap,(driver,executor).(configMaps[].name,template.spec.volumes[]." + volumeMaps + "),volumes[]." + volumeMaps + ")", "", ""},
		{"ScheduledSparkApplication", Secret, "spec.template.(driver,executor).envSecretKeyRefs{}.name", "key", ""},
		{"ScheduledSparkApplication", Secret, "spec.template.((driver,executor).(secrets[].name,template.spec.volumes[]." + volumeSecrets + "),volumes[]." + volumeSecrets + ")", "", ""},
		{"ScheduledSparkApplication", ConfigMap, "spec.template.(sparkConfigMap,hadoopConfigMap,(driver,executor).(configMaps[].name,template.spec.volumes[]." + volumeMaps + "),volumes[]." + volumeMaps + ")", "", ""},
	},
	"argoproj.io": {
		{workflowKinds, Secret, "spec.templates[].volumes[]." + volumeSecrets, "", ""},
		{workflowKinds, ConfigMap, "spec.templates[].volumes[]." + volumeMaps, "", ""},
		{workflowKinds, ConfigMap, "spec.(arguments,templates[].inputs).parameters[].valueFrom.configMapKeyRef.name", "key", ""},
		{"CronWorkflow", Secret, "spec.workflowSpec.templates[].volumes[]." + volumeSecrets, "", ""},
		{"CronWorkflow", ConfigMap, "spec.workflowSpec.templates[].volumes[]." + volumeMaps, "", ""},
		{"CronWorkflow", ConfigMap, "spec.workflowSpec.(arguments,templates[].inputs).parameters[].valueFrom.configMapKeyRef.name", "key", ""},
	},
	"kubevirt.io": {
		{"VirtualMachine VirtualMachineInstanceReplicaSet", Secret, "spec.template.spec." + machineSecrets, "", ""},
		{"VirtualMachine VirtualMachineInstanceReplicaSet", ConfigMap, "spec.template.spec.volumes[].sysprep.configMap.name", "", ""},
		{"VirtualMachineInstance", Secret, "spec." + machineSecrets, "", ""},
		{"VirtualMachineInstance", ConfigMap, "spec.volumes[].sysprep.configMap.name", "", ""},
	},
	"pool.kubevirt.io": {
		{"VirtualMachinePool", Secret, "spec.virtualMachineTemplate.spec.template.spec." + machineSecrets, "", ""},
		{"VirtualMachinePool", ConfigMap, "spec.virtualMachineTemplate.spec.template.spec.volumes[].sysprep.configMap.name", "", ""},
	},
})

const machineSecrets = "volumes[].((cloudInitNoCloud,cloudInitConfigDrive).(secretRef,networkDataSecretRef).name,sysprep.secret.name)"
