package draw

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/restamp/restamp/internal/picture"
)

// table writes one line per use.
func table(w io.Writer, p *picture.Picture) error {
	rows := [][]string{{"SOURCE", "STATE", "WORKLOAD", "THROUGH", "KEYS", "RESTARTS"}}
	for _, s := range p.Sources {
		for _, u := range s.Uses {
			rows = append(rows, []string{s.Name, remark(s), u.Workload.Name, through(u), asked(u, 0), restarts(u)})
		}
		if len(s.Uses) == 0 {
			rows = append(rows, []string{s.Name, remark(s), "-", "-", "-", "-"})
		}
	}
	for _, workload := range p.Workloads {
		if len(workload.Uses) == 0 {
			rows = append(rows, []string{"-", "", workload.Name, "-", "-", "-"})
		}
	}
	_, err := io.WriteString(w, columns(rows)+"\n"+printable(Summary(p))+"\n")
	return err
}

// columns aligns the cells of rows. An empty cell is a dash, so that words can
// be counted.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i] = printable(row[i])
			if row[i] == "" {
				row[i] = "-"
			}
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// node is a line of a tree, with those below it.
type node struct {
	text  string
	below []node
}

// tree writes, by namespace, each workload with what it uses; or, where it was
// asked from sources, each of those with who uses it.
func tree(w io.Writer, p *picture.Picture) error {
	var b strings.Builder
	for _, namespace := range namespaces(p) {
		b.WriteString(printable(namespaceName(namespace)) + "\n")
		branches(&b, "", roots(p, namespace))
	}
	b.WriteString("\n" + printable(Summary(p)) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func roots(p *picture.Picture, namespace string) (nodes []node) {
	from := len(p.From) > 0
	for _, workload := range p.Workloads {
		if workload.ID.Namespace == namespace && !from {
			nodes = append(nodes, workloadNode(workload))
		}
	}
	for _, s := range p.Sources {
		switch {
		case s.ID.Namespace != namespace:
		case from && len(s.MadeBy) == 0, len(s.Uses) == 0 && len(s.Makes) == 0:
			nodes = append(nodes, sourceNode(s))
		}
	}
	return nodes
}

func workloadNode(w *picture.Workload) node {
	n := node{text: workloadText(w)}
	for _, u := range w.Uses {
		text := name(u.Source, w.ID.Namespace) + "  " + through(u) + ": " + asked(u, 0)
		if yes, why := u.Restarts(); !yes && why != w.Why {
			text += " (does not count: " + why + ")"
		}
		child := node{text: text}
		for _, by := range u.Source.MadeBy {
			child.below = append(child.below, node{text: "made by " + by.Short})
		}
		n.below = append(n.below, child)
	}
	return n
}

func workloadText(w *picture.Workload) string {
	text := w.Short
	if w.Template != "" {
		text += " " + w.Template
	}
	if !w.Restarts {
		text += "  (does not restart: " + w.Why + ")"
	}
	return text
}

func sourceNode(s *picture.Source) node {
	n := node{text: s.Short}
	if words := remark(s); words != "" {
		n.text += "  (" + words + ")"
	}
	for _, u := range s.Uses {
		text := u.Workload.Short
		if u.Workload.ID.Namespace != s.ID.Namespace {
			text = u.Workload.Name
		}
		if yes, why := u.Restarts(); yes {
			text += "  restarts"
		} else {
			text += "  does not restart: " + why
		}
		n.below = append(n.below, node{text: text + "  (" + through(u) + ": " + asked(u, 0) + ")"})
	}
	for _, made := range s.Makes {
		n.below = append(n.below, sourceNode(made))
	}
	return n
}

// name names a source for a workload of a namespace.
func name(s *picture.Source, namespace string) string {
	text := s.Short
	if s.ID.Namespace != namespace {
		text = s.Name
	}
	if s.State != picture.Present && s.State != picture.Made {
		text += " (" + remark(s) + ")"
	}
	return text
}

func branches(b *strings.Builder, indent string, nodes []node) {
	for i, n := range nodes {
		joint, below := "├─ ", "│  "
		if i == len(nodes)-1 {
			joint, below = "└─ ", "   "
		}
		b.WriteString(indent + joint + printable(n.text) + "\n")
		branches(b, indent+below, n.below)
	}
}

// namespaces are those of a picture's nodes, sorted.
func namespaces(p *picture.Picture) (names []string) {
	for _, s := range p.Sources {
		names = append(names, s.ID.Namespace)
	}
	for _, w := range p.Workloads {
		names = append(names, w.ID.Namespace)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func namespaceName(namespace string) string {
	if namespace == "" {
		return "(no namespace)"
	}
	return namespace
}
