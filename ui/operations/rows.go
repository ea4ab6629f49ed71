package operations

import (
	"sort"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/table"
)

// row is an operation, a gap where operations are missing, or the line where completeness ends.
type row struct {
	op      *models.Operation
	project string
	gap     *feed.ProjectGap
	line    *extent
	asOf    time.Time // when the operation was last asked about, by the program's clock
	partial bool      // others may be missing around it
	known   *known
}

// known is what filters and orders need beside the operation itself. They run off the UI's goroutine, so it is never
// changed but replaced.
type known struct {
	names // of projects

	limit func(models.Action) time.Duration // beyond which an action is slow, or 0
	skew  time.Duration                     // see [page.Session.Skew]
	bound time.Duration                     // the state of what was not asked about for longer is unknown
}

func (s *state) known() *known {
	limits := map[models.Action]time.Duration{}
	for _, a := range s.timeline().Actions() {
		limits[a.Action] = slowFrom(a.Durations)
	}
	limit := func(a models.Action) time.Duration { return limits[a] }
	return &known{s.names, limit, s.session.Skew, s.poller.Bound()}
}

func slowFrom(d *feed.Durations) time.Duration {
	limit, _ := d.Slow()
	return limit
}

func (s *state) row(project string, op *models.Operation) row {
	return row{op: op, project: project, known: s.rows.known}
}

func (r row) running() bool { return r.op != nil && !r.op.Done() }

func (r row) name() string { return r.known.name(r.project) }

// unasked is for how long an unfinished operation was not asked about, or zero within the bound.
func (r row) unasked(now time.Time) time.Duration {
	if r.running() && !r.asOf.IsZero() {
		if since := now.Sub(r.asOf.Add(r.known.skew)); since > r.known.bound {
			return since
		}
	}
	return 0
}

func (r row) took(now time.Time) (d time.Duration, ok bool) {
	if r.op == nil {
		return 0, false
	}
	took := r.op.Took(now.Add(-r.unasked(now)))
	return took.Value, took.Known
}

func (r row) slow(now time.Time) bool {
	took, ok := r.took(now)
	if !ok || r.op.Status == models.StatusScheduling {
		return false
	}
	limit := r.known.limit(r.op.Action)
	return limit > 0 && took > limit
}

// age is how long ago an operation began: never less than it took, whatever the clocks say, and in whole seconds as
// they are shown.
func (r row) age(now time.Time) (d time.Duration, ok bool) {
	if r.op == nil || r.op.CreatedAt.IsZero() {
		return 0, false
	}
	since := now.Sub(r.op.CreatedAt)
	if took := r.op.Took(now); r.op.Done() && took.Known {
		since = max(since, (took.Value + time.Second - 1).Truncate(time.Second))
	}
	return since, true
}

func (r row) ended(now time.Time) (d time.Duration, ok bool) {
	if r.op == nil || r.op.EndedAt().IsZero() {
		return 0, false
	}
	return now.Sub(r.op.EndedAt()), true
}

// key names a row: an operation, the gap below one, or the line by its project and time, so that a line which moves
// down leaves the selection where it is.
type key = feed.Key

// gapMark begins the id of what is no operation. No id of the service has a line break.
const gapMark = "gap\n"

func (r row) key() key {
	switch {
	case r.line != nil:
		return key{Project: r.line.Lacking, ID: gapMark + r.line.Since.Format(time.RFC3339Nano)}
	case r.gap != nil:
		return key{Project: r.project, ID: gapMark + r.gap.Below}
	}
	return key{Project: r.project, ID: r.op.ID}
}

type operations interface {
	Len() int
	At(i int) *models.Operation
	ProjectAt(i int) string
	AsOf(i int) time.Time
}

// rows are what the table shows: operations with the gaps between them, and the line where completeness ends.
type rows struct {
	operations
	gaps     []feed.ProjectGap // newest first
	complete int               // how many operations have nothing missing between them
	line     *extent           // nil for none
	known    *known
	of       *state
	extent   extent
}

// Len is the number of operations and gaps, and the line.
func (r *rows) Len() int {
	n := r.operations.Len() + len(r.gaps)
	if r.line != nil {
		n++
	}
	return n
}

// Row returns an operation or gap, newest first, or the line.
func (r *rows) Row(i int) row {
	if r.line != nil && i >= r.complete {
		if i == r.complete {
			return row{line: r.line, known: r.known}
		}
		i--
	}
	// With k gaps before it, the gap below operation Row stands at Row + 1 + k, which grows with k.
	above := sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row+1+k >= i })
	if above < len(r.gaps) && r.gaps[above].Row+1+above == i {
		return row{gap: &r.gaps[above], project: r.gaps[above].Project, known: r.known}
	}
	i -= above
	return row{op: r.At(i), project: r.ProjectAt(i), asOf: r.AsOf(i), partial: i >= r.complete, known: r.known}
}

// place takes in that the timeline has changed.
func (r *rows) place() {
	t := r.of.timeline()
	r.gaps, r.extent, r.complete = t.Gaps(), r.of.extent(), 0
	if !r.extent.unknown && r.extent.Unread == 0 {
		r.complete = t.Complete()
	}
}

// Freeze returns all that is loaded as it is now, for a filter or another order, with the line down to which it is
// complete. There is no gap above the line.
func (r *rows) Freeze() (all table.Rows[row], divider int) {
	frozen := *r
	frozen.operations = r.of.timeline().Rows()
	if r.extent.whole() {
		return &frozen, -1
	}
	frozen.line = &frozen.extent
	return &frozen, r.complete
}

// Key names a row.
func (*rows) Key(r row) key { return r.key() }

// Find returns where the row of a key is.
func (r *rows) Find(k key) (int, bool) {
	if below, gap := strings.CutPrefix(k.ID, gapMark); gap {
		for i, g := range r.gaps {
			if g.Project == k.Project && g.Below == below {
				return g.Row + 1 + i, true
			}
		}
		return 0, false
	}
	i, ok := r.of.timeline().Find(k.Project, k.ID)
	// The gaps below operations above this one push it down.
	return i + sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row >= i }), ok
}
