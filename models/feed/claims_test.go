package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

// claims compares the poller's claims with the truth. Those about operations change with answers only.
func (r *run) claims(answered bool) {
	r.keepsTheBudget()
	if !r.check {
		return
	}
	f := r.Span(r.now.Add(r.ahead))
	for id := range r.platform.lives {
		if !r.claimed(id) {
			continue
		}
		age := r.now.Add(r.ahead).Sub(r.Feed(id).AsOf())
		if f.State == Live && age > r.Options().Bound() && !slices.Contains(f.Without, id) {
			r.fatalf("live, and %s was asked %v ago", id, age)
		}
		if answered {
			r.showsTheTruth(id, f)
		}
	}
	if answered {
		r.countsTheWindow()
	}
}

// keepsTheBudget checks how many requests started within the last 20 s. The budget takes a clock that is set ahead for a
// pause, in which at most a burst was saved.
func (r *run) keepsTheBudget() {
	const span = 20
	lately := func(at time.Time) bool { return r.now.Sub(at) < span*time.Second }
	r.starts = r.starts[firstOf(r.starts, lately):]
	r.jumps = r.jumps[firstOf(r.jumps, func(j jump) bool { return lately(j.at) }):]
	o := r.Options()
	most := 4*o.Budget + span*o.Budget
	for _, j := range r.jumps {
		most += min(4*o.Budget, int(j.by.Seconds()*float64(o.Budget))+1)
	}
	if n := len(r.starts); n > most {
		r.fatalf("%d requests within %d s, not %d", n, span, most)
	}
}

// firstOf returns the index of the first element that passes, or the length if none does.
func firstOf[T any](all []T, is func(T) bool) int {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return i
	}
	return len(all)
}

// claimed reports whether claims include a project.
func (r *run) claimed(id string) bool {
	return r.Feed(id) != nil && r.Timeline().Has(id) && !r.projects[id].gone
}

// showsTheTruth checks that nothing of a project is missing in the claimed span, and that each operation is shown no older
// than it was when it was asked about, nor than at the end of the span. One that is gone is shown as it was last read.
func (r *run) showsTheTruth(id string, span Span) {
	feed, lives := r.Feed(id), r.platform.lives[id]
	asOf := span.AsOf.Add(-r.ahead)
	if slices.Contains(span.Without, id) || span.AsOf.IsZero() {
		asOf = time.Time{}
	}
	for i := range lives {
		l := &lives[i]
		e := feed.byID[l.id]
		if e == nil {
			if span.Complete(l.born.Truncate(time.Second)) && !l.born.After(asOf) {
				r.fatalf("complete from %v to %v, and %s of %s is missing, born %v", span.Since, asOf, l.id, id, l.born)
			}
			continue
		}
		if l.isNewer(e.op(), asOf) && len(l.tries) == 0 && !e.op().Gone {
			r.fatalf("as of %v %s is %+v, and is shown as %+v", asOf, l.id, l.at(asOf), e.op())
		}
		if shown := *e.op(); shown.Gone {
			if shown.Gone = false; shown != r.shown[l.id] {
				r.fatalf("%s is gone, and was last read as %+v, and is shown as %+v", l.id, r.shown[l.id], shown)
			}
			continue
		}
		read := e.asOf()
		if l.isNewer(e.op(), read.Add(-r.ahead)) && !read.IsZero() {
			r.fatalf("%s was %+v when it was asked about, and is shown as %+v", l.id, l.at(read), e.op())
		}
	}
}

// isNewer reports whether an operation had changed by a time, since the version that is shown.
func (l *life) isNewer(shown *models.Operation, then time.Time) bool {
	if l.untimed {
		return !shown.Done() && !then.Before(l.end)
	}
	return shown.UpdatedAt.Before(l.changed(then))
}

// countsTheWindow checks that a complete window counts all operations that ended in it before the last poll.
func (r *run) countsTheWindow() {
	t := r.Timeline()
	if c := r.Span(r.now); c.Unread > 0 || c.Since.After(WindowSince(r.now, r.window)) {
		return
	}
	var least Ended
	from := r.now.Add(time.Second - r.window)
	for id, lives := range r.platform.lives {
		if !r.claimed(id) || !r.Feed(id).Loaded() {
			continue
		}
		feed := r.Feed(id)
		for i := range lives {
			l := &lives[i]
			if !l.end.After(from) {
				continue
			}
			e := feed.byID[l.id]
			if e == nil {
				if l.end.Sub(l.born) <= MaxRun && !l.end.After(feed.AsOf().Add(-r.ahead)) {
					r.fatalf("the last %v are complete, and %s is missing that ended at %v", r.window, l.id, l.end)
				}
				continue
			}
			if l.end.After(r.now) {
				continue
			}
			if op := l.at(r.now); *e.op() == op && !l.untimed { // those are counted beside the window
				least.count(&op, 1)
			}
		}
	}
	if got := t.Window(r.now, r.window); got.Failed < least.Failed || got.Finished < least.Finished {
		r.fatalf("in the last %v are counted %+v, and there were %+v", r.window, got, least)
	}
}

// wrong returns the operations that are shown as unfinished but have ended.
func (r *run) wrong() (ids []string) {
	for id := range r.platform.lives {
		feed := r.Feed(id)
		for _, l := range r.platform.lives[id] {
			if row, known := feed.Find(l.id); known && !feed.At(row).Done() && !r.now.Before(l.end) {
				ids = append(ids, l.id)
			}
		}
	}
	return ids
}
