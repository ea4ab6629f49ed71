package mock

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// The errors of [Server.Fail].
var (
	ErrNoOperation = errors.New("there is no such operation")
	ErrEnded       = errors.New("the operation has ended")
)

// failures is what was made to fail in a project. It is never changed, only replaced, so
// that who has it can read it without the platform's mutex.
type failures struct {
	struck  map[int64]time.Time // when, by the operation's number
	stopped map[chain]time.Time // when a chain broke off
}

// chain names the operations of a slot of which each waits for the one before it.
type chain struct {
	slot int64
	link int32
}

// with returns the failures and one more.
func (f *failures) with(op operation, at time.Time) *failures {
	out := &failures{map[int64]time.Time{}, map[chain]time.Time{}}
	if f != nil {
		out.struck, out.stopped = maps.Clone(f.struck), maps.Clone(f.stopped)
	}
	out.struck[op.number] = at
	if last, ok := out.stopped[op.chain]; op.number < startedBias && op.stops() && (!ok || at.Before(last)) {
		out.stopped[op.chain] = at
	}
	return out
}

// stops says whether the rest of its chain does not come after the operation failed. As
// in the simulation, whoever configures or checks goes on all the same.
func (o *operation) stops() bool { return o.action != applyConfig && o.action != checkAvailability }

// unborn says that the operation was never begun, because its chain broke off before.
func (f *failures) unborn(op *operation) bool {
	if f == nil || op.number >= startedBias {
		return false
	}
	at, ok := f.stopped[op.chain]
	return ok && op.created.After(at)
}

// mark notes on operations what was done to them.
func (f *failures) mark(ops ...operation) []operation {
	if f == nil {
		return ops
	}
	for i := range ops {
		if at, ok := f.struck[ops[i].number]; ok {
			ops[i].struck, ops[i].struckAge = true, at.Sub(ops[i].created)
		}
	}
	return ops
}

// Fail makes an operation that has not ended fail at once: its status is failed, with
// one failure more than it had, and what was to follow it does not. The error is
// [ErrNoOperation] or [ErrEnded].
func (s *Server) Fail(projectID, operationID string) error {
	_, err := s.platform.fail(projectID, operationID)
	return err
}

// fail returns the operation as the API shows it then.
func (s *platform) fail(projectID, operationID string) (wireOperation, error) {
	p, ok := s.byID[projectID]
	if !ok {
		return wireOperation{}, fmt.Errorf("mock: %w: no project %q", ErrNoOperation, projectID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// After the lock was taken: of two who are at it, the second is the later one.
	now := s.started[p.id].horizon(s.clock.now().Truncate(time.Microsecond))
	op, ok := s.historyLocked(p, now).find(operationID)
	if !ok {
		return wireOperation{}, fmt.Errorf("mock: %w: %q", ErrNoOperation, operationID)
	}
	if err := s.strike(p, op, now); err != nil {
		return wireOperation{}, err
	}
	return s.wireOperation(p, s.failed[p.id].mark(op)[0], now), nil
}

// strike notes the failure of an operation at a time. The mutex is held.
func (s *platform) strike(p *project, op operation, at time.Time) error {
	if st := op.state(at.Sub(op.created)); st.done {
		return fmt.Errorf("mock: %w: it is %s", ErrEnded, st.status)
	}
	s.failed[p.id] = s.failed[p.id].with(op, at)
	return nil
}
