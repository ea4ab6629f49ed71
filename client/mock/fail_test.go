package mock_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
)

// Any unfinished operation can be made to fail, also a simulated one, and all endpoints agree.
func TestFail(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Live: true, Microseconds: true})
	c := handlerTarget(srv)
	project := srv.BusiestProject()
	clock.advance(20 * time.Second)
	start(t, srv, mock.Task{ProjectID: project, Action: "create_branch", Run: time.Minute})
	read := func(id string) record {
		var answer map[string]record
		c.get(t, "/projects/"+project+"/operations/"+id, &answer)
		return answer["operation"]
	}
	failed := map[string]record{}
	for _, op := range newest(t, c, project, 50) {
		id := fmt.Sprint(op["id"])
		_, err := srv.Fail(project, id, 0)
		switch op["status"] {
		case "scheduling", "running", "cancelling":
			if err != nil {
				t.Errorf("%v: %v", op, err)
			}
		case "failed":
			continue // the service may still try it again
		default:
			if !errors.Is(err, sim.ErrEnded) {
				t.Errorf("%v: %v", op, err)
			}
			continue
		}
		if _, err := srv.Fail(project, id, 0); !errors.Is(err, sim.ErrEnded) {
			t.Errorf("a second time: %v", err)
		}
		got := read(id)
		failed[id] = got
		before, _ := strconv.Atoi(fmt.Sprint(op["failures_count"]))
		if got["status"] != "failed" || fmt.Sprint(got["failures_count"]) != fmt.Sprint(before+1) || got["error"] == nil {
			t.Errorf("%v became %v", op, got)
		}
		if now := clock.Now(); !utc(t, got, "updated_at").Equal(now.Truncate(time.Microsecond)) {
			t.Errorf("at %s: %v", now, got)
		}
	}
	if len(failed) < 2 {
		t.Errorf("%d were under way", len(failed))
	}
	clock.advance(time.Hour)
	for id, op := range failed {
		if later := read(id); fmt.Sprint(later) != fmt.Sprint(op) {
			t.Errorf("%v became %v", op, later)
		}
	}
	for _, id := range [][2]string{{"nowhere", "x"}, {project, "x"}, {project, "6f1f2d3c-0000-4000-8000-000000000000"}} {
		if _, err := srv.Fail(id[0], id[1], 0); !errors.Is(err, sim.ErrNoOperation) && !errors.Is(err, sim.ErrNoProject) {
			t.Errorf("%v: %v", id, err)
		}
	}
}

// The fault fail makes what is read fail, and with a retry the service tries it again.
func TestFailAsAFault(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Live: true, Operations: -1})
	c, project := handlerTarget(srv), srv.BusiestProject()
	at := "/projects/" + project + "/operations"
	id := start(t, srv, mock.Task{ProjectID: project, Action: "create_branch", Run: time.Minute})
	status := func() any {
		var answer map[string]record
		c.get(t, at+"/"+id, &answer)
		return answer["operation"]["status"]
	}
	clock.advance(time.Second)
	inject(t, srv, "fail retry=30s of list_operations count=1")
	if got := status(); got != "running" {
		t.Errorf("the list was not read, and it is %v", got)
	}
	if op := newest(t, c, project, 1)[0]; op["status"] != "failed" || op["retry_at"] != "2026-03-01T12:00:31Z" {
		t.Errorf("%v", op)
	}
	clock.advance(30 * time.Second)
	if got := status(); got != "running" {
		t.Errorf("after 30 s it is %v", got)
	}
	inject(t, srv, "fail of get_operation count=1")
	for range 2 {
		if got := status(); got != "failed" {
			t.Errorf("it is %v", got)
		}
		clock.advance(time.Hour)
	}
	// Nothing is left to fail.
	inject(t, srv, "fail of GET /projects/*/operations")
	newest(t, c, project, 1)
}
