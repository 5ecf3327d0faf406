// Package graph finds which workload uses which configuration, and hashes it.
//
// An object is one Kubernetes manifest. A source is an object that holds
// configuration: a ConfigMap, a Secret, or a producer, of which a controller
// makes one. A workload is an object with at least one pod template whose
// change starts new pods. A reference is a field of a pod template, or an
// annotation, that names a source and the keys that are used of it. A stamp is
// the hash of all that a pod template uses, written into the template.
//
// Read takes one document at a time, from several goroutines if need be; Build
// joins what was read and resolves each reference; the result says which stamp
// each pod template should have and what the user should know.
//
// The package does no I/O and asks for no time, no randomness and no
// environment: one input has one result, whatever the order of its documents.
package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/restamp/restamp/internal/kinds"
	"github.com/restamp/restamp/internal/naming"
)

// Annotation is the annotation of a pod template that takes the stamp.
const Annotation = Domain + "config-hash"

// Domain starts the name of every annotation that is ours.
const Domain = "restamp.dev/"

// Options change how references are resolved and hashed. The zero value is
// what a user gets who asks for nothing.
type Options struct {
	Namespace string // of objects that name none; default: they are in the unset namespace
	SecretKey []byte // keys the hashes of Secret values; default: they are plain SHA-256
	Strict    bool   // unresolved references are errors; default: warnings
	OptIn     bool   // only workloads that ask for it are stamped; default: all that roll
	Partial   bool   // the input may lack what workloads use: a stamp of which nothing is there stays

	SubPath          bool // of volumes only what a subPath mounts counts: the kubelet refreshes the rest; default: all of them
	ImagePullSecrets bool // follow spec.imagePullSecrets
	ServiceAccount   bool // follow spec.serviceAccountName

	Made map[ID]string // sources of which the name alone is known, and who makes them in the cluster

	Include []kinds.Class  // classes that are stamped without being asked; default: those that roll alone
	Ignore  []Target       // references that no workload follows
	Compat  []Tool         // other tools whose annotations count
	Tables  *kinds.Tables  // default: the built-in ones
	Naming  *naming.Naming // of the annotations that take stamps; default: one, named Annotation
}

func (o *Options) tables() *kinds.Tables {
	if o.Tables == nil {
		return kinds.Default
	}
	return o.Tables
}

// ID is an object's identity. Its version is not part of it.
type ID struct {
	Group, Kind, Namespace, Name string
}

// String names the object as "Kind/namespace/name", without the namespace
// where there is none, on one line whatever the names are.
func (id ID) String() string {
	name := id.Name
	if name == "" {
		name = "(no name)"
	}
	if id.Namespace == "" {
		return printable(id.Kind) + "/" + printable(name)
	}
	return printable(id.Kind) + "/" + printable(id.Namespace) + "/" + printable(name)
}

// label is the kind's name in a hash line: with its group, but for the two
// kinds that everybody means.
func (id ID) label() string {
	if id.Group == "" {
		return id.Kind
	}
	return id.Kind + "." + id.Group
}

func core(kind string) bool { return kind == kinds.ConfigMap || kind == kinds.Secret }

// OneLine shows a text from the input on one line, whatever is in it: characters
// that begin a line, turn it around, are not seen or are none at all become
// question marks. Behind so many bytes it is cut; 0 is for no limit.
func OneLine(s string, longest int) string {
	if longest > 0 && len(s) > longest {
		s = s[:longest] + "..."
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029,
			r == utf8.RuneError || r == 0xfffe || r == 0xffff,
			r > 0xa0 && unicode.Is(unicode.Cf, r):
			return '?'
		}
		return r
	}, s)
}

// printable is OneLine for a name.
func printable(s string) string {
	const longest = 253 // of the names that the API server takes
	return OneLine(s, longest)
}
