package render

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestKustomizationsInParallel: kustomize has state for the whole process; what
// is built side by side is what is built one by one, also where one of them
// brings a schema that says another thing of a kind.
func TestKustomizationsInParallel(t *testing.T) {
	const n = 24
	dirs := make([]string, n)
	for i := range n {
		dirs[i] = kustomizationFolder(t, i)
	}
	want := make([]string, n)
	for i, dir := range dirs {
		want[i] = rendered(t, dir)
	}
	if !strings.Contains(want[0], "id: a") || strings.Contains(want[1], "id: a") {
		t.Fatalf("the schema changes nothing:\n%s\n%s", want[0], want[1])
	}
	got := make([]string, n)
	var group sync.WaitGroup
	for i, dir := range dirs {
		group.Go(func() { got[i] = rendered(t, dir) })
	}
	group.Wait()
	for i := range n {
		if got[i] != want[i] {
			t.Errorf("folder %d, in parallel:\n%s\nalone:\n%s", i, got[i], want[i])
		}
	}
}

// kustomizationFolder makes a kustomization with a patch of a list that a schema
// says to merge by name. Each third one brings that schema for its kind.
func kustomizationFolder(t *testing.T, i int) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"app.yaml":   "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {parts: [{id: a, size: 1}, {id: b, size: 2}]}\n",
		"patch.yaml": fmt.Sprintf("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {parts: [{id: b, size: %d}]}\n", i),
	}
	kustomization := "resources: [app.yaml]\npatches: [{path: patch.yaml}]\n"
	if i%3 == 0 {
		kustomization += "openapi: {path: schema.json}\n"
		files["schema.json"] = `{"definitions": {"v1.Widget": {"x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Widget", "version": "v1"}],
			"properties": {"spec": {"properties": {"parts": {"type": "array", "x-kubernetes-patch-merge-key": "id", "x-kubernetes-patch-strategy": "merge",
			"items": {"type": "object"}}}}}}}}`
	}
	files["kustomization.yaml"] = kustomization
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rendered(t *testing.T, dir string) string {
	r, err := Folder(t.Context(), dir, FolderOptions{})
	if err != nil {
		t.Error(err)
		return ""
	}
	f, err := r.Sources[0].Open()
	if err != nil {
		t.Error(err)
		return ""
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
