package poll

import (
	"container/heap"
	"slices"
	"time"
)

// Lane is what requests are for. Lanes take turns by their shares. A share is guaranteed while something of the lane is due,
// and lent to the others while nothing is.
type Lane int

// The lanes.
const (
	User     Lane = iota // what the user looks at or waits for
	FollowUp             // what follows from an answer: gaps, what changed, what is unfinished or failed
	Round                // everything in turn
	Range                // older pages, and names
	lanes
)

// Rank is a queue of a lane: of the sources in it, the one that became due first comes first.
type Rank int

// The ranks.
const (
	First     Rank = iota // of the user, of the follow-ups, and of the round: before all lanes, in half of the budget
	Preferred             // of the follow-ups, and of the round: what the user chose
	Rest                  // of every lane
	Last                  // of the follow-ups: in a tenth of the budget
	ranks
)

// shares are the shares of the ranks of each lane: those while some sources of the round were never read, then the later
// ones. A lane has no rank with the share 0. The shares of the round bound how long it takes: if [User] leaves one
// request a second, at most 1.5 seconds for each source, and later twice that. The share of the first follow-ups bounds
// how long a gap stays open: it is over a third of what User leaves, and over a quarter while the user has chosen
// projects.
var shares = [2][lanes][ranks]float64{
	{User: {80, 0, 40, 0}, FollowUp: {10, 4, 3, 1}, Round: {40, 20, 40, 0}, Range: {0, 0, 1, 0}},
	{User: {70, 0, 35, 0}, FollowUp: {25, 12, 6, 2}, Round: {24, 48, 24, 0}, Range: {0, 0, 1, 0}},
}

const (
	rangeShare  = 0.5 // of the budget, the most that [Range] may use
	failedShare = 0.1 // and [Last] of [FollowUp]
	aheadShare  = 0.5 // in which [First] of [Round] comes before all lanes
)

// entry is the place of an item in a queue. It is outdated once the item has another number.
type entry struct {
	it     *item
	number int
	from   time.Time
}

func (e entry) outdated() bool { return e.it.entry != e.number }

// entries are ordered by time, and those of one time by number: a heap.
type entries []entry

// Len implements [heap.Interface].
func (q *entries) Len() int { return len(*q) }

// Less implements [heap.Interface].
func (q *entries) Less(i, j int) bool {
	x, y := (*q)[i], (*q)[j]
	if x.from.Equal(y.from) {
		return x.number < y.number
	}
	return x.from.Before(y.from)
}

// Swap implements [heap.Interface].
func (q *entries) Swap(i, j int) { (*q)[i], (*q)[j] = (*q)[j], (*q)[i] }

// Push implements [heap.Interface].
func (q *entries) Push(e any) { *q = append(*q, e.(entry)) } //nolint:forcetypeassert // only push calls it

// Pop implements [heap.Interface].
func (q *entries) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = entry{}
	*q = (*q)[:last]
	return e
}

func (q *entries) shift(back time.Duration) {
	for i := range *q {
		(*q)[i].from = (*q)[i].from.Add(-back)
	}
}

// push adds an entry. Before it takes more memory, it drops the outdated ones.
func (q *entries) push(e entry) {
	if len(*q) == cap(*q) {
		*q = slices.DeleteFunc(*q, entry.outdated)
		*q = slices.Grow(*q, len(*q)+1)
		heap.Init(q)
	}
	heap.Push(q, e)
}

// first returns the first entry that is not outdated, or false.
func (q *entries) first() (entry, bool) {
	for len(*q) > 0 {
		if !(*q)[0].outdated() {
			return (*q)[0], true
		}
		heap.Pop(q)
	}
	return entry{}, false
}

// turns decides which of several queues is next. Each has a position, which advances with each request, the more the
// smaller its share is. The one at the lowest position is next. A queue that was empty saves no turns.
type turns [lanes][ranks]float64

func (t *turns) advance(lane Lane, rank Rank, share float64) {
	for l := range t {
		for r := range t[l] {
			t[l][r] = max(t[l][r], t[lane][rank])
		}
	}
	t[lane][rank] += 1 / share
}

// queues are the items that are due.
type queues [lanes][ranks]entries

// rank reports whether anything of a rank is due.
func (q *queues) rank(l Lane, r Rank) bool {
	_, due := q[l][r].first()
	return due
}

// share returns the share of a rank. That of the rest of the round grows where the user chose some of it, due or not: it stays
// the same part of all shares.
func (s *service) share(l Lane, r Rank) float64 {
	now := shares[1]
	if s.unread > 0 {
		now = shares[0]
	}
	share := now[l][r]
	if l == Round && r == Rest && s.chosen > 0 {
		return 2 * share
	}
	return share
}
