package mock_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

func start(t tb, srv *mock.Server, task mock.Task) string {
	t.Helper()
	op, err := srv.Start(task)
	if err != nil {
		t.Fatalf("Start: %v", err)
	}
	return op.ID
}

// Operations that are started by hand are the newest, run as long as asked, and end as asked.
func TestStart(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	project := srv.BusiestProject()
	good := start(t, srv, mock.Task{ProjectID: project, Action: "create_branch", Wait: time.Second, Run: 2 * time.Second})
	bad := start(t, srv, mock.Task{ProjectID: project, Action: "start_compute", Run: time.Second, Fail: true})
	if ops := newest(t, c, project, 2); ops[0]["id"] != bad || ops[1]["id"] != good {
		t.Errorf("the newest are %v", ops)
	}
	clock.advance(time.Microsecond) // the second was created that much later
	for _, want := range []struct{ good, bad string }{
		{"scheduling", "running"},
		{"running", "failed"},
		{"running", "failed"},
		{"finished", "failed"},
	} {
		for id, status := range map[string]string{good: want.good, bad: want.bad} {
			var got map[string]record
			c.get(t, "/projects/"+project+"/operations/"+id, &got)
			if got["operation"]["status"] != status {
				t.Errorf("%s, want %s", got["operation"], status)
			}
		}
		clock.advance(time.Second)
	}
	for _, task := range []mock.Task{
		{ProjectID: "nowhere", Action: "a"}, {ProjectID: project}, {ProjectID: project, Action: strings.Repeat("a", 101)},
	} {
		if _, err := srv.Start(task); err == nil {
			t.Errorf("%v was started", task)
		}
	}
}

// A reset can hide a request that was carried out, and a truncated body ends too early. Each fault ends when it is removed or
// spent.
func TestFaultsThatBreakTheConnection(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	remove := inject(t, srv, "reset carry-out of POST")
	r := c.request(t, http.MethodPost, "/api_keys", `{"key_name":"lost-answer"}`)
	if resp, err := c.client.Do(r); err == nil {
		_ = resp.Body.Close()
		t.Error("an answer in spite of the reset")
	}
	if a := c.call(t, http.MethodGet, "/api_keys", ""); !strings.Contains(string(a.body), "lost-answer") {
		t.Error("the request was not carried out")
	}
	remove()
	remove()
	inject(t, srv, "truncate count=1")
	resp, err := c.client.Do(c.request(t, http.MethodGet, "/projects", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.ReadAll(resp.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the truncated body ended with %v", err)
	}
	c.get(t, "/projects", &projectPage{})
}

// A fault can replace the body and its type, and delay a response.
func TestFaultsThatChangeTheAnswer(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	inject(t, srv, "body=<html> type=text/html count=1")
	a := c.call(t, http.MethodGet, "/projects", "")
	if a.status != 200 || string(a.body) != "<html>" || a.header.Get("Content-Type") != "text/html" {
		t.Errorf("%d %q %v", a.status, a.body, a.header)
	}
	inject(t, srv, "latency=1h count=1")
	impatient := *c.client
	impatient.Timeout = 20 * time.Millisecond
	if resp, err := impatient.Do(c.request(t, http.MethodGet, "/projects", "")); err == nil {
		_ = resp.Body.Close()
		t.Error("an answer before its time")
	}
}
