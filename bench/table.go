package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// writeComparison prints one line per tool. The first result is restamp.
func writeComparison(w io.Writer, name, note string, results []result) error {
	restamp := results[0]
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s; %.1f MB, rounds: %d, medians.\n\n", name, note, mega(restamp.size), len(restamp.samples))
	b.WriteString("| tool | wall s | MB/s | CPU s | peak RSS MB | RSS / stream | time / restamp's | CPU / restamp's |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.tool.name, r.figures(), ratio(r, restamp, sample.wallTime), ratio(r, restamp, sample.cpuTime))
	}
	b.WriteString("\n")
	for _, r := range results {
		if r.tool.name == "sha256sum" {
			fmt.Fprintf(&b, "restamp / sha256sum: %s. ", ratio(restamp, r, sample.wallTime))
		}
	}
	fmt.Fprintf(&b, "restamp wrote %d bytes more than it read.\n\n", restamp.samples[0].written-restamp.size)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeScaling prints one line per size and way of feeding restamp.
func writeScaling(w io.Writer, results []result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### restamp alone, config-heavy\n\nRounds: %d, medians.\n\n", len(results[0].samples))
	b.WriteString("| stream MB | fed by | wall s | MB/s | CPU s | peak RSS MB | RSS / stream |\n")
	b.WriteString("|---:|---|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		from := "file"
		if r.tool.piped {
			from = "pipe"
		}
		fmt.Fprintf(&b, "| %.1f | %s | %s |\n", mega(r.size), from, r.figures())
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// figures are the cells that both tables share.
func (r result) figures() string {
	wall := median(r.samples, sample.wallTime)
	rss := median(r.samples, func(s sample) int64 { return s.rss })
	mark := ""
	if rss <= median(r.samples, func(s sample) int64 { return s.floor }) {
		mark = "≤ "
	}
	return fmt.Sprintf("%.3f | %.0f | %.3f | %s%.0f | %s%.2f",
		wall.Seconds(), mega(r.size)/wall.Seconds(), median(r.samples, sample.cpuTime).Seconds(),
		mark, mega(rss), mark, float64(rss)/float64(r.size))
}

// ratio is the quotient of two medians, with the least and the greatest
// quotient of one round.
func ratio(a, b result, of func(sample) time.Duration) string {
	each := make([]float64, len(a.samples))
	for i := range each {
		each[i] = quotient(of(a.samples[i]), of(b.samples[i]))
	}
	all := quotient(median(a.samples, of), median(b.samples, of))
	return fmt.Sprintf("%.2f (%.2f to %.2f)", all, slices.Min(each), slices.Max(each))
}

func quotient(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }

// median is the middle value, of an even number the upper of the middle two.
func median[T cmp.Ordered](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (s sample) wallTime() time.Duration { return s.wall }
func (s sample) cpuTime() time.Duration  { return s.cpu }

// mega is a number of bytes in MB, of a million each.
func mega(n int64) float64 { return float64(n) / 1e6 }
