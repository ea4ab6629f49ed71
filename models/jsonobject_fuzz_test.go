package models

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// FuzzRecord compares the results for valid JSON with those of encoding/json. Other input must only terminate.
func FuzzRecord(f *testing.F) {
	for _, s := range []string{
		sampleOperation, "null", "{}", ` { "id" : "a" , "failures_count" : 9223372036854775807 } `,
		`{"a":{"b":["]}",{}]},"id":"\ud83d\ude00\ud800\u001b","id":7}`, `{"\u0069d":"x","action":"\\\"","status":"a\u0000"}`,
		`{"created_at":"2022-11-09T20:47:27+99:99","failures_count":-0}`, "{\"id\":\"\xff\"}", "{\"branch_id\":\"" + strings.Repeat("\xb2", maxID+1) + "\"}", "{\"action\":\"" + strings.Repeat("\x8f", 2*maxText) + "\"}", `{"id"`, `{"a":}`, `{"a":,"b":]`, `[`, `{"a":tru}`, `"\`, "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var op Operation
		if err := op.UnmarshalJSON(b); err != nil {
			t.Fatal(err)
		}
		if json.Valid(b) {
			r := readObject(b, nil)
			for name, want := range reference(t, b) {
				if got := string(r.get(name)); got != want {
					t.Errorf("%q: %q is %q, want %q", b, name, got, want)
				}
			}
			againstJSON(t, b, op)
		}
	})
}

// reference returns the members of an object as encoding/json finds them, null as empty.
func reference(t *testing.T, b []byte) map[string]string {
	t.Helper()
	var all map[string]json.RawMessage
	_ = json.Unmarshal(b, &all) // anything but an object has none
	out := make(map[string]string, len(all))
	for name, v := range all {
		if !bytes.ContainsRune([]byte(name), '\uFFFD') {
			// A name that is not UTF-8 matches no field.
			out[name] = string(bytes.TrimPrefix(v, []byte("null")))
		}
	}
	return out
}

// againstJSON compares each field with the result of encoding/json.
func againstJSON(t *testing.T, b []byte, op Operation) {
	t.Helper()
	all := reference(t, b)
	for name, got := range map[string]string{
		"project_id": op.ProjectID, "branch_id": op.BranchID, "endpoint_id": op.EndpointID,
		"action": string(op.Action), "status": string(op.Status), "error": op.Error,
	} {
		var want string
		bad := all[name] != "" && json.Unmarshal([]byte(all[name]), &want) != nil
		if strings.Contains(op.Damage, name+" is not an id of") && len(want) > maxID {
			want = ""
		}
		if text, _ := kept([]byte(want)); got != text || bad != strings.Contains(op.Damage, name+" is not text") {
			t.Errorf("%q: %s is %q, want %q; damage %q", b, name, got, want, op.Damage)
		}
	}
	n, err := strconv.ParseInt(all["failures_count"], 10, 64)
	if err == nil && op.FailuresCount != n {
		t.Errorf("%q: %d failures, want %d", b, op.FailuresCount, n)
	}
	var at time.Time
	if json.Unmarshal([]byte(all["created_at"]), &at) == nil && !op.CreatedAt.Equal(at) {
		t.Errorf("%q: created %s, want %s", b, op.CreatedAt, at)
	}
}

// Records share the memory of texts with few distinct values.
func TestWordsAreShared(t *testing.T) {
	t.Parallel()
	a, b := decode[Operation](t, sampleOperation), decode[Operation](t, sampleOperation)
	for _, pair := range [][2]string{
		{a.ProjectID, b.ProjectID},
		{a.BranchID, b.BranchID},
		{a.EndpointID, b.EndpointID},
		{string(a.Action), string(b.Action)},
		{string(a.Status), string(b.Status)},
	} {
		if unsafe.StringData(pair[0]) != unsafe.StringData(pair[1]) {
			t.Errorf("%s is in memory twice", pair[0])
		}
	}
}

const sampleOperation = `{"id":"a07f8772-1877-4da9-a939-000000000001","project_id":"floral-king-961888",` +
	`"branch_id":"br-bitter-sound-247814","endpoint_id":"ep-dark-snowflake-942567",` +
	`"action":"start_compute","status":"finished","failures_count":0,` +
	`"created_at":"2022-11-09T20:47:27.123456Z","updated_at":"2022-11-09T20:47:29Z","total_duration_ms":1234}`
