package graph

import "strings"

// waveWords are wave's words about a workload: those of its metadata, the only
// ones that wave reads.
type waveWords struct {
	in     *word // update-on-config-change: "true"
	not    *word // with another value, which wave takes for none
	extras []*word
}

func readWave(s *settings) (w waveWords) {
	for i := range s.words {
		switch said := &s.words[i]; {
		case said.tool != Wave:
		case said.role == selects && said.value == "true":
			w.in = said
		case said.role == selects:
			w.not = said
		case said.role == lists:
			w.extras = append(w.extras, said)
		}
	}
	return w
}

// says: wave counts all that a workload uses, if the workload asks for it.
func (w *waveWords) says() (verdict, *word) {
	if w.in == nil {
		return silent, nil
	}
	return counts, w.in
}

// declare appends the references of the extra lists, which wave reads of those
// alone who ask for it. What is not there is optional to wave.
func (w *waveWords) declare(refs []Reference, of *Workload) []Reference {
	if w.in == nil {
		return refs
	}
	for _, extra := range w.extras {
		for _, entry := range entries(extra.value) {
			namespace, name, problem := waveEntry(entry)
			if problem != "" {
				continue // tell says it
			}
			if namespace == of.ID.Namespace {
				namespace = ""
			}
			refs = append(refs, Reference{
				Kind: extra.kind, Namespace: namespace, Name: name, All: true, Optional: true,
				Field: extra.field, Place: extra.place,
			})
		}
	}
	return refs
}

// waveEntry splits an entry of an extra list: [namespace/]name.
func waveEntry(entry string) (namespace, name, problem string) {
	namespace, name, found := strings.Cut(entry, "/")
	if !found {
		namespace, name = "", namespace
	}
	if found && !ValidNamespace(namespace) || !validName(name) {
		return "", "", printable(entry) + " is not [namespace/]name"
	}
	return namespace, name, ""
}

// tell tells of what wave's words say and cannot mean.
func (w *waveWords) tell(add teller) {
	if w.not != nil {
		add(w.not, Warning, `wave takes "true" alone for yes, and any other value for nothing: the mode decides; `+enabledAnnotation+`: "false" switches off`)
	}
	for _, extra := range w.extras {
		if w.in == nil {
			add(extra, Warning, `wave reads this beside wave.pusher.com/update-on-config-change: "true" alone, so it does not count`)
			continue
		}
		for _, entry := range entries(extra.value) {
			if _, _, problem := waveEntry(entry); problem != "" {
				add(extra, Warning, problem+": it does not count")
			}
		}
	}
}
