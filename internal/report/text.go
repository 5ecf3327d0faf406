package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/restamp/restamp/graph"
)

// asText writes a finding per line, as compilers do, with advice below the
// first of each code, and at last how many findings were left out.
func asText(w io.Writer, o outcome, opts Options) error {
	var b strings.Builder
	for _, f := range o.faults {
		b.WriteString("restamp: " + printable(f.Message) + "\n")
	}
	advised := make(map[graph.Code]bool)
	left := 0
	for _, f := range o.findings {
		if f.Severity < opts.Least {
			if f.Severity == graph.Info {
				left++
			}
			continue
		}
		b.WriteString(printable(f.Place.String()+": "+f.Severity.String()+": "+sentence(f)) + " [" + string(f.Code) + "]\n")
		if !advised[f.Code] {
			advised[f.Code] = true
			if f.Hint != "" {
				b.WriteString("    hint: " + f.Hint + "\n")
			}
			b.WriteString("    see " + help(f.Code) + "\n")
		}
	}
	if left > 0 && opts.Least == graph.Warning {
		b.WriteString("restamp: " + leftOut(left) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentence is a finding in one line.
func sentence(f graph.Finding) string {
	parts := []string{f.Object.String()}
	if f.Field != "" {
		parts = append(parts, f.Field)
	}
	return printable(strings.Join(append(parts, f.Message), ": "))
}

// leftOut says that n infos were.
func leftOut(n int) string {
	if n == 1 {
		return "1 more info (-v shows it)"
	}
	return fmt.Sprintf("%d more infos (-v shows them)", n)
}
