package mock_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client/mock"
)

// pager pages through a project over real sockets while others do the same and
// operations are born: what there was when it began comes exactly once, newest first.
func pager(t *testing.T, c target, project string, limit int) {
	t.Helper()
	at := "/projects/" + project + "/operations"
	missing := map[string]bool{}
	for _, op := range newest(t, c, project, 1000) {
		missing[fmt.Sprint(op["id"])] = true
	}
	seen, last, cursor := map[string]bool{}, "9999", ""
	for {
		var page operationPage
		c.get(t, fmt.Sprintf("%s?limit=%d%s", at, limit, after(url.QueryEscape(cursor))), &page)
		for _, op := range page.Operations {
			id, created := fmt.Sprint(op["id"]), fmt.Sprint(op["created_at"])
			if seen[id] || created >= last {
				t.Errorf("%s of %s comes after %s; seen before: %v", id, created, last, seen[id])
			}
			seen[id], last = true, created
			delete(missing, id)
		}
		if page.Pagination == nil {
			break
		}
		cursor = page.Pagination.Cursor
	}
	if len(missing) > 0 {
		t.Errorf("with pages of %d, %d operations were not delivered", limit, len(missing))
	}
}

func TestConcurrentPagers(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Operations: 600})
	c := overHTTP(t, srv)
	project := srv.BusiestProject()
	var pagers, births sync.WaitGroup
	var done atomic.Bool
	births.Go(func() {
		for n := 0; !done.Load() && n < 200; n++ {
			clock.advance(300 * time.Millisecond)
			if _, err := srv.Start(mock.Task{ProjectID: project, Action: "apply_config"}); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 12 {
		pagers.Go(func() { pager(t, c, project, 17+31*i) })
	}
	pagers.Wait()
	done.Store(true)
	births.Wait()
}

// Once a revocation is answered, no request with the key that begins after it succeeds,
// on whatever connection it comes.
func TestRevocationHoldsOnEveryConnection(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	for range 5 {
		id, secret := createKey(t, c, "shared")
		with := c
		with.key = secret
		var revoked atomic.Bool
		var users, begun sync.WaitGroup
		for range 8 {
			begun.Add(1)
			users.Go(func() {
				ready := sync.OnceFunc(begun.Done)
				defer ready()
				with.get(t, "/projects?limit=1", &projectPage{})
				ready()
				for refused := false; !refused; {
					before := revoked.Load()
					a := with.call(t, http.MethodGet, "/projects?limit=1", "")
					if refused = a.status == http.StatusUnauthorized; !refused && before {
						t.Errorf("status %d after the revocation", a.status)
						return
					}
				}
			})
		}
		begun.Wait()
		c.call(t, http.MethodDelete, "/api_keys/"+id, "").ok(t, &record{})
		revoked.Store(true)
		users.Wait()
	}
}

func TestIDsOfKeysCreatedAtOnce(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	var ids, secrets sync.Map
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for range 8 {
				id, secret := createKey(t, c, "same name")
				if _, twice := ids.LoadOrStore(id, true); twice {
					t.Errorf("id %s was given twice", id)
				}
				if _, twice := secrets.LoadOrStore(secret, true); twice {
					t.Error("a secret was given twice")
				}
			}
		})
	}
	clients.Wait()
	var keys []record
	if c.get(t, "/api_keys", &keys); len(keys) < 16*8 {
		t.Errorf("%d keys are listed", len(keys))
	}
}
