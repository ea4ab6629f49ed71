package mock

import (
	"cmp"
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
	h := s.history(p, now)
	before, trouble := q.before(h.end())
	if trouble != nil {
		return nil, trouble
	}
	ops := h.page(before, limit+1)
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
	op, ok := s.history(p, now).find(id)
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

func (s *platform) wireOperation(p *project, op operation, now time.Time) wireOperation {
	st := op.state(max(now.Sub(op.created), 0))
	w := wireOperation{
		ID:            cmp.Or(op.id, operationID(p.key, op.number)),
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
	if st.retry > 0 {
		at := exactStamp(op.created.Add(st.retry))
		w.RetryAt = &at
	}
	// What came to a good end has no error, however often it was tried.
	if st.failures > 0 && (!st.done || st.status == statusFailed || st.status == statusError) {
		w.Error = reason(op.action, op.number)
	}
	return w
}
