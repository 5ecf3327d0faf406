package cli

import (
	"errors"
	"strings"

	"github.com/restamp/restamp/render"
)

// hint is advice by what a renderer says.
type hint struct{ says, hint string }

// templateHints are for Go templates and for KUDO packages.
var templateHints = []hint{
	{".Pipes.", "pipes are there in the plan that makes them alone: --plan names plans"},
	{".Params.", "templates see the parameters of their own package's params.yaml"},
	{"has no such parameter", "a parameter is one of the package's params.yaml"},
	{"and has no value", "-p NAME=VALUE gives one, and -P a file of them"},
	{"map has no entry for key", "put it into values.yaml, or give it with -f or --set; hasKey, get and dig look for what may be missing"},
}

var kustomizeHints = []hint{
	{
		"external plugins disabled",
		"--enable-alpha-plugins --enable-exec let functions run; restamp need not be one of them: what is rendered is stamped anyway",
	},
	{"must specify --enable-helm", "--enable-helm lets kustomizations render charts"},
}

var helmHints = []hint{
	{"missing in charts/", "without --remote=false they are fetched"},
	{"is incompatible with Kubernetes", "--kube-version names the version of the cluster"},
}

// renderHint is advice for who renders a folder.
func renderHint(err error) string {
	var noHelm *render.NoHelmError
	var empty *render.EmptyFolderError
	var kustomize *render.KustomizeError
	var helm *render.HelmError
	var template *render.TemplateError
	var remote *render.RemoteError
	switch {
	case errors.As(err, &noHelm):
		return "put helm on PATH, or name it with --helm-command"
	case errors.As(err, &empty) && empty.Below != "":
		return "the parameter recurse: \"true\" takes subfolders too"
	case errors.As(err, &empty), errors.Is(err, errNothing):
		return "--allow-empty lets it pass"
	case errors.As(err, &kustomize):
		return hintFor(kustomize.Text, kustomizeHints)
	case errors.As(err, &helm):
		return hintFor(helm.Text, helmHints)
	case errors.As(err, &remote):
		return "without --remote=false it is fetched"
	case errors.As(err, &template):
		return hintFor(template.Text, templateHints)
	}
	return ""
}

func hintFor(text string, hints []hint) string {
	for _, h := range hints {
		if strings.Contains(text, h.says) {
			return h.hint
		}
	}
	return ""
}
