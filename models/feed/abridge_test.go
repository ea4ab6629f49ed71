package feed

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// tells reports whether a gap was told in which an operation of a project began.
func (r *reader) tells(project string, born time.Time) bool {
	at := born.Truncate(time.Second)
	return slices.ContainsFunc(r.gaps, func(e Event) bool {
		return e.Project == project && !at.Before(e.Since.Truncate(time.Second)) && !at.After(e.Until)
	})
}

// untold returns the operations that began since following began, were not told as they are now, and lie in no gap that was
// told.
func (r *reader) untold() (ids []string) {
	for project, lives := range r.platform.lives {
		for i := range lives {
			l := &lives[i]
			told := r.told[l.id]
			isNew := !l.born.Before(r.from) && !l.born.After(r.now)
			whole := len(told) > 0 && told[len(told)-1].Status == l.at(r.now).Status
			if isNew && !whole && !r.tells(project, l.born) {
				ids = append(ids, l.id)
			}
		}
	}
	return ids
}

// With little room, a follower keeps to it, tells no operation twice, and loses none without telling a gap.
func TestFollowerWithLittleRoomTellsGaps(t *testing.T) {
	t.Parallel()
	abridged := 0
	rapid.Check(t, func(t *rapid.T) {
		r := drawBusy(t, 40)
		one := newReader(r)
		one.few = true
		one.follower.bound = rapid.SampledFrom([]int{150, 300, 1000}).Draw(t, "room")
		r.take = func(a Answer, now time.Time) {
			one.hear(a, now)
			if kept := r.kept.rows; kept > one.follower.most().rows {
				t.Fatalf("%d operations are kept", kept)
			}
		}
		for r.now.Before(at(150)) {
			one.until(r.now.Add(15 * time.Second))
			r.list()
		}
		one.until(at(150 + 450))
		if untold := one.untold(); len(untold) > 0 {
			t.Fatalf("neither told nor in a gap are %v; gaps %v", untold, one.gaps)
		}
		for _, o := range one.follower.projects {
			if !o.left.until.IsZero() {
				abridged++
			}
		}
	})
	if abridged == 0 {
		t.Error("nothing was abridged")
	}
}

// Whatever an endless service sends, what a follower keeps is bounded, and what it forgets is told as a gap.
func TestFollowerOfAnEndlessServiceIsBounded(t *testing.T) {
	t.Parallel()
	status := func(s models.Status) func(*models.Operation) {
		return func(op *models.Operation) { op.Status = s }
	}
	now := func(now time.Time, _, _ int) time.Time { return now }
	second := func(time.Time, int, int) time.Time { return epoch() }
	for name, s := range map[string]*endless{
		"all are unfinished":              {created: now, change: status(models.StatusRunning)},
		"all have failed":                 {created: now, change: status(models.StatusFailed)},
		"all are unfinished, of a second": {created: second, change: status(models.StatusRunning)},
		"all are of one second":           {created: second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := drive(Options{Interval: 5 * time.Second, Budget: 20, PageSize: 100})
			p.SetProjects([]Project{{ID: "a"}, {ID: "b"}, {ID: "c"}}, true)
			f, at, gaps := Follow(p.Poller, epoch(), 0), epoch(), map[Event]int{}
			f.bound = 3000
			for at.Before(epoch().Add(time.Minute)) {
				requests, wait := p.Next(at)
				for _, r := range requests {
					wait = min(wait, 50*time.Millisecond)
					for _, e := range p.follow(f, s.answer(r, at), at) {
						if e.Kind == Missing {
							gaps[*e]++
						}
					}
					if most := f.most(); p.kept.rows > most.rows || p.kept.bytes > most.bytes {
						t.Fatalf("%+v is kept", p.kept)
					}
				}
				at = at.Add(wait)
			}
			if len(gaps) == 0 {
				t.Error("no gap was told")
			}
			for e, n := range gaps {
				if n > 1 {
					t.Errorf("%d times %+v", n, e)
				}
			}
		})
	}
}
