package render

import (
	"bufio"
	"io"

	"github.com/restamp/restamp/internal/manifest"
)

// Write writes the whole stream, stamped. Between two inputs a document marker
// is put where the second brings none.
func (r *Run) Write(dst io.Writer) error {
	out := bufio.NewWriterSize(dst, 1<<18)
	var last byte = '\n'
	for i, in := range r.Inputs {
		if i > 0 && len(in.Chunks) > 0 {
			if err := separate(out, last, in); err != nil {
				return err
			}
		}
		if err := r.WriteInput(out, in); err != nil {
			return err
		}
		if n := len(in.Chunks); n > 0 {
			text := in.Chunks[n-1].Text
			last = text[len(text)-1]
		}
	}
	return out.Flush()
}

func separate(out io.Writer, last byte, in *manifest.Input) error {
	var text string
	if last != '\n' {
		text = "\n"
	}
	if !in.StartsWithMarker() {
		text += "---\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// WriteInput writes one input, stamped.
func (r *Run) WriteInput(dst io.Writer, in *manifest.Input) error {
	for _, c := range in.Chunks {
		at := 0
		for _, p := range r.patches[c] {
			if _, err := dst.Write(c.Text[at:p.Start]); err != nil {
				return err
			}
			if _, err := io.WriteString(dst, p.Text); err != nil {
				return err
			}
			at = p.End
		}
		if _, err := dst.Write(c.Text[at:]); err != nil {
			return err
		}
	}
	return nil
}

// Changed reports whether an input's text changes.
func (r *Run) Changed(in *manifest.Input) bool {
	for _, c := range in.Chunks {
		if len(r.patches[c]) > 0 {
			return true
		}
	}
	return false
}
