package kinds

// The kinds of the core group that hold configuration.
const (
	ConfigMap = "ConfigMap"
	Secret    = "Secret"
)

// Field is a part of a producer's spec that decides the content of every key.
type Field struct {
	Path    Path
	Without []string // fields of it that do not
}

// Producer says which object a controller makes of a kind's objects, and what
// in them decides its content.
type Producer struct {
	Group, Kind string
	Makes       string  // the kind of what is made
	MakesPath   Path    // to the kind of what is made, where the object says it
	Name        Path    // to the name of what is made, in the same namespace
	OwnName     bool    // without Name, or without a value there, it is the producer's own name
	Entries     Path    // to what decides single keys: a map by key, or a list
	EntryKey    string  // the field of a list's item that names the key
	Fields      []Field // what decides every key
	Computed    []Path  // where values are computed, so that every entry may decide every key
	Open        []Path  // where further keys may come from; a producer without Entries tells none
	Policy      Path    // to a word that says whether the object is made
	Merges      string  // the policy's word for: the keys go into an object that others make
	MakesNot    string  // the policy's word for: nothing is made
}

// Producers is the table of producers. Sources: External Secrets Operator's API
// reference (v1), sealed-secrets (the Secret always has the SealedSecret's own
// name), cert-manager's API reference (v1), Secrets Store CSI driver's
// documentation (secretObjects). Refresh intervals, deletion policies and
// metadata decide no content and are left out.
var Producers = []Producer{
	{
		Group: "external-secrets.io", Kind: "ExternalSecret", Makes: Secret,
		MakesPath: P("spec.target.manifest.kind"),
		Name:      P("spec.target.name"), OwnName: true,
		Entries: P("spec.data"), EntryKey: "secretKey",
		Fields: []Field{
			{Path: P("spec.secretStoreRef")},
			{Path: P("spec.dataFrom")},
			{Path: P("spec.target.template"), Without: []string{"metadata", "type"}},
		},
		Computed: []Path{P("spec.target.template.data"), P("spec.target.template.templateFrom")},
		Open:     []Path{P("spec.dataFrom"), P("spec.target.template.data"), P("spec.target.template.templateFrom")},
		Policy:   P("spec.target.creationPolicy"), Merges: "Merge", MakesNot: "None",
	},
	{
		Group: "bitnami.com", Kind: "SealedSecret", Makes: Secret, OwnName: true,
		Entries:  P("spec.encryptedData"),
		Fields:   []Field{{Path: P("spec.template.data")}},
		Computed: []Path{P("spec.template.data")},
		Open:     []Path{P("spec.template.data")},
	},
	{
		Group: "cert-manager.io", Kind: "Certificate", Makes: Secret, Name: P("spec.secretName"),
		Fields: []Field{{Path: P("spec"), Without: []string{
			"secretName", "secretTemplate", "renewBefore", "renewBeforePercentage", "revisionHistoryLimit",
		}}},
	},
	{
		Group: SecretsStore, Kind: SecretProviderClass, Makes: Secret, Name: P("spec.secretObjects[].secretName"),
		Fields: []Field{{Path: P("spec.provider")}, {Path: P("spec.parameters")}, {Path: P("spec.secretObjects")}},
	},
}

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

// ForeignChecksums are how the annotations of a pod template start that a chart
// or another tool computes for the same purpose.
var ForeignChecksums = []string{"checksum/", "checksum.", "configchecksum", "pipecd.dev/config-hash"}

// ChartLabel is the label by which a chart's new version restarts pods that
// carry it.
const ChartLabel = "helm.sh/chart"

// LeftoverEnv is how the environment variables start that Reloader adds to a
// container.
const LeftoverEnv = "STAKATER_"
