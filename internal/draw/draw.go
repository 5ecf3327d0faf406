// Package draw writes a picture of who uses what, in the formats that people
// and programs read.
//
// Names come from manifests, which may be anybody's: each format escapes them,
// so that no name is ever markup, nor a line of its own.
package draw

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/picture"
)

// formats are the writers of the formats.
var formats = []struct {
	name  string
	write func(io.Writer, *picture.Picture) error
}{
	{"table", table}, {"tree", tree}, {"json", asJSON}, {"dot", dot}, {"mermaid", mermaid}, {"svg", svg}, {"html", html},
}

// Formats are the names of the formats, the default first.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes a picture in a format.
func Write(w io.Writer, p *picture.Picture, format string) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(w, p)
		}
	}
	return fmt.Errorf("there is no format %s", format)
}

// Summary is a picture in one line.
func Summary(p *picture.Picture) string {
	missing, unused := 0, 0
	for _, s := range p.Sources {
		if s.Unresolved() {
			missing++
		}
		if s.Unused() {
			unused++
		}
	}
	text := fmt.Sprintf("%s, %s", plural(len(p.Sources), "source"), plural(len(p.Workloads), "workload"))
	if len(p.From) > 0 {
		text = blast(p)
	}
	if missing > 0 {
		text += fmt.Sprintf("; %d missing", missing)
	}
	if unused > 0 {
		text += fmt.Sprintf("; %d unused", unused)
	}
	return text
}

// blast says how many workloads a change of the chosen sources restarts.
func blast(p *picture.Picture) string {
	var restart []*picture.Workload
	for _, w := range p.Workloads {
		if slices.ContainsFunc(w.Uses, func(u *picture.Use) bool { yes, _ := u.Restarts(); return yes }) {
			restart = append(restart, w)
		}
	}
	text := plural(len(restart), "workload") + " restart"
	if len(restart) == 1 {
		text += "s"
	}
	if len(restart) > 0 {
		text += " (" + pods(restart) + ")"
	}
	text += " when " + strings.Join(p.From, " or ") + " changes"
	if others := len(p.Workloads) - len(restart); others > 0 {
		text += fmt.Sprintf("; %d more name it and do not restart", others)
	}
	return text
}

// pods counts the pods of workloads, as far as the manifests say.
func pods(all []*picture.Workload) string {
	count, each, unknown, least := 0, 0, 0, ""
	for _, w := range all {
		switch {
		case w.Pods.Each:
			each++
		case w.Pods.Unknown != "":
			unknown++
		case w.Pods.AtLeast:
			least = " at least"
		}
		count += w.Pods.Count
	}
	var parts []string
	if count > 0 || each+unknown == 0 {
		parts = append(parts, plural(count, "pod")+least)
	}
	if each > 0 {
		parts = append(parts, plural(each, "pod")+" on each node")
	}
	if unknown > 0 {
		parts = append(parts, plural(unknown, "workload")+" of unknown size")
	}
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// through says by which field something is used.
func through(u *picture.Use) string {
	if u.Container != "" {
		return string(u.How) + " of " + u.Container
	}
	return string(u.How)
}

// asked are the keys that a use asks for.
func asked(u *picture.Use, most int) string {
	switch {
	case u.All && slices.Equal(u.Counts, []string{""}):
		return "as a whole"
	case u.All:
		return "all keys"
	case len(u.Keys) == 0:
		return "no key"
	}
	return list(u.Keys, most)
}

// list writes the first few names, and how many more there are.
func list(names []string, most int) string {
	if most > 0 && len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// remark says what there is to know of a source, "" for nothing.
func remark(s *picture.Source) string {
	var words []string
	switch {
	case s.State == picture.Made:
		words = append(words, "made by "+names(s.MadeBy))
	case s.State == picture.Absent:
		words = append(words, "optional, not there")
	case s.State == picture.InCluster:
		words = append(words, "made by the cluster")
	case s.State != picture.Present:
		words = append(words, string(s.State))
	case s.Unused():
		words = append(words, "unused")
	}
	if len(s.Makes) > 0 {
		words = append(words, "makes "+names(s.Makes))
	}
	if s.Ignored {
		words = append(words, "ignored")
	}
	return strings.Join(words, ", ")
}

func names(sources []*picture.Source) string {
	var all []string
	for _, s := range sources {
		all = append(all, s.Name)
	}
	return strings.Join(all, ", ")
}

// restarts says whether a change of what is used restarts the workload.
func restarts(u *picture.Use) string {
	yes, why := u.Restarts()
	if yes {
		return "yes"
	}
	return "no: " + why
}

// printable keeps a text one line that a terminal and an XML parser take.
func printable(s string) string { return graph.OneLine(s, 0) }
