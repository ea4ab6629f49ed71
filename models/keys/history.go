package keys

import (
	"slices"
	"strconv"
	"time"

	"pgtower/models"
)

// HistoryFor is for how long uses are kept.
const HistoryFor = 366 * 24 * time.Hour

// History is what follows from the lines of the file of uses, in their order.
type History struct {
	lists map[ListPlace]*listHistory
}

// listHistory is what is known of a list of keys.
type listHistory struct {
	keys    map[seenKey]*Usage
	read    time.Time // when it was last read, according to the lines
	sum     uint64    // of the last uses of the keys that are listed
	noted   time.Time // the time of the last line about the whole list, or of the first line
	watches int       // how many of those lines proved that nothing had changed
	watched time.Time // the time of the last of them
}

// list returns what is known of a list.
func (h *History) list(place ListPlace) *listHistory {
	if h.lists == nil {
		h.lists = map[ListPlace]*listHistory{}
	}
	l := h.lists[place]
	if l == nil {
		l = &listHistory{keys: map[seenKey]*Usage{}}
		h.lists[place] = l
	}
	return l
}

// Add adds a line.
func (h *History) Add(s *Seen) {
	l := h.list(s.ListPlace)
	l.read = later(l.read, s.Read)
	if l.noted.IsZero() {
		l.noted = s.Read
	}
	if s.ID == 0 {
		l.watch(s)
		return
	}
	u := l.keys[s.key()]
	if u == nil {
		u = &Usage{Place: s.ListPlace, Ref: models.KeyRef{List: s.ListPlace.ID(), ID: s.ID}, Created: s.Created, First: s.Read, watches: l.watches}
		l.keys[s.key()] = u
		l.sum += u.sum()
	}
	l.settle(u)
	l.sum -= u.sum()
	u.add(s)
	l.sum += u.sum()
	u.watches = l.watches
}

// watch handles a line that no last use had changed. A sum that does not fit proves nothing: lines before it are missing.
func (l *listHistory) watch(s *Seen) {
	l.noted = later(l.noted, s.Read)
	if s.Sum == sumText(l.sum) {
		l.watches++
		l.watched = later(l.watched, s.Read)
	}
}

func sumText(sum uint64) string { return strconv.FormatUint(sum, 16) }

// settle extends the proof of a key by the lines about its whole list.
func (l *listHistory) settle(u *Usage) {
	if l.watches > u.watches && u.Gone.IsZero() && !u.Unknown {
		u.prove(u.use(), l.watched)
	}
	u.watches = l.watches
}

// sum is the part of the key in the sum of its list.
func (u *Usage) sum() uint64 {
	if !u.Gone.IsZero() {
		return 0
	}
	return entrySum(u.Ref.ID, u.use(), u.Unknown)
}

func (u *Usage) add(s *Seen) {
	u.read = later(u.read, s.Read)
	if s.Name != "" {
		u.Name = s.Name
	}
	switch {
	case s.Told != "":
		u.tell(s)
	case s.Gone:
		u.Gone = s.Read
	default:
		u.seen(s)
	}
}

func (u *Usage) tell(s *Seen) {
	kind, ok := eventKind(s.Told)
	event := Told{kind, s.Use, s.From, s.Read}
	if ok && !slices.Contains(u.Told, event) { // a new file begins with the events of the one before it
		u.Told = append(u.Told, event)
	}
}

// seen adds a line about a list.
func (u *Usage) seen(s *Seen) {
	u.Gone, u.Unknown = time.Time{}, s.Unknown
	if !s.Was.IsZero() {
		u.stamp(s.Was, "")
	}
	if !s.Until.IsZero() {
		u.prove(s.Was, s.Until)
	}
	if !s.Use.IsZero() {
		u.stamp(s.Use, s.From)
	}
	if !s.Unknown && !s.Read.IsZero() {
		u.prove(s.Use, s.Read)
	}
}

// Lines returns the first lines of a new file. With them, it is complete without the one before it, and no event is told
// again.
func (h *History) Lines() (lines []Seen) {
	for _, place := range h.places() {
		l := h.lists[place]
		for _, u := range l.sorted() {
			l.settle(u)
			for _, line := range u.lines() {
				line.ListPlace, line.ID, line.Created = place, u.Ref.ID, u.Created
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// lines returns the last use from each address, what was told, and what is known of the key now.
func (u *Usage) lines() (lines []Seen) {
	from := map[string]bool{u.from(): true}
	for _, s := range slices.Backward(u.Stamps) {
		if !from[s.From] {
			from[s.From] = true
			lines = append(lines, Seen{Use: s.At, From: s.From})
		}
	}
	slices.Reverse(lines)
	lines = append(lines, Seen{Use: u.use(), From: u.from(), Name: u.Name, Unknown: u.Unknown, Read: u.read})
	if !u.Unknown && !u.Proven.IsZero() {
		lines[len(lines)-1].Read = u.Proven.Add(Slack)
	}
	for _, t := range u.Told {
		lines = append(lines, Seen{Use: t.Use, From: t.From, Read: t.Read, Told: t.Kind.String()})
	}
	if !u.Gone.IsZero() {
		lines = append(lines, Seen{Gone: true, Read: u.Gone})
	}
	return lines
}

// from returns the address of the last use.
func (u *Usage) from() string {
	if len(u.Stamps) == 0 {
		return ""
	}
	return u.Stamps[len(u.Stamps)-1].From
}

// forget drops what is older than [HistoryFor] at a time.
func (h *History) forget(now time.Time) {
	limit := now.Add(-HistoryFor)
	for _, l := range h.lists {
		for key, u := range l.keys {
			if !u.Gone.IsZero() && u.Gone.Before(limit) {
				delete(l.keys, key)
				continue
			}
			if len(u.Stamps) > 1 && u.Stamps[0].At.Before(limit) {
				u.forget(limit)
			}
		}
	}
}
