package report

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
)

// Explain writes all that is known of a pod template's stamp: each reference,
// what it resolved to, the keys that it uses, what was left out and why, and
// the lines under the hash. The hashes of Secret values are not shown.
func Explain(w io.Writer, r graph.Detail) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", r.Workload.ID, r.Workload.Place)
	row := func(name, value string) { fmt.Fprintf(&b, "  %-10s %s\n", name, value) }
	row("class", r.Class().String())
	row("template", fmt.Sprintf("%s (line %d)", templatePath(r.Template), r.Template.Place.Line()))
	row("stamp", orNone(r.Stamp))
	row("carries", carried(r.Result))
	if r.Why != "" {
		row("left", r.Why)
	}
	if stall := r.Workload.Stall(); stall != "" {
		row("rolls", stall)
	}
	b.WriteString("\n  references\n")
	for _, u := range r.Uses {
		explainUse(&b, u)
	}
	if len(r.Uses) == 0 {
		b.WriteString("    none\n")
	}
	explainLines(&b, r.Lines)
	_, err := io.WriteString(w, b.String())
	return err
}

func templatePath(t *graph.Template) string {
	if t.Path == "" {
		return "the object itself"
	}
	return t.Path
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func carried(r graph.Result) string {
	switch {
	case r.Action == graph.Keep && r.Template.Stamp == "":
		return "none"
	case r.Action == graph.Keep:
		return "this one"
	case r.Action == graph.Remove:
		return r.Template.Stamp + ", to be removed"
	case r.Template.Stamp == "":
		return "none, to be added"
	}
	return r.Template.Stamp + ", to be replaced"
}

func explainUse(b *strings.Builder, u graph.Use) {
	name := graph.ID{Group: u.Group, Kind: u.Kind, Namespace: u.Namespace, Name: u.Name}.String()
	fmt.Fprintf(b, "    %s", name)
	for i, s := range u.Sources {
		sep := " = "
		if i > 0 {
			sep = " and "
		}
		fmt.Fprintf(b, "%s%s (%s)", sep, s.ID, s.Place)
	}
	b.WriteString("\n")
	if u.Container != "" {
		fmt.Fprintf(b, "      container %s\n", printable(u.Container))
	}
	fmt.Fprintf(b, "      field     %s (line %d)\n", printable(u.Field), u.Place.Line())
	if used := usedKeys(u); used != "" {
		fmt.Fprintf(b, "      uses      %s\n", used)
	}
	for _, left := range slices.Compact(slices.Sorted(slices.Values(u.Left))) {
		fmt.Fprintf(b, "      left out  %s\n", printable(left))
	}
}

func usedKeys(u graph.Use) string {
	keys := slices.Compact(slices.Sorted(slices.Values(u.Used)))
	if len(keys) == 0 {
		return ""
	}
	what := "key"
	if len(keys) > 1 {
		what = "keys"
	}
	if u.All {
		what = "all keys:"
	}
	if len(keys) == 1 && keys[0] == "" {
		return "the object as a whole, which has no key"
	}
	return what + " " + printable(strings.Join(keys, ", "))
}

func explainLines(b *strings.Builder, lines []graph.Line) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n  lines under the hash\n")
	for _, l := range lines {
		sum := hex.EncodeToString(l.Sum[:])
		if l.Secret {
			sum = fmt.Sprintf("%-64s", "(hash of a Secret's value)")
		}
		fmt.Fprintf(b, "    %s  %s\n", sum, printable(l.Label()))
	}
}
