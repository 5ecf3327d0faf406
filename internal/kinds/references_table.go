package kinds

// Parts of paths that several rows have.
const (
	volumeMaps    = "(configMap.name,projected.sources[].configMap.name)"
	volumeSecrets = "(secret.secretName,projected.sources[].secret.name)"
	envMaps       = "[].valueFrom.configMapKeyRef.name"
	envSecrets    = "[].valueFrom.secretKeyRef.name"

	// how the operators for Prometheus and VictoriaMetrics reach other servers
	tlsSecrets  = "tlsConfig.(keySecret,(ca,cert).secret)"
	tlsMaps     = "tlsConfig.(ca,cert).configMap"
	webSecrets  = "(keySecret,(cert,client_ca).secret)"
	webMaps     = "(cert,client_ca).configMap"
	httpSecrets = "(" + tlsSecrets + ",basicAuth.(username,password),authorization.credentials,bearerTokenSecret,oauth2.(clientId.secret,clientSecret," + tlsSecrets + "),sigv4.(accessKey,secretKey),azureAd.oauth.clientSecret)"
	httpMaps    = "(" + tlsMaps + ",oauth2.(clientId.configMap," + tlsMaps + "))"
	authSecrets = "(" + tlsSecrets + ",basicAuth.(username,password),authorization.credentials,bearerTokenSecret,oauth2.(client_id.secret,client_secret))"
	authMaps    = "(" + tlsMaps + ",oauth2.client_id.configMap)"

	prometheusKinds = "Prometheus PrometheusAgent ThanosRuler Alertmanager"
	victoriaKinds   = "VMAgent VMAlert VMSingle VMAuth VMAlertmanager VMAnomaly VLAgent VLogs VLSingle VTSingle VMCluster VLCluster VTCluster"
	victoriaPods    = "spec.(,(vmselect,vminsert,vmstorage,vlselect,vlinsert,vlstorage,select,insert,storage).)"
	workflowKinds   = "Workflow WorkflowTemplate ClusterWorkflowTemplate CronWorkflow"
	sparkKinds      = "SparkApplication ScheduledSparkApplication"
)

// references is the table of references outside of pods, by group. Its sources
// are those of the workloads' tables. Left out is what a pod reads but once,
// when its cluster first starts, and what the controller puts into effect by
// itself: passwords of databases, certificates that are loaded again.
var references = lazily(map[string][]fields{
	"monitoring.coreos.com": {
		{prometheusKinds, Secret, "spec.secrets[]", "", ""},
		{prometheusKinds, ConfigMap, "spec.configMaps[]", "", ""},
		{prometheusKinds, Secret, "spec.web.tlsConfig." + webSecrets + ".name", "key", ""},
		{prometheusKinds, ConfigMap, "spec.web.tlsConfig." + webMaps + ".name", "key", ""},
		{"Prometheus PrometheusAgent", Secret, "spec.(additionalScrapeConfigs,(apiserverConfig,remoteWrite[],scrapeClasses[])." + httpSecrets + ",tracingConfig." + tlsSecrets + ").name", "key", ""},
		{"Prometheus PrometheusAgent", ConfigMap, "spec.((apiserverConfig,remoteWrite[],scrapeClasses[])." + httpMaps + ",tracingConfig." + tlsMaps + ").name", "key", ""},
		{"Prometheus", Secret, "spec.(additionalAlertManagerConfigs,additionalAlertRelabelConfigs,(remoteRead[],alerting.alertmanagers[])." + httpSecrets + ").name", "key", ""},
		{"Prometheus", ConfigMap, "spec.(remoteRead[],alerting.alertmanagers[])." + httpMaps + ".name", "key", ""},
		{"Prometheus", Secret, "spec.thanos.(objectStorageConfig,tracingConfig,grpcServerTlsConfig.(keySecret,(ca,cert).secret)).name", "key", ""},
		{"Prometheus", ConfigMap, "spec.thanos.grpcServerTlsConfig.(ca,cert).configMap.name", "key", ""},
		{"ThanosRuler", Secret, "spec.(alertRelabelConfigs,alertmanagersConfig,objectStorageConfig,queryConfig,tracingConfig,remoteWrite[]." + httpSecrets + ").name", "key", ""},
		{"ThanosRuler", Secret, "spec.grpcServerTlsConfig.(keySecret,(ca,cert).secret).name", "key", ""},
		{"ThanosRuler", ConfigMap, "spec.(grpcServerTlsConfig.(ca,cert).configMap,remoteWrite[]." + httpMaps + ").name", "key", ""},
		{"Alertmanager", Secret, "spec.configSecret", "", ""},
		{"Alertmanager", Secret, "spec.alertmanagerConfiguration.(templates[].secret,global.(slackApiUrl,opsGenieApiUrl,opsGenieApiKey,mattermost.webhookURL,rocketChat.(token,tokenID),victorops.apiKey,wechat.apiSecret)).name", "key", ""},
		{"Alertmanager", Secret, "spec.alertmanagerConfiguration.global.(smtp.(authPassword,authSecret," + tlsSecrets + "),httpConfig." + httpSecrets + ").name", "key", ""},
		{"Alertmanager", ConfigMap, "spec.alertmanagerConfiguration.(templates[].configMap,global.(smtp." + tlsMaps + ",httpConfig." + httpMaps + ")).name", "key", ""},
		{"Alertmanager", Secret, "spec.clusterTLS.(client.(keySecret,(ca,cert).secret),server." + webSecrets + ").name", "key", ""},
		{"Alertmanager", ConfigMap, "spec.clusterTLS.(client.(ca,cert).configMap,server." + webMaps + ").name", "key", ""},
	},
	victoria: {
		{victoriaKinds, Secret, victoriaPods + "secrets[]", "", ""},
		{victoriaKinds, ConfigMap, victoriaPods + "configMaps[]", "", ""},
		{victoriaKinds, Secret, victoriaPods + "extraEnvs" + envSecrets, "key", ""},
		{victoriaKinds, ConfigMap, victoriaPods + "extraEnvs" + envMaps, "key", ""},
		{victoriaKinds, Secret, victoriaPods + "extraEnvsFrom[].secretRef.name", "", ""},
		{victoriaKinds, ConfigMap, victoriaPods + "extraEnvsFrom[].configMapRef.name", "", ""},
		{victoriaKinds, Secret, "spec.license.keyRef.name", "key", ""},
		{"VMAgent VMSingle", Secret, "spec.(additionalScrapeConfigs,(apiServerConfig,scrapeClasses[],remoteWrite[])." + authSecrets + ").name", "key", ""},
		{"VMAgent VMSingle", ConfigMap, "spec.(relabelConfig,streamAggrConfig.configmap,(apiServerConfig,scrapeClasses[],remoteWrite[])." + authMaps + ").name", "key", ""},
		{"VMAgent", ConfigMap, "spec.remoteWrite[].(urlRelabelConfig,streamAggrConfig.configmap).name", "key", ""},
		{"VMAlert", Secret, "spec.(notifierConfigRef,(datasource,notifier,notifiers[],remoteRead,remoteWrite)." + authSecrets + ").name", "key", ""},
		{"VMAlert", ConfigMap, "spec.(datasource,notifier,notifiers[],remoteRead,remoteWrite)." + authMaps + ".name", "key", ""},
		{"VMAlertmanager VMAuth", Secret, "spec.configSecret", "", ""},
		{"VMAuth", Secret, "spec.externalConfig.secretRef.name", "key", ""},
		{"VMAnomaly", Secret, "spec.(configSecret,(reader,writer,monitoring.push)." + authSecrets + ").name", "key", ""},
		{"VMAnomaly", ConfigMap, "spec.(reader,writer,monitoring.push)." + authMaps + ".name", "key", ""},
		{"VMSingle VMCluster", Secret, "spec.(,vmstorage.)vmBackup.credentialsSecret.name", "key", ""},
		{"VLAgent VLSingle VLCluster", Secret, "spec.(,vlinsert.)syslogSpec.tcpListeners[].tlsConfig.(certSecret,keySecret).name", "key", ""},
	},
	"opentelemetry.io": {
		{"OpenTelemetryCollector", ConfigMap, "spec.configmaps[].name", "", ""},
	},
	"logging.banzaicloud.io": {
		{"Logging FluentdConfig FluentbitAgent", Secret, "spec.(,(fluentd,fluentbit).)envVars" + envSecrets, "key", ""},
		{"Logging FluentdConfig FluentbitAgent", ConfigMap, "spec.(,(fluentd,fluentbit).)envVars" + envMaps, "key", ""},
		{"Logging FluentdConfig", Secret, "spec.(,fluentd.)extraVolumes[].volume." + volumeSecrets, "", ""},
		{"Logging FluentdConfig", ConfigMap, "spec.(,fluentd.)extraVolumes[].volume." + volumeMaps, "", ""},
		{"Logging FluentdConfig FluentbitAgent SyslogNGConfig", Secret, "spec.(,(fluentd,fluentbit,syslogNG).)tls.secretName", "", ""},
		{"Logging FluentbitAgent", Secret, "spec.(,fluentbit.)customConfigSecret", "", ""},
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
		{"PerconaServerMongoDB", ConfigMap, "spec.(sharding.mongos,(replsets[],sharding.configsvrReplSet)(,.arbiter,.hidden,.nonvoting)).hookScript.configMapRef.name", "", ""},
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
		{sparkKinds, Secret, "spec.(,template.)(driver,executor).envSecretKeyRefs{}.name", "key", ""},
		{sparkKinds, Secret, "spec.(,template.)(driver,executor).secrets[].name", "", ""},
		{sparkKinds, ConfigMap, "spec.(,template.)((driver,executor).configMaps[].name,sparkConfigMap,hadoopConfigMap)", "", ""},
		{sparkKinds, ConfigMap, "spec.(,template.)(,(driver,executor).template.spec.)volumes[]." + volumeMaps, "", ""},
		{sparkKinds, Secret, "spec.(,template.)(,(driver,executor).template.spec.)volumes[]." + volumeSecrets, "", ""},
	},
	"argoproj.io": {
		{workflowKinds, ConfigMap, "spec.(,workflowSpec.)templates[].volumes[]." + volumeMaps, "", ""},
		{workflowKinds, Secret, "spec.(,workflowSpec.)templates[].volumes[]." + volumeSecrets, "", ""},
		{workflowKinds, ConfigMap, "spec.(,workflowSpec.)(arguments,templates[].inputs).parameters[].valueFrom.configMapKeyRef.name", "key", ""},
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
