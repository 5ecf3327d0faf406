package main

import (
	"fmt"
	"strconv"
)

// A workload is the text before its pod template, the column of the template,
// and the text after it.
type workload struct {
	head   string
	column int
	tail   string
}

const workloadHead = `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}-${role}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/component: ${role}
spec:
`

const selector = `  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
      app.kubernetes.io/component: ${role}
  template:
`

var workloads = map[string]workload{
	"Deployment": {
		head:   workloadHead + "  replicas: ${replicas}\n" + selector,
		column: 4,
	},
	"StatefulSet": {
		head:   workloadHead + "  serviceName: ${name}\n  replicas: ${replicas}\n" + selector,
		column: 4,
		tail: `  volumeClaimTemplates:
    - metadata:
        name: state
      spec:
        accessModes: ["ReadWriteOnce"]
        resources:
          requests:
            storage: "10Gi"
`,
	},
	"DaemonSet": {
		head:   workloadHead + "  updateStrategy:\n    type: RollingUpdate\n" + selector,
		column: 4,
	},
	"CronJob": {
		head: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${name}-${role}
  namespace: ${namespace}
spec:
  schedule: "*/15 * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
`,
		column: 8,
	},
}

// workloads writes one workload that serves and one of any kind.
func (a app) workloads() {
	a.workload(a.generator.pick("Deployment", "Deployment", "StatefulSet"), "server")
	a.workload(a.generator.pick("Deployment", "StatefulSet", "DaemonSet", "CronJob"), "worker")
}

func (a app) workload(kind, role string) {
	g := a.generator
	w := workloads[kind]
	text := w.head + indent(a.podTemplate(kind), w.column) + w.tail
	a.object(text, "kind", kind, "role", role, "replicas", strconv.Itoa(g.between(1, 6)), "shared", a.shared, "digest", fmt.Sprintf("%064x", g.rand.Uint64()))
	g.made.Workloads++
}

const podLabels = `metadata:
  labels:
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/component: ${role}
`

const podAnnotations = `  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: "9090"
`

const podSecurity = `spec:
  serviceAccountName: ${name}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1001
    seccompProfile: {type: RuntimeDefault}
`

const initContainers = `  initContainers:
    - name: migrate
      image: "registry.example.com/${name}-migrate:1.4.2"
      command: ["/bin/sh", "-c"]
      args:
        - |
          set -eu
          migrate up --url "postgres://db.${namespace}.svc"
      env:
        - name: PASSWORD
          valueFrom:
            secretKeyRef: {name: "${name}", key: password}
`

const mainContainer = `  containers:
    - name: ${role}
      image: registry.example.com/${name}:1.4.2
      imagePullPolicy: IfNotPresent
      args: ["serve", "--config=/etc/app/app.conf"]
      ports:
        - name: http
          containerPort: 8080
        - name: metrics
          containerPort: 9090
      env:
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: LOG_LEVEL
          valueFrom:
            configMapKeyRef:
              name: ${name}-0
              key: LOG_LEVEL
        - name: PASSWORD
          valueFrom:
            secretKeyRef:
              name: ${name}
              key: password
        - name: GOMAXPROCS
          value: "2"
      envFrom:
        - configMapRef:
            name: ${name}-1
        - configMapRef:
            name: ${shared} # the whole team's
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
      readinessProbe:
        httpGet:
          path: /ready
          port: http
      resources:
        requests:
          cpu: 100m
          memory: 128Mi
        limits:
          memory: 512Mi
      volumeMounts:
        - name: config
          mountPath: /etc/app
        - name: extra
          mountPath: /etc/extra/app.conf
          subPath: app.conf
        - name: credentials
          mountPath: /etc/credentials
          readOnly: true
        - name: tmp
          mountPath: /tmp
`

const sidecar = `    - name: proxy
      image: registry.example.com/proxy@sha256:${digest}
      envFrom:
        - secretRef:
            name: ${name}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
`

const volumes = `  volumes:
    - name: config
      configMap:
        name: ${name}-2
    - name: extra
      configMap:
        name: ${name}-3
        items:
          - key: app.conf
            path: app.conf
    - name: credentials
      projected:
        sources:
          - secret:
              name: ${name}
          - configMap:
              name: ${name}-3
              optional: true
    - name: tmp
      emptyDir: {}
`

// podTemplate is the text of a pod template, from column 0; its fields are for
// object to fill in.
func (a app) podTemplate(kind string) string {
	g := a.generator
	text := podLabels
	if g.chance(0.5) {
		text += podAnnotations
	}
	text += podSecurity
	if kind == "CronJob" {
		text += "  restartPolicy: Never\n"
	}
	if g.chance(0.3) {
		text += initContainers
	}
	text += mainContainer
	if g.chance(0.3) {
		text += fmt.Sprintf("    # %s\n", g.sentence(3, 8)) + sidecar
	}
	return text + volumes
}
