package mock_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/client/mock"

	"pgregory.net/rapid"
)

// watcher polls a project as a live feed does: nothing may appear below the newest second that it has seen.
type watcher struct {
	seen   map[string]bool
	newest string
}

// look reads the newest operations, with a cursor after the newest or without one.
func (w *watcher) look(t tb, c target, project, query string) {
	var page operationPage
	c.get(t, "/projects/"+project+"/operations?limit=1000"+query, &page)
	mark := w.newest
	for _, op := range page.Operations {
		id, created := fmt.Sprint(op["id"]), fmt.Sprint(op["created_at"])
		if !w.seen[id] && mark != "" && created < mark {
			t.Errorf("%v was born below %s, which was the newest", op, mark)
		}
		w.seen[id] = true
		w.newest = max(w.newest, created)
	}
}

// Whether time passes or is stopped, a started operation is in the newest second of those already listed, or above it.
func TestNothingAppearsBelowTheNewest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		srv, clock := newServer(t, mock.Options{Seed: rapid.Uint64().Draw(t, "seed"), Operations: 40})
		c, project := handlerTarget(srv), srv.BusiestProject()
		w := watcher{seen: map[string]bool{}}
		steps := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 60).Draw(t, "steps")
		for i, step := range steps {
			switch step {
			case 0:
				clock.advance(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ns")))
			case 1:
				clock.advance(time.Duration(rapid.IntRange(0, 20_000).Draw(t, "ms")) * time.Millisecond)
			case 2:
				w.look(t, c, project, []string{"", "&cursor=9999-01-01T00:00:00Z"}[i%2])
			default:
				id := start(t, srv, mock.Task{ProjectID: project, Action: "create_branch"})
				ops := newest(t, c, project, 1000)
				i := slices.IndexFunc(ops, func(op record) bool { return op["id"] == id })
				if i < 0 || ops[i]["created_at"] != ops[0]["created_at"] {
					t.Fatalf("%s was started, and %v is the newest", id, ops[0])
				}
			}
		}
	})
}

// A simulated operation that is due before a started one is listed with it, rather than inserted below it later.
func TestStartedOperationsKeepTheOrder(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Operations: 40, Microseconds: true})
	c, project := handlerTarget(srv), srv.BusiestProject()
	later, other := newServer(t, mock.Options{Operations: 40, Microseconds: true})
	other.advance(5 * time.Minute)
	ops := newest(t, handlerTarget(later), project, 3)
	next := utc(t, ops[len(ops)-1], "created_at")
	clock.advance(next.Sub(clock.Now()) - 5*time.Microsecond)
	w := watcher{seen: map[string]bool{}}
	for range 20 {
		w.look(t, c, project, "")
		start(t, srv, mock.Task{ProjectID: project, Action: "create_branch"})
	}
	clock.advance(5 * time.Microsecond)
	w.look(t, c, project, "")
	if !w.seen[fmt.Sprint(ops[len(ops)-1]["id"])] {
		t.Error("the simulated one was never listed")
	}
}
