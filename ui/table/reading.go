package table

import (
	"fmt"
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Reading is how far a page is with reading a list as a whole. The page has no news besides.
type Reading struct {
	Busy, Asked bool      // the list is being read, and the user is to see that
	Last        time.Time // when it was last read
	Err         error     // why it could not be read since
}

// Loading reports whether the list is being read for the first time, after an error or on request.
func (r *Reading) Loading() bool { return r.Busy && (r.Asked || r.Err != nil || r.Last.IsZero()) }

// AsOf returns when the list was last read.
func (r *Reading) AsOf() time.Time { return r.Last }

// Title returns nothing: the list is no news for the terminal's title.
func (r *Reading) Title() string { return "" }

// Ticks reports that nothing on the page goes on with the seconds.
func (r *Reading) Ticks() bool { return false }

// Status returns how old the list is.
func (r *Reading) Status(now time.Time) page.Status {
	switch {
	case r.Loading():
		return page.Status{Tone: style.Waiting, Text: "◌ loading"}
	case r.Err != nil:
		return page.Status{Tone: style.Bad, Text: "✗ refresh failed"}
	case r.Last.IsZero():
		return page.Status{}
	}
	return page.Status{Tone: style.Muted, Text: "read " + style.Ago(r.Last, now)}
}

// RefreshDisabled returns why the list cannot be read now, or nothing.
func (r *Reading) RefreshDisabled() string {
	if r.Loading() {
		return "already loading"
	}
	return ""
}

// Empty returns what is said in the place of rows; none is for a list that is empty.
func (r *Reading) Empty(f page.Frame, what string, none EmptyState) EmptyState {
	switch {
	case r.Loading():
		return EmptyState{Tone: style.Waiting, Title: "Loading the " + what + "…"}
	case r.Err != nil:
		return Failure(r.Err, f.Key("refresh")+": try again.")
	}
	return none
}

// ViewState returns the filter and the row of the table that the user is at, or is about to come back to.
func (m *Model[R, K]) ViewState() page.ViewState {
	place := page.ViewState{Query: m.Query(), Open: m.Opened()}
	if key, ok := m.Restoring(); ok {
		place.Row = fmt.Sprint(key)
	} else if row, ok := m.Selected(); ok {
		place.Row = fmt.Sprint(m.Source.Key(row))
	}
	return place
}
