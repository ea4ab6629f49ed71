package settings

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"pgtower/models/moment"
)

//go:embed example.toml
var example string

// Example returns a commented file with every setting.
func Example() string { return example }

// text is the comment above a table or setting in the example, and its header or value.
type text struct{ doc, value string }

// about returns the texts of the example by paths such as profiles.theme.
func about() map[string]text {
	texts, _ := parsed()
	return texts
}

// order returns the paths of the example, in its order.
func order() []string {
	_, paths := parsed()
	return paths
}

//nolint:gochecknoglobals // parsed once, when needed
var parsed = sync.OnceValues(parseExample)

// parseExample returns the texts of [about], and the paths of [order].
func parseExample() (texts map[string]text, paths []string) {
	texts = map[string]text{}
	var table, doc string
	for line := range strings.Lines(example) {
		line = strings.TrimSpace(line)
		key, value, isSetting := strings.Cut(line, " = ")
		switch {
		case strings.HasPrefix(line, "# "):
			doc = strings.ToLower(line[2:3]) + strings.TrimSuffix(line[3:], ".")
		case strings.HasPrefix(line, "["):
			table = tableOf(strings.Trim(line, "[]"))
			if texts[table].doc == "" {
				texts[table] = text{doc, line}
			}
			table += "."
		case isSetting:
			texts[table+key] = text{doc, value}
			paths = append(paths, table+key)
		}
	}
	return texts, paths
}

// tableOf returns the path of a table by its header: without the name of the profile or the page that it is of.
func tableOf(header string) string {
	names := strings.Split(header, ".")
	return strings.Join(slices.Delete(names, min(1, len(names)), min(2, len(names))), ".")
}

// Usage returns the description of a setting of a profile.
func Usage(key string) string { return about()["profiles."+key].doc }

// field is a field of a struct with its key in the file.
type field struct {
	key   string
	tag   reflect.StructTag
	value reflect.Value
}

// clear removes the value. In a map, that is the one of the key.
func (f field) clear() {
	if f.value.Kind() == reflect.Map {
		f.value.SetMapIndex(reflect.ValueOf(f.key), reflect.Value{})
		return
	}
	f.value.SetZero()
}

// fieldsOf returns the fields of a struct that have a key in the file, in order. The key * stands for the other settings that
// the example has in the table, whose values are in a map: a page that the example names can be laid out.
func fieldsOf(v reflect.Value, table string) (list []field) {
	for f, value := range v.Fields() {
		switch key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); key {
		case "-":
		case "*":
			for _, name := range othersOf(table, list) {
				list = append(list, field{name, f.Tag, value})
			}
		default:
			list = append(list, field{key, f.Tag, value})
		}
	}
	return list
}

// othersOf returns the settings that the example has in a table besides some fields, in its order.
func othersOf(table string, fields []field) (keys []string) {
	for _, name := range order() {
		key, ok := strings.CutPrefix(name, table+".")
		isOne := func(f field) bool { return f.key == key }
		if ok && !slices.ContainsFunc(fields, isOne) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Schema returns the JSON schema of the file, by which editors complete and check it.
func Schema() ([]byte, error) {
	schema := schemaOf(reflect.TypeFor[Config](), "", "")
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "pgtower configuration"
	out, err := json.MarshalIndent(schema, "", "  ")
	return append(out, '\n'), err
}

type object = map[string]any

// schemaOf returns the schema of a type in the file, at a path of [about].
func schemaOf(t reflect.Type, path string, tag reflect.StructTag) object {
	text := object{"type": "string", "minLength": 1}
	texts := object{"type": "array", "items": text}
	out := object{}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		out = object{"type": "string", "pattern": `^([0-9.]+(ms|s|m|h|d|w))+$`}
	case t == reflect.TypeFor[moment.Time]():
		out = text
	case t == reflect.TypeFor[KeyCommand]():
		out["anyOf"] = []object{text, texts}
	case t == reflect.TypeFor[[]*KeySetting]():
		keys := []object{text, texts}
		page := object{"type": "object", "additionalProperties": object{"anyOf": keys}}
		out = object{"type": "object", "additionalProperties": object{"anyOf": append(slices.Clone(keys), page)}}
	case t.Kind() == reflect.Bool || t == reflect.TypeFor[*bool]():
		out["type"] = "boolean"
	case t.Kind() == reflect.Int:
		out = object{"type": "integer", "minimum": 1}
	case t.Kind() == reflect.String && tag.Get("enum") != "":
		out["enum"] = strings.Split(tag.Get("enum"), ",")
	case t.Kind() == reflect.String && tag.Get("blank") != "" || t == reflect.TypeFor[*string]():
		out["type"] = "string"
	case t.Kind() == reflect.String:
		out = text
	case t == reflect.TypeFor[[]string]():
		out = texts
		if tag.Get("empty") != "" {
			out["minItems"] = 1
		}
	case t.Kind() == reflect.Slice:
		out = object{"type": "array", "items": schemaOf(t.Elem(), path, "")}
	case t.Kind() == reflect.Map:
		out = object{"type": "object", "additionalProperties": schemaOf(t.Elem(), path, "")}
	default:
		out = schemaOfTable(t, path)
	}
	if doc := about()[path].doc; doc != "" {
		out["description"] = doc
	}
	return out
}

// schemaOfTable returns the schema of a struct, which is a table.
func schemaOfTable(t reflect.Type, path string) object {
	properties, required := object{}, []string{}
	for _, f := range fieldsOf(reflect.Zero(t), path) {
		kind := f.value.Type()
		if kind == reflect.TypeFor[map[string][]string]() {
			kind = kind.Elem()
		}
		properties[f.key] = schemaOf(kind, strings.TrimPrefix(path+"."+f.key, "."), f.tag)
		if f.tag.Get("required") != "" {
			required = append(required, f.key)
		}
	}
	out := object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
