package incident

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// TestStatesOfMadeUpOperations compares the states of groups with a recount of made-up operations: bursts in one second,
// lone failures, running ones, and ones without a readable time.
func TestStatesOfMadeUpOperations(t *testing.T) {
	t.Parallel()
	said := map[State]int{}
	for seed := range uint64(1000) {
		w := newWorld(seed)
		w.seconds(1+w.rng.IntN(12), noon())
		span := Span{Window: 15 * time.Minute, Now: noon(), Projects: map[string]time.Time{}}
		read := slices.Clone(w.operations)
		if seed%2 == 0 {
			read = w.forget(span)
		}
		for _, by := range Dimensions() {
			for _, g := range Groups(by, slices.Values(read), PastsOf(slices.Values(read)), span) {
				w.checkSeen(t, by, g, read, span, said)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for state := range states {
		if said[state] < 100 {
			t.Errorf("%v was said %d times", state, said[state])
		}
	}
}

// forget has a project read only from a time on. What has no readable time is read.
func (w *world) forget(span Span) (read []Operation) {
	project, since := w.projects[w.rng.IntN(3)].Project, noon().Add(-time.Duration(w.rng.IntN(45))*time.Minute)
	span.Projects[project] = since
	for _, o := range w.operations {
		if o.Project != project || o.CreatedAt.IsZero() || o.CreatedAt.After(since) || w.rng.IntN(2) == 0 && o.CreatedAt.Equal(since) {
			read = append(read, o)
		}
	}
	return read
}

// checkSeen compares the counts of a group with a recount, project by project.
func (w *world) checkSeen(t *testing.T, by Dimension, g Group, read []Operation, span Span, said map[State]int) {
	t.Helper()
	var want [states]int
	projects := map[string]State{}
	for _, o := range read {
		if !o.Status.Failed() || by.Of(o) != g.Value {
			continue
		}
		state := w.claim(by, o, read, span)
		known, has := projects[o.Project]
		if !has || state < known {
			projects[o.Project] = state
		}
	}
	for _, state := range projects {
		want[state]++
		said[state]++
	}
	for state := range states {
		if g.Seen[state].Projects != want[state] {
			t.Errorf("by %v, %q: %v in %d projects, made was %d", by, g.Value, state, g.Seen[state].Projects, want[state])
		}
	}
	if len(projects) > 0 && g.Projects != len(projects) {
		t.Errorf("by %v, %q: %d projects with a failure, made were %d", by, g.Value, g.Projects, len(projects))
	}
}

// claim returns what can be said of the work of a failure in a group, from the definitions: it collects what is true, and
// takes the first. What it says must also hold for what was made and not read.
func (w *world) claim(by Dimension, f Operation, read []Operation, span Span) State {
	var failures, work []Operation
	for _, o := range read {
		if WorkOf(o) != WorkOf(f) {
			continue
		}
		work = append(work, o)
		if o.Status.Failed() && by.Of(o) == by.Of(f) {
			failures = append(failures, o)
		}
	}
	timeless := func(o Operation) bool { return o.CreatedAt.IsZero() || o.Status.Done() && o.UpdatedAt.IsZero() }
	ended := func(o Operation) time.Time {
		return slices.MaxFunc([]time.Time{o.CreatedAt, o.UpdatedAt}, time.Time.Compare)
	}
	timed := slices.DeleteFunc(slices.Clone(failures), timeless)
	if len(timed) == 0 {
		return Unknown
	}
	last := slices.MaxFunc(timed, func(a, b Operation) int { return ended(a).Compare(ended(b)) })
	at, since := ended(last), span.completeSince(f.Project)
	finishedLater := func(o Operation) bool { return o.Status == models.StatusFinished && ended(o).After(at) }
	beganLater := func(o Operation) bool { return o.CreatedAt.After(at) }
	beganThen := func(o Operation) bool {
		own := o.Status.Failed() && by.Of(o) == by.Of(f) && !timeless(o) && ended(o).Equal(at)
		return o.CreatedAt.Equal(at) && !own
	}
	sure := len(timed) == len(failures)
	allTimed, worked := !slices.ContainsFunc(work, timeless), slices.ContainsFunc(work, finishedLater)
	switch {
	case sure && worked:
		return Worked
	case !worked && allTimed && span.Now.Sub(at) < span.Window && at.Sub(since) > MaxRun:
		return Failing
	case sure && slices.ContainsFunc(work, beganLater):
		return TriedAgain
	case sure && allTimed && !slices.ContainsFunc(work, beganThen) && at.After(since):
		return NotTried
	}
	return Unknown
}

// TestStatesHoldForWhatWasNotRead compares the states of a part of the operations with all of them: an operation that was
// not read makes no state wrong.
func TestStatesHoldForWhatWasNotRead(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		w := newWorld(seed)
		w.seconds(2+w.rng.IntN(12), noon())
		span := Span{Window: 15 * time.Minute, Now: noon(), Projects: map[string]time.Time{}}
		read := w.forget(span)
		failures, pasts := map[Work]Failures{}, PastsOf(slices.Values(read))
		for _, o := range read {
			if o.Status.Failed() {
				one := failures[WorkOf(o)]
				one.Add(o.Operation)
				failures[WorkOf(o)] = one
			}
		}
		for work, one := range failures {
			state, at := one.State(pasts[work], span.completeSince(work.Project), span)
			for _, o := range w.operations {
				if WorkOf(o) != work {
					continue
				}
				began, seen := o.CreatedAt.After(at), slices.Contains(read, o)
				finished := o.Status == models.StatusFinished && o.EndedAt().After(one.last)
				if state == NotTried && began || state == Failing && finished || state == TriedAgain && began && seen {
					t.Fatalf("seed %d: %v is %v since %v, but %+v", seed, work, state, at, o.Operation)
				}
			}
		}
	}
}

// TestStates pins down each combination of facts about a work.
func TestStates(t *testing.T) {
	t.Parallel()
	const window = 15 * time.Minute
	minute := func(ago int) time.Time { return noon().Add(-time.Duration(ago) * time.Minute) }
	op := func(status models.Status, began, ended int) *models.Operation {
		return &models.Operation{Status: status, CreatedAt: minute(began), UpdatedAt: minute(ended)}
	}
	failed, finished, running := models.StatusFailed, models.StatusFinished, models.StatusRunning
	for name, c := range map[string]struct {
		failure  *models.Operation
		others   []*models.Operation
		complete int // minutes ago
		want     State
		since    int // minutes ago, or -1
	}{
		"a lone failure long ago":              {op(failed, 54, 53), nil, 600, NotTried, 53},
		"a lone failure in the window":         {op(failed, 4, 3), nil, 600, Failing, 3},
		"one finished later":                   {op(failed, 4, 3), []*models.Operation{op(finished, 5, 2)}, 3, Worked, 3},
		"one finished in the same second":      {op(failed, 4, 3), []*models.Operation{op(finished, 4, 3)}, 600, Failing, 3},
		"the same long ago":                    {op(failed, 54, 53), []*models.Operation{op(finished, 54, 53)}, 600, NotTried, 53},
		"one runs since":                       {op(failed, 54, 53), []*models.Operation{op(running, 2, 2)}, 600, TriedAgain, 2},
		"one runs since, in the window":        {op(failed, 4, 3), []*models.Operation{op(running, 2, 2)}, 600, Failing, 3},
		"one runs that began before":           {op(failed, 54, 53), []*models.Operation{op(running, 55, 55)}, 600, NotTried, 53},
		"another error since":                  {op(failed, 54, 53), []*models.Operation{op(failed, 2, 1)}, 600, TriedAgain, 2},
		"one was cancelled since":              {op(failed, 54, 53), []*models.Operation{op(models.StatusCancelled, 2, 1)}, 600, TriedAgain, 2},
		"one began in the same second":         {op(failed, 54, 53), []*models.Operation{op(running, 53, 53)}, 600, Unknown, 53},
		"it failed in the second it began":     {op(failed, 53, 53), nil, 600, NotTried, 53},
		"the time since was not read":          {op(failed, 54, 53), nil, 30, Unknown, 53},
		"and yet one was seen":                 {op(failed, 54, 53), []*models.Operation{op(running, 2, 2)}, 30, TriedAgain, 2},
		"what began before was not read":       {op(failed, 4, 3), nil, 5, NotTried, 3},
		"one has no time":                      {op(failed, 4, 3), []*models.Operation{{Status: finished}}, 600, Unknown, 3},
		"the failure has no time":              {&models.Operation{Status: failed}, []*models.Operation{op(finished, 1, 0)}, 600, Unknown, -1},
		"the failure began and ended unknown":  {&models.Operation{Status: failed, CreatedAt: minute(4)}, nil, 600, Unknown, -1},
		"one ended before it began: its clock": {op(failed, 4, 3), []*models.Operation{op(finished, 2, 9)}, 600, Worked, 3},
	} {
		var failures Failures
		var past Past
		failures.Add(c.failure)
		past.Add(c.failure)
		for _, other := range c.others {
			past.Add(other)
		}
		state, since := failures.State(past, minute(c.complete), Span{Window: window, Now: noon()})
		if state != c.want || c.since < 0 != since.IsZero() || c.since >= 0 && !since.Equal(minute(c.since)) {
			t.Errorf("%s: %v since %v, want %v", name, state, since, c.want)
		}
	}
}

// A failure without a readable time may be the last one: an operation that finished after the others does not prove that
// it works.
func TestStatesOfAFailureWithoutATime(t *testing.T) {
	t.Parallel()
	failed := models.Operation{Status: models.StatusFailed, CreatedAt: noon(), UpdatedAt: noon()}
	finished := models.Operation{Status: models.StatusFinished, CreatedAt: noon(), UpdatedAt: noon().Add(time.Minute)}
	untimed := models.Operation{Status: models.StatusFailed, CreatedAt: noon()}
	var failures Failures
	var past Past
	for _, o := range []*models.Operation{&failed, &finished, &untimed} {
		past.Add(o)
		if o.Status.Failed() {
			failures.Add(o)
		}
	}
	span := Span{Window: time.Hour, Now: noon().Add(5 * time.Minute)}
	if state, _ := failures.State(past, time.Time{}, span); state != Unknown {
		t.Errorf("%v", state)
	}
}

// TestSentencesCountProjects pins down the sentences of groups with several projects.
func TestSentencesCountProjects(t *testing.T) {
	t.Parallel()
	moment := func(s State, _ time.Time) string {
		return map[State]string{NotTried: " since 53m", TriedAgain: " 2m ago"}[s]
	}
	for want, seen := range map[string]map[State]int{
		"failing":             {Failing: 1},
		"failing in 3 of 3":   {Failing: 3},
		"worked since":        {Worked: 4},
		"not tried since 53m": {NotTried: 2},
		"tried again 2m ago":  {TriedAgain: 1},
		"unknown":             {Unknown: 2},
		"":                    {},
		"failing in 2 of 4, not tried since 53m in 1, worked since in 1": {Failing: 2, NotTried: 1, Worked: 1},
		"tried again 2m ago in 1 of 2, unknown in 1":                     {TriedAgain: 1, Unknown: 1},
	} {
		var g Group
		for state, n := range seen {
			g.Seen[state].Projects = n
			g.Projects += n
		}
		if got := g.Sentence(moment); got != want {
			t.Errorf("%v: %q, want %q", seen, got, want)
		}
	}
}
