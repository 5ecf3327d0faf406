package fn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
	"github.com/restamp/restamp/render"
)

// result is an entry of a ResourceList's results.
type result struct {
	Message  string            `json:"message"`
	Severity string            `json:"severity"`
	Ref      *resourceRef      `json:"resourceRef,omitempty"`
	Field    *field            `json:"field,omitempty"`
	File     *file             `json:"file,omitempty"`
	Tags     map[string]string `json:"tags,omitempty"`
}

type resourceRef struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

type field struct {
	Path string `json:"path"`
}

type file struct {
	Path  string `json:"path"`
	Index int    `json:"index,omitempty"`
}

// Write writes the list with the findings, and those that are at least of a
// severity, as its results.
func (f *Function) Write(dst io.Writer, run *render.Run, findings []graph.Finding, least graph.Severity) error {
	if entries := f.results(findings, least); len(entries) > 0 {
		s, err := f.splice(entries)
		if err != nil {
			return err
		}
		s.Start, s.End = s.Start+f.doc.Start, s.End+f.doc.Start
		run.Insert(f.doc.Chunk, s)
	}
	return run.Write(dst)
}

// WriteVerdict answers a host that asks for no more than whether the items are
// as they should be. kustomize refuses a validator that gives its items back;
// a host of files would take away those that are not given back.
func (f *Function) WriteVerdict(dst io.Writer, run *render.Run, findings []graph.Finding, least graph.Severity) error {
	if run.Revert(); !f.Silent() {
		return f.Write(dst, run, findings, least)
	}
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
	if entries := f.results(findings, least); len(entries) > 0 {
		text += block("results", entries, "", "\n") + "\n"
	}
	_, err := io.WriteString(dst, text)
	return err
}

// Silent reports whether a verdict comes without the items.
func (f *Function) Silent() bool { return f.build }

// StaleFindings are errors about the pod templates whose stamps are not as they
// should be.
func StaleFindings(run *render.Run) (findings []graph.Finding) {
	for _, r := range run.Results {
		if r.Stale() {
			findings = append(findings, graph.Finding{
				Code: graph.StaleStamp, Severity: graph.Error, Object: r.Workload.ID, Field: r.Template.Path, Place: r.Template.Place,
				Message: r.StaleWhy(), Hint: graph.RuleOf(graph.StaleStamp).Hint,
			})
		}
	}
	return findings
}

// results are the entries, each one line of JSON.
func (f *Function) results(findings []graph.Finding, least graph.Severity) (entries []string) {
	for _, finding := range findings {
		if finding.Severity >= least {
			entries = append(entries, f.entry(finding))
		}
	}
	return entries
}

func (f *Function) entry(finding graph.Finding) string {
	r := result{Message: finding.Message, Severity: finding.Severity.String(), Tags: map[string]string{"code": string(finding.Code)}}
	if finding.Hint != "" {
		r.Tags["hint"] = finding.Hint
	}
	if it := f.item(finding.Place.Offset); it != nil && it.kind == finding.Object.Kind {
		if finding.Object.Name != "" {
			r.Ref = &resourceRef{it.apiVersion, it.kind, it.namespace, finding.Object.Name}
			if finding.Field != "" {
				r.Field = &field{finding.Field}
			}
		}
		if it.path != "" && !f.build {
			r.File = &file{it.path, it.index}
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil { // strings and numbers alone: it cannot fail
		return fmt.Sprintf(`{"message":%q}`, finding.Code)
	}
	return escapeControls(strings.TrimSuffix(text.String(), "\n"))
}

// escapeControls escapes the characters that JSON takes and YAML does not.
func escapeControls(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// item returns the item that an offset is in.
func (f *Function) item(offset int) *item {
	after := sort.Search(len(f.items), func(i int) bool { return f.items[i].offset > offset })
	if after == 0 {
		return nil
	}
	return &f.items[after-1]
}

// splice is the change of the list that adds entries to its results. They are
// put before what is there, as a text that ends the list may go on: a block
// scalar's, say.
func (f *Function) splice(entries []string) (s manifest.Splice, err error) {
	text := f.doc.Text
	old := f.root.Field("results")
	at := f.root.Offset()
	switch {
	case !old.Exists() && f.root.Flow():
		return manifest.Splice{Start: at + 1, End: at + 1, Text: `"results": [` + strings.Join(entries, ", ") + "], "}, nil
	case !old.Exists():
		indent, eol := blank(text[manifest.LineStart(text, at):at]), lineEnd(text)
		return manifest.Splice{Start: at, End: at, Text: block("results", entries, indent, eol) + eol + indent}, nil
	case old.Empty() && old.End() >= 0 && !old.Alias() && !old.Property(): // a tag says what stands behind it
		return manifest.Splice{Start: old.Offset(), End: old.End(), Text: " [" + strings.Join(entries, ", ") + "]"}, nil
	case old.Kind() != tree.Seq || old.Alias() || old.Property():
		return s, f.fault(old.Offset(), fmt.Errorf("results is no list to which restamp could add"))
	case old.Flow():
		return manifest.Splice{Start: old.Offset() + 1, End: old.Offset() + 1, Text: strings.Join(entries, ", ") + ", "}, nil
	}
	at = old.Offset()
	gap := lineEnd(text) + blank(text[manifest.LineStart(text, at):at])
	return manifest.Splice{Start: at, End: at, Text: "- " + strings.Join(entries, gap+"- ") + gap}, nil
}

// block is a key with a list of entries, whose first line is at its indentation
// already. It has no line end of its own.
func block(key string, entries []string, indent, eol string) string {
	between := eol + indent + "- "
	return key + ":" + between + strings.Join(entries, between)
}

// blank is white space as wide as a text: the indentation of what stands
// behind it.
func blank(text []byte) string {
	return strings.Repeat(" ", len([]rune(string(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))))))
}

func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
