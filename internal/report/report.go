// Package report writes findings, and what was found about a workload, in the
// formats that people and programs read.
//
// It never gets to see a value: what it is given names keys and sources alone.
package report

import (
	"io"
	"slices"

	"github.com/restamp/restamp/graph"
)

// StandardInput is the name of the input that is no file.
const StandardInput = "standard input"

// Options say which findings are written and how.
type Options struct {
	Format  string         // one of Formats; default: text
	Least   graph.Severity // the formats for people leave lesser findings out; default: none
	Version string         // of restamp, for the formats that tell it
}

// Fault says why the input, or a part of it, could not be read.
type Fault struct {
	File    string // "" where it is in none
	Line    int    // 0 where it is in none
	Message string // tells file and line too
}

// outcome is what a report is about: findings, or the faults that left none.
type outcome struct {
	findings []graph.Finding
	faults   []Fault
}

// format is a way to write an outcome.
type format struct {
	name  string
	write func(io.Writer, outcome, Options) error
}

var formats = []format{
	{"text", asText},
	{"json", asJSON},
	{"sarif", asSARIF},
	{"github", asGitHub},
	{"markdown", asMarkdown},
}

// Formats are the formats of findings.
var Formats = formatNames()

func formatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Findings writes findings, which are in the order of the input.
func Findings(w io.Writer, findings []graph.Finding, opts Options) error {
	return write(w, outcome{findings: findings}, opts)
}

// Failure writes why there are no findings.
func Failure(w io.Writer, faults []Fault, opts Options) error {
	return write(w, outcome{faults: faults}, opts)
}

func write(w io.Writer, o outcome, opts Options) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == opts.Format })
	return formats[max(i, 0)].write(w, o, opts)
}

// help is where a code is explained. That address is kept.
func help(code graph.Code) string {
	return "https://github.com/restamp/restamp/blob/main/docs/findings.md#" + string(code)
}

// printable keeps a line of text one line, and not longer than anybody reads.
func printable(s string) string {
	const longest = 1000
	return graph.OneLine(s, longest)
}
