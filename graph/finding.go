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

// The codes. Rules says what each means.
const (
	MissingReference   Code = "missing-reference"
	MissingKey         Code = "missing-key"
	AmbiguousReference Code = "ambiguous-reference"
	DuplicateObject    Code = "duplicate-object"
	UnusedSource       Code = "unused-source"
	UnmountedVolume    Code = "unmounted-volume"
	NeverRolls         Code = "never-rolls"
	LateSource         Code = "late-source"
	ImmutableWorkload  Code = "immutable-workload"
	CostlyWorkload     Code = "costly-workload"
	StandIn            Code = "stand-in"
	ForeignChecksum    Code = "foreign-checksum"
	ChartLabel         Code = "chart-label"
	LeftoverEnv        Code = "leftover-env"
	LeftoverAnnotation Code = "leftover-annotation"
	ForeignAnnotation  Code = "foreign-annotation"
	DoubleRestart      Code = "double-restart"
	UnkeyedSecret      Code = "unkeyed-secret"
	Placeholder        Code = "placeholder"
	CannotStamp        Code = "cannot-stamp"
	InvalidSource      Code = "invalid-source"
	FirstStamp         Code = "first-stamp"
	StaleStamp         Code = "stale-stamp"
	NeedsHashSuffix    Code = "needs-hash-suffix"
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
