package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/compare"
)

// DiffOptions say how a diff is written.
type DiffOptions struct {
	Format  string // one of DiffFormats; default: text
	Style   Style  // of text
	Marker  string // of markdown: tells comments apart, where there are several
	Version string // of restamp, for the formats that tell it
}

var diffFormats = []struct {
	name  string
	write func(io.Writer, *compare.Diff, DiffOptions) error
}{
	{"text", diffText},
	{"json", diffJSON},
	{"markdown", diffMarkdown},
	{"sarif", diffSARIF},
	{"github", diffGitHub},
	{"html", diffHTML},
}

// DiffFormats are the formats of a diff.
var DiffFormats = diffFormatNames()

func diffFormatNames() (names []string) {
	for _, f := range diffFormats {
		names = append(names, f.name)
	}
	return names
}

// marker is what may stand in a comment's marker.
var marker = regexp.MustCompile(`^[A-Za-z0-9._-]*$`)

// Check refuses what no format knows.
func (o DiffOptions) Check() error {
	if !slices.Contains(DiffFormats, o.Format) {
		return fmt.Errorf("--output %s: it must be one of %s", o.Format, strings.Join(DiffFormats, ", "))
	}
	if !marker.MatchString(o.Marker) || strings.Contains(o.Marker, "--") {
		return fmt.Errorf("--marker %q: it may hold letters, digits, '.', '_' and single '-' alone", o.Marker)
	}
	return nil
}

// Diff writes a diff.
func Diff(w io.Writer, d *compare.Diff, opts DiffOptions) error {
	for _, f := range diffFormats {
		if f.name == opts.Format {
			return f.write(w, d, opts)
		}
	}
	return diffText(w, d, opts)
}
