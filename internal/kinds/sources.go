package kinds

// The kinds of the core group that hold configuration.
const (
	ConfigMap = "ConfigMap"
	Secret    = "Secret"
)

// The producer that a pod names itself, as a csi volume.
const (
	SecretsStore        = "secrets-store.csi.x-k8s.io"
	SecretProviderClass = "SecretProviderClass"
)

// ClusterConfigMaps are ConfigMaps that every namespace has without a manifest:
// Kubernetes' own (RootCAConfigMap) and OpenShift's.
var ClusterConfigMaps = map[string]bool{"kube-root-ca.crt": true, "openshift-service-ca.crt": true}

// TokenSecret is the type of a Secret that the cluster fills.
const TokenSecret = "kubernetes.io/service-account-token"

// Injected are labels and annotations of objects whose content a controller
// injects: OpenShift's service-ca and cluster-network operators, cert-manager's
// ca-injector.
var Injected = map[string]bool{
	"config.openshift.io/inject-trusted-cabundle": true,
	"service.beta.openshift.io/inject-cabundle":   true,
	"service.alpha.openshift.io/inject-cabundle":  true,
	"cert-manager.io/inject-ca-from":              true,
	"cert-manager.io/inject-ca-from-secret":       true,
	"cert-manager.io/inject-apiserver-ca":         true,
}

// Copied are annotations of ConfigMaps and Secrets into which a controller
// copies another one, which they name: reflector 10 (Mirroring/Core of the
// emberstack project), replicator 2.12 (replicate/common/consts.go of the
// mittwald project).
var Copied = []string{
	"reflector.v1.k8s.emberstack.com/reflects",
	"replicator.v1.mittwald.de/replicate-from",
}

// The annotations with which argocd-vault-plugin 1.18 (pkg/types/constants.go)
// is told where an object's values come from, and to leave an object alone.
const (
	VaultPath   = "avp.kubernetes.io/path"
	VaultIgnore = "avp.kubernetes.io/ignore"
)

// ForeignChecksums are how the annotations of a pod template start that a chart
// or another tool computes for the same purpose.
var ForeignChecksums = []string{"checksum/", "checksum.", "configchecksum", "pipecd.dev/config-hash"}

// ChartLabel is the label by which a chart's new version restarts pods that
// carry it.
const ChartLabel = "helm.sh/chart"

// LeftoverEnv is how the environment variables start that Reloader adds to a
// container.
const LeftoverEnv = "STAKATER_"
