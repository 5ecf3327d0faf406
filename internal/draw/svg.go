package draw

import (
	_ "embed" // the style
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/restamp/restamp/internal/picture"
)

//go:embed svg.css
var svgStyle string

//go:embed colors.css
var svgColors string

// svg draws a picture, in light or dark as the reader likes it.
func svg(w io.Writer, p *picture.Picture) error {
	d := newDrawing(p)
	d.legend = true
	_, err := io.WriteString(w, d.draw())
	return err
}

// drawing draws a chart.
type drawing struct {
	strings.Builder
	chart  *chart
	title  string
	inline bool // in a page, which has the style, and things that boxes link to
	legend bool
	w, h   int
}

func newDrawing(p *picture.Picture) *drawing {
	return &drawing{chart: newChart(p), title: Summary(p)}
}

const (
	margin    = 16
	bandGap   = 26
	cardGap   = 14
	titleLine = 30
)

func (d *drawing) draw() string {
	body := d.bands()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="%s" aria-label="%s">`,
		d.w, d.h, d.w, d.h, d.role(), escape("Who uses what: "+d.title))
	b.WriteString("\n")
	if !d.inline {
		fmt.Fprintf(&b, "<title>%s</title>\n<style>\n%s%s</style>\n", escape("Who uses what: "+d.title), svgColors, svgStyle)
		fmt.Fprintf(&b, `<rect class="r-back" width="%d" height="%d"/>`+"\n", d.w, d.h)
	}
	b.WriteString(body + "</svg>\n")
	return b.String()
}

// role is a picture's, or that of something with links in it.
func (d *drawing) role() string {
	if d.inline {
		return "group"
	}
	return "img"
}

// bands draws the namespaces below each other, each with its cards in columns.
func (d *drawing) bands() string {
	columns, width := d.columns()
	y := margin
	d.w = 2*margin + columns*width + (columns-1)*cardGap
	for _, b := range d.chart.bands {
		d.text(margin, y+17, "r-title", namespaceName(b.namespace), "")
		y += titleLine
		for _, common := range b.common {
			for _, line := range wrap(common, max(d.w-2*margin, widest)/charWidth) {
				d.text(margin, y+12, "r-text r-small", line, "")
				y += lineHeight
			}
			y += 4
		}
		y = d.cards(b.cards, y, columns, width) + bandGap
	}
	y -= bandGap
	if d.legend {
		y = d.drawLegend(y + cardGap)
	}
	d.h = y + margin
	return d.String()
}

// cards draws cards, each in the column that is the shortest so far.
func (d *drawing) cards(cards []*card, top, columns, width int) (bottom int) {
	ys := make([]int, columns)
	for i := range ys {
		ys[i] = top
	}
	bottom = top
	for _, k := range cards {
		at := 0
		for i := range ys {
			if ys[i] < ys[at] {
				at = i
			}
		}
		fmt.Fprintf(d, `<g transform="translate(%d %d)">`+"\n", margin+at*(width+cardGap), ys[at])
		d.card(k, width)
		d.WriteString("</g>\n")
		ys[at] += k.h + cardGap
		bottom = max(bottom, ys[at]-cardGap)
	}
	return bottom
}

// columns is how many columns of cards make a sheet that is somewhat wider than
// high, and how wide they are.
func (d *drawing) columns() (n, width int) {
	area, most := 0, 0
	for _, b := range d.chart.bands {
		most = max(most, len(b.cards))
		for _, k := range b.cards {
			width = max(width, k.w)
			area += k.h + cardGap
		}
	}
	width = max(width, widest)
	n = int(math.Round(math.Sqrt(1.5 * float64(area) / float64(width))))
	return max(1, min(n, most)), width
}

func (d *drawing) card(k *card, width int) {
	fmt.Fprintf(d, `<rect class="r-frame" width="%d" height="%d" rx="8"/>`+"\n", width, k.h)
	if k.title != "" {
		d.text(boxPad, 20, "r-text r-bold", clip(k.title), k.title)
	}
	for _, l := range k.makes {
		d.edge("r-edge r-makes", l.from, l.to.x, l.to.y+headHeight/2)
	}
	for _, b := range k.columns[2] {
		for i, r := range b.rows {
			class := "r-edge"
			if !r.counts {
				class += " r-off"
			}
			d.edge(class, r.from, b.x, b.port(i))
		}
	}
	for _, column := range k.columns {
		for _, b := range column {
			d.box(b)
		}
	}
}

// edge draws a line from a box to a point at its right.
func (d *drawing) edge(class string, from *box, x, y int) {
	x0, y0 := from.x+from.w, from.y+headHeight/2
	bend := min(columnGap/2, (x-x0)/2)
	fmt.Fprintf(d, `<path class="%s" d="M%d %dC%d %d %d %d %d %d"/>`+"\n", class, x0, y0, x0+bend, y0, x-bend, y, x, y)
}

func (d *drawing) box(b *box) {
	if d.inline {
		fmt.Fprintf(d, `<a href="#%s">`, escape(fragment(b.id())))
	} else {
		d.WriteString("<g>")
	}
	full := b.id()
	if len(b.workloads) > 1 {
		var names []string
		for _, w := range b.workloads {
			names = append(names, w.Name)
		}
		full = strings.Join(names, ", ")
	}
	fmt.Fprintf(d, "<title>%s</title>", escape(full))
	class := "r-box"
	for _, c := range strings.Fields(b.class) {
		class += " r-" + c
	}
	if b.elsewhere {
		class += " r-elsewhere"
	}
	fmt.Fprintf(d, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="5"/>`, class, b.x, b.y, b.w, b.h)
	d.text(b.x+boxPad, b.y+16, "r-text r-bold", clip(b.title), "")
	y := b.y + 16 + lineHeight
	style := "r-text r-small"
	if b.class == "missing" || strings.Contains(b.class, "still") {
		style = "r-text r-warn"
	}
	for _, line := range b.remarks {
		d.text(b.x+boxPad, y, style, line, "")
		y += lineHeight
	}
	for i, r := range b.rows {
		d.text(b.x+boxPad, y+i*lineHeight, "r-text r-small", clip(r.text), "")
	}
	if d.inline {
		d.WriteString("</a>\n")
	} else {
		d.WriteString("</g>\n")
	}
}

func (d *drawing) text(x, y int, class, text, full string) {
	if full != "" && full != text {
		fmt.Fprintf(d, `<text class="%s" x="%d" y="%d">%s<title>%s</title></text>`, class, x, y, escape(text), escape(full))
		return
	}
	fmt.Fprintf(d, `<text class="%s" x="%d" y="%d">%s</text>`, class, x, y, escape(text))
}

// drawLegend says what the colours and lines mean.
func (d *drawing) drawLegend(y int) int {
	x := margin
	for _, entry := range []struct{ class, words string }{
		{"r-producer", "producer"},
		{"r-source", "source"},
		{"r-made", "made in the cluster"},
		{"r-missing", "missing or ambiguous"},
		{"r-workload", "workload that restarts"},
		{"r-still", "white: unused, or does not restart"},
	} {
		w := 26 + len(entry.words)*charWidth + 14
		if x > margin && x+w > d.w-margin {
			x, y = margin, y+lineHeight+4
		}
		fmt.Fprintf(d, `<rect class="r-box %s" x="%d" y="%d" width="18" height="12" rx="3"/>`, entry.class, x, y)
		d.text(x+24, y+10, "r-text r-small", entry.words, "")
		d.WriteString("\n")
		x += w
	}
	return y + lineHeight
}

// escape makes text of a name, for XML and for its attributes.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(printable(s))) // a Builder takes all
	return b.String()
}
