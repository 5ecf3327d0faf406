package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/compare"
)

// DiffFormats are the formats of a diff.
var DiffFormats = []string{"text", "json"}

// CheckDiffFormat refuses other formats.
func CheckDiffFormat(format string) error {
	if !slices.Contains(DiffFormats, format) {
		return fmt.Errorf("it must be one of %s", strings.Join(DiffFormats, ", "))
	}
	return nil
}

// Diff writes a diff.
func Diff(w io.Writer, d *compare.Diff, format string, style Style) error {
	if format == "json" {
		return diffJSON(w, d)
	}
	return DiffText(w, d, style)
}
