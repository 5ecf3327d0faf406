package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/restamp/restamp/internal/compare"
)

// headlines say the verdicts in words, of one workload.
var headlines = map[compare.Verdict]string{
	compare.ByConfig:   "restarts: its configuration changed",
	compare.ByTemplate: "restarts: its pod template changed",
	compare.ByBoth:     "restarts: its configuration and its pod template changed",
	compare.First:      "restarts once: it gets its first stamp",
	compare.Stays:      "does not restart",
	compare.Stuck:      "should restart, but will not",
	compare.Added:      "is new",
	compare.Removed:    "is removed",
}

// headline is a workload's verdict, with what it does not say.
func headline(w *compare.Workload) string {
	if w.Why == "" {
		return headlines[w.Verdict]
	}
	return headlines[w.Verdict] + ": " + w.Why
}

// WorkloadName names a workload, and the template where it has several.
func WorkloadName(w *compare.Workload) string {
	if w.Template != "" {
		return w.ID.String() + " " + w.Template
	}
	return w.ID.String()
}

// reason is a line of what led to a verdict, with the values of a ConfigMap's
// key where they are to be shown.
type reason struct {
	text     string
	old, new *string
}

// values shows what there is of the values: in quotes, on one line.
func (r reason) values(quote func(string) string) string {
	switch {
	case r.old != nil && r.new != nil:
		return "from " + quote(*r.old) + " to " + quote(*r.new)
	case r.old != nil:
		return "it was " + quote(*r.old)
	case r.new != nil:
		return "it is " + quote(*r.new)
	}
	return ""
}

// quoted is a value on one line, in quotes.
func quoted(s string) string { return fmt.Sprintf("%q", short(s)) }

func short(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// reasons are what led to a verdict, the first of them; the last line counts
// the others.
func reasons(w *compare.Workload, most int) (lines []reason) {
	for _, r := range w.Renames {
		lines = append(lines, reason{text: r.Old + " is now " + r.New})
	}
	for _, k := range w.Changes {
		lines = append(lines, keyChange(k))
	}
	for _, f := range w.Fields {
		lines = append(lines, reason{text: fieldChange(f)})
	}
	if more := len(lines) - most; more > 0 && most > 0 {
		lines = append(lines[:most], reason{text: fmt.Sprintf("%d more changes", more)})
	}
	for _, n := range w.Noise {
		lines = append(lines, reason{text: "noise: " + n})
	}
	return lines
}

func keyChange(k compare.KeyChange) reason {
	text := keyName(k) + " " + string(k.Change)
	if k.Note != "" {
		text += " (" + k.Note + ")"
	}
	if len(k.Through) > 0 {
		text += ", used through " + through(k.Through)
	}
	return reason{text, k.Old, k.New}
}

func keyName(k compare.KeyChange) string {
	if k.Key == "" {
		return k.Source
	}
	return k.Source + " key " + k.Key
}

// through lists the fields, a few of them.
func through(list []compare.Through) string {
	const most = 3
	var parts []string
	for i, t := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(list)-most))
			break
		}
		text := shortField(t)
		if t.Container != "" {
			text += " of container " + t.Container
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " and ")
}

// shortField is a field from its container on, or from the pod's spec on.
func shortField(t compare.Through) string {
	if i := strings.LastIndex(t.Field, "ontainers["); t.Container != "" && i >= 0 {
		_, rest, _ := strings.Cut(t.Field[i:], ".")
		return rest
	}
	if i := strings.LastIndex(t.Field, "spec.volumes["); i >= 0 {
		return t.Field[i+len("spec."):]
	}
	return t.Field
}

func fieldChange(f compare.Field) string {
	text := f.Path + " " + string(f.Change)
	if f.Old != "" && f.New != "" {
		text += " from " + f.Old + " to " + f.New
	}
	return text
}

// rolling says how many pods are replaced, and how.
func rolling(w *compare.Workload) string {
	parts := []string{podsText(w.Pods)}
	if w.Roll.How != "" {
		parts = append(parts, w.Roll.How)
	}
	text := strings.Join(parts, ", ")
	if w.Roll.Down {
		text += ": all pods go before new ones come"
	}
	return strings.Join(append([]string{text}, w.Roll.Notes...), "; ")
}

func podsText(p compare.Pods) string {
	switch {
	case p.Each:
		return "one pod on each node"
	case p.Unknown != "":
		return "pods: " + p.Unknown
	case p.AtLeast:
		return plural(p.Count, "pod") + " at least"
	}
	return plural(p.Count, "pod")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// parts of a summary, in its order.
var summaryParts = []struct {
	verdict compare.Verdict
	words   string
}{
	{compare.ByConfig, "by configuration"},
	{compare.ByTemplate, "by the template"},
	{compare.ByBoth, "by both"},
	{compare.First, "by a first stamp"},
	{compare.Stuck, "should restart but will not"},
	{compare.Stays, "touched, but not restarting"},
	{compare.Added, "new"},
	{compare.Removed, "removed"},
}

// total is who restarts, in a few words.
func total(d *compare.Diff) string {
	t := d.Totals()
	switch t.Restarts {
	case 0:
		return "nothing restarts"
	case 1:
		return "1 workload restarts (" + totalPods(t) + ")"
	}
	return plural(t.Restarts, "workload") + " restart (" + totalPods(t) + ")"
}

// summary is a diff in one line.
func summary(d *compare.Diff) string {
	t := d.Totals()
	if len(d.Workloads) == 0 {
		return fmt.Sprintf("nothing restarts: %s unchanged", plural(d.Unchanged, "workload"))
	}
	text := total(d)
	for _, part := range summaryParts {
		if n := t.ByVerdict[part.verdict]; n > 0 {
			text += fmt.Sprintf("; %d %s", n, part.words)
		}
	}
	return text + fmt.Sprintf("; %d unchanged", d.Unchanged)
}

func totalPods(t compare.Totals) string {
	var parts []string
	if t.Pods > 0 || t.EachNode+t.Unknown == 0 {
		text := plural(t.Pods, "pod")
		if t.AtLeast {
			text += " at least"
		}
		parts = append(parts, text)
	}
	if t.EachNode > 0 {
		parts = append(parts, fmt.Sprintf("%d on each node", t.EachNode))
	}
	if t.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s of unknown size", plural(t.Unknown, "workload")))
	}
	return strings.Join(parts, ", ")
}

// notes are what to know of a diff as a whole.
func notes(d *compare.Diff) (notes []string) {
	switch {
	case d.Twice && d.Differs():
		notes = append(notes, "Both are renders of the same commit: what differs is random, and differs again with each render.")
	case !d.Stamped[0] && !d.Stamped[1]:
		notes = append(notes, "Neither render carries stamps: this is what would happen with restamp. Without it, a change of configuration restarts nobody by itself.")
	case d.Stamped[0] && !d.Stamped[1]:
		notes = append(notes, "The new render carries no stamps: this is what would happen if it were stamped.")
	}
	if d.OtherKey {
		notes = append(notes, "Stamps of the old render are made with a key for Secret values that is not the one given here (--secret-key-file): they are left out of the comparison.")
	}
	return notes
}

// sourceChange is a source that changed, in words.
func sourceChange(s *compare.SourceChange) string {
	text := s.ID.String()
	switch s.Change {
	case compare.Changed: // its keys say so
	case compare.Moved:
		text = s.Was.String() + " is now " + text
	default:
		text += " " + string(s.Change)
	}
	if len(s.Keys) > 0 {
		var keys []string
		for _, k := range s.Keys {
			keys = append(keys, k.Key+" "+string(k.Change))
		}
		text += ": " + few(keys)
	}
	switch {
	case s.Users > 0:
		return text + "; used by " + plural(s.Users, "workload")
	case s.Change == compare.Went:
		return text
	}
	return text + "; nobody uses it"
}

// few lists some names.
func few(names []string) string {
	const most = 5
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// segment is a part of a sentence: words, or a name.
type segment struct {
	text string
	code bool
}

// word is what no reader of Markdown sees more in than a word: no markup, no
// link, no mention, no reference to an issue or a commit.
var word = regexp.MustCompile(`^([A-Za-z]+(['-][A-Za-z]+)*|[0-9]{1,6})$`)

// segments parts a sentence: whatever is more than a plain word, as most names
// are, is a name.
func segments(s string) (parts []segment) {
	plain := ""
	for i, token := range strings.Split(printable(s), " ") {
		if i > 0 {
			plain += " "
		}
		core := strings.TrimLeft(token, "(")
		plain += token[:len(token)-len(core)]
		end := core
		core = strings.TrimRight(core, ".,;:)")
		end = end[len(core):]
		if core != "" && !word.MatchString(core) {
			parts = append(parts, segment{plain, false}, segment{core, true})
			plain = end
		} else {
			plain += core + end
		}
	}
	if plain != "" {
		parts = append(parts, segment{plain, false})
	}
	return slices.DeleteFunc(parts, func(s segment) bool { return s.text == "" })
}

// cause is what led to a verdict in a few words, "" where nothing did.
func cause(w *compare.Workload) string {
	var sources []string
	keys := make(map[string][]string)
	for _, k := range w.Changes {
		if keys[k.Source] == nil {
			sources = append(sources, k.Source)
		}
		keys[k.Source] = append(keys[k.Source], k.Key)
	}
	var parts []string
	for _, r := range w.Renames {
		if keys[r.New] == nil {
			parts = append(parts, r.Old+" is now "+r.New)
		}
	}
	for _, s := range sources {
		parts = append(parts, strings.TrimSuffix(s+": "+few(keys[s]), ": "))
	}
	var fields []string
	for _, f := range w.Fields {
		_, below, found := strings.Cut(f.Path, "template.")
		if !found {
			below = f.Path
		}
		fields = append(fields, strings.TrimPrefix(below, "spec."))
	}
	if len(fields) > 0 {
		parts = append(parts, few(fields))
	}
	return strings.Join(parts, "; ")
}
