package render

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/manifest"
)

// chunkWorker does something with each document of a chunk.
type chunkWorker func(manifest.Document, *graph.Objects) error

// workers take chunks, each when one is free. What they make of a chunk has
// the chunk's place in the input, whoever was first.
type workers struct {
	chunks chan job
	group  sync.WaitGroup
	jobs   []*job
}

type job struct {
	chunk  *manifest.Chunk
	part   *graph.Objects
	faults *[]fault
}

func newWorkers(start func() chunkWorker) *workers {
	w := &workers{chunks: make(chan job)}
	for range runtime.GOMAXPROCS(0) {
		w.group.Go(func() {
			var work chunkWorker
			for j := range w.chunks {
				if work == nil { // not before: the first document may change the options
					work = start()
				}
				j.run(work)
			}
		})
	}
	return w
}

func (j job) run(work chunkWorker) {
	for doc := range j.chunk.Documents() {
		if err := work(doc, j.part); err != nil {
			*j.faults = append(*j.faults, fault{doc, err})
		}
	}
}

func (w *workers) add(c *manifest.Chunk) {
	j := job{c, new(graph.Objects), new([]fault)}
	w.jobs = append(w.jobs, &j)
	w.chunks <- j
}

// wait returns what the workers made of all chunks, in the order in which the
// chunks were added.
func (w *workers) wait() (parts []graph.Objects, faults []fault) {
	close(w.chunks)
	w.group.Wait()
	for _, j := range w.jobs {
		parts = append(parts, *j.part)
		faults = append(faults, *j.faults...)
	}
	return parts, faults
}

// inParallel calls what start returns for each number below n. Each worker has
// a function of its own, and takes numbers by the batch.
func inParallel(n int, start func() func(int)) {
	const batch = 64
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+batch-1)/batch) {
		group.Go(func() {
			do := start()
			for {
				to := int(next.Add(batch))
				for i := to - batch; i < min(to, n); i++ {
					do(i)
				}
				if to >= n {
					return
				}
			}
		})
	}
	group.Wait()
}
