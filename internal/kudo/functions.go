package kudo

import (
	"strings"
	"text/template"

	"go.yaml.in/yaml/v2"

	"github.com/restamp/restamp/internal/funcs"
)

// lacking are the functions that restamp allows and KUDO does not have: its
// sprig is 2.22.0, and it takes out what handles paths.
var lacking = strings.Fields(`
	base clean dir ext isAbs
	add1f addf all any chunk dig divf fromJson get maxf minf mulf regexQuoteMeta seq sha512sum subf toRawJson
	mustAppend mustChunk mustCompact mustDeepCopy mustFirst mustFromJson mustHas mustInitial mustLast mustMerge
	mustMergeOverwrite mustPrepend mustPush mustRegexFind mustRegexFindAll mustRegexMatch mustRegexReplaceAll
	mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice mustToJson mustToPrettyJson mustToRawJson
	mustUniq mustWithout
`)

// functions are those of KUDO's templates, without the ones that restamp
// refuses.
func functions() template.FuncMap {
	m := funcs.Map()
	for _, name := range lacking {
		delete(m, name)
	}
	m["toYaml"] = toYAML
	return m
}

// toYAML writes a value as KUDO does, with a line end behind it.
func toYAML(v any) (string, error) {
	text, err := yaml.Marshal(v)
	return string(text), err
}
