package report

import (
	"encoding/json"
	"io"

	"github.com/restamp/restamp/graph"
)

// jsonReport is the document that --report json writes, as
// docs/schemas/report.v1alpha1.json describes it. Fields may be added; none is
// renamed or taken away within a version.
type jsonReport struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Findings   []jsonFinding `json:"findings"`
	Errors     []string      `json:"errors,omitempty"` // why there are no findings: the input could not be read
}

type jsonFinding struct {
	Code     graph.Code `json:"code"`
	Severity string     `json:"severity"`
	Object   jsonObject `json:"object"`
	Field    string     `json:"field,omitempty"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Message  string     `json:"message"`
	Hint     string     `json:"hint,omitempty"`
	Help     string     `json:"help"`
}

type jsonObject struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

func asJSON(w io.Writer, o outcome, _ Options) error {
	report := jsonReport{APIVersion: "restamp.dev/v1alpha1", Kind: "Report", Findings: []jsonFinding{}}
	for _, f := range o.findings {
		report.Findings = append(report.Findings, toJSONFinding(&f))
	}
	for _, f := range o.faults {
		report.Errors = append(report.Errors, f.Message)
	}
	return writeJSON(w, report)
}

func toJSONFinding(f *graph.Finding) jsonFinding {
	return jsonFinding{
		Code: f.Code, Severity: f.Severity.String(), Object: jsonObject(f.Object), Field: f.Field,
		File: f.Place.File(), Line: f.Place.Line(), Message: f.Message, Hint: f.Hint, Help: help(f.Code),
	}
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
