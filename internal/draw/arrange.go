package draw

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Measures of a drawing, in pixels. Names are in a font of one width, so that
// nobody needs to measure them.
const (
	charWidth  = 7
	lineHeight = 17
	headHeight = 24
	boxPad     = 10
	boxGap     = 10
	columnGap  = 76
	longest    = 40 // characters of a line
	widest     = 200
)

// arrange orders the boxes of a card so that few edges cross, and gives each
// its place.
func (k *card) arrange() {
	for _, column := range k.columns {
		slices.SortFunc(column, func(a, b *box) int { return cmp.Or(cmp.Compare(a.title, b.title), cmp.Compare(a.id(), b.id())) })
		for _, b := range column {
			b.measure()
		}
	}
	slices.SortFunc(k.makes, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.from.id(), b.from.id()), cmp.Compare(a.to.id(), b.to.id()))
	})
	k.uncross()
	k.place()
}

// id tells boxes of one title apart.
func (b *box) id() string {
	if b.source != nil {
		return b.source.Name
	}
	return b.workloads[0].Name
}

func (b *box) measure() {
	w := utf8.RuneCountInString(clip(b.title))
	b.h = headHeight
	b.remarks = wrap(b.remark, longest)
	for i, line := range b.remarks {
		b.remarks[i] = clip(line)
		w = max(w, utf8.RuneCountInString(b.remarks[i]))
	}
	b.h += len(b.remarks) * lineHeight
	for _, r := range b.rows {
		w = max(w, utf8.RuneCountInString(clip(r.text))+1)
	}
	if len(b.rows) > 0 {
		b.h += len(b.rows)*lineHeight + 5
	}
	b.w = w*charWidth + 2*boxPad
}

// clip shortens a line in its middle: names often differ in their ends.
func clip(s string) string {
	r := []rune(printable(s))
	if len(r) <= longest {
		return string(r)
	}
	return string(r[:longest-13]) + "…" + string(r[len(r)-12:])
}

// uncross orders the columns by the middles of what they are linked with, back
// and forth, and keeps the best order that it has seen.
func (k *card) uncross() {
	const rounds = 8
	best, least := k.save(), k.crossings()
	for range rounds {
		k.sortSources()
		k.sortWorkloads()
		if n := k.crossings(); n < least {
			best, least = k.save(), n
		}
	}
	k.columns = best
	k.sortProducers()
	at := positions(k.columns[1])
	for _, b := range k.columns[2] {
		slices.SortStableFunc(b.rows, func(x, y row) int { return cmp.Compare(at[x.from], at[y.from]) })
	}
}

func (k *card) save() (columns [3][]*box) {
	for i := range k.columns {
		columns[i] = slices.Clone(k.columns[i])
	}
	return columns
}

func positions(column []*box) map[*box]int {
	at := make(map[*box]int, len(column))
	for i, b := range column {
		at[b] = i
	}
	return at
}

// middle sorts a column by the mean of positions; what is linked with nothing
// comes last.
func middle(column []*box, of map[*box][]int) {
	mean := func(b *box) float64 {
		if len(of[b]) == 0 {
			return float64(1 << 30)
		}
		sum := 0
		for _, i := range of[b] {
			sum += i
		}
		return float64(sum) / float64(len(of[b]))
	}
	slices.SortStableFunc(column, func(a, b *box) int { return cmp.Compare(mean(a), mean(b)) })
}

func (k *card) sortSources() {
	of := make(map[*box][]int)
	for i, b := range k.columns[2] {
		for _, r := range b.rows {
			of[r.from] = append(of[r.from], i)
		}
	}
	middle(k.columns[1], of)
}

func (k *card) sortWorkloads() {
	of, at := make(map[*box][]int), positions(k.columns[1])
	for _, b := range k.columns[2] {
		for _, r := range b.rows {
			of[b] = append(of[b], at[r.from])
		}
	}
	middle(k.columns[2], of)
}

func (k *card) sortProducers() {
	of, at := make(map[*box][]int), positions(k.columns[1])
	for _, l := range k.makes {
		of[l.from] = append(of[l.from], at[l.to])
	}
	middle(k.columns[0], of)
}

// crossings counts the pairs of edges between sources and workloads that
// cross. Of very many edges it tells nothing.
func (k *card) crossings() (n int) {
	const most = 2000
	at := positions(k.columns[1])
	var edges [][2]int
	for i, b := range k.columns[2] {
		for _, r := range b.rows {
			edges = append(edges, [2]int{at[r.from], i})
		}
	}
	if len(edges) > most {
		return 0
	}
	for i, a := range edges {
		for _, b := range edges[:i] {
			if (a[0]-b[0])*(a[1]-b[1]) < 0 {
				n++
			}
		}
	}
	return n
}

// place gives the boxes their places: workloads below each other, the rest
// beside what it is linked with.
func (k *card) place() {
	k.flow()
	top := 0
	if k.title != "" {
		top = headHeight + 4
	}
	x := boxPad
	for _, column := range k.columns {
		w := 0
		for _, b := range column {
			b.x = x
			w = max(w, b.w)
		}
		for _, b := range column {
			b.w = w
		}
		if w > 0 {
			x += w + columnGap
		}
	}
	k.w = max(x-columnGap+boxPad, utf8.RuneCountInString(clip(k.title))*charWidth+2*boxPad, widest)
	stack(k.columns[2], top+boxPad, func(*box) int { return 0 })
	stack(k.columns[1], top+boxPad, func(b *box) int { return k.beside(b, k.usersOf) })
	stack(k.columns[0], top+boxPad, func(b *box) int { return k.beside(b, k.madeOf) })
	k.h = top
	for _, column := range k.columns {
		for _, b := range column {
			k.h = max(k.h, b.y+b.h)
		}
	}
	k.h += boxPad
}

// flow puts boxes that are linked with nothing in several columns, where there
// are many.
func (k *card) flow() {
	if len(k.columns[0]) > 0 || len(k.columns[2]) > 0 || len(k.columns[1]) < 2*fewAlike {
		return
	}
	all := k.columns[1]
	third := (len(all) + 2) / 3
	k.columns = [3][]*box{all[:third], all[third : 2*third], all[2*third:]}
}

// stack puts boxes below each other, each as near as can be to where it would
// like to be.
func stack(column []*box, top int, wish func(*box) int) {
	y := top
	for _, b := range column {
		b.y = max(y, wish(b))
		y = b.y + b.h + boxGap
	}
}

// beside is the top that a box would have beside the middle of others' lines.
func (k *card) beside(b *box, lines func(*box) []int) int {
	all := lines(b)
	if len(all) == 0 {
		return 0
	}
	sum := 0
	for _, y := range all {
		sum += y
	}
	return sum/len(all) - headHeight/2
}

func (k *card) usersOf(s *box) (ys []int) {
	for _, b := range k.columns[2] {
		for i, r := range b.rows {
			if r.from == s {
				ys = append(ys, b.port(i))
			}
		}
	}
	return ys
}

func (k *card) madeOf(p *box) (ys []int) {
	for _, l := range k.makes {
		if l.from == p {
			ys = append(ys, l.to.y+headHeight/2)
		}
	}
	return ys
}

// port is where the edge of a row ends.
func (b *box) port(i int) int {
	return b.y + headHeight + (len(b.remarks)+i)*lineHeight + lineHeight/2
}

// wrap breaks a text into lines of some width.
func wrap(text string, width int) (lines []string) {
	for _, word := range strings.Fields(printable(text)) {
		if n := len(lines); n > 0 && utf8.RuneCountInString(lines[n-1])+1+utf8.RuneCountInString(word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
