package naming

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"pgtower/models"
)

const (
	hourly = time.Hour // how long a list, or its refusal, stays valid: names change rarely
	// apart is the least time between two answers that prove together that something is no longer listed, and settled the least
	// time from its operation to either: lists lag, and the times of operations have no fractions.
	apart   = time.Minute
	settled = 2 * time.Second
	// soon is how long after an answer that lacks an entry the list is asked for again. It is more than apart, as clocks
	// jitter.
	soon = apart + settled

	// restFor is how long a list rests after it failed mostFails times while the service answered.
	restFor   = 5 * time.Minute
	mostFails = 4

	mostTries  = 4      // answers in a row that lack an entry, before it is looked for no longer
	mostSought = 1000   // entries of a list that are looked for at once
	mostPages  = 10     // of a list: more are not read
	mostListed = 12_000 // of a list, with what is no longer listed: more than the pages have
)

// pageSize is the length of a page of a list: most are one page.
const pageSize = 1000

// entry is what is known of a branch or a compute.
type entry struct {
	Name

	listed bool // the last complete list has it
	told   bool // a list had it once, or two lists proved that it is no longer listed
	// restored is set if only an earlier run of the program knew that.
	restored bool
	seen     bool      // an operation of it was looked at
	began    time.Time // when the newest of these began, by the service's clock; zero: that is unknown
	lacked   time.Time // when the first of the lists in a row was read that lack it and are younger than began; or zero
	tries    int       // how many lists in a row lack it, since that operation was looked at
}

// list is what is known of the branches of a project, or of its computes.
type list struct {
	entries map[string]*entry
	sought  map[string]*entry // the entries to look for: seen, not listed, and not gone
	names   map[string]Name   // of the entries, as last told: the map never changes
	reading *reading          // the pages so far of a list that has more; or nil
	asked   time.Time         // when the last list or refusal was asked for, by the program's clock; or zero
	refused bool              // the last answer was a refusal
	rest    time.Time         // until when it is not asked for after failures; or zero
	whole   bool              // the last list had everything
}

// reading is a list that is read a page at a time.
type reading struct {
	got     map[string]Name
	cursor  string    // of the next page
	began   time.Time // when the first page was asked for, by the program's clock
	asOf    time.Time // and by the service's, if that is known
	pages   int
	damaged bool // some of it could not be read
}

func newList() list { return list{entries: map[string]*entry{}, sought: map[string]*entry{}} }

// next returns when a list is to be read: the zero time for at once.
func (l *list) next(now time.Time) time.Time {
	if l.asked.After(now) { // the clock was set back
		l.asked = now
	}
	switch {
	case l.rest.After(now) && l.rest.Sub(now) <= restFor:
		return l.rest
	case l.asked.IsZero() || l.reading != nil:
		return time.Time{}
	case len(l.sought) > 0 && l.whole && !l.refused:
		return l.asked.Add(soon)
	}
	return l.asked.Add(hourly)
}

// see adds the id of an operation that is looked at, and when that began. It reports whether a claim changed.
func (l *list) see(id string, began time.Time) (changed bool) {
	if id == "" || models.NoID(id) {
		return false
	}
	e := l.entries[id]
	if e == nil {
		if len(l.sought) >= mostSought {
			return false
		}
		e = &entry{}
		l.entries[id] = e
	}
	if e.seen && !began.After(e.began) {
		return false
	}
	e.seen, e.began, e.tries = true, began, 0
	if e.lacked.Sub(began) < settled { // it may have been made again
		changed = e.Gone
		e.lacked, e.Gone = time.Time{}, false
	}
	if !e.listed && !e.Gone && (l.sought[id] != nil || len(l.sought) < mostSought) {
		l.sought[id] = e
	}
	return changed
}

// knows reports whether the lists have told of an id: it was listed, or it is gone. An empty id needs no list.
func (l *list) knows(id string) bool {
	e := l.entries[id]
	return id == "" || e != nil && e.told
}

// add adds a page of the list.
func (r *reading) add(items map[string]Name, damaged bool, next string) (done bool) {
	maps.Copy(r.got, items)
	r.pages++
	r.damaged = r.damaged || damaged
	r.cursor = next
	return next == "" || r.pages >= mostPages
}

// receive applies a list that was read to its end, or as far as it is read.
func (l *list) receive(r *reading) {
	l.reading, l.asked, l.refused = nil, r.began, false
	l.whole = r.cursor == "" && !r.damaged
	for id, name := range r.got {
		e := cmp.Or(l.entries[id], &entry{})
		e.Name, e.listed, e.told, e.lacked, e.tries = name, true, true, time.Time{}, 0
		l.entries[id] = e
		delete(l.sought, id)
	}
	if l.whole {
		l.lack(r)
	}
	l.bound()
}

// lack marks the entries that a whole list lacks.
func (l *list) lack(r *reading) {
	for id, e := range l.entries {
		if _, listed := r.got[id]; listed {
			continue
		}
		if e.listed && e.seen && len(l.sought) < mostSought {
			l.sought[id] = e
		}
		e.listed = false
		if e.seen {
			e.lack(r.asOf)
		}
		if e.Gone || e.tries >= mostTries {
			delete(l.sought, id)
		}
	}
}

// lack records that a list of some time lacks the entry.
func (e *entry) lack(asOf time.Time) {
	e.tries++
	switch {
	case e.began.IsZero() || asOf.Sub(e.began) < settled: // it may not have been listed yet
	case e.lacked.IsZero():
		e.lacked = asOf
	case asOf.Sub(e.lacked) >= apart:
		e.Gone, e.told = true, true
	}
}

// bound drops the oldest entries that are no longer listed, beyond the number that is kept.
func (l *list) bound() {
	excess := len(l.entries) - mostListed
	if excess <= 0 {
		return
	}
	var dropped []string
	for id, e := range l.entries {
		if !e.listed {
			dropped = append(dropped, id)
		}
	}
	slices.SortFunc(dropped, func(a, b string) int {
		return cmp.Or(l.entries[a].began.Compare(l.entries[b].began), cmp.Compare(a, b))
	})
	for _, id := range dropped[:min(excess, len(dropped))] {
		delete(l.entries, id)
		delete(l.sought, id)
	}
}

// strip drops the entries without an operation that was looked at. If one is needed later, its list is read again.
func (l *list) strip() {
	maps.DeleteFunc(l.entries, func(_ string, e *entry) bool { return !e.seen })
}

// tell rebuilds the names after the entries changed.
func (l *list) tell() {
	l.names = make(map[string]Name, len(l.entries))
	for id, e := range l.entries {
		if e.Name != (Name{}) || e.listed {
			l.names[id] = e.Name
		}
	}
}
