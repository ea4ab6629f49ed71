package profile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// about has what each setting is for and an example of its value, and what each table is for and the line that opens
// an example of it.
var about = map[string]struct{ doc, example string }{
	"default_profile": {"the default profile", `"work"`},
	"default_view":    {"the initial view", `"Billing trouble"`},

	"profiles":           {"an account of a service, and how it is shown", "[profiles.work]"},
	"profiles.base_url":  {"address of the control API: https, or http on loopback", `"https://console.neon.tech/api/v2"`},
	"profiles.org_id":    {"organisation whose projects are listed", `"org-cool-breeze-12345678"`},
	"profiles.project":   {"id of the project whose operations are shown first", `"floral-king-961888"`},
	"profiles.interval":  {"polling interval of the operations, 1s to 5m", `"2s"`},
	"profiles.page_size": {"page size of operations, 1 to 1000", "200"},
	"profiles.window":    {"time whose operations are counted, 1m to 24h", `"1h"`},
	"profiles.pinned":    {"ids of pinned projects, polled in every cycle", `["floral-king-961888"]`},
	"profiles.budget":    {"maximum requests a second, 1 to 100", "10"},
	"profiles.read_only": {"forbid creating and revoking keys", "true"},
	"profiles.theme":     {"colours: auto, dark, light, high-contrast or mono", `"dark"`},
	"profiles.time":      {"times: relative, local or utc", `"local"`},
	"profiles.color":     {"mark of the header: red, orange, yellow, green, blue, purple or #rrggbb", `"red"`},
	"profiles.confirm":   {`"always type" requires typing the name or number for every revocation`, `"always type"`},
	"profiles.search_back": {
		"how far back failures and sorted rows are loaded, 1m to 744h", `"48h"`,
	},
	"profiles.console_url": {
		"address of a row in the service's console; {field} is a field of the row as the API names it",
		`"https://console.neon.tech/app/projects/{project_id}"`,
	},
	"profiles.key_command": {
		"prints the API key in its first line, within 30 seconds; a list runs as it is, a text in the shell",
		`["pass", "show", "console/api-key"]`,
	},
	"profiles.key_store_command": {
		"reads a new API key from its input and saves it where key_command finds it",
		`["pass", "insert", "--multiline", "--force", "console/api-key"]`,
	},

	"keys": {"keys of actions; pgtower bindings lists their names", keysExample},

	"layout":            {"how the pages are laid out; the dashboard keeps it here", "[layout]"},
	"layout.pane":       {"whether the pane with the details is open; without it, wide screens have it", "true"},
	"layout.pane_width": {"width of the pane beside the rows, in cells", "44"},
	"layout.operations": {"columns of Operations, in this order", `["status", "action", "age", "took"]`},
	"layout.projects":   {"columns of Projects, in this order", `["name", "region"]`},
	"layout.apikeys":    {"columns of API keys, in this order", `["name", "last used"]`},

	"views":         {"a named view", "[[views]]"},
	"views.name":    {"name of the view", `"Billing trouble"`},
	"views.filter":  {"as in the filter line", `"project:billing is:failed"`},
	"views.project": {"id of a project, or all", `"all"`},
	"views.sort":    {"column to sort by; a leading - reverses the order", `"-took"`},
	"views.columns": {"columns, in this order", `["status", "action", "age", "took"]`},

	"commands":      {"a program to run on the selected row", "[[commands]]"},
	"commands.name": {"name of the command", `"psql"`},
	"commands.key":  {"key that runs it", `"ctrl+p"`},
	"commands.page": {"page of the command: operations, projects or apikeys", `"projects"`},
	"commands.run": {
		"a list, never a line for the shell; {field} is a field of the row as the API names it",
		`["psql", "host={proxy_host}"]`,
	},
	"commands.where":      {`"terminal": pgtower steps aside; "background": a notice says how it ended; "output": in a viewer`, `"terminal"`},
	"commands.confirm":    {"confirmation question", `"Open a session on {name}?"`},
	"commands.footer":     {"show the command at the bottom of the screen", "true"},
	"commands.allow_dash": {"allow a value at the beginning of an argument to begin with -", "false"},
}

const keysExample = `[keys]
refresh = "ctrl+r"
quit = ["Q", "ctrl+q"]
statistics = []

[keys.apikeys]
revoke = "D"
`

// Usage says what a setting of a profile is for.
func Usage(key string) string { return about["profiles."+key].doc }

// field is one of a struct that the file has.
type field struct {
	key   string
	tag   reflect.StructTag
	value reflect.Value
}

// fieldsOf yields the fields of a struct that the file has, in the order of the declaration.
func fieldsOf(v reflect.Value) func(yield func(field) bool) {
	return func(yield func(field) bool) {
		for f, value := range v.Fields() {
			if key := f.Tag.Get("toml"); key != "-" && !yield(field{key, f.Tag, value}) {
				return
			}
		}
	}
}

// Example is a commented file with every setting.
func Example() string {
	var b strings.Builder
	b.WriteString("# The configuration file of pgtower with every setting. All are optional.\n\n")
	for f := range fieldsOf(reflect.ValueOf(Config{})) {
		text := about[f.key]
		t := f.value.Type()
		if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		b.WriteString("# " + sentence(text.doc) + "\n")
		switch {
		case t.Kind() != reflect.Struct:
			_, _ = fmt.Fprintf(&b, "%s = %s\n\n", f.key, text.example)
			continue
		case t == reflect.TypeFor[KeySetting]():
			b.WriteString(text.example + "\n")
			continue
		}
		b.WriteString(text.example + "\n")
		for inner := range fieldsOf(reflect.Zero(t)) {
			text := about[f.key+"."+inner.key]
			_, _ = fmt.Fprintf(&b, "# %s\n%s = %s\n", sentence(text.doc), inner.key, text.example)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// Schema is the JSON schema of the file, by which editors complete and check it.
func Schema() ([]byte, error) {
	schema := schemaOf(reflect.TypeFor[Config](), "", "")
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "pgtower configuration"
	out, err := json.MarshalIndent(schema, "", "  ")
	return append(out, '\n'), err
}

type object = map[string]any

// schemaOf is the schema of what a type is in the file, at a path of [about].
func schemaOf(t reflect.Type, path string, tag reflect.StructTag) object {
	text := object{"type": "string", "minLength": 1}
	texts := object{"type": "array", "items": text}
	out := object{}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		out = object{"type": "string", "pattern": `^([0-9.]+(ms|s|m|h))+$`}
	case t == reflect.TypeFor[KeyCommand]():
		out["anyOf"] = []object{text, texts}
	case t == reflect.TypeFor[[]KeySetting]():
		keys := []object{text, texts}
		page := object{"type": "object", "additionalProperties": object{"anyOf": keys}}
		out = object{"type": "object", "additionalProperties": object{"anyOf": append(slices.Clone(keys), page)}}
	case t.Kind() == reflect.Pointer:
		out = schemaOf(t.Elem(), "", "")
	case t.Kind() == reflect.Bool:
		out["type"] = "boolean"
	case t.Kind() == reflect.Int:
		out = object{"type": "integer", "minimum": 1}
	case t.Kind() == reflect.String && tag.Get("enum") != "":
		out["enum"] = strings.Split(tag.Get("enum"), ",")
	case t.Kind() == reflect.String && tag.Get("blank") != "":
		out["type"] = "string"
	case t.Kind() == reflect.String:
		out = text
	case t == reflect.TypeFor[[]string]():
		out = texts
	case t.Kind() == reflect.Slice:
		out = object{"type": "array", "items": schemaOf(t.Elem(), path, "")}
	case t.Kind() == reflect.Map:
		out = object{"type": "object", "additionalProperties": schemaOf(t.Elem(), path, "")}
	default:
		properties, required := object{}, []string{}
		for f := range fieldsOf(reflect.Zero(t)) {
			properties[f.key] = schemaOf(f.value.Type(), strings.TrimPrefix(path+"."+f.key, "."), f.tag)
			if f.tag.Get("required") != "" {
				required = append(required, f.key)
			}
		}
		out = object{"type": "object", "additionalProperties": false, "properties": properties}
		if len(required) > 0 {
			out["required"] = required
		}
	}
	if doc := about[path].doc; doc != "" {
		out["description"] = doc
	}
	return out
}
