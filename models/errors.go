package models

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind is what went wrong with a request, as far as it matters to what a person can
// do about it.
type Kind int

// The kinds of error.
const (
	// KindUnknown is an error that is none of the others.
	KindUnknown Kind = iota
	// KindUnauthorized is status 401: no key, or an invalid or revoked one (section 7).
	KindUnauthorized
	// KindForbidden is status 403: the key is good, but not for this.
	KindForbidden
	// KindNotFound is status 404.
	KindNotFound
	// KindInvalid is any other status 4xx: the service does not accept the request.
	KindInvalid
	// KindLocked is status 423: another operation holds the resource.
	KindLocked
	// KindRateLimited is status 429, or a request that was not sent because of a limit.
	KindRateLimited
	// KindServer is status 5xx.
	KindServer
	// KindUnreachable is a connection that could not be made, or broke before an answer.
	KindUnreachable
	// KindTLS is a connection that could not be made secure, such as for its certificate.
	KindTLS
	// KindTimeout is an answer that did not come in time.
	KindTimeout
	// KindCutOff is an answer that broke off.
	KindCutOff
	// KindStalled is an answer that began, but was not complete in time.
	KindStalled
	// KindCanceled is a request that was given up because nobody waits for it.
	KindCanceled
	// KindRedirect is an answer that sends the request, and with it the key, to another address.
	KindRedirect
	// KindMalformed is an answer that is not what the specification says.
	KindMalformed
	// KindTooLarge is an answer beyond the size that pgtower reads.
	KindTooLarge
	// KindReadOnly is a change that pgtower was told not to make.
	KindReadOnly
)

// String is the kind in a few words, without a full stop.
func (k Kind) String() string {
	switch k {
	case KindUnauthorized:
		return "the API key was refused"
	case KindForbidden:
		return "the API key may not do this"
	case KindNotFound:
		return "not found"
	case KindInvalid:
		return "the service did not accept the request"
	case KindLocked:
		return "locked by another operation"
	case KindRateLimited:
		return "too many requests"
	case KindServer:
		return "the service failed"
	case KindUnreachable:
		return "the service cannot be reached"
	case KindTLS:
		return "the secure connection failed"
	case KindTimeout:
		return "no answer in time"
	case KindCutOff:
		return "the answer broke off"
	case KindStalled:
		return "the answer stalled"
	case KindCanceled:
		return "cancelled"
	case KindRedirect:
		return "redirects are refused"
	case KindMalformed:
		return "the answer is not what this API sends"
	case KindTooLarge:
		return "the answer is too large"
	case KindReadOnly:
		return "not in read-only mode"
	case KindUnknown:
	}
	return "unexpected error"
}

// Advice says what a person can do next, as a sentence.
func (k Kind) Advice() string {
	switch k {
	case KindUnauthorized:
		return "Sign in with a key that is valid."
	case KindForbidden:
		return "Use a key that has permission."
	case KindNotFound:
		return "Refresh: it may be gone. If nothing is found, check the base URL."
	case KindLocked, KindServer, KindTimeout, KindCutOff, KindStalled:
		return "Try again in a moment."
	case KindRateLimited:
		return "A longer interval sends fewer requests."
	case KindUnreachable:
		return "Check the network and the base URL."
	case KindTLS:
		return "Check the base URL, the clock, and any proxy between."
	case KindRedirect:
		return "Set the base URL to where the service really is."
	case KindMalformed, KindTooLarge:
		return "Check that the base URL is that of the API."
	case KindReadOnly:
		return "Start pgtower without --read-only."
	case KindUnknown, KindInvalid, KindCanceled:
	}
	return ""
}

// Error is a request that failed.
type Error struct {
	Kind Kind
	// Doing is what was being done, such as "list projects".
	Doing string
	// Method and Path are the request's; Path is without the host.
	Method, Path string
	// Status is the HTTP status, or 0 where no answer came.
	Status int
	// Message is the service's own text, cleaned, or empty.
	Message string
	// RequestID names the request to the service's support, or is empty.
	RequestID string
	// RetryAfter is how long the service wants to be left alone, or 0.
	RetryAfter time.Duration
	// Hint is advice that fits this failure better than that of its kind, as a
	// sentence, or empty.
	Hint string
	// Err is the cause below, or nil.
	Err error
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

// Unsent reports whether the [Error] in err's chain is of a request that was held back by
// the limit of requests, the service's or our own, and so says nothing about the service.
func Unsent(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == KindRateLimited && e.Status == 0
}

// RetryAfterOf returns how long the service wants to be left alone by the [Error] in
// err's chain, or 0.
func RetryAfterOf(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// Advice says what a person can do next, as a sentence, or is empty.
func (e *Error) Advice() string {
	if e.Hint != "" {
		return e.Hint
	}
	return e.Kind.Advice()
}

// AdviceOf returns the advice of the [Error] in err's chain, or nothing.
func AdviceOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Advice()
	}
	return ""
}

// KindOf returns the kind of the [Error] in err's chain, or KindUnknown.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindUnknown
}
