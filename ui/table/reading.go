package table

import (
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Reading is the state of a list that is read as a whole.
type Reading struct {
	Busy, Asked bool      // the list is being read, and the user asked for it
	Last        time.Time // when it was read successfully
	Err         error     // why it could not be read since
	Limited     time.Time // until when the service limits the requests, or zero
}

// Loading reports whether the list is being read for the first time, after an error or on request.
func (r *Reading) Loading() bool {
	return r.Busy && r.Limited.IsZero() && (r.Asked || r.Err != nil || r.Last.IsZero())
}

// Status returns how old the list is.
func (r *Reading) Status(now time.Time) page.Status {
	switch {
	case !r.Limited.IsZero():
		const word = "◌ rate limited"
		limited := page.Status{Tone: style.Waiting, Text: word + " · next " + style.Until(r.Limited, now), Word: word}
		if !r.Last.IsZero() {
			limited.Long = limited.Text + " · read " + style.Ago(r.Last, now)
		}
		return limited
	case r.Loading():
		return page.Status{Tone: style.Waiting, Text: "◌ loading"}
	case r.Err != nil:
		failed := page.Status{Tone: style.Bad, Text: "✗ refresh failed", Word: "✗ refresh failed"}
		if !r.Last.IsZero() {
			failed.Text += " · read " + style.Ago(r.Last, now)
		}
		return failed
	case r.Last.IsZero():
		return page.Status{}
	}
	return page.Status{
		Tone: style.Muted, Text: "read " + style.Ago(r.Last, now), Brief: "read " + style.Age(r.Last, now) + " ago",
	}
}

// RefreshDisabled returns why the list cannot be read now, or "".
func (r *Reading) RefreshDisabled() string {
	if r.Loading() {
		return "already loading"
	}
	return ""
}

// Empty returns the text in place of rows. none is the text for an empty list.
func (r *Reading) Empty(f page.Frame, what string, none EmptyState) EmptyState {
	switch {
	case !r.Limited.IsZero() && r.Last.IsZero() && r.Err == nil:
		title := "The service limits the requests: next try in " + style.Until(r.Limited, f.Now) + "."
		return EmptyState{Tone: style.Waiting, Title: title}
	case r.Loading():
		return EmptyState{Tone: style.Waiting, Title: "Loading the " + what + "…"}
	case r.Err != nil:
		return Failure(r.Err, f.Key("refresh")+": try again.")
	}
	return none
}
