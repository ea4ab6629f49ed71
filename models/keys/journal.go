package keys

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Journal keeps what was changed, and what was about to be.
type Journal interface {
	Check() error            // returns why it cannot be written, or nil
	Write(r Record) error    // appends a record; its account and times are the journal's
	Open() ([]Record, error) // returns the changes of its account whose outcome a list may decide
}

// Record is a line of the journal. It never has a secret. The records of a change have the same request id.
type Record struct {
	At        time.Time `json:"at"`            // when it was written, by this computer's clock
	Sent      time.Time `json:"sent,omitzero"` // when the request was sent at the latest, by the service's clock
	Account   string    `json:"account"`       // profile@host
	Change    string    `json:"change"`
	Outcome   string    `json:"outcome"`
	ID        int64     `json:"id,omitempty"` // of the key, where it is known
	Name      string    `json:"name"`
	OrgID     string    `json:"org_id,omitempty"` // of its list; empty: the account's own
	ProjectID string    `json:"project_id,omitempty"`
	Replaces  int64     `json:"replaces,omitempty"` // the id of the old key that the new one replaces
	RequestID string    `json:"request_id"`
	Error     string    `json:"error,omitempty"`
	// By is [ByList] if a later list decided the outcome, and empty if the answer did.
	By string `json:"by,omitempty"`
	// Handed tells where the secret of a new key went, such as "file", "maybe file" or "nobody".
	Handed string `json:"handed,omitempty"`
}

// Fields returns the record's fields.
func (r Record) Fields() models.Fields {
	fields := models.Fields{
		"at": models.Stamp(r.At), "account": r.Account, "change": r.Change, "outcome": r.Outcome,
		"name": r.Name, "org_id": r.OrgID, "project_id": r.ProjectID, "request_id": r.RequestID,
		"error": r.Error, "by": r.By, "handed": r.Handed,
	}
	if r.ID != 0 {
		fields["id"] = r.ID
	}
	if r.Replaces != 0 {
		fields["replaces"] = r.Replaces
	}
	return fields
}

// String returns where a secret went in a word or two.
func (h Handover) String() string {
	receiver := cmp.Or(h.To, "somewhere")
	switch h.Stage {
	case Handing:
		return "maybe " + receiver
	case Handed:
		return receiver
	case Nobody:
	}
	return "nobody"
}

// ParseHandover returns where a secret went, by its [Handover.String]. An unknown place is empty.
func ParseHandover(text string) Handover {
	if text == "nobody" {
		return Handover{}
	}
	h := Handover{Stage: Handed, To: text}
	if receiver, maybe := strings.CutPrefix(text, "maybe "); maybe {
		h = Handover{Handing, receiver}
	}
	if !slices.Contains([]string{ToFile, ToCommand, ToClipboard, ToOutput, ToScreen, ToProfile}, h.To) {
		h.To = ""
	}
	return h
}

// Where a secret can go.
const (
	ToFile      = "file"
	ToCommand   = "command"
	ToClipboard = "clipboard"
	ToOutput    = "output"
	ToScreen    = "screen"
	ToProfile   = "profile"
)

// Joined returns one record for each change. One that was about to be requested, and has no later record, is unknown: the
// program ended before the answer came.
func Joined(records []Record) (joined []Record) {
	places := map[string]int{}
	for _, r := range records {
		i, found := places[r.RequestID]
		switch {
		case r.Outcome == Trying:
			r.Outcome = Undecided
			fallthrough
		case !found:
			places[r.RequestID] = len(joined)
			joined = append(joined, r)
		default:
			joined[i] = r
		}
	}
	return joined
}

// ByList is the [Record.By] of what a list decided.
const ByList = "list"

// The changes of a [Record].
const (
	Created = "create"
	Rotated = "rotate" // a successor is created
	Revoke  = "revoke"
)

// The outcomes of a [Record].
const (
	Trying    = "trying" // it was about to be requested
	Done      = "done"
	Failed    = "failed"  // it was certainly not carried out or, by a list, not until then
	Undecided = "unknown" // whether it was carried out
)

// ErrJournal is the error of a change that was not requested, because the journal cannot be written.
type ErrJournal struct{ Err error }

// Error returns why the journal cannot be written.
func (e *ErrJournal) Error() string { return "the journal cannot be written: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ErrJournal) Unwrap() error { return e.Err }

// Service is the part of the control API that changes keys.
type Service interface {
	// CreateAPIKey creates a key (section 4.1). The answer tells what it reaches.
	CreateAPIKey(ctx context.Context, name string, reach models.Reach) (models.CreatedAPIKey, error)
	// RevokeAPIKey revokes a key immediately and permanently (section 4.3). Without an error, it is confirmed.
	RevokeAPIKey(ctx context.Context, key models.APIKey) (models.APIKey, error)
}
