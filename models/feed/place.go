package feed

import (
	"slices"
	"time"

	"pgtower/models"
)

const (
	// plausibleSkew is how far ahead of the clock of whoever asked a creation time may be
	// before it counts as nonsense.
	plausibleSkew = 24 * time.Hour
	// plausibleYears is how many years before that clock it may be.
	plausibleYears = 30
)

// place gives each operation of the page a place: its creation time. Where that is
// missing or impossible, it keeps the place that the server gave it, beside the
// operation before it. One that is known already keeps its row all the same.
func (f *Feed) place(p models.OperationPage) (page []*entry, odd Anomaly) {
	latest, earliest := p.AsOf.Add(plausibleSkew), p.AsOf.AddDate(-plausibleYears, 0, 0)
	plausible := func(t time.Time) bool { return !t.IsZero() && !t.After(latest) && !t.Before(earliest) }
	if !slices.ContainsFunc(p.Operations, func(op models.Operation) bool { return plausible(op.CreatedAt) }) {
		// Nothing is plausible: more likely that the clock here is wrong.
		plausible = func(t time.Time) bool { return !t.IsZero() }
	}
	asOf := p.AsOf // which all of them share
	page = make([]*entry, 0, len(p.Operations))
	var beside time.Time
	for i := range p.Operations {
		op := &p.Operations[i]
		if plausible(op.CreatedAt) {
			beside = op.CreatedAt
			break
		}
	}
	for i := range p.Operations {
		op := &p.Operations[i]
		at := op.CreatedAt
		if !plausible(at) {
			if !at.IsZero() {
				odd |= AnomalyTime
			}
			at = beside
		}
		if at.After(beside) {
			odd |= AnomalyOrder
		}
		beside = at
		e := &entry{at: at, feed: f}
		e.asked.Store(&asOf)
		e.hear(op)
		page = append(page, e)
	}
	return page, odd
}
