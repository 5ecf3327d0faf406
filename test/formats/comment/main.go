// Command comment turns a comment's Markdown on standard input into a page that
// looks about as GitHub shows it, for the pictures in docs.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

const head = `<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 16px; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, "Segoe UI", sans-serif; }
article { border: 1px solid #d1d9e0; border-radius: 6px; max-width: 900px; }
article > header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; border-radius: 6px 6px 0 0; }
article > div { padding: 4px 16px 12px; }
h3 { font-size: 1.25em; margin: 12px 0 8px; } p { margin: 0 0 10px; } ul { padding-left: 2em; margin: 0 0 12px; } li { margin-top: 3px; }
code { background: #818b981f; border-radius: 6px; padding: .15em .4em; font: 85% ui-monospace, Menlo, Consolas, monospace; }
blockquote { margin: 0 0 12px; padding: 0 1em; color: #59636e; border-left: .25em solid #d1d9e0; } details { margin: 4px 0; } summary { cursor: pointer; }
</style><article><header><b>restamp-bot</b> commented</header><div>`

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "comment:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(os.Stdout, head); err != nil {
		return err
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	return markdown.Convert(text, os.Stdout)
}
