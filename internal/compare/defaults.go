package compare

import (
	"regexp"
	"strings"

	"github.com/restamp/restamp/internal/manifest/tree"
)

// defaults are what the API server puts where a pod's field is not there
// (kubernetes/pkg/apis/core/v1/defaults.go), by the end of the field's path.
// Writing one out, or leaving it out, changes no pod.
var defaults = []struct {
	path  *regexp.Regexp
	value string
}{
	{ends(`spec\.restartPolicy`), "Always"},
	{ends(`spec\.dnsPolicy`), "ClusterFirst"},
	{ends(`spec\.schedulerName`), "default-scheduler"},
	{ends(`spec\.terminationGracePeriodSeconds`), "30"},
	{ends(`spec\.enableServiceLinks`), "true"},
	{ends(`spec\.host(Network|PID|IPC)`), "false"},
	{ends(`\.terminationMessagePath`), "/dev/termination-log"},
	{ends(`\.terminationMessagePolicy`), "File"},
	{ends(`\.(stdin|stdinOnce|tty)`), "false"},
	{ends(`ports\[[^\]]*\]\.protocol`), "TCP"},
	{ends(`fieldRef\.apiVersion`), "v1"},
	{ends(`httpGet\.scheme`), "HTTP"},
	{ends(`Probe\.timeoutSeconds`), "1"},
	{ends(`Probe\.periodSeconds`), "10"},
	{ends(`Probe\.successThreshold`), "1"},
	{ends(`Probe\.failureThreshold`), "3"},
	{ends(`Probe\.initialDelaySeconds`), "0"},
	{ends(`volumeMounts\[[^\]]*\]\.readOnly`), "false"},
	{ends(`\.(configMap|secret|projected|downwardAPI)\.defaultMode`), "420"},
	{ends(`serviceAccountToken\.expirationSeconds`), "3600"},
}

func ends(path string) *regexp.Regexp { return regexp.MustCompile(path + "$") }

// defaulted are the last steps of all paths above, so that most fields need no look.
var defaulted = map[string]bool{
	"restartPolicy": true, "dnsPolicy": true, "schedulerName": true, "terminationGracePeriodSeconds": true, "enableServiceLinks": true,
	"hostNetwork": true, "hostPID": true, "hostIPC": true, "terminationMessagePath": true, "terminationMessagePolicy": true,
	"stdin": true, "stdinOnce": true, "tty": true, "protocol": true, "apiVersion": true, "scheme": true, "timeoutSeconds": true,
	"periodSeconds": true, "successThreshold": true, "failureThreshold": true, "initialDelaySeconds": true, "readOnly": true,
	"defaultMode": true, "expirationSeconds": true,
}

// isDefault reports whether a field of a pod template has the value that it has
// where it is not written.
func isDefault(path string, n tree.Node) bool {
	if n.Kind() != tree.Scalar {
		return false
	}
	name := lastStep(path)
	if n.Type() == tree.String && n.Text() == "" {
		return !free(path) && !strings.HasSuffix(name, "ClassName")
	}
	if !defaulted[name] {
		return false
	}
	value := plainText(n)
	for _, d := range defaults {
		if d.value == value && d.path.MatchString(path) {
			return true
		}
	}
	return false
}

// free reports whether a path leads to an entry of a map whose keys are the
// user's: an empty value is one there.
func free(path string) bool {
	for _, m := range []string{"labels", "annotations", "nodeSelector", "matchLabels", "limits", "requests", "options", "volumeAttributes"} {
		if strings.Contains(path, m+".") || strings.Contains(path, m+"[") {
			return true
		}
	}
	return strings.HasSuffix(path, "]")
}

// plainText is a scalar as the API server reads it: numbers in decimal.
func plainText(n tree.Node) string {
	if n.Type() == tree.String {
		return n.Text()
	}
	text, ok := n.AppendJSON(nil)
	if !ok {
		return n.Text()
	}
	return string(text)
}

// pullPolicy is a container's policy: without a word of its own it follows from
// the image's tag.
func pullPolicy(container tree.Node) string {
	if policy := container.Field("imagePullPolicy"); !absent(policy) {
		return policy.Text()
	}
	name, _, digest := strings.Cut(container.Field("image").Text(), "@")
	_, tag, tagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if tag == "latest" || !tagged && !digest {
		return "Always"
	}
	return "IfNotPresent"
}
