package models

import "time"

// PageRequest asks for a page of a list (sections 4.4, 4.5).
type PageRequest struct {
	Limit  int    // 0 leaves the size to the service
	Cursor string // empty for the first page
}

// Page is one answer of a list (sections 4.4, 4.5). Operations are newest first.
type Page[T any] struct {
	Items  []T
	Limit  int // Limit and Cursor are what the page was asked for with; without a cursor it is the head
	Cursor string
	Next   string    // the cursor of the page after it, empty where the service sent none
	AsOf   time.Time // when the page was asked for: what it says was true then or later
	// ServiceTime is AsOf by the service's clock, by which the times of the records go, as far as that is known.
	ServiceTime time.Time
	// Damage says what of the pagination could not be read, or is empty. Next is then empty, too.
	Damage string
}

// Last reports whether no page follows: no cursor, the same cursor again, or an empty page.
func (p *Page[T]) Last() bool { return p.Next == "" || p.Next == p.Cursor || len(p.Items) == 0 }
