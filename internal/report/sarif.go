package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/restamp/restamp/graph"
)

// The parts of a SARIF 2.1.0 log (OASIS, errata 01) that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   graph.Code         `json:"id"`
		ShortDescription     sarifMessage       `json:"shortDescription"`
		FullDescription      sarifMessage       `json:"fullDescription"`
		HelpURI              string             `json:"helpUri"`
		Help                 sarifMessage       `json:"help"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID              graph.Code        `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI         string        `json:"uri"`
		Description *sarifMessage `json:"description,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// sarifLevels are the levels of results and of rules.
var sarifLevels = [...]string{graph.Info: "note", graph.Warning: "warning", graph.Error: "error"}

// asSARIF writes a log for code scanning.
func asSARIF(w io.Writer, o outcome, opts Options) error {
	driver := sarifDriverOf(opts.Version)
	index := make(map[graph.Code]int)
	for i, r := range graph.Rules {
		index[r.Code] = i
		driver.Rules = append(driver.Rules, sarifRuleOf(r))
	}
	run := sarifRun{
		Tool:        sarifTool{driver},
		Invocations: []sarifInvocation{{ExecutionSuccessful: o.faults == nil}},
		Results:     []sarifResult{},
	}
	seen := make(map[string]int)
	for _, f := range o.findings {
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Code, RuleIndex: index[f.Code], Level: sarifLevels[f.Severity],
			Message:             sarifText(f.Object.String() + ": " + f.Message),
			Locations:           []sarifLocation{sarifLocationOf(f)},
			PartialFingerprints: map[string]string{"restamp/v1": fingerprint(f, seen)},
		})
	}
	for _, f := range o.faults {
		n := sarifNotification{Level: "error", Message: sarifText(f.Message)}
		if f.File != "" {
			n.Locations = []sarifLocation{{PhysicalLocation: sarifPlace(f.File, f.Line)}}
		}
		run.Invocations[0].ToolExecutionNotifications = append(run.Invocations[0].ToolExecutionNotifications, n)
	}
	return writeSARIF(w, run)
}

// writeSARIF writes a log of one run.
func writeSARIF(w io.Writer, run sarifRun) error {
	return writeJSON(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// sarifDriverOf is restamp, without rules.
func sarifDriverOf(version string) sarifDriver {
	return sarifDriver{Name: "restamp", Version: strings.TrimPrefix(version, "v"), InformationURI: "https://github.com/restamp/restamp"}
}

func sarifRuleOf(r graph.Rule) sarifRule {
	return sarifRule{
		ID:                   r.Code,
		ShortDescription:     sarifText(r.What + "."),
		FullDescription:      sarifText(r.What + ". " + r.Why),
		HelpURI:              help(r.Code),
		Help:                 sarifText(cmp.Or(r.Hint, r.Why)),
		DefaultConfiguration: sarifConfiguration{sarifLevels[r.Severity]},
	}
}

// sarifText is a plain text. In a message of SARIF "[text](target)" is a link,
// which no name is to be.
func sarifText(s string) sarifMessage {
	return sarifMessage{strings.ReplaceAll(printable(s), "](", "] (")}
}

func sarifLocationOf(f graph.Finding) (l sarifLocation) {
	if file := f.Place.File(); file != "" {
		l.PhysicalLocation = sarifPlace(file, f.Place.Line())
	}
	object := printable(f.Object.String())
	l.LogicalLocations = []sarifLogical{{object, object, "resource"}}
	if f.Field != "" {
		field := printable(f.Field)
		l.LogicalLocations = append(l.LogicalLocations, sarifLogical{field, object + ":" + field, "property"})
	}
	return l
}

// sarifPlace is a line of a file. Code scanning wants a file for everything, so
// that standard input has a name too.
func sarifPlace(file string, line int) *sarifPhysical {
	p := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: uri(file)}}
	if file == StandardInput {
		p.ArtifactLocation = sarifArtifact{"stdin", &sarifMessage{StandardInput}}
	}
	if line > 0 {
		p.Region = &sarifRegion{line}
	}
	return p
}

// uri is a file's path as a URI: relative to where restamp runs, as the path is.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
	if filepath.IsAbs(file) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	return u.String()
}

// fingerprint is the same wherever in its file a finding's object moves. Of
// several that are alike the place in the order tells them apart.
func fingerprint(f graph.Finding, seen map[string]int) string {
	h := sha256.New()
	for _, part := range []string{string(f.Code), f.Place.File(), f.Object.Group, f.Object.Kind, f.Object.Namespace, f.Object.Name, f.Field} {
		fmt.Fprintf(h, "%d:%s,", len(part), part) // so that no two lists are alike
	}
	sum := fmt.Sprintf("%x", h.Sum(nil)[:16])
	seen[sum]++
	return fmt.Sprintf("%s:%d", sum, seen[sum])
}
