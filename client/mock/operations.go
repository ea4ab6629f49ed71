package mock

import (
	"net/http"
	"time"
)

// The page size of the operations list: the specification leaves both open, the live
// service is known to have this maximum.
const (
	defaultOperationLimit = 100
	maxOperationLimit     = 1000
)

// listOperations is GET /projects/{project_id}/operations (section 4.5).
func (s *platform) listOperations(r *http.Request) (any, *problem) {
	p, trouble := s.project(r)
	if trouble != nil {
		return nil, trouble
	}
	q, trouble := parseQuery(r, "limit", "cursor")
	if trouble != nil {
		return nil, trouble
	}
	limit, trouble := q.limit(defaultOperationLimit, maxOperationLimit)
	if trouble != nil {
		return nil, trouble
	}
	now := callOf(r).now
	before, trouble := q.before(now.Add(1))
	if trouble != nil {
		return nil, trouble
	}
	ops := s.operations(p, before, limit+1)
	out := wireOperations{Operations: make([]wireOperation, 0, limit)}
	for _, op := range ops[:min(limit, len(ops))] {
		out.Operations = append(out.Operations, s.wireOperation(p, op, now))
	}
	if len(ops) > limit {
		out.Pagination = &wirePagination{out.Operations[limit-1].CreatedAt}
	}
	return out, nil
}

// getOperation is GET /projects/{project_id}/operations/{operation_id} (section 4.6).
func (s *platform) getOperation(r *http.Request) (any, *problem) {
	p, trouble := s.project(r)
	if trouble != nil {
		return nil, trouble
	}
	id := r.PathValue("operation_id")
	if !isUUID(id) {
		return nil, newProblem(http.StatusBadRequest, "operation_id is not a UUID")
	}
	now := callOf(r).now
	op, ok := s.operation(p, id, now)
	if !ok {
		return nil, newProblem(http.StatusNotFound, "there is no such operation")
	}
	return wireOperationAnswer{s.wireOperation(p, op, now)}, nil
}

// project returns the project that the path names.
func (s *platform) project(r *http.Request) (*project, *problem) {
	id := r.PathValue("project_id")
	if !validID(id) {
		return nil, newProblem(http.StatusBadRequest, "project_id is 1 to 60 of the characters a-z, 0-9 and -")
	}
	p, ok := s.byID[id]
	if !ok {
		return nil, newProblem(http.StatusNotFound, "there is no such project")
	}
	return p, nil
}

// operations returns up to limit operations created before a time, newest first: the
// simulation's and those that [Server.Start] added.
func (s *platform) operations(p *project, before time.Time, limit int) []operation {
	ops := p.page(before, limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	if started := s.started[p.id]; started != nil {
		ops = merged(ops, started.page(before, limit), limit)
	}
	return s.failed[p.id].mark(ops...)
}

// operation finds an operation by its id.
func (s *platform) operation(p *project, id string, now time.Time) (op operation, ok bool) {
	number, known := operationNumber(p.key, id)
	if !known {
		return operation{}, false
	}
	if number < startedBias {
		op, ok = p.find(number, now) // Without the mutex: its slot may have to be drawn.
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if number >= startedBias {
		op, ok = s.started[p.id].find(number, now)
	}
	return s.failed[p.id].mark(op)[0], ok
}

func (s *platform) wireOperation(p *project, op operation, now time.Time) wireOperation {
	st := op.state(now.Sub(op.created))
	w := wireOperation{
		ID:            operationID(p.key, op.number),
		ProjectID:     p.id,
		BranchID:      op.branch,
		EndpointID:    op.endpoint,
		Action:        op.action,
		Status:        st.status,
		FailuresCount: st.failures,
		CreatedAt:     exactStamp(op.created),
		UpdatedAt:     exactStamp(op.created.Add(st.since)),
	}
	if !s.live {
		return w
	}
	// The live service's records have it from the beginning.
	ms := st.since.Milliseconds()
	w.TotalMS = &ms
	if st.retried > 0 {
		at := exactStamp(op.created.Add(st.retried))
		w.RetryAt = &at
	}
	if st.failures > 0 {
		w.Error = reason(op.action, op.number)
	}
	return w
}

// reason is the live service's text on why the last attempt failed.
func reason(action string, number int64) string {
	switch action {
	case startCompute, suspendCompute, checkAvailability:
		return []string{
			"compute did not become ready in time",
			"no free capacity in the region",
			"postgres exited with status 1 during startup",
		}[mix(bits(number))%3]
	case applyConfig, applyStorageConfig:
		return "the compute did not acknowledge the configuration"
	}
	return "storage did not answer in time"
}
