package feed

import (
	"maps"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

// MaxWindow is the longest window in which ended operations are counted.
const MaxWindow = 24 * time.Hour

// ProjectHealth is the state of a project when its newest page was last read. The window ends at that time.
type ProjectHealth struct {
	Read    time.Time     // when that page was requested, by the service's clock; zero: never
	Err     error         // why the project could not be read since, or nil
	Window  time.Duration // the time before Read in which ended operations are counted
	Whole   bool          // all operations of the window are loaded, see [MaxRun]
	Running int           // the operations that were not done at Read
	Ended   int           // the operations that ended in the window
	Failed  int           // those of them that failed
	Failing bool          // an action failed in the window, and none of it worked since: see [incident.Failing]
	Slow    int           // those that run or ended in the window, and are slow: see [Fleet.Limits]
	Changed time.Time     // when the newest operation, or one that is counted, last changed, or zero

	// Trend counts the operations that ended in each part of the window, the oldest part first. One that ended less than a
	// minute from the next part may be counted there. FailedIn has a bit for each part in which some failed.
	Trend    [TrendParts]int
	FailedIn uint32
}

// TrendFailed reports whether operations failed in one of the parts of the trend with from <= part < end.
func (h *ProjectHealth) TrendFailed(from, end int) bool {
	return h.FailedIn>>from&(1<<(end-from)-1) != 0
}

// TrendParts is the number of equal parts of the window in [ProjectHealth.Trend].
const TrendParts = 15

// OftenSlow reports whether more than a tenth of the operations are slow: twice as many as usual.
func (h *ProjectHealth) OftenSlow() bool { return 10*h.Slow > h.Running+h.Ended }

// Fleet counts the health of a poller's projects, in scope or not. It follows every change of their feeds. Each count
// covers only projects that changed since the last one, and only operations of the window.
type Fleet struct {
	poller  *Poller
	kinds   kinds // of all projects: an operation is slow among all of its kind
	limits  map[models.Action]time.Duration
	limited int                 // how often the limits changed
	ended   map[string]*endings // by project
	changed map[string]struct{} // the projects to count again
	window  time.Duration       // of the last count
}

// NewFleet returns the fleet of a poller, which has no other one from then on.
func NewFleet(p *Poller) *Fleet {
	f := &Fleet{
		poller: p, kinds: kinds{}, ended: map[string]*endings{}, changed: map[string]struct{}{},
	}
	p.fleet = f
	for _, pr := range p.order {
		pr.feed.fleet = f
		for _, e := range pr.feed.rows {
			f.tally(pr.ID, e.op(), +1)
		}
	}
	return f
}

// Limits returns the durations above which operations of a kind are slow, see [Durations.Slow].
func (f *Fleet) Limits() map[models.Action]time.Duration {
	limits := make(map[models.Action]time.Duration, len(f.kinds))
	for action, k := range f.kinds {
		limit, ok := k.durations.Slow()
		if ok {
			limits[action] = limit
		}
	}
	return limits
}

// Limited returns a number that changes whenever the limits do, as of the last [Fleet.Count].
func (f *Fleet) Limited() int { return f.limited }

// change counts a change of a project.
func (f *Fleet) change(project string, c Change) {
	f.changed[project] = struct{}{}
	for _, op := range c.Added {
		f.tally(project, op, +1)
	}
	for _, r := range c.Changed {
		f.tally(project, r.Before, -1)
		f.tally(project, r.After, +1)
	}
}

// forget takes out what a project's feed dropped.
func (f *Fleet) forget(project string, dropped rows) {
	f.changed[project] = struct{}{}
	f.ended[project].forget(dropped)
	for _, e := range dropped {
		f.count(e.op(), -1)
	}
}

func (f *Fleet) count(op *models.Operation, change int) {
	if !op.Gone {
		f.kinds.tally(op, change)
	}
}

func (f *Fleet) tally(project string, op *models.Operation, change int) {
	f.count(op, change)
	if f.ended[project] == nil {
		f.ended[project] = &endings{minutes: map[int64]*minute{}}
	}
	f.ended[project].tally(op, nil, change)
}

// Count returns the health of the projects that changed since the last call, or of all if the window changed. skew is
// how far the service's clock is ahead.
func (f *Fleet) Count(window, skew time.Duration) map[string]ProjectHealth {
	if f.window != window {
		f.window = window
		for id, pr := range f.poller.projects {
			if pr.feed.Loaded() || pr.err() != nil {
				f.changed[id] = struct{}{}
			}
		}
	}
	limits := f.Limits()
	if !maps.Equal(limits, f.limits) {
		f.limits = limits
		f.limited++
	}
	out := make(map[string]ProjectHealth, len(f.changed))
	for id := range f.changed {
		out[id] = f.health(f.poller.projects[id], skew)
	}
	clear(f.changed)
	return out
}

func (f *Fleet) health(pr *project, skew time.Duration) ProjectHealth {
	h := ProjectHealth{Err: pr.err(), Window: f.window}
	if !pr.feed.Loaded() {
		return h
	}
	now := pr.feed.AsOf().Add(skew)
	h.Read = now
	h.Whole = !pr.feed.CompleteSince().After(WindowSince(now, h.Window))
	for _, e := range pr.feed.active {
		h.Running++
		h.add(e.op(), e.asOf().Add(skew), f.limits)
	}
	if len(pr.feed.rows) > 0 {
		h.changed(pr.feed.rows[0].op().UpdatedAt)
	}
	ended := f.ended[pr.ID]
	if ended == nil {
		return h
	}
	forgotten := minuteOf(now.Add(-MaxWindow))
	maps.DeleteFunc(ended.minutes, func(number int64, _ *minute) bool { return number < forgotten })
	single := func(op *models.Operation) { h.addEnded(op, f.limits) }
	whole := func(m *minute) { h.merge(f.minute(m, now), m.operations[0].EndedAt()) }
	ended.since(since(now, h.Window), single, whole)
	h.Failing = h.Failed > 0 && ended.failing(incident.Span{Since: pr.feed.CompleteSince(), Window: h.Window, Now: now})
	return h
}

// ended adds n operations to the part of the trend in which they ended. A whole minute counts as ended in its middle.
func (h *ProjectHealth) ended(end time.Time, n int, failed bool) {
	part := int(TrendParts * end.Sub(since(h.Read, h.Window)) / h.Window)
	part = min(max(0, part), TrendParts-1)
	h.Trend[part] += n
	if failed {
		h.FailedIn |= 1 << part
	}
}

// minute returns the counts of a whole minute.
func (f *Fleet) minute(m *minute, now time.Time) *ProjectHealth {
	if m.health == nil || m.limited != f.limited {
		m.health, m.limited = &ProjectHealth{}, f.limited
		for _, op := range m.operations {
			m.health.add(op.Operation, now, f.limits)
		}
	}
	return m.health
}

// merge adds the counts of a whole minute. One of its operations ended at the given time.
func (h *ProjectHealth) merge(o *ProjectHealth, end time.Time) {
	h.Ended += o.Ended
	h.Failed += o.Failed
	h.Slow += o.Slow
	h.changed(o.Changed)
	h.ended(end.Truncate(time.Minute).Add(time.Minute/2), o.Ended, o.Failed > 0)
}

// addEnded adds a single operation that ended in the window.
func (h *ProjectHealth) addEnded(op *models.Operation, limits map[models.Action]time.Duration) {
	h.add(op, h.Read, limits)
	h.ended(op.EndedAt(), 1, op.Status.Failed())
}

func (h *ProjectHealth) changed(instant time.Time) { h.Changed = later(h.Changed, instant) }

// add counts an operation that ended in the window, or still runs.
func (h *ProjectHealth) add(op *models.Operation, now time.Time, limits map[models.Action]time.Duration) {
	if op.Done() {
		h.Ended++
	}
	if op.Status.Failed() {
		h.Failed++
	}
	h.changed(op.UpdatedAt)
	took, limit := op.Took(now), limits[op.Action]
	if limit > 0 && took.Known && took.Value > limit {
		h.Slow++
	}
}
