package models

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models/record"
)

// Placeholders are replaced, doubled braces are braces, and a wrong placeholder is an error.
func TestTemplates(t *testing.T) {
	t.Parallel()
	fields := Fields{"id": "br-1", "name": "a {id} b", "empty": ""}
	known := slices.Collect(maps.Keys(fields))
	same := func(s string) (string, error) { return s, nil }
	for text, want := range map[string]string{
		"":                    "",
		"plain":               "plain",
		"{id}":                "br-1",
		"x={id}&y={name}{id}": "x=br-1&y=a {id} bbr-1",
		`{{"id": "{id}"}}`:    `{"id": "br-1"}`,
		"{{{id}}}":            "{br-1}",
		"{empty}":             "error: the row has no empty",
		"{":                   "error: must have placeholders such as {name}, and {{ or }} for a brace",
		"}":                   "error: must have placeholders such as {name}, and {{ or }} for a brace",
		"{id":                 "error: must have placeholders such as {name}, and {{ or }} for a brace",
		"{i}":                 "error: unknown field; must be one of empty, id, name",
		"{nane}":              "error: unknown field; did you mean name?",
		"{\x1b[31m}":          "error: unknown field; must be one of",
	} {
		template, err := ParseTemplate(text, known)
		got := ""
		if err == nil {
			got, err = template.Expand(fields, same)
		}
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if template, err := ParseTemplate("{name} {id} {name}", known); err != nil || !slices.Equal(template.Names(), []string{"id", "name"}) {
		t.Errorf("%v, %v", template.Names(), err)
	}
}

// Fields in an address are escaped, and cannot change its scheme or host.
func TestTemplatesOfAddresses(t *testing.T) {
	t.Parallel()
	fields := Fields{"id": "../a?b#c&d=e+f %2f\x1b", "dot": "..", "x": "x"}
	known := slices.Collect(maps.Keys(fields))
	for text, want := range map[string]string{
		"https://c.example/p/{id}?q={id}": "https://c.example/p/..%2Fa%3Fb%23c%26d%3De%2Bf%20%252f%1B?q=..%2Fa%3Fb%23c%26d%3De%2Bf%20%252f%1B",
		"http://c.example/{dot}":          `dot: ".." cannot be a part of an address`,
		"https://c.example{id}/":          "must be an address",
		"https://{id}/":                   "must be an address",
		"{id}":                            "must be an address",
		"file:///etc/{id}":                "must be an address",
		"javascript:alert({id})":          "must be an address",
		"https://c.example":               "must be an address",
		"https://c.example/\x1b/{id}":     "must be an address",
	} {
		template, err := ParseTemplate(text, known)
		if err == nil {
			err = template.CheckURL()
		}
		got := ""
		if err == nil {
			got, err = template.URL(fields)
		}
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Every field of a record is available by the API's name, for every record.
func TestFieldsOfRecords(t *testing.T) {
	t.Parallel()
	var o Operation
	if err := o.UnmarshalJSON([]byte(`{"id":"o","project_id":"p","branch_id":"b","endpoint_id":"e","action":"a","status":"failed",
		"failures_count":2,"created_at":"2026-11-22T14:00:00+01:00","updated_at":"2026-11-22T13:00:01Z","error":"x","retry_at":"2026-11-22T13:00:02Z","total_duration_ms":7}`)); err != nil {
		t.Fatal(err)
	}
	want := Fields{
		"id": "o", "project_id": "p", "branch_id": "b", "endpoint_id": "e", "action": "a", "status": "failed", "failures_count": int64(2),
		"created_at": "2026-11-22T13:00:00Z", "updated_at": "2026-11-22T13:00:01Z", "error": "x", "retry_at": "2026-11-22T13:00:02Z", "total_duration_ms": int64(7),
		"gone": nil, "damage": "", "error_cut": nil,
	}
	if got := o.Fields(); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	project := Project{ID: "p", PgVersion: Opt[int64]{17, true}, Locked: Opt[bool]{false, true}}
	if got := project.Fields(); got.Text("project_id") != "p" || got["pg_version"] != int64(17) || got.Text("locked") != "false" || got.Text("cpu_used_sec") != "" {
		t.Errorf("got %v", got)
	}
	key := APIKey{ID: 7, LastUsedAt: Opt[time.Time]{time.Unix(0, 0), true}}
	if got := key.Fields(); got.Text("id") != "7" || got["last_used_at"] != "1970-01-01T00:00:00Z" || got["created_at"] != "" {
		t.Errorf("got %v", got)
	}
	names := func() Names { return Names{} }
	checkNames(t, operationFields, (&Operation{}).Fields())
	checkNames(t, projectFields, (&Project{}).Fields())
	checkNames(t, APIKeyFields(names), (&APIKey{}).Fields())
}

// checkNames checks that an empty record has all of its fields.
func checkNames[R any](t *testing.T, fields []record.Field[R], values Fields) {
	t.Helper()
	for _, name := range append(record.Names(fields), record.AsideNames(fields)...) {
		if _, ok := values[name]; !ok {
			t.Errorf("an empty record has no %s", name)
		}
	}
}

// Each field stays within its argument, and makes no option of it.
func TestArguments(t *testing.T) {
	t.Parallel()
	fields := Fields{"name": "a b", "dash": "-rf", "shell": "$(x) {name}", "nothing": ""}
	for _, c := range []struct {
		args   []string
		dashes bool
		want   []string
		err    string
	}{
		{[]string{"p", "{name}", "x={dash}", "-{dash}", "{{{shell}}}"}, false, []string{"p", "a b", "x=-rf", "--rf", "{$(x) {name}}"}, ""},
		{[]string{"p", "{dash}"}, true, []string{"p", "-rf"}, ""},
		{[]string{"p", "{dash}{name}"}, false, nil, `the argument "-rfa b" would begin with a dash`},
		{[]string{"p", "{nothing}"}, false, nil, "the row has no nothing"},
		{[]string{"p", "{nam}"}, false, nil, "unknown field"},
	} {
		got, err := Arguments(c.args, fields, c.dashes)
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: got %q, %v", c.args, got, err)
		}
	}
}
