package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/restamp/restamp/"

// imports is the table of who may import whom within the module: the command
// line everything, the rest only what is below it.
var imports = map[string][]string{
	".":                      {"internal/cli"},
	"internal/cli":           {"fn", "graph", "internal/compare", "internal/config", "internal/draw", "internal/manifest", "internal/manifest/tree", "internal/picture", "internal/report", "render"},
	"fn":                     {"graph", "internal/config", "internal/manifest", "internal/manifest/tree", "render"},
	"internal/config":        {"graph", "internal/kinds", "internal/manifest/tree", "internal/naming"},
	"internal/report":        {"graph", "internal/compare", "internal/kinds", "internal/page"},
	"internal/draw":          {"graph", "internal/compare", "internal/page", "internal/picture"},
	"internal/picture":       {"graph", "internal/compare", "internal/kinds", "render"},
	"internal/compare":       {"graph", "internal/kinds", "internal/manifest", "internal/manifest/tree", "render"},
	"render":                 {"graph", "internal/kudo", "internal/manifest", "internal/manifest/tree", "internal/templates", "internal/values"},
	"graph":                  {"internal/kinds", "internal/manifest", "internal/manifest/tree", "internal/naming"},
	"internal/naming":        {"internal/funcs"},
	"internal/kudo":          {"internal/funcs", "internal/manifest", "internal/manifest/tree", "internal/templates"},
	"internal/funcs":         {},
	"internal/values":        {},
	"internal/templates":     {"internal/funcs", "internal/values"},
	"internal/manifest":      {"internal/manifest/tree"},
	"internal/manifest/tree": {},
	"internal/kinds":         {},
	"internal/page":          {},
}

// outside are the packages of the standard library that reach out of the
// process, and who may use them.
var outside = map[string][]string{
	"os":            {".", "internal/cli", "render"},
	"os/exec":       {"render"},
	"net":           {},
	"net/http":      {},
	"time":          {"internal/cli", "render"}, // in render for how long a child may take to end
	"math/rand":     {},
	"math/rand/v2":  {},
	"crypto/rand":   {},
	"syscall":       {"internal/cli", "render"},
	"runtime/debug": {"internal/cli"},
}

// TestImports holds the packages to the tables. It reads the sources itself:
// the go command would not run it again when a package is added.
func TestImports(t *testing.T) {
	seen := make(map[string]bool)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || nested(path)):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		seen[pkg] = true
		checkImports(t, pkg, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range imports {
		if !seen[pkg] {
			t.Errorf("the table has %s, the module has not", pkg)
		}
	}
}

// nested reports whether a folder is a module of its own.
func nested(path string) bool {
	found, err := filepath.Glob(filepath.Join(path, "go.mod"))
	return err == nil && len(found) > 0 && path != "."
}

func checkImports(t *testing.T, pkg, path string) {
	t.Helper()
	allowed, ok := imports[pkg]
	if !ok {
		t.Errorf("%s is not in the table", pkg)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		if own, ok := strings.CutPrefix(name, module); ok && !slices.Contains(allowed, own) {
			t.Errorf("%s imports %s", path, own)
		}
		if users, ok := outside[name]; ok && !slices.Contains(users, pkg) {
			t.Errorf("%s imports %s", path, name)
		}
	}
}
