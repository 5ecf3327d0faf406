package report

import (
	"cmp"
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/page"
)

//go:embed diff.tmpl
var diffTemplate string

//go:embed diff.css
var diffStyle string

var diffPage = page.New("diff", diffTemplate, nil)

// The parts of the page.
type (
	htmlDiff struct {
		Total, Summary string
		Notes          []string
		Totals         []htmlTotal
		Toolbar        page.Toolbar
		Groups         []htmlGroup
		Sources        [][]segment
		Unchanged      int
	}
	htmlTotal struct {
		Number, Words string
	}
	htmlGroup struct {
		Title string
		Open  bool
		Items []htmlWorkload
	}
	htmlWorkload struct {
		ID, Name, Template       string
		Verdict, Kind, Namespace string // values of the filters
		Chips                    []htmlChip
		Why, Mend, Rolling       []segment
		Reasons                  [][]segment
		Place                    string
	}
	htmlChip struct{ Class, Text string }
)

// diffHTML writes a page that is one file: it works from a folder, loads
// nothing, and can be searched and filtered.
func diffHTML(w io.Writer, d *compare.Diff, _ DiffOptions) error {
	data := htmlDiffOf(d)
	p := page.Page{Title: "restamp diff: " + data.Total, Style: diffStyle}
	for name, part := range map[string]*template.HTML{"header": &p.Header, "main": &p.Main, "footer": &p.Footer} {
		var err error
		if *part, err = page.HTML(diffPage, name, data); err != nil {
			return fmt.Errorf("making the page's %s: %w", name, err)
		}
	}
	return page.Write(w, p)
}

func htmlDiffOf(d *compare.Diff) htmlDiff {
	h := htmlDiff{Total: total(d), Summary: summary(d), Notes: notes(d), Totals: htmlTotals(d), Unchanged: d.Unchanged}
	taken := make(map[string]bool)
	kinds, namespaces := &choice{prefix: "k"}, &choice{prefix: "n"}
	verdicts := page.Filter{Name: "verdict", Label: "Verdict", All: "All verdicts"}
	for i := range d.Workloads {
		kinds.add(d.Workloads[i].ID.Kind)
		namespaces.add(d.Workloads[i].ID.Namespace)
	}
	for _, verdict := range compare.Verdicts {
		g := htmlGroup{Title: titleOf(verdict), Open: folded[verdict] == ""}
		for i := range d.Workloads {
			if w := &d.Workloads[i]; w.Verdict == verdict {
				g.Items = append(g.Items, htmlWorkloadOf(w, taken, kinds, namespaces))
			}
		}
		if len(g.Items) > 0 {
			h.Groups = append(h.Groups, g)
			verdicts.Options = append(verdicts.Options, page.Option{Value: string(verdict), Label: g.Title})
		}
	}
	for i := range d.Sources {
		h.Sources = append(h.Sources, segments(sourceChange(&d.Sources[i])))
	}
	h.Toolbar = page.Toolbar{
		Search: "Search for names, keys, fields", Items: "workloads", Folds: true,
		Filters: []page.Filter{verdicts, kinds.filter("kind", "Kind", "All kinds"), namespaces.filter("namespace", "Namespace", "All namespaces")},
	}
	return h
}

func titleOf(verdict compare.Verdict) string {
	if title, ok := folded[verdict]; ok {
		return title
	}
	return titles[verdict]
}

func htmlTotals(d *compare.Diff) []htmlTotal {
	t := d.Totals()
	pods := fmt.Sprint(t.Pods)
	if t.AtLeast {
		pods += "+"
	}
	list := []htmlTotal{{fmt.Sprint(t.Restarts), "restart"}, {pods, "pods"}}
	for _, more := range []struct {
		n     int
		words string
	}{{t.EachNode, "on each node"}, {t.Unknown, "of unknown size"}, {t.ByVerdict[compare.Stuck], "should restart, but will not"}} {
		if more.n > 0 {
			list = append(list, htmlTotal{fmt.Sprint(more.n), more.words})
		}
	}
	return append(list, htmlTotal{fmt.Sprint(d.Unchanged), "unchanged"})
}

func htmlWorkloadOf(w *compare.Workload, taken map[string]bool, kinds, namespaces *choice) htmlWorkload {
	h := htmlWorkload{
		ID: htmlID(w, taken), Name: printable(w.ID.String()), Template: printable(w.Template), Verdict: string(w.Verdict),
		Kind: kinds.value(w.ID.Kind), Namespace: namespaces.value(w.ID.Namespace),
		Why: segments(cmp.Or(w.Why, cause(w))), Mend: segments(w.Mend), Place: printable(w.Place.String()),
	}
	if w.Verdict.Restarts() {
		h.Rolling = segments(rolling(w))
		h.Chips = append(h.Chips, htmlChip{"", podsChip(w.Pods)})
		if w.Roll.Down {
			h.Chips = append(h.Chips, htmlChip{"bad", "downtime"})
		}
	}
	if w.Verdict == compare.Stuck {
		h.Chips = append(h.Chips, htmlChip{"bad", "will not restart"})
	}
	if len(w.Noise) > 0 {
		h.Chips = append(h.Chips, htmlChip{"warn", "noise"})
	}
	for _, r := range reasons(w, 0) {
		line := segments(r.text)
		if values := r.values(quoted); values != "" {
			line = append(line, segment{text: ": "}, segment{values, true})
		}
		h.Reasons = append(h.Reasons, line)
	}
	return h
}

// podsChip says how many pods a workload has, in a word or two.
func podsChip(p compare.Pods) string {
	if p.Unknown != "" {
		return "pods unknown"
	}
	return podsText(p)
}

// htmlID is the same in each page for the same workload, so that links last.
// Where two would be the same the second gets a number.
func htmlID(w *compare.Workload, taken map[string]bool) string {
	id := strings.Join(strings.Fields(w.ID.String()+" "+w.Template), "/")
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", strings.TrimSuffix(id, fmt.Sprintf("-%d", n-1)), n)
	}
	taken[id] = true
	return id
}

// choice are the values of a filter. What they are called may be anything: in
// the page's attributes they have numbers.
type choice struct {
	prefix string
	names  []string
}

func (c *choice) add(name string) {
	if i, found := slices.BinarySearch(c.names, name); !found {
		c.names = slices.Insert(c.names, i, name)
	}
}

func (c *choice) value(name string) string {
	i, _ := slices.BinarySearch(c.names, name)
	return fmt.Sprintf("%s%d", c.prefix, i)
}

func (c *choice) filter(name, label, all string) page.Filter {
	f := page.Filter{Name: name, Label: label, All: all}
	for _, n := range c.names {
		shown := printable(n)
		if shown == "" {
			shown = "(none)"
		}
		f.Options = append(f.Options, page.Option{Value: c.value(n), Label: shown})
	}
	return f
}

// IsCode and Text are for the page's template.
func (s segment) IsCode() bool { return s.code }

// Text is the segment's text.
func (s segment) Text() string { return s.text }
