package operations

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/ui/query"
)

// facts are what filters and orders need beside the operation itself. They are worked
// on off the UI's goroutine, so facts are never changed: newer ones take their place.
type facts struct {
	names  map[string]string                           // of projects
	limits map[models.Action]models.Opt[time.Duration] // beyond which an action is slow
	skew   time.Duration                               // see [page.Session.Skew]
	bound  time.Duration                               // what was not asked about for longer is not known
}

// learn renews the facts.
func (p *Page) learn() {
	f := &facts{
		names: p.names, limits: map[models.Action]models.Opt[time.Duration]{},
		skew: p.session.Skew, bound: p.poller.Bound(),
	}
	for _, a := range p.timeline.Actions() {
		if a.Durations.Count() < minSamples {
			continue
		}
		if p95, ok := a.Durations.Quantile(0.95); ok {
			f.limits[a.Action] = models.Opt[time.Duration]{Value: p95, Known: true}
		}
	}
	p.facts.Store(f)
}

// minSamples is how many durations there must be before one of them can be called slow.
const minSamples = 20

// unasked is for how long an unfinished operation was not asked about, where that is too
// long for it to be known how it goes, and else zero.
func (f *facts) unasked(r row, now time.Time) time.Duration {
	if !r.running() || r.asOf.IsZero() {
		return 0
	}
	if since := now.Sub(r.asOf.Add(f.skew)); since > f.bound {
		return since
	}
	return 0
}

// took is how long an operation took, or lasts as far as is known.
func (f *facts) took(r row, now time.Time) models.Opt[time.Duration] {
	if r.op == nil {
		return models.Opt[time.Duration]{}
	}
	return r.op.Took(now.Add(-f.unasked(r, now)))
}

// slow says that an operation takes or took longer than 95 % of its kind.
func (f *facts) slow(r row, now time.Time) bool {
	if r.op == nil {
		return false
	}
	limit, took := f.limits[r.op.Action], f.took(r, now)
	return limit.Known && took.Known && r.op.Status != models.StatusScheduling && took.Value > limit.Value
}

func (f *facts) name(project string) string {
	if name := f.names[project]; name != "" {
		return name
	}
	return project
}

// statuses are those that the loaded operations have, and actions theirs.
func (p *Page) statuses() []string {
	var out []string
	for _, s := range p.timeline.Statuses() {
		out = append(out, string(s))
	}
	slices.Sort(out)
	return out
}

func (p *Page) actions() []string {
	var out []string
	for _, a := range p.timeline.Actions() {
		out = append(out, string(a.Action))
	}
	return out
}

// fields are what the filter knows of an operation.
func (p *Page) fields() []query.Field[row] {
	text := func(of func(*models.Operation) string) func(row) string {
		return func(r row) string {
			if r.op == nil {
				return ""
			}
			return of(r.op)
		}
	}
	is := func(of func(*models.Operation, time.Time) bool) func(row, time.Time) bool {
		return func(r row, now time.Time) bool { return r.op != nil && of(r.op, now) }
	}
	return []query.Field[row]{
		query.Text("status", text(func(o *models.Operation) string { return string(o.Status) })).Visible().Offering(p.statuses),
		query.Text("action", text(func(o *models.Operation) string { return string(o.Action) })).Visible().Offering(p.actions),
		query.Text("project", func(r row) string { return p.facts.Load().name(r.project) }).Visible(),
		query.Text("branch", text(func(o *models.Operation) string { return o.BranchID })).Visible(),
		query.Text("endpoint", text(func(o *models.Operation) string { return o.EndpointID })).Visible(),
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
			took := p.facts.Load().took(r, now)
			return took.Value, took.Known
		}),
		query.Words(
			"is",
			query.Is("failed", is(func(o *models.Operation, _ time.Time) bool { return o.Status.Failed() })),
			query.Is("unfinished", is(func(o *models.Operation, _ time.Time) bool { return !o.Done() })),
			query.Is("finished", is(func(o *models.Operation, _ time.Time) bool { return o.Status == models.StatusFinished })),
			query.Is("retried", is(func(o *models.Operation, _ time.Time) bool { return o.FailuresCount > 0 })),
			query.Is("gone", is(func(o *models.Operation, _ time.Time) bool { return o.Gone })),
			query.Is("slow", func(r row, now time.Time) bool { return p.facts.Load().slow(r, now) }),
		),
	}
}

// byText orders operations by a text; gaps, which have none, come last.
func byText(of func(row) string) func(a, b row, now time.Time) int {
	return func(a, b row, _ time.Time) int {
		if c := gapsLast(a, b); c != 0 {
			return c
		}
		return strings.Compare(of(a), of(b))
	}
}

// byDuration orders operations by a duration; those without one come last.
func byDuration(of func(row, time.Time) models.Opt[time.Duration]) func(a, b row, now time.Time) int {
	return func(a, b row, now time.Time) int {
		if c := gapsLast(a, b); c != 0 {
			return c
		}
		x, y := of(a, now), of(b, now)
		if x.Known != y.Known {
			return known(y) - known(x)
		}
		return cmp.Compare(x.Value, y.Value)
	}
}

func known(d models.Opt[time.Duration]) int {
	if d.Known {
		return 1
	}
	return 0
}

func gapsLast(a, b row) int {
	switch {
	case a.gap != nil && b.gap == nil:
		return +1
	case a.gap == nil && b.gap != nil:
		return -1
	}
	return 0
}
