package keys

import (
	"slices"
	"time"

	"pgtower/models"
)

// EventKind is the kind of an event of a key, which is told once.
type EventKind int

// The kinds of events.
const (
	CanGoNow   EventKind = iota // it was replaced, and can be revoked
	UsedAgain                   // it could go, and was used since
	NewAddress                  // it was used from an address that was never seen for it
	NewKey                      // pgtower did not create it
	OwnerGone                   // its creator is deactivated, or no longer a member of the organization
)

var eventNames = [...]string{
	CanGoNow: "can-go", UsedAgain: "used-again", NewAddress: "new-address", NewKey: "new-key", OwnerGone: "owner-gone",
}

// String returns the name of the kind, as filters and files have it.
func (k EventKind) String() string { return eventNames[k] }

// EventNames returns the names of all kinds.
func EventNames() []string { return slices.Clone(eventNames[:]) }

func eventKind(name string) (EventKind, bool) {
	i := slices.Index(eventNames[:], name)
	return EventKind(i), i >= 0
}

// Event is something to tell the user about a key. Only the process that writes it to the file of uses tells it.
type Event struct {
	Kind EventKind
	Key  models.APIKey
	Told Told
}

// Text returns the event in a few words, such as "used from a new address, 198.51.100.7".
func (e *Event) Text() string {
	from := ""
	if e.Told.From != "" {
		from = e.Told.From
	}
	switch e.Kind {
	case CanGoNow:
		return "can go: its successor is used, and it is quiet"
	case UsedAgain:
		if from != "" {
			return "used again, from " + from
		}
		return "used again"
	case NewAddress:
		return "used from a new address, " + from
	case NewKey:
		return "a new key, which pgtower did not create"
	case OwnerGone:
	}
	return "its owner is gone"
}

// recentFor is for how long an event counts as recent.
const recentFor = 7 * 24 * time.Hour

// Recent returns the told events of a key in the last days before now, the newest first, each kind once.
func (u *Usage) Recent(now time.Time) (list []Told) {
	if u == nil {
		return nil
	}
	for _, t := range slices.Backward(u.Told) {
		if now.Sub(t.Read) < recentFor && lastOf(list, t.Kind) == nil && u.holds(t) {
			list = append(list, t)
		}
	}
	return list
}

// holds reports whether an event that was told still holds, as far as the uses tell: a key that was used again cannot go.
func (u *Usage) holds(t Told) bool { return t.Kind != CanGoNow || t.Use.Equal(u.use()) }

// Happened is what was seen of a key at some time.
type Happened struct {
	At   time.Time
	What string
}

// firstWithin is the longest part of the time before a first use that need not be proven: lists are read at least this
// often while anything watches.
const firstWithin = time.Hour

// Between returns what was seen of the key from one time to another one: its creation, its first use where lists prove that there
// was none more than an hour before, uses from new addresses, and that it is no longer listed.
func (u *Usage) Between(since, until time.Time) (list []Happened) {
	events := []Happened{{u.Created, "created"}}
	if len(u.Stamps) > 0 && !u.Created.IsZero() {
		unseen := Span{u.Created, u.Stamps[0].At}
		if unseen.length()-u.unused(unseen) <= firstWithin {
			events = append(events, Happened{u.Stamps[0].At, "first used" + fromAddress(u.Stamps[0].From)})
		}
	}
	for _, t := range u.Told {
		if t.Kind == NewAddress {
			events = append(events, Happened{t.Use, "used from a new address, " + t.From})
		}
	}
	for _, e := range append(events, Happened{u.Gone, "no longer listed"}) {
		if !e.At.IsZero() && !e.At.Before(since) && e.At.Before(until) {
			list = append(list, e)
		}
	}
	return list
}

func fromAddress(from string) string {
	if from == "" {
		return ""
	}
	return " from " + from
}
