package graph

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/restamp/restamp/internal/manifest"
)

// Severity orders findings by how much they matter.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Warning
	Error
)

// String is the severity's name on the command line and in reports.
func (s Severity) String() string {
	return [...]string{"info", "warning", "error"}[s]
}

// Code names a kind of finding. Codes do not change between releases.
type Code string

// The codes, with what each says.
const (
	MissingReference   Code = "missing-reference"   // a reference to a source that is not in the stream
	MissingKey         Code = "missing-key"         // a reference to a key that its source lacks
	AmbiguousReference Code = "ambiguous-reference" // several sources answer to a reference
	DuplicateObject    Code = "duplicate-object"    // two objects with one identity
	UnusedSource       Code = "unused-source"       // no workload of the stream uses it
	UnmountedVolume    Code = "unmounted-volume"    // a volume that no container mounts
	NeverRolls         Code = "never-rolls"         // stamped, but a setting keeps the pods as they are
	ImmutableWorkload  Code = "immutable-workload"  // uses configuration, but its template may not change
	CostlyWorkload     Code = "costly-workload"     // uses configuration, but a change kills running work
	StandIn            Code = "stand-in"            // the content is made in the cluster; its change is not seen
	ForeignChecksum    Code = "foreign-checksum"    // another tool's checksum stands in the pod template
	ChartLabel         Code = "chart-label"         // helm.sh/chart in the pod labels restarts pods by itself
	LeftoverEnv        Code = "leftover-env"        // an environment variable that Reloader left behind
	UnkeyedSecret      Code = "unkeyed-secret"      // a stamp covers Secret values without a key
	Placeholder        Code = "placeholder"         // a later step fills the value in
	CannotStamp        Code = "cannot-stamp"        // a stamp that cannot be computed or spliced in
	InvalidSource      Code = "invalid-source"      // the API server would refuse a source
	FirstStamp         Code = "first-stamp"         // the first stamp of a pod template restarts its pods
	StaleStamp         Code = "stale-stamp"         // a check found a stamp that is not as it should be
	NeedsHashSuffix    Code = "needs-hash-suffix"   // kustomize will put a hash of the content behind the name
)

// Finding is something that the user should know.
type Finding struct {
	Code     Code
	Severity Severity
	Object   ID
	Field    string // the path of the field in the object, "" for the object as a whole
	Place    Place
	Message  string
	Hint     string // what to do about it, "" where the message says all
}

// Place is where in the input something stands. The zero Place is nowhere.
type Place struct {
	Doc    *manifest.Document
	Offset int // in the document's text
}

// File is the name of the input, "" for nowhere.
func (p Place) File() string {
	if p.Doc == nil {
		return ""
	}
	return p.Doc.File()
}

// Line is the line in the input, counted from 1, and 0 for nowhere.
func (p Place) Line() int {
	if p.Doc == nil {
		return 0
	}
	return p.Doc.Line(p.Offset)
}

// compare orders places as the input does.
func (p Place) compare(q Place) int {
	switch {
	case p.Doc == nil || q.Doc == nil:
		return cmp.Compare(present(p), present(q))
	case p.Doc.Chunk != q.Doc.Chunk:
		return cmp.Compare(p.Doc.Chunk.Order, q.Doc.Chunk.Order)
	}
	return cmp.Compare(p.Doc.Start+p.Offset, q.Doc.Start+q.Offset)
}

func present(p Place) int {
	if p.Doc == nil {
		return 0
	}
	return 1
}

// SortFindings puts findings in the order of the input.
func SortFindings(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(a.Place.compare(b.Place), cmp.Compare(b.Severity, a.Severity))
	})
}

// String is the place as "file:line".
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File(), p.Line()) }
