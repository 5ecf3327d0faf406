package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/manifest"
)

// diffContext is how many lines a diff shows around a change.
const diffContext = 3

// WriteDiff writes what changes in an input as a unified diff. Lines of Secrets
// are not shown: the context ends before them, and where a changed line is one,
// in JSON on one line say, a remark stands for it.
func (r *Run) WriteDiff(dst io.Writer, in *manifest.Input) error {
	if !r.Changed(in) {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", in.Name, in.Name)
	added := 0 // lines more than before, so far
	for _, c := range in.Chunks {
		d := differ{chunk: c, hidden: r.secrets(c)}
		changes := d.changes(r.patches[c])
		for len(changes) > 0 {
			n := d.together(changes)
			added += d.writeHunk(&out, changes[:n], added)
			changes = changes[n:]
		}
	}
	_, err := dst.Write(out.Bytes())
	return err
}

// span is a part of a chunk's text.
type span struct{ start, end int }

// secrets are the parts of a chunk that hold Secrets, as whole lines.
func (r *Run) secrets(c *manifest.Chunk) (spans []span) {
	for _, place := range r.graph.Secrets() {
		if place.Doc.Chunk == c {
			start := place.Doc.Start + place.Offset
			spans = append(spans, span{manifest.LineStart(c.Text, start), manifest.LineEnd(c.Text, start+place.Length)})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// differ writes the diff of one chunk.
type differ struct {
	chunk  *manifest.Chunk
	hidden []span
}

// change replaces whole lines of a chunk.
type change struct {
	span
	text string
}

// changes makes whole lines of splices, which are in order.
func (d *differ) changes(splices []manifest.Splice) (changes []change) {
	text := d.chunk.Text
	for i := 0; i < len(splices); {
		lines := span{manifest.LineStart(text, splices[i].Start), manifest.LineEnd(text, splices[i].End)}
		if s := splices[i]; s.Start == lines.start && s.End == manifest.LineStart(text, s.End) && (s.Text == "" || strings.HasSuffix(s.Text, "\n")) {
			lines.end = s.End // nothing but whole lines comes or goes
		}
		first := i
		for i++; i < len(splices) && splices[i].Start < lines.end; i++ {
			lines.end = manifest.LineEnd(text, splices[i].End)
		}
		var local []manifest.Splice
		for _, s := range splices[first:i] {
			local = append(local, manifest.Splice{Start: s.Start - lines.start, End: s.End - lines.start, Text: s.Text})
		}
		changes = append(changes, d.trim(change{lines, string(manifest.Join(nil, text[lines.start:lines.end], local))}))
	}
	return changes
}

// trim takes lines off a change, at its ends, that stay as they are.
func (d *differ) trim(c change) change {
	text := d.chunk.Text
	for c.start < c.end {
		line := string(text[c.start:manifest.LineEnd(text, c.start)])
		if !strings.HasPrefix(c.text, line) || !strings.HasSuffix(line, "\n") {
			break
		}
		c.start, c.text = c.start+len(line), c.text[len(line):]
	}
	for c.start < c.end {
		line := string(text[manifest.LineStart(text, c.end-1):c.end])
		if !strings.HasSuffix(c.text, "\n"+line) && c.text != line {
			break
		}
		c.end, c.text = c.end-len(line), c.text[:len(c.text)-len(line)]
	}
	return c
}

// together counts the changes that share a hunk: those whose contexts meet.
func (d *differ) together(changes []change) int {
	n := 1
	for n < len(changes) && d.after(changes[n-1].end) >= d.before(changes[n].start) {
		n++
	}
	return n
}

// before goes up from the start of a line by as many lines as context may
// show.
func (d *differ) before(at int) int {
	for range diffContext {
		if at == 0 || d.isHidden(at-1) {
			break
		}
		at = manifest.LineStart(d.chunk.Text, at-1)
	}
	return at
}

// after goes down from the start of a line likewise.
func (d *differ) after(at int) int {
	for range diffContext {
		if at == len(d.chunk.Text) || d.isHidden(at) {
			break
		}
		at = manifest.LineEnd(d.chunk.Text, at)
	}
	return at
}

func (d *differ) isHidden(at int) bool {
	i, _ := slices.BinarySearchFunc(d.hidden, at, func(s span, at int) int {
		if s.end <= at {
			return -1
		}
		return 1
	})
	return i < len(d.hidden) && d.hidden[i].start <= at
}

// writeHunk writes changes with the context around and between them, and
// returns how many lines they add.
func (d *differ) writeHunk(out *bytes.Buffer, changes []change, added int) int {
	start, end := d.before(changes[0].start), d.after(changes[len(changes)-1].end)
	var body bytes.Buffer
	was, is, at := 0, 0, start
	for _, c := range changes {
		same := d.writeLines(&body, ' ', string(d.chunk.Text[at:c.start]), false)
		hidden := d.isHidden(c.start)
		gone := d.writeLines(&body, '-', string(d.chunk.Text[c.start:c.end]), hidden)
		came := d.writeLines(&body, '+', c.text, hidden)
		was, is, at = was+same+gone, is+same+came, c.end
	}
	same := d.writeLines(&body, ' ', string(d.chunk.Text[at:end]), false)
	was, is = was+same, is+same
	line := d.chunk.Line(start)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", hunkRange(line, was), hunkRange(line+added, is))
	out.Write(body.Bytes())
	return is - was
}

// hunkRange writes a range of lines as diff does: an empty one is behind the
// line before it.
func hunkRange(line, n int) string {
	if n == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, n)
}

// writeLines writes lines with a sign before each, and counts them.
func (d *differ) writeLines(out *bytes.Buffer, sign byte, text string, hidden bool) (n int) {
	for line := range strings.Lines(text) {
		n++
		out.WriteByte(sign)
		if hidden {
			line = "(a line with a Secret in it is not shown)\n"
		}
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return n
}
