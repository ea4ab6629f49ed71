package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgtower/models/moment"
	"pgtower/models/query"
)

// A key may be in any place of the file. An error names the place, and no text of the file.
func TestConfigErrorsRepeatNoText(t *testing.T) {
	t.Parallel()
	const key = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z" // without a known form
	for _, text := range []string{
		"KEY = 1", "[KEY]\na = 1", "default_profile = 'KEY'", "keys = 'KEY'", "[keys]\nKEY = 1", "[profiles]\nKEY = 1",
		"[profiles.'KEY KEY']", "[profiles.KEY]\nKEY = 1", "[profiles.KEY]\npage_size = 'KEY'", "[profiles.a]\ninterval = 'KEY'",
		"[[commands]]\nwhere = 'KEY'", "[layout]\npane = 'KEY'", "[layout]\nKEY = 1", "views = ['KEY']", "[[views]]\nname = 'a'\nKEY = 1",
		"[[commands]]\nname = 'KEY'\nrun = 'KEY'", "KEY", "a = KEY", "[KEY", "'KEY", "a = 1\na = 'KEY'", "[a.KEY]\n[a.KEY]", "a = 1979-KEY",
	} {
		c, err := Parse("c.toml", []byte(strings.ReplaceAll(text, "KEY", key)), Check{})
		said := fmt.Sprint(err)
		for _, fault := range c.Faults {
			said += fault.Error()
		}
		if !strings.Contains(said, "c.toml:") || strings.Contains(said, key) {
			t.Errorf("%s: %s", text, said)
		}
	}
}

// refuse is a check that rejects one page size, and everything called refuse.
func refuse(table any) (string, error) {
	switch t := table.(type) {
	case Profile:
		if t.PageSize == 5 {
			return "page_size", errors.New("five is refused")
		}
	case Layout:
		if slices.Contains(t.Columns["operations"], "refuse") {
			return "operations", errors.New("no such column")
		}
	case query.SavedView:
		if t.Filter == "refuse:" {
			return "filter", errors.New("no filter")
		}
	}
	return "", nil
}

// checks returns the checks of the tests.
func checks() Check {
	return Check{
		Table: refuse,
		Keys: func(all []*KeySetting, _ []Command) *KeyFault {
			for i, one := range all {
				switch {
				case one.Page == "refuse":
					return &KeyFault{i, true, errors.New("no such page")}
				case one.Action == "refuse":
					return &KeyFault{i, false, errors.New("refused")}
				}
			}
			return nil
		},
		DefaultView: func(name string, views []query.SavedView) error {
			if !slices.ContainsFunc(views, func(v query.SavedView) bool { return v.Name == name }) {
				return errors.New("no view")
			}
			return nil
		},
	}
}

// Every setting of a file is read; an empty file has none.
func TestConfigIsRead(t *testing.T) {
	t.Parallel()
	const doc = `
default_profile = "work"
default_view = "Mine"
layout.pane = false
layout.operations = ["status", "age"]
layout.pane_width = 44

[profiles.work]
base_url = "https://console.example/api/v2"
org_id = "org-cool-breeze-12345678"
interval = "2s"
page_size = 400
window = "1h"
pinned = ["floral-king-961888", "b"]
read_only = true
budget = 20
color = "red"
console_url = "https://console.example/{id}"
status_url = ""
key_store_command = "pass insert x"
since = "2d"
theme = "high-contrast"
key_command = ["pass", "show", "console key"]

[profiles.work.audit]
fail_on = ["can-go", "idle"]
ignore = []

[profiles.home]
status_url = "https://status.example/page"
key_command = "pass show home | head -1"
audit.ignore = ["everything"]

[profiles."größe.2"]

[keys.apikeys]
revoke = ["D", "delete"]

[keys]
refresh = "ctrl+r"
pause = []
'odd name'.'x y' = "z"

[[views]]
name = "Mine"
filter = "is:failed"
alert = true
run = ["notify-send", "{action}"]

[[views]]
name = "Empty"

[[commands]]
name = "psql"
key = "ctrl+p"
page = "projects"
run = ["psql", "-h", "{proxy_host}", "-d", "neondb"]
where = "terminal"
allow_dash = true
`
	since, _ := moment.Parse("2d")
	want := Config{
		Default: "work", Keys: []*KeySetting{
			{"apikeys", "revoke", []string{"D", "delete"}, 0},
			{"", "refresh", []string{"ctrl+r"}, 0},
			{"", "pause", []string{}, 0},
			{"odd name", "x y", []string{"z"}, 0},
			{"projects", "psql", []string{"ctrl+p"}, 1},
		}, Profiles: map[string]Profile{
			"größe.2": {Name: "größe.2"},
			"home":    {Name: "home", StatusURL: new("https://status.example/page"), KeyCommand: KeyCommand{Shell: "pass show home | head -1"}, Audit: Audit{Ignore: []string{"everything"}}},
			"work": {
				Name: "work", BaseURL: "https://console.example/api/v2", OrgID: "org-cool-breeze-12345678", Interval: 2 * time.Second,
				PageSize: 400, Window: time.Hour, Since: since, Pinned: []string{"floral-king-961888", "b"}, Theme: "high-contrast", KeyCommand: KeyCommand{Args: []string{"pass", "show", "console key"}},
				ReadOnly: true, Budget: 20, Color: "red", ConsoleURL: "https://console.example/{id}", StatusURL: new(""), KeyStoreCommand: KeyCommand{Shell: "pass insert x"},
				Audit: Audit{FailOn: []string{"can-go", "idle"}, Ignore: []string{}},
			},
		}, View: "Mine", Layout: Layout{Pane: new(false), PaneWidth: 44, Columns: map[string][]string{"operations": {"status", "age"}}},
		Views:    []query.SavedView{{Name: "Mine", Filter: "is:failed", Alert: true, Run: []string{"notify-send", "{action}"}}, {Name: "Empty"}},
		Commands: []Command{{Name: "psql", Key: "ctrl+p", Page: "projects", Run: []string{"psql", "-h", "{proxy_host}", "-d", "neondb"}, Where: "terminal", AllowDash: true}},
	}
	got, err := Parse("config.toml", []byte(doc), checks())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, empty := range []string{"", "\n# nothing\n", "[profiles]\n", "default_profile = 'default'"} {
		if got, err := Parse("config.toml", []byte(empty), checks()); err != nil || len(got.Profiles) != 0 {
			t.Errorf("%q: got %+v, %v", empty, got, err)
		}
	}
}

// golden compares what is said of each document of a file in testdata with the line below it, which begins with an
// arrow. PGTOWER_UPDATE=1 accepts it.
func golden(t *testing.T, name string, said func(doc string) string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		doc, _, _ := strings.Cut(block, "=> ")
		fmt.Fprintf(&got, "%s=> %s\n\n", doc, said(doc))
	}
	accepted := strings.TrimSuffix(got.String(), "\n")
	if os.Getenv("PGTOWER_UPDATE") != "" {
		err = os.WriteFile(path, []byte(accepted), 0o600)
	} else if accepted != string(text) {
		t.Errorf("got\n%s", accepted)
	}
	if err != nil || strings.ContainsRune(accepted, '\x1b') {
		t.Errorf("%v, or it can act on a terminal", err)
	}
}

// An error names its place and what to write.
func TestConfigThatIsWrong(t *testing.T) {
	t.Parallel()
	golden(t, "wrong.txt", func(doc string) string {
		_, err := Parse("c.toml", []byte(doc), checks())
		if _, ok := errors.AsType[*FileError](err); !ok {
			t.Errorf("%s: got %v", doc, err)
		}
		return fmt.Sprint(err)
	})
}

// Invalid keys, layout, views and commands are ignored, and everything else applies.
func TestConfigThatIsWrongInParts(t *testing.T) {
	t.Parallel()
	golden(t, "parts.txt", func(doc string) string {
		all := doc + "[profiles.work]\npage_size = 7\n"
		good := !strings.HasPrefix(doc, "[views]") && !strings.HasPrefix(doc, "views =")
		if good {
			all += "[[views]]\nname = 'Good'\n"
		}
		got, err := Parse("c.toml", []byte(all), checks())
		kept := slices.ContainsFunc(got.Views, func(v query.SavedView) bool { return v.Name == "Good" })
		if err != nil || got.Profiles["work"].PageSize != 7 || kept != good || len(got.Faults) != 1 {
			t.Fatalf("%s: got %+v, %v", doc, got, err)
		}
		return got.Faults[0].Error()
	})
	two := "[keys.p]\nrefuse = 'x'\nok = 'y'\n[[views]]\nname = ''\n[keys.refuse]\nb = 'z'\n"
	got, err := Parse("c.toml", []byte(two), checks())
	if err != nil || len(got.Faults) != 3 || len(got.Keys) != 1 || got.Faults[1].Line != 5 {
		t.Errorf("got %v, %+v", err, got)
	}
}

// An API key anywhere in the file is neither run nor repeated, even in the error about something else there.
func TestConfigWithAKey(t *testing.T) {
	t.Parallel()
	const key = "napi_s3cret"
	quoting := Check{
		Table: func(t any) (string, error) { return "theme", fmt.Errorf("%+v", t) },
		Keys:  func(all []*KeySetting, _ []Command) *KeyFault { return &KeyFault{Err: fmt.Errorf("%+v", *all[0])} },
	}
	for doc, at := range map[string]string{
		"api_key = '" + key + "'":                             "1:12",
		"default_profile = '" + key + "'":                     "1:20",
		key + " = 1":                                          "1:1",
		"[" + key + "]":                                       "1:2",
		"[profiles]\n" + key + " = 1":                         "2:1",
		"[profiles." + key + "]":                              "1:11",
		"[profiles.'" + key + " x']":                          "1:12",
		"[profiles." + key + "]\n[profiles." + key + "]":      "1:11",
		"[profiles.work]\napi_key = '" + key + "'":            "2:12",
		"[profiles.work]\n" + key + " = 'x'":                  "2:1",
		"[profiles.work]\ntheme = '" + key + "'":              "2:10",
		"[profiles.work]\norg_id = \"" + key + "\"":           "2:11",
		"[profiles.work]\ninterval = '" + key + "'":           "2:13",
		"[profiles.work]\nbase_url = 'https://" + key + "@x'": "2:21",
		"[profiles.work]\nkey_command = '" + key + "'":        "2:16",
		"[profiles.work]\nkey_command = 'echo " + key + "'":   "2:21",
		"[profiles.work]\nkey_command = ['" + key + "']":      "2:17",
		"[profiles.work]\nkey_command = [\n'x',\n'" + key:     "4:2",
		"[profiles]\nwork = { theme = '" + key + "' }":        "2:19",
		"[profiles.work." + key + "]\nx = 1":                  "1:16",
		"[keys]\nrefresh = '" + key + "'":                     "2:12",
		"[keys]\n" + key + " = 'r'":                           "2:1",
		"[keys." + key + "]\nrefresh = 'r'":                   "1:7",
		"[keys.apikeys]\nrevoke = ['D', '" + key + "']":       "2:17",
		"# " + key: "1:3",
		"[profiles.work]\ntheme = '0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t'": "2:10",

		// Even if the file is not TOML.
		key:                "1:1",
		"api_key = " + key: "1:11",
		"x = '" + key:      "1:6",
		"x = '''\n" + key:  "2:1",
		"[profiles.work]\napi_key = \"" + key + "\\x\"": "2:12",
		"x = '" + key + "' x":                           "1:6",
		"x '" + key + "'":                               "1:4",
		"[profiles." + key:                              "1:11",
	} {
		_, err := Parse("c.toml", []byte(doc), quoting)
		if err == nil || !strings.HasPrefix(err.Error(), "c.toml:"+at+": this looks like an API key") || !strings.Contains(err.Error(), "pgtower login") {
			t.Errorf("%q: got %v, want %s", doc, err, at)
		}
		if s := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(s, "s3cret") || strings.Contains(s, "0a1b2c") {
			t.Errorf("%q: %s repeats it", doc, s)
		}
	}
	// The names of items in password managers are not keys.
	for _, command := range []string{"pass show neon/napi_key", "op read op://vault/123e4567-e89b-12d3-a456-426614174000/api_key"} {
		if _, err := Parse("c.toml", []byte("[profiles.work]\nkey_command = '"+command+"'"), checks()); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// A file with a key is refused without repeating it, and an accepted one has only valid settings.
func FuzzConfig(f *testing.F) {
	f.Add("default_profile = 'work'\n[profiles.work]\nbase_url = 'https://x.example'\n")
	f.Add("[profiles]\na = { interval = '3s', key_command = ['a', 'b'] }\nb.page_size = 5\n")
	f.Add("[keys]\nrefresh = 'f5'\nquit = ['Q', 'ctrl+q']\n[keys.apikeys]\nrefuse = []\n")
	f.Add("keys = { refuse = 'x', a.b = ['c'], d = { refuse = 'x' } }\n")
	f.Add("[[profiles.a]]\nx = 1\n[[what]]\n[x.y]\nz = 2024-01-01\n")
	f.Add("\xef\xbb\xbf[profiles.\"\\u001b\"]\n")
	f.Fuzz(func(t *testing.T, doc string) {
		for _, i := range []int{0, len(doc) / 3, len(doc) / 2, len(doc)} {
			_, err := Parse("c.toml", []byte(doc[:i]+"napi_f00dcafe"+doc[i:]), checks())
			if err == nil || strings.Contains(err.Error(), "f00dcafe") {
				t.Errorf("with a key at %d: %v", i, err)
			}
			const unknown = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z" // without a known form
			c, err := Parse("c.toml", []byte(doc[:i]+unknown+doc[i:]), checks())
			if said := fmt.Sprint(err, c.Faults); strings.Contains(said, unknown[:8]) {
				t.Errorf("with an unknown key at %d: %s", i, said)
			}
		}
		c, err := Parse("c.toml", []byte(doc), checks())
		if err != nil {
			var e *FileError
			if !errors.As(err, &e) || e.Line < 0 || e.Line > strings.Count(doc, "\n")+1 {
				t.Errorf("got %v of %d lines", err, strings.Count(doc, "\n")+1)
			}
			if s := err.Error(); !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
				t.Errorf("%q can act on a terminal", s)
			}
			return
		}
		for _, p := range c.Profiles {
			if CheckName(p.Name) != nil || p.Interval < 0 || p.PageSize < 0 || p.PageSize == 5 {
				t.Errorf("got %+v", p)
			}
		}
	})
}
