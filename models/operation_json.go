package models

import (
	"encoding/json"
	"time"
)

// operationRecord is an operation with the names of section 2.3, and after them those
// that only the live service has.
type operationRecord struct {
	ID            string     `json:"id"`
	ProjectID     string     `json:"project_id"`
	BranchID      string     `json:"branch_id,omitempty"`
	EndpointID    string     `json:"endpoint_id,omitempty"`
	Action        Action     `json:"action"`
	Status        Status     `json:"status"`
	FailuresCount int64      `json:"failures_count"`
	CreatedAt     *time.Time `json:"created_at"`
	UpdatedAt     *time.Time `json:"updated_at"`
	Error         string     `json:"error,omitempty"`
	RetryAt       *time.Time `json:"retry_at,omitempty"`
	TotalMillis   *int64     `json:"total_duration_ms,omitempty"`
}

// MarshalJSON writes the operation as the service would, from what was understood of it.
func (o *Operation) MarshalJSON() ([]byte, error) {
	at := func(t time.Time) *time.Time {
		// Outside these years a time cannot be written as JSON.
		if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
			return nil
		}
		return &t
	}
	r := operationRecord{
		ID: o.ID, ProjectID: o.ProjectID, BranchID: o.BranchID, EndpointID: o.EndpointID,
		Action: o.Action, Status: o.Status, FailuresCount: o.FailuresCount,
		CreatedAt: at(o.CreatedAt), UpdatedAt: at(o.UpdatedAt), Error: o.Error, RetryAt: at(o.RetryAt),
	}
	if o.Total.Known {
		ms := o.Total.Value.Milliseconds()
		r.TotalMillis = &ms
	}
	return json.Marshal(r)
}
