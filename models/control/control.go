// Package control is the connection to the control API with a key: what can be asked, how it is opened, and whose it is.
// Dashboard and commands for scripts share it.
package control

import (
	"context"
	"errors"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/feed"
	"pgtower/models/keys"
	"pgtower/models/naming"
	"pgtower/models/status"
)

// API is the part of the control API that the program uses.
type API interface {
	account.Service
	feed.Service
	keys.Service
	keys.MemberService
	naming.Service
	// APIKeys reads a list of keys (section 4.2).
	APIKeys(ctx context.Context, id models.ListID) ([]models.APIKey, error)
	// OperationJSON reads one operation as the service sends it.
	OperationJSON(ctx context.Context, project, id string) ([]byte, error)
	// Branches reads a page of the branches of a project, which only the live service has.
	Branches(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Branch], error)
	// Project reads one project, which only the live service can.
	Project(ctx context.Context, id string) (models.Project, error)
}

// Connection is a connection to the API with a key.
type Connection struct {
	API           API
	Account       *account.Account          // what is known of the key; nil: nothing
	KeyStore      KeyStore                  // verifies new keys, and replaces the key in use
	Journal       keys.Journal              // of what is changed; nil: none
	Memory        keys.Store                // remembers keys; nil: only the connection does
	Watcher       *keys.Watcher             // keeps what lists show of the use of keys; nil: only the connection does
	Known         account.Store             // remembers the kind of the key; nil: nothing does
	Names         naming.Store              // remembers the names of branches and computes; nil: nothing does
	KeyID         int64                     // the id of the key in use, or 0 if unknown
	KeyList       models.Opt[models.ListID] // the list of the key in use
	ReadOnly      string                    // why nothing may be changed, or empty
	Source        string                    // where the key came from, such as "key from the keyring"
	BaseURL, Host string                    // the address of the API, and its host name
	// Skew returns how far the service's clock is ahead, if known; may be nil.
	Skew func() models.Opt[time.Duration]
	// Now bounds the present by the service's clock; nil: nothing does.
	Now func() models.Moment
	// Retry lets requests be sent again after a failure that only the user can end; may be nil.
	Retry   func()
	Status  *status.Source // the public status page of the service; nil: none is known
	Warning string         // shown to the user, such as that the key could not be saved; or empty
}

// KeyStore holds the key of a connection.
type KeyStore interface {
	Verify(ctx context.Context, key models.Secret) error // verifies a key with one request
	Check(ctx context.Context) error                     // returns why a key could not be saved now, or nil
	// Save saves a key as the profile's, and uses it. After an error other than [ErrMaybeSaved], nothing has changed.
	Save(ctx context.Context, key models.CreatedAPIKey) (Saved, error)
	// Pipe runs a line in the system's shell with the key as its standard input.
	Pipe(ctx context.Context, line string, key models.Secret) error
}

// ErrMaybeSaved is the error of [KeyStore.Save] if the key may have been saved nevertheless.
var ErrMaybeSaved = errors.New("saving was not confirmed")

// Saved describes where a key was saved.
type Saved struct {
	Source  string // such as "key from the keyring"
	Warning string // why the next session will not use it, or empty
}

// NoKeyError is the error of an [Authenticator] without any key.
type NoKeyError struct {
	Unused string // the variables for a key from which none is taken, and why; or empty
}

func (e *NoKeyError) Error() string { return "no API key" }

// Authenticator finds, verifies and saves API keys. It sends them only to the given address.
type Authenticator interface {
	// Open connects with the saved key without verifying it. Without one, the error is a
	// [*NoKeyError].
	Open(ctx context.Context, baseURL string) (Connection, error)
	// SignIn verifies the key with requests to the service at baseURL, and saves it. A zero key is the one that Open would
	// find. The project is that of a key of one project, or empty.
	SignIn(ctx context.Context, baseURL string, key models.Secret, project string) (Connection, error)
	// Forget drops a refused key from memory, so that Open looks for another one.
	Forget(baseURL string)
}

// Complete adds an account with the user's settings for the key, unless there is one.
func (c *Connection) Complete(key account.Options) {
	if c.Account == nil {
		c.Account = account.New(key)
	}
}

// Remember remembers what is known of the key at a time of this computer's clock, for later runs of the program.
func (c *Connection) Remember(now time.Time) {
	if c.Known == nil {
		return
	}
	snapshot := c.Account.Snapshot(now)
	if snapshot.Kind != models.UnknownKey || len(snapshot.Projects) > 0 {
		c.Known.Keep(&snapshot)
	}
}

// Identified describes the verified key in a sentence, or "" if the service knows one kind only.
func (c *Connection) Identified() string {
	switch c.Account.Kind() {
	case models.UnknownKey, models.AccountKey:
		return ""
	default:
		return "Signed in: " + c.Account.Describe() + "."
	}
}
