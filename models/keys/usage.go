package keys

import (
	"slices"
	"time"

	"pgtower/models"
)

// Stamp is a use of a key that a list showed as the last one.
type Stamp struct {
	At   time.Time
	From string // the address; empty if that is not known
}

// Span is a time after Begin, until End.
type Span struct{ Begin, End time.Time }

// Usage is what was seen of the use of one key. Copies share their slices: these only grow at the end, and any other
// change replaces them.
type Usage struct {
	Place   ListPlace // of its list
	Ref     models.KeyRef
	Name    string
	Created time.Time
	Stamps  []Stamp   // oldest first
	Unused  []Span    // before the last use, in which the key was certainly not used, in their order, without overlaps
	Proven  time.Time // until when the key was certainly not used since its last use, or its creation; zero: unknown
	First   time.Time // when a list first showed the key; zero: unknown
	Gone    time.Time // when a list first lacked it for certain; zero: it is listed
	Told    []Told    // oldest first
	Unknown bool      // the service did not tell the last use when it was last read
	Pause   Span      // the longest one between two uses, of which almost all is proven; zero: none was seen

	addresses []string // from which it was used

	watched time.Duration // of the time between uses, see [Usage.Watched]
	read    time.Time     // of the last line about the key
	watches int           // how many lines about the whole list preceded it
}

// Told is an event that was told.
type Told struct {
	Kind EventKind
	Use  time.Time // the last use of the key then
	From string    // its address
	Read time.Time // when
}

// use returns the last use that is known, or zero.
func (u *Usage) use() time.Time {
	if len(u.Stamps) == 0 {
		return time.Time{}
	}
	return u.Stamps[len(u.Stamps)-1].At
}

// since returns the time after which the key was not used as far as it is known: its last use, or its creation.
func (u *Usage) since() time.Time {
	if use := u.use(); !use.IsZero() {
		return use
	}
	return u.Created
}

func (u *Usage) stamp(used time.Time, from string) {
	for _, address := range models.Addresses(from) {
		if !slices.Contains(u.addresses, address) {
			u.addresses = append(u.addresses, address)
		}
	}
	i := u.index(used)
	switch {
	case i == len(u.Stamps):
		u.close(used)
		u.Stamps = append(u.Stamps, Stamp{used, from})
	case !u.Stamps[i].At.Equal(used):
		u.Stamps = slices.Insert(slices.Clone(u.Stamps), i, Stamp{used, from})
	case u.Stamps[i].From == "" && from != "":
		u.Stamps = slices.Clone(u.Stamps)
		u.Stamps[i].From = from
	}
}

// aRun is how far apart the uses of one run are at most.
const aRun = time.Hour

// close ends the span since the last use with a later one.
func (u *Usage) close(used time.Time) {
	gap := Span{u.since(), used}
	proven := Span{gap.Begin, u.Proven}
	if u.Proven.After(gap.Begin) {
		u.Unused = addSpan(u.Unused, proven)
	}
	u.Proven = time.Time{}
	if gap.Begin.IsZero() || u.First.IsZero() {
		return
	}
	const unproven = 20 // at most this part of a pause
	if len(u.Stamps) > 0 && gap.length()-proven.within(gap) <= gap.length()/unproven && gap.length() > u.Pause.length() {
		u.Pause = gap
	}
	if gap.length() > aRun {
		gap.End = earlier(gap.End, later(gap.Begin, proven.End))
	}
	u.watched += gap.within(Span{u.First, gap.End})
}

// ends compares the end of a span with a time.
func (s Span) ends(t time.Time) int { return s.End.Compare(t) }

func (s Span) length() time.Duration { return s.End.Sub(s.Begin) }

// prove adds the proof of a list that was read at some time and showed a last use; zero: none since the creation.
func (u *Usage) prove(use, read time.Time) {
	end := read.Add(-Slack)
	if use.IsZero() {
		use = u.Created
	}
	switch {
	case use.IsZero(), !end.After(use):
	case use.Equal(u.since()):
		u.Proven = later(u.Proven, end)
	default:
		if next := u.between(use.Add(1), end); len(next) > 0 { // clocks were wrong
			end = next[0].At
		}
		u.Unused = addSpan(u.Unused, Span{use, end})
	}
}

// addSpan adds a span to others, which stay in order and without overlaps.
func addSpan(spans []Span, added Span) []Span {
	from, _ := slices.BinarySearchFunc(spans, added.Begin, Span.ends)
	if from == len(spans) {
		return append(spans, added)
	}
	end := from
	for ; end < len(spans) && !spans[end].Begin.After(added.End); end++ {
		added.Begin, added.End = earlier(added.Begin, spans[end].Begin), later(added.End, spans[end].End)
	}
	return slices.Concat(spans[:from], []Span{added}, spans[end:])
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// forget drops what is older than a time, but never the last use.
func (u *Usage) forget(limit time.Time) {
	last := u.use()
	u.Stamps = slices.DeleteFunc(slices.Clone(u.Stamps), func(s Stamp) bool { return s.At.Before(limit) && !s.At.Equal(last) })
	u.Unused = slices.DeleteFunc(slices.Clone(u.Unused), func(s Span) bool { return s.End.Before(limit) })
}

// unused returns how much of a span is proven to be without a use.
func (u *Usage) unused(span Span) (sum time.Duration) {
	from, _ := slices.BinarySearchFunc(u.Unused, span.Begin, Span.ends)
	for _, s := range u.Unused[from:] {
		if !s.Begin.Before(span.End) {
			return sum
		}
		sum += s.within(span)
	}
	if begin := u.since(); !begin.IsZero() {
		sum += Span{begin, u.Proven}.within(span)
	}
	return sum
}

// within returns how much of a span lies in another one.
func (s Span) within(span Span) time.Duration {
	return max(0, earlier(s.End, span.End).Sub(later(s.Begin, span.Begin)))
}

// between returns the uses from one time to another one.
func (u *Usage) between(begin, end time.Time) []Stamp {
	from := u.index(begin)
	return u.Stamps[from:max(from, u.index(end))]
}

// index returns the index of the first use that is not before a time.
func (u *Usage) index(t time.Time) int {
	i, _ := slices.BinarySearchFunc(u.Stamps, t, Stamp.compare)
	return i
}

func (s Stamp) compare(t time.Time) int { return s.At.Compare(t) }

// newAddress reports whether an address of a use was never seen for the key, while others were.
func (u *Usage) newAddress(from string) bool {
	isNew := func(address string) bool { return !slices.Contains(u.addresses, address) }
	return len(u.addresses) > 0 && slices.ContainsFunc(models.Addresses(from), isNew)
}

// told returns the last event of a kind that was told, or nil.
func (u *Usage) told(kind EventKind) *Told { return lastOf(u.Told, kind) }

// lastOf returns the last event of a kind, or nil.
func lastOf(events []Told, kind EventKind) *Told {
	for i, t := range slices.Backward(events) {
		if t.Kind == kind {
			return &events[i]
		}
	}
	return nil
}
