package graph

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestRules: every code has a row in the table, and only those.
func TestRules(t *testing.T) {
	codes := declaredCodes(t)
	for _, r := range Rules {
		if !codes[r.Code] {
			t.Errorf("the table has %s, which is no code or is there twice", r.Code)
		}
		delete(codes, r.Code)
		if r.What == "" || r.Why == "" {
			t.Errorf("%s: the row does not say what it means and why it matters", r.Code)
		}
	}
	for code := range codes {
		t.Errorf("%s has no row in the table", code)
	}
	if r := RuleOf("none"); r.Code != "none" || r.Hint != "" {
		t.Errorf("a code without a row: %v", r)
	}
}

// declaredCodes reads the constants of type Code in finding.go.
func declaredCodes(t *testing.T) map[Code]bool {
	file, err := parser.ParseFile(token.NewFileSet(), "finding.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := make(map[Code]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			code, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes[Code(code)] = true
		}
		return true
	})
	if len(codes) == 0 {
		t.Fatal("finding.go has no codes")
	}
	return codes
}
