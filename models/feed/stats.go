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
	Longest   time.Duration // the longest of them, exactly; 0 if there are none

	unsure bool // Longest was removed: only the operations tell which one is the longest now
}

// Quantile returns the duration that the fraction q of the finished operations does not exceed, or 0 if there are none.
// It is never longer than the longest.
func (s *ActionStats) Quantile(q float64) time.Duration {
	d, _ := s.Durations.Quantile(q)
	return min(d, s.Longest)
}

// Statuses returns the statuses that occur, in no particular order.
func (t *Timeline) Statuses() []models.Status { return slices.Collect(maps.Keys(t.statuses)) }

// Actions returns the statistics of each action that occurs, the most frequent first.
func (t *Timeline) Actions() []ActionStats {
	t.findLongest()
	return t.actions.all()
}

// findLongest searches the operations of the actions whose longest one was removed or changed, which is rare.
func (t *Timeline) findLongest() {
	search := false
	for _, s := range t.actions {
		if s.unsure {
			s.Longest, search = 0, true
		}
	}
	if !search {
		return
	}
	for _, e := range t.rows {
		op := e.op()
		if s, ok := t.actions[op.Action]; ok && s.unsure {
			if took, counts := counted(op); counts {
				s.Longest = max(s.Longest, took)
			}
		}
	}
	for _, s := range t.actions {
		s.unsure = false
	}
}

// counted returns how long an operation took, and whether the statistics count that.
func counted(op *models.Operation) (took time.Duration, ok bool) {
	d := op.Took(time.Time{})
	return d.Value, !op.Gone && op.Status == models.StatusFinished && d.Known && d.Value >= 0
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

// All returns all loaded operations with their projects, newest first.
func (t *Timeline) All() iter.Seq2[string, *models.Operation] {
	return func(yield func(string, *models.Operation) bool) {
		for _, e := range t.rows {
			if !yield(e.feed.project, e.op()) {
				return
			}
		}
	}
}

// Changes returns a number that is another one whenever the loaded operations are.
func (t *Timeline) Changes() int { return t.changes }

// recount updates the statistics after a change.
func (t *Timeline) recount(c Change) {
	for _, r := range c.Changed {
		t.tally(r.Before, -1)
		t.tally(r.After, +1)
	}
}

// tally adds or removes an operation. Removing undoes adding exactly, because operations are never modified.
func (t *Timeline) tally(op *models.Operation, by int) {
	if !op.Done() {
		t.unfinished += by
	}
	t.ended.tally(op, by)
	t.changes++
	if op.Gone {
		return
	}
	t.statuses[op.Status] += by
	if t.statuses[op.Status] == 0 {
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
	s.Count += by
	if s.Count == 0 {
		delete(a, op.Action)
		return
	}
	switch {
	case op.Status.Failed():
		s.Failed += by
	case !op.Done():
		s.Unfinished += by
	}
	took, ok := counted(op)
	switch {
	case !ok:
	case by > 0:
		s.Durations.Add(took)
		s.Longest = max(s.Longest, took)
	default:
		s.Durations.Remove(took)
		s.unsure = s.unsure || took == s.Longest
	}
}
