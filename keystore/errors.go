package keystore

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"

	"pgtower/models"
)

// ErrNotFound says that no key is saved for the account.
var ErrNotFound = errors.New("no API key is saved for this account")

// errDismissed says that nothing was saved although nothing failed.
var errDismissed = errors.New("nothing was saved")

// Reason is why the keyring could not be used, as far as it matters to what a person
// can do about it.
type Reason int

// The reasons.
const (
	// ReasonOther is none of the others; the error's cause says more.
	ReasonOther Reason = iota
	// ReasonNoBus is a session without a D-Bus to reach a keyring by.
	ReasonNoBus
	// ReasonNoService is a session in which no keyring runs.
	ReasonNoService
	// ReasonNoCollection is a keyring in which no place for keys was made yet.
	ReasonNoCollection
	// ReasonLocked is a keyring that is locked.
	ReasonLocked
	// ReasonTimeout is a keyring that did not answer in time, perhaps because it waits
	// for somebody to answer a prompt.
	ReasonTimeout
	// ReasonDenied is a refusal, such as a prompt that was dismissed.
	ReasonDenied
	// ReasonUnsupported is a system without a keyring that pgtower knows.
	ReasonUnsupported
	// ReasonTooBig is a key longer than the keyring takes.
	ReasonTooBig
	// ReasonCanceled is a call that was given up because nobody waits for it.
	ReasonCanceled
)

// String is the reason in a few words, without a full stop.
func (r Reason) String() string {
	switch r {
	case ReasonNoBus:
		return "this session has no D-Bus, so no OS keyring can be reached"
	case ReasonNoService:
		return "no OS keyring runs in this session"
	case ReasonNoCollection:
		return "the OS keyring has no collection to keep keys in"
	case ReasonLocked:
		return "the OS keyring is locked"
	case ReasonTimeout:
		return "the OS keyring does not answer"
	case ReasonDenied:
		return "the OS keyring refused"
	case ReasonUnsupported:
		return "this system has no OS keyring that pgtower knows"
	case ReasonTooBig:
		return "the key is too long for the OS keyring"
	case ReasonCanceled:
		return "cancelled"
	case ReasonOther:
	}
	return "the OS keyring failed"
}

// Advice says what a person can do next, as a sentence.
func (r Reason) Advice() string {
	const without = EnvKey + " or a key command, or give the dashboard a key for one session."
	switch r {
	case ReasonNoService:
		return "Start one (such as gnome-keyring or KWallet) and try again, set " + without
	case ReasonNoCollection:
		return "Create a default keyring in your desktop's password manager and try again, set " + without
	case ReasonLocked:
		return "Unlock it and try again, set " + without
	case ReasonTimeout:
		return "Answer its prompt if one is open and try again, set " + without
	case ReasonDenied:
		return "Allow pgtower to use it and try again, set " + without
	case ReasonCanceled:
		return ""
	case ReasonOther, ReasonNoBus, ReasonUnsupported, ReasonTooBig:
	}
	return "Set " + without
}

// Error is a call to the keyring that failed. It never contains a key.
type Error struct {
	Reason Reason
	// Doing is "read", "save" or "delete".
	Doing string
	// Account is whose key it was about.
	Account Account
	// Err is the cause below, or nil.
	Err error
}

// Error says what failed and why, and what to do next.
func (e *Error) Error() string {
	s := e.Doing + " the API key of " + models.Clean(e.Account.String()) + ": " + e.Reason.String()
	if e.Reason == ReasonOther && e.Err != nil {
		s += " (" + models.Clean(e.Err.Error()) + ")"
	}
	if advice := e.Reason.Advice(); advice != "" {
		s += ". " + advice
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// reasonError is a cause of which the reason is already known.
type reasonError struct {
	reason Reason
	err    error
}

func (e *reasonError) Error() string {
	if e.err == nil {
		return e.reason.String()
	}
	return e.err.Error()
}
func (e *reasonError) Unwrap() error { return e.err }

// failure is the error that leaves the package. The context comes first: when it is
// over, whatever else broke did so because of that.
func failure(ctx context.Context, doing string, a Account, err error) error {
	e := &Error{Doing: doing, Account: a, Err: err}
	var known *reasonError
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(ctx.Err(), context.Canceled):
		e.Reason = ReasonCanceled
	case ctx.Err() != nil:
		e.Reason = ReasonTimeout
	case errors.As(err, &known):
		e.Reason = known.reason
	case errors.Is(err, errDismissed):
		e.Reason = ReasonDenied
	case errors.Is(err, keyring.ErrSetDataTooBig):
		e.Reason = ReasonTooBig
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		e.Reason = ReasonUnsupported
	default:
		e.Reason = platformReason(err)
	}
	return e
}
