package mock_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestLoadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	srv, _ := eventful(t, false)
	good := dumped(t, srv)
	change := func(path string, to any) string {
		var state record
		d := json.NewDecoder(strings.NewReader(good))
		d.UseNumber()
		if err := d.Decode(&state); err != nil {
			t.Fatal(err)
		}
		at, name := any(state), path
		for head, rest, ok := strings.Cut(path, "."); ok; head, rest, ok = strings.Cut(rest, ".") {
			if list, isList := at.([]any); isList {
				at = list[head[0]-'0']
			} else {
				at = at.(record)[head]
			}
			name = rest
		}
		at.(record)[name] = to
		out, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, tc := range []struct{ state, want string }{
		{"", "not a JSON object"},
		{"garbage", "not a JSON object"},
		{"{}", "version 0 is not 2"},
		{good[:len(good)/2], "unexpected EOF"},
		{good + "{}", "more after"},
		{change("version", 1), "version 1"},
		{change("colour", "red"), `unknown field "colour"`},
		{change("seed", -1), "seed"},
		{change("seed", "7"), "seed is a string"},
		{change("start", "0001-01-01T00:00:00Z"), "start is not a time"},
		{change("start", "2026-03-01T12:00:00.0000001Z"), "to the microsecond"},
		{change("now", "2025-03-01T12:00:00Z"), "now is not from start"},
		{change("now", "2226-03-01T12:00:00Z"), "now is not from start"},
		{change("speed", -1), "speed -1"},
		{change("projects", 1_000_000), "1000000 projects"},
		{change("operations", -1), "-1 operations"},
		{change("projects", 1), "started[6]: there is no project"},
		{change("last_key_id", 7), "keys[0]: id"},
		{change("keys.0.id", 0), "keys[0]: id 0"},
		{change("keys.1.name", ""), "keys[1]: key_name is empty"},
		{change("keys.1.sha256", "abc"), "64 hexadecimal digits"},
		{change("keys.1.created_at", nil), "keys[1]: created_at is missing"},
		{change("started.0.action", ""), "started[0]: no action"},
		{change("started.0.wait", "-1s"), `wait: "-1s" is not a duration`},
		{change("started.0.wait", "x"), `wait: "x" is not a duration`},
		{change("started.0.attempts", []string{"500000h", "500000h"}), "attempts: \"500000h\" is not a duration, or makes more than"},
		{change("started.0.attempts", []string{}), "attempts"},
		{change("started.0.attempts", []string{"1s", "1s", "1s", "1s"}), "attempts"},
		{change("started.0.branch_id", "A B"), "branch_id"},
		{change("started.0.created_at", "2036-03-01T12:00:00Z"), "created_at is not a time up to now"},
		{change("started.1.created_at", "2026-03-01T12:00:00Z"), "not after the one before it"},
		{change("failed.0.project_id", "x"), "failed[0]: there is no project"},
		{change("failed.0.operation_id", "x"), "failed[0]: there is no such operation"},
		{change("failed.0.at", "2026-03-01T12:00:00Z"), "at is not a time from its creation"},
		{change("faults.0.fault", "bananas"), `faults[0]: "bananas" is not a word`},
		{change("faults.0.id", 9), "faults[0]: id 9"},
		{change("faults.0.hits", -1), "hits is below 0"},
		{change("faults.0.passed", 9), "passed is not from 0 to skip"},
		{change("faults.1.hits", 2), "above count"},
		{change("faults.1.spent", true), "spent is not what"},
	} {
		err := srv.Load(strings.NewReader(tc.state))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %s", err, tc.want)
		}
		if after := dumped(t, srv); after != good {
			t.Fatalf("what was refused (%s) had an effect", tc.want)
		}
	}
}

// No state makes it panic, and what it takes it gives back.
func FuzzLoad(f *testing.F) {
	clock := newManual()
	seed, err := mock.New(mock.Options{Clock: clock.Now, Projects: 2, Operations: 100})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := seed.Start(mock.Task{ProjectID: seed.BusiestProject(), Action: "a", Run: time.Hour}); err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := seed.Dump(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		var size struct{ Projects int }
		if _ = json.Unmarshal(state, &size); size.Projects > 20 {
			return // Of many projects there is nothing to be seen but the time they take.
		}
		srv, _ := newServer(t, mock.Options{Projects: -1})
		if srv.Load(bytes.NewReader(state)) != nil {
			return
		}
		if err := srv.SetSpeed(0); err != nil {
			t.Fatal(err)
		}
		first := dumped(t, srv)
		if err := srv.Load(strings.NewReader(first)); err != nil || dumped(t, srv) != first {
			t.Errorf("%s cannot be loaded again: %v", first, err)
		}
		c := handlerTarget(srv)
		c.call(t, http.MethodGet, "/projects", "")
		for _, id := range []string{srv.BusiestProject(), "x"} {
			c.call(t, http.MethodGet, "/projects/"+id+"/operations", "")
		}
	})
}
