package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	toml "github.com/pelletier/go-toml/v2"

	"pgtower/keystore/profile"
	"pgtower/ui/style"
)

// The example has every setting, and each has the value that the file gives it.
func TestExample(t *testing.T) {
	t.Parallel()
	s, err := resolved(t, profile.Example(), nil)
	if err != nil || len(s.file.config.Faults) > 0 {
		t.Fatalf("%v, %v", err, s.file.config.Faults)
	}
	c := s.file.config
	c.Faults, c.Retired = []*profile.FileError{nil}, retired
	c.Commands[0].AllowDash = true // its example is the default
	for name, of := range map[string]any{
		"": c, "profile": c.Profiles["work"], "layout": c.Layout, "view": c.Views[0], "command": c.Commands[0],
	} {
		for f, value := range reflect.ValueOf(of).Fields() {
			if value.IsZero() {
				t.Errorf("%s has no %s", name, f.Name)
			}
		}
	}
	for line := range strings.Lines(profile.Example()) {
		if strings.TrimSpace(line) == "#" || len(line) > 121 {
			t.Errorf("%q", line)
		}
	}
	if s.keyMap().Count() != 5 || s.current.Name != "work" {
		t.Errorf("%v, %s", s.keyMap(), s.current.Name)
	}
}

// The schema in docs matches the declaration; PGTOWER_UPDATE=1 updates it. The example is valid by it.
func TestSchema(t *testing.T) {
	t.Parallel()
	text, err := profile.Schema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "config.schema.json")
	if os.Getenv("PGTOWER_UPDATE") != "" {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != string(text) {
		t.Errorf("%v: PGTOWER_UPDATE=1 go test ./internal/cli accepts\n%s", err, text)
	}
	var schema, example map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if err := toml.Unmarshal([]byte(profile.Example()), &example); err != nil {
		t.Fatal(err)
	}
	if wrong := invalid(example, schema); wrong != "" {
		t.Error(wrong)
	}
	for wrong, doc := range map[string]string{
		".colour":               "colour = 'red'",
		".profiles.a.page_size": "[profiles.a]\npage_size = '3'",
		".views.name":           "[[views]]\nfilter = 'x'",
		".commands.where":       "[[commands]]\nname = 'x'\npage = 'projects'\nrun = ['x']\nwhere = 'there'",
	} {
		var tree map[string]any
		if err := toml.Unmarshal([]byte(doc), &tree); err != nil {
			t.Fatal(err)
		}
		if got := invalid(tree, schema); got != wrong {
			t.Errorf("%q: %q is wrong, want %s", doc, got, wrong)
		}
	}
}

// invalid returns the path of a value that a schema does not allow, for the keywords that ours uses.
func invalid(value any, schema map[string]any) string {
	if kinds, ok := schema["anyOf"].([]any); ok {
		valid := func(one any) bool { return invalid(value, one.(map[string]any)) == "" }
		if !slices.ContainsFunc(kinds, valid) {
			return " "
		}
		return ""
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, value) {
		return " "
	}
	kinds := map[any]reflect.Kind{
		"string": reflect.String, "boolean": reflect.Bool, "integer": reflect.Int64, "array": reflect.Slice, "object": reflect.Map,
	}
	if kind, ok := kinds[schema["type"]]; ok && reflect.TypeOf(value).Kind() != kind {
		return " "
	}
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			items, _ := schema["items"].(map[string]any)
			if wrong := invalid(one, items); wrong != "" {
				return strings.TrimSpace(wrong)
			}
		}
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for key, one := range value {
			of, ok := properties[key].(map[string]any)
			if !ok {
				of, ok = schema["additionalProperties"].(map[string]any)
			}
			if !ok {
				return "." + key
			}
			if wrong := invalid(one, of); wrong != "" {
				return "." + key + strings.TrimSpace(wrong)
			}
		}
		required, _ := schema["required"].([]any)
		for _, key := range required {
			if _, ok := value[key.(string)]; !ok {
				return "." + key.(string)
			}
		}
	}
	return ""
}

func TestThemesOfTheDeclaration(t *testing.T) {
	t.Parallel()
	for key, names := range map[string][]string{"theme": style.ThemeNames(), "time": style.TimesNames()} {
		for _, name := range names {
			if !strings.Contains(profile.Usage(key), name) {
				t.Errorf("%q does not name %s", profile.Usage(key), name)
			}
		}
	}
}

func TestPartsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	for config, says := range map[string]string{
		"[layout]\nprojects = ['nam']\n":                                      `:2:13: projects: unknown column; did you mean name?`,
		"[layout]\noperations = ['age', 'age']\n":                             `:2:22: operations: duplicate column`,
		"[[views]]\nname = 'x'\nfilter = 'took:'\n":                           ":3:1: filter: ",
		"[[views]]\nname = '\u200b'\n":                                        ":2:1: name: the name contains invisible",
		"[[views]]\nname = 'x'\nsort = '-tok'\n":                              `:3:1: sort: unknown column`,
		"[[views]]\nname = 'x'\ncolumns = ['x']\n":                            `:3:12: columns: unknown column`,
		"[[commands]]\nname = 'x'\nrun = ['x']\npage = 'project'\n":           ":4:1: page: unknown page; did you mean projects?",
		"[[commands]]\nname = 'x'\nrun = ['x', '{nam}']\npage = 'projects'\n": ":3:13: run: unknown field; did you mean name?",
		"[[commands]]\nname = 'x'\nrun = ['{name}']\npage = 'projects'\n":     ":3:8: run: the program must not depend on a field",
		"[[commands]]\nname = 'quit'\nrun = ['x']\npage = 'projects'\n":       ":2:1: name: must be plain text, and not the name of an action",
		"[[commands]]\nname = 'x'\nrun = ['x']\npage='apikeys'\nkey = 'x'\n":  `:5:1: key: "x" is already the key of revoke (by default)`,
		"[[commands]]\nname = 'x'\nrun = ['x']\npage='apikeys'\nkey = '--'\n": ":5:1: key: not a key: write keys such as r, D, /, f5, space, pgup, ctrl+r, alt+x or shift+tab",
	} {
		s, err := resolved(t, "[profiles.default]\npage_size = 7\n"+config, nil)
		if err != nil || s.pageSize != 7 {
			t.Errorf("%q: %v", config, err)
			continue
		}
		line, rest, _ := strings.Cut(strings.TrimPrefix(says, ":"), ":")
		want := ":" + string(line[0]+2) + ":" + rest
		if faults := s.file.config.Faults; len(faults) != 1 || !strings.Contains(faults[0].Error(), want) {
			t.Errorf("%q: got %v, want %s", config, faults, want)
		}
		if got := s.uiConfig(); !strings.HasPrefix(got.Warning, "Ignored config.toml"+want) {
			t.Errorf("%q: got %q", config, got.Warning)
		}
	}
	if _, err := resolved(t, "[profiles.a]\ncolor = 'pink'\n", nil); err == nil || !strings.Contains(err.Error(), ":2:1: color: must be blue,") {
		t.Errorf("got %v", err)
	}
}
