package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/picture"
)

// band is a namespace of a chart.
type band struct {
	namespace string
	common    []string // what all of its workloads use, in words
	cards     []*card
}

// card is a part of a chart that is drawn on its own: an application of a
// picture with many workloads, else all of a namespace.
type card struct {
	title   string
	columns [3][]*box // producers, sources, workloads
	makes   []link
	w, h    int
}

// box is a node of a card, or several workloads that use the same.
type box struct {
	source     *picture.Source
	workloads  []*picture.Workload
	elsewhere  bool // it has its place on another card too
	title      string
	remark     string
	remarks    []string // the same, in lines
	class      string
	rows       []row  // of workloads: what they use
	node       string // its name in a language
	x, y, w, h int
}

// row is a line of a workload's box: how it uses a source.
type row struct {
	from   *box
	text   string
	counts bool
}

// link is an edge between boxes.
type link struct{ from, to *box }

// The sizes from which on a picture is taken apart.
const (
	manyWorkloads = 24 // has a card per application
	fewAlike      = 3  // workloads that use the same are one box
	mostTold      = 3  // keys, and names of workloads in one box
	commonFrom    = 8  // of so many workloads, what all of them use is told once
)

// place is where a node is drawn.
type place struct{ namespace, app string }

// chart arranges a picture.
type chart struct {
	big   bool
	cards map[place]*card
	boxes map[*card]map[*picture.Source]*box
	home  map[*picture.Source]place
	bands []*band
}

func newChart(p *picture.Picture) *chart {
	c := &chart{
		big: len(p.Workloads) > manyWorkloads, cards: make(map[place]*card),
		boxes: make(map[*card]map[*picture.Source]*box), home: make(map[*picture.Source]place),
	}
	common := commonSources(p)
	for _, s := range p.Sources {
		c.home[s] = c.homeOf(s)
	}
	for _, group := range c.alike(p, common) {
		c.addWorkloads(group, common)
	}
	for _, s := range p.Sources {
		if !common[s] {
			c.box(c.card(c.home[s]), s)
		}
	}
	c.link(p)
	c.order(p, common)
	return c
}

// placeOf is a workload's card.
func (c *chart) placeOf(w *picture.Workload) place {
	if c.big {
		return place{w.ID.Namespace, w.App}
	}
	return place{w.ID.Namespace, ""}
}

// shared and unused are the cards of what no single application has; no label
// has a space in front.
const (
	shared = " used by several applications"
	unused = " used by nobody"
)

// homeOf is a source's card: that of the only application that uses it.
func (c *chart) homeOf(s *picture.Source) place {
	var users []place
	add := func(s *picture.Source) {
		for _, u := range s.Uses {
			users = append(users, c.placeOf(u.Workload))
		}
	}
	add(s)
	for _, made := range s.Makes {
		add(made)
	}
	slices.SortFunc(users, comparePlaces)
	users = slices.Compact(users)
	switch {
	case len(users) == 1:
		return users[0]
	case !c.big:
		return place{s.ID.Namespace, ""}
	case len(users) == 0:
		return place{s.ID.Namespace, unused}
	}
	return place{s.ID.Namespace, shared}
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.app, b.app))
}

// commonSources are those that all workloads of a namespace use, where there
// are many.
func commonSources(p *picture.Picture) map[*picture.Source]bool {
	count := make(map[string]int)
	for _, w := range p.Workloads {
		count[w.ID.Namespace]++
	}
	common := make(map[*picture.Source]bool)
	for _, s := range p.Sources {
		users := make(map[*picture.Workload]bool)
		for _, u := range s.Uses {
			if u.Workload.ID.Namespace == s.ID.Namespace {
				users[u.Workload] = true
			}
		}
		if n := count[s.ID.Namespace]; n >= commonFrom && len(users) == n && len(s.MadeBy) == 0 {
			common[s] = true
		}
	}
	return common
}

// alike puts the workloads together that use the same in the same way. Small
// pictures show each.
func (c *chart) alike(p *picture.Picture, common map[*picture.Source]bool) (groups [][]*picture.Workload) {
	byLook := make(map[string]int)
	for _, w := range p.Workloads {
		look := fmt.Sprint(c.placeOf(w), w.ID.Kind, w.Restarts, w.Why, w.Template)
		for _, r := range rowsOf(w, common) {
			look += "\n" + r.source.Name + " " + r.text
		}
		if i, ok := byLook[look]; ok && c.big {
			groups[i] = append(groups[i], w)
			continue
		}
		byLook[look] = len(groups)
		groups = append(groups, []*picture.Workload{w})
	}
	for i := 0; i < len(groups); i++ {
		if n := len(groups[i]); n > 1 && n < fewAlike {
			for _, w := range groups[i][1:] {
				groups = append(groups, []*picture.Workload{w})
			}
			groups[i] = groups[i][:1]
		}
	}
	return groups
}

func (c *chart) card(at place) *card {
	k := c.cards[at]
	if k == nil {
		k = &card{title: strings.TrimSpace(at.app)}
		c.cards[at] = k
		c.boxes[k] = make(map[*picture.Source]*box)
	}
	return k
}

// box returns a source's box on a card.
func (c *chart) box(k *card, s *picture.Source) *box {
	b := c.boxes[k][s]
	if b != nil {
		return b
	}
	home := c.card(c.home[s])
	b = &box{source: s, elsewhere: home != k, title: s.Short, class: sourceClass(s)}
	b.remark = sourceRemark(s)
	if c.home[s].app == shared {
		b.remark = strings.TrimPrefix(b.remark+", used by "+plural(workloads(s), "workload"), ", ")
	}
	c.boxes[k][s] = b
	column := 1
	if len(s.Makes) > 0 {
		column = 0
	}
	k.columns[column] = append(k.columns[column], b)
	return b
}

func sourceClass(s *picture.Source) string {
	switch {
	case s.Unresolved():
		return "missing"
	case s.Producer:
		return "producer"
	case s.State != picture.Present:
		return "made"
	case s.Unused():
		return "unused"
	}
	return "source"
}

// sourceRemark is what a source's box says besides its name. What makes it, and
// what it makes, is drawn.
func sourceRemark(s *picture.Source) string {
	switch {
	case s.State == picture.Made:
		return "made in the cluster"
	case len(s.Makes) > 0:
		return ""
	}
	return remark(s)
}

// workloads counts those that use a source.
func workloads(s *picture.Source) int {
	users := make(map[*picture.Workload]bool)
	for _, u := range s.Uses {
		users[u.Workload] = true
	}
	return len(users)
}

// use is how a workload uses a source, in one line.
type use struct {
	source *picture.Source
	text   string
	counts bool
}

// rowsOf are how a workload uses its sources, a line for each.
func rowsOf(w *picture.Workload, common map[*picture.Source]bool) (rows []use) {
	for i := 0; i < len(w.Uses); {
		s := w.Uses[i].Source
		r := use{source: s}
		var texts []string
		for ; i < len(w.Uses) && w.Uses[i].Source == s; i++ {
			u := w.Uses[i]
			texts = append(texts, string(u.How)+" "+asked(u, mostTold))
			r.counts = r.counts || len(u.Counts) > 0
		}
		r.text = list(slices.Compact(texts), 2)
		if !common[s] || s.ID.Namespace != w.ID.Namespace {
			rows = append(rows, r)
		}
	}
	return rows
}

func (c *chart) addWorkloads(group []*picture.Workload, common map[*picture.Source]bool) {
	first := group[0]
	k := c.card(c.placeOf(first))
	b := &box{workloads: group, title: workloadTitle(first), class: "workload"}
	if len(group) > 1 {
		var names []string
		for _, w := range group {
			names = append(names, w.ID.Name)
		}
		b.title = fmt.Sprintf("%d %ss alike", len(group), first.ID.Kind)
		b.remark = list(names, mostTold)
	}
	if !first.Restarts {
		why, _, _ := strings.Cut(first.Why, "; ")
		b.class, b.remark = "workload still", cmp.Or(b.remark, why)
	}
	for _, u := range rowsOf(first, common) {
		b.rows = append(b.rows, row{c.box(k, u.source), u.text, u.counts})
	}
	k.columns[2] = append(k.columns[2], b)
}

func workloadTitle(w *picture.Workload) string {
	if w.Template != "" {
		return w.Short + " " + w.Template
	}
	return w.Short
}

// link draws producers beside what they make.
func (c *chart) link(p *picture.Picture) {
	for _, s := range p.Sources {
		for _, by := range s.MadeBy {
			for _, k := range c.cards {
				if to := c.boxes[k][s]; to != nil {
					k.makes = append(k.makes, link{c.box(k, by), to})
				}
			}
		}
	}
}

// order puts bands, cards and boxes in order.
func (c *chart) order(p *picture.Picture, common map[*picture.Source]bool) {
	places := make([]place, 0, len(c.cards))
	for at := range c.cards {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(last(a), last(b)), cmp.Compare(a.app, b.app))
	})
	for _, namespace := range namespaces(p) {
		b := &band{namespace: namespace}
		for _, s := range p.Sources {
			if common[s] && s.ID.Namespace == namespace {
				b.common = append(b.common, fmt.Sprintf("all %d workloads use %s (%s)", workloads(s), s.Short, rowText(s)))
			}
		}
		for _, at := range places {
			if at.namespace == namespace {
				c.cards[at].arrange()
				b.cards = append(b.cards, c.cards[at])
			}
		}
		if len(b.cards)+len(b.common) > 0 {
			c.bands = append(c.bands, b)
		}
	}
}

// rowText is how a common source is used: by all alike, or in several ways.
func rowText(s *picture.Source) string {
	text := ""
	for _, u := range s.Uses {
		switch t := string(u.How) + " " + asked(u, mostTold); {
		case text == "":
			text = t
		case text != t:
			return "in several ways"
		}
	}
	return text
}

// last puts the cards that are no application's behind the others.
func last(at place) int {
	return slices.Index([]string{shared, unused}, at.app)
}
