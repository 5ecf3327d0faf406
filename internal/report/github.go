package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/restamp/restamp/graph"
)

// What a value of a workflow command must not hold, and what the runner reads
// as it (ActionCommand.cs of actions/runner). A property ends where data does
// not.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubCommands are the commands that annotate a file.
var githubCommands = [...]string{graph.Info: "notice", graph.Warning: "warning", graph.Error: "error"}

// asGitHub writes a workflow command per finding, which GitHub Actions shows
// beside the line that it is about.
func asGitHub(w io.Writer, o outcome, opts Options) error {
	var b strings.Builder
	for _, f := range o.faults {
		f.Message = printable(f.Message)
		githubCommand(&b, graph.Error, f, "restamp")
	}
	for _, f := range o.findings {
		if f.Severity < opts.Least {
			continue
		}
		text := sentence(f) + "\n"
		if f.Hint != "" {
			text += f.Hint + "\n"
		}
		githubCommand(&b, f.Severity, Fault{f.Place.File(), f.Place.Line(), text + help(f.Code)}, string(f.Code))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func githubCommand(b *strings.Builder, severity graph.Severity, f Fault, title string) {
	b.WriteString("::" + githubCommands[severity] + " ")
	if f.File != "" && f.File != StandardInput {
		b.WriteString("file=" + githubProperty.Replace(filepath.ToSlash(f.File)) + ",")
		if f.Line > 0 {
			fmt.Fprintf(b, "line=%d,", f.Line)
		}
	}
	b.WriteString("title=" + githubProperty.Replace(title) + "::" + githubData.Replace(f.Message) + "\n")
}
