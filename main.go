// Restamp writes a hash of the configuration that a workload uses into its pod
// template, so that pods restart when, and only when, that configuration
// changes. See README.md.
package main

import (
	"os"

	"github.com/restamp/restamp/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
