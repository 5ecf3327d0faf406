package draw

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// bigStream is a platform of many applications in a few namespaces: some
// workloads alike, some sources shared, made, missing or unused.
func bigStream(workloads int) string {
	var b strings.Builder
	doc := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n---\n", args...) }
	teams := []string{"accounts", "billing", "catalog", "delivery", "search", "web"}
	parts := []string{"api", "worker", "consumer", "scheduler", "frontend", "exporter", "sync", "mailer"}
	for _, team := range teams {
		doc(`{apiVersion: v1, kind: ConfigMap, metadata: {name: platform, namespace: %s}, data: {REGION: a, LOG_LEVEL: info}}`, team)
		doc(`{apiVersion: v1, kind: ConfigMap, metadata: {name: kafka, namespace: %s}, data: {brokers: a, ca.crt: b}}`, team)
		doc(`{apiVersion: v1, kind: ConfigMap, metadata: {name: old-flags, namespace: %s}, data: {A: b}}`, team)
	}
	for n, app := 0, 0; n < workloads; app++ {
		team := teams[app%len(teams)]
		name := fmt.Sprintf("%s%02d", team[:3], app)
		labels := fmt.Sprintf("labels: {app.kubernetes.io/instance: %s}", name)
		doc(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s-settings, namespace: %s, %s}, data: {TIMEOUT: a, CACHE: b, FLAGS: c}}`, name, team, labels)
		doc(`{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: %s-db, namespace: %s, %s}, spec: {secretStoreRef: {name: vault}, data: [{secretKey: password, remoteRef: {key: a}}]}}`, name, team, labels)
		for i := 0; i < 4+app%5 && n < workloads; i++ {
			part := parts[i]
			object := fmt.Sprintf("%s-%s", name, part)
			from := fmt.Sprintf("{configMapRef: {name: platform}}, {configMapRef: {name: %s-settings}}", name)
			env := fmt.Sprintf("{name: P, valueFrom: {secretKeyRef: {name: %s-db, key: password}}}", name)
			mounts, volumes := "", ""
			switch {
			case part == "consumer" || part == "worker" && app%3 == 0:
				mounts, volumes = "{name: k, mountPath: /k}", "{name: k, configMap: {name: kafka}}"
			case part == "frontend":
				doc(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s-nginx, namespace: %s, %s}, data: {nginx.conf: a}}`, object, team, labels)
				mounts, volumes = "{name: n, mountPath: /n, subPath: nginx.conf}", fmt.Sprintf("{name: n, configMap: {name: %s-nginx}}", object)
				env = ""
			case part == "mailer":
				from += ", {secretRef: {name: smtp}}"
			}
			copies := 1
			if part == "worker" && app%4 == 1 {
				copies = 6 // one per queue
			}
			for c := 0; c < copies && n < workloads; c, n = c+1, n+1 {
				at := object
				if copies > 1 {
					at = fmt.Sprintf("%s-%d", object, c)
				}
				pod := fmt.Sprintf("{spec: {containers: [{name: main, image: a, envFrom: [%s], env: [%s], volumeMounts: [%s]}], volumes: [%s]}}", from, env, mounts, volumes)
				if part == "scheduler" {
					doc(`{apiVersion: batch/v1, kind: CronJob, metadata: {name: %s, namespace: %s, %s}, spec: {jobTemplate: {spec: {template: %s}}}}`, at, team, labels, pod)
					continue
				}
				doc(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s, namespace: %s, %s}, spec: {replicas: 2, template: %s}}`, at, team, labels, pod)
			}
		}
	}
	return b.String()
}

// TestWriteBigStream writes the stream of 500 workloads for the test that opens
// pages in a browser.
func TestWriteBigStream(t *testing.T) {
	path := os.Getenv("RESTAMP_BIG_STREAM")
	if path == "" {
		t.Skip("RESTAMP_BIG_STREAM names no file")
	}
	if err := os.WriteFile(path, []byte(bigStream(500)), 0o644); err != nil {
		t.Fatal(err)
	}
}
