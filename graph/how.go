package graph

import (
	"regexp"
	"slices"
	"strings"
)

// How says by which kind of field something is used.
type How string

// The kinds of fields.
const (
	ByEnv            How = "env"              // one key, as an environment variable
	ByEnvFrom        How = "envFrom"          // all keys, as environment variables
	ByVolume         How = "volume"           // files
	BySubPath        How = "subPath"          // files that are mounted one by one
	ByProjected      How = "projected"        // files, beside those of other sources
	ByCSI            How = "csi"              // a driver reads it
	ByPullSecret     How = "imagePullSecrets" // the kubelet logs in with it
	ByServiceAccount How = "serviceAccount"
	ByDeclaration    How = "declared" // by an annotation
	ByField          How = "field"    // of the object itself, outside of a PodSpec
)

// hows tell a field's kind by its path, the first that fits.
var hows = []struct {
	path *regexp.Regexp
	how  How
}{
	{regexp.MustCompile(`\.env\[\d+\]\.valueFrom\.\w+$`), ByEnv},
	{regexp.MustCompile(`\.envFrom\[\d+\]\.\w+$`), ByEnvFrom},
	{regexp.MustCompile(`\.volumes\[\d+\]\.projected\.sources\[\d+\]\.\w+$`), ByProjected},
	{regexp.MustCompile(`\.volumes\[\d+\]\.csi$`), ByCSI},
	{regexp.MustCompile(`\.volumes\[\d+\]\.\w+$`), ByVolume},
	{regexp.MustCompile(`\.imagePullSecrets\[\d+\]$`), ByPullSecret},
	{regexp.MustCompile(`\.serviceAccountName$`), ByServiceAccount},
}

// How is the kind of the reference's field.
func (r *Reference) How() How {
	if strings.Contains(r.Field, "annotations.") {
		return ByDeclaration
	}
	for _, h := range hows {
		switch {
		case !h.path.MatchString(r.Field):
		case h.how == ByVolume && r.subPath:
			return BySubPath
		default:
			return h.how
		}
	}
	return ByField
}

// State says what a reference resolved to.
type State uint8

// The states.
const (
	Resolved  State = iota
	Missing         // to nothing
	Absent          // to nothing, and it is optional
	Ambiguous       // to more than one thing
	InCluster       // to what the cluster makes
	Ignored         // the workload, or the configuration, says not to follow it
	Unmounted       // it is a volume's that no container mounts
)

var stateNames = [...]string{"resolved", "missing", "absent", "ambiguous", "in-cluster", "ignored", "unmounted"}

// String is the state's name in reports.
func (s State) String() string { return stateNames[s] }

// Producer reports whether a controller makes objects of the source.
func (s *Source) Producer() bool { return s.producer }

// Makes are the objects that a controller makes of the source, but for those
// that any namespace may have.
func (s *Source) Makes() (made []ID) {
	for i := range s.products {
		if p := &s.products[i]; !p.none && !p.everywhere && !slices.Contains(made, p.id) {
			made = append(made, p.id)
		}
	}
	return made
}

// Original is the source whose content a controller copies into this one, nil
// where there is none in the input.
func (s *Source) Original() *Source { return s.original }

// Ignored reports whether the source says that it restarts nobody.
func (s *Source) Ignored() bool { return s.ignored }

// Label names a source as a line of h1 does, with the namespace: its kind with
// its group, but for the two kinds that everybody means.
func (id ID) Label() string { return id.label() + strings.TrimPrefix(id.String(), printable(id.Kind)) }
