package script

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/cli/exit"
	"pgtower/models"
	"pgtower/models/control"
)

// below starts an operation, and so many newer ones that the newest page does not have it.
func (w *waited) below(task mock.Task) (id string) {
	w.t.Helper()
	id = w.begin(0, task)
	time.Sleep(time.Second)
	for range 150 {
		w.begin(0, mock.Task{Action: "apply_config", Run: time.Millisecond})
	}
	time.Sleep(5 * time.Second) // so that the newest page has all of its second
	return id
}

// fault has the mock misbehave, after some time and for some time.
func (w *waited) fault(text string, in, lasts time.Duration) {
	go func() {
		time.Sleep(in)
		remove, err := w.Inject(text)
		if err != nil {
			w.t.Error(err)
		}
		time.Sleep(lasts)
		remove()
	}()
}

// requests returns how many requests were for what a path contains.
func (w *waited) requests(part string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range w.asked {
		if strings.Contains(path, part) {
			n++
		}
	}
	return n
}

// A wait asks for one page in an interval, and for an operation on its own where that page does not have it. Projects that
// do not have what is waited for are not asked for ever.
func TestWaitAsksSparingly(t *testing.T) {
	t.Parallel()
	minute := mock.Task{Action: "create_branch", Run: time.Minute}
	const never = "00000000-0000-4000-8000-000000000000"
	for name, c := range map[string]struct {
		begin               func(w *waited) (id string)
		all                 bool // projects
		within              time.Duration
		code, pages, single int // at most
		others              int // requests for other projects, at most
	}{
		"on the page": {begin: func(w *waited) string { return w.begin(0, minute) }, pages: 14},
		"below it":    {begin: func(w *waited) string { return w.below(minute) }, pages: 14, single: 14},
		"of any project": {
			begin: func(w *waited) string { return w.begin(0, minute) }, all: true, pages: 14, single: 12, others: 11,
		},
		"of no project": {begin: func(*waited) string { return never }, all: true, code: 1, single: 12, others: 11},
		"of no project, yet": {
			begin: func(*waited) string { return never }, all: true, within: 20 * time.Second, code: 1, pages: 5 * 12, single: 24, others: 80,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				id := c.begin(w)
				if c.all {
					w.options.Projects = nil
				}
				w.wait(WaitOptions{IDs: []string{id}, AppearWithin: c.within}, c.code)
				single := w.requests("/operations/")
				pages, others := w.requests("/operations")-single, w.requests("/operations")-w.requests(w.project+"/operations")
				if pages > c.pages || single > c.single || others > c.others {
					t.Errorf("%d pages, %d single operations, %d of other projects:\n%s", pages, single, others, w.asked)
				}
			})
		})
	}
}

// Trouble is told when it begins and when it ends, the service's own delay is respected, and the wait goes on.
func TestWaitGoesOnThroughTrouble(t *testing.T) {
	t.Parallel()
	page, single := func(w *waited, task mock.Task) string { return w.begin(0, task) }, (*waited).below
	for name, c := range map[string]struct {
		begin func(w *waited, task mock.Task) string
		fault string
		most  int64 // requests meanwhile
		says  []string
	}{
		"a limit":                {page, "429 retry-after=30", 1, []string{"rate limited by the service; next try in 30s", "responds again"}},
		"a failing service":      {page, "503", 15, []string{"cannot read scratchpad: ", "can read scratchpad again"}},
		"its own delay":          {page, "503 retry-after=25", 1, []string{"cannot read scratchpad: ", "can read scratchpad again"}},
		"of an operation alone":  {single, "503 of GET /projects/*/operations/*", 30, []string{"read operation", "retrying", "responds again"}},
		"as long as it wants to": {single, "503 of GET /projects/*/operations/* retry-after=25", 9, []string{"read operation", "retrying", "responds again"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				id := c.begin(w, mock.Task{Action: "create_branch", Run: time.Minute})
				var before, after atomic.Int64
				time.AfterFunc(22*time.Second, func() { before.Store(int64(w.requests(""))) })
				time.AfterFunc(42*time.Second, func() { after.Store(int64(w.requests(""))) })
				w.fault(c.fault, 22*time.Second, 20*time.Second)
				w.wait(WaitOptions{IDs: []string{id}}, exit.OK, append(c.says, "finished\t"+id)...)
				if meanwhile := after.Load() - before.Load(); meanwhile > c.most {
					t.Errorf("%d requests meanwhile", meanwhile)
				}
				if w.took > 75*time.Second {
					t.Errorf("it took %s", w.took)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// A service that fails from the beginning ends the search for operations, and not the wait for those with an id.
func TestWaitForATroubledServiceFromTheBeginning(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		id := w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		w.fault("503", 0, time.Minute)
		time.Sleep(time.Second)
		w.wait(WaitOptions{}, exit.Failed, "incomplete: cannot read "+w.project)
		w.wait(WaitOptions{IDs: []string{id}}, exit.OK, "(status 503)", "; retrying", "finished\t"+id)
	})
}

// What the service does not have any more is gone, and what it refuses is an error.
func TestWaitForWhatIsNoLongerThere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault, says string
	}{
		"the operation":              {"404 of GET /projects/*/operations/*", "gone\t"},
		"its project":                {"404 of list_operations", "gone\t"},
		"not allowed":                {"403 of GET /projects/*/operations/*", "403"},
		"the project is not allowed": {"403 of list_operations", "403"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				id := w.below(mock.Task{Action: "create_branch", Run: time.Hour})
				w.fault(c.fault, 20*time.Second, time.Hour)
				w.wait(WaitOptions{IDs: []string{id}}, exit.Failed, c.says)
				w.lasted(20 * time.Second)
				if strings.Contains(w.printed, "gone") != (c.says == "gone\t") {
					t.Errorf("printed is %s", w.printed)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}

// Without a name, what was there when the wait began is waited for, and nothing that begins later.
func TestWaitForAProjectLeavesOutWhatBeginsLater(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		for _, action := range []string{"create_branch", "start_compute"} {
			w.begin(0, mock.Task{Action: action, Run: 20 * time.Second})
		}
		w.begin(10*time.Second, mock.Task{Action: "apply_config", Run: time.Hour})
		w.wait(WaitOptions{}, exit.OK, "create_branch\tfinished", "start_compute\tfinished")
		w.lasted(20 * time.Second)
	})
}

// If a list of projects cannot be read, an operation of no known project is an error, and not gone.
func TestWaitClaimsNothingOfAMissingList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &lacking{user{fleet: fleet{ids: []string{"p"}, fail: func(string) error { return nil }}}}
		api.trouble.Store(true)
		from, _ := sourceOf(t, control.Connection{API: api})
		run, err := Wait(from.options, WaitOptions{IDs: []string{"00000000-0000-4000-8000-000000000000"}})
		if err == nil {
			err = run(t.Context(), from)
		}
		if err == nil || !strings.Contains(err.Error(), "there may be more: cannot read the projects of Globex") {
			t.Errorf("the error is %v", err)
		}
		time.Sleep(2 * time.Second) // for the requests in flight
	})
}

// lacking is a service that has no operation.
type lacking struct{ user }

func (*lacking) Operation(context.Context, string, string) (models.Operation, error) {
	return models.Operation{}, &models.Error{Kind: models.KindNotFound, Status: 404}
}

// Trouble that comes twice is reported twice. Between the two lies more than the longest wait before another try, and the calm
// that has to follow.
func TestWaitTellsEachTrouble(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		id := w.below(mock.Task{Action: "create_branch", Run: 4 * time.Minute})
		for _, in := range []time.Duration{20 * time.Second, 2 * time.Minute} {
			w.fault("503 of GET /projects/*/operations/*", in, 15*time.Second)
		}
		w.wait(WaitOptions{IDs: []string{id}}, exit.OK)
		if told := strings.Count(w.printed, "retrying"); told != 2 || strings.Count(w.printed, "responds again") != 2 {
			t.Errorf("told %d times:\n%s", told, w.printed)
		}
	})
}

// A wait reports that nothing came in time only once that is known: an operation that began while a project could not be read
// counts, and so does one below a page of newer ones.
func TestWaitKnowsWhatCameInTime(t *testing.T) {
	t.Parallel()
	rules := WaitOptions{Actions: []string{"start_compute"}, AppearWithin: 30 * time.Second}
	second := mock.Task{Action: "start_compute", Run: time.Second}
	for name, prepare := range map[string]func(w *waited){
		"during an outage": func(w *waited) {
			w.fault("503", 12*time.Second, time.Minute)
			w.begin(22*time.Second, second)
		},
		"while one project fails": func(w *waited) {
			w.options.Projects = append(w.options.Projects, "late-cell-495947")
			w.fault("503 of GET /projects/"+w.project+"/operations", 12*time.Second, time.Minute)
			w.begin(22*time.Second, second)
		},
		"below a page": func(w *waited) {
			w.begin(27*time.Second, second)
			for range 300 {
				w.begin(29*time.Second, mock.Task{Action: "apply_config", Run: time.Millisecond})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				prepare(w)
				w.wait(rules, exit.OK, "start_compute\tfinished")
				time.Sleep(time.Minute)
			})
		})
	}
	waiting(t, func(w *waited) {
		w.fault("403 of list_operations", 12*time.Second, time.Minute)
		w.wait(rules, exit.Failed, "incomplete: cannot read scratchpad: ", "403")
		w.lasted(12 * time.Second)
		time.Sleep(2 * time.Minute)
	})
}

// Many operations are read by pages, also if the service does not answer at first.
func TestWaitForManyAfterSilence(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		var ids []string
		for range 20 {
			ids = append(ids, w.begin(0, mock.Task{Action: "create_branch", Run: time.Hour}))
		}
		w.below(mock.Task{Action: "create_branch", Run: time.Hour})
		began := time.Now()
		w.fails = func() error {
			if time.Since(began) < time.Minute {
				return &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			}
			return nil
		}
		w.wait(WaitOptions{IDs: ids, Timeout: 5 * time.Minute}, exit.Timeout, "no response", "responds again", "running")
		if single := w.requests("/operations/"); single > 4 {
			t.Errorf("%d of %d requests were for one operation", single, w.requests(""))
		}
	})
}
