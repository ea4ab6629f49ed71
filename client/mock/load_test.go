package mock_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client/mock"
)

// page pages through all operations and checks that they are newest first, each once.
func page(t *testing.T, c target, project string, limit int) map[string]bool {
	t.Helper()
	seen, last, cursor := map[string]bool{}, "9999", ""
	for {
		var page operationPage
		c.get(t, fmt.Sprintf("/projects/%s/operations?limit=%d%s", project, limit, after(cursor)), &page)
		for _, op := range page.Operations {
			id, created := fmt.Sprint(op["id"]), fmt.Sprint(op["created_at"])
			if seen[id] || created > last {
				t.Errorf("%s of %s comes after %s, seen before: %v", id, created, last, seen[id])
			}
			seen[id], last = true, created
		}
		if page.Pagination == nil {
			return seen
		}
		cursor = page.Pagination.Cursor
	}
}

// A revoked key is refused at once, however many clients use it.
func TestRevokedKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for range 20 {
		id, secret := createKey(t, c, "short-lived")
		with := c
		with.key = secret
		var revoked atomic.Bool
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for after := 0; after < 3; {
					was := revoked.Load()
					status := with.call(t, http.MethodGet, "/api_keys", "").status
					if was {
						after++
					}
					if was && status != http.StatusUnauthorized || status != 200 && status != http.StatusUnauthorized {
						t.Errorf("status %d, revoked before: %v", status, was)
						return
					}
				}
			})
		}
		var answer record
		c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, &answer)
		revoked.Store(true)
		wg.Wait()
	}
}

// All calls run concurrently; the race detector checks them.
func TestLoadEverythingAtOnce(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{Projects: 3, Operations: 300})
	srv.Control = true
	c := handlerTarget(srv)
	control := c
	control.base = "http://localhost" + mock.ControlPath
	project := srv.BusiestProject()
	var wg sync.WaitGroup
	for i, do := range []func(n int){
		func(int) { page(t, c, project, 500) },
		func(int) { c.call(t, http.MethodGet, "/projects", "") },
		func(int) { c.call(t, http.MethodPost, "/api_keys", `{"key_name":"a"}`) },
		func(n int) { _ = srv.Set(float64(n), 0) },
		func(int) { _ = srv.Set(1, time.Millisecond) },
		func(int) { start(t, srv, mock.Task{ProjectID: project, Action: "a"}) },
		func(int) {
			id := start(t, srv, mock.Task{ProjectID: project, Action: "b", Run: time.Hour})
			control.call(t, http.MethodPost, "/projects/"+project+"/operations/"+id+"/fail", "")
		},
		func(int) { inject(t, srv, "503 count=1 of /api_keys/nobody") },
		func(int) { srv.Faults.All(); srv.Faults.Clear() },
		func(int) { control.call(t, http.MethodDelete, "/faults", "") },
		func(n int) { _, _ = srv.RevokeKey("", int64(n)) },
		func(int) { control.call(t, http.MethodGet, "/clock", "") },
	} {
		wg.Go(func() {
			for n := range 8 {
				do(i + n)
			}
		})
	}
	wg.Wait()
}
