package operations

import (
	"strings"

	"pgtower/models"
)

// row is an operation, or a place where operations are missing.
type row struct {
	op  *models.Operation
	gap *models.Gap
}

// rows are the feed with its gaps between the operations.
type rows struct {
	feed *models.Feed
	gaps []placedGap
}

// placedGap is a gap with its place among the rows.
type placedGap struct {
	at int
	models.Gap
}

const gapID = "gap below "

// place finds where the gaps are, after the feed has changed.
func (r *rows) place() {
	r.gaps = r.gaps[:0]
	for _, g := range r.feed.Gaps() {
		if at, ok := r.feed.Find(g.Below); ok {
			r.gaps = append(r.gaps, placedGap{at + 1 + len(r.gaps), g})
		}
	}
}

// Len is the number of operations and gaps.
func (r *rows) Len() int { return r.feed.Len() + len(r.gaps) }

// Row returns an operation or gap, newest first.
func (r *rows) Row(i int) row {
	above := 0
	for k := range r.gaps {
		switch {
		case r.gaps[k].at == i:
			return row{gap: &r.gaps[k].Gap}
		case r.gaps[k].at < i:
			above++
		}
	}
	return row{op: r.feed.At(i - above)}
}

// ID names an operation by its id, and a gap by that of the operation above it.
func (*rows) ID(row row) string {
	if row.gap != nil {
		return gapID + row.gap.Below
	}
	return row.op.ID
}

// Find returns where the row of an id is.
func (r *rows) Find(id string) (int, bool) {
	if below, ok := strings.CutPrefix(id, gapID); ok {
		for _, g := range r.gaps {
			if g.Below == below {
				return g.at, true
			}
		}
		return 0, false
	}
	i, ok := r.feed.Find(id)
	if !ok {
		return 0, false
	}
	for _, g := range r.gaps {
		if g.at <= i {
			i++
		}
	}
	return i, true
}
