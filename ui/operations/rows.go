package operations

import (
	"sort"
	"strings"

	"pgtower/models"
)

// row is an operation, or a place where operations are missing.
type row struct {
	op      *models.Operation
	project string
	gap     *models.ProjectGap
}

// key names a row: an operation, or the gap below it.
type key struct {
	project, id string
	gap         bool
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

// rows are the timeline with its gaps between the operations.
type rows struct {
	timeline *models.Timeline
	gaps     []models.ProjectGap // newest first
}

// place finds where the gaps are, after the timeline has changed.
func (r *rows) place() { r.gaps = r.timeline.Gaps() }

// Len is the number of operations and gaps.
func (r *rows) Len() int { return r.timeline.Len() + len(r.gaps) }

// above is how many gaps stand above table row i, and whether one stands there.
func (r *rows) above(i int) (gaps int, here bool) {
	// With k gaps before it, the gap below operation Row stands at Row + 1 + k, which
	// grows with k.
	gaps = sort.Search(len(r.gaps), func(k int) bool { return r.gaps[k].Row+1+k >= i })
	return gaps, gaps < len(r.gaps) && r.gaps[gaps].Row+1+gaps == i
}

// Row returns an operation or gap, newest first.
func (r *rows) Row(i int) row {
	gaps, here := r.above(i)
	if here {
		return row{gap: &r.gaps[gaps], project: r.gaps[gaps].Project}
	}
	return row{op: r.timeline.At(i - gaps), project: r.timeline.ProjectAt(i - gaps)}
}

// Key names a row.
func (*rows) Key(row row) key {
	if row.gap != nil {
		return key{row.project, row.gap.Below, true}
	}
	return key{row.project, row.op.ID, false}
}

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
