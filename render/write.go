package render

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"github.com/restamp/restamp/internal/manifest"
)

// Write writes the whole stream, stamped. Between two inputs, which must have
// been read with Options.Join, a document marker is put where the second brings
// none.
func (r *Run) Write(dst io.Writer) error {
	out := bufio.NewWriterSize(dst, 1<<18)
	for i, in := range r.Inputs {
		if i > 0 {
			if _, err := out.WriteString(in.Separator()); err != nil {
				return err
			}
		}
		if err := r.WriteInput(out, in); err != nil {
			return err
		}
	}
	return out.Flush()
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

// Insert changes a chunk's text in one more place, which no stamp touches.
func (r *Run) Insert(c *manifest.Chunk, s manifest.Splice) {
	patches := append(slices.Clone(r.patches[c]), s)
	slices.SortStableFunc(patches, func(a, b manifest.Splice) int { return cmp.Compare(a.Start, b.Start) })
	r.patches[c] = patches
}

// Revert takes all changes back: what is written is the input.
func (r *Run) Revert() { clear(r.patches) }

// Changed reports whether an input's text changes.
func (r *Run) Changed(in *manifest.Input) bool {
	for _, c := range in.Chunks {
		if len(r.patches[c]) > 0 {
			return true
		}
	}
	return false
}
