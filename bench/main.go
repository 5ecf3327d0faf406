// Command bench compares restamp with its peers: whole processes, fed the same
// bytes, in one interleaved run.
//
// It builds restamp from the folder above, writes streams of manifests into a
// folder, runs every tool on them in turn and prints one Markdown table per
// stream. A stream is what a tool reads; a round runs every tool once; what is
// printed is the median over the rounds.
//
// The peers do less than restamp or the same with a general library: sha256sum
// reads the bytes, yaml.v3 parses them, kyaml parses and writes them again.
// Bench does not check what restamp writes; the tests of restamp do.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// fullSize is about the size of the config-heavy stream at scale 1, in bytes.
const fullSize = 105e6

// options are the command line.
type options struct {
	scale   float64
	kyamlMB float64
	rounds  int
	stream  string
	large   bool
	diff    bool
	restamp string
	args    string
	dir     string
}

func main() {
	var o options
	flag.Float64Var(&o.scale, "scale", 1, "size of the streams; 1 is about 105 MB of config-heavy and 250 MB of real manifests")
	flag.Float64Var(&o.kyamlMB, "kyaml-mb", 10, "largest stream that kyaml is given, in MB; it needs about 75 times that much memory")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds that count, after one that does not")
	flag.StringVar(&o.stream, "stream", "", "only this stream, config-heavy, real or none (default both)")
	flag.BoolVar(&o.large, "large", false, "also run restamp alone at a tenth of, at, and at ten times the scale")
	flag.BoolVar(&o.diff, "diff", false, "also run restamp diff on two streams of half the scale, and restamp on both")
	flag.StringVar(&o.restamp, "restamp", "", "`path` of a restamp to measure (default: build the folder above)")
	flag.StringVar(&o.args, "args", "", "arguments for restamp, separated by spaces, such as \"--fail-on none\"")
	flag.StringVar(&o.dir, "dir", "", "keep streams and binaries in this `folder` (default: a temporary one)")
	flag.Parse()

	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run builds the tools, writes the streams and prints a table for each.
func run(w io.Writer, o options) error {
	if err := o.check(); err != nil {
		return err
	}
	dir, remove, err := folder(o.dir)
	if err != nil {
		return err
	}
	defer remove()

	tools, err := buildTools(o, dir)
	if err != nil {
		return err
	}
	streams, err := plan(o, tools)
	if err != nil {
		return err
	}
	for _, s := range streams {
		if err := s.bench(w, dir, o.rounds); err != nil {
			return err
		}
	}
	if o.diff {
		if err := diffing(w, o, tools, dir); err != nil {
			return err
		}
	}
	if o.large {
		return scaling(w, o, tools, dir)
	}
	return nil
}

// check refuses options that would mislead or exhaust the machine.
func (o options) check() error {
	switch {
	case o.rounds < 1:
		return fmt.Errorf("-rounds %d: need at least one", o.rounds)
	case o.scale <= 0 || o.kyamlMB <= 0:
		return fmt.Errorf("-scale %g, -kyaml-mb %g: need to be above zero", o.scale, o.kyamlMB)
	case o.stream != "" && o.stream != "config-heavy" && o.stream != "real" && o.stream != "none":
		return fmt.Errorf("-stream %q: none of config-heavy, real, none", o.stream)
	}
	return nil
}

// folder returns dir, or a temporary folder, and what removes the latter.
func folder(dir string) (string, func(), error) {
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", nil, err
		}
		return abs, func() {}, os.MkdirAll(abs, 0o755)
	}
	dir, err := os.MkdirTemp("", "restamp-bench-")
	return dir, func() { os.RemoveAll(dir) }, err
}

// A writer writes a stream and tells in a few words what is in it.
type writer func(io.Writer) (note string, err error)

// A stream is a file of manifests, still to be written, and the tools that
// shall read it.
type stream struct {
	name  string
	write writer
	tools []tool
}

// plan lists the streams: each kind in full size for the quick tools, then
// smaller for all of them.
func plan(o options, t toolbox) ([]stream, error) {
	var streams []stream
	if o.stream == "" || o.stream == "config-heavy" {
		streams = append(
			streams,
			stream{"config-heavy", configHeavy(o.scale), t.quick},
			stream{"config-heavy, small enough for kyaml", configHeavy(min(o.scale, o.kyamlMB*1e6/fullSize)), t.all},
		)
	}
	if o.stream == "" || o.stream == "real" {
		real, err := realStream(os.Getenv("RESTAMP_CORPUS"), t.peers)
		if err != nil {
			return nil, err
		}
		size := realSize * o.scale
		streams = append(
			streams,
			stream{"real", real(size), t.quick},
			stream{"real, small enough for kyaml", real(min(size, o.kyamlMB*1e6)), t.all},
		)
	}
	return streams, nil
}

// bench writes the stream, runs its tools over it and prints their table.
func (s stream) bench(w io.Writer, dir string, rounds int) error {
	path := filepath.Join(dir, fileName(s.name))
	note, err := writeFile(path, s.write)
	if err != nil {
		return fmt.Errorf("writing stream %q: %w", s.name, err)
	}
	var jobs []job
	for _, t := range s.tools {
		jobs = append(jobs, job{t, path})
	}
	results, err := race(jobs, rounds)
	if err != nil {
		return err
	}
	return writeComparison(w, s.name, note, results)
}

// fileName makes the name of a file from that of a stream.
func fileName(stream string) string {
	words := strings.FieldsFunc(stream, func(r rune) bool { return r == ' ' || r == ',' })
	return strings.Join(words, "-") + ".yaml"
}

// scaling runs restamp alone on config-heavy streams of three sizes.
func scaling(w io.Writer, o options, t toolbox, dir string) error {
	var jobs []job
	for _, factor := range []float64{0.1, 1, 10} {
		scale := factor * o.scale
		path := filepath.Join(dir, fmt.Sprintf("scale-%g.yaml", scale))
		if _, err := writeFile(path, configHeavy(scale)); err != nil {
			return fmt.Errorf("writing stream of scale %g: %w", scale, err)
		}
		for _, tool := range t.restamp {
			jobs = append(jobs, job{tool, path})
		}
	}
	results, err := race(jobs, o.rounds)
	if err != nil {
		return err
	}
	return writeScaling(w, results)
}

// writeFile creates path with what write makes.
func writeFile(path string, write writer) (note string, err error) {
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	b := bufio.NewWriterSize(f, 1<<20)
	if note, err = write(b); err == nil {
		err = b.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return note, err
}
