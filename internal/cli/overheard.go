package cli

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
)

// overheard is what libraries write to stderr themselves, as kustomize does
// with its warnings: each line once, however many applications it is about.
type overheard struct {
	lines  []string // in the order in which they came
	counts map[string]int
	stop   func()
}

// mostOverheard is the number of lines that are kept.
const mostOverheard = 100

// overhear listens until it is stopped.
func overhear() *overheard {
	o := &overheard{counts: make(map[string]int), stop: func() {}}
	r, w, err := os.Pipe()
	if err != nil {
		return o // then they are seen as they come
	}
	stderr, logged := os.Stderr, log.Writer()
	os.Stderr = w
	log.SetOutput(w)
	var group sync.WaitGroup
	group.Go(func() { o.listen(r) })
	o.stop = func() {
		os.Stderr = stderr
		log.SetOutput(logged)
		w.Close() // a pipe keeps nothing back
		group.Wait()
		r.Close()
	}
	return o
}

func (o *overheard) listen(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		line = strings.TrimSpace(strings.TrimPrefix(line, "# "))
		known := o.counts[line] > 0
		if line != "" && (known || len(o.lines) < mostOverheard) {
			o.counts[line]++
			if !known {
				o.lines = append(o.lines, line)
			}
		}
		if err != nil {
			return
		}
	}
}

func (o *overheard) tell(w io.Writer) {
	for _, line := range o.lines {
		fmt.Fprintf(w, "restamp: %s (%d times)\n", line, o.counts[line])
	}
}
