package mock_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/client/mock"

	"pgregory.net/rapid"
)

// Paging returns each operation that existed at its beginning once, newest first, however many are created meanwhile. New
// ones may be among the operations of the newest second.
func TestPagingWhileOperationsAreBorn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		history := rapid.IntRange(1, 900).Draw(rt, "history")
		srv, clock := newServer(rt, mock.Options{Seed: rapid.Uint64().Draw(rt, "seed"), Operations: history})
		c := handlerTarget(srv)
		clock.advance(time.Duration(rapid.IntRange(0, 4_000_000).Draw(rt, "µs")) * time.Microsecond)
		project := srv.BusiestProject()
		if rapid.Bool().Draw(rt, "by hand") {
			start(rt, srv, mock.Task{ProjectID: project, Action: "create_branch"})
		}
		want, newestSecond := map[string]bool{}, ""
		for _, op := range newest(rt, c, project, 1000) {
			want[fmt.Sprint(op["id"])] = true
			newestSecond = max(newestSecond, fmt.Sprint(op["created_at"]))
		}
		seen, last, cursor := map[string]bool{}, "9999", ""
		for {
			var page operationPage
			limit := rapid.IntRange(1, 300).Draw(rt, "limit")
			c.get(rt, fmt.Sprintf("/projects/%s/operations?limit=%d%s", project, limit, after(cursor)), &page)
			for _, op := range page.Operations {
				id, created := fmt.Sprint(op["id"]), fmt.Sprint(op["created_at"])
				if seen[id] || !want[id] && created < newestSecond || created > last {
					rt.Fatalf("%s of %s: seen %v, expected %v, after %s", id, created, seen[id], want[id], last)
				}
				seen[id], last = true, created
				delete(want, id)
			}
			if page.Pagination == nil {
				break
			}
			cursor = page.Pagination.Cursor
			clock.advance(time.Duration(rapid.IntRange(1, 60_000_000).Draw(rt, "µs")) * time.Microsecond)
			if rapid.Bool().Draw(rt, "another by hand") {
				start(rt, srv, mock.Task{ProjectID: project, Action: "apply_config"})
			}
		}
		if len(want) > 0 {
			rt.Fatalf("%d operations were not delivered, %d were", len(want), len(seen))
		}
	})
}

// A simulated operation that is due before a started one is listed with it, rather than inserted below it later.
func TestStartedOperationsKeepTheOrder(t *testing.T) {
	t.Parallel()
	later, other := newServer(t, mock.Options{Operations: 40, Microseconds: true})
	other.advance(5 * time.Minute)
	ops := newest(t, handlerTarget(later), later.BusiestProject(), 3)
	due := ops[len(ops)-1]

	srv, clock := newServer(t, mock.Options{Operations: 40, Microseconds: true})
	c, project := handlerTarget(srv), srv.BusiestProject()
	clock.advance(utc(t, due, "created_at").Sub(clock.Now()) - 5*time.Microsecond)
	seen, last := map[string]bool{}, ""
	look := func() {
		mark := last
		for _, op := range newest(t, c, project, 1000) {
			id, created := fmt.Sprint(op["id"]), fmt.Sprint(op["created_at"])
			if !seen[id] && created < mark {
				t.Errorf("%v was born below %s, which was the newest", op, mark)
			}
			seen[id], last = true, max(last, created)
		}
	}
	for range 20 {
		look()
		start(t, srv, mock.Task{ProjectID: project, Action: "create_branch"})
	}
	clock.advance(5 * time.Microsecond)
	look()
	if !seen[fmt.Sprint(due["id"])] {
		t.Error("the simulated one was never listed")
	}
}

// A page of projects has the requested length and matches; a full one has a cursor.
func TestProjectPages(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for path, want := range map[string]struct {
		n    int
		more bool
	}{
		"/projects":                          {10, true},
		"/projects?limit=12":                 {12, true},
		"/projects?limit=13":                 {12, false},
		"/projects?limit=400&org_id=org-any": {12, false},
		"/projects?search=STOREFRONT":        {1, false},
		"/projects?search=no-such":           {0, false},
		"/projects/shared?limit=100":         {0, false},
	} {
		var page projectPage
		c.get(t, path, &page)
		if len(page.Projects) != want.n || (page.Pagination != nil) != want.more || page.Projects == nil {
			t.Errorf("%s: %d projects, pagination %v", path, len(page.Projects), page.Pagination)
		}
	}
}

// For every page size, all projects are listed once and in the order of the whole list, with or without a search.
func TestPagingOfProjects(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		srv, _ := newServer(t, mock.Options{Live: live, Projects: 40})
		c := handlerTarget(srv)
		for _, search := range []string{"", "e", "-2", "no-such"} {
			var whole projectPage
			c.get(t, "/projects?limit=400&search="+search, &whole)
			for _, limit := range []int{1, 3, 10, 39, 40, 41} {
				var paged []record
				for cursor := ""; ; {
					var page projectPage
					c.get(t, fmt.Sprintf("/projects?limit=%d&search=%s%s", limit, search, after(cursor)), &page)
					paged = append(paged, page.Projects...)
					if page.Pagination == nil {
						break
					}
					if len(page.Projects) == 0 || page.Pagination.Cursor == cursor {
						t.Fatal("a cursor that leads nowhere")
					}
					cursor = page.Pagination.Cursor
				}
				if !slices.EqualFunc(paged, whole.Projects, func(a, b record) bool { return a["id"] == b["id"] }) {
					t.Fatalf("live %v, search %q, limit %d: %d projects, want %d", live, search, limit, len(paged), len(whole.Projects))
				}
			}
		}
	}
}
