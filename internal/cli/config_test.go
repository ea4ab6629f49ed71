package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	toml "github.com/pelletier/go-toml/v2"

	"pgtower/models/settings"
	"pgtower/ui/style"
)

// The example has every setting, and each has the value that the file gives it.
func TestConfigExampleHasEverySetting(t *testing.T) {
	t.Parallel()
	s, err := resolved(t, settings.Example())
	if err != nil || len(s.file.config.Faults) > 0 {
		t.Fatalf("%v, %v", err, s.file.config.Faults)
	}
	c := s.file.config
	c.Faults = []*settings.FileError{nil}
	c.Commands[0].AllowDash = true // its example is the default
	for name, table := range map[string]any{
		"": c, "profile": c.Profiles["work"], "layout": c.Layout, "view": c.Views[0], "command": c.Commands[0],
	} {
		for f, value := range reflect.ValueOf(table).Fields() {
			if value.IsZero() {
				t.Errorf("%s has no %s", name, f.Name)
			}
		}
	}
	for line := range strings.Lines(settings.Example()) {
		if strings.TrimSpace(line) == "#" || len(line) > 121 {
			t.Errorf("%q", line)
		}
	}
	if s.keyMap().Count() != 5 || s.current.Name != "work" {
		t.Errorf("%v, %s", s.keyMap(), s.current.Name)
	}
}

// A user may put an API key anywhere into the file, alone or in a text. Errors never repeat it.
func TestConfigFaultsRepeatNoTextOfTheFile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it reads a thousand files, one after the other")
	}
	const key = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z" // without a known form
	quoted, name := regexp.MustCompile(`"[^"]*"`), regexp.MustCompile(`[a-z_]+`)
	// An error about an unknown view lists the names of views.
	lines := strings.Split(strings.ReplaceAll(settings.Example(), "default_view = ", "# "), "\n")
	for i, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		place := name.FindStringIndex(line)
		wrong := []string{line[:place[0]] + key + line[place[1]:], line + key, key}
		for _, text := range []string{
			"KEY", "is:KEY", "x {KEY}", "ctrl+KEY", "KEY://x", "http://KEY/", "https://KEY@x/%zz",
		} {
			text = strconv.Quote(strings.ReplaceAll(text, "KEY", key))
			for _, place := range quoted.FindAllStringIndex(line, -1) {
				wrong = append(wrong, line[:place[0]]+text+line[place[1]:])
			}
		}
		for _, with := range wrong {
			s, err := resolved(t, strings.Join(slices.Replace(slices.Clone(lines), i, i+1, with), "\n"))
			printed := strings.ToLower(fmt.Sprint(err, s.file.config.Faults))
			if strings.Contains(printed, strings.ToLower(key[:16])) {
				t.Errorf("%s: %s", with, printed)
			}
		}
	}
}

// The schema in docs matches the declaration; PGTOWER_UPDATE=1 updates it. The example is valid, and wrong documents are not.
func TestConfigSchema(t *testing.T) {
	t.Parallel()
	text, err := settings.Schema()
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
	if err := toml.Unmarshal([]byte(settings.Example()), &example); err != nil {
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

// invalid returns the path of a value that a schema does not allow, or "". It knows the keywords of our schema.
func invalid(value any, schema map[string]any) string {
	if kinds, ok := schema["anyOf"].([]any); ok {
		valid := func(kind any) bool { return invalid(value, kind.(map[string]any)) == "" }
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
		for _, item := range value {
			items, _ := schema["items"].(map[string]any)
			if wrong := invalid(item, items); wrong != "" {
				return strings.TrimSpace(wrong)
			}
		}
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for key, item := range value {
			property, ok := properties[key].(map[string]any)
			if !ok {
				property, ok = schema["additionalProperties"].(map[string]any)
			}
			if !ok {
				return "." + key
			}
			if wrong := invalid(item, property); wrong != "" {
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

// The descriptions of theme and time name each of their values.
func TestConfigUsageNamesTheChoices(t *testing.T) {
	t.Parallel()
	for key, names := range map[string][]string{"theme": style.ThemeNames(), "time": style.TimesNames()} {
		for _, name := range names {
			if !strings.Contains(settings.Usage(key), name) {
				t.Errorf("%q does not name %s", settings.Usage(key), name)
			}
		}
	}
}

// A notice names the lines of the ignored parts of the file. The log has each part.
func TestConfigNoticeNamesTheIgnoredLines(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"": "",
		"[keys]\nrefesh = 'x'": "Ignored config.toml:2:1: refesh: unknown action (did you mean refresh?); pgtower bindings lists " +
			"them (the keys of dialogs, ctrl+c and ctrl+z are fixed)",
		"[keys]\nquit = ''\nrefesh = 'x'":            "Ignored 2 parts of config.toml (lines 2, 3): pgtower doctor lists them",
		"keys = {a = 'x', b = 'y'}":                  "Ignored 2 parts of config.toml (line 1): pgtower doctor lists them",
		"[keys]\na=''\nb=''\nc=''\nd=''\ne=''\nf=''": "Ignored 6 parts of config.toml (lines 2, 3, 4, 5, 6, …): pgtower doctor lists them",
	} {
		s := newHome(t, config).resolved()
		if got := s.uiConfig().Warning; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", config, got, want)
		}
	}
	log := logPath(t)
	newHome(t, "[keys]\nrefesh = 'x'").resolved("--log", log)
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), "config.toml:2:1: refesh") {
		t.Errorf("logged %s, %v", text, err)
	}
}
