package mock

import (
	"slices"
	"testing"
	"time"
)

// Most operations go well at once, a second failure is much rarer than a first, and what
// is given up was tried as often as it can be.
func TestFailuresDecay(t *testing.T) {
	t.Parallel()
	const n = 40_000
	for action, most := range map[string]float64{applyConfig: 0.012, checkAvailability: 0.025, startCompute: 0.025, createBranch: 0.015} {
		rng := newRand(1, 2)
		var finished [maxAttempts]int
		failed, early := 0, 0
		for range n {
			switch c := newCourse(rng, action); {
			case !c.failed:
				finished[c.tries-1]++
			case c.tries == maxAttempts:
				failed++
			default:
				early++
			}
		}
		if finished[1] == 0 || finished[2] == 0 || finished[2]*5 > finished[1] || finished[1]*5 > finished[0] {
			t.Errorf("%s: finished after failures: %v", action, finished)
		}
		if all := failed + early; float64(all) > most*n || float64(all) < most*n/4 || early*10 > all {
			t.Errorf("%s: %d failed in the end, %d of them early", action, all, early)
		}
	}
}

// The next attempt is announced after one that failed and before it begins, and nowhere
// else; an error is that of an attempt that is being mended, or of one that was the last.
func TestRetriesAreAnnounced(t *testing.T) {
	t.Parallel()
	s := &platform{world: world{live: true}}
	p := newProjects(world{seed: 7, start: noon(), projects: 1, live: true})[0]
	waits, errs := 0, map[string]map[string]bool{}
	for _, op := range lifeOf(p, noon(), 24*time.Hour) {
		for age := time.Duration(0); ; age += 250 * time.Millisecond {
			now := op.created.Add(age)
			w := s.wireOperation(p, op, now)
			ended := slices.Contains([]string{"finished", "cancelled", "skipped"}, w.Status)
			if w.RetryAt != nil {
				waits++
				if at, err := time.Parse(microStamp, *w.RetryAt); err != nil || !at.After(now) || w.FailuresCount == 0 || w.Status != "running" && w.Status != "cancelling" {
					t.Fatalf("at %s: %+v, next %s", now, w, *w.RetryAt)
				}
			}
			if (w.Error != "") != (w.FailuresCount > 0 && !ended) {
				t.Fatalf("%+v", w)
			}
			if w.Error != "" {
				if errs[w.Action] == nil {
					errs[w.Action] = map[string]bool{}
				}
				errs[w.Action][w.Error] = true
			}
			if op.state(age).done {
				break
			}
		}
	}
	if waits < 100 || len(errs[checkAvailability]) < 2 {
		t.Errorf("%d waits, errors %v", waits, errs)
	}
	for text := range errs[startCompute] {
		if errs[checkAvailability][text] || errs[createBranch][text] {
			t.Errorf("%q is said of everything", text)
		}
	}
}

// What is put away was made shortly before, and nothing happens on it any more.
func TestWhatIsPutAwayStaysAway(t *testing.T) {
	t.Parallel()
	p := newProjects(world{seed: 7, start: noon(), projects: 1, live: true})[0]
	ops := lifeOf(p, noon(), 48*time.Hour)
	slices.Reverse(ops)
	created, away := map[string]bool{}, map[string]bool{}
	for _, op := range ops {
		if away[op.branch] {
			t.Errorf("%s on a branch that was put away", op.action)
		}
		switch op.action {
		case createBranch:
			created[op.branch] = true
		case "timeline_archive", "delete_timeline":
			away[op.branch] = true
			if !created[op.branch] {
				t.Errorf("%s of a branch that was not made", op.action)
			}
		}
	}
	if len(away) < 10 {
		t.Errorf("%d branches were put away", len(away))
	}
}
