package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/report"
	"github.com/restamp/restamp/render"
)

// manifestsName is the file that an application is rendered to.
const manifestsName = "manifests.yaml"

// built is what became of one of many applications.
type built struct {
	dir, out string // folders
	findings []byte // as text
	notes    []string
	changed  bool
	objects  int
	warnings int
	err      error
}

// buildAll renders every application below root. One that fails keeps no other
// from being rendered, and its old output stays.
func (b *builder) buildAll(ctx context.Context, cmd *cobra.Command, root string, key []byte) error {
	collectSteadily()
	b.folder.Recurse = false // each folder of manifests is an application of its own
	dirs, left, err := render.Applications(root, b.folder, b.out)
	if err != nil {
		return fail(err)
	}
	if len(dirs) == 0 && !b.allowEmpty {
		return &failure{atFault, fmt.Errorf("reading %s: no application there", root), "a folder is looked for with a kustomization, a chart or manifests"}
	}
	results := make([]built, len(dirs))
	var done atomic.Int64
	said := overhear()
	stop := showProgress(cmd, func() string { return fmt.Sprintf("%d of %d applications", done.Load(), len(dirs)) })
	b.inParallel(len(dirs), func(i int) {
		results[i] = b.buildOne(ctx, root, dirs[i], key)
		done.Add(1)
	})
	stop()
	said.stop()
	if !b.quiet {
		said.tell(cmd.ErrOrStderr())
		b.tellLeft(cmd, left)
	}
	return b.summary(cmd, results)
}

// tellLeft tells of the folders that are no applications of their own.
func (b *builder) tellLeft(cmd *cobra.Command, left []render.Left) {
	stderr := cmd.ErrOrStderr()
	if len(left) > 0 && !b.verbose {
		fmt.Fprintf(stderr, "restamp: %d folders are no applications of their own (-v lists them)\n", len(left))
		return
	}
	for _, l := range left {
		fmt.Fprintf(stderr, "restamp: %s: left out: %s\n", oneLine(l.Dir), oneLine(l.Reason))
	}
}

// inParallel calls do for each number below n, a few at a time: so many
// applications are in memory, however many there are.
func (b *builder) inParallel(n int, do func(i int)) {
	workers := b.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// buildOne renders one application and writes it where it changed.
func (b *builder) buildOne(ctx context.Context, root, dir string, key []byte) built {
	r := built{dir: dir}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		r.err = err
		return r
	}
	r.out = filepath.Join(b.out, rel)
	rendered, err := render.Folder(ctx, dir, b.folderOf(dir))
	if err != nil {
		r.err = err
		return r
	}
	r.notes = rendered.Notes
	opts := render.Options{Join: true, AllowEmpty: b.allowEmpty, Graph: graph.Options{SecretKey: key, Namespace: b.namespace, Strict: b.strict}}
	if b.config != nil {
		b.config.Apply(&opts.Graph)
	}
	run, err := render.Stamp(rendered.Sources, opts)
	if err != nil {
		r.err = nothingRendered(dir, err)
		return r
	}
	r.objects = run.Objects
	for _, f := range run.Findings {
		if f.Severity == graph.Warning {
			r.warnings++
		}
	}
	var text bytes.Buffer
	if r.err = report.Findings(&text, run.Findings, b.reportOptions()); r.err == nil {
		r.findings = text.Bytes()
		if verdict := b.verdict(run.Findings); verdict != nil {
			r.err = verdict
		} else {
			r.changed, r.err = run.WriteIfChanged(filepath.Join(r.out, manifestsName))
		}
	}
	return r
}

// summary tells of all applications, and fails where one of them did.
func (b *builder) summary(cmd *cobra.Command, results []built) error {
	stderr := cmd.ErrOrStderr()
	written, objects, warnings, notes := 0, 0, 0, 0
	var failed []string
	hints := make(map[string]bool)
	for _, r := range results {
		objects += r.objects
		warnings += r.warnings
		notes += len(r.notes)
		if r.changed {
			written++
		}
		if r.err != nil {
			failed = append(failed, oneLine(r.dir))
		}
		if len(r.findings) > 0 && (b.verbose || r.err != nil) {
			fmt.Fprintf(stderr, "%s:\n%s", oneLine(r.dir), r.findings)
		}
		if b.verbose {
			tellNotes(stderr, r.notes)
		}
		tellFailed(stderr, r, hints)
	}
	if !b.quiet {
		fmt.Fprintf(stderr, "restamp: %d applications, %d objects; %d files written, %d unchanged, %d failed\n",
			len(results), objects, written, len(results)-written-len(failed), len(failed))
		if warnings > 0 && !b.verbose {
			fmt.Fprintf(stderr, "restamp: %d warnings (-v shows them)\n", warnings)
		}
		if notes > 0 && !b.verbose {
			fmt.Fprintf(stderr, "restamp: %d notes on what was left out of them (-v shows them)\n", notes)
		}
		for _, path := range b.leftovers(results) {
			fmt.Fprintf(stderr, "restamp: %s belongs to no application any more\n", oneLine(path))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return &failure{atFault, fmt.Errorf("these applications failed, and keep their old output: %s", strings.Join(failed, ", ")), ""}
}

// tellFailed tells why an application failed, and gives each hint once.
func tellFailed(w io.Writer, r built, hints map[string]bool) {
	if r.err == nil || r.err.Error() == "" {
		return
	}
	text := strings.TrimPrefix(r.err.Error(), "rendering "+r.dir+": ")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(w, "restamp: %s: %s\n", oneLine(r.dir), line)
	}
	if hint := renderHint(r.err); hint != "" && !hints[hint] {
		hints[hint] = true
		fmt.Fprintf(w, "    hint: %s\n", hint)
	}
}

// oneLine keeps a path from making lines of its own, which a CI system may take
// for commands.
func oneLine(path string) string { return graph.OneLine(path, 0) }

// leftovers are the outputs of applications that are gone.
func (b *builder) leftovers(results []built) (paths []string) {
	known := make(map[string]bool)
	for _, r := range results {
		known[filepath.Join(r.out, manifestsName)] = true
	}
	// What cannot be read is nobody's output.
	_ = filepath.WalkDir(b.out, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == manifestsName && !known[path] {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}
