package report

import (
	"encoding/hex"
	"io"

	"github.com/restamp/restamp/graph"
)

// jsonExplanations is the document of explanations;
// docs/schemas/explanation.v1alpha1.json describes it. Fields may be added;
// none is renamed or taken away within a version.
type jsonExplanations struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Templates  []jsonExplanation `json:"templates"`
}

type jsonExplanation struct {
	Object       jsonObject      `json:"object"`
	Template     string          `json:"template"`
	File         string          `json:"file,omitempty"`
	Line         int             `json:"line,omitempty"`
	Class        string          `json:"class"`
	Meaning      string          `json:"meaning"`
	Restarts     bool            `json:"restarts"`
	Why          string          `json:"why,omitempty"`
	Pods         jsonPods        `json:"pods"`
	Roll         string          `json:"roll,omitempty"`
	Stamps       []jsonStamp     `json:"stamps"`
	Settings     []jsonSetting   `json:"settings"`
	References   []jsonReference `json:"references"`
	Lines        []jsonLine      `json:"lines"`
	Findings     []jsonFinding   `json:"findings"`
	RestartsWhen []string        `json:"restartsWhen"`
	StaysWhen    []string        `json:"staysWhen"`
}

type jsonStamp struct {
	Annotation string `json:"annotation"`
	Value      string `json:"value,omitempty"`
	Carried    string `json:"carried,omitempty"`
}

type jsonSetting struct {
	Annotation string     `json:"annotation"`
	Value      string     `json:"value"`
	On         jsonObject `json:"on"`
	Field      string     `json:"field"`
	Line       int        `json:"line,omitempty"`
	Counts     bool       `json:"counts"`
	Effect     string     `json:"effect"`
}

type jsonReference struct {
	To        jsonObject     `json:"to"`
	How       graph.How      `json:"how"`
	State     string         `json:"state"`
	Sources   []jsonSourceAt `json:"sources,omitempty"`
	Container string         `json:"container,omitempty"`
	Field     string         `json:"field"`
	Line      int            `json:"line,omitempty"`
	Optional  bool           `json:"optional,omitempty"`
	AllKeys   bool           `json:"allKeys,omitempty"`
	Keys      []string       `json:"keys,omitempty"`
	Counts    []string       `json:"counts"`
	Lacks     []string       `json:"lacks,omitempty"`
	Left      []string       `json:"leftOut,omitempty"`
}

type jsonSourceAt struct {
	Object jsonObject `json:"object"`
	File   string     `json:"file,omitempty"`
	Line   int        `json:"line,omitempty"`
	Counts bool       `json:"counts"`
}

type jsonLine struct {
	Label      string `json:"label"`
	Sum        string `json:"sum,omitempty"`
	Secret     bool   `json:"secret,omitempty"`
	Annotation string `json:"annotation"`
}

func explainJSON(w io.Writer, all []Explanation) error {
	doc := jsonExplanations{APIVersion: "restamp.dev/v1alpha1", Kind: "Explanation", Templates: []jsonExplanation{}}
	for i := range all {
		doc.Templates = append(doc.Templates, toJSONExplanation(&all[i]))
	}
	return writeJSON(w, doc)
}

func toJSONExplanation(e *Explanation) jsonExplanation {
	j := jsonExplanation{
		Object: jsonObject(e.Workload.ID), Template: e.Template.Path, File: e.Workload.Place.File(), Line: e.Template.Place.Line(),
		Class: e.Class().String(), Meaning: meanings[e.Class()], Why: e.Stays(), Roll: e.Roll.How,
		Pods:   jsonPods{e.Pods.Count, e.Pods.Each, e.Pods.AtLeast, e.Pods.Unknown},
		Stamps: []jsonStamp{}, Settings: []jsonSetting{}, References: []jsonReference{}, Lines: []jsonLine{}, Findings: []jsonFinding{},
		RestartsWhen: append([]string{}, e.RestartsWhen()...), StaysWhen: e.StaysWhen(),
	}
	j.Restarts = j.Why == "" && len(j.RestartsWhen) > 0
	for _, s := range e.stamps() {
		if s.Annotation != "" {
			j.Stamps = append(j.Stamps, jsonStamp{s.Annotation, s.Value, s.Carried})
		}
	}
	for _, s := range e.Settings {
		j.Settings = append(j.Settings, jsonSetting{s.Annotation, s.Value, jsonObject(s.On), s.Field, s.Place.Line(), s.Counts, s.Effect})
	}
	for i := range e.Uses {
		j.References = append(j.References, toJSONReference(&e.Uses[i]))
	}
	for i := range e.Findings {
		j.Findings = append(j.Findings, toJSONFinding(&e.Findings[i]))
	}
	for _, l := range e.Lines {
		line := jsonLine{Label: l.Label(), Secret: l.Secret, Annotation: l.Annotation}
		if !l.Secret {
			line.Sum = hex.EncodeToString(l.Sum[:])
		}
		j.Lines = append(j.Lines, line)
	}
	return j
}

func toJSONReference(u *graph.Use) jsonReference {
	j := jsonReference{
		To: jsonObject{u.Group, u.Kind, u.Namespace, u.Name}, How: u.How(), State: u.State.String(), Container: u.Container,
		Field: u.Field, Line: u.Place.Line(), Optional: u.Optional, AllKeys: u.All, Keys: u.Keys,
		Counts: append([]string{}, usedOf(u)...), Lacks: u.Lacks, Left: leftOutOf(u),
	}
	for _, s := range u.Found {
		j.Sources = append(j.Sources, jsonSourceAt{jsonObject(s.ID), s.Place.File(), s.Place.Line(), len(u.Sources) > 0})
	}
	return j
}
