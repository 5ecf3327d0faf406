package draw

import (
	"fmt"
	"io"
	"strings"

	"github.com/restamp/restamp/internal/picture"
)

// language is one in which graphs are described, for a program that draws
// them.
type language interface {
	open(b *strings.Builder, title string)
	group(b *strings.Builder, depth int, id, title string)
	node(b *strings.Builder, depth int, id string, lines []string, class string)
	end(b *strings.Builder, depth int)
	edge(b *strings.Builder, from, to, label string, counts bool)
	close(b *strings.Builder, edges int)
}

func dot(w io.Writer, p *picture.Picture) error { return describe(w, p, dotLanguage{}) }

func mermaid(w io.Writer, p *picture.Picture) error { return describe(w, p, mermaidLanguage{}) }

// describe writes the groups and nodes of a picture, and then the edges.
func describe(w io.Writer, p *picture.Picture, l language) error {
	d := describer{language: l, chart: newChart(p), ids: make(map[*picture.Source]string)}
	l.open(&d.Builder, "Who uses what: "+printable(Summary(p)))
	for i, b := range d.chart.bands {
		l.group(&d.Builder, 1, fmt.Sprintf("ns%d", i+1), strings.Join(append([]string{namespaceName(b.namespace)}, b.common...), "; "))
		for _, k := range b.cards {
			d.card(k)
		}
		l.end(&d.Builder, 1)
	}
	n := d.edges()
	l.close(&d.Builder, n)
	_, err := io.WriteString(w, d.String())
	return err
}

type describer struct {
	strings.Builder
	language language
	chart    *chart
	ids      map[*picture.Source]string
	apps     int
	nodes    int
}

func (d *describer) card(k *card) {
	depth := 2
	if k.title != "" {
		d.apps++
		d.language.group(&d.Builder, depth, fmt.Sprintf("app%d", d.apps), k.title)
		depth++
	}
	for _, column := range k.columns {
		for _, b := range column {
			if b.elsewhere {
				continue // it is a node in its own place
			}
			d.nodes++
			b.node = fmt.Sprintf("n%d", d.nodes)
			if b.source != nil {
				d.ids[b.source] = b.node
			}
			lines := []string{b.title}
			if b.remark != "" {
				lines = append(lines, b.remark)
			}
			class, _, _ := strings.Cut(b.class, " ")
			if strings.HasSuffix(b.class, "still") {
				class = "still"
			}
			d.language.node(&d.Builder, depth, b.node, lines, class)
		}
	}
	if k.title != "" {
		d.language.end(&d.Builder, depth-1)
	}
}

// edges writes each edge once and counts them.
func (d *describer) edges() (n int) {
	seen := make(map[string]bool)
	for _, band := range d.chart.bands {
		for _, k := range band.cards {
			for _, l := range k.makes {
				from, to := d.ids[l.from.source], d.ids[l.to.source]
				if !seen[from+" "+to] {
					seen[from+" "+to] = true
					n++
					d.language.edge(&d.Builder, from, to, "makes", true)
				}
			}
			for _, b := range k.columns[2] {
				for _, r := range b.rows {
					n++
					d.language.edge(&d.Builder, d.ids[r.from.source], b.node, r.text, r.counts)
				}
			}
		}
	}
	return n
}

// looks are how classes of nodes are filled.
var looks = []struct{ class, fill, stroke string }{
	{"producer", "#efe6fb", "#6b7580"},
	{"source", "#e3efff", "#6b7580"},
	{"made", "#e3efff", "#6b7580"},
	{"missing", "#fdeee0", "#8f4100"},
	{"unused", "#ffffff", "#6b7580"},
	{"workload", "#e2f5e6", "#6b7580"},
	{"still", "#ffffff", "#6b7580"},
}

// dotLanguage is Graphviz's.
type dotLanguage struct{}

func (dotLanguage) open(b *strings.Builder, title string) {
	fmt.Fprintf(b, "// %s\ndigraph restamp {\n", title)
	b.WriteString("  rankdir=LR; ranksep=1.2; fontname=\"Helvetica\";\n")
	b.WriteString("  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=11];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=9, color=\"#6b7580\"];\n")
}

func (dotLanguage) group(b *strings.Builder, depth int, id, title string) {
	fmt.Fprintf(b, "%ssubgraph \"cluster_%s\" {\n%s  label=%s; color=\"#d3d9df\";\n", pad(depth), id, pad(depth), quoteDot(title))
}

func (dotLanguage) node(b *strings.Builder, depth int, id string, lines []string, class string) {
	fill, stroke, style := "#ffffff", "#6b7580", ""
	for _, look := range looks {
		if look.class == class {
			fill, stroke = look.fill, look.stroke
		}
	}
	if class == "made" || class == "missing" {
		style = `, style="filled,rounded,dashed"`
	}
	label := strings.TrimSuffix(quoteDot(lines[0]), `"`)
	for _, line := range lines[1:] {
		label += `\n` + strings.Trim(quoteDot(line), `"`)
	}
	fmt.Fprintf(b, "%s%s [label=%s\", fillcolor=\"%s\", color=\"%s\"%s];\n", pad(depth), id, label, fill, stroke, style)
}

func (dotLanguage) end(b *strings.Builder, depth int) { b.WriteString(pad(depth) + "}\n") }

func (dotLanguage) edge(b *strings.Builder, from, to, label string, counts bool) {
	style := ""
	if !counts {
		style = ", style=dashed"
	}
	fmt.Fprintf(b, "  %s -> %s [label=%s%s];\n", from, to, quoteDot(label), style)
}

func (dotLanguage) close(b *strings.Builder, _ int) { b.WriteString("}\n") }

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, "&quot;", "&", "&amp;", "<", "&lt;", ">", "&gt;")

// quoteDot makes a string of a text. Graphviz reads backslashes and entities
// in labels.
func quoteDot(s string) string { return `"` + dotEscapes.Replace(printable(s)) + `"` }

// mermaidLanguage is Mermaid's, for flow charts.
type mermaidLanguage struct{}

func (mermaidLanguage) open(b *strings.Builder, title string) {
	fmt.Fprintf(b, "%%%% %s\nflowchart LR\n", strings.NewReplacer("{", "(", "}", ")").Replace(title)) // braces would start a directive
}

func (mermaidLanguage) group(b *strings.Builder, depth int, id, title string) {
	fmt.Fprintf(b, "%ssubgraph %s[%s]\n", pad(depth), id, quoteMermaid(title))
}

func (mermaidLanguage) node(b *strings.Builder, depth int, id string, lines []string, class string) {
	var quoted []string
	for _, line := range lines {
		quoted = append(quoted, strings.Trim(quoteMermaid(line), `"`))
	}
	fmt.Fprintf(b, "%s%s[\"%s\"]:::%s\n", pad(depth), id, strings.Join(quoted, "<br>"), class)
}

func (mermaidLanguage) end(b *strings.Builder, depth int) { b.WriteString(pad(depth) + "end\n") }

func (mermaidLanguage) edge(b *strings.Builder, from, to, label string, counts bool) {
	arrow := "-->"
	if !counts {
		arrow = "-.->"
	}
	fmt.Fprintf(b, "  %s %s|%s| %s\n", from, arrow, quoteMermaid(label), to)
}

// MermaidEdges is how many edges Mermaid draws, unless it is told otherwise.
const MermaidEdges = 500

func (mermaidLanguage) close(b *strings.Builder, edges int) {
	for _, look := range looks {
		dash := ""
		if look.class == "made" || look.class == "missing" {
			dash = ",stroke-dasharray:5 3"
		}
		fmt.Fprintf(b, "  classDef %s fill:%s,stroke:%s,color:#1b1f24%s\n", look.class, look.fill, look.stroke, dash)
	}
	if edges > MermaidEdges {
		fmt.Fprintf(b, "%%%% %d edges: Mermaid draws %d, unless maxEdges is raised. --from, --of and --in choose less.\n", edges, MermaidEdges)
	}
}

// quoteMermaid makes a label of a text. All but plain characters become
// Mermaid's numbers: what the others mean depends on its version.
func quoteMermaid(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range printable(s) {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ./:,()_-", r)
		if plain {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func pad(depth int) string { return strings.Repeat("  ", depth) }
