package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// failing returns a run of one project with an operation a second, for ten minutes. At 10 s, four fail for 40 s each.
func failing(t *testing.T, tells bool) (r *run, ids []string) {
	t.Helper()
	p := newPlatform(1, 5)
	p.born("p00", 600, at(5), time.Second, 500*time.Millisecond)
	lives := p.lives["p00"]
	for i := 4; i < 8; i++ {
		l := &lives[600-i]
		l.tries = []try{{l.born.Add(500 * time.Millisecond), l.born.Add(40 * time.Second), tells}}
		l.end = l.born.Add(42 * time.Second)
		ids = append(ids, l.id)
	}
	return newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 20}), ids
}

// A failed operation that is far below the newest page is seen to recover.
func TestFailedOperationsAreSeenToRecover(t *testing.T) {
	t.Parallel()
	for _, tells := range []bool{false, true} {
		r, ids := failing(t, tells)
		one := newReader(r)
		r.until(at(120))
		for _, id := range ids {
			if told := one.told[id]; len(told) == 0 || !told[len(told)-1].Recovered() {
				t.Errorf("retry_at %v: of %s was told %+v", tells, id, told)
			}
		}
	}
}

// An operation that stays failed is asked about when its failure is 15 s, 30 s, 1, 2, 4 … minutes old, or at retry_at, and
// after an hour no more.
func TestFailedOperationsAreAskedAboutEverMoreRarely(t *testing.T) {
	t.Parallel()
	f := New("p")
	for name, c := range map[string]struct {
		retry time.Time
		want  []int
	}{
		"without retry_at": {time.Time{}, []int{15, 30, 60, 120, 240, 480, 960, 1920, 3600}},
		"with retry_at":    {at(600), []int{601, 615, 630, 660, 720, 840, 1080, 1560, 2520, 4200}},
	} {
		op := models.Operation{ID: name, Status: models.StatusFailed, CreatedAt: at(-5), UpdatedAt: at(0), RetryAt: c.retry}
		page := models.Page[models.Operation]{Items: []models.Operation{op}}
		page.AsOf, page.ServiceTime = at(-99), at(1) // the computer's clock is 100 s behind
		f.Merge(page)
		var asked []int
		for s := 1; s < 3*3600; s++ {
			now := at(float64(s) - 100)
			if due := f.retried(now); len(due) > 0 {
				asked = append(asked, s)
				f.Update(op, now)
			}
		}
		if !slices.Equal(asked, c.want) || f.failed.Len() > 0 || op.MayRetry(at(4300)) {
			t.Errorf("%s: asked about after %d s, and then %v", name, asked, f.failed.byID)
		}
	}
}

// An operation with the status error is not tried again: nothing asks about it, whatever its retry_at.
func TestErrorsAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	f := New("p")
	op := models.Operation{ID: "a", Status: models.StatusError, CreatedAt: at(-5), UpdatedAt: at(0), RetryAt: at(60)}
	f.Merge(models.Page[models.Operation]{Items: []models.Operation{op}, AsOf: at(1), ServiceTime: at(1)})
	for s := 1; s < 3*3600; s++ {
		if due := f.retried(at(float64(s))); len(due) > 0 {
			t.Fatalf("asked about after %d s", s)
		}
	}
}

// However many failures are due, each has its turn: the one that is due first comes first, and the newest of those that are due
// at the same time.
func TestFailedOperationsTakeTurns(t *testing.T) {
	t.Parallel()
	f := New("p")
	page := models.Page[models.Operation]{AsOf: at(1), ServiceTime: at(1)}
	for i, id := range []string{"newest", "newer", "old"} {
		op := models.Operation{ID: id, Status: models.StatusFailed, CreatedAt: at(float64(-i)), UpdatedAt: at(0)}
		page.Items = append(page.Items, op)
	}
	f.Merge(page)
	var turns []string
	for s := 16; s < 66; s += 10 { // all are due at 15 seconds, and again at 30
		e, due := f.nextRetry(at(float64(s)))
		if due.After(at(float64(s))) {
			t.Fatalf("after %d s, the next one is due at %v", s, due)
		}
		f.Update(*e.op(), at(float64(s)))
		turns = append(turns, e.op().ID)
	}
	if want := []string{"newest", "newer", "old", "newest", "newer"}; !slices.Equal(turns, want) {
		t.Errorf("asked about %v", turns)
	}
}

// The failures of one project do not hold up those of the next.
func TestFailedOperationsOfAllProjectsTakeTurns(t *testing.T) {
	t.Parallel()
	p, projects := newPlatform(0, 0), []string{"p00", "p01", "p02"}
	for _, id := range projects {
		p.born(id, 60, at(0), time.Millisecond, time.Second)
		for i := range p.lives[id] {
			p.lives[id][i].as = models.StatusFailed
		}
		p.born(id, mostAtOnce, at(2), 5*time.Millisecond, time.Millisecond)
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 100})
	r.window, r.now = time.Hour, at(10)
	r.until(at(75))
	for _, id := range projects {
		asked := 0
		for _, e := range r.Feed(id).failed.byID {
			if e.asOf().After(at(15)) {
				asked++
			}
		}
		if asked < 5 || asked > 15 {
			t.Errorf("%d failures of %s were asked about", asked, id)
		}
	}
}

// Thousands of failures take no more than a tenth of the budget, and pages where they take fewer requests.
func TestFailedOperationsTakeATenthOfTheBudget(t *testing.T) {
	t.Parallel()
	p := newPlatform(200, 5)
	for i := range 200 {
		lives := p.lives[fmt.Sprintf("p%02d", i)]
		for j := range lives {
			lives[j].born, lives[j].end, lives[j].as = at(-10), at(-5), models.StatusFailed
		}
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 20})
	r.check = false
	r.until(at(600))
	if n := r.asked[Reread]; n > 5*600/10+5 || n < 30 {
		t.Errorf("%d requests for failures in ten minutes", n)
	}
	p = newPlatform(1, 5)
	p.born("p00", 600, at(5), time.Millisecond, 500*time.Millisecond)
	for i := range p.lives["p00"] {
		p.lives["p00"][i].as = models.StatusFailed
	}
	r = newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 20})
	r.until(at(600))
	if n := r.asked[Reread]; n > 60 {
		t.Errorf("%d requests for 600 failures of one project", n)
	}
}

// A head page is as long as it takes to reach failures, unless it is not known how far below they are.
func TestHeadPagesReachForFailures(t *testing.T) {
	t.Parallel()
	f, page := New("p"), models.Page[models.Operation]{AsOf: at(0), ServiceTime: at(0)}
	for i := range 100 {
		op := models.Operation{ID: fmt.Sprint(i), Status: models.StatusFinished, CreatedAt: at(float64(-20 - i)), UpdatedAt: at(0)}
		if i >= 90 && i < 95 {
			op.Status = models.StatusFailed
		}
		page.Items = append(page.Items, op)
	}
	f.Merge(page)
	limit := func(status models.Status) int {
		for i := 90; i < 95; i++ {
			op := page.Items[i]
			op.Status, op.UpdatedAt = status, op.UpdatedAt.Add(time.Second)
			f.Update(op, at(2))
			page.Items[i] = op
		}
		f.forget(20, at(0))
		return f.headLimit(20, mostAtOnce, at(20))
	}
	if reaches := limit(models.StatusFailed); reaches != 120 || f.Len() != 100 {
		t.Errorf("a limit of %d for failures, and %d operations", reaches, f.Len())
	}
	limit(models.StatusRunning)
	if forgot := limit(models.StatusFailed); forgot != 20 || f.Len() != 25 {
		t.Errorf("a limit of %d after all but %d were forgotten", forgot, f.Len())
	}
}

// Failures use their tenth of the budget however rarely projects are polled.
func TestFailedOperationsDoNotWaitForPolls(t *testing.T) {
	t.Parallel()
	p := newPlatform(1, 0)
	p.born("p00", 60, at(0), time.Millisecond, time.Second)
	for i := range p.lives["p00"] {
		p.lives["p00"][i].as = models.StatusFailed
	}
	p.born("p00", mostAtOnce, at(2), 5*time.Millisecond, time.Millisecond)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Minute, Budget: 5, PageSize: 100})
	r.window, r.now = time.Hour, at(10)
	r.until(at(450))
	if n, most := r.asked[Reread], 440*5/10; n < 60 || n > most {
		t.Errorf("%d requests for 60 failures, and %d are a tenth of the budget", n, most)
	}
}
