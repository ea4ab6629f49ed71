package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind classifies a failed request by what a user can do about it.
type Kind int

// The kinds of error. Statuses are those of the service.
const (
	KindUnknown      Kind = iota // none of the others
	KindUnauthorized             // status 401: no key, or an invalid or revoked one (section 7)
	KindForbidden                // status 403: the key is good, but not for this
	KindNotFound                 // status 404
	KindInvalid                  // any other status 4xx: the service does not accept the request
	KindLocked                   // status 423: another operation holds the resource
	KindRateLimited              // status 429, or a request held back by a limit
	KindServer                   // status 5xx
	KindUnreachable              // the connection failed, or broke before a response
	KindTLS                      // the connection could not be secured, for example because of its certificate
	KindTimeout                  // no answer in time
	KindCutOff                   // the response broke off
	KindStalled                  // the response began, but did not complete in time
	KindCanceled                 // the caller canceled the request
	KindRedirect                 // the response redirects the request, and with it the key, to another address
	KindMalformed                // the response violates the specification
	KindTooLarge                 // the response is larger than pgtower accepts
	KindReadOnly                 // a change in read-only mode
	KindNotRecorded              // a change that was not requested, because the journal cannot be written
)

// kinds has the text of each kind, without a full stop, and the advice for the user. There is no advice where only
// another try can help: the program makes most of these by itself.
var kinds = [...]struct{ text, advice string }{
	KindUnknown:      {"unexpected error", ""},
	KindUnauthorized: {"the API key was refused", "Sign in with a valid key."},
	KindForbidden:    {"permission denied", "Use a key that has permission."},
	KindNotFound:     {"not found", "It may have been deleted."},
	KindInvalid:      {"the service rejected the request", ""},
	KindLocked:       {"locked by another operation", "Try again in a moment."},
	KindRateLimited:  {"too many requests", "A longer interval sends fewer requests."},
	KindServer:       {"the service failed", ""},
	KindUnreachable:  {"the service cannot be reached", "Check the network and the base URL."},
	KindTLS:          {"the secure connection failed", "Check the base URL, the clock, and any proxy."},
	KindTimeout:      {"no answer in time", ""},
	KindCutOff:       {"the response was cut off", ""},
	KindStalled:      {"the response stalled", ""},
	KindCanceled:     {"cancelled", ""},
	KindRedirect:     {"redirect refused", "Set the base URL to the service's actual address."},
	KindMalformed:    {"unexpected response format", "Check the base URL."},
	KindTooLarge:     {"the response is too large", "Check the base URL."},
	KindReadOnly:     {"not allowed in read-only mode", "Start pgtower without --read-only."},
	KindNotRecorded:  {"not requested", "Check the folder and the file of the journal."},
}

// String returns the kind in a few words, without a full stop.
func (k Kind) String() string { return kinds[k].text }

// Advice returns what a user can do next, as a sentence, or "".
func (k Kind) Advice() string { return kinds[k].advice }

// ErrorBody is the author of the response to a failed request.
type ErrorBody int

// The bodies of errors.
const (
	UnknownBody ErrorBody = iota // none, or a text without the form of the API's errors
	APIBody                      // the API itself: an object with a message
	WebPage                      // something else, such as a proxy or another web server
)

// Block is a cause that makes the same request fail again until something outside of the service changes. It is no
// outage.
type Block int

// The blocks.
const (
	NoBlock   Block = iota
	NameBlock       // a host name is not known yet, as on a laptop that wakes up
	UserBlock       // a proxy, its address, or a certificate: only the user can end it
)

// Error is a request that failed.
type Error struct {
	Kind         Kind
	Doing        string        // the task that failed, such as "list projects"
	Method, Path string        // of the request; without the host
	Status       int           // of the response, or 0 without one
	Message      string        // the service's own text, cleaned, or empty
	RequestID    string        // identifies the request for the service's support, or empty
	RetryAfter   time.Duration // how long the service asks clients to wait, or 0
	Body         ErrorBody     // who wrote the response
	Hint         string        // advice that replaces that of the kind, as a sentence, or empty
	NotConnected bool          // there was no connection: the service certainly did not get the request
	Block        Block         // why the same request fails until something else changes
	Repeated     bool          // an earlier request failed in this way, and this one was not sent
	Err          error         // the cause, or nil
}

// Error returns what failed, why, and the service's own message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Doing != "" {
		b.WriteString(e.Doing + ": ")
	}
	if e.Kind == KindRedirect && e.Err != nil { // its text is complete
		return b.String() + e.Err.Error()
	}
	b.WriteString(e.Kind.String())
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + e.Message)
	case e.Err != nil && !errors.Is(e.Err, context.DeadlineExceeded): // the kind says the same
		b.WriteString(": " + broken(e.Err))
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Advice returns what a user can do next, as a sentence, or "".
func (e *Error) Advice() string {
	advice := e.Kind.Advice()
	if e.Kind == KindRateLimited && e.Method != "" && e.Method != "GET" {
		advice = TryAgain(e) // a change is not polled, so the interval does not matter
	}
	return cmp.Or(e.Hint, refusalAdvice[RefusalOf(e)], advice)
}

func find(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{}
}

// Doing returns a copy of an [Error] with another Doing. Other errors are returned unchanged.
func Doing(err error, doing string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	copied := *e
	copied.Doing = doing
	return &copied
}

// About returns an error that begins with what failed, such as "cannot read storefront", in place of the task. The status
// follows, and last the reason, which may be cut: the service's own words, if there are any. others is the number of
// further failures.
func About(what string, others int, err error) error {
	text := err.Error()
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Status >= 300 {
			what += fmt.Sprintf(" (%d)", e.Status)
		}
		reason := *e
		reason.Doing, reason.Status = "", 0
		text = cmp.Or(e.Message, reason.Error())
	}
	if others > 0 {
		what += fmt.Sprintf(" and %d more", others)
	}
	return &aboutError{what + ": " + text, err}
}

// aboutError is an error in other words.
type aboutError struct {
	text string
	err  error
}

func (e *aboutError) Error() string { return e.text }

func (e *aboutError) Unwrap() error { return e.err }

// Reason returns why a request failed, without its task: "403: you may not read this", or what broke the connection.
func Reason(err error) string {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return err.Error()
	case e.Status >= 300:
		return strconv.Itoa(e.Status) + ": " + cmp.Or(e.Message, e.Kind.String())
	case e.Kind == KindUnreachable && e.Err != nil:
		return broken(e.Err)
	}
	reason := *e
	reason.Doing = ""
	return reason.Error()
}

// ports matches the ends of a connection that was made, in what broke it, and the call that noticed it.
var ports = regexp.MustCompile(`\b(?:read|write) (?:tcp|udp)\d? \S+->\S+: (?:(?:read|write): )?`)

// broken returns what broke a connection, without the call that noticed it and the ports: these differ between requests that
// failed for the same reason.
func broken(err error) string { return ports.ReplaceAllString(err.Error(), "") }

// Brief returns why a request failed in a word or two: the status of a refusal, such as 403, or else the kind.
func Brief(err error) string {
	if e := find(err); e.Status != 0 {
		return strconv.Itoa(e.Status)
	}
	return KindOf(err).String()
}

// KindOf returns the kind of the [Error] in err's chain, or KindUnknown.
func KindOf(err error) Kind { return find(err).Kind }

// AdviceOf returns the advice of the [Error] in err's chain, or "".
func AdviceOf(err error) string { return find(err).Advice() }

// TryAgain returns when a request that failed with err may be sent again, as a sentence: in whole seconds, and never before
// the service allows it.
func TryAgain(err error) string {
	if wait := RetryAfterOf(err); wait > 0 {
		return "Try again in " + (wait + time.Second - 1).Truncate(time.Second).String() + "."
	}
	return "Try again in a moment."
}

// MessageOf returns the service's own text in the [Error] in err's chain, or "".
func MessageOf(err error) string { return find(err).Message }

// RetryAfterOf returns how long the service asks clients to wait according to the [Error] in err's chain, or 0.
func RetryAfterOf(err error) time.Duration { return find(err).RetryAfter }

// BlockOf returns the block of the [Error] in err's chain.
func BlockOf(err error) Block { return find(err).Block }

// Repeated reports whether a request was not sent because an earlier one failed with the same error.
func Repeated(err error) bool { return find(err).Repeated }

// Passing reports whether the same request may succeed later although the user changes nothing.
func Passing(err error) bool {
	return BlockOf(err) == NoBlock && slices.Contains([]Kind{
		KindLocked, KindRateLimited, KindServer, KindUnreachable, KindTimeout, KindCutOff,
		KindStalled,
	}, KindOf(err))
}

// Backoff returns how long to wait after a number of failures in a row, from 1: it doubles, up to a maximum.
func Backoff(first, longest time.Duration, fails int) time.Duration {
	return min(first<<min(fails-1, 6), longest)
}

// Answered reports whether the error is a response of the service: then it is not offline.
func Answered(err error) bool { return find(err).Status != 0 }
