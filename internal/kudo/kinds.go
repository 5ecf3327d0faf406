package kudo

import "github.com/restamp/restamp/internal/manifest/tree"

// labelled are the places below an object that KUDO labels too.
var labelled = []struct {
	group, kind string
	at          func(root tree.Node) []tree.Node // the maps that have the metadata
}{
	{"apps", "Deployment", podTemplate},
	{"apps", "StatefulSet", podTemplate},
	{"apps", "StatefulSet", claimTemplates},
	{"apps", "DaemonSet", podTemplate},
	{"apps", "ReplicaSet", podTemplate},
	{"", "ReplicationController", podTemplate},
	{"batch", "Job", podTemplate},
	{"batch", "CronJob", jobTemplate},
}

func podTemplate(root tree.Node) []tree.Node { return []tree.Node{root.Path("spec", "template")} }

func jobTemplate(root tree.Node) []tree.Node {
	return []tree.Node{root.Path("spec", "jobTemplate", "spec", "template")}
}

func claimTemplates(root tree.Node) (all []tree.Node) {
	for item := range root.Path("spec", "volumeClaimTemplates").Items() {
		all = append(all, item)
	}
	return all
}

// clusterKinds are the kinds of Kubernetes, and of what many clusters have,
// that are in no namespace, by their groups. All others are in one.
var clusterKinds = map[string][]string{
	"":                             {"ComponentStatus", "Namespace", "Node", "PersistentVolume"},
	"admissionregistration.k8s.io": {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"},
	"apiextensions.k8s.io":         {"CustomResourceDefinition"},
	"apiregistration.k8s.io":       {"APIService"},
	"authentication.k8s.io":        {"SelfSubjectReview", "TokenReview"},
	"authorization.k8s.io":         {"SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"},
	"certificates.k8s.io":          {"CertificateSigningRequest", "ClusterTrustBundle"},
	"cert-manager.io":              {"ClusterIssuer"},
	"flowcontrol.apiserver.k8s.io": {"FlowSchema", "PriorityLevelConfiguration"},
	"gateway.networking.k8s.io":    {"GatewayClass"},
	"networking.k8s.io":            {"IPAddress", "IngressClass", "ServiceCIDR"},
	"node.k8s.io":                  {"RuntimeClass"},
	"policy":                       {"PodSecurityPolicy"},
	"rbac.authorization.k8s.io":    {"ClusterRole", "ClusterRoleBinding"},
	"resource.k8s.io":              {"DeviceClass", "ResourceSlice"},
	"scheduling.k8s.io":            {"PriorityClass"},
	"security.openshift.io":        {"SecurityContextConstraints"},
	"snapshot.storage.k8s.io":      {"VolumeSnapshotClass", "VolumeSnapshotContent"},
	"storage.k8s.io":               {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"},
}
