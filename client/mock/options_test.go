package mock_test

import (
	"fmt"
	"testing"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	clock := newManual().Now
	for name, o := range map[string]mock.Options{
		"no clock":            {},
		"too many projects":   {Clock: clock, Projects: sim.MaxProjects + 1},
		"too many operations": {Clock: clock, Operations: sim.MaxOperations + 1},
		"key with a space":    {Clock: clock, APIKey: "a b"},
	} {
		if _, err := mock.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	srv, _ := newServer(t, mock.Options{Projects: -1, APIKey: "given"})
	c := handlerTarget(srv)
	if ids := projectIDs(t, c); len(ids) != 0 || srv.BusiestProject() != "" || srv.APIKey() != "given" {
		t.Errorf("%v, %q, %q", ids, srv.BusiestProject(), srv.APIKey())
	}
	many, _ := newServer(t, mock.Options{Projects: 1000})
	ids := map[string]bool{}
	cursor := ""
	for {
		var page projectPage
		handlerTarget(many).get(t, "/projects?limit=400"+after(cursor), &page)
		for _, p := range page.Projects {
			ids[fmt.Sprint(p["id"])] = true
		}
		if page.Pagination == nil {
			break
		}
		cursor = page.Pagination.Cursor
	}
	if len(ids) != 1000 {
		t.Errorf("%d projects, want 1000", len(ids))
	}
}
