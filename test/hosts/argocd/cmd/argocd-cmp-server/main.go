// Command argocd-cmp-server is Argo CD's config-management server alone: the
// program that a plugin's sidecar runs.
package main

import (
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	if err := commands.NewCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
