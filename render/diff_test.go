package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/diff"
)

func diffOf(t *testing.T, stream string) string {
	t.Helper()
	run, _ := stamp(t, stream, Options{})
	var out bytes.Buffer
	for _, in := range run.Inputs {
		if err := run.WriteDiff(&out, in); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// TestDiffIsADiff holds the diff to that of a library, where no Secret is in
// the way.
func TestDiffIsADiff(t *testing.T) {
	compared := 0
	for name, stream := range streams(t) {
		if strings.Contains(stream, "Secret") {
			continue
		}
		compared++
		_, out := stamp(t, stream, Options{})
		_, want, _ := strings.Cut(string(diff.Diff("in.yaml", []byte(stream), "in.yaml", []byte(out))), "\n")
		if d := cmp.Diff(want, diffOf(t, stream)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if compared < 8 {
		t.Errorf("%d streams compared", compared)
	}
}

// TestDiffShowsNoSecret: not in the context, not in a changed line.
func TestDiffShowsNoSecret(t *testing.T) {
	const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: env}\nstringData: {A: hunter2}\n"
	uses := strings.Replace(webFile, "configMapRef", "secretRef", 1)
	got := diffOf(t, "---\n"+secret+"---\n"+uses+"---\n"+secret)
	if strings.Contains(got, "hunter2") || !strings.Contains(got, "+        restamp.dev/config-hash") {
		t.Errorf("beside Secrets:\n%s", got)
	}
	got = diffOf(t, `{"kind": "List", "items": [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"k": "hunter2"}}, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "w"}, "spec": {"template": {"spec": {"containers": [{"name": "c", "envFrom": [{"secretRef": {"name": "s"}}]}]}}}}]}`)
	want := "@@ -1,1 +1,1 @@\n-(a line with a Secret in it is not shown)\n+(a line with a Secret in it is not shown)\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("in one line with a Secret:\n%s", got)
	}
}
