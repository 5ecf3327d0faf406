package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// diffing runs restamp diff on two config-heavy streams, and restamp on both
// one after the other: first with a further key in every ConfigMap and Secret,
// so that every workload is looked at in detail, then with nothing changed.
func diffing(w io.Writer, o options, t toolbox, dir string) error {
	old, now := filepath.Join(dir, "diff-old.yaml"), filepath.Join(dir, "diff-new.yaml")
	scale := o.scale / 2
	note, err := writeFile(old, configHeavy(scale))
	if err != nil {
		return fmt.Errorf("writing the old stream: %w", err)
	}
	if _, err := writeFile(now, changed(configHeavy(scale))); err != nil {
		return fmt.Errorf("writing the new stream: %w", err)
	}
	for _, c := range []struct{ what, new string }{{"all configuration changed", now}, {"nothing changed", old}} {
		command := strings.Join(append([]string{t.restamp[0].argv[0]}, t.restamp[0].argv[1:]...), " ")
		both := fmt.Sprintf("%s < '%s' && %s", command, old, command) // the new one is on standard input
		jobs := []job{
			{tool{name: "restamp on both, in turn", argv: []string{"sh", "-c", both}}, c.new},
			{tool{name: "restamp diff", argv: append(t.restamp[0].argv[:len(t.restamp[0].argv):len(t.restamp[0].argv)], "diff", old, "-")}, c.new},
			{tool{name: "restamp diff -o json", argv: append(t.restamp[0].argv[:len(t.restamp[0].argv):len(t.restamp[0].argv)], "diff", "-o", "json", old, "-")}, c.new},
		}
		results, err := race(jobs, o.rounds)
		if err != nil {
			return err
		}
		if err := writeDiffing(w, c.what, note, results); err != nil {
			return err
		}
	}
	return nil
}

// writeDiffing prints one line per tool. The first result is what the others
// are measured by.
func writeDiffing(w io.Writer, what, note string, results []result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### restamp diff, %s\n\n%s; twice, %.1f MB each, rounds: %d, medians.\n\n", what, note, mega(results[0].size), len(results[0].samples))
	b.WriteString("| command | wall s | peak RSS MB | time / restamp's on both | CPU / restamp's on both |\n|---|---:|---:|---:|---:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %.3f | %.0f | %s | %s |\n", r.tool.name, median(r.samples, sample.wallTime).Seconds(),
			mega(median(r.samples, func(s sample) int64 { return s.rss })), ratio(r, results[0], sample.wallTime), ratio(r, results[0], sample.cpuTime))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// changed puts a further key into every ConfigMap and Secret of a stream.
func changed(write writer) writer {
	return func(w io.Writer) (string, error) {
		var b bytes.Buffer
		note, err := write(&b)
		if err != nil {
			return note, err
		}
		_, err = w.Write(bytes.ReplaceAll(b.Bytes(), []byte("\ndata:\n"), []byte("\ndata:\n  changed: MQ==\n")))
		return note, err
	}
}
