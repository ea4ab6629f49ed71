package feed

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"pgtower/models"
)

func epoch() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// clock is the time of the model, shared by all services. It advances by a step with each event, a second by default.
type clock struct {
	now  time.Time
	step time.Duration
}

func (c *clock) tick() time.Time {
	if c.now.IsZero() {
		c.now = epoch()
	}
	c.now = c.now.Add(cmp.Or(c.step, time.Second))
	return c.now
}

// service models the operations list of one project: it responds as the specification says, in each way that it leaves
// open. Its times are whole seconds.
type service struct {
	*clock

	ops      []models.Operation   // newest first, see [position]
	born     map[string]time.Time // exactly
	hard     bool                 // the operations of a second are in an order of the service's own, also new ones
	inclined int                  // the end of history: 0 no cursor, 1 the same cursor, 2 one more empty page
	repeats  bool
}

func newService(c *clock) *service { return &service{born: map[string]time.Time{}, clock: c} }

func (s *service) birth(n int, sameTime bool) {
	at := s.tick()
	for range n {
		if !sameTime {
			at = s.tick()
		}
		n := len(s.born)
		second := at.Truncate(time.Second)
		op := models.Operation{
			ID: fmt.Sprintf("op-%06d", n), BranchID: fmt.Sprintf("%06d", n),
			CreatedAt: second, UpdatedAt: second, Status: models.StatusRunning,
		}
		if s.hard {
			op.ID, op.BranchID = fmt.Sprintf("op-%06d", scramble(n, 7919)), fmt.Sprintf("%06d", scramble(n, 31607))
		}
		op.Action = []models.Action{"start_compute", "create_branch", "apply_config"}[n%3]
		s.born[op.ID] = at
		before := slices.IndexFunc(s.ops, func(o models.Operation) bool { return position(o) < position(op) })
		if before < 0 {
			before = len(s.ops)
		}
		s.ops = slices.Insert(s.ops, before, op)
	}
}

// scramble maps the numbers below 100,000 to others, each once.
func scramble(n, by int) int { return n * by % 100_000 }

// finish ends an operation. One that failed is tried again, unless its status is error, which is final. One that has ended
// already only gets a new updated_at.
func (s *service) finish(i int, as models.Status) {
	op := &s.ops[i]
	switch {
	case op.Status == models.StatusFailed:
		op.Status = models.StatusRunning
	case !op.Status.Done():
		op.Status = as
		if as.Failed() {
			op.FailuresCount++
		}
	}
	s.ops[i].UpdatedAt = s.tick().Truncate(time.Second)
}

func (s *service) remove(i int) { s.ops = slices.Delete(s.ops, i, i+1) }

func (s *service) page(limit int, cursor string) models.Page[models.Operation] {
	p := models.Page[models.Operation]{Cursor: cursor, AsOf: s.tick(), ServiceTime: s.now}
	from := 0
	if cursor != "" {
		from = slices.IndexFunc(s.ops, func(op models.Operation) bool { return position(op) < cursor || s.repeats && position(op) == cursor })
		if from < 0 {
			from = len(s.ops)
		}
	}
	to := min(from+limit, len(s.ops))
	p.Items = slices.Clone(s.ops[from:to])
	switch {
	case to < len(s.ops):
		p.Next = position(s.ops[to-1])
	case len(p.Items) == 0 || s.inclined == 1:
		p.Next = cursor
	case s.inclined == 2:
		p.Next = position(s.ops[to-1])
	}
	return p
}

func (s *service) get(id string) (models.Operation, bool) {
	i := slices.IndexFunc(s.ops, func(op models.Operation) bool { return op.ID == id })
	if i < 0 {
		return models.Operation{}, false
	}
	return s.ops[i], true
}

// position returns the cursor of an operation, ordered as the list is: within a second, in the service's own order, which
// its branch stands for.
func position(op models.Operation) string {
	return op.CreatedAt.Format("2006-01-02T15:04:05.000000000Z") + op.BranchID
}

// Gaps returns the gaps of the feed, newest first.
func (f *Feed) Gaps() []Gap {
	var out []Gap
	for _, e := range f.edges {
		if !f.isLast(e.above) {
			out = append(out, e.gap())
		}
	}
	return out
}

// Gaps returns the gaps among the shown rows, newest first.
func (t *Timeline) Gaps() []*ProjectGap { return t.gaps(func(*edge) bool { return true }) }

// Older returns the cursor of the page below the last row, and whether there is one.
func (f *Feed) Older() (cursor string, ok bool) {
	if e := f.end(); e != nil && !e.broken {
		return e.cursor, true
	}
	return "", false
}

// older returns up to n pages to load next.
func (t *Timeline) older(n int) (list []target) {
	for _, m := range t.open.items[:min(n, len(t.open.items))] {
		list = append(list, target{Project: m.feed.project, Cursor: m.feed.end().cursor})
	}
	return list
}

// broken returns the edge below the last row if the service's paging broke there, or nil.
func (f *Feed) broken() *edge {
	if e := f.end(); e != nil && e.broken {
		return e
	}
	return nil
}

// Ended reports whether the oldest operation of the service is loaded.
func (f *Feed) Ended() bool { return f.loaded && f.end() == nil }

// Oldest returns the stalest project, and when its head page was requested, zero if none was read.
func (t *Timeline) Oldest() (project string, asOf time.Time) {
	if t.Read() == 0 {
		return "", time.Time{}
	}
	return t.polled.items[0].feed.project, t.polled.items[0].asOf
}

// waiting returns the pages that wait for their turn.
func (p *Poller) waiting() (list []request) {
	for _, pr := range p.order {
		list = append(list, pr.waiting...)
	}
	return list
}

// retried returns the failed operations to read again now.
func (f *Feed) retried(now time.Time) (due []*entry) {
	for _, one := range f.failed.queue {
		if !f.rests(one.entry, now) {
			due = append(due, one.entry)
		}
	}
	return due
}
