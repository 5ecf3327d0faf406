package draw

import (
	"cmp"
	_ "embed" // the page
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/page"
	"github.com/restamp/restamp/internal/picture"
)

//go:embed page.tmpl
var pageTemplates string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// html writes a page: all of a small picture, and lists of sources and
// workloads with the neighbours of each.
func html(w io.Writer, p *picture.Picture) error {
	t := page.New("graph", pageTemplates, template.FuncMap{"side": func(side, title string, links []pageLink) pageLinks { return pageLinks{side, title, links} }})
	data := newPageData(p)
	var parts [3]template.HTML
	for i, name := range []string{"header", "main", "footer"} {
		part, err := page.HTML(t, name, data)
		if err != nil {
			return err
		}
		parts[i] = readable(part)
	}
	return page.Write(w, page.Page{
		Title: printable("Who uses what: " + Summary(p)), Style: svgStyle + pageStyle, Script: pageScript,
		Header: parts[0], Main: parts[1], Footer: parts[2],
	})
}

// readable takes characters out that turn or hide text. None of them is markup.
func readable(part template.HTML) template.HTML {
	var lines []string
	for line := range strings.SplitSeq(string(part), "\n") {
		lines = append(lines, printable(line))
	}
	return template.HTML(strings.Join(lines, "\n"))
}

// pageData is what the page's templates show.
type pageData struct {
	Summary string
	Picture template.HTML // "" where it would be too large to see anything
	Toolbar page.Toolbar
	Sides   []pageSide
}

// pageSide is the list of all sources, or of all workloads.
type pageSide struct {
	Title, Intro string
	Namespaces   []pageNamespace
}

type pageNamespace struct {
	Name  string
	Apps  []pageApp
	Count int
	Open  bool
}

type pageApp struct {
	Name  string // "" where there is but one
	Items []pageItem
}

// pageItem is a source or a workload.
type pageItem struct {
	ID, Name, Namespace, Kind string
	Where                     string // in the input
	Chips                     []pageChip
	States                    string
	Notes                     []string
	Left                      []pageLink // what it comes of
	Right                     []pageLink // what comes of it
	Source                    bool
}

type pageChip struct{ Class, Text string }

// pageLink is a neighbour of an item.
type pageLink struct {
	ID, Name, Through, Keys, Class, Restarts, Why, Field string
}

func newPageData(p *picture.Picture) *pageData {
	d := &pageData{Summary: Summary(p)}
	if len(p.Workloads) <= manyWorkloads && len(p.Sources) <= 2*manyWorkloads {
		drawing := newDrawing(p)
		drawing.inline, drawing.legend = true, true
		d.Picture = template.HTML(drawing.draw()) // which escapes what it is given
	}
	few := len(p.Sources)+len(p.Workloads) <= 3*manyWorkloads
	sources := newSide(p.Sources, few, func(s *picture.Source) (string, string, pageItem) { return s.ID.Namespace, s.App, sourceItem(s) })
	sources.Title, sources.Intro = "Sources", "Open one to see who restarts when it changes."
	workloads := newSide(p.Workloads, few, func(w *picture.Workload) (string, string, pageItem) {
		return w.ID.Namespace, w.App, workloadItem(w)
	})
	workloads.Title, workloads.Intro = "Workloads", "Open one to see what it uses."
	d.Sides = []pageSide{sources, workloads}
	d.Toolbar = page.Toolbar{Search: "Search names and keys", Items: "sources and workloads", Folds: true, Filters: d.filters()}
	return d
}

// newSide groups items by namespace and application.
func newSide[T any](all []T, few bool, item func(T) (namespace, app string, i pageItem)) (side pageSide) {
	type key struct{ namespace, app string }
	byApp := make(map[key][]pageItem)
	var keys []key
	for _, one := range all {
		namespace, app, i := item(one)
		k := key{namespace, app}
		if byApp[k] == nil {
			keys = append(keys, k)
		}
		byApp[k] = append(byApp[k], i)
	}
	slices.SortFunc(keys, func(a, b key) int { return comparePlaces(place(a), place(b)) })
	for _, k := range keys {
		n := len(side.Namespaces)
		if n == 0 || side.Namespaces[n-1].Name != namespaceName(k.namespace) {
			side.Namespaces = append(side.Namespaces, pageNamespace{Name: namespaceName(k.namespace), Open: few})
			n++
		}
		at := &side.Namespaces[n-1]
		at.Apps = append(at.Apps, pageApp{k.app, byApp[k]})
		at.Count += len(byApp[k])
	}
	for i := range side.Namespaces {
		if at := &side.Namespaces[i]; at.Count <= manyWorkloads/2 || len(at.Apps) == 1 {
			at.join()
		}
	}
	return side
}

// join makes one list of a namespace's applications.
func (n *pageNamespace) join() {
	var all pageApp
	for _, app := range n.Apps {
		all.Items = append(all.Items, app.Items...)
	}
	slices.SortFunc(all.Items, func(a, b pageItem) int { return cmp.Compare(a.Name, b.Name) })
	n.Apps = []pageApp{all}
}

func sourceItem(s *picture.Source) pageItem {
	i := pageItem{ID: s.Name, Name: s.Short, Namespace: facet(s.ID.Namespace), Kind: s.ID.Kind, Source: true}
	if s.Place.Doc != nil {
		i.Where = s.Place.String()
	}
	restart := 0
	for _, u := range s.Uses {
		i.Right = append(i.Right, linkTo(u, u.Workload.Name, workloadClass(u.Workload)))
	}
	for n, u := range s.Uses {
		if yes, _ := u.Restarts(); yes && (n == 0 || !slices.ContainsFunc(s.Uses[:n], func(other *picture.Use) bool {
			also, _ := other.Restarts()
			return also && other.Workload == u.Workload
		})) {
			restart++
		}
	}
	for _, made := range s.Makes {
		i.Right = append(i.Right, pageLink{ID: made.Name, Name: made.Name, Through: "makes it", Class: sourceClass(made)})
	}
	for _, by := range s.MadeBy {
		i.Left = append(i.Left, pageLink{ID: by.Name, Name: by.Name, Through: "makes it", Class: "producer"})
	}
	switch {
	case s.Unresolved():
		i.Chips, i.States = append(i.Chips, pageChip{"bad", string(s.State)}), "missing"
	case s.Unused():
		i.Chips, i.States = append(i.Chips, pageChip{"warn", "unused"}), "unused"
	case s.State != picture.Present:
		i.Chips = append(i.Chips, pageChip{"", remark(s)})
	case s.Producer:
		i.Chips = append(i.Chips, pageChip{"", "producer"})
	}
	if restart > 0 {
		i.Chips = append(i.Chips, pageChip{"good", plural(restart, "workload")})
		i.States += " used"
	}
	if len(s.Keys) > 0 {
		i.Notes = append(i.Notes, "Keys: "+list(s.Keys, 0))
	}
	if s.Ignored {
		i.Notes = append(i.Notes, "It says that it restarts nobody.")
	}
	return i
}

func workloadItem(w *picture.Workload) pageItem {
	i := pageItem{ID: w.Name, Name: workloadTitle(w), Namespace: facet(w.ID.Namespace), Kind: w.ID.Kind, Where: w.Place.String()}
	for _, u := range w.Uses {
		i.Left = append(i.Left, linkTo(u, u.Source.Name, sourceClass(u.Source)))
		if u.Source.Unresolved() || len(u.Lacks) > 0 {
			i.States = "missing"
		}
	}
	if i.States != "" {
		i.Chips = append(i.Chips, pageChip{"bad", "something is missing"})
	}
	if w.Restarts {
		i.Chips = append(i.Chips, pageChip{"good", "restarts"})
	} else {
		i.Chips = append(i.Chips, pageChip{"warn", "does not restart"})
		i.Notes = append(i.Notes, "It does not restart: "+w.Why+".")
		i.States += " still"
	}
	if w.Roll.How != "" {
		i.Notes = append(i.Notes, "Its pods roll by "+w.Roll.How+".")
	}
	if len(w.Uses) == 0 {
		i.Notes = append(i.Notes, "It uses no configuration.")
	}
	return i
}

func linkTo(u *picture.Use, name, class string) pageLink {
	l := pageLink{ID: name, Name: name, Through: through(u), Keys: asked(u, 0), Class: class, Field: u.Field}
	yes, why := u.Restarts()
	if l.Restarts = "restarts"; !yes {
		l.Restarts, l.Why = "does not restart", why
	}
	return l
}

func workloadClass(w *picture.Workload) string {
	if w.Restarts {
		return "workload"
	}
	return "still"
}

// facet is a namespace as the value of a filter.
func facet(namespace string) string {
	if namespace == "" {
		return "-"
	}
	return namespace
}

// filters are those of which there is something to choose.
func (d *pageData) filters() (filters []page.Filter) {
	var spaces, kinds []page.Option
	states := map[string]bool{}
	for _, side := range d.Sides {
		for _, n := range side.Namespaces {
			for _, app := range n.Apps {
				for _, i := range app.Items {
					spaces = append(spaces, page.Option{Value: i.Namespace, Label: n.Name})
					kinds = append(kinds, page.Option{Value: i.Kind, Label: i.Kind})
					for _, s := range []string{"missing", "unused", "still"} {
						states[s] = states[s] || slices.Contains(strings.Fields(i.States), s)
					}
				}
			}
		}
	}
	var shown []page.Option
	for _, o := range []page.Option{{Value: "missing", Label: "Something is missing"}, {Value: "unused", Label: "Used by nobody"}, {Value: "still", Label: "Does not restart"}} {
		if states[o.Value] {
			shown = append(shown, o)
		}
	}
	for _, f := range []page.Filter{
		{Name: "ns", Label: "Namespace", All: "All namespaces", Options: options(spaces)},
		{Name: "kind", Label: "Kind", All: "All kinds", Options: options(kinds)},
		{Name: "state", Label: "State", All: "Any state", Options: shown},
	} {
		if len(f.Options) > 1 || f.Name == "state" && len(f.Options) > 0 {
			filters = append(filters, f)
		}
	}
	return filters
}

// pageLinks is a table of neighbours.
type pageLinks struct {
	Side, Title string
	Links       []pageLink
}

// options are the choices of a filter, each once and sorted.
func options(all []page.Option) []page.Option {
	slices.SortFunc(all, func(a, b page.Option) int { return cmp.Compare(a.Label, b.Label) })
	return slices.Compact(all)
}

// fragment is an id as it stands in a link.
func fragment(id string) string { return (&url.URL{Path: id}).EscapedPath() }
