package keystore

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"

	"pgtower/models"
)

// ErrNotFound is returned if no key is saved for the account.
var ErrNotFound = errors.New("no API key is saved for this account")

// Reason classifies why the keyring cannot be used by what a user can do about it.
type Reason int

// The reasons.
const (
	ReasonOther        Reason = iota // none of the others: the cause says more
	ReasonNoBus                      // no D-Bus to reach a keyring
	ReasonNoService                  // no keyring is running
	ReasonNoCollection               // there is no collection for keys yet
	ReasonLocked
	ReasonTimeout // no answer in time, perhaps because of a prompt
	ReasonDenied  // such as by a prompt that was dismissed
	ReasonLeft    // another key of the account is still there, such as because of a prompt that was dismissed
	ReasonUnsupported
	ReasonTooBig
	ReasonCanceled // the caller canceled the call
)

// otherKeys names the alternatives to the keyring.
const otherKeys = "Set " + EnvKey + " or a key command."

// reasons has the text of each reason, and how to mend it, if the user can.
var reasons = [...]struct{ text, remedy string }{
	ReasonOther: {"the OS keyring failed", ""},
	ReasonNoBus: {"this session has no D-Bus, so the OS keyring cannot be reached", ""},
	ReasonNoService: {
		"no OS keyring is running in this session",
		"Start one (such as gnome-keyring or KWallet) and try again.",
	},
	ReasonNoCollection: {
		"the OS keyring has no collection to keep keys in",
		"Create a default keyring in your desktop's password manager and try again.",
	},
	ReasonLocked:  {"the OS keyring is locked", "Unlock it and try again."},
	ReasonTimeout: {"the OS keyring does not respond", "Answer its prompt if one is open and try again."},
	ReasonDenied:  {"the OS keyring denied access", "Allow pgtower to use it and try again."},
	ReasonLeft: {
		"the OS keyring still has another key of this account",
		"Allow pgtower to change it, or remove that key in the keyring's own window, and try again.",
	},
	ReasonUnsupported: {"pgtower supports no OS keyring on this system", ""},
	ReasonTooBig:      {"the key is too long for the OS keyring", ""},
	ReasonCanceled:    {"cancelled", ""},
}

// Error returns the reason in a few words, without a full stop.
func (r Reason) Error() string { return reasons[r].text }

// Remedy returns how a user can make the keyring work, as a sentence, or "".
func (r Reason) Remedy() string { return reasons[r].remedy }

// Error is a failed call to the keyring. It never contains a key.
type Error struct {
	Reason  Reason
	Doing   string // "read", "save" or "delete"
	Account Account
	Err     error // the cause, or nil
}

// Error returns what failed, why, and how to make the keyring work.
func (e *Error) Error() string {
	s := "could not " + e.Doing + " the API key of " + models.Clean(e.Account.String()) + ": " + e.Reason.Error()
	if e.Reason == ReasonOther && e.Err != nil {
		s += " (" + models.Clean(e.Err.Error()) + ")"
	}
	if remedy := e.Reason.Remedy(); remedy != "" {
		s += ". " + remedy
	}
	return s
}

// Advice returns how a user can do without the keyring, as a sentence, or "".
func (e *Error) Advice() string {
	if e.Doing == "delete" || e.Reason == ReasonCanceled {
		return ""
	}
	return otherKeys
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// failure returns the package's error for err. If the context is over, that is the cause.
func failure(ctx context.Context, doing string, a Account, err error) error {
	e := &Error{Doing: doing, Account: a, Err: err}
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(ctx.Err(), context.Canceled):
		e.Reason = ReasonCanceled
	case ctx.Err() != nil:
		e.Reason = ReasonTimeout
	case errors.As(err, &e.Reason): // it is known already
	case errors.Is(err, keyring.ErrSetDataTooBig):
		e.Reason = ReasonTooBig
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		e.Reason = ReasonUnsupported
	default:
		e.Reason = platformReason(err)
	}
	return e
}
