package cli

import (
	"errors"
	"strings"

	"github.com/restamp/restamp/render"
)

// kustomizeHints are advice by what kustomize says.
var kustomizeHints = []struct{ says, hint string }{
	{
		"external plugins disabled",
		"--enable-alpha-plugins --enable-exec let functions run; restamp need not be one of them: what is rendered is stamped anyway",
	},
	{"must specify --enable-helm", "--enable-helm lets kustomizations render charts"},
}

// renderHint is advice for who renders a folder.
func renderHint(err error) string {
	var noHelm *render.NoHelmError
	var empty *render.EmptyFolderError
	var kustomize *render.KustomizeError
	switch {
	case errors.As(err, &noHelm):
		return "put helm on PATH, or name it with --helm-command"
	case errors.As(err, &empty) && empty.Below != "":
		return "the parameter recurse: \"true\" takes subfolders too"
	case errors.As(err, &empty):
		return "--allow-empty lets it pass"
	case errors.As(err, &kustomize):
		for _, h := range kustomizeHints {
			if strings.Contains(kustomize.Text, h.says) {
				return h.hint
			}
		}
	}
	return ""
}
