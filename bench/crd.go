package main

import (
	"fmt"
	"strings"
)

const crdHead = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.16.1
  name: %[1]ss.%[2]s
spec:
  group: %[2]s
  names:
    kind: %[3]s
    listKind: %[3]sList
    plural: %[1]ss
    singular: %[1]s
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: %[3]s is the schema of the %[1]ss API.
        type: object
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            type: object
            properties:
`

const crdTail = `          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
    served: true
    storage: true
    subresources:
      status: {}
`

// crdDepth is how deep the schema of a CRD goes below spec.
const crdDepth = 9

// crd writes a CRD of about the given size, with a deep schema.
func (g *generator) crd(size int) {
	singular := fmt.Sprintf("%s%d", g.word(), g.made.CRDs)
	kind := strings.ToUpper(singular[:1]) + singular[1:]
	end := g.Len() + size
	fmt.Fprintf(g, crdHead, singular, g.word()+".example.com", kind)
	for i := 0; i == 0 || g.Len() < end; i++ {
		g.property(fmt.Sprintf("%s%d", fieldName(i), i), 14, 0, end)
	}
	g.WriteString(crdTail)
	g.made.CRDs++
}

// property writes one property and all below it; none below once end is reached.
func (g *generator) property(name string, column, depth, end int) {
	margin := strings.Repeat(" ", column)
	fmt.Fprintf(g, "%s%s:\n", margin, name)
	margin += "  "
	g.description(margin)
	roll := g.rand.Float64()
	switch {
	case depth < crdDepth && roll < 0.3 && g.Len() < end:
		fmt.Fprintf(g, "%stype: object\n", margin)
		g.properties(column+2, depth, end)
	case depth < crdDepth && roll < 0.4 && g.Len() < end:
		fmt.Fprintf(g, "%stype: array\n%sitems:\n%s  type: object\n", margin, margin, margin)
		g.properties(column+4, depth+1, end)
	case roll < 0.5:
		fmt.Fprintf(g, "%stype: object\n%sadditionalProperties:\n%s  type: string\n", margin, margin, margin)
	case roll < 0.6:
		fmt.Fprintf(g, "%stype: string\n%senum:\n%s- %s\n%s- \"%d\"\n", margin, margin, margin, g.word(), margin, g.between(1, 9))
	case roll < 0.7:
		fmt.Fprintf(g, "%stype: integer\n%sformat: int32\n%sminimum: 0\n", margin, margin, margin)
	case roll < 0.8:
		fmt.Fprintf(g, "%stype: string\n%spattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'\n", margin, margin)
	case roll < 0.9:
		fmt.Fprintf(g, "%stype: boolean\n", margin)
	default:
		fmt.Fprintf(g, "%sx-kubernetes-int-or-string: true\n%sanyOf:\n%s- type: integer\n%s- type: string\n", margin, margin, margin, margin)
	}
}

// properties writes the properties of an object that begins at column.
func (g *generator) properties(column, depth, end int) {
	fmt.Fprintf(g, "%sproperties:\n", strings.Repeat(" ", column))
	first := g.rand.IntN(len(fieldNames))
	for i := range g.between(2, 8) {
		if i > 0 && g.Len() >= end {
			return
		}
		g.property(fieldName(first+i), column+2, depth+1, end)
	}
}

// description writes text in the styles that controller-gen and people use.
func (g *generator) description(margin string) {
	switch g.between(0, 4) {
	case 0:
		fmt.Fprintf(g, "%sdescription: |-\n", margin)
		for range g.between(2, 6) {
			fmt.Fprintf(g, "%s  %s\n", margin, g.sentence(6, 12))
		}
	case 1:
		fmt.Fprintf(g, "%sdescription: %s\n%s  %s\n", margin, g.sentence(6, 12), margin, g.sentence(6, 12))
	case 2:
		fmt.Fprintf(g, "%sdescription: '%s: %s'\n", margin, g.word(), g.sentence(6, 12))
	default:
		fmt.Fprintf(g, "%sdescription: %s\n", margin, g.sentence(5, 12))
	}
}

// fieldName gives consecutive numbers different names.
func fieldName(i int) string { return fieldNames[i%len(fieldNames)] }

// fieldNames are full of the words by which a workload names configuration.
var fieldNames = []string{
	"template", "metadata", "annotations", "labels", "containers", "initContainers", "env", "envFrom", "valueFrom",
	"configMapKeyRef", "secretKeyRef", "configMapRef", "secretRef", "volumes", "configMap", "secret", "projected",
	"sources", "items", "key", "name", "namespace", "optional", "defaultMode", "volumeMounts", "subPath", "mountPath",
	"resources", "limits", "requests", "affinity", "nodeAffinity", "podAffinity", "tolerations", "selector",
	"matchLabels", "matchExpressions", "replicas", "strategy", "storage", "backup", "schedule", "retention",
}
