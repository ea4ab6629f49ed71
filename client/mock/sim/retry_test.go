package sim

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// A part of the operations that fail is tried again: failed, running, finished. The others stay failed.
func TestFailuresThatAreTriedAgain(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7, Live: true})
	recovered, stayed := 0, 0
	for _, op := range life(p.projects[0], 3*day) {
		states := op.states()
		i := slices.IndexFunc(states, func(s state) bool { return s.status == failed })
		switch {
		case i < 0:
		case i == len(states)-1:
			stayed++
		default:
			s, again, end := states[i], states[i+1], states[len(states)-1]
			recovered++
			if s.failures == 0 || s.retry != again.since || again.status != running || again.failures != s.failures {
				t.Fatalf("%+v is followed by %+v", s, again)
			}
			if end.status != finished || end.failures != s.failures {
				t.Fatalf("it ended as %+v", end)
			}
		}
	}
	if recovered < 10 || stayed < 10 {
		t.Errorf("%d recovered, %d stayed failed", recovered, stayed)
	}
}

// The next attempt is announced with a failed one, and the record keeps its time; an operation has an error while an
// attempt has failed and none has succeeded.
func TestRetriesAreAnnounced(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7, Live: true, Microseconds: true})
	waits, errs := 0, map[string]bool{}
	for _, op := range life(p.projects[0], 12*time.Hour) {
		for _, st := range op.states() {
			r := p.projects[0].operation(op, op.created.Add(st.since))
			if r.Status == running && r.FailuresCount > 0 != (r.RetryAt != nil) {
				t.Fatalf("%+v", r)
			}
			if r.RetryAt != nil {
				waits++
			}
			ended := slices.Contains([]string{finished, cancelled, skipped}, r.Status)
			if (r.Error != "") != (r.FailuresCount > 0 && !ended) {
				t.Fatalf("%+v", r)
			}
			errs[r.Error] = true
		}
	}
	if waits < 50 || len(errs) < 6 {
		t.Errorf("%d waits, errors %v", waits, errs)
	}
}

// An operation that fails by hand may be tried again, and may fail again before that.
func TestFailuresByHand(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Live: true, Microseconds: true})
	busiest := p.BusiestProject()
	op, err := p.Start(Task{ProjectID: busiest, Action: createBranch, Wait: time.Second, Run: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range 60 {
		if i == 1 || i == 3 {
			if _, err := p.Fail(busiest, op.ID, 30*time.Second); err != nil {
				t.Fatal(err)
			}
		}
		now, err := p.Operation(busiest, op.ID)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got); n == 0 || got[n-1] != now.Status {
			got = append(got, now.Status)
		}
		clock.advance(5 * time.Second)
	}
	if want := []string{scheduling, failed, running, finished}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	now, err := p.Operation(busiest, op.ID)
	if err != nil || now.FailuresCount != 2 || now.Error != "" {
		t.Errorf("%+v, %v", now, err)
	}
	if _, err := p.Fail(busiest, op.ID, 0); !errors.Is(err, ErrEnded) {
		t.Errorf("after it has finished: %v", err)
	}
}

// An operation that fails by hand without a retry has ended, also one of the simulation.
func TestFailuresForGood(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Live: true})
	busiest := p.BusiestProject()
	clock.advance(20 * time.Second)
	all, _, err := p.Operations(busiest, "", 50)
	i := slices.IndexFunc(all, func(op Operation) bool { return op.Status == scheduling || op.Status == running })
	if err != nil || i < 0 {
		t.Fatalf("nothing is under way: %v", err)
	}
	got, err := p.Fail(busiest, all[i].ID, 0)
	if err != nil || got.Status != failed || got.FailuresCount != all[i].FailuresCount+1 || got.Error == "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := p.Fail(busiest, got.ID, 0); !errors.Is(err, ErrEnded) {
		t.Errorf("a second time: %v", err)
	}
	clock.advance(time.Hour)
	if later, err := p.Operation(busiest, got.ID); err != nil || later.Status != failed || later.UpdatedAt != got.UpdatedAt {
		t.Errorf("it became %+v, %v", later, err)
	}
}

// A task with a retry fails once.
func TestTasksThatAreTriedAgain(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{})
	task := Task{ProjectID: p.BusiestProject(), Action: createBranch, Run: 5 * time.Second, Fail: true, Retry: 30 * time.Second}
	op, err := p.Start(task)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{running, failed, running, finished} {
		if now, err := p.Operation(task.ProjectID, op.ID); err != nil || now.Status != want {
			t.Errorf("%+v, %v, want %s", now, err, want)
		}
		clock.advance(map[string]time.Duration{running: 5 * time.Second, failed: 30 * time.Second}[want])
	}
	for _, wrong := range []Task{
		{ProjectID: task.ProjectID, Action: createBranch, Retry: time.Second},
		{ProjectID: task.ProjectID, Action: createBranch, Fail: true, Retry: -time.Second},
	} {
		if _, err := p.Start(wrong); err == nil {
			t.Errorf("%+v was started", wrong)
		}
	}
}
