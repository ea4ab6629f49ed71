package mock_test

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

// The fault fail makes the operation that is read fail. With retry, the service tries it again.
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
