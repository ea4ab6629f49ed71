package mock_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// dumped is the state in words.
func dumped(t *testing.T, srv *mock.Server) string {
	t.Helper()
	var b bytes.Buffer
	if err := srv.Dump(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// newKey creates a key.
func newKey(t *testing.T, c target, name string) (id, secret string) {
	t.Helper()
	var created record
	c.call(t, http.MethodPost, "/api_keys", `{"key_name":"`+name+`"}`).ok(t, &created)
	return fmt.Sprint(created["id"]), fmt.Sprint(created["key"])
}

// eventful is a server to which something of every kind was done.
func eventful(t *testing.T, live bool) (*mock.Server, *manual) {
	t.Helper()
	srv, clock := newServer(t, mock.Options{Seed: 1<<64 - 9, Live: live, Projects: 15, Operations: 500})
	c := handlerTarget(srv)
	clock.advance(time.Hour + 123456789)
	newKey(t, c, "kept")
	id, _ := newKey(t, c, "revoked")
	var revoked record
	c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, &revoked)
	for i, project := range projectIDs(t, c)[:3] {
		for range 3 {
			op := start(t, srv, mock.Task{ProjectID: project, Action: "create_branch", Wait: time.Second, Run: time.Hour})
			start(t, srv, mock.Task{ProjectID: project, Action: "start_compute", Fail: true})
			clock.advance(time.Duration(i) * time.Second)
			if err := srv.Fail(project, op); err != nil {
				t.Fatal(err)
			}
		}
	}
	say(t, srv, "503 p=0.3 of list_keys skip=1")
	say(t, srv, "500 count=1 of get_operation")
	say(t, srv, `body="<b>" count=5 of POST /api_keys retry-after=0 400 p=0.01`)
	statuses(t, c, 5)
	if err := srv.SetSpeed(2.5); err != nil {
		t.Fatal(err)
	}
	if err := srv.Advance(3 * time.Minute); err != nil {
		t.Fatal(err)
	}
	return srv, clock
}

// transcript is what all six endpoints answer, while time passes.
func transcript(t *testing.T, srv *mock.Server, clock *manual, key string) string {
	t.Helper()
	c := handlerTarget(srv)
	c.key = key
	var out strings.Builder
	note := func(method, path, body string) answer {
		a := c.call(t, method, path, body)
		fmt.Fprintf(&out, "%s %s: %d %v %s\n", method, path, a.status, a.header, a.body)
		return a
	}
	for range 3 {
		note("GET", "/api_keys", "")
		created := note("POST", "/api_keys", `{"key_name":"new"}`)
		var k struct{ ID int64 }
		if err := json.Unmarshal(created.body, &k); err != nil {
			t.Fatal(err)
		}
		note("DELETE", fmt.Sprintf("/api_keys/%d", k.ID), "")
		note("GET", "/projects?limit=400", "")
		for _, id := range projectIDs(t, c) {
			note("GET", "/projects/"+id+"/operations?limit=300", "")
			for _, op := range newest(t, c, id, 12) {
				note("GET", fmt.Sprintf("/projects/%s/operations/%s", id, op["id"]), "")
			}
		}
		clock.advance(1500 * time.Millisecond)
	}
	return out.String()
}

// What is loaded into another server answers as the first one does, byte for byte.
func TestStateIsEverything(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		first, clock := eventful(t, live)
		key := first.APIKey()
		state := dumped(t, first)
		if strings.Contains(state, key) || strings.Contains(state, "pgt_demo_") {
			t.Errorf("a secret is in %s", state)
		}
		second, other := newServer(t, mock.Options{Seed: 3, Projects: 2})
		other.advance(77 * time.Hour)
		if err := second.Load(strings.NewReader(state)); err != nil {
			t.Fatal(err)
		}
		if again := dumped(t, second); again != state {
			t.Errorf("%s was loaded as %s", state, again)
		}
		if second.APIKey() != key {
			t.Errorf("the key is %q, not %q", second.APIKey(), key)
		}
		if transcript(t, first, clock, key) != transcript(t, second, other, key) {
			t.Error("the answers differ")
		}
		if a, b := dumped(t, first), dumped(t, second); a != b {
			t.Errorf("the states differ afterwards: %s and %s", a, b)
		}
	}
}

// Keys work with their secrets, although the state has digests only.
func TestStateKeepsKeys(t *testing.T) {
	t.Parallel()
	first, _ := newServer(t, mock.Options{APIKey: "chosen-by-hand"})
	_, secret := newKey(t, handlerTarget(first), "mine")
	second, _ := newServer(t, mock.Options{})
	old := second.APIKey()
	if err := second.Load(strings.NewReader(dumped(t, first))); err != nil {
		t.Fatal(err)
	}
	c := handlerTarget(second)
	for key, status := range map[string]int{"chosen-by-hand": 200, secret: 200, old: 401} {
		c.key = key
		if a := c.call(t, http.MethodGet, "/projects", ""); a.status != status {
			t.Errorf("%s: status %d, want %d", key, a.status, status)
		}
	}
	if second.APIKey() != "" {
		t.Errorf("the server says that its key is %q", second.APIKey())
	}
}

// Over HTTP as well, while clients are at work.
func TestStateOverHTTP(t *testing.T) {
	t.Parallel()
	first, _ := eventful(t, true)
	if err := first.SetSpeed(0); err != nil {
		t.Fatal(err)
	}
	srv, _, c := controlled(t, mock.Options{})
	var clock record
	c.call(t, http.MethodPut, "/state", dumped(t, first)).ok(t, &clock)
	if dumped(t, srv) != dumped(t, first) || fmt.Sprint(clock["speed"]) != "0" {
		t.Errorf("%v", clock)
	}
	var a, b any
	c.get(t, "/state", &a)
	if err := json.Unmarshal([]byte(dumped(t, first)), &b); err != nil || len(a.(record)) != len(b.(record)) {
		t.Errorf("%v, %v", a, err)
	}
}
