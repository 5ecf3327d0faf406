package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restamp/restamp/internal/picture"
	"github.com/restamp/restamp/render"
)

var update = flag.Bool("update", false, "write the golden files anew")

func pictureOf(t *testing.T, stream string) *picture.Picture {
	t.Helper()
	run, err := render.Stamp([]render.Source{render.Stream("shop.yaml", strings.NewReader(stream))}, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return picture.Of(run)
}

func written(t *testing.T, p *picture.Picture, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if os.Getenv("CI") == "true" {
			t.Fatal("golden files are not to be written by CI")
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, path), got); diff != "" {
		t.Errorf("%s mismatch (-want +got):\n%s", path, diff)
	}
}

// TestFormats writes one picture in each format, and what restarts when one of
// its sources changes.
func TestFormats(t *testing.T) {
	p := pictureOf(t, read(t, "testdata/shop.yaml"))
	from, err := p.Select(picture.Selection{From: []string{"ConfigMap/shop-settings:LOG_LEVEL"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats() {
		golden(t, filepath.Join("testdata", "shop."+format), withoutCode(written(t, p, format)))
		golden(t, filepath.Join("testdata", "from."+format), withoutCode(written(t, from, format)))
	}
}

var code = regexp.MustCompile(`(?s)(<style>|<script>|sha256-).*?(</style>|</script>|')`)

// withoutCode leaves a page's style and script out, which are files of their
// own.
func withoutCode(text string) string { return code.ReplaceAllString(text, "$1...$2") }

// TestDocsPicture: the picture in the documentation is that of its example.
func TestDocsPicture(t *testing.T) {
	block := regexp.MustCompile("(?s)```yaml\n# rendered/shop.yaml\n(.*?)```").FindStringSubmatch(read(t, "../../docs/graph.md"))
	if block == nil {
		t.Fatal("docs/graph.md has no rendered/shop.yaml")
	}
	golden(t, "../../docs/graph.svg", written(t, pictureOf(t, block[1]), "svg"))
}

// TestOddNames: no name is markup, in any format.
func TestOddNames(t *testing.T) {
	p := pictureOf(t, read(t, "testdata/odd.yaml"))
	for _, format := range Formats() {
		text := written(t, p, format)
		if format != "json" && strings.ContainsAny(text, "\u202e\r") {
			t.Errorf("%s has a character that turns or ends lines", format)
		}
		golden(t, filepath.Join("testdata", "odd."+format), withoutCode(text))
	}
	elements := map[string]bool{"svg": true, "title": true, "style": true, "rect": true, "g": true, "text": true, "path": true}
	decoder := xml.NewDecoder(strings.NewReader(written(t, p, "svg")))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && !elements[start.Name.Local] {
			t.Errorf("the svg has an element %s", start.Name.Local)
		}
	}
	if page := written(t, p, "html"); strings.Contains(page, "<img") || strings.Contains(page, `onfocus="`) || strings.Contains(page, `href="javascript`) {
		t.Error("the page has markup of a name")
	}
	// Outside of quotes a graph's description has nothing but its own words.
	plain := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	for _, format := range []string{"dot", "mermaid"} {
		if bare := plain.ReplaceAllString(written(t, p, format), ""); strings.Contains(bare, "alert") || strings.Contains(bare, "b ->") {
			t.Errorf("a name in the %s is no string:\n%s", format, bare)
		}
	}
}

// TestSecrets: no value is in any format.
func TestSecrets(t *testing.T) {
	p := pictureOf(t, `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter2, other: aHVudGVyMg==}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {key: hunter2}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c, envFrom: [{secretRef: {name: s}}, {configMapRef: {name: c}}]}]}}}}
`)
	for _, format := range Formats() {
		text := written(t, p, format)
		if strings.Contains(text, "hunter2") || strings.Contains(text, "aHVudGVyMg") {
			t.Errorf("%s shows a value", format)
		}
		if format == "html" && !strings.Contains(text, "password") {
			t.Error("the page lacks a key")
		}
	}
}

// TestOrder: the order of documents decides nothing.
func TestOrder(t *testing.T) {
	docs := strings.Split(strings.TrimSuffix(bigStream(60), "\n---\n"), "\n---\n")
	back := make([]string, len(docs))
	for i, doc := range docs {
		back[len(docs)-1-i] = doc
	}
	p, q := pictureOf(t, strings.Join(docs, "\n---\n")), pictureOf(t, strings.Join(back, "\n---\n"))
	for _, format := range []string{"table", "tree", "dot", "mermaid", "svg"} {
		if diff := cmp.Diff(written(t, p, format), written(t, q, format)); diff != "" {
			t.Errorf("%s mismatch (-want +got):\n%s", format, diff)
		}
	}
}

// TestBigPicture: 500 workloads are all there, boxes do not overlap, few edges
// cross, and what everybody uses is said once.
func TestBigPicture(t *testing.T) {
	p := pictureOf(t, bigStream(500))
	c := newChart(p)
	told, crossings, edges := 0, 0, 0
	for _, b := range c.bands {
		if len(b.common) != 1 || !strings.Contains(b.common[0], "ConfigMap/platform (envFrom all keys)") {
			t.Errorf("namespace %s has in common: %v", b.namespace, b.common)
		}
		for _, k := range b.cards {
			crossings += k.crossings()
			for _, column := range k.columns {
				for i, x := range column {
					told += len(x.workloads)
					edges += len(x.rows)
					if x.x+x.w > k.w || x.y+x.h > k.h || i > 0 && x.y < column[i-1].y+column[i-1].h {
						t.Errorf("%s of %s overlaps, or is not on its card", x.title, k.title)
					}
				}
			}
		}
	}
	if told != 500 {
		t.Errorf("the picture has %d workloads", told)
	}
	if crossings > 3*edges {
		t.Errorf("%d edges cross %d times", edges, crossings)
	}
	size := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`).FindStringSubmatch(written(t, p, "svg"))
	var w, h int
	if _, err := fmt.Sscan(size[1]+" "+size[2], &w, &h); err != nil || w > 10000 || h > 10000 {
		t.Errorf("the picture is %d by %d (%v)", w, h, err)
	}
	page := written(t, p, "html")
	if strings.Contains(page, `class="scroll drawing"`) {
		t.Error("the page draws everything at once")
	}
	if n := strings.Count(page, "data-item "); n != len(p.Sources)+500 {
		t.Errorf("the page has %d items", n)
	}
}

// TestCrossings: a card whose columns come in opposite orders is put in order.
func TestCrossings(t *testing.T) {
	var b strings.Builder
	const n = 9
	for i := range n {
		fmt.Fprintf(&b, "{apiVersion: v1, kind: ConfigMap, metadata: {name: c%d}, data: {a: b}}\n---\n", i)
		fmt.Fprintf(&b, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d%d}, spec: {template: {spec: {containers: [{name: c, envFrom: [{configMapRef: {name: c%d}}]}]}}}}\n---\n", i, n-1-i)
	}
	for _, k := range newChart(pictureOf(t, b.String())).cards {
		if crossings := k.crossings(); crossings > 0 {
			t.Errorf("%d crossings", crossings)
		}
	}
}
