package feed

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
)

// kinds are the actions that occur among operations that are not gone.
type kinds map[models.Action]*kind

// kind is how often an action occurs, and the durations of its finished operations: failed, cancelled or skipped ones
// do not show how long the work takes.
type kind struct {
	count     int
	durations Durations
}

// Statuses returns the statuses that occur, in no particular order.
func (t *Timeline) Statuses() []models.Status { return slices.Collect(maps.Keys(t.statuses)) }

// Actions returns the actions that occur, the most frequent first.
func (t *Timeline) Actions() []models.Action {
	return slices.SortedFunc(maps.Keys(t.kinds), func(a, b models.Action) int {
		return cmp.Or(cmp.Compare(t.kinds[b].count, t.kinds[a].count), cmp.Compare(a, b))
	})
}

// Durations returns those of the finished operations of a kind, never nil. The timeline goes on changing them: read only.
func (t *Timeline) Durations(a models.Action) *Durations {
	if k, ok := t.kinds[a]; ok {
		return &k.durations
	}
	return &Durations{}
}

// All returns all loaded operations with their projects, newest first.
func (t *Timeline) All() iter.Seq2[string, *models.Operation] {
	return t.operations()
}

// Changes returns a number that is another one whenever the loaded operations are.
func (t *Timeline) Changes() int { return t.changes }

// recount updates the statistics after a change.
func (t *Timeline) recount(f *Feed, c Change) {
	for _, r := range c.Changed {
		t.tally(f, r.Before, -1)
		t.tally(f, r.After, +1)
	}
}

// tally adds or removes an operation. Removing undoes adding exactly, because operations are never modified.
func (t *Timeline) tally(f *Feed, op *models.Operation, by int) {
	t.ended.tally(op, f, by)
	t.count(op, by)
}

// count is tally without what ended.
func (t *Timeline) count(op *models.Operation, by int) {
	if !op.Done() {
		t.unfinished += by
	}
	if incident.Untimed(op) {
		t.untimed += by
	}
	t.changes++
	if part := failedPart(op.CreatedAt); op.Status.Failed() {
		t.failed[part] += by
		if t.failed[part] == 0 {
			delete(t.failed, part)
		}
	}
	if op.Gone {
		return
	}
	t.statuses[op.Status] += by
	if t.statuses[op.Status] == 0 {
		delete(t.statuses, op.Status)
	}
	t.kinds.tally(op, by)
}

func (all kinds) tally(op *models.Operation, by int) {
	k, ok := all[op.Action]
	if !ok {
		k = &kind{}
		all[op.Action] = k
	}
	k.count += by
	if k.count == 0 {
		delete(all, op.Action)
		return
	}
	took := op.Took(time.Time{})
	switch {
	case op.Status != models.StatusFinished, !took.Known, took.Value < 0:
	case by > 0:
		k.durations.Add(took.Value)
	default:
		k.durations.Remove(took.Value)
	}
}

// OfProject returns the loaded operations of a project, newest first.
func (t *Timeline) OfProject(id string) iter.Seq[*models.Operation] {
	return func(yield func(*models.Operation) bool) {
		m := t.members[id]
		if m == nil {
			return
		}
		for _, e := range m.feed.rows {
			if !yield(e.op()) {
				return
			}
		}
	}
}

// Between returns the loaded operations that began between two times, with their projects, newest first.
func (t *Timeline) Between(from, to time.Time) iter.Seq2[string, *models.Operation] {
	return func(yield func(string, *models.Operation) bool) {
		later := t.notBefore(to.Add(time.Nanosecond), 0)
		for _, e := range t.rows[later:t.notBefore(from, later)] {
			if !yield(e.feed.project, e.op()) {
				return
			}
		}
	}
}
