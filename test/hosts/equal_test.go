package hosts

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryHostWritesTheSameStamps for the same application, where the host
// hands over the same names.
func TestEveryHostWritesTheSameStamps(t *testing.T) {
	dir := folder(t, app)
	stream := call{dir: dir}.must(t, restamp, "stamp", "config.yaml", "secret.yaml", "web.yaml", "db.yaml").stdout
	stamped(t, stream, 2)
	want := stamps(t, stream)
	host := func(name string, run func(t *testing.T) string) {
		t.Run(name, func(t *testing.T) { equal(t, "stamps", stamps(t, run(t)), want) })
	}

	host("filter", func(t *testing.T) string { return filter(t, build(t, folder(t, app, overlay())).stdout) })
	host("files", func(t *testing.T) string {
		call{dir: dir}.must(t, restamp, "stamp", "-w", dir)
		return read(t, dir+"/web.yaml") + "---\n" + read(t, dir+"/db.yaml")
	})
	host("kustomize", func(t *testing.T) string {
		return build(t, folder(t, transformer("restamp"), app, overlay(transformed)), functions...).stdout
	})
	host("kustomize container", func(t *testing.T) string {
		return container(t).must(t, kustomize, "build", "--enable-alpha-plugins", folder(t, containerTransformer(), app, overlay(transformed))).stdout
	})
	host("kustomize legacy plugin", func(t *testing.T) string {
		return installPlugin(t).must(t, kustomize, "build", "--enable-alpha-plugins", folder(t, legacy, app, overlay(transformed))).stdout
	})
	host("kubectl legacy plugin", func(t *testing.T) string {
		need(t, "kubectl")
		return installPlugin(t).must(t, "kubectl", "kustomize", "--enable-alpha-plugins", folder(t, legacy, app, overlay(transformed))).stdout
	})
	host("kpt", func(t *testing.T) string {
		shop := filepath.Join(kptDir(t, pkg("pipeline: {mutators: [{exec: restamp}]}")...), "shop")
		call{dir: shop}.must(t, "kpt", "fn", "render", "--allow-exec")
		return read(t, shop+"/web.yaml") + "---\n" + read(t, shop+"/db.yaml")
	})
	host("helm 3", func(t *testing.T) string {
		return call{dir: folder(t, chart()...)}.must(t, helm3, postRenderer...).stdout
	})
	host("helm 4", func(t *testing.T) string {
		return installHelmPlugin(t, folder(t, chart()...)).must(t, helm4, postRenderer...).stdout
	})
	host("another namespace", func(t *testing.T) string {
		out := build(t, folder(t, transformer("restamp"), app, overlay("namespace: shop", transformed)), functions...).stdout
		return strings.ReplaceAll(out, "namespace: shop\n", "namespace: \"\"\n")
	})
}
