package kinds

import "slices"

// Producers is the table of producers: first those whose spec decides the
// content, then those whose content comes from elsewhere. Refresh intervals,
// deletion policies, labels, annotations, types and status decide no content
// and are left out everywhere.
var Producers = slices.Concat(stores, vaults, sealed, certificates, copies, generated)

// stores are producers that fetch values from a secret store. Sources:
// External Secrets Operator 2.9 (apis/externalsecrets/v1 and v1beta1), Secrets
// Store CSI driver 1.5 (apis/v1) and Secrets Store sync controller 0.0.4
// (api/v1alpha1; the Secret has the SecretSync's own name), whose kind GKE
// serves too, in a group of its own (Secret Manager's page "Synchronize secrets
// to Kubernetes Secrets"). A PushSecret makes nothing.
var stores = []Producer{
	{
		Group: "external-secrets.io", Kind: "ExternalSecret", Makes: Secret,
		MakesPath: P("spec.target.manifest.kind"),
		Name:      P("spec.target.name"), Names: ownName,
		Entries:  paths("spec.data"),
		EntryKey: "secretKey",
		Open:     paths("spec.dataFrom", "spec.target.template.data", "spec.target.template.templateFrom"),
		Computed: paths("spec.target.template.data", "spec.target.template.templateFrom"),
		Content:  paths("spec.secretStoreRef", "spec.dataFrom", "spec.target.template"),
		Without:  paths("spec.target.template.metadata", "spec.target.template.type"),
		Policy:   P("spec.target.creationPolicy"), Merges: []string{"Merge", "CreateOrMerge"}, MakesNot: []string{"None"},
	},
	{
		Group: "external-secrets.io", Kind: "ClusterExternalSecret", Makes: Secret,
		MakesPath: P("spec.externalSecretSpec.target.manifest.kind"),
		Name:      P("spec.externalSecretSpec.target.name"), Names: []string{"{spec.externalSecretName|metadata.name}"},
		Everywhere: true, Namespace: P("spec.namespaces[]"), Selectors: paths("spec.namespaceSelector", "spec.namespaceSelectors"),
		Entries:  paths("spec.externalSecretSpec.data"),
		EntryKey: "secretKey",
		Open:     paths("spec.externalSecretSpec.dataFrom", "spec.externalSecretSpec.target.template.data", "spec.externalSecretSpec.target.template.templateFrom"),
		Computed: paths("spec.externalSecretSpec.target.template.data", "spec.externalSecretSpec.target.template.templateFrom"),
		Content:  paths("spec.externalSecretSpec.secretStoreRef", "spec.externalSecretSpec.dataFrom", "spec.externalSecretSpec.target.template"),
		Without:  paths("spec.externalSecretSpec.target.template.metadata", "spec.externalSecretSpec.target.template.type"),
		Policy:   P("spec.externalSecretSpec.target.creationPolicy"), Merges: []string{"Merge", "CreateOrMerge"}, MakesNot: []string{"None"},
	},
	{
		Group: SecretsStore, Kind: SecretProviderClass, Makes: Secret,
		Each: P("spec.secretObjects[]"), Name: P("secretName"), Keys: paths("data[].key"),
		Content: paths("spec.provider", "spec.parameters", "spec.secretObjects"),
	},
	secretSync("secret-sync.x-k8s.io"),
	secretSync("secret-sync.gke.io"),
}

func secretSync(group string) Producer {
	return Producer{
		Group: group, Kind: "SecretSync", Makes: Secret,
		Entries: paths("spec.secretObject.data"), EntryKey: "targetKey",
		Content: paths("spec.secretProviderClassName"),
	}
}

// vaults are producers of single vaults and vendors. Sources: Vault Secrets
// Operator 1.4 (api/v1beta1; without destination.create it overwrites the data
// of a Secret that others make, helpers/secrets.go), Vault Secrets Operator of
// ricoberger 1.28 (api/v1alpha1), Vault Config Operator 0.8 (api/v1alpha1),
// 1Password Operator 1.12 (api/v1, the Secret has the item's own name),
// Infisical operator 0.11 (api/v1alpha1 and v1beta1), Doppler operator 1.7
// (api/v1alpha1), Bitwarden's sm-kubernetes 2.0 (api/v1), akv2k8s 1.9
// (pkg/k8s/apis/azurekeyvault, v1 to v2beta1; without a name there is no
// output), tofu-controller 0.16 (api/v1alpha2: of a Terraform, what decides the
// outputs).
var vaults = slices.Concat(
	kindsOf(Producer{
		Group: "secrets.hashicorp.com", Makes: Secret, Name: P("spec.destination.name"),
		Content: paths("spec", "spec.destination.transformation"),
		Without: paths(
			"spec.destination", "spec.hmacSecretData", "spec.refreshAfter", "spec.rolloutRestartTargets", "spec.syncConfig",
			"spec.renewalPercent", "spec.revoke", "spec.clear", "spec.expiryOffset",
		),
		Policy: P("spec.destination.create"), PolicyDefault: "false", Merges: []string{"false"},
	}, "VaultStaticSecret", "VaultDynamicSecret", "VaultPKISecret", "HCPVaultSecretsApp"),
	[]Producer{
		{
			Group: "ricoberger.de", Kind: "VaultSecret", Makes: Secret,
			Entries: paths("spec.templates"), Open: paths("spec.path", "spec.paths"),
			Content: paths("spec"), Without: paths("spec.templates", "spec.type", "spec.reconcileStrategy"),
			Policy: P("spec.reconcileStrategy"), Merges: []string{"Merge"},
		},
		{
			Group: "redhatcop.redhat.io", Kind: "VaultSecret", Makes: Secret, Name: P("spec.output.name"),
			Entries: paths("spec.output.stringData"), Content: paths("spec.vaultSecretDefinitions"),
		},
		{Group: "onepassword.com", Kind: "OnePasswordItem", Makes: Secret, Content: paths("spec.itemPath")},
		infisical(Secret, "spec.managedSecretReference", "secretName", "secretNamespace"),
		infisical(Secret, "spec.managedKubeSecretReferences[]", "secretName", "secretNamespace"),
		infisical(ConfigMap, "spec.managedKubeConfigMapReferences[]", "configMapName", "configMapNamespace"),
		{
			Group: "secrets.infisical.com", Kind: "InfisicalDynamicSecret", Makes: Secret,
			Each: P("spec.managedSecretReference"), Name: P("secretName"), Namespace: P("secretNamespace"),
			Entries: paths("template.data"), Open: paths("secretName"),
			Content: paths("spec.dynamicSecret"),
		},
		{
			Group: "secrets.infisical.com", Kind: "InfisicalStaticSecret", MakesPath: P("kind"),
			Each: P("spec.targets[]"), Name: P("name"), Namespace: P("namespace"),
			Entries: paths("template.data"), Open: paths("name"),
			Content: paths("spec.infisicalAuthRef", "spec.sources"),
		},
		{
			Group: "secrets.doppler.com", Kind: "DopplerSecret", Makes: Secret,
			Name: P("spec.managedSecret.name"), Namespace: P("spec.managedSecret.namespace"),
			Content: paths("spec"),
			Without: paths("spec.managedSecret", "spec.resyncSeconds", "spec.expirationSeconds", "spec.verifyTLS"),
		},
		{
			Group: "k8s.bitwarden.com", Kind: "BitwardenSecret", Makes: Secret, Name: P("spec.secretName"),
			Entries: paths("spec.map"), EntryKey: "secretKeyName", Open: paths("spec"),
			Content: paths("spec"), Without: paths("spec.map", "spec.secretName"),
		},
		{
			Group: "spv.no", Kind: "AzureKeyVaultSecret", Makes: Secret, Name: P("spec.output.secret.name"),
			Content: paths("spec.vault", "spec.output.transform", "spec.output.transforms", "spec.output.secret.dataKey", "spec.output.secret.chainOrder"),
			Without: paths("spec.vault.azureIdentity"),
		},
		{
			Group: "spv.no", Kind: "AzureKeyVaultSecret", Makes: ConfigMap, Name: P("spec.output.configMap.name"),
			Content: paths("spec.vault", "spec.output.transform", "spec.output.configMap.dataKey"),
			Without: paths("spec.vault.azureIdentity"),
		},
		{
			Group: "infra.contrib.fluxcd.io", Kind: "Terraform", Makes: Secret, Name: P("spec.writeOutputsToSecret.name"),
			Content: paths(
				"spec.path", "spec.sourceRef", "spec.workspace", "spec.vars", "spec.varsFrom", "spec.values", "spec.tfVarsFiles",
				"spec.fileMappings", "spec.readInputsFromSecrets", "spec.writeOutputsToSecret.outputs",
			),
		},
	},
)

// infisical is the row of one place where an InfisicalSecret names what it
// makes.
func infisical(makes, each, name, namespace string) Producer {
	return Producer{
		Group: "secrets.infisical.com", Kind: "InfisicalSecret", Makes: makes,
		Each: P(each), Name: P(name), Namespace: P(namespace),
		Entries: paths("template.data"), Open: paths(name),
		Content: paths("spec"),
		Without: paths(
			"spec.managedSecretReference", "spec.managedKubeSecretReferences", "spec.managedKubeConfigMapReferences",
			"spec.resyncInterval", "spec.syncConfig", "spec.instantUpdates", "spec.tls",
		),
	}
}

// sealed are producers that hold the values themselves, encrypted. Sources:
// sealed-secrets 0.40 (pkg/apis/sealedsecrets/v1alpha1; the Secret always has
// the SealedSecret's own name, and data is the older form of encryptedData),
// sops-secrets-operator 0.21 (api/v1alpha1 to v1alpha3).
var sealed = []Producer{
	{
		Group: "bitnami.com", Kind: "SealedSecret", Makes: Secret,
		Entries:  paths("spec.encryptedData"),
		Open:     paths("spec.template.data", "spec.data"),
		Computed: paths("spec.template.data"),
		Content:  paths("spec.template.data", "spec.data"),
	},
	sops("spec.secretTemplates[]"),
	sops("spec.secret_templates[]"),
}

func sops(each string) Producer {
	return Producer{
		Group: "isindir.github.com", Kind: "SopsSecret", Makes: Secret,
		Each: P(each), Name: P("name"), Entries: paths("data", "stringData"),
	}
}

// certificates are producers of certificates and of bundles of them. Sources:
// cert-manager 1.21 (pkg/apis/certmanager/v1), trust-manager 0.25
// (pkg/apis/trust/v1alpha1 and trustmanager/v1alpha2).
var certificates = []Producer{
	{
		Group: "cert-manager.io", Kind: "Certificate", Makes: Secret, Name: P("spec.secretName"),
		Content: paths("spec"),
		Without: paths(
			"spec.secretName", "spec.secretTemplate", "spec.renewBefore", "spec.renewBeforePercentage", "spec.renewal",
			"spec.revisionHistoryLimit",
		),
	},
	bundle(ConfigMap, "spec.target.configMap"),
	bundle(Secret, "spec.target.secret"),
	clusterBundle(ConfigMap, "spec.target.configMap"),
	clusterBundle(Secret, "spec.target.secret"),
}

func bundle(makes, target string) Producer {
	return Producer{
		Group: "trust.cert-manager.io", Kind: "Bundle", Makes: makes, When: P(target), Everywhere: true,
		Entries: paths("spec.target.additionalFormats"), EntryKey: "key", Keys: paths(target + ".key"),
		Content: paths("spec.sources"),
	}
}

func clusterBundle(makes, target string) Producer {
	return Producer{
		Group: "trust-manager.io", Kind: "ClusterBundle", Makes: makes, When: P(target), Everywhere: true,
		Entries: paths(target + ".data"), EntryKey: "key",
		Content: paths("spec.sourceRefs", "spec.defaultCAs", "spec.inLineCAs"),
	}
}

// copies are producers that hold an object for other namespaces. Sources:
// Kyverno's rules (api/kyverno/v1; what clone copies is not here), OpenKruise
// (apis/apps/v1alpha1).
var copies = slices.Concat(
	kyverno("spec.rules[].generate"),
	kyverno("spec.rules[].generate.foreach[]"),
	[]Producer{{
		Group: "apps.kruise.io", Kind: "ResourceDistribution", MakesPath: P("spec.resource.kind"), Name: P("spec.resource.metadata.name"),
		Everywhere: true, Namespace: P("spec.targets.includedNamespaces[].name"),
		Entries: paths("spec.resource.data", "spec.resource.stringData", "spec.resource.binaryData"),
	}},
)

func kyverno(each string) []Producer {
	policy := Producer{
		Group: "kyverno.io", Kind: "Policy", MakesPath: P("kind"),
		Each: P(each), Name: P("name"), Namespace: P("namespace"),
		Entries: paths("data.data", "data.stringData", "data.binaryData"), Open: paths("clone.name"),
	}
	clusterPolicy := policy
	clusterPolicy.Kind, clusterPolicy.Everywhere = "ClusterPolicy", true
	return []Producer{policy, clusterPolicy}
}
