// Package exit has the exit codes, and the errors that decide about them.
package exit

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	OK          = 0
	Failed      = 1   // something failed while the program ran
	Usage       = 2   // wrong flags, variables or configuration, or not a terminal
	Refused     = 3   // the service refused the API key
	Timeout     = 4   // wait reached its timeout
	Incomplete  = 5   // apikeys audit could not read a list
	Unknown     = 6   // nothing tells yet whether a change was carried out
	Interrupted = 130 // a signal ended the program, as shells report it
)

var (
	// ErrInterrupted ends the program without a message.
	ErrInterrupted = errors.New("interrupted")
	// ErrSaid is the error of a command that has printed its error already.
	ErrSaid = errors.New("failed")
	// ErrIncomplete is in the error of an audit that could not read a list.
	ErrIncomplete = errors.New("incomplete")
	// ErrUnknown is the error of a command whose change may have been carried out, or may still be.
	ErrUnknown = fmt.Errorf("%w: unknown", ErrSaid)
	// ErrTimeout is the error of a wait that reached its timeout.
	ErrTimeout = fmt.Errorf("%w: timeout", ErrSaid)
)

// UsageError is the error of a wrong call: of flags, variables or the configuration.
type UsageError struct{ error }

// NewUsageError returns err as a [UsageError].
func NewUsageError(err error) error { return UsageError{err} }

// Usagef returns a [UsageError] with a text.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Unwrap returns the error itself.
func (e UsageError) Unwrap() error { return e.error }
