package operations

import (
	"sort"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/table"
)

// row is an operation, a place where operations are missing, or the line where completeness
// ends.
type row struct {
	op      *models.Operation
	project string
	gap     *feed.ProjectGap
	asOf    time.Time // when the operation was last asked about, by the program's clock
	line    *extent
	partial bool // others may be missing around it
}

// running reports whether what the row shows goes on with the time.
func (r row) running() bool { return r.op != nil && !r.op.Done() }

// key names a row: an operation, or the gap below it. The line has the project and the time
// of its extent, so that a line which moves down leaves the selection where it is.
type key struct {
	project, id string
	gap         bool
}

func (r row) key() key {
	switch {
	case r.line != nil:
		return key{r.line.Lacking, r.line.Since.Format(time.RFC3339Nano), true}
	case r.gap != nil:
		return key{r.project, r.gap.Below, true}
	}
	return key{r.project, r.op.ID, false}
}

const gapPrefix = "gap:"

// String is the key as the page's place holds it.
func (k key) String() string {
	s := k.project + "/" + k.id
	if k.gap {
		return gapPrefix + s
	}
	return s
}

func parseKey(s string) key {
	s, gap := strings.CutPrefix(s, gapPrefix)
	project, id, _ := strings.Cut(s, "/")
	return key{project, id, gap}
}

// operations are those of a timeline, as it is or as it was.
type operations interface {
	Len() int
	At(i int) *models.Operation
	ProjectAt(i int) string
	AsOf(i int) time.Time
}

// listed are operations with the gaps between them, and the line where completeness ends.
type listed struct {
	operations
	gaps     []feed.ProjectGap // newest first
	complete int               // as many operations come before those that others may lack around
	line     *extent           // nil for none
}

// Len is the number of operations and gaps, and the line.
func (l listed) Len() int {
	n := l.operations.Len() + len(l.gaps)
	if l.line != nil {
		n++
	}
	return n
}

// Divider is where the line is: there is no gap above it.
func (l listed) Divider() int {
	if l.line == nil {
		return -1
	}
	return l.complete
}

// above is how many gaps stand above table row i, and whether one stands there.
func (l listed) above(i int) (gaps int, here bool) {
	// With k gaps before it, the gap below operation Row stands at Row + 1 + k, which
	// grows with k.
	gaps = sort.Search(len(l.gaps), func(k int) bool { return l.gaps[k].Row+1+k >= i })
	return gaps, gaps < len(l.gaps) && l.gaps[gaps].Row+1+gaps == i
}

// Row returns an operation or gap, newest first, or the line.
func (l listed) Row(i int) row {
	if l.line != nil && i >= l.complete {
		if i == l.complete {
			return row{line: l.line}
		}
		i--
	}
	gaps, here := l.above(i)
	if here {
		return row{gap: &l.gaps[gaps], project: l.gaps[gaps].Project}
	}
	i -= gaps
	return row{op: l.At(i), project: l.ProjectAt(i), asOf: l.AsOf(i), partial: i >= l.complete}
}

// rows are what the table shows: the timeline with its gaps.
type rows struct {
	listed
	timeline *feed.Timeline
	extent   extent
}

func newRows(t *feed.Timeline) *rows { return &rows{listed: listed{operations: t}, timeline: t} }

// place finds where the gaps are and where completeness ends, after the timeline has changed.
func (r *rows) place(e extent) {
	r.gaps, r.extent, r.complete = r.timeline.Gaps(), e, 0
	if !e.unknown && e.Unread == 0 {
		r.complete = r.timeline.Complete()
	}
}

// Freeze returns all that is loaded, as it is now. A filter and an order of one's own are
// questions about what there is: a line says down to where that is all there was.
func (r *rows) Freeze() table.Rows[row] {
	l := listed{operations: r.timeline.Rows(), gaps: r.gaps, complete: r.complete}
	if e := r.extent; !e.whole() {
		l.line = &e
	}
	return l
}

// Key names a row.
func (*rows) Key(row row) key { return row.key() }

// Find returns where the row of a key is.
func (r *rows) Find(k key) (int, bool) {
	if k.gap {
		for i, g := range r.gaps {
			if g.Project == k.project && g.Below == k.id {
				return g.Row + 1 + i, true
			}
		}
		return 0, false
	}
	i, ok := r.timeline.Find(k.project, k.id)
	if !ok {
		return 0, false
	}
	// The gaps below operations above this one push it down.
	return i + sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row >= i }), true
}
