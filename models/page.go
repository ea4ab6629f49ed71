package models

import "time"

// PageRequest identifies a page of a list (sections 4.4, 4.5).
type PageRequest struct {
	Limit  int    // 0 leaves the size to the service
	Cursor string // empty for the first page
}

// Page is one response of a list (sections 4.4, 4.5). Operations are newest first.
type Page[T any] struct {
	Items  []T
	Limit  int // Limit and Cursor are those of the request; without a cursor it is the head
	Cursor string
	Next   string    // the cursor of the next page, or empty
	AsOf   time.Time // when the page was requested: it was true then or later
	// ServiceTime is AsOf by the service's clock, as the times of the records are, if that is known.
	ServiceTime time.Time
	// Unavailable has the ids of records that exist but could not be read in time: the list is not complete without them.
	Unavailable []string
	// Damage is the part of the pagination that could not be read, or empty. If it is set, Next is empty.
	Damage string
}

// Last reports whether no page follows: no cursor, the same cursor again, or an empty page.
func (p *Page[T]) Last() bool { return p.Next == "" || p.Next == p.Cursor || len(p.Items) == 0 }
