package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// A tool is a command that reads a stream on its standard input.
type tool struct {
	name  string
	argv  []string
	piped bool // fed by cat through a pipe, not from the file
}

// A toolbox holds the tools by the streams that they can bear.
type toolbox struct {
	restamp []tool // from a file, and through a pipe
	quick   []tool // those and all peers but kyaml
	all     []tool
	peers   string // the binary of the peers
}

// buildTools builds restamp, unless one is given, and the peers.
func buildTools(o options, dir string) (toolbox, error) {
	t := toolbox{peers: filepath.Join(dir, "peers")}
	if err := goBuild(".", "./peers", t.peers); err != nil {
		return t, err
	}
	restamp := o.restamp
	if restamp == "" {
		restamp = filepath.Join(dir, "restamp")
		if err := goBuild("..", ".", restamp); err != nil {
			return t, err
		}
	}
	argv := append([]string{restamp}, strings.Fields(o.args)...)
	t.restamp = []tool{
		{name: "restamp", argv: argv},
		{name: "cat, piped to restamp", argv: argv, piped: true},
	}
	t.quick = append(
		t.restamp[:2:2],
		tool{name: "sha256sum", argv: []string{"sha256sum"}},
		tool{name: "gopkg.in/yaml.v3, parse only", argv: []string{t.peers, "yaml-parse"}},
		tool{name: "go.yaml.in/yaml/v3, parse only", argv: []string{t.peers, "goyaml-parse"}},
	)
	t.all = append(
		t.quick[:len(t.quick):len(t.quick)],
		tool{name: "kyaml read and write", argv: []string{t.peers, "kyaml"}},
		tool{name: "kyaml, one encoder per document", argv: []string{t.peers, "kyaml-per-document"}},
	)
	return t, nil
}

// goBuild builds a package, named as seen from the folder dir.
func goBuild(dir, pkg, binary string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-o", binary, pkg)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s in %s: %w\n%s", pkg, dir, err, out)
	}
	return nil
}

// A job is one tool on one stream.
type job struct {
	tool tool
	path string
}

// A result holds what a job took, round by round.
type result struct {
	job
	size    int64 // of the stream
	samples []sample
}

// A sample is what one process took.
type sample struct {
	wall    time.Duration
	cpu     time.Duration // user and system
	rss     int64         // peak, in bytes
	floor   int64         // least rss that could be measured
	written int64         // to standard output
}

// race runs all jobs once without counting and then for some rounds, each round
// beginning with another job, so that a disturbance of the machine meets all.
func race(jobs []job, rounds int) ([]result, error) {
	results := make([]result, len(jobs))
	for i, j := range jobs {
		info, err := os.Stat(j.path)
		if err != nil {
			return nil, err
		}
		if _, err := j.run(); err != nil {
			return nil, err
		}
		results[i] = result{job: j, size: info.Size()}
	}
	for round := range rounds {
		for i := range jobs {
			r := &results[(round+i)%len(jobs)]
			s, err := r.run()
			if err != nil {
				return nil, err
			}
			r.samples = append(r.samples, s)
		}
	}
	return results, nil
}

// run runs the tool once. Its output is read and dropped, as by the next
// command of a pipeline.
func (j job) run() (sample, error) {
	in, err := os.Open(j.path)
	if err != nil {
		return sample{}, err
	}
	defer in.Close()

	var out counter
	var complaint head
	cmd := exec.Command(j.tool.argv[0], j.tool.argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &complaint

	forgetPeak()
	start := time.Now()
	if j.tool.piped {
		err = runPiped(cmd, in)
	} else {
		err = cmd.Run()
	}
	wall := time.Since(start)
	if err != nil {
		return sample{}, fmt.Errorf("running %s on %s: %w\n%s", j.tool.name, filepath.Base(j.path), err, complaint.Bytes())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return sample{
		wall:    wall,
		cpu:     cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		rss:     usage.Maxrss * 1024, // Linux counts in KiB
		floor:   ownPeak(),
		written: int64(out),
	}, nil
}

// runPiped runs cmd with cat before it.
func runPiped(cmd *exec.Cmd, in *os.File) error {
	cat := exec.Command("cat")
	cat.Stdin = in
	pipe, err := cat.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stdin = pipe
	if err := cat.Start(); err != nil {
		return err
	}
	err = cmd.Run()
	// An unread pipe would keep cat alive; its own fate says nothing more.
	pipe.Close()
	if cerr := cat.Wait(); err == nil {
		err = cerr
	}
	return err
}

// forgetPeak lowers ownPeak to what this process needs now, where the kernel
// allows that.
func forgetPeak() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // else ownPeak stays high, and tells
}

// ownPeak is the peak memory of this process. A child begins with it, because
// the kernel counts the memory before exec too: less cannot be measured.
// Getrusage would add the peak of the process that started this one.
func ownPeak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib * 1024
		}
	}
	return 0
}

// A counter drops what is written to it and knows how much it was.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// A head keeps the first lines written to it, enough to see what went wrong.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	if room := 2000 - h.Len(); room > 0 {
		h.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
