package keys

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Journal keeps what was changed, and what was about to be.
type Journal interface {
	Check() error            // returns why it cannot be written, or nil
	Write(r Record) error    // appends a record; its account and times are the journal's
	Open() ([]Record, error) // returns the changes of its account whose outcome a list may tell
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
	Replaces  int64     `json:"replaces,omitempty"` // the id of the key that a new one is the successor of
	RequestID string    `json:"request_id"`
	Error     string    `json:"error,omitempty"`
	// By is [ByList] if a list that was read later told the outcome, and empty if the answer did.
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
	to := cmp.Or(h.To, "somewhere")
	switch h.Stage {
	case Handing:
		return "maybe " + to
	case Handed:
		return to
	case Nobody:
	}
	return "nobody"
}

// ParseHandover returns where a secret went, by its [Handover.String]. What is not known is somewhere.
func ParseHandover(text string) Handover {
	if text == "nobody" {
		return Handover{}
	}
	h := Handover{Stage: Handed, To: text}
	if to, maybe := strings.CutPrefix(text, "maybe "); maybe {
		h = Handover{Handing, to}
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
func Joined(records []Record) (all []Record) {
	at := map[string]int{}
	for _, r := range records {
		i, known := at[r.RequestID]
		switch {
		case r.Outcome == Trying:
			r.Outcome = Undecided
			fallthrough
		case !known:
			at[r.RequestID] = len(all)
			all = append(all, r)
		default:
			all[i] = r
		}
	}
	return all
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
	Undecided = "unknown" // nothing tells whether it was carried out
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

// Send sends changes of keys, and keeps the journal: a line before each request and one after it.
type Send struct {
	Service Service
	Journal Journal         // nil: there is none
	Before  []models.APIKey // the list of a new key as it was before: none of these is the new one
	// Now bounds the present by the service's clock; nil: nothing does.
	Now func() models.Moment
	// Unrecorded is set if the user goes on where the journal cannot be written.
	Unrecorded bool
	// Unwritten is told why what came of a change cannot be written; nil: nothing is.
	Unwritten func(error)
}

// Create creates a key. Where it is the successor of another one, replaces is the id of that. It returns the last record.
func (s Send) Create(
	ctx context.Context, name string, reach models.Reach, replaces int64,
) (made models.CreatedAPIKey, last Record, err error) {
	r := Record{Change: Created, Name: name, OrgID: reach.Org, ProjectID: reach.Project, Replaces: replaces}
	if replaces != 0 {
		r.Change = Rotated
	}
	err = s.send(ctx, &r, func(ctx context.Context) (err error) {
		made, err = s.Service.CreateAPIKey(ctx, name, reach)
		if err == nil && slices.ContainsFunc(s.Before, func(k models.APIKey) bool { return k.ID == made.ID }) {
			made, err = models.CreatedAPIKey{}, &models.Error{Kind: models.KindMalformed, Err: errNotNew}
		}
		if r.ID = made.ID; err == nil {
			r.Handed = Handover{}.String()
		}
		return err
	})
	return made, r, err
}

// Revoke revokes a key. It returns the last record.
func (s Send) Revoke(ctx context.Context, key models.APIKey) (last Record, err error) {
	r := Record{Change: Revoke, ID: key.ID, Name: key.Name, OrgID: key.List.Org, ProjectID: key.ProjectID}
	err = s.send(ctx, &r, func(ctx context.Context) error {
		_, err := s.Service.RevokeAPIKey(ctx, key)
		return err
	})
	return r, err
}

// Decided writes what a list told of changes that had no answer.
func (s Send) Decided(records []Record) {
	for _, r := range records {
		s.write(r)
	}
}

// send writes the record, sends the request with the record's id, and writes what came of it.
func (s Send) send(
	ctx context.Context, r *Record, request func(context.Context) error,
) error {
	r.RequestID, r.Outcome = newRequestID(), Trying
	if s.Now != nil {
		r.Sent = s.Now().Late.UTC()
	}
	if s.Journal != nil {
		if err := s.Journal.Write(*r); err != nil && !s.Unrecorded {
			return &models.Error{Kind: models.KindNotRecorded, NotConnected: true, Err: &ErrJournal{err}}
		}
	}
	err := request(models.WithCall(ctx, &models.Call{RequestID: r.RequestID}))
	switch {
	case err == nil:
		r.Outcome = Done
	case Refused(err):
		r.Outcome = Failed
	default:
		r.Outcome = Undecided
	}
	if err != nil {
		r.Error = models.MaskKeys(err.Error())
	}
	s.write(*r)
	return err
}

// write writes what came of a change. Without this line, the journal has a change of which nothing is known, or whose
// secret nobody has: the first is still true.
func (s Send) write(r Record) {
	if s.Journal == nil {
		return
	}
	if err := s.Journal.Write(r); err != nil && s.Unwritten != nil {
		s.Unwritten(err)
	}
}

// Handed writes where the secret of a new key went.
func (s Send) Handed(r Record, to Handover) {
	r.Handed = to.String()
	s.write(r)
}

// errNotNew is why an answer does not tell of a new key.
var errNotNew = errors.New("it is about a key that was there before")

// newRequestID returns a random UUID.
func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
