package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
)

const (
	appsAtScale1     = 5000 // config-heavy
	appsPerNamespace = 20
	appsPerCRD       = 33

	realSize     = 250e6 // bytes of the real stream at scale 1
	realCRDShare = 0.91  // of the bytes of its stand-in
)

// A census counts the documents of a stream.
type census struct {
	ConfigMaps, Secrets, Workloads, Others, CRDs int
}

func (c census) String() string {
	return fmt.Sprintf("%d ConfigMaps, %d Secrets, %d workloads, %d other objects, %d CRDs",
		c.ConfigMaps, c.Secrets, c.Workloads, c.Others, c.CRDs)
}

// A generator makes manifests, always the same ones in the same order. It holds
// only what is not yet written, so that a stream may be of any size.
type generator struct {
	bytes.Buffer
	rand *rand.Rand
	made census
}

func newGenerator() *generator {
	return &generator{rand: rand.New(rand.NewPCG(1, 1))}
}

// configHeavy makes a stream in which most bytes are configuration.
func configHeavy(scale float64) writer {
	return func(w io.Writer) (string, error) {
		made, err := writeConfigHeavy(w, scale)
		return fmt.Sprint("Generated, scale ", scale, ": ", made), err
	}
}

func writeConfigHeavy(w io.Writer, scale float64) (census, error) {
	g := newGenerator()
	apps := max(1, int(math.Round(appsAtScale1*scale)))
	for i := range apps {
		g.app(i)
		if i%appsPerCRD == 0 {
			g.crd(10 << 10)
		}
		if _, err := g.WriteTo(w); err != nil {
			return g.made, err
		}
	}
	return g.made, nil
}

// crdHeavy makes a stream in the proportions of real ones: most bytes are CRDs.
func crdHeavy(size float64) writer {
	return func(w io.Writer) (string, error) {
		made, err := writeCRDHeavy(w, size)
		return fmt.Sprint("Generated stand-in, RESTAMP_CORPUS is not set: ", made), err
	}
}

func writeCRDHeavy(w io.Writer, size float64) (census, error) {
	g := newGenerator()
	var apps, crds float64
	for i := 0; apps+crds < size; i++ {
		g.app(i)
		apps += float64(g.Len())
		for crds < realCRDShare*(apps+crds) {
			before := g.Len()
			g.crd(g.between(20<<10, 400<<10))
			crds += float64(g.Len() - before)
		}
		if _, err := g.WriteTo(w); err != nil {
			return g.made, err
		}
	}
	return g.made, nil
}

// An app is what one chart renders: its objects refer to each other, and to the
// first ConfigMap of their namespace.
type app struct {
	generator *generator
	name      string
	namespace string
	shared    string
}

// app writes one application: 4 ConfigMaps, 1 Secret, 2 workloads, 6 others.
func (g *generator) app(i int) {
	a := app{
		generator: g,
		name:      appName(i),
		namespace: fmt.Sprintf("team-%d", i/appsPerNamespace),
		shared:    appName(i-i%appsPerNamespace) + "-0",
	}
	// Helm puts configuration first, other tools sort by other rules.
	if i%2 == 0 {
		a.configuration()
		a.others()
		a.workloads()
	} else {
		a.workloads()
		a.others()
		a.configuration()
	}
}

func appName(i int) string {
	return fmt.Sprintf("%s-%s-%d", words[i%len(words)], words[i*7%13], i)
}

// object writes a document: text with ${name}, ${namespace} and further fields,
// each given as a name and a value, filled in.
func (a app) object(text string, fields ...string) {
	values := map[string]string{"name": a.name, "namespace": a.namespace}
	for i := 0; i < len(fields); i += 2 {
		values[fields[i]] = fields[i+1]
	}
	g := a.generator
	g.WriteString("---\n")
	if g.chance(0.3) {
		fmt.Fprintf(g, "# Source: %s/templates/%s.yaml\n", a.name, g.word())
	}
	g.WriteString(os.Expand(text, func(field string) string { return values[field] }))
}

// chance is true with the given probability.
func (g *generator) chance(p float64) bool { return g.rand.Float64() < p }

func (g *generator) between(least, most int) int { return least + g.rand.IntN(most-least+1) }

func (g *generator) pick(from ...string) string { return from[g.rand.IntN(len(from))] }

func (g *generator) word() string { return words[g.rand.IntN(len(words))] }

// sentence is some words, with no mark that YAML would mistake for its own.
func (g *generator) sentence(least, most int) string {
	text := make([]string, g.between(least, most))
	for i := range text {
		text[i] = g.word()
	}
	text[0] = strings.ToUpper(text[0][:1]) + text[0][1:]
	return strings.Join(text, " ") + "."
}

// letters is a random string such as a password.
func (g *generator) letters(n int) string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[g.rand.IntN(len(alphabet))]
	}
	return string(text)
}

// indent moves every line that is not empty to the right.
func indent(text string, by int) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = strings.Repeat(" ", by) + line
		}
	}
	return strings.Join(lines, "")
}

var words = []string{
	"account", "address", "archive", "backend", "balance", "billing", "broker", "buffer", "cache", "catalog",
	"channel", "checkout", "cluster", "collector", "consumer", "context", "counter", "database", "delivery", "digest",
	"endpoint", "event", "exporter", "filter", "frontend", "gateway", "handler", "history", "identity", "index",
	"inventory", "journal", "ledger", "limit", "listener", "locale", "mailer", "message", "metric", "monitor",
	"notifier", "operator", "order", "parser", "partner", "payment", "policy", "pool", "product", "profile",
	"provider", "proxy", "queue", "quota", "record", "region", "registry", "replica", "request", "resolver",
	"response", "retry", "router", "scheduler", "schema", "search", "sender", "server", "session", "shipping",
	"signal", "snapshot", "source", "storage", "stream", "subscriber", "summary", "tenant", "ticket", "timer",
	"token", "topic", "tracker", "upload", "vault", "version", "volume", "warehouse", "watcher", "worker",
}
