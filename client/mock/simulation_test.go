package mock_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// newest lists a project's newest operations.
func newest(t tb, c target, project string, limit int) []record {
	t.Helper()
	var page operationPage
	c.get(t, fmt.Sprintf("/projects/%s/operations?limit=%d", project, limit), &page)
	return page.Operations
}

// projectIDs lists all projects.
func projectIDs(t *testing.T, c target) []string {
	t.Helper()
	return ids(c.projects(t, "?limit=400"))
}

// Same seed, same clock, same requests: same bytes.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) string {
		srv, clock := newServer(t, mock.Options{Seed: seed})
		return transcript(t, srv, clock)
	}
	first, again, other := run(7), run(7), run(8)
	if first != again || first == other {
		t.Error("two runs of the same seed differ, or two seeds give the same")
	}
}

// With a start and stopped time, it does not matter when or how long the mock runs.
func TestStartOption(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 6, 7, 8, 9, 123456000, time.UTC)
	run := func(late time.Duration) string {
		clock := newManual()
		clock.advance(late)
		srv, err := mock.New(mock.Options{Clock: clock.Now, Start: at, Speed: new(0.0)})
		if err != nil {
			t.Fatal(err)
		}
		if now, speed := srv.Reading(); !now.Equal(at) || speed != 0 {
			t.Errorf("it is %s at speed %v", now, speed)
		}
		return transcript(t, srv, clock)
	}
	if run(0) != run(12345*time.Hour+678) {
		t.Error("the real time makes a difference")
	}
}

// A status only moves forward, but for failed, which may be tried again; every operation ends; updated_at is the time of
// the change; and reading an operation agrees with listing it.
func TestOperationLifecycle(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Seed: 3, Live: true, Microseconds: true})
	c := handlerTarget(srv)
	project := srv.BusiestProject()
	rank := map[string]int{
		"scheduling": 0, "running": 1, "cancelling": 2,
		"finished": 3, "failed": 3, "error": 3, "cancelled": 3, "skipped": 3,
	}
	known, statuses := map[string]record{}, map[string]int{}
	for range 600 {
		for _, op := range newest(t, c, project, 60) {
			id := fmt.Sprint(op["id"])
			checkTimes(t, op, clock.Now())
			before := known[id]
			if before == nil {
				statuses[fmt.Sprint(op["status"])]++
			} else {
				compareVisits(t, before, op, rank)
			}
			known[id] = op
		}
		clock.advance(time.Second)
	}
	if len(known) < 150 || statuses["running"] == 0 || statuses["scheduling"] == 0 {
		t.Errorf("%d operations in ten minutes, seen first as %v", len(known), statuses)
	}
	clock.advance(10 * time.Minute)
	ends := map[string]int{}
	for id := range known {
		var got map[string]record
		c.get(t, "/projects/"+project+"/operations/"+id, &got)
		ends[fmt.Sprint(got["operation"]["status"])]++
	}
	for status, n := range ends {
		if rank[status] < 3 {
			t.Errorf("%d operations are still %s", n, status)
		}
	}
	if ends["failed"] == 0 {
		t.Errorf("operations ended as %v", ends)
	}
}

func checkTimes(t *testing.T, op record, now time.Time) {
	t.Helper()
	created, updated := utc(t, op, "created_at"), utc(t, op, "updated_at")
	if updated.Before(created) || updated.After(now) {
		t.Errorf("at %s: %v", now, op)
	}
}

func compareVisits(t *testing.T, before, after record, rank map[string]int) {
	t.Helper()
	was, is := fmt.Sprint(before["status"]), fmt.Sprint(after["status"])
	again := was == "failed" && before["retry_at"] != nil
	if !again && (rank[is] < rank[was] || rank[was] == 3 && fmt.Sprint(before) != fmt.Sprint(after)) {
		t.Errorf("went from %v to %v", before, after)
	}
	changed := was != is || before["failures_count"] != after["failures_count"]
	if changed != (before["updated_at"] != after["updated_at"]) {
		t.Errorf("updated_at of %v, then %v", before, after)
	}
}

// An operation belongs to its project and does not exist before its creation.
func TestOperationsStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	early, _ := newServer(t, mock.Options{Seed: 5})
	late, clock := newServer(t, mock.Options{Seed: 5})
	clock.advance(time.Minute)
	ids := projectIDs(t, handlerTarget(late))
	for _, op := range newest(t, handlerTarget(late), ids[0], 3) {
		path := fmt.Sprintf("/projects/%s/operations/%s", ids[0], op["id"])
		handlerTarget(early).call(t, http.MethodGet, path, "").problem(t, http.StatusNotFound)
		path = fmt.Sprintf("/projects/%s/operations/%s", ids[1], op["id"])
		handlerTarget(late).call(t, http.MethodGet, path, "").problem(t, http.StatusNotFound)
		path = fmt.Sprintf("/projects/%s/operations/%s", ids[0], strings.ToUpper(fmt.Sprint(op["id"])))
		handlerTarget(late).get(t, path, &map[string]record{})
	}
}

// The history has the requested length.
func TestHistoryLength(t *testing.T) {
	t.Parallel()
	for history, want := range map[int]int{-1: 0, 1: 1, 74: 74, 75: 75, 449: 449, 451: 451, 999: 999} {
		srv, _ := newServer(t, mock.Options{Operations: history})
		if n := len(newest(t, handlerTarget(srv), srv.BusiestProject(), 1000)); n != want {
			t.Errorf("%d operations, want %d", n, want)
		}
	}
}

// transcript returns the responses of all six endpoints, while time passes.
func transcript(t *testing.T, srv *mock.Server, clock *manual) string {
	t.Helper()
	c := handlerTarget(srv)
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
