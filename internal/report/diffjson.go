package report

import (
	"io"

	"github.com/restamp/restamp/internal/compare"
)

// jsonDiff is the document of a diff. Fields may be added; none is renamed or
// taken away within a version.
type jsonDiff struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Summary    jsonSummary    `json:"summary"`
	Workloads  []jsonWorkload `json:"workloads"`
	Sources    []jsonSource   `json:"sources"`
	Notes      []string       `json:"notes,omitempty"`
}

type jsonSummary struct {
	Text      string                  `json:"text"`
	Restarts  int                     `json:"restarts"`
	Pods      int                     `json:"pods"`
	AtLeast   bool                    `json:"atLeast,omitempty"` // some are scaled: there are so many pods or more
	EachNode  int                     `json:"eachNode"`
	Unknown   int                     `json:"unknownSize"`
	Unchanged int                     `json:"unchanged"`
	Verdicts  map[compare.Verdict]int `json:"verdicts"`
	Stamped   jsonStamped             `json:"stamped"`
}

type jsonStamped struct {
	Old bool `json:"old"`
	New bool `json:"new"`
}

type jsonWorkload struct {
	Object   jsonObject      `json:"object"`
	Template string          `json:"template,omitempty"`
	File     string          `json:"file,omitempty"`
	Line     int             `json:"line,omitempty"`
	Class    string          `json:"class"`
	Verdict  compare.Verdict `json:"verdict"`
	Why      string          `json:"why,omitempty"`
	Mend     string          `json:"mend,omitempty"`
	Changes  []jsonKey       `json:"changes,omitempty"`
	Renames  []jsonRename    `json:"renames,omitempty"`
	Fields   []jsonField     `json:"fields,omitempty"`
	Others   []string        `json:"otherFields,omitempty"`
	Noise    []string        `json:"noise,omitempty"`
	Pods     jsonPods        `json:"pods"`
	Roll     jsonRoll        `json:"roll"`
}

type jsonKey struct {
	Source  string         `json:"source"`
	Key     string         `json:"key"`
	Change  compare.Change `json:"change"`
	Secret  bool           `json:"secret,omitempty"`
	Note    string         `json:"note,omitempty"`
	Through []jsonThrough  `json:"through,omitempty"`
	Old     *string        `json:"old,omitempty"`
	New     *string        `json:"new,omitempty"`
}

type jsonThrough struct {
	Field     string `json:"field"`
	Container string `json:"container,omitempty"`
}

type jsonRename struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// jsonField has the values of images alone.
type jsonField struct {
	Path   string         `json:"path"`
	Change compare.Change `json:"change"`
	Old    string         `json:"old,omitempty"`
	New    string         `json:"new,omitempty"`
}

type jsonPods struct {
	Count    int    `json:"count"`
	EachNode bool   `json:"eachNode,omitempty"`
	AtLeast  bool   `json:"atLeast,omitempty"`
	Unknown  string `json:"unknown,omitempty"`
}

type jsonRoll struct {
	How      string   `json:"how,omitempty"`
	Downtime bool     `json:"downtime,omitempty"`
	Stall    string   `json:"stall,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

type jsonSource struct {
	Object jsonObject     `json:"object"`
	Change compare.Change `json:"change"`
	Was    *jsonObject    `json:"was,omitempty"`
	Keys   []jsonKey      `json:"keys,omitempty"`
	Users  int            `json:"users"`
}

func diffJSON(w io.Writer, d *compare.Diff, _ DiffOptions) error {
	t := d.Totals()
	doc := jsonDiff{
		APIVersion: "restamp.dev/v1alpha1", Kind: "Diff", Workloads: []jsonWorkload{}, Sources: []jsonSource{}, Notes: notes(d),
		Summary: jsonSummary{
			Text: summary(d), Restarts: t.Restarts, Pods: t.Pods, AtLeast: t.AtLeast, EachNode: t.EachNode, Unknown: t.Unknown, Unchanged: d.Unchanged,
			Verdicts: t.ByVerdict, Stamped: jsonStamped{d.Stamped[0], d.Stamped[1]},
		},
	}
	for i := range d.Workloads {
		doc.Workloads = append(doc.Workloads, toJSONWorkload(&d.Workloads[i]))
	}
	for _, s := range d.Sources {
		doc.Sources = append(doc.Sources, toJSONSource(s))
	}
	return writeJSON(w, doc)
}

func toJSONWorkload(w *compare.Workload) jsonWorkload {
	j := jsonWorkload{
		Object: jsonObject(w.ID), Template: w.Template, File: w.Place.File(), Line: w.Place.Line(), Class: w.Class,
		Verdict: w.Verdict, Why: w.Why, Mend: w.Mend, Changes: toJSONKeys(w.Changes), Noise: w.Noise,
		Pods: jsonPods{w.Pods.Count, w.Pods.Each, w.Pods.AtLeast, w.Pods.Unknown},
		Roll: jsonRoll{w.Roll.How, w.Roll.Down, w.Roll.Stall, w.Roll.Notes},
	}
	for _, r := range w.Renames {
		j.Renames = append(j.Renames, jsonRename(r))
	}
	for _, f := range w.Fields {
		j.Fields = append(j.Fields, jsonField{f.Path, f.Change, f.Old, f.New})
	}
	for _, f := range w.Others {
		j.Others = append(j.Others, f.Path)
	}
	return j
}

func toJSONSource(s compare.SourceChange) jsonSource {
	j := jsonSource{Object: jsonObject(s.ID), Change: s.Change, Keys: toJSONKeys(s.Keys), Users: s.Users}
	if s.Change == compare.Moved {
		was := jsonObject(s.Was)
		j.Was = &was
	}
	return j
}

func toJSONKeys(keys []compare.KeyChange) (list []jsonKey) {
	for _, k := range keys {
		j := jsonKey{Source: k.Source, Key: k.Key, Change: k.Change, Secret: k.Secret, Note: k.Note, Old: k.Old, New: k.New}
		for _, t := range k.Through {
			j.Through = append(j.Through, jsonThrough(t))
		}
		list = append(list, j)
	}
	return list
}
