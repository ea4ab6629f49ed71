package script

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/client/mock"
	"pgtower/internal/cli/exit"
	"pgtower/internal/driver"
	"pgtower/internal/faultserver"
	"pgtower/models"
	"pgtower/models/control"
)

// waited is a mock, and what a wait for its operations asked for and printed.
type waited struct {
	*mock.Server

	t       *testing.T
	options Options                    // of a project where nothing begins by itself
	project string                     // this project
	input   string                     // the standard input
	change  func(answer string) string // changes what the service answers, if not nil
	printed string
	took    time.Duration

	mu    sync.Mutex
	asked []string
	fails func() error // what a request fails with; nil: nothing does
}

// waiting runs a test against the mock in fake time.
func waiting(t *testing.T, do func(w *waited)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server, err := mock.New(mock.Options{Seed: 7, Clock: time.Now, Live: true})
		if err != nil {
			t.Fatal(err)
		}
		all, err := server.Projects("", "scratchpad", "", 1)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		time.Sleep(300 * time.Millisecond) // so that no second begins with an operation
		id := all[0].ID
		options := Options{Interval: 5 * time.Second, PageSize: 100, Budget: 5, Projects: []string{id}}
		do(&waited{Server: server, t: t, options: options, project: id})
	})
}

// RoundTrip passes requests to the mock without a network, so that time can be faked.
func (w *waited) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, strings.TrimPrefix(r.URL.Path, mock.BasePath))
	w.mu.Unlock()
	if w.fails != nil {
		if err := w.fails(); err != nil {
			return nil, err
		}
	}
	answer, err := faultserver.InProcess{Handler: w}.RoundTrip(r)
	if err == nil && w.change != nil {
		text, _ := io.ReadAll(answer.Body) // of a recorder
		answer.Body = io.NopCloser(strings.NewReader(w.change(string(text))))
	}
	return answer, err
}

// begin starts an operation after some time.
func (w *waited) begin(in time.Duration, task mock.Task) (id string) {
	w.t.Helper()
	task.ProjectID = w.project
	if in > 0 {
		go func() {
			time.Sleep(in)
			if _, err := w.Start(task); err != nil {
				w.t.Error(err)
			}
		}()
		return ""
	}
	op, err := w.Start(task)
	if err != nil {
		w.t.Fatal(err)
	}
	return op.ID
}

// wait waits, and checks the exit code and texts that are printed.
func (w *waited) wait(o WaitOptions, code int, texts ...string) {
	w.t.Helper()
	files := driver.NewFiles(w.t, w.input)
	api := clientOf(w.t, w.Server, client.Options{Clock: time.Now, Transport: w})
	of := Process{Stdin: files.In, Stdout: files.Out, Stderr: files.Err, Clock: time.Now}
	run, err := Wait(&w.options, o)
	if err == nil {
		began := time.Now()
		err = run(w.t.Context(), NewSource(of, &w.options, control.Connection{API: api}, time.Now))
		w.took = time.Since(began)
	}
	stdout, stderr := files.Printed()
	w.printed = stdout + stderr + fmt.Sprint(err)
	got := exit.Failed
	switch {
	case err == nil:
		got = exit.OK
	case errors.Is(err, exit.ErrTimeout):
		got = exit.Timeout
	}
	if got != code {
		w.t.Errorf("exit code %d, want %d", got, code)
	}
	for _, text := range texts {
		if !strings.Contains(w.printed, text) {
			w.t.Errorf("%q is missing", text)
		}
	}
	if w.t.Failed() {
		w.t.Fatalf("after %s:\n%s", w.took, w.printed)
	}
}

// lasted checks how long the wait took, up to an interval, and the fraction that times of the service lack.
func (w *waited) lasted(d time.Duration) {
	w.t.Helper()
	if w.took < d-time.Second || w.took > d+5*time.Second {
		w.t.Errorf("it took %s, want %s", w.took, d)
	}
}

// A wait ends at once if only the user can end the trouble, and goes on without a name that existed before.
func TestWaitWithoutAWayToTheService(t *testing.T) {
	t.Parallel()
	noName := &net.DNSError{Err: "no such host", Name: "mock.example", IsNotFound: true}
	for name, c := range map[string]struct {
		from, to time.Duration
		err      error
		code     int
		lasts    time.Duration
		says     string
	}{
		"a certificate at first": {0, time.Hour, x509.UnknownAuthorityError{}, exit.Failed, 0, "unknown authority"},
		"a certificate later":    {20 * time.Second, time.Hour, x509.UnknownAuthorityError{}, exit.Failed, 20 * time.Second, "unknown authority"},
		"no name at first":       {0, time.Hour, noName, exit.Failed, 0, "no such host"},
		"no name for a while":    {20 * time.Second, 40 * time.Second, noName, exit.OK, 75 * time.Second, "no such host; retrying"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				began, id := time.Now(), w.begin(0, mock.Task{Action: "apply_config", Run: time.Minute})
				w.fails = func() error {
					if passed := time.Since(began); passed >= c.from && passed < c.to {
						return c.err
					}
					return nil
				}
				w.wait(WaitOptions{IDs: []string{id}}, c.code, c.says)
				if w.took < c.lasts-15*time.Second || w.took > c.lasts+15*time.Second {
					t.Errorf("it took %s, want %s", w.took, c.lasts)
				}
			})
		})
	}
}

// A failure is an end, unless the service or the user says that the operation is tried again.
func TestWaitKnowsWhichFailureIsTriedAgain(t *testing.T) {
	t.Parallel()
	again := func(retry time.Duration) mock.Task {
		return mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true, Retry: retry}
	}
	for name, c := range map[string]struct {
		task  mock.Task
		rules WaitOptions
		code  int
		text  string
		took  time.Duration
	}{
		"within the time":           {again(30 * time.Second), WaitOptions{RetryWithin: time.Minute}, 0, "finished\t", 50 * time.Second},
		"at retry_at, after it":     {again(5 * time.Minute), WaitOptions{RetryWithin: time.Minute}, 0, "finished\t", 320 * time.Second},
		"at retry_at, without time": {again(30 * time.Second), WaitOptions{}, 0, "finished\t", 50 * time.Second},
		"never": {
			mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true},
			WaitOptions{RetryWithin: time.Minute},
			1, "failed\t", 70 * time.Second,
		},
		"never, by default": {
			mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true}, WaitOptions{}, 1, "failed\t", 10 * time.Second,
		},
		"but not with fail-fast": {
			again(30 * time.Second), WaitOptions{RetryWithin: time.Minute, FailFast: true}, 1, "failed\t", 10 * time.Second,
		},
		"but not in time": {
			again(30 * time.Second), WaitOptions{RetryWithin: time.Minute, Timeout: 20 * time.Second}, 4, "timeout\t", 20 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				c.rules.IDs = []string{w.begin(0, c.task)}
				w.wait(c.rules, c.code, c.text)
				w.lasted(c.took)
			})
		})
	}
}

// A failure with an announced retry is an end if 15 seconds after that it is still one. A retry_at that is not after the
// failure announces nothing, and an error is not tried again, whatever its retry_at.
func TestWaitBelievesRetryAt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status models.Status
		retry  time.Duration // after the operation began
		rules  WaitOptions
		took   time.Duration
	}{
		"ahead":              {models.StatusFailed, 40 * time.Second, WaitOptions{}, 55 * time.Second},
		"before the failure": {models.StatusFailed, 5 * time.Second, WaitOptions{}, 10 * time.Second},
		"ahead, and within":  {models.StatusFailed, 40 * time.Second, WaitOptions{RetryWithin: time.Minute}, 70 * time.Second},
		"ahead of an error":  {models.StatusError, 40 * time.Second, WaitOptions{RetryWithin: time.Minute}, 10 * time.Second},
		"ahead of an end":    {models.StatusCancelled, 40 * time.Second, WaitOptions{RetryWithin: time.Minute}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				c.rules.IDs = []string{w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true})}
				retry := time.Now().Add(c.retry).UTC().Format(time.RFC3339)
				w.change = func(answer string) string {
					return strings.ReplaceAll(answer, `"status":"failed"`, fmt.Sprintf(`"status":%q,"retry_at":%q`, c.status, retry))
				}
				w.wait(c.rules, 1, string(c.status)+"\t"+c.rules.IDs[0])
				w.lasted(c.took)
			})
		})
	}
}

// A failure ends the wait for its operation, and the wait for the others goes on.
func TestWaitGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		bad := w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true})
		good := w.begin(0, mock.Task{Action: "start_compute", Run: time.Minute})
		w.wait(WaitOptions{IDs: []string{bad, good}}, 1, "failed\t"+bad, "finished\t"+good)
		w.lasted(time.Minute)
	})
}

// A failure that is old already ends the wait at once.
func TestWaitEndsAtAnOldFailure(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		id := w.begin(0, mock.Task{Action: "create_branch", Run: time.Second, Fail: true})
		time.Sleep(2 * time.Minute)
		w.wait(WaitOptions{IDs: []string{id}, RetryWithin: time.Minute}, 1, "failed\t")
		w.lasted(0)
	})
}

// At the end of its time, a wait prints what it knows of each operation. It was read by pages.
func TestWaitWithoutTime(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		w.options.JSON, w.options.PageSize = true, 1
		w.begin(0, mock.Task{Action: "apply_config", Run: time.Second})
		id := w.begin(0, mock.Task{Action: "create_branch", Run: time.Hour})
		time.Sleep(10 * time.Second)
		for _, rules := range []WaitOptions{{IDs: []string{id}}, {}} {
			rules.Timeout = 3 * time.Second
			w.wait(rules, 4, `{"result":"timeout","id":"`+id+`","project_id":"`+w.project, `"status":"running"`,
				`"duration_ms":1`, "not ended after 3s: 1 of 1 operations")
			w.lasted(3 * time.Second)
		}
	})
}

// With --fail-fast, the first failure ends the wait for all.
func TestWaitFailsFast(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		long := w.begin(0, mock.Task{Action: "create_branch", Run: time.Hour})
		bad := w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true})
		w.wait(WaitOptions{IDs: []string{long, bad}, RetryWithin: time.Minute, FailFast: true}, 1, "failed\t"+bad)
		w.lasted(10 * time.Second)
	})
}

// An operation that is named has to come: one that began just before the wait or during it counts, and one that never came is a
// failure.
func TestWaitForWhatIsNamed(t *testing.T) {
	t.Parallel()
	second := mock.Task{Action: "start_compute", Run: time.Second}
	for name, c := range map[string]struct {
		began time.Duration // before the wait; 0 for not
		in    time.Duration // after its beginning; 0 for not
		rules WaitOptions
		code  int
		text  string
		took  time.Duration
	}{
		"begun and ended before":   {began: 20 * time.Second, rules: WaitOptions{AppearWithin: 30 * time.Second}, text: "finished\t"},
		"begins later":             {in: 12 * time.Second, rules: WaitOptions{AppearWithin: 30 * time.Second}, text: "finished\t", took: 12 * time.Second},
		"begins too late":          {in: 50 * time.Second, rules: WaitOptions{AppearWithin: 30 * time.Second}, code: 1, text: "no operation came within 30s with --action start_compute", took: 30 * time.Second},
		"began too long before":    {began: time.Minute, rules: WaitOptions{AppearWithin: 30 * time.Second}, code: 1, text: "no operation came", took: 30 * time.Second},
		"is not waited for":        {in: 12 * time.Second, code: 1, text: "no operation came with --action start_compute"},
		"is longer than the limit": {rules: WaitOptions{AppearWithin: time.Hour, Timeout: time.Minute}, code: 4, text: "no operation came", took: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				w.begin(0, mock.Task{Action: "create_branch", Run: time.Hour}) // another action
				if c.began > 0 {
					w.begin(0, second)
					time.Sleep(c.began)
				}
				if c.in > 0 {
					w.begin(c.in, second)
				}
				c.rules.Actions = []string{"start_compute"}
				w.wait(c.rules, c.code, c.text)
				w.lasted(c.took)
				time.Sleep(time.Minute)
			})
		})
	}
}

// Each operation that is named has to come, on the same branch.
func TestWaitForEachOfWhatIsNamed(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		id := w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		op, err := w.Operation(w.project, id)
		if err != nil {
			t.Fatal(err)
		}
		w.begin(20*time.Second, mock.Task{Action: "start_compute", Run: 10 * time.Second})
		rules := WaitOptions{
			Branches: []string{op.BranchID}, Actions: []string{"create_branch", "start_compute"}, AppearWithin: 30 * time.Second,
		}
		w.wait(rules, 0, "create_branch\tfinished", "start_compute\tfinished")
		w.lasted(30 * time.Second)
		rules.Endpoints = []string{"ep-other-1"}
		w.wait(rules, 1, "with --branch "+op.BranchID+", --endpoint ep-other-1, --action create_branch")
	})
}

// Without anything that is unfinished there is nothing to wait for, unless it comes in time.
func TestWaitForAProject(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		w.wait(WaitOptions{}, 1, "no unfinished operation began in the last 24 hours, and none came")
		w.begin(7*time.Second, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		w.wait(WaitOptions{AppearWithin: 20 * time.Second}, 0, "create_branch\tfinished")
		w.lasted(17 * time.Second)
	})
}

// With --idle, the project has to be idle for that long, also if something begins meanwhile.
func TestWaitUntilIdle(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		w.wait(WaitOptions{Idle: 5 * time.Second}, 0)
		w.lasted(0)
		w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		w.begin(14*time.Second, mock.Task{Action: "start_compute", Run: 20 * time.Second, Fail: true, Retry: 30 * time.Second})
		w.wait(WaitOptions{Idle: 10 * time.Second, RetryWithin: time.Minute}, 0, "create_branch\tfinished", "start_compute\tfinished")
		w.lasted(94 * time.Second)
		w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second, Fail: true})
		w.wait(WaitOptions{Idle: 10 * time.Second}, 1, "failed")
		w.begin(0, mock.Task{Action: "create_branch", Run: time.Minute})
		w.wait(WaitOptions{Idle: 10 * time.Second, Timeout: 65 * time.Second}, 4, "finished", "not idle for 10s within 65s")
	})
}

// The operations of an answer on the standard input are waited for, in their projects.
func TestWaitForAnAnswer(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		one := w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		two := w.begin(0, mock.Task{Action: "start_compute", Run: 20 * time.Second})
		all := []string{standardInput}
		w.input = fmt.Sprintf(`{"branch":{"id":"br-1"},"operations":[{"id":%q,"project_id":%q,"action":"create_branch"},`+
			`{"id":%q,"project_id":%[2]q}]}`, one, w.project, two)
		w.wait(WaitOptions{IDs: all}, 0, "finished\t"+one, "finished\t"+two)
		w.lasted(20 * time.Second)
		one = w.begin(0, mock.Task{Action: "create_branch", Run: 10 * time.Second})
		two = w.begin(0, mock.Task{Action: "start_compute", Run: 20 * time.Second})
		answer := func(id string) string {
			return fmt.Sprintf(`{"operations":[{"id":%q,"project_id":%q}]}`, id, w.project)
		}
		w.input = answer(one) + "\n" + answer(two) + `{"operations":[]}` + answer(one)
		w.wait(WaitOptions{IDs: all}, 0, "finished\t"+one, "finished\t"+two)
		w.lasted(20 * time.Second)
		if n := strings.Count(w.printed, "finished\t"+one); n != 1 {
			t.Errorf("one operation of two answers was written %d times", n)
		}
		for input, want := range map[string]string{
			`{"branch":{"id":"br-1"}}`:               "the standard input has no operations",
			`{"operations":null}`:                    "the standard input has no operations",
			`{"operations":[]}{"operations":null}`:   "the standard input has no operations",
			``:                                       "must be an answer of the service",
			`{"operations":[{"id":"x"}]}`:            "an operation with a wrong id",
			`{"code":"","message":"branch is busy"}`: "the service did not start an operation: branch is busy",

			answer(one) + `{"message":"branch is busy"}`: "the service did not start an operation: branch is busy",
			answer(one) + `{"operations"`:                "must be an answer of the service",
		} {
			w.input = input
			w.wait(WaitOptions{IDs: all}, 1, want)
		}
		w.asked = nil
		for _, input := range []string{`{"operations":[]}`, `{"project":{"id":"p"},"operations":[]}` + "\n" + `{"operations":[]}`} {
			w.input = input
			w.wait(WaitOptions{IDs: all}, 0, "nothing to wait for: the answer started no operation")
		}
		if len(w.asked) > 0 {
			t.Errorf("nothing to wait for, and asked for %q", w.asked)
		}
	})
}

// Many operations are read by pages, also those that are far from the newest, and each end is found.
func TestWaitForManyByPages(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		var ids []string
		for i := range 150 {
			ids = append(ids, w.begin(0, mock.Task{Action: "create_branch", Run: time.Duration(20+i%30) * time.Second}))
		}
		for range 200 {
			w.begin(0, mock.Task{Action: "apply_config", Run: time.Second})
		}
		w.wait(WaitOptions{IDs: ids}, 0)
		w.lasted(49 * time.Second)
		single := 0
		for _, path := range w.asked {
			if strings.Count(path, "/") > 3 {
				single++
			}
		}
		if n := strings.Count(w.printed, "finished\t"); n != 2*len(ids) || single > 4 || len(w.asked) > 60 {
			t.Errorf("%d ends, %d of %d requests were for one operation", n/2, single, len(w.asked))
		}
	})
}

// An operation that is not there yet may come, if asked.
func TestWaitForAnOperationThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		const never = "00000000-0000-4000-8000-000000000000"
		w.wait(WaitOptions{IDs: []string{never}}, 1, "gone\t"+never)
		w.lasted(0)
		w.wait(WaitOptions{IDs: []string{never}, AppearWithin: 30 * time.Second}, 1, "gone\t"+never)
		w.lasted(30 * time.Second)
	})
}

// Options that cannot be combined are refused.
func TestWaitRefuses(t *testing.T) {
	t.Parallel()
	id := "5dfaa84f-1a6b-4d4c-8c8d-0f8f3f3c0a51"
	for want, o := range map[string]WaitOptions{
		"nothing to wait for":             {},
		"operation ids cannot be":         {IDs: []string{id}, Actions: []string{"create_branch"}},
		"--idle is about all":             {IDs: []string{id}, Idle: time.Second},
		"must be an operation id":         {IDs: []string{id, standardInput}},
		"take ids and names, not \"a b\"": {Endpoints: []string{"a b"}},
		"--branch: must be the id or the": {Branches: []string{" a"}},
	} {
		_, err := Wait(&Options{}, o)
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(exit.UsageError)) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}

// A wait tells which operation holds it, how long that takes, and how long such operations usually do. After a timeout, it tells what to do.
func TestWaitTellsWhatHolds(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		for i := range 10 {
			w.begin(0, mock.Task{Action: "swap_binding_id", Run: time.Duration(i+1) * time.Second})
		}
		time.Sleep(30 * time.Second)
		id := w.begin(0, mock.Task{Action: "swap_binding_id", Run: time.Hour})
		rare := w.begin(0, mock.Task{Action: "epc_sync", Run: time.Hour})
		w.wait(WaitOptions{IDs: []string{id, rare}, Timeout: 2*time.Minute + 30*time.Second}, exit.Timeout,
			"0 of 2 ended · ", "swap_binding_id of scratchpad · 2m30s of ~5s, usually 1s to 9s\n", "epc_sync of scratchpad · 2m30s\n",
			"the service goes on with them: wait again with pgtower wait --project "+w.project+" ", "or give a longer --timeout")
		if n := strings.Count(w.printed, "0 of 2 ended"); n != 2 {
			t.Errorf("told %d times:\n%s", n, w.printed)
		}
	})
}
