package models

import "time"

// Branch is a record of GET /projects/{id}/branches, which only the live service has. A deleted branch is gone from that
// list, while its operations stay.
type Branch struct {
	ID                   string
	Name                 string // unique in the project, and can be changed
	ParentID             string // empty for a branch without a parent
	Default              Opt[bool]
	Protected            Opt[bool]
	State                string // such as init, resetting, ready and archived
	PendingState         string // the state that follows, empty if none does
	CreatedAt, UpdatedAt time.Time
	ExpiresAt            Opt[time.Time] // when the service deletes it: a known zero is never
	CreatedBy            string         // the name of its creator or else the id, or empty
	Damage               string         // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the list.
func (b *Branch) UnmarshalJSON(doc []byte) error {
	r := readObject(doc, make([]field, 0, usualFields))
	*b = Branch{
		ID:           r.sharedIdentity(),
		Name:         r.text("name"),
		ParentID:     r.sharedID("parent_id"),
		Default:      r.flag("default"),
		Protected:    r.flag("protected"),
		State:        r.word("current_state"),
		PendingState: r.word("pending_state"),
		CreatedAt:    r.time("created_at"),
		UpdatedAt:    r.time("updated_at"),
		ExpiresAt:    r.timeOrNone("expires_at"),
		CreatedBy:    r.creator("created_by"),
	}
	b.Damage = r.damaged()
	return nil
}

// Endpoint is a record of GET /projects/{id}/endpoints, which only the live service has: a compute of a branch.
type Endpoint struct {
	ID           string
	Name         string // empty for one without a name
	BranchID     string
	Type         string // such as read_write and read_only
	State        string // such as init, active and idle
	PendingState string // the state that follows, empty if none does
	Disabled     Opt[bool]
	LastActive   time.Time
	StartedAt    time.Time
	SuspendedAt  time.Time
	Damage       string // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the list.
func (e *Endpoint) UnmarshalJSON(doc []byte) error {
	r := readObject(doc, make([]field, 0, usualFields))
	*e = Endpoint{
		ID:           r.sharedIdentity(),
		Name:         r.text("name"),
		BranchID:     r.sharedID("branch_id"),
		Type:         r.word("type"),
		State:        r.word("current_state"),
		PendingState: r.word("pending_state"),
		Disabled:     r.flag("disabled"),
		LastActive:   r.time("last_active"),
		StartedAt:    r.time("started_at"),
		SuspendedAt:  r.time("suspended_at"),
	}
	e.Damage = r.damaged()
	return nil
}
