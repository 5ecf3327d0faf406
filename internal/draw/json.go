package draw

import (
	"encoding/json"
	"io"

	"github.com/restamp/restamp/graph"
	"github.com/restamp/restamp/internal/compare"
	"github.com/restamp/restamp/internal/picture"
)

// jsonGraph is the document of a picture; docs/schemas/graph.v1alpha1.json
// describes it. Fields may be added; none is renamed or taken away within a
// version.
type jsonGraph struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Summary    jsonSummary    `json:"summary"`
	Sources    []jsonSource   `json:"sources"`
	Workloads  []jsonWorkload `json:"workloads"`
	Uses       []jsonUse      `json:"uses"`
}

type jsonSummary struct {
	Text string   `json:"text"`
	From []string `json:"from,omitempty"`
}

type jsonObject struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

type jsonSource struct {
	ID       string        `json:"id"`
	Object   jsonObject    `json:"object"`
	State    picture.State `json:"state"`
	File     string        `json:"file,omitempty"`
	Line     int           `json:"line,omitempty"`
	Keys     []string      `json:"keys,omitempty"`
	Producer bool          `json:"producer,omitempty"`
	Makes    []string      `json:"makes,omitempty"`
	Ignored  bool          `json:"ignored,omitempty"`
	Unused   bool          `json:"unused,omitempty"`
	App      string        `json:"application,omitempty"`
}

type jsonWorkload struct {
	ID       string     `json:"id"`
	Object   jsonObject `json:"object"`
	Template string     `json:"template,omitempty"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Class    string     `json:"class"`
	Restarts bool       `json:"restarts"`
	Why      string     `json:"why,omitempty"`
	Pods     jsonPods   `json:"pods"`
	App      string     `json:"application,omitempty"`
}

type jsonPods struct {
	Count    int    `json:"count"`
	EachNode bool   `json:"eachNode,omitempty"`
	AtLeast  bool   `json:"atLeast,omitempty"`
	Unknown  string `json:"unknown,omitempty"`
}

type jsonUse struct {
	Source    string    `json:"source"`
	Workload  string    `json:"workload"`
	How       graph.How `json:"how"`
	State     string    `json:"state"`
	Container string    `json:"container,omitempty"`
	Field     string    `json:"field"`
	Line      int       `json:"line,omitempty"`
	AllKeys   bool      `json:"allKeys,omitempty"`
	Keys      []string  `json:"keys,omitempty"`
	Counts    []string  `json:"counts"`
	Lacks     []string  `json:"lacks,omitempty"`
	Left      []string  `json:"leftOut,omitempty"`
	Restarts  bool      `json:"restarts"`
	Why       string    `json:"why,omitempty"`
}

func asJSON(w io.Writer, p *picture.Picture) error {
	doc := jsonGraph{
		APIVersion: "restamp.dev/v1alpha1", Kind: "Graph", Summary: jsonSummary{Summary(p), p.From},
		Sources: []jsonSource{}, Workloads: []jsonWorkload{}, Uses: []jsonUse{},
	}
	for _, s := range p.Sources {
		j := jsonSource{
			ID: s.Name, Object: jsonObject(s.ID), State: s.State, File: s.Place.File(), Line: s.Place.Line(), Keys: s.Keys,
			Producer: s.Producer, Ignored: s.Ignored, Unused: s.Unused(), App: s.App,
		}
		for _, made := range s.Makes {
			j.Makes = append(j.Makes, made.Name)
		}
		doc.Sources = append(doc.Sources, j)
	}
	for _, w := range p.Workloads {
		doc.Workloads = append(doc.Workloads, jsonWorkload{
			ID: w.Name, Object: jsonObject(w.ID), Template: w.Template, File: w.Place.File(), Line: w.Place.Line(),
			Class: w.Class, Restarts: w.Restarts, Why: w.Why, Pods: toJSONPods(w.Pods), App: w.App,
		})
	}
	for _, u := range p.Uses {
		j := jsonUse{
			Source: u.Source.Name, Workload: u.Workload.Name, How: u.How, State: u.State.String(), Container: u.Container,
			Field: u.Field, Line: u.Line, AllKeys: u.All, Keys: u.Keys, Counts: append([]string{}, u.Counts...), Lacks: u.Lacks, Left: u.Left,
		}
		j.Restarts, j.Why = u.Restarts()
		doc.Uses = append(doc.Uses, j)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(doc)
}

func toJSONPods(p compare.Pods) jsonPods { return jsonPods{p.Count, p.Each, p.AtLeast, p.Unknown} }
