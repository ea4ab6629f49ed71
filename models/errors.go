package models

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind is what went wrong with a request, as far as it matters to what a user can do about it.
type Kind int

// The kinds of error. A status is the service's.
const (
	KindUnknown      Kind = iota // none of the others
	KindUnauthorized             // status 401: no key, or an invalid or revoked one (section 7)
	KindForbidden                // status 403: the key is good, but not for this
	KindNotFound                 // status 404
	KindInvalid                  // any other status 4xx: the service does not accept the request
	KindLocked                   // status 423: another operation holds the resource
	KindRateLimited              // status 429, or a request that was not sent because of a limit
	KindServer                   // status 5xx
	KindUnreachable              // a connection that could not be made, or broke before an answer
	KindTLS                      // a connection that could not be made secure, such as for its certificate
	KindTimeout                  // an answer that did not come in time
	KindCutOff                   // an answer that broke off
	KindStalled                  // an answer that began, but was not complete in time
	KindCanceled                 // a request that was given up because nobody waits for it
	KindRedirect                 // an answer that sends the request, and with it the key, to another address
	KindMalformed                // an answer that is not what the specification says
	KindTooLarge                 // an answer beyond the size that pgtower reads
	KindReadOnly                 // a change that pgtower was told not to make
)

// kinds are what a kind is called, without a full stop, and what a user can do next.
var kinds = [...]struct{ text, advice string }{
	KindUnknown:      {"unexpected error", ""},
	KindUnauthorized: {"the API key was refused", "Sign in with a key that is valid."},
	KindForbidden:    {"the API key may not do this", "Use a key that has permission."},
	KindNotFound:     {"not found", "Refresh: it may be gone. If nothing is found, check the base URL."},
	KindInvalid:      {"the service did not accept the request", ""},
	KindLocked:       {"locked by another operation", "Try again in a moment."},
	KindRateLimited:  {"too many requests", "A longer interval sends fewer requests."},
	KindServer:       {"the service failed", "Try again in a moment."},
	KindUnreachable:  {"the service cannot be reached", "Check the network and the base URL."},
	KindTLS:          {"the secure connection failed", "Check the base URL, the clock, and any proxy between."},
	KindTimeout:      {"no answer in time", "Try again in a moment."},
	KindCutOff:       {"the answer broke off", "Try again in a moment."},
	KindStalled:      {"the answer stalled", "Try again in a moment."},
	KindCanceled:     {"cancelled", ""},
	KindRedirect:     {"redirects are refused", "Set the base URL to where the service really is."},
	KindMalformed:    {"the answer is not what this API sends", "Check that the base URL is that of the API."},
	KindTooLarge:     {"the answer is too large", "Check that the base URL is that of the API."},
	KindReadOnly:     {"not in read-only mode", "Start pgtower without --read-only."},
}

// String is the kind in a few words, without a full stop.
func (k Kind) String() string { return kinds[k].text }

// Advice says what a user can do next, as a sentence, or is empty.
func (k Kind) Advice() string { return kinds[k].advice }

// Error is a request that failed.
type Error struct {
	Kind         Kind
	Doing        string        // what was being done, such as "list projects"
	Method, Path string        // of the request; without the host
	Status       int           // of the answer, or 0 where none came
	Message      string        // the service's own text, cleaned, or empty
	RequestID    string        // what the service's support knows the request by, or empty
	RetryAfter   time.Duration // for which the service wants to be left alone, or 0
	Hint         string        // advice that fits better than that of the kind, as a sentence, or empty
	Err          error         // the cause below, or nil
}

// Error says what was being done, what went wrong and what the service said of it.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Doing != "" {
		b.WriteString(e.Doing + ": ")
	}
	b.WriteString(e.Kind.String())
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + e.Message)
	case e.Err != nil:
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Advice says what a user can do next, as a sentence, or is empty.
func (e *Error) Advice() string { return cmp.Or(e.Hint, e.Kind.Advice()) }

func find(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{}
}

// Doing returns an [Error] with other words for what was being done, and any other error as it is.
func Doing(err error, doing string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	other := *e
	other.Doing = doing
	return &other
}

// KindOf returns the kind of the [Error] in err's chain, or KindUnknown.
func KindOf(err error) Kind { return find(err).Kind }

// AdviceOf returns the advice of the [Error] in err's chain, or nothing.
func AdviceOf(err error) string { return find(err).Advice() }

// RetryAfterOf returns how long the service wants to be left alone by the [Error] in err's chain, or 0.
func RetryAfterOf(err error) time.Duration { return find(err).RetryAfter }

// Unsent reports whether err is of a request that a limit held back: it says nothing about the service.
func Unsent(err error) bool {
	e := find(err)
	return e.Kind == KindRateLimited && e.Status == 0
}
