package page

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// TestPolicy: the policy allows what stands in the page, and nothing else.
func TestPolicy(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, Page{Title: "<a&b>", Style: "a{}", Script: "let a;", Main: "<p>x</p>"}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, tag := range []string{"style", "script"} {
		content := regexp.MustCompile("(?s)<"+tag+">(.*?)</"+tag+">").FindAllStringSubmatch(text, -1)
		if len(content) != 1 {
			t.Fatalf("the page has %d elements %s", len(content), tag)
		}
		sum := sha256.Sum256([]byte(content[0][1]))
		if want := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(text, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	for _, want := range []string{"default-src 'none'", "<title>&lt;a&amp;b&gt;</title>", "<p>x</p>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if found := regexp.MustCompile(`(?i)https?://|@import|url\(`).FindString(text); found != "" {
		t.Errorf("the page has %s", found)
	}
}

func TestCodeThatEndsThePage(t *testing.T) {
	if err := Write(new(strings.Builder), Page{Script: "'</script>'"}); err == nil {
		t.Error("no error")
	}
}

// TestToolbar: labels and values are text.
func TestToolbar(t *testing.T) {
	html, err := HTML(New("x", `{{define "main"}}{{template "toolbar" .}}{{end}}`), "main", Toolbar{
		Search: "Find", Items: "things",
		Filters: []Filter{{Name: "ns", Label: "Namespace", All: "every one", Options: []Option{{`"><b>`, "<b>"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(html), "<b>") || !strings.Contains(string(html), `data-filter="ns"`) {
		t.Errorf("got %s", html)
	}
}
