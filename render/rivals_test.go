package render

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/restamp/restamp/graph"
)

// TestRivals has a file for each fault that another tool for the purpose has,
// and shows that restamp has it not. A file begins with the fault, in prose,
// and a blank line; then come lines of
//
//	change OLD => NEW      each OLD in in.yaml becomes NEW, or
//	change FILE            in.yaml becomes FILE
//	restarts WORKLOADS     by that change: their stamps become others
//	stays WORKLOADS        their stamps do not
//
// where every workload must be in one of the two, and of
//
//	stamped WORKLOADS      by in.yaml itself
//	bare WORKLOADS         without a stamp
//	finding CODE OBJECT    in in.yaml
//	silent                 no finding in in.yaml, but infos
//
// What is written must be out.yaml, where there is one.
func TestRivals(t *testing.T) {
	paths, err := filepath.Glob("testdata/rivals/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("found %d files (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := rival{T: t, files: make(map[string]string), keyed: Options{Graph: graph.Options{SecretKey: []byte("k")}}}
			for _, f := range archive.Files {
				r.files[f.Name] = string(f.Data)
			}
			r.play(string(archive.Comment))
		})
	}
}

// rival is the case of one file.
type rival struct {
	*testing.T
	keyed  Options           // a key spares a warning
	files  map[string]string // by name
	before map[string]string // stamps, by workload
	after  map[string]string // after the change at hand
	told   map[string]bool   // workloads of which a line tells what the change does
	lines  int               // that say what is expected
}

func (r *rival) play(script string) {
	run, out := stamp(r, r.files["in.yaml"], r.keyed)
	r.before = stampsOfRun(run)
	if want, ok := r.files["out.yaml"]; ok {
		r.lines++
		if diff := cmp.Diff(want, out); diff != "" {
			r.Errorf("out.yaml (-want +got):\n%s", diff)
		}
	}
	if _, again := stamp(r, out, r.keyed); again != out {
		r.Errorf("the second time something changes:\n%s", cmp.Diff(out, again))
	}
	checkSame(r, "in.yaml", r.files["in.yaml"], out)
	_, lines, ok := strings.Cut(script, "\n\n")
	if !ok {
		r.Error("no prose says whose fault it is")
	}
	for line := range strings.Lines(lines) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		r.line(word, strings.TrimSpace(rest), run)
	}
	r.checkTold()
	if r.lines == 0 {
		r.Error("nothing is expected")
	}
}

func (r *rival) line(word, rest string, run *Run) {
	switch word {
	case "change":
		r.checkTold()
		changed, _ := stamp(r, r.change(rest), r.keyed)
		r.after, r.told = stampsOfRun(changed), make(map[string]bool)
	case "restarts", "stays":
		r.each(rest, func(w string) {
			r.told[w] = true
			if changed := r.before[w] != r.after[w]; changed != (word == "restarts") {
				r.Errorf("%s: %s before the change, %s after it", w, r.before[w], r.after[w])
			}
		})
	case "stamped", "bare":
		r.each(rest, func(w string) {
			if (r.before[w] != "") != (word == "stamped") {
				r.Errorf("%s has the stamp %q", w, r.before[w])
			}
		})
	case "finding":
		r.lines++
		found := slices.ContainsFunc(run.Findings, func(f graph.Finding) bool { return fmt.Sprint(f.Code, " ", f.Object) == rest })
		if !found {
			r.Errorf("no finding %s", rest)
		}
	case "silent":
		r.lines++
		for _, f := range run.Findings {
			if f.Severity > graph.Info {
				r.Errorf("%s: %s: %s", f.Object, f.Code, f.Message)
			}
		}
	case "":
	default:
		r.Errorf("nobody knows the word %q", word)
	}
}

// change is the stream after a change.
func (r *rival) change(what string) string {
	before := r.files["in.yaml"]
	from, to, ok := strings.Cut(what, " => ")
	if !ok {
		if r.files[what] == "" {
			r.Fatalf("there is no file %s", what)
		}
		return r.files[what]
	}
	if !strings.Contains(before, from) {
		r.Fatalf("in.yaml has no %q", from)
	}
	return strings.ReplaceAll(before, from, to)
}

// each calls f for the workloads of a list.
func (r *rival) each(list string, f func(string)) {
	for _, w := range strings.Split(list, ", ") {
		r.lines++
		if _, ok := r.before[w]; !ok {
			r.Errorf("in.yaml has no %s", w)
		}
		f(w)
	}
}

// checkTold fails where a line is missing for a workload and the change at
// hand.
func (r *rival) checkTold() {
	for _, w := range slices.Sorted(maps.Keys(r.after)) {
		if !r.told[w] {
			r.Errorf("nobody says what a change does to %s", w)
		}
	}
	r.after = nil
}

func stampsOfRun(run *Run) map[string]string {
	stamps := make(map[string]string)
	for _, result := range run.Results {
		stamps[result.Workload.ID.String()] = result.Stamp
	}
	return stamps
}
