package models

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unique"

	"pgtower/models/record"
)

// Status is the state of an operation (section 3.2). An unknown one is shown as it is.
type Status string

// The statuses of section 3.2, then those known of the live service.
const (
	StatusScheduling Status = "scheduling"
	StatusRunning    Status = "running"
	StatusFinished   Status = "finished"
	StatusFailed     Status = "failed"
	StatusError      Status = "error"
	StatusCancelling Status = "cancelling"
	StatusCancelled  Status = "cancelled"
	StatusSkipped    Status = "skipped"
)

// Known reports whether the status is one of these.
func (s Status) Known() bool {
	return s.Done() || s == StatusScheduling || s == StatusRunning || s == StatusCancelling
}

// Done reports whether the operation has ended, though one that failed may be tried again: see [Status.Final]. An unknown
// status has not, so the operation is read again.
func (s Status) Done() bool {
	switch s {
	case StatusFinished, StatusFailed, StatusError, StatusCancelled, StatusSkipped:
		return true
	default:
		return false
	}
}

// Failed reports whether the operation ended without success.
func (s Status) Failed() bool { return s == StatusFailed || s == StatusError }

// Operation is an action of the control plane on an object of a project (section 2.3).
type Operation struct {
	ID            string
	ProjectID     string
	BranchID      string
	EndpointID    string // empty for operations without a compute, such as create_branch
	Action        Action
	Status        Status
	FailuresCount int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Error         string             // the live service's reason for the failure
	RetryAt       time.Time          // when the live service retries
	Total         Opt[time.Duration] // the duration measured by the live service
	Gone          bool               // reading the operation returned 404; set by the feed
	Damage        string             // which parts of the record could not be read, or empty

	// If the error was cut, Cause is the [Signature] of the whole error, which may be cut as well, and CauseSum is the
	// hash of the whole signature. Otherwise they are empty.
	Cause    string
	CauseSum uint32
}

// UnmarshalJSON decodes an operation record (sections 2.3, 4.5, 4.6).
func (o *Operation) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*o = Operation{
		ID:            r.identity(),
		ProjectID:     r.sharedID("project_id"),
		BranchID:      r.sharedID("branch_id"),
		EndpointID:    r.sharedID("endpoint_id"),
		Action:        Action(r.word("action")),
		Status:        Status(r.word("status")),
		FailuresCount: r.integer("failures_count").Value,
		CreatedAt:     r.time("created_at"),
		UpdatedAt:     r.time("updated_at"),
		RetryAt:       r.time("retry_at"),
		Total:         r.milliseconds("total_duration_ms"),
	}
	o.readError(&r)
	o.Damage = r.damaged()
	return nil
}

// readError reads the error and, if it is cut, what groups compare: the signature of the whole error.
func (o *Operation) readError(r *jsonObject) {
	whole := r.unquoted("error")
	text, isCut := kept(whole)
	o.Error = unique.Make(text).Value()
	if !isCut {
		return
	}
	cause := Signature(string(whole), o.ProjectID)
	h := fnv.New32a()
	_, _ = h.Write([]byte(cause)) // never fails
	o.CauseSum = max(1, h.Sum32())
	text, _ = kept([]byte(cause))
	o.Cause = unique.Make(strings.TrimSuffix(text, cutMark)).Value()
}

// ErrorCut reports whether the error is longer than what is kept of it.
func (o *Operation) ErrorCut() bool { return o.CauseSum != 0 }

// OperationFields returns the fields of operations, which are not to be changed.
func OperationFields() []record.Field[*Operation] { return operationFields }

var operationFields = []record.Field[*Operation]{
	{
		Name: "id", Get: record.IDs(func(o *Operation) string { return o.ID }), Always: true,
		Filter: "id", Searched: idFrom,
	},
	{Name: "project_id", Get: record.IDs(func(o *Operation) string { return o.ProjectID }), Always: true},
	{Name: "branch_id", Get: record.IDs(func(o *Operation) string { return o.BranchID })},
	{Name: "endpoint_id", Get: record.IDs(func(o *Operation) string { return o.EndpointID })},
	{
		Name: "action", Get: record.Words(func(o *Operation) string { return string(o.Action) }), Always: true,
		Title: "ACTION", Width: 18, Full: 22, Least: 9, Grow: 2, Filter: "action", Searched: 1, Whole: true,
	},
	{
		Name: "status", Get: record.Words(func(o *Operation) string { return string(o.Status) }), Always: true,
		Title: "STATUS", Least: 10, Filter: "status", Searched: 1,
		Also: (*Operation).presence,
	},
	{
		Name: "failures_count", Get: record.Counts(record.Number, func(o *Operation) (int64, bool) { return o.FailuresCount, true }),
		Title: "RETRIES", Width: 8, Priority: 7, Extra: true,
	},
	{
		Name: "created_at", Get: record.Moments(func(o *Operation) time.Time { return o.CreatedAt }), Always: true,
		Title: "CREATED", Priority: 6, Extra: true, Filter: "created",
	},
	{
		Name: "updated_at", Get: record.Moments(func(o *Operation) time.Time { return o.UpdatedAt }), Always: true,
		Filter: "updated",
	},
	{
		Name: "error", Get: record.Words(func(o *Operation) string { return o.Error }), Unseen: true,
		Title: "ERROR", Width: 20, Full: 44, Least: 16, Grow: 12, Priority: 8, Extra: true, Plain: true, Filter: "error", Searched: 1,
	},
	{Name: "retry_at", Get: record.Dues(func(o *Operation) time.Time { return o.RetryAt }), Absent: true},
	{
		Name: "total_duration_ms", Unseen: true, Get: record.Counts(record.Number, func(o *Operation) (int64, bool) {
			return o.Total.Value.Milliseconds(), o.Total.Known
		}),
	},
	{Name: "gone", Get: record.Flags(func(o *Operation) (bool, bool) { return o.Gone, o.Gone }), Unseen: true},
	{Name: "error_cut", Get: record.Flags(func(o *Operation) (bool, bool) { return o.ErrorCut(), o.ErrorCut() }), Aside: true},
	{Name: "damage", Get: record.Words(func(o *Operation) string { return o.Damage }), Aside: true},
}

// presence returns the word by which filters find operations that no longer exist.
func (o *Operation) presence() string {
	if o.Gone {
		return "gone"
	}
	return ""
}

const idFrom = 6 // the least characters of a word searched for in ids

// Fields returns the operation's fields.
func (o *Operation) Fields() Fields { return ValuesOf(operationFields, o) }

// JSON returns the operation as the service would send it, with the fields that pgtower adds.
func (o *Operation) JSON() []byte {
	names := slices.Concat(record.Names(operationFields), record.AsideNames(operationFields))
	return o.Fields().JSON(names, record.AlwaysNames(operationFields)...)
}

// Done reports whether the operation has reached its final state.
func (o *Operation) Done() bool { return o.Gone || o.Status.Done() }

// Finished reports whether the operation ended well, and the service still knows it.
func (o *Operation) Finished() bool { return !o.Gone && o.Status == StatusFinished }

// EndedAt returns when the operation ended, but not before it began. It is zero while that is unknown.
func (o *Operation) EndedAt() time.Time {
	switch {
	case !o.Status.Done(), o.UpdatedAt.IsZero():
		return time.Time{}
	case o.UpdatedAt.Before(o.CreatedAt):
		return o.CreatedAt
	}
	return o.UpdatedAt
}

// Took returns how long the operation took, or has taken at now. It is unknown while the operation waits to run, if it
// is gone before it ended, and if its times are missing or wrong.
func (o *Operation) Took(now time.Time) Opt[time.Duration] {
	end := o.UpdatedAt
	switch {
	case o.Status.Done() && o.Total.Known:
		return o.Total
	case !o.Status.Done() && o.Gone: // its total was about the time until it was read
		return Opt[time.Duration]{}
	case !o.Status.Done():
		end = now
	}
	timed := !o.CreatedAt.IsZero() && !end.IsZero() && !end.Before(o.CreatedAt)
	if o.Status == StatusScheduling || !timed {
		return Opt[time.Duration]{}
	}
	return Opt[time.Duration]{end.Sub(o.CreatedAt), true}
}
