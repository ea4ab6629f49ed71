package operations

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/table"
)

// row is an operation, a gap where operations are missing, or the divider below which the feed is not complete. Filters
// and orders read rows on other goroutines: one that the table has never changes.
type row struct {
	query.Operation

	gap     *feed.ProjectGap
	line    *extent
	partial bool // others may be missing around it
}

func newRow(facts *query.Facts, project string, op *models.Operation) *row {
	return &row{Operation: query.Operation{Op: op, Project: project, Facts: facts}}
}

func (r *row) title() string { return r.Op.Action.Title() }

func (r *row) values() models.Fields {
	if r.Op == nil {
		return nil
	}
	return models.ValuesOf(query.OperationFields(operationOf), r)
}

// key identifies an operation, the gap below one, or the divider at a time: a divider that moves is another row.
type key = table.Key

const gapMark = "gap\n" // begins the keys of gaps and dividers. No id of the service has a line break

func (r *row) key() key {
	switch {
	case r.line != nil:
		return key{Project: r.line.Lacking, ID: gapMark + r.line.Since.Format(time.RFC3339Nano)}
	case r.gap != nil:
		return key{Project: r.Project, ID: gapMark + r.gap.Below}
	}
	return key{Project: r.Project, ID: r.Op.ID}
}

// target returns the operation of a row, or nothing if it has no id.
func (r *row) target() key {
	if models.NoID(r.Op.ID) {
		return key{}
	}
	return r.key()
}

// seconds returns how long an operation took, or "" if it has not ended.
func (r *row) seconds() string {
	if took, ok := r.Took(time.Time{}); ok && r.Op.Done() {
		return strconv.FormatFloat(took.Seconds(), 'f', 3, 64)
	}
	return ""
}

type operations interface {
	Len() int
	At(i int) *models.Operation
	ProjectAt(i int) string
	AsOf(i int) time.Time
}

// rows are the rows of the table: operations, the gaps between them, and the divider.
type rows struct {
	operations
	gaps     []*feed.ProjectGap // newest first
	complete int                // the number of operations with nothing missing between them
	line     *extent            // the divider, or nil
	facts    *query.Facts
	poller   *feed.Poller
	extent   extent
	from     time.Time // since when operations are filtered, sorted, counted and grouped; once it is known, it never moves forward
	ranged   bool      // from is known: until then, it is all of them
	counted  feed.Rows // see [rows.locate]
	made     []row     // the last rows returned, in one allocation: a frame asks for all on the screen
}

// frozen is all loaded rows at some time. Each is allocated on its own, because filters keep only some.
type frozen struct{ rows }

func (f *frozen) Row(i int) *row { return new(f.at(i)) }

func (r *rows) Len() int {
	n := r.operations.Len() + len(r.gaps)
	if r.line != nil {
		n++
	}
	return n
}

// Row returns a row, the newest first.
func (r *rows) Row(i int) *row {
	const atOnce = 64
	if len(r.made) == cap(r.made) {
		r.made = make([]row, 0, atOnce)
	}
	r.made = append(r.made, r.at(i))
	return &r.made[len(r.made)-1]
}

func (r *rows) at(i int) row {
	if r.line != nil && i >= r.complete {
		if i == r.complete {
			return row{Operation: query.Operation{Facts: r.facts}, line: r.line}
		}
		i--
	}
	// With k gaps before it, the gap below operation Row stands at Row + 1 + k, which grows with k.
	above := sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row+1+k >= i })
	if above < len(r.gaps) && r.gaps[above].Row+1+above == i {
		gap := r.gaps[above]
		return row{Operation: query.Operation{Project: gap.Project, Facts: r.facts}, gap: gap}
	}
	i -= above
	op := query.Operation{Op: r.At(i), Project: r.ProjectAt(i), AsOf: r.AsOf(i), Facts: r.facts}
	return row{Operation: op, partial: i >= r.complete}
}

func newRows(p *feed.Poller, facts *query.Facts) *rows {
	return &rows{operations: p.Timeline(), poller: p, facts: facts}
}

// locate finds the gaps, the divider, and the operations that are filtered, sorted, counted and grouped: those of the range.
func (r *rows) locate(e extent, now time.Time) {
	t := r.poller.Timeline()
	r.gaps, r.extent, r.complete = r.poller.Gaps(now), e, 0
	if !e.unlisted && e.Unread == 0 {
		r.complete = t.Complete()
	}
	ranged, from := !e.Range.IsZero(), e.counted()
	if ranged && (!r.ranged || from.Before(r.from)) {
		r.from, r.ranged = from, true
	}
	r.counted = t.Since(r.from)
}

// Freeze returns the rows that count. There is no gap above the divider.
func (r *rows) Freeze() (list table.Rows[*row], divider int) {
	f := &frozen{*r}
	f.operations = r.counted
	f.gaps = f.gaps[:f.gapsAbove(f.operations.Len())]
	if r.extent.whole() {
		return f, -1
	}
	f.line = &f.extent
	return f, r.complete
}

func (*rows) Key(r *row) key { return r.key() }

func (r *rows) Find(k key) (int, bool) {
	if below, gap := strings.CutPrefix(k.ID, gapMark); gap {
		i := slices.IndexFunc(r.gaps, func(g *feed.ProjectGap) bool { return g.Project == k.Project && g.Below == below })
		if i < 0 {
			return 0, false
		}
		return r.gaps[i].Row + 1 + i, true
	}
	i, ok := r.poller.Timeline().Find(k.Project, k.ID)
	return i + r.gapsAbove(i), ok
}

// gapsAbove returns how many gaps are above an operation, which they push down.
func (r *rows) gapsAbove(operation int) int {
	return sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row >= operation })
}

// Has reports whether an operation is loaded, shown or not.
func (r *rows) Has(k key) bool {
	f := r.poller.Feed(k.Project)
	if f == nil {
		return false
	}
	_, ok := f.Find(k.ID)
	return ok
}
