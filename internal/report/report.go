// Package report writes findings, and what was found about a workload, in the
// formats that people and programs read.
//
// It never gets to see a value: what it is given names keys and sources alone.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/restamp/restamp/graph"
)

// Options say which findings are written and how.
type Options struct {
	Format string         // text or json; default: text
	Least  graph.Severity // text leaves lesser findings out; default: none
}

// Formats are the formats of findings.
var Formats = []string{"text", "json"}

// Findings writes findings, which are in the order of the input.
func Findings(w io.Writer, findings []graph.Finding, opts Options) error {
	if opts.Format == "json" {
		return asJSON(w, findings)
	}
	return asText(w, findings, opts.Least)
}

// asText writes a finding per line, as compilers do, with a hint below the
// first of each kind, and at last how many findings were left out.
func asText(w io.Writer, findings []graph.Finding, least graph.Severity) error {
	var b strings.Builder
	hinted := make(map[graph.Code]bool)
	left := 0
	for _, f := range findings {
		if f.Severity < least {
			if f.Severity == graph.Info {
				left++
			}
			continue
		}
		b.WriteString(line(f) + "\n")
		if f.Hint != "" && !hinted[f.Code] {
			hinted[f.Code] = true
			b.WriteString("    hint: " + f.Hint + "\n")
		}
	}
	if left > 0 && least == graph.Warning {
		b.WriteString("restamp: " + leftOut(left) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func line(f graph.Finding) string {
	parts := []string{f.Place.String(), f.Severity.String(), f.Object.String()}
	if f.Field != "" {
		parts = append(parts, f.Field)
	}
	return printable(strings.Join(append(parts, f.Message), ": ")) + " [" + string(f.Code) + "]"
}

// printable keeps a line of text one line, whatever names are in it, and not
// longer than anybody reads.
func printable(s string) string {
	const longest = 1000
	if len(s) > longest {
		s = s[:longest] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == utf8.RuneError {
			return '?'
		}
		return r
	}, s)
}

// leftOut says that n infos were.
func leftOut(n int) string {
	if n == 1 {
		return "1 more info (-v shows it)"
	}
	return fmt.Sprintf("%d more infos (-v shows them)", n)
}

// jsonReport is the document that --report json writes. Fields may be added;
// none is renamed or taken away within a version.
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
}

type jsonObject struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

func asJSON(w io.Writer, findings []graph.Finding) error {
	report := newReport()
	for _, f := range findings {
		report.Findings = append(report.Findings, jsonFinding{
			Code: f.Code, Severity: f.Severity.String(), Object: jsonObject(f.Object), Field: f.Field,
			File: f.Place.File(), Line: f.Place.Line(), Message: f.Message, Hint: f.Hint,
		})
	}
	return report.write(w)
}

// Failure writes why there are no findings, in a format that programs read.
func Failure(w io.Writer, err error) error {
	report := newReport()
	report.Errors = strings.Split(err.Error(), "\n")
	return report.write(w)
}

func newReport() jsonReport {
	return jsonReport{APIVersion: "restamp.dev/v1alpha1", Kind: "Report", Findings: []jsonFinding{}}
}

func (r jsonReport) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
