package mock

import (
	"errors"
	"fmt"
	"time"
)

// The errors of [Server.Fail].
var (
	ErrNoOperation = errors.New("there is no such operation")
	ErrEnded       = errors.New("the operation has ended")
)

// failures is when operations of a project were made to fail, by their number. The
// platform's mutex guards it.
type failures map[int64]time.Time

// mark notes on operations what was done to them.
func (f failures) mark(ops ...operation) []operation {
	if len(f) == 0 {
		return ops
	}
	for i := range ops {
		if at, ok := f[ops[i].number]; ok {
			ops[i].struck, ops[i].struckAge = true, at.Sub(ops[i].created)
		}
	}
	return ops
}

// Fail makes an operation that has not ended fail at once: its status is failed, with
// one failure more than it had. The error is [ErrNoOperation] or [ErrEnded].
func (s *Server) Fail(projectID, operationID string) error {
	_, err := s.current().fail(projectID, operationID)
	return err
}

// fail returns the operation as the API shows it then.
func (s *platform) fail(projectID, operationID string) (wireOperation, error) {
	p, ok := s.byID[projectID]
	if !ok {
		return wireOperation{}, fmt.Errorf("mock: %w: no project %q", ErrNoOperation, projectID)
	}
	now := s.clock.now().Truncate(time.Microsecond)
	op, ok := s.operation(p, operationID, now)
	if !ok {
		return wireOperation{}, fmt.Errorf("mock: %w: %q", ErrNoOperation, operationID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	op = s.failed[p.id].mark(op)[0] // Somebody else may have been faster.
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
	if s.failed[p.id] == nil {
		s.failed[p.id] = failures{}
	}
	s.failed[p.id][op.number] = at
	return nil
}
