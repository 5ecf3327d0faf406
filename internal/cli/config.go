package cli

import (
	"bytes"
	"errors"
	"os"

	"github.com/restamp/restamp/internal/config"
	"github.com/restamp/restamp/internal/manifest/tree"
)

// readConfig reads a file with a configuration.
func readConfig(path string) (*config.Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("reading the configuration: %w", err)
	}
	line := 1
	t, err := new(tree.Parser).Parse(text)
	var syntax *tree.SyntaxError
	if errors.As(err, &syntax) {
		return nil, usage("reading the configuration %s:%d: %s", path, syntax.Line, syntax.Problem)
	}
	c, err := config.Read(t.Root())
	var fault *config.Error
	if errors.As(err, &fault) {
		line += bytes.Count(text[:fault.Offset], []byte("\n"))
	}
	if err != nil {
		return nil, usage("reading the configuration %s:%d: %w", path, line, err)
	}
	return c, nil
}
