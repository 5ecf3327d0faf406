// Package render takes manifests from where they are, a stream or files, to a
// stamped stream.
//
// Every way of using restamp goes through Stamp: it reads the inputs chunk by
// chunk, hands each to the workers, resolves the graph when all is read, and
// splices the stamps in. Nothing is written before everything has succeeded:
// a Run holds the whole result, and writing it is a copy.
package render

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// Options say how to stamp. The zero value is what a user gets who asks for
// nothing.
type Options struct {
	Graph      graph.Options
	Join       bool           // the inputs are going to be one stream: a last line that has no end gets one
	AllowEmpty bool           // input without any object is no error; default: it is
	Progress   func(read int) // is told of each part of the input that was read, in bytes

	// First is shown the first document that is more than comments, before
	// anything is made of the input, and may change the options. Its error ends
	// the run.
	First func(doc manifest.Document, opts *Options) error
}

// Source is an input that is not read yet.
type Source struct {
	Name string // as it is shown to the user
	Open func() (io.ReadCloser, error)
	Made map[graph.ID]string // by what the input stands for, as in graph.Options
}

// Stream is the source of a stream that is open already.
func Stream(name string, r io.Reader) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

// Run is the result of stamping.
type Run struct {
	Inputs   []*manifest.Input // as they were
	Results  []graph.Result    // one per pod template, in the order of the input
	Findings []graph.Finding   // in the order of the input
	Objects  int               // documents with an object in them

	graph   *graph.Graph
	patches map[*manifest.Chunk][]manifest.Splice // at offsets in the chunk
}

// Explain returns what led to a workload's results. Edits that turned out to be
// impossible are still asked for there.
func (r *Run) Explain(w *graph.Workload) []graph.Detail { return r.graph.NewResolver().Explain(w) }

// Sources are the sources of the input, in its order.
func (r *Run) Sources() []*graph.Source { return r.graph.Sources() }

// ErrEmpty says that there was no object in the input. A broken left side of a
// pipe must not empty an application.
var ErrEmpty = errors.New("the input holds no Kubernetes object")

// Stamp reads the sources as one stream and computes its stamps. The error
// tells of all that could not be read, joined, in the order of the input; what
// else there is to know is in the run's findings.
func Stamp(sources []Source, opts Options) (*Run, error) {
	r := &Run{patches: make(map[*manifest.Chunk][]manifest.Splice)}
	opts.Graph.Made = made(sources, opts.Graph.Made)
	parts, err := r.read(sources, &opts)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		r.Objects += part.Count
	}
	if r.Objects == 0 && !opts.AllowEmpty {
		return nil, ErrEmpty
	}
	g := graph.Build(parts, opts.Graph)
	if wanted := g.Wanted(); len(wanted) > 0 {
		others, err := r.readOthers(wanted, opts)
		if err != nil {
			return nil, err
		}
		g.Add(others)
	}
	r.graph = g
	r.Results = resolve(g)
	unspliced := r.splice()
	r.Findings = append(g.Findings(r.Results), unspliced...)
	graph.SortFindings(r.Findings)
	return r, nil
}

// made joins what is made in the cluster.
func made(sources []Source, all map[graph.ID]string) map[graph.ID]string {
	all = maps.Clone(all)
	for _, s := range sources {
		for id, maker := range s.Made {
			if all == nil {
				all = make(map[graph.ID]string)
			}
			all[id] = maker
		}
	}
	return all
}

// read reads all sources while the workers are at what is there already.
func (r *Run) read(sources []Source, opts *Options) ([]graph.Objects, error) {
	w := newWorkers(func() chunkWorker {
		reader := graph.NewReader(opts.Graph)
		return func(doc manifest.Document, part *graph.Objects) error { return reader.Read(doc, part) }
	})
	var readErr error
	each := func(c *manifest.Chunk) error {
		if err := opts.first(c); err != nil {
			return err
		}
		w.add(c)
		return nil
	}
	for i, source := range sources {
		in := &manifest.Input{Name: source.Name, EndLine: opts.Join && i+1 < len(sources)}
		r.Inputs = append(r.Inputs, in)
		if readErr = readSource(in, source, each, opts.Progress); readErr != nil {
			break
		}
	}
	parts, faults := w.wait()
	manifest.Number(r.Inputs)
	if readErr != nil {
		return nil, readErr
	}
	return parts, joinFaults(faults)
}

// first shows First the first document of a chunk that has one.
func (o *Options) first(c *manifest.Chunk) error {
	if o.First == nil {
		return nil
	}
	for doc := range c.Documents() {
		if h, sure := doc.Skim(func([]byte) bool { return true }); !sure || h.Kind != nil {
			look := o.First
			o.First = nil
			return look(doc, o)
		}
	}
	return nil
}

func readSource(in *manifest.Input, source Source, each func(*manifest.Chunk) error, progress func(int)) error {
	f, err := source.Open()
	if err != nil {
		return fmt.Errorf("reading %s: %w", source.Name, err)
	}
	defer f.Close() // nothing was written
	var fault error
	err = in.Read(f, func(c *manifest.Chunk) {
		if progress != nil {
			progress(len(c.Text))
		}
		if fault == nil {
			fault = each(c)
		}
	})
	if err != nil {
		return fmt.Errorf("reading %s: %w", source.Name, err)
	}
	return fault
}

// readOthers goes over the documents again, for kinds that are of interest only
// because a workload names them.
func (r *Run) readOthers(wanted map[string]bool, opts Options) ([]graph.Objects, error) {
	w := newWorkers(func() chunkWorker {
		reader := graph.NewReader(opts.Graph)
		return func(doc manifest.Document, part *graph.Objects) error { return reader.ReadOthers(doc, wanted, part) }
	})
	for _, in := range r.Inputs {
		for _, c := range in.Chunks {
			w.add(c)
		}
	}
	parts, faults := w.wait()
	return parts, joinFaults(faults)
}

// fault is a document that could not be read.
type fault struct {
	doc manifest.Document
	err error
}

// ReadError tells of a document that is neither YAML nor JSON.
type ReadError struct {
	File string
	Line int
	Err  error
}

func (e *ReadError) Error() string {
	var syntax *tree.SyntaxError
	if errors.As(e.Err, &syntax) {
		return fmt.Sprintf("reading %s:%d: %s", e.File, e.Line, syntax.Problem)
	}
	return fmt.Sprintf("reading %s:%d: %v", e.File, e.Line, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

func joinFaults(faults []fault) error {
	var errs []error
	for _, f := range faults {
		line := f.doc.Line(0)
		var syntax *tree.SyntaxError
		if errors.As(f.err, &syntax) {
			line += syntax.Line - 1
		}
		errs = append(errs, &ReadError{f.doc.File(), line, f.err})
	}
	return errors.Join(errs...)
}

// resolve resolves every workload.
func resolve(g *graph.Graph) []graph.Result {
	byWorkload := make([][]graph.Result, len(g.Workloads))
	inParallel(len(g.Workloads), func() func(int) {
		resolver := g.NewResolver()
		return func(i int) { byWorkload[i] = resolver.Resolve(nil, g.Workloads[i]) }
	})
	return slices.Concat(byWorkload...)
}

// docEdits are the edits of one document.
type docEdits struct {
	doc   *manifest.Document
	of    []*graph.Result
	edits []manifest.Edit
}

// splice makes the patches. What cannot be spliced stays as it is and is told.
func (r *Run) splice() []graph.Finding {
	docs := r.edits()
	splices := make([][]manifest.Splice, len(docs))
	errs := make([]error, len(docs))
	inParallel(len(docs), func() func(int) {
		editor := new(manifest.Editor)
		return func(i int) {
			if splices[i] = docs[i].of[0].Splices(); splices[i] == nil {
				splices[i], errs[i] = editor.Splices(docs[i].doc, docs[i].edits)
			}
		}
	})
	var findings []graph.Finding
	for i, d := range docs {
		if errs[i] != nil {
			findings = append(findings, d.unspliced(errs[i]))
			continue
		}
		patches := r.patches[d.doc.Chunk]
		for _, s := range splices[i] {
			patches = append(patches, manifest.Splice{Start: d.doc.Start + s.Start, End: d.doc.Start + s.End, Text: s.Text})
		}
		r.patches[d.doc.Chunk] = patches
	}
	for _, patches := range r.patches {
		slices.SortStableFunc(patches, func(a, b manifest.Splice) int { return cmp.Compare(a.Start, b.Start) })
	}
	return findings
}

// edits gathers the edits by document, in the order of the input.
func (r *Run) edits() []*docEdits {
	var all []*docEdits
	byDoc := make(map[*manifest.Document]*docEdits)
	for i := range r.Results {
		result := &r.Results[i]
		edit, ok := result.Edit()
		if !ok {
			continue
		}
		doc := result.Template.Place.Doc
		d := byDoc[doc]
		if d == nil {
			d = &docEdits{doc: doc}
			byDoc[doc] = d
			all = append(all, d)
		}
		d.of = append(d.of, result)
		d.edits = append(d.edits, edit)
	}
	return all
}

// unspliced tells why a document stays as it is, and takes its stamps back.
func (d *docEdits) unspliced(err error) graph.Finding {
	result, offset := d.of[0], -1
	var edit *manifest.EditError
	if errors.As(err, &edit) {
		offset = edit.Offset
		for i, e := range d.edits {
			if e.Node == edit.Edit.Node {
				result = d.of[i]
			}
		}
	}
	for _, other := range d.of {
		other.Unsplice(err)
	}
	return result.CannotSplice(offset, err)
}
