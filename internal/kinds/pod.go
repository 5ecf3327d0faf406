package kinds

// ContainerLists are the fields of a pod's spec that hold containers.
var ContainerLists = []string{"containers", "initContainers", "ephemeralContainers"}

// The fields of a pod's spec that a running pod does not use any more.
const (
	ImagePullSecrets   = "imagePullSecrets"
	ServiceAccountName = "serviceAccountName"
	ServiceAccount     = "ServiceAccount"
)

// IdentityAnnotations are the annotations of a ServiceAccount by which a cloud
// gives its pods an identity when they start, sorted: Azure Workload Identity,
// Amazon EKS pod identity webhook, GKE Workload Identity.
var IdentityAnnotations = []string{
	"azure.workload.identity/client-id", "azure.workload.identity/tenant-id",
	"eks.amazonaws.com/role-arn",
	"iam.gke.io/gcp-service-account",
}

// NameRef is a field that names a source.
type NameRef struct {
	Path        Path // from the place that the table says to the source's name
	Group, Kind string
	Files       bool // its keys are files, which items and subPath choose from
}

// The references of a pod's spec, from the API reference of Kubernetes 1.32.
// imagePullSecrets and serviceAccountName are left out: a running pod does not
// use them.
var (
	// Env are references of containers[].env[].valueFrom to one key.
	Env = []NameRef{
		{Path: P("configMapKeyRef.name"), Kind: ConfigMap},
		{Path: P("secretKeyRef.name"), Kind: Secret},
	}
	// EnvFrom are references of containers[].envFrom[] to all keys.
	EnvFrom = []NameRef{
		{Path: P("configMapRef.name"), Kind: ConfigMap},
		{Path: P("secretRef.name"), Kind: Secret},
	}
	// Projected are references of volumes[].projected.sources[].
	Projected = []NameRef{
		{Path: P("configMap.name"), Kind: ConfigMap, Files: true},
		{Path: P("secret.name"), Kind: Secret, Files: true},
	}
	// Volumes are references of volumes[].
	Volumes = []NameRef{
		{Path: P("configMap.name"), Kind: ConfigMap, Files: true},
		{Path: P("secret.secretName"), Kind: Secret, Files: true},
		{Path: P("csi.volumeAttributes.secretProviderClass"), Group: SecretsStore, Kind: SecretProviderClass},
		{Path: P("csi.nodePublishSecretRef.name"), Kind: Secret},
		{Path: P("azureFile.secretName"), Kind: Secret},
		{Path: P("cephfs.secretRef.name"), Kind: Secret},
		{Path: P("cinder.secretRef.name"), Kind: Secret},
		{Path: P("flexVolume.secretRef.name"), Kind: Secret},
		{Path: P("iscsi.secretRef.name"), Kind: Secret},
		{Path: P("rbd.secretRef.name"), Kind: Secret},
		{Path: P("scaleIO.secretRef.name"), Kind: Secret},
		{Path: P("storageos.secretRef.name"), Kind: Secret},
	}
)
