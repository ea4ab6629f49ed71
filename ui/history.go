package ui

import "pgtower/ui/page"

// maxHistory is how far back a user can go.
const maxHistory = 50

// entry is a page, and where the user was on it when they left.
type entry struct {
	page  page.ID
	place page.Place
}

// same reports that going from one to the other is no step: a page is the same whatever is
// filtered and selected on it, but the operations of another project are another place.
func (e entry) same(as entry) bool { return e.page == as.page && e.place.Project == as.place.Project }

// history is where the user has been.
type history struct {
	entries []entry
	at      int
}

// visit notes where the user is. What lay ahead of where they went from is forgotten, as in a browser.
func (h *history) visit(here entry) {
	if len(h.entries) > 0 {
		if h.entries[h.at].same(here) {
			h.entries[h.at] = here
			return
		}
		h.entries = h.entries[:h.at+1]
	}
	h.entries = append(h.entries, here)
	h.entries = h.entries[max(0, len(h.entries)-maxHistory):]
	h.at = len(h.entries) - 1
}

// step goes back or forward, and reports whether there was anything.
func (h *history) step(by int) (to entry, ok bool) {
	if at := h.at + by; at < 0 || at >= len(h.entries) {
		return entry{}, false
	}
	h.at += by
	return h.entries[h.at], true
}
