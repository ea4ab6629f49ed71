package mock

import "time"

// history is what has happened in a project, as it is at one moment: all that is in it
// can be read without the platform's mutex.
type history struct {
	*project

	horizon time.Time
	started startedOperations
	failed  *failures
}

// history returns what has happened in a project by now.
func (s *platform) history(p *project, now time.Time) history {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.historyLocked(p, now)
}

// historyLocked is history for who holds the mutex.
func (s *platform) historyLocked(p *project, now time.Time) history {
	// What is started later is put behind these: they do not change.
	started := s.started[p.id]
	return history{p, started.horizon(now), started, s.failed[p.id]}
}

// end is the time before which all of it was created.
func (h history) end() time.Time { return h.horizon.Add(1) }

// page returns up to limit operations created before a time, newest first: the
// simulation's and those that [Server.Start] added.
func (h history) page(before time.Time, limit int) []operation {
	ops := h.project.page(before, limit, h.failed)
	return h.failed.mark(merged(ops, h.started.page(before, limit), limit)...)
}

// find finds an operation by its id.
func (h history) find(id string) (op operation, ok bool) {
	if op, ok := h.fixedOne(id, h.horizon); ok {
		return h.failed.mark(op)[0], true
	}
	number, known := operationNumber(h.key, id)
	switch {
	case !known:
		return operation{}, false
	case number >= startedBias:
		op, ok = h.started.find(number)
	default:
		op, ok = h.project.find(number, h.horizon)
		ok = ok && !h.failed.unborn(&op)
	}
	return h.failed.mark(op)[0], ok
}
