package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Every ConfigMap has the keys LOG_LEVEL and app.conf and every Secret the key
// password, so that workloads can name them.

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-${number}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/managed-by: Helm
data:
`

const secret = `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${name}
type: Opaque
data:
`

// configuration writes the ConfigMaps, of 1 to 8 KB, and the Secret of an app.
func (a app) configuration() {
	g := a.generator
	for number := range 4 {
		start := g.Len()
		size := math.Pow(g.rand.Float64(), 4) // most are small
		end := start + 1050 + int(6000*size)
		a.object(configMap, "number", strconv.Itoa(number))
		g.settings()
		g.entry("app.conf", "|", nginx(g))
		for i := 0; g.Len() < end; i++ {
			g.file(i)
		}
		g.made.ConfigMaps++
	}
	a.object(secret)
	g.secretData()
	g.made.Secrets++
}

// settings are keys as for an environment.
func (g *generator) settings() {
	fmt.Fprintf(g, "  LOG_LEVEL: %s\n", g.pick("debug", "info", `"warn"`, "'error'"))
	for i := range g.between(0, 5) {
		key := fmt.Sprintf("%s_%d", strings.ToUpper(g.word()), i)
		switch g.between(0, 3) {
		case 0:
			fmt.Fprintf(g, "  %s: \"%d\"\n", key, g.between(1, 65535))
		case 1:
			fmt.Fprintf(g, "  %s: '%s'\n", key, g.pick("true", "false", "yes", "on", "012", ""))
		case 2:
			fmt.Fprintf(g, "  %s: https://%s.example.com:%d/%s\n", key, g.word(), g.between(1024, 9999), g.word())
		default:
			fmt.Fprintf(g, "  %s: %s # %s\n", key, g.word(), g.sentence(2, 5))
		}
	}
}

// contents are the kinds of file that a ConfigMap holds, and the styles of
// scalar that charts use for them.
var contents = []struct {
	extension string
	styles    []string
	lines     func(*generator) []string
}{
	{"conf", []string{"|", "|-"}, nginx},
	{"properties", []string{"|", "|-", `"`}, properties},
	{"json", []string{"|", "|-", `"`, "'"}, jsonText},
	{"sh", []string{"|", "|-"}, script},
	{"yaml", []string{"|", "|", `"`}, yamlInYAML},
	{"txt", []string{">", ">-", "|", "'"}, prose},
}

// file writes a key that is unlike the others by its number.
func (g *generator) file(number int) {
	c := contents[g.rand.IntN(len(contents))]
	key := fmt.Sprintf("%s-%d.%s", g.word(), number, c.extension)
	g.entry(key, g.pick(c.styles...), c.lines(g))
}

// entry writes a key and its value in a style: a block, or quotes on one line.
func (g *generator) entry(key, style string, lines []string) {
	switch style {
	case `"`:
		fmt.Fprintf(g, "  %s: %s\n", key, strconv.Quote(strings.Join(lines, "\n")+"\n"))
	case "'":
		text := strings.Join(lines, " ")
		fmt.Fprintf(g, "  %s: '%s'\n", key, strings.ReplaceAll(text, "'", "''"))
	default:
		fmt.Fprintf(g, "  %s: %s\n", key, style)
		g.WriteString(indent(strings.Join(lines, "\n")+"\n", 4))
	}
}

func nginx(g *generator) []string {
	lines := []string{"server {", fmt.Sprintf("  listen %d;", g.between(1024, 9999)), "  server_name _;"}
	for range g.between(1, 4) {
		lines = append(
			lines,
			fmt.Sprintf("  location /%s/ {", g.word()),
			fmt.Sprintf("    proxy_pass http://%s:%d;  # %s", g.word(), g.between(1024, 9999), g.word()),
			"    proxy_set_header Host $host;",
			"  }",
			"",
		)
	}
	return append(lines, "}")
}

func properties(g *generator) []string {
	lines := []string{"# " + g.sentence(3, 8)}
	for range g.between(4, 16) {
		lines = append(lines, fmt.Sprintf("%s.%s.%s=%d", g.word(), g.word(), g.word(), g.between(0, 100000)))
	}
	return lines
}

func jsonText(g *generator) []string {
	lines := []string{"{"}
	for i := range g.between(3, 9) {
		lines = append(lines, fmt.Sprintf(`  "%s-%d": {"title": "%s", "limit": %d, "tags": ["%s", "%s"]},`,
			g.word(), i, g.sentence(2, 6), g.between(0, 900), g.word(), g.word()))
	}
	return append(lines, fmt.Sprintf(`  "query": "sum(rate(%s_total{job=\"%s\"}[5m]))"`, g.word(), g.word()), "}")
}

func script(g *generator) []string {
	lines := []string{"#!/bin/sh", "set -eu", ""}
	for range g.between(3, 10) {
		lines = append(lines, g.pick(
			fmt.Sprintf("echo \"%s: $(date)\" >&2", g.sentence(2, 5)),
			fmt.Sprintf("if [ -f /var/lib/%s ]; then\n  rm -f '/var/lib/%s'\nfi", g.word(), g.word()),
			fmt.Sprintf("curl -fsS --retry %d http://%s/%s | grep -v '^#'", g.between(1, 9), g.word(), g.word()),
			fmt.Sprintf("export %s=${%s:-%s}", strings.ToUpper(g.word()), strings.ToUpper(g.word()), g.word()),
		))
	}
	return lines
}

// yamlInYAML holds lines that look like the start of a document or an object.
func yamlInYAML(g *generator) []string {
	var lines []string
	for range g.between(1, 3) {
		lines = append(
			lines,
			"---",
			"# "+g.sentence(3, 6),
			"apiVersion: v1",
			"kind: "+g.pick("ConfigMap", "Secret", "Pod"),
			"metadata:",
			"  name: "+g.word(),
			"data:",
			"  "+g.word()+": |",
			"    "+g.sentence(4, 12),
		)
	}
	return lines
}

func prose(g *generator) []string {
	var lines []string
	for range g.between(3, 9) {
		lines = append(lines, g.sentence(6, 14))
	}
	return append(lines, "", "It's the café's "+g.word()+" → "+g.sentence(3, 9))
}

// secretData writes a few passwords and a certificate, and for some Secrets a
// stringData as well.
func (g *generator) secretData() {
	encode := base64.StdEncoding.EncodeToString
	fmt.Fprintf(g, "  username: %s\n", encode([]byte(g.word())))
	fmt.Fprintf(g, "  password: %s\n", encode([]byte(g.letters(g.between(8, 40)))))
	if g.chance(0.6) {
		pem := "-----BEGIN CERTIFICATE-----\n" + g.letters(g.between(700, 1600)) + "\n-----END CERTIFICATE-----\n"
		fmt.Fprintf(g, "  ca.crt: %s\n", encode([]byte(pem)))
	}
	for i := range g.between(0, 3) {
		fmt.Fprintf(g, "  %s-%d: \"%s\"\n", g.word(), i, encode([]byte(g.letters(24))))
	}
	if g.chance(0.25) {
		fmt.Fprintf(g, "stringData:\n  url: postgres://%s:%s@%s:5432/%s\n", g.word(), g.letters(12), g.word(), g.word())
		g.entry("settings.properties", "|", properties(g))
	}
}
