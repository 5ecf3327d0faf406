package config

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/restamp/restamp/internal/kinds"
)

// Schema is the JSON Schema of a configuration of kind Restamp, made of the Go
// type, so that it cannot say anything else.
func Schema() ([]byte, error) {
	word := func(text string) map[string]any { return map[string]any{"const": text} }
	schema := map[string]any{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       Kind,
		"description": "What restamp goes by: as a KRM function's functionConfig, or as a file with --config.",
		"type":        "object",
		"required":    []string{"apiVersion", "kind"},
		"properties": map[string]any{
			"apiVersion":   word(APIVersion),
			"kind":         word(Kind),
			"metadata":     map[string]any{"type": "object"},
			"spec":         schemaOf(reflect.TypeFor[Config]()),
			"argsOneLiner": map[string]any{"type": "string", "description": "Flags, where kustomize runs restamp as an exec plugin."},
			"argsFromFile": map[string]any{"type": "string", "description": "A file with flags, likewise."},
		},
		"additionalProperties": false,
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

func schemaOf(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[kinds.Class]():
		return map[string]any{"enum": kinds.ClassNames()}
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case t.Kind() == reflect.Struct:
		return schemaOfStruct(t)
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{"type": "string"}
}

func schemaOfStruct(t reflect.Type) map[string]any {
	properties, must := map[string]any{}, []string{}
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		field := schemaOf(t.Field(i).Type)
		if doc := tag.Get("doc"); doc != "" {
			field["description"] = doc
		}
		value := field
		if items, ok := field["items"].(map[string]any); ok {
			value = items
		}
		if words := tag.Get("enum"); words != "" {
			value["enum"] = strings.Split(words, ",")
		}
		if pattern := tag.Get("pattern"); pattern != "" {
			value["pattern"] = pattern
		}
		properties[name] = field
		if required(t.Field(i)) {
			must = append(must, name)
		}
	}
	object := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(must) > 0 {
		object["required"] = must
	}
	return object
}
