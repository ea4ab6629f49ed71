package feed

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// alerted drives a matcher, and counts its matches.
type alerted struct {
	*run

	matcher *Matcher
	found   map[string]int
	read    map[string][2]time.Time // when the page of each project that was read first was requested, and came
}

const longRun = time.Minute

// match matches failed operations, and those running for long, which only takes time.
func (a *alerted) match(_ string, op *models.Operation, asOf time.Time) bool {
	if took := op.Took(asOf); took.Known && took.Value > longRun {
		return true
	}
	return op.Status.Failed()
}

func newAlerted(r *run) *alerted {
	a := &alerted{run: r, found: map[string]int{}, read: map[string][2]time.Time{}}
	a.matcher = NewMatcher(r.Poller, a.match)
	r.check, r.take = false, a.hear
	return a
}

func (a *alerted) hear(answer Answer, now time.Time) {
	f := a.Feed(answer.Project)
	if _, read := a.read[answer.Project]; !read && f.Loaded() {
		a.read[answer.Project] = [2]time.Time{answer.AsOf, now}
	}
	for _, op := range a.matcher.Receive(f, answer) {
		a.found[op.ID]++
	}
}

// Whatever happens to the service, the scope and the filter, each matching operation that begins after its project was
// read is found once, and each that failed after the service first answered, whether its project was read before or not.
// What was over before is not found.
func TestMatcherFindsEachOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const minutes = 6
		r := newAlerted(draw(t, minutes, models.KindRateLimited, models.KindTimeout, models.KindUnreachable, models.KindServer))
		names := slices.Sorted(maps.Keys(r.platform.lives))
		for i := range r.platform.faults {
			r.platform.faults[i].paging = "" // only the user closes gaps where paging broke
		}
		r.window = time.Hour
		for end := r.now.Add(minutes * time.Minute); r.now.Before(end); {
			r.until(r.now.Add(drawSpan(t, "awake", time.Minute)))
			switch rapid.IntRange(0, 3).Draw(t, "does") {
			case 0:
				r.now = r.now.Add(drawSpan(t, "sleeps", 3*time.Minute))
			case 1:
				r.SetScope(rapid.SampledFrom(append(names, "")).Draw(t, "scope"))
			case 2:
				r.matcher.Restart(r.Poller, r.match)
			}
		}
		r.SetScope("") // only gaps in scope are filled
		r.until(r.now.Add(8 * time.Minute))
		r.foundWhatPassed()
	})
}

func (a *alerted) foundWhatPassed() {
	for project, lives := range a.platform.lives {
		for _, l := range lives {
			passes := l.as == models.StatusFailed || l.end.Sub(l.born) > longRun+time.Second
			may := passes || len(l.tries) > 0 || l.end.Sub(l.born) > longRun-time.Second
			switch n := a.found[l.id]; {
			case n > 1:
				a.fatalf("%s was found %d times", l.id, n)
			case n == 1 && (!may || l.end.Before(a.answered.Truncate(time.Second))):
				a.fatalf("%s was found: it began at %v and ended at %v", l.id, l.born, l.end)
			case n == 0 && l.as == models.StatusFailed && len(l.tries) == 0 && !l.end.Before(a.answered):
				a.fatalf("%s was not found: it failed at %v, and the service first answered at %v", l.id, l.end, a.answered)
			case n == 0 && passes && l.born.After(a.read[project][1]):
				a.fatalf("%s was not found: it began at %v, and the project was read at %v", l.id, l.born, a.read[project])
			}
		}
	}
}

// An operation that one filter found is not found by the next one, which finds nothing older than itself.
func TestMatcherWithAnotherFilter(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: time.Second, Budget: 10, PageSize: 10})
	p.SetProjects([]Project{{ID: "p"}}, true)
	second := 0
	take := func(m *Matcher, all ...models.Operation) (found []string) {
		second++
		for i := range all {
			all[i].CreatedAt = at(float64(all[i].FailuresCount) - 3600) // before the service first answered
		}
		a := Answer{request: request{Project: "p", AsOf: at(float64(second))}, Page: models.Page[models.Operation]{Items: all, AsOf: at(float64(second))}}
		a.Change = p.Receive(a, a.AsOf)
		for _, op := range m.Receive(p.Feed("p"), a) {
			found = append(found, op.ID)
		}
		return found
	}
	is := func(s models.Status) Match {
		return func(_ string, op *models.Operation, _ time.Time) bool { return op.Status == s }
	}
	op := func(n int64, s models.Status) models.Operation {
		return models.Operation{ID: fmt.Sprint(n), FailuresCount: n, Status: s}
	}
	m := NewMatcher(p.Poller, is(models.StatusRunning))
	for i, step := range []struct {
		restart Match
		page    []models.Operation
		want    string
	}{
		{nil, []models.Operation{op(2, models.StatusRunning), op(1, models.StatusFailed)}, "[]"},
		{nil, []models.Operation{op(4, models.StatusRunning), op(3, models.StatusRunning), op(2, models.StatusRunning)}, "[4 3]"},
		{is(models.StatusFailed), []models.Operation{op(5, models.StatusFailed), op(4, models.StatusFailed), op(3, models.StatusRunning)}, "[5]"},
		{nil, []models.Operation{op(5, models.StatusFailed), op(2, models.StatusFailed)}, "[2]"}, // it passed, and was not found
		{nil, []models.Operation{op(5, models.StatusFailed), op(1, models.StatusRunning)}, "[]"}, // it goes on, and fails again
		{nil, []models.Operation{op(5, models.StatusFailed), op(1, models.StatusFailed)}, "[]"},
		{is(models.StatusFinished), []models.Operation{op(5, models.StatusFinished), op(1, models.StatusFinished)}, "[1]"},
	} {
		if step.restart != nil {
			m.Restart(p.Poller, step.restart)
		}
		if got := fmt.Sprint(take(m, step.page...)); got != step.want {
			t.Errorf("step %d: found %s, want %s", i, got, step.want)
		}
	}
}

// A failure alerts once while the operation is tried again and again, and again after it had finished.
func TestMatcherFindsAFailureOnce(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: time.Second, Budget: 10, PageSize: 10})
	p.SetProjects([]Project{{ID: "p"}}, true)
	m := NewMatcher(p.Poller, func(_ string, op *models.Operation, _ time.Time) bool { return op.Status.Failed() })
	found := ""
	for i, status := range []models.Status{"", "running", "failed", "running", "failed", "running", "finished", "failed", "running", "failed"} {
		now := at(float64(i))
		a := Answer{request: request{Project: "p", AsOf: now}, Page: models.Page[models.Operation]{AsOf: now}}
		if status != "" {
			a.Page.Items = []models.Operation{{ID: "x", Status: status, CreatedAt: at(0), UpdatedAt: now}}
		}
		a.Change = p.Receive(a, now)
		for range m.Receive(p.Feed("p"), a) {
			found += fmt.Sprint(i, " ")
		}
	}
	if found != "2 7 " {
		t.Errorf("found after the steps %s", found)
	}
}
