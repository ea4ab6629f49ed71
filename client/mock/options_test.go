package mock_test

import (
	"fmt"
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	clock := newManual().Now
	for name, o := range map[string]mock.Options{
		"no clock":            {},
		"too many projects":   {Clock: clock, Projects: mock.MaxProjects + 1},
		"too many operations": {Clock: clock, Operations: mock.MaxOperations + 1},
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

// Somebody who opens the demo sees life at once, and every kind of project.
func TestDemoIsAlive(t *testing.T) {
	t.Parallel()
	troubles := 0
	for seed := range uint64(20) {
		// On a Sunday less would happen.
		srv, clock := newServer(t, mock.Options{Seed: seed, Start: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)})
		c := handlerTarget(srv)
		clock.advance(30 * time.Minute)
		ops := newest(t, c, srv.BusiestProject(), 450)
		failed := 0
		for i, op := range ops {
			if op["status"] == "failed" {
				failed++
			}
			if i == 0 {
				continue
			}
			if gap := utc(t, ops[i-1], "created_at").Sub(utc(t, op, "created_at")); gap > 30*time.Second {
				t.Errorf("seed %d: silent for %s", seed, gap)
			}
		}
		if troubles += failed; failed > 40 {
			t.Errorf("seed %d: %d of %d failed", seed, failed, len(ops))
		}
		ids := projectIDs(t, c)
		if n := len(newest(t, c, ids[11], 10)); n != 0 {
			t.Errorf("seed %d: the empty project has %d operations", seed, n)
		}
		reattached := newest(t, c, ids[9], 2)
		if reattached[len(reattached)-1]["action"] != "tenant_reattach" && reattached[0]["action"] != "start_compute" {
			t.Errorf("seed %d: the dormant project did %v", seed, reattached)
		}
		var born operationPage
		c.get(t, "/projects/"+ids[10]+"/operations?limit=1000", &born)
		if first := born.Operations[len(born.Operations)-1]; first["action"] != "create_timeline" {
			t.Errorf("seed %d: the new project began with %v", seed, first)
		}
	}
	if troubles < 40 {
		t.Errorf("%d operations failed in all", troubles)
	}
}
