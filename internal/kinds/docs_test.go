package kinds

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the tables into the documentation")

const (
	page  = "../../docs/kinds.md"
	begin = "<!-- rows: a test writes them, with -update -->\n"
	end   = "<!-- end of rows -->\n"
)

// TestPage holds the documentation's tables against these ones.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	was, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("the marks are missing")
	}
	want := pageTables()
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, was); diff != "" {
		t.Errorf("the page differs; -update writes it (-tables +page):\n%s", diff)
	}
}

func pageTables() string {
	var b strings.Builder
	for _, theme := range []struct {
		title string
		rows  []Workload
	}{
		{"Kubernetes", coreWorkloads},
		{"Applications and platforms", platformWorkloads},
		{"OpenKruise", kruiseWorkloads},
		{"Jobs, workflows, machine learning, virtual machines", batchWorkloads},
		{"Metrics, logs and traces", monitoringWorkloads},
		{"Databases, queues, searches, object stores", databaseWorkloads},
		{"Gateways, networks, logins", serviceWorkloads},
	} {
		fmt.Fprintf(&b, "\n### %s\n\n| kind | the stamp goes to | class, and what a change does | own references |\n| --- | --- | --- | --- |\n", theme.title)
		for _, line := range pageLines(theme.rows) {
			b.WriteString(line)
		}
	}
	return b.String() + "\n"
}

// pageLines are a table's lines: one for each group of kinds that are alike.
func pageLines(rows []Workload) (lines []string) {
	var order [][2]string // group and cells
	alike := make(map[[2]string][]string)
	var seen []gk
	for _, row := range rows {
		key := gk{row.Group, row.Kind}
		if slices.Contains(seen, key) {
			continue
		}
		seen = append(seen, key)
		own := slices.DeleteFunc(slices.Clone(rows), func(w Workload) bool { return gk{w.Group, w.Kind} != key })
		line := [2]string{row.Group, fmt.Sprintf("%s | %s | %s", pagePlaces(own), pageClass(own), pageReferences(key, own))}
		if alike[line] == nil {
			order = append(order, line)
		}
		alike[line] = append(alike[line], row.Kind)
	}
	for _, line := range order {
		name := strings.Join(alike[line], ", ")
		if line[0] != "" {
			name += "<br>" + line[0]
		}
		lines = append(lines, "| "+name+" | "+line[1]+" |\n")
	}
	return lines
}

func pagePlaces(rows []Workload) string {
	var places []string
	for _, w := range rows {
		annotations, name := w.Annotations, ""
		if annotations == nil {
			annotations = P("metadata.annotations")
		}
		if w.Annotation != "" {
			name = " (" + w.Annotation + ")"
		}
		if w.Class == Immutable {
			places = append(places, "nowhere")
			continue
		}
		places = append(places, "`"+Path(append(slices.Clip(w.Template), annotations...)).String()+"`"+name)
	}
	return strings.Join(slices.Compact(places), "<br>")
}

// pageClass tells the classes of a kind's rows, with the settings that change
// them.
func pageClass(rows []Workload) string {
	var lines []string
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, w := range rows {
		add(told(w.Class, w.Why))
		if w.Target != nil {
			add("with `" + w.Target.String() + "`: the template that it names is stamped")
		}
	}
	for _, w := range rows {
		for _, when := range w.When {
			add(fmt.Sprintf("`%s` %s: %s", when.Path, strings.Join(when.Values, ", "), told(when.Class, when.Why)))
		}
	}
	return strings.Join(lines, "<br>")
}

func told(class Class, why string) string {
	if why == "" {
		return "**" + class.String() + "**"
	}
	return "**" + class.String() + "**: " + why
}

// pageReferences are the fields that hold references: of the spec, or of what
// has a pod template of its own.
func pageReferences(key gk, rows []Workload) string {
	var fields []string
	for _, row := range Default.ReferencesOf(key.group, key.kind) {
		depth := 2
		for _, w := range rows {
			if n := len(w.Template); n < len(row.Path) && slices.Equal(w.Template, row.Path[:n]) {
				depth = max(depth, n+1)
			}
		}
		if len(row.Path) > depth && (row.Path[depth] == Each || row.Path[depth] == EachValue) {
			depth++
		}
		if field := "`" + row.Path[:depth].String() + "`"; !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return strings.Join(fields, ", ")
}
