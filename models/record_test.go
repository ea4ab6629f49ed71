package models

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// decode decodes a record as the client does.
func decode[T any](t *testing.T, doc string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return v
}

func at(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v.UTC()
}

// Every field of an operation is read; what cannot be read is damage of that field alone.
func TestDecodeOperation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		doc  string
		want Operation
	}{
		"every field": {
			`{"id":"op","project_id":"p","branch_id":"b","endpoint_id":"e","action":"start_compute","status":"failed","failures_count":3,
			  "created_at":"2022-11-09T20:47:27Z","updated_at":"2022-11-09T20:47:29.5Z","error":"why","retry_at":"2022-11-09T21:00:00+01:00","total_duration_ms":1500}`,
			Operation{
				ID: "op", ProjectID: "p", BranchID: "b", EndpointID: "e", Action: "start_compute", Status: StatusFailed, FailuresCount: 3,
				CreatedAt: at(t, "2022-11-09T20:47:27Z"), UpdatedAt: at(t, "2022-11-09T20:47:29.5Z"),
				Error: "why", RetryAt: at(t, "2022-11-09T20:00:00Z"), Total: Opt[time.Duration]{Value: 1500 * time.Millisecond, Known: true},
			},
		},
		"missing fields":    {`{"id":"op"}`, Operation{ID: "op"}},
		"null fields":       {`{"id":"op","project_id":null,"failures_count":null,"created_at":null,"total_duration_ms":null}`, Operation{ID: "op"}},
		"unknown fields":    {`{"x":{"id":"no","y":[{"id":"no"},"]}\""]},"id":"op","z":[],"":1e400}`, Operation{ID: "op"}},
		"unknown words":     {`{"id":"op","action":"swap_moon","status":"dreaming"}`, Operation{ID: "op", Action: "swap_moon", Status: "dreaming"}},
		"hostile words":     {`{"id":"op","action":"a\u001b]0;x\u0007","status":"\u202e"}`, Operation{ID: "op", Action: "a�]0;x�", Status: "�"}},
		"the last one wins": {`{"id":"no","status":7,"id":"op","status":"running"}`, Operation{ID: "op", Status: StatusRunning}},
		"escaped":           {`{"\u0069d":"\u006fp","failures_count":"\u0037","created_at":"2022\u002d11-09T20:47:27Z"}`, Operation{ID: "op", FailuresCount: 7, CreatedAt: at(t, "2022-11-09T20:47:27Z")}},
		"white space":       {" {\r\n\t\"id\" : \"op\" , \"failures_count\" : 1 } ", Operation{ID: "op", FailuresCount: 1}},
		"wrong text":        {`{"id":"op","status":{"a":1},"branch_id":"b"}`, Operation{ID: "op", BranchID: "b", Damage: "status is not text"}},
		"wrong number":      {`{"id":"op","failures_count":1.5,"status":"running"}`, Operation{ID: "op", Status: StatusRunning, Damage: "failures_count is not an integer"}},
		"number as text":    {`{"id":"op","failures_count":"12"}`, Operation{ID: "op", FailuresCount: 12}},
		"several":           {`{"id":"op","project_id":1,"created_at":true,"branch_id":"b"}`, Operation{ID: "op", BranchID: "b", Damage: "project_id is not text; created_at is not a timestamp"}},
		"negative duration": {`{"id":"op","total_duration_ms":-1}`, Operation{ID: "op", Damage: "total_duration_ms is not a duration"}},
		"endless duration":  {`{"id":"op","total_duration_ms":9223372036854775807}`, Operation{ID: "op", Damage: "total_duration_ms is not a duration"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := decode[Operation](t, c.doc); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// Times are read with any fraction and offset; anything else is damage.
func TestDecodeTimestamps(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"2022-11-09T20:47:27Z"`:                 "2022-11-09T20:47:27Z",
		`"2022-11-09T20:47:27.123456789Z"`:       "2022-11-09T20:47:27.123456789Z",
		`"2022-11-09T20:47:27.1+02:30"`:          "2022-11-09T18:17:27.1Z",
		`"9999-12-31T23:59:59Z"`:                 "9999-12-31T23:59:59Z",
		`"9999-12-31T23:59:59-01:00"`:            "10000-01-01T00:59:59Z",
		`"0000-01-01T00:00:00Z"`:                 "0000-01-01T00:00:00Z",
		`"2022-11-09"`:                           "",
		`"2022-02-30T00:00:00Z"`:                 "",
		`"yesterday"`:                            "",
		`""`:                                     "",
		`"10000-01-01T00:00:00Z"`:                "",
		`1668026847`:                             "",
		`["2022-11-09T20:47:27Z"]`:               "",
		`"` + strings.Repeat("9", 100_000) + `"`: "",
	} {
		k := decode[APIKey](t, `{"id":1,"name":"n","created_at":`+in+`}`)
		switch {
		case want == "":
			if !k.CreatedAt.IsZero() || k.Damage != "created_at is not a timestamp" || k.Name != "n" {
				t.Errorf("%.40s gave %+v", in, k)
			}
		case k.CreatedAt.Format(time.RFC3339Nano) != want || k.Damage != "":
			t.Errorf("%s gave %s, %s", in, k.CreatedAt.Format(time.RFC3339Nano), k.Damage)
		}
	}
}

// RFC 3339 allows both cases.
func TestDecodeLowerCaseTimes(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"2025-03-02t12:00:00z", "2025-03-02T12:00:00z", "2025-03-02t12:00:00.000Z", "2025-03-02t13:00:00+01:00"} {
		k := decode[APIKey](t, `{"id":7,"name":"n","created_at":"`+in+`"}`)
		if k.CreatedAt.Format(time.RFC3339) != "2025-03-02T12:00:00Z" || k.Damage != "" {
			t.Errorf("%s gave %s, %s", in, k.CreatedAt, k.Damage)
		}
	}
}

// Ids of keys keep every digit, also in quotes; anything else is damage.
func TestDecodeIntegers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		id     int64
		damage string
	}{
		`9223372036854775807`:   {math.MaxInt64, ""},
		`"9223372036854775807"`: {math.MaxInt64, ""},
		`9007199254740993`:      {1<<53 + 1, ""},
		`-9223372036854775808`:  {0, "id is not a number above 0"},
		`0`:                     {0, "id is not a number above 0"},
		`9223372036854775808`:   {0, "id is not an integer"},
		`1e3`:                   {0, "id is not an integer"},
		`7.0`:                   {0, "id is not an integer"},
		`"7a"`:                  {0, "id is not an integer"},
		`true`:                  {0, "id is not an integer"},
		`[7]`:                   {0, "id is not an integer"},
		`null`:                  {0, "id is not there"},
	} {
		if k := decode[APIKey](t, `{"id":`+in+`,"name":"n"}`); k.ID != want.id || k.Damage != want.damage || k.Name != "n" {
			t.Errorf("%s gave %+v", in, k)
		}
	}
}

// Every field of a project is read; what is missing is unknown, and what cannot be read is damage.
func TestDecodeProject(t *testing.T) {
	t.Parallel()
	known := func(n int64) Opt[int64] { return Opt[int64]{Value: n, Known: true} }
	const whole = `{"id":"p","name":"東京\u202e","platform_id":"aws","region_id":"r","provisioner":"k8s-pod","pg_version":17,"locked":false,"cpu_used_sec":0,` +
		`"proxy_host":"h","branch_logical_size_limit":512,"created_at":"2022-11-09T20:47:27Z","updated_at":"2022-11-09T20:47:27Z"}`
	every := Project{
		ID: "p", Name: "東京�", PlatformID: "aws", RegionID: "r", Provisioner: "k8s-pod", PgVersion: known(17), Locked: Opt[bool]{Known: true},
		CPUUsedSec: known(0), ProxyHost: "h", BranchLogicalSizeLimit: known(512),
		CreatedAt: at(t, "2022-11-09T20:47:27Z"), UpdatedAt: at(t, "2022-11-09T20:47:27Z"),
	}
	for doc, want := range map[string]Project{
		whole:                      every,
		`{"id":"p"}`:               {ID: "p"},
		`{"id":"p","locked":true}`: {ID: "p", Locked: Opt[bool]{Value: true, Known: true}},
		`{"id":"p","locked":"true","pg_version":8}`: {ID: "p", PgVersion: known(8), Damage: "locked is not true or false"},
		`{"id":"p","locked":1}`:                     {ID: "p", Damage: "locked is not true or false"},
	} {
		if got := decode[Project](t, doc); got != want {
			t.Errorf("%s\ngave %+v\nwant %+v", doc, got, want)
		}
	}
}

// TestDecodeWithoutID checks that a record without an id gets one, the same each time.
func TestDecodeWithoutID(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for doc, damage := range map[string]string{
		`{"status":"running"}`:           "id is not there",
		`{"id":null,"status":"running"}`: "id is not there",
		`{"id":"","status":"running"}`:   "id is not there",
		`{"id":7,"status":"running"}`:    "id is not text",
		`{}`:                             "id is not there",
		`null`:                           "the record is not an object",
		`7`:                              "the record is not an object",
		`"{\"id\":\"x\"}"`:               "the record is not an object",
		`[{"id":"x"}]`:                   "the record is not an object",
		`true`:                           "the record is not an object",
	} {
		op, project := decode[Operation](t, doc), decode[Project](t, doc)
		if op.Damage != damage || !NoID(op.ID) || op.ID != decode[Operation](t, doc).ID {
			t.Errorf("%s gave %+v", doc, op)
		}
		if project.ID != op.ID || project.Damage != damage {
			t.Errorf("%s gave %+v", doc, project)
		}
		if other, taken := names[op.ID]; taken {
			t.Errorf("%s and %s are both %s", doc, other, op.ID)
		}
		names[op.ID] = doc
	}
}

// A created key has a usable secret or none, and its id to revoke it.
func TestDecodeCreatedKey(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]CreatedAPIKey{
		`{"id":7,"key":" napi_x\n","name":"n"}`: {ID: 7, Key: NewSecret("napi_x"), Name: "n"},
		`{"id":7}`:                              {ID: 7, Damage: "key is not there"},
		`{"id":7,"key":null}`:                   {ID: 7, Damage: "key is not there"},
		`{"id":7,"key":""}`:                     {ID: 7, Damage: "key is not there"},
		`{"id":7,"key":["napi_x"]}`:             {ID: 7, Damage: "key is not text"},
		`{"key":"napi_x"}`:                      {Key: NewSecret("napi_x"), Damage: "id is not there"},
		`{"id":7,"key":" \n"}`:                  {ID: 7, Damage: "invalid API key: it is empty"},
		`{"id":7,"key":"napi_x\ntouch x\n"}`:    {ID: 7, Damage: "invalid API key: white space at character 7"},
		`{"id":7,"key":"napi_x touch"}`:         {ID: 7, Damage: "invalid API key: white space at character 7"},
		`{"id":7,"key":"n\u001b]52;c;eA==\u0007"}`: {
			ID: 7, Damage: "invalid API key: invalid character at position 2",
		},
		`{"id":[],"key":"napi_\u202ex"}`: {
			Damage: "id is not an integer; invalid API key: invalid character at position 6",
		},
		`[]`: {Damage: "the record is not an object"},
	} {
		if got := decode[CreatedAPIKey](t, doc); got != want {
			t.Errorf("%s gave %+v (%s)", doc, got, got.Damage)
		}
	}
}

// Records stay small whatever the length of the texts. A shortened text says that it was cut.
func TestDecodeLongTexts(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"x", "é", "東", "\u202e", `\u001b`, "👩\u200D"} {
		long := strings.Repeat(unit, 1<<20/len(unit))
		op := decode[Operation](t, `{"id":"op","action":"`+long+`","status":"`+long+`","error":"`+long+`"}`)
		project := decode[Project](t, `{"id":"p","name":"`+long+`","provisioner":"`+long+`","proxy_host":"`+long+`"}`)
		key := decode[APIKey](t, `{"id":1,"name":"`+long+`","last_used_from_addr":"`+long+`"}`)
		for i, s := range []string{
			string(op.Action), string(op.Status), op.Error, project.Name, project.Provisioner, project.ProxyHost, key.Name, key.LastUsedFromAddr,
		} {
			n := utf8.RuneCountInString(s) - utf8.RuneCountInString("… (cut)")
			want := 1000
			if strings.Contains(unit, "\u200D") {
				want = 1 // without an end
			}
			if n != want || !strings.HasSuffix(s, "… (cut)") || Clean(s) != s {
				t.Errorf("%q: text %d has %d characters: %.20q", unit, i, n, s)
			}
		}
		if op.Damage+project.Damage+key.Damage != "" {
			t.Errorf("%q: damage %s, %s, %s", unit, op.Damage, project.Damage, key.Damage)
		}
	}
	for _, unit := range []string{"x", "é", "東", "😀"} {
		fits := strings.Repeat(unit, 1000)
		if got := decode[Project](t, `{"id":"p","name":"`+fits+`"}`).Name; got != fits {
			t.Errorf("a text of %d bytes became one of %d", len(fits), len(got))
		}
		if got := decode[Project](t, `{"id":"p","name":"`+fits+`x"}`).Name; got != fits+"… (cut)" {
			t.Errorf("a text of 1001 characters became %d bytes, and ends with %q", len(got), got[len(got)-20:])
		}
	}
	marks := "e" + strings.Repeat("\u0301", 100_000)
	if got := decode[Project](t, `{"id":"p","name":"`+marks+`"}`).Name; !strings.HasSuffix(got, "… (cut)") || len(got) > 100 {
		t.Errorf("one character with many marks became %q", got)
	}
}

// Groups compare the whole error: texts that differ only in ids are in one group, and those that differ after the cut are
// in two. An error that was not cut has no cause, even if it ends like one that was.
func TestDecodeCutErrors(t *testing.T) {
	t.Parallel()
	read := func(text string) Operation {
		return decode[Operation](t, `{"id":"op","project_id":"floral-king","status":"failed","error":"`+text+`"}`)
	}
	long := strings.Repeat("could not reach the pageserver ", 100)
	one, same, other := read("id 17: "+long+"of floral-king"), read("id 2345678: "+long+"of floral-king"), read("id 17: "+long+"again")
	if one.Error == same.Error || one.Cause != same.Cause || one.CauseSum != same.CauseSum {
		t.Errorf("%q and %q have the causes %q (%x) and %q (%x)", one.Error, same.Error, one.Cause, one.CauseSum, same.Cause, same.CauseSum)
	}
	if one.Error != other.Error || one.Cause != other.Cause || one.CauseSum == other.CauseSum || !one.ErrorCut() {
		t.Errorf("%q and %q have the causes %q (%x) and %q (%x)", one.Error, other.Error, one.Cause, one.CauseSum, other.Cause, other.CauseSum)
	}
	if n := utf8.RuneCountInString(one.Cause); n != 1000 || !strings.HasPrefix(one.Cause, "id …: could not reach") {
		t.Errorf("the cause has %d characters: %q", n, one.Cause)
	}
	doc := one.JSON()
	if !strings.Contains(string(doc), `"error_cut":true`) || one.Fields()["error_cut"] != true {
		t.Errorf("%s and %v do not say that the error is cut", doc, one.Fields())
	}
	whole := read(strings.Repeat("é", 600) + "… (cut)")
	if whole.ErrorCut() || whole.Cause != "" || whole.Fields()["error_cut"] != nil {
		t.Errorf("an error that is whole counts as cut: %+v", whole)
	}
}

// An id that is too long is dropped and is damage: a shortened one could name another object.
func TestDecodeLongIDs(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("x", maxID)
	doc := `{"id":"?","project_id":"?","branch_id":"?","endpoint_id":"?"}`
	want := Operation{ID: fits, ProjectID: fits, BranchID: fits, EndpointID: fits}
	if got := decode[Operation](t, strings.ReplaceAll(doc, "?", fits)); got != want {
		t.Errorf("got %+v", got)
	}
	damage := "? is not an id of at most 256 bytes"
	got := decode[Operation](t, strings.ReplaceAll(doc, "?", fits+"x"))
	for _, name := range []string{"id", "project_id", "branch_id", "endpoint_id"} {
		if !strings.Contains("; "+got.Damage+"; ", "; "+strings.Replace(damage, "?", name, 1)+"; ") {
			t.Errorf("%s: damage %q", name, got.Damage)
		}
	}
	if got.ProjectID+got.BranchID+got.EndpointID != "" || !strings.HasPrefix(got.ID, "(no id) ") {
		t.Errorf("got %+v", got)
	}
	p := decode[Project](t, `{"id":"`+fits+`x","platform_id":"`+fits+`x","region_id":"`+fits+`x"}`)
	if p.PlatformID+p.RegionID != "" || !strings.HasPrefix(p.ID, "(no id) ") || strings.Count(p.Damage, "at most 256 bytes") != 3 {
		t.Errorf("got %+v", p)
	}
}

// A time of last use that cannot be read is not the same as none.
func TestDecodeLastUse(t *testing.T) {
	t.Parallel()
	used := at(t, "2022-11-09T20:47:27Z")
	for fields, want := range map[string]Opt[time.Time]{
		``:                                       {Known: true},
		`,"last_used_at":null`:                   {Known: true},
		`,"last_used_at":"2022-11-09T20:47:27Z"`: {Value: used, Known: true},
		`,"last_used_at":1668026847`:             {},
		`,"last_used_at":"2022-11-09 20:47:27Z"`: {},
		`,"last_used_at":""`:                     {},
		`,"last_used_at":{}`:                     {},
		`,"last_used_from_addr":"192.0.2.1"`:     {}, // used at an unknown time
	} {
		k := decode[APIKey](t, `{"id":1,"name":"n"`+fields+`}`)
		if k.LastUsedAt != want || k.NeverUsed() != (want.Known && want.Value.IsZero()) || k.Idle(used).Known != !want.Value.IsZero() {
			t.Errorf("%s gave %+v", fields, k)
		}
	}
	if k := decode[APIKey](t, `[]`); k.LastUsedAt.Known {
		t.Errorf("what is no record gave %+v", k)
	}
}

// When a compute last ran is only a hint, and never damage.
func TestProjectChangedAt(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"id":"a","name":"a","updated_at":"2026-03-01T12:00:00Z"}`:                                                   "12:00:00",
		`{"id":"a","name":"a","updated_at":"2026-03-01T12:00:00Z","compute_last_active_at":"2026-03-01T12:30:00.5Z"}`: "12:30:00",
		`{"id":"a","name":"a","updated_at":"2026-03-01T12:00:00Z","compute_last_active_at":"2026-03-01T11:00:00Z"}`:   "12:00:00",
		`{"id":"a","name":"a","updated_at":"2026-03-01T12:00:00Z","compute_last_active_at":1772368200}`:               "12:00:00",
		`{"id":"a","name":"a","updated_at":"2026-03-01T12:00:00Z","compute_last_active_at":null}`:                     "12:00:00",
	} {
		var p Project
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.ChangedAt().Format(time.TimeOnly); got != want || strings.Contains(p.Damage, "compute") {
			t.Errorf("%s: changed at %s, damage %q", body, got, p.Damage)
		}
	}
}
