package mock_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// journal is a log whose lines are waited for: a response arrives before its line.
type journal chan string

func (j journal) Write(line []byte) (int, error) {
	j <- string(line)
	return len(line), nil
}

// next returns the next n lines, raw and decoded.
func (j journal) next(t *testing.T, n int) (text string, lines []record) {
	t.Helper()
	for range n {
		line := <-j
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		text, lines = text+line, append(lines, r)
	}
	return text, lines
}

// logged returns a mock with a log, over loopback. Each reading of the log's clock takes a millisecond and a half.
func logged(t *testing.T, o mock.Options) (*mock.Server, target, journal) {
	t.Helper()
	srv, _ := newServer(t, o)
	log, clock := make(journal, 1000), newManual()
	tick := func() time.Time {
		clock.advance(1500 * time.Microsecond)
		return clock.Now()
	}
	srv.LogRequests(slog.NewJSONHandler(log, nil), tick)
	c := overHTTP(t, srv)
	// One connection answers, and so logs, requests in order.
	c.client.Transport = &http.Transport{MaxConnsPerHost: 1}
	return srv, c, log
}

// Each request is one line with its outcome, its key by id, and its Authorization without the key.
func TestLogOfRequests(t *testing.T) {
	t.Parallel()
	_, c, log := logged(t, mock.Options{})
	id, secret := createKey(t, c, "logged")
	r := c.request(t, http.MethodGet, "/projects?limit=3", "")
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("X-Request-ID", "mine-1")
	r.Header.Set("User-Agent", "somebody/1")
	a := c.send(t, r)
	head := c.request(t, http.MethodHead, "/api_keys", "")
	head.Header.Del("Authorization")
	c.send(t, head)
	_, lines := log.next(t, 3)
	for name, want := range map[string]any{
		"time": "2026-03-01T12:00:00.0045Z", "level": "INFO", "msg": "request", "method": "GET", "path": mock.BasePath + "/projects",
		"query": "limit=3", "status": 200.0, "duration_ms": 1.5, "bytes": float64(len(a.body)), "request_id": "mine-1",
		"authorization": "Bearer •••", "user_agent": "somebody/1", "aborted": nil,
	} {
		if got := lines[1][name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got := fmt.Sprintf("%.0f", lines[1]["key_id"]); got != id {
		t.Errorf("key_id is %s, want %s", got, id)
	}
	if refused := lines[2]; refused["status"] != 401.0 || refused["key_id"] != nil || refused["authorization"] != nil || len(fmt.Sprint(refused["request_id"])) != 36 {
		t.Errorf("the refused HEAD is logged as %v", refused)
	}
}

// A key never gets into the log, wherever a client puts it by mistake.
func TestLogNeverShowsAKey(t *testing.T) {
	t.Parallel()
	const first = "napi_first/key+with=signs"
	_, c, log := logged(t, mock.Options{APIKey: first})
	_, given := createKey(t, c, "given")
	requests := 1
	ask := func(path, authorization, agent string) {
		r := c.request(t, http.MethodGet, path, "")
		r.Header.Set("Authorization", authorization)
		r.Header.Set("User-Agent", agent)
		r.Header.Set("X-Request-ID", strings.TrimPrefix(agent, "agent of "))
		c.send(t, r)
		requests++
	}
	escape := strings.NewReplacer("/", "%2F", "+", "%2B", "=", "%3D").Replace
	secrets := []string{first, given, "napi_unknown_secret"}
	for _, secret := range secrets {
		for _, path := range []string{"/projects", "/api_keys/" + escape(secret), "/projects?api_key=" + escape(secret), "/" + secret} {
			ask(path, "Bearer "+secret, "agent of "+secret)
			ask(path, secret, "agent of "+secret)
			if secret != "napi_unknown_secret" {
				ask(path, "Basic x:"+secret, "agent of "+secret)
				ask(path, "", "agent of "+secret)
			}
		}
	}
	text, _ := log.next(t, requests)
	for _, secret := range secrets {
		if strings.Contains(text, secret) || strings.Contains(text, escape(secret)) {
			t.Errorf("%s is in the log", secret)
		}
	}
	if len(log) > 0 {
		t.Errorf("%d lines too many", len(log))
	}
}

// Requests that fail because of a fault are logged with it.
func TestLogNamesFaults(t *testing.T) {
	t.Parallel()
	srv, c, log := logged(t, mock.Options{APIKey: "napi_of_the_log"})
	inject(t, srv, "latency=1ms of list_keys")
	inject(t, srv, `503 of list_projects body="napi_of_the_log"`)
	for _, path := range []string{"/api_keys", "/projects", "/nothing"} {
		c.call(t, http.MethodGet, path, "")
	}
	_, lines := log.next(t, 3)
	for i, want := range []struct{ fault, id any }{
		{"latency=1ms of list_keys", 1.0}, {`503 of list_projects body="•••"`, 2.0}, {nil, nil},
	} {
		if lines[i]["fault"] != want.fault || lines[i]["fault_id"] != want.id {
			t.Errorf("%v, want %v", lines[i], want)
		}
	}
}

// A connection that a fault breaks is logged too, and can still be broken in all ways.
func TestLogOfBrokenAnswers(t *testing.T) {
	t.Parallel()
	srv, c, log := logged(t, mock.Options{})
	inject(t, srv, "reset count=1")
	inject(t, srv, "truncate count=1")
	for range 2 {
		// DELETE, because a transport repeats a broken GET.
		r := c.request(t, http.MethodDelete, "/api_keys/1", "")
		resp, err := c.client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
	}
	c.get(t, "/projects", &projectPage{})
	_, lines := log.next(t, 3)
	got := map[string]int{}
	for _, line := range lines {
		got[fmt.Sprintf("%v %v, aborted: %v", line["method"], line["status"], line["aborted"])]++
	}
	want := map[string]int{"DELETE 0, aborted: true": 1, "DELETE 404, aborted: true": 1, "GET 200, aborted: <nil>": 1}
	if !maps.Equal(got, want) {
		t.Errorf("logged %v, want %v", got, want)
	}
}

// A key is its list and its id: the log names the organization of a key that is not of the account.
func TestLogNamesTheListOfTheKey(t *testing.T) {
	t.Parallel()
	srv, c, log := logged(t, mock.Options{Organizations: 1})
	c.get(t, "/auth", new(record))
	c.as(srv.OrgKeys()[0].APIKey).get(t, "/auth", new(record))
	text, lines := log.next(t, 2)
	if lines[0]["key_org_id"] != nil || lines[1]["key_org_id"] != srv.OrgKeys()[0].OrgID {
		t.Errorf("%s", text)
	}
}
