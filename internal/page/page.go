// Package page makes HTML pages that are one file: they load nothing, follow
// the reader's light or dark, and work from a folder.
//
// A page's content is made by html/template, from New, so that no name from a
// manifest is ever markup. Content that wants to be searched and filtered says
// so in attributes, which base.js reads:
//
//	data-item          something that is shown or hidden as a whole; its text is searched,
//	                   or that of data-text where there is one
//	data-NAME          the item's values for a filter NAME, with spaces between them
//	data-group         hidden where none of the items in it is shown
//	data-count         takes how many items of its group are shown
//
// An item or a group that is a details element with an id opens by the link to
// it, from the page itself and from elsewhere.
package page

import (
	"crypto/sha256"
	_ "embed" // the base
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed base.css
var baseStyle string

//go:embed base.js
var baseScript string

//go:embed base.tmpl
var baseTemplates string

// Page is what a page shows.
type Page struct {
	Title  string
	Style  string // CSS behind the base's
	Script string // JavaScript behind the base's
	Header template.HTML
	Main   template.HTML
	Footer template.HTML
}

// Toolbar is the data of the template "toolbar": a search field and filters
// above the items of a page.
type Toolbar struct {
	Search  string // the field's label
	Items   string // what is found, for the line that says how many: "workloads"
	Filters []Filter
	Folds   bool // with buttons that open and close all details
}

// Filter is a choice among the values of an item's data-NAME.
type Filter struct {
	Name, Label, All string // All is the choice of every item
	Options          []Option
}

// Option is a value and the words for it.
type Option struct{ Value, Label string }

// New returns a template with a text, which may use functions and the templates
// of the base: "toolbar" takes a Toolbar.
func New(name, text string, funcs ...template.FuncMap) *template.Template {
	t := template.New(name)
	for _, f := range funcs {
		t.Funcs(f)
	}
	return template.Must(template.Must(t.Parse(baseTemplates)).Parse(text))
}

// HTML executes one of a template's definitions.
func HTML(t *template.Template, name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Write writes a page. Its policy lets the browser load nothing and run
// nothing but the page's own script.
func Write(w io.Writer, p Page) error {
	style, script := baseStyle+p.Style, baseScript+p.Script
	if strings.Contains(strings.ToLower(style), "</style") || strings.Contains(strings.ToLower(script), "</script") || strings.Contains(script, "<!--") {
		return errors.New("the page's own code would end too early")
	}
	policy := fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", source(style), source(script))
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(&b, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy)
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	b.WriteString("<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n")
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", template.HTMLEscapeString(p.Title), style)
	b.WriteString("<a class=\"skip\" href=\"#content\">Skip to the content</a>\n")
	fmt.Fprintf(&b, "<header>\n%s</header>\n<main id=\"content\" tabindex=\"-1\">\n%s</main>\n", p.Header, p.Main)
	if p.Footer != "" {
		fmt.Fprintf(&b, "<footer>\n%s</footer>\n", p.Footer)
	}
	fmt.Fprintf(&b, "<script>%s</script>\n</body>\n</html>\n", script)
	_, err := io.WriteString(w, b.String())
	return err
}

// source names a style or a script in a policy.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
