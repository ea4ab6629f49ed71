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
	return slices.SortedFunc(maps.Keys(t.kinds), t.kinds.compare)
}

// compare orders actions by how often they occur, the most frequent first.
func (ks kinds) compare(a, b models.Action) int {
	return cmp.Or(cmp.Compare(ks[b].count, ks[a].count), cmp.Compare(a, b))
}

// Durations returns the durations of the finished operations of an action, never nil. The timeline goes on changing them:
// read only.
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

// Changes returns a number that changes whenever the loaded operations do.
func (t *Timeline) Changes() int { return t.changes }

// recount updates the statistics after a change.
func (t *Timeline) recount(f *Feed, c Change) {
	for _, r := range c.Changed {
		t.tally(f, r.Before, -1)
		t.came(f.byID[r.After.ID], r.After)
	}
}

// came counts an operation that is loaded, or its next version.
func (t *Timeline) came(e *entry, op *models.Operation) {
	t.tally(e.feed, op, +1)
	if !op.Done() {
		t.late[e] = struct{}{}
	}
}

// tally adds or removes an operation. Removing undoes adding exactly, because operations are never modified.
func (t *Timeline) tally(f *Feed, op *models.Operation, change int) {
	t.ended.tally(op, f, change)
	t.count(op, change)
	for _, c := range t.censuses {
		c.follow(f.byID[op.ID], op, change)
	}
}

// count does what tally does, but not for endings and censuses.
func (t *Timeline) count(op *models.Operation, change int) {
	if !op.Done() {
		t.unfinished += change
	}
	if incident.Untimed(op) {
		t.untimed += change
	}
	t.changes++
	if part := failedPart(op.CreatedAt); op.Status.Failed() {
		t.failed[part] += change
		if t.failed[part] == 0 {
			delete(t.failed, part)
		}
	}
	if op.Gone {
		return
	}
	t.statuses[op.Status] += change
	if t.statuses[op.Status] == 0 {
		delete(t.statuses, op.Status)
	}
	t.kinds.tally(op, change)
}

func (ks kinds) tally(op *models.Operation, change int) {
	k, ok := ks[op.Action]
	if !ok {
		k = &kind{}
		ks[op.Action] = k
	}
	k.count += change
	if k.count == 0 {
		delete(ks, op.Action)
		return
	}
	took := op.Took(time.Time{})
	switch {
	case op.Status != models.StatusFinished, !took.Known, took.Value < 0:
	case change > 0:
		k.durations.Add(took.Value)
	default:
		k.durations.Remove(took.Value)
	}
}

// OfProject returns the loaded operations of a project with its id, newest first.
func (t *Timeline) OfProject(id string) iter.Seq2[string, *models.Operation] {
	if m := t.members[id]; m != nil {
		return m.feed.operations()
	}
	return rows(nil).operations()
}

// Between returns the loaded operations that began between two times, with their projects, newest first.
func (t *Timeline) Between(from, until time.Time) iter.Seq2[string, *models.Operation] {
	later := t.notBefore(until.Add(time.Nanosecond), 0)
	return t.rows[later:t.notBefore(from, later)].operations()
}
