package feed

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"pgtower/models"
)

// ActionStats counts the loaded operations of one kind, without those that are gone.
type ActionStats struct {
	Action                    models.Action
	Count, Failed, Unfinished int
	// Durations are those of finished operations; failed, cancelled or skipped ones do not show how long the work
	// takes. They belong to the timeline, which goes on changing them: read only.
	Durations *Durations
}

// Statuses returns the statuses that occur, in no particular order.
func (t *Timeline) Statuses() []models.Status { return slices.Collect(maps.Keys(t.statuses)) }

// Actions returns the statistics of each action that occurs, the most frequent first.
func (t *Timeline) Actions() []ActionStats { return t.actions.all() }

// StatsOf returns the statistics of some operations, as [Timeline.Actions] does of all.
func StatsOf(operations iter.Seq[*models.Operation]) []ActionStats {
	actions := actionStats{}
	for op := range operations {
		if !op.Gone {
			actions.tally(op, +1)
		}
	}
	return actions.all()
}

// actionStats are the statistics by action.
type actionStats map[models.Action]*ActionStats

func (a actionStats) all() []ActionStats {
	sorted := slices.SortedFunc(maps.Values(a), func(a, b *ActionStats) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Action, b.Action))
	})
	out := make([]ActionStats, len(sorted))
	for i, s := range sorted {
		out[i] = *s
	}
	return out
}

// Durations returns the durations of the operations of a kind (see [ActionStats]), never nil.
func (t *Timeline) Durations(a models.Action) *Durations {
	if s, ok := t.actions[a]; ok {
		return s.Durations
	}
	return &Durations{}
}

// Observe calls count with +1 for every loaded operation, oldest first, and from now on with +1 or -1 for each that is
// added or removed. A changed operation is removed as it was and added as it is. A nil count ends this.
func (t *Timeline) Observe(count func(project string, op *models.Operation, by int)) {
	t.observer = count
	if count == nil {
		return
	}
	for _, e := range slices.Backward(t.rows) {
		count(e.feed.project, e.op(), +1)
	}
}

// recount updates the statistics after a change.
func (t *Timeline) recount(project string, c Change) {
	for _, r := range c.Changed {
		t.tally(project, r.Before, -1)
		t.tally(project, r.After, +1)
	}
}

// tally adds or removes an operation. Removing undoes adding exactly, because operations are never modified.
func (t *Timeline) tally(project string, op *models.Operation, by int) {
	t.tallyEnded(op, by)
	if t.observer != nil {
		t.observer(project, op, by)
	}
	if op.Gone {
		return
	}
	if t.statuses[op.Status] += by; t.statuses[op.Status] == 0 {
		delete(t.statuses, op.Status)
	}
	t.actions.tally(op, by)
}

func (a actionStats) tally(op *models.Operation, by int) {
	s, ok := a[op.Action]
	if !ok {
		s = &ActionStats{Action: op.Action, Durations: &Durations{}}
		a[op.Action] = s
	}
	if s.Count += by; s.Count == 0 {
		delete(a, op.Action)
		return
	}
	switch {
	case op.Status.Failed():
		s.Failed += by
	case !op.Done():
		s.Unfinished += by
	case op.Status == models.StatusFinished:
		took := op.Took(time.Time{})
		switch {
		case !took.Known || took.Value < 0:
		case by > 0:
			s.Durations.Add(took.Value)
		default:
			s.Durations.Remove(took.Value)
		}
	}
}
