package operations

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/query"
)

// snapshot is what filters and orders need beside the operation itself. They are worked
// out off the UI's goroutine, so a snapshot is never changed: a newer one takes its place.
type snapshot struct {
	names // of projects

	limits map[models.Action]time.Duration // beyond which an action is slow
	skew   time.Duration                   // see [page.Session.Skew]
	bound  time.Duration                   // what was not asked about for longer is not known
}

// takeSnapshot renews the snapshot.
func (s *state) takeSnapshot() {
	n := &snapshot{
		names: s.names, limits: map[models.Action]time.Duration{},
		skew: s.session.Skew, bound: s.poller.Bound(),
	}
	for _, a := range s.timeline().Actions() {
		if limit, ok := a.Durations.Slow(); ok {
			n.limits[a.Action] = limit
		}
	}
	s.snapshot.Store(n)
}

// unasked is for how long an unfinished operation was not asked about, where that is too
// long for it to be known how it goes, and else zero.
func (n *snapshot) unasked(r row, now time.Time) time.Duration {
	if !r.running() || r.asOf.IsZero() {
		return 0
	}
	if since := now.Sub(r.asOf.Add(n.skew)); since > n.bound {
		return since
	}
	return 0
}

// took is how long an operation took, or lasts as far as is known.
func (n *snapshot) took(r row, now time.Time) models.Opt[time.Duration] {
	if r.op == nil {
		return models.Opt[time.Duration]{}
	}
	return r.op.Took(now.Add(-n.unasked(r, now)))
}

// slow reports that an operation takes or took longer than 95 % of its kind.
func (n *snapshot) slow(r row, now time.Time) bool {
	if r.op == nil {
		return false
	}
	limit, known := n.limits[r.op.Action]
	took := n.took(r, now)
	return known && took.Known && r.op.Status != models.StatusScheduling && took.Value > limit
}

// statuses are those that the loaded operations have, and actions theirs.
func (s *state) statuses() []string {
	var out []string
	for _, status := range s.timeline().Statuses() {
		out = append(out, string(status))
	}
	slices.Sort(out)
	return out
}

func (s *state) actions() []string {
	var out []string
	for _, a := range s.timeline().Actions() {
		out = append(out, string(a.Action))
	}
	return out
}

// fields are what the filter knows of an operation.
func (c *cells) fields() []query.Field[row] {
	is := func(of func(*models.Operation, time.Time) bool) func(row, time.Time) bool {
		return func(r row, now time.Time) bool { return r.op != nil && of(r.op, now) }
	}
	return []query.Field[row]{
		query.Text("status", text(statusOf)).Visible().Offering(c.statuses),
		query.Text("action", text(actionOf)).Visible().Offering(c.actions),
		query.Text("project", func(r row) string { return c.snapshot.Load().name(r.project) }).Visible(),
		query.Text("branch", text(branchOf)).Visible(),
		query.Text("endpoint", text(endpointOf)).Visible(),
		query.Text("id", text(func(o *models.Operation) string { return o.ID })),
		query.Text("error", text(func(o *models.Operation) string { return o.Error })),
		query.Duration("age", func(r row, now time.Time) (time.Duration, bool) {
			age := age(r, now)
			return age.Value, age.Known
		}),
		query.Duration("ended", func(r row, now time.Time) (time.Duration, bool) {
			if r.op == nil || r.op.EndedAt().IsZero() {
				return 0, false
			}
			return now.Sub(r.op.EndedAt()), true
		}),
		query.Duration("took", func(r row, now time.Time) (time.Duration, bool) {
			took := c.snapshot.Load().took(r, now)
			return took.Value, took.Known
		}),
		query.Words(
			"is",
			query.Is("failed", is(func(o *models.Operation, _ time.Time) bool { return o.Status.Failed() })),
			query.Is("unfinished", is(func(o *models.Operation, _ time.Time) bool { return !o.Done() })),
			query.Is("finished", is(func(o *models.Operation, _ time.Time) bool { return o.Status == models.StatusFinished })),
			query.Is("retried", is(func(o *models.Operation, _ time.Time) bool { return o.FailuresCount > 0 })),
			query.Is("gone", is(func(o *models.Operation, _ time.Time) bool { return o.Gone })),
			query.Is("slow", func(r row, now time.Time) bool { return c.snapshot.Load().slow(r, now) }),
		),
	}
}

// byText orders operations by a text; gaps, which have none, come last.
func byText(of func(row) string) func(a, b row, now time.Time) int {
	return func(a, b row, _ time.Time) int { return cmp.Or(gapsLast(a, b), strings.Compare(of(a), of(b))) }
}

// byDuration orders operations by a duration; those without one come last.
func byDuration(of func(row, time.Time) models.Opt[time.Duration]) func(a, b row, now time.Time) int {
	return func(a, b row, now time.Time) int {
		x, y := of(a, now), of(b, now)
		return cmp.Or(gapsLast(a, b), number(y.Known)-number(x.Known), cmp.Compare(x.Value, y.Value))
	}
}

func gapsLast(a, b row) int { return number(a.gap != nil) - number(b.gap != nil) }

// number is 1 for what is so.
func number(is bool) int {
	if is {
		return 1
	}
	return 0
}
