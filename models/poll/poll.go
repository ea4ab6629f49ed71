// Package poll decides what to read next, for everything that is read.
//
// A [Poller] gets the time, the sources and the answers. It returns the requests to make now and when to call it again,
// and knows how current everything is. A [Source] is a subject, when it is due, and its lane. Its [Reader] handles the
// answers. All requests to a host share a budget.
//
// The package knows neither operations nor HTTP nor a screen.
package poll

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// Subject is what a request asks about, such as {"page", "p1", ""}: the newest page of project p1. It has no cursor: a
// list keeps its turn while its next page changes.
type Subject struct{ Kind, Of, ID string }

// Source is something to read, once, as soon as it is due and has its turn. A rank that its lane does not have counts as
// [Rest].
type Source struct {
	Subject

	Host string // whose budget it takes, and whose limits and silence it waits for; empty: the account's service
	Lane Lane
	Rank Rank
	// Round is set if it has a turn in the round as well, whichever comes first.
	Round bool
	// From is since when it is due, or when it will be: of two sources of a rank the one with the earlier time comes
	// first. Zero is now, or as before if the source was there and was not asked for since. With a time before the last
	// request, the source keeps its turn as long as it is put, so it must not be in the round.
	From time.Time
}

// Call makes a request and returns its answer.
type Call func(ctx context.Context) (any, error)

// Reader owns sources: it builds their requests and handles the answers.
type Reader interface {
	// Call returns the request of a source whose turn it is. If it is nil, none is needed any longer or, unless due is
	// zero, until then.
	Call(s Subject, now time.Time) (call Call, due time.Time)
	// Receive handles an answer. It puts the sources that follow from it with [Poller.Put].
	Receive(a Answer, now time.Time)
}

// Request is a request to make now.
type Request struct {
	Subject

	AsOf time.Time // when it was made: what is answered was true then or later
	call Call
	host string
	sent int // distinguishes it from later ones of the subject
}

// Answer is the answer to a request.
type Answer struct {
	Request

	Value any
	Err   error
	// Own is set if the failure is of the subject alone, not of the service.
	Own bool
	// Late is set if the request was given up before: another one of the subject may be in flight.
	Late bool
}

// Do makes a request, and gives up before its answer counts as lost.
func (r Request) Do(ctx context.Context) Answer {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	value, err := r.call(ctx)
	return Answer{Request: r, Value: value, Err: err}
}

// Freshness is how current a subject is.
type Freshness struct {
	AsOf  time.Time // of its last good answer that was not late, or zero
	Tried time.Time // when it was last asked for, or zero
	Next  time.Time // until when it is not asked for after a failure, or zero
	Busy  bool      // a request is in flight
	Fails int       // the number of failures in a row
	Err   error     // of the last failure
}

const (
	timeout = 40 * time.Second // of a request
	// lostAfter is the time after which no answer comes any more: it may have gone to a session that is over.
	lostAfter = timeout + 5*time.Second
)

// item is what is known of a subject.
type item struct {
	Source
	Freshness

	reader Reader
	state  state
	from   time.Time // since when it is due, or will be: the order of its rank
	entry  int       // the number of its entry in a queue or among the waiting ones that is not outdated
	sent   int       // of the last request
	put    bool      // it is to be read again, after the request in flight
	// counted is set while it is among those of the round that are due and were never read.
	counted bool
	chosen  bool // it is one of those of the round that the user chose, and is to be read or in flight
}

// state is where an item is.
type state int

const (
	idle    state = iota // not to be read
	waiting              // not due yet
	queued               // due
	busy                 // asked for
)

// Poller decides what to read next. It is not safe for concurrent use.
type Poller struct {
	items   map[Subject]*item
	owned   map[owner][]*item
	waiting entries
	service service    // of the account
	others  []*service // other hosts, which have a budget each
	flights map[Subject]*item
	entries int       // how many entries were made
	sent    int       // how many requests were sent
	now     time.Time // of the last call
}

// owner identifies a set of sources.
type owner struct {
	reader Reader
	set    string
}

// DefaultBudget is how many requests a second are sent by default.
const DefaultBudget = 5

// New returns a poller that sends so many requests a second on average, and up to four times as many at once.
func New(perSecond int) *Poller {
	return &Poller{
		items: map[Subject]*item{}, owned: map[owner][]*item{}, flights: map[Subject]*item{},
		service: newService(perSecond),
	}
}

// mostGone is how many subjects of an owner are kept that it no longer reads, so that it is known how current they are.
const mostGone = 8

// Put replaces a set of sources of a reader. A subject in flight is asked for again only if it is in the new set.
func (p *Poller) Put(r Reader, set string, sources ...Source) {
	key := owner{r, set}
	previous := p.owned[key]
	list := make([]*item, 0, max(len(previous), len(sources)))
	for _, s := range sources {
		list = append(list, p.add(r, s))
	}
	for _, it := range previous {
		if slices.Contains(list, it) {
			continue
		}
		if len(list) >= len(sources)+mostGone && it.state != busy {
			p.drop(it)
			continue
		}
		it.put = false
		p.settle(it)
		list = append(list, it)
	}
	p.owned[key] = list
}

// add adds a source, or changes it.
func (p *Poller) add(r Reader, s Source) *item {
	if shares[0][s.Lane][s.Rank] == 0 {
		s.Rank = Rest
	}
	it := p.items[s.Subject]
	if it == nil {
		it = &item{}
		p.items[s.Subject] = it
	}
	from, asked := s.From, !it.Tried.IsZero()
	switch {
	case !from.IsZero():
	case !asked && (s.Lane == Round || s.Round): // it comes first, in the order of the last calls
	case it.put && !it.from.After(p.now):
		from = it.from
	default:
		from = p.now
	}
	unchanged := it.put && asked && it.Lane == s.Lane && it.Rank == s.Rank && it.Round == s.Round && it.from.Equal(from)
	it.Source, it.reader, it.from, it.put = s, r, from, true
	if !unchanged {
		p.settle(it)
	}
	return it
}

// Forget drops a set of sources, and what is known of them. Requests in flight are given up.
func (p *Poller) Forget(r Reader, set string) {
	key := owner{r, set}
	for _, it := range p.owned[key] {
		p.drop(it)
	}
	delete(p.owned, key)
}

func (p *Poller) drop(it *item) {
	p.move(it, idle)
	delete(p.items, it.Subject)
	delete(p.flights, it.Subject)
}

// settle queues an item, or lets it wait or rest.
func (p *Poller) settle(it *item) {
	switch {
	case it.state == busy:
	case !it.put:
		p.move(it, idle)
	case it.due().After(p.now):
		p.move(it, waiting)
		p.waiting.push(entry{it, p.number(it), it.due()})
	default:
		p.move(it, queued)
		p.enqueue(it)
	}
}

func (it *item) due() time.Time {
	if it.Next.After(it.from) {
		return it.Next
	}
	return it.from
}

// number outdates the earlier entries of an item, and returns the number of the next one.
func (p *Poller) number(it *item) int {
	p.entries++
	it.entry = p.entries
	return it.entry
}

// otherBudget is how many requests a second another host than the account's service gets on average.
const otherBudget = 1

// at returns what is known of a host.
func (p *Poller) at(host string) *service {
	if host == "" {
		return &p.service
	}
	for _, s := range p.others {
		if s.host == host {
			return s
		}
	}
	s := newService(otherBudget)
	s.host = host
	p.others = append(p.others, &s)
	return &s
}

// move changes the state of an item. Its entries become outdated.
func (p *Poller) move(it *item, next state) {
	s := p.at(it.Host)
	if it.counted {
		s.unread--
	}
	if it.chosen {
		s.chosen--
	}
	it.state, it.entry = next, 0
	it.chosen = next != idle && it.Lane == Round && it.Rank == Preferred
	if it.chosen {
		s.chosen++
	}
	it.counted = next == queued && it.unread()
	if it.counted {
		s.unread++
	}
	if next == busy {
		p.flights[it.Subject] = it
	}
}

// unread reports whether an item of the round was never read.
func (it *item) unread() bool {
	return it.AsOf.IsZero() && it.Fails == 0 && (it.Lane == Round || it.Round)
}

// enqueue adds a due item to the queues of its lanes.
func (p *Poller) enqueue(it *item) {
	number, s := p.number(it), p.at(it.Host)
	s.queues[it.Lane][it.Rank].push(entry{it, number, it.from})
	if it.Round && it.Lane != Round {
		s.queues[Round][Rest].push(entry{it, number, it.from})
	}
}

// Now returns the time of the last call.
func (p *Poller) Now() time.Time { return p.now }

// FirstRound reports whether sources of the round are due that were never read.
func (p *Poller) FirstRound() bool { return p.service.unread > 0 }

// Due reports whether a source is due, or asked for.
func (p *Poller) Due(s Subject) bool {
	it := p.items[s]
	return it != nil && (it.state == busy || it.put && !it.due().After(p.now))
}

// Freshness returns how current a subject is.
func (p *Poller) Freshness(s Subject) Freshness {
	it := p.items[s]
	if it == nil {
		return Freshness{}
	}
	f := it.Freshness
	f.Busy = it.state == busy
	return f
}

// tick sets the time. If the clock was set back, all times move with it: nothing waits longer, and nothing is newer than
// now.
func (p *Poller) tick(now time.Time) {
	if back := p.now.Sub(now); back > 0 {
		for _, it := range p.items {
			it.shift(back)
		}
		p.waiting.shift(back)
		p.service.shift(back)
		for _, s := range p.others {
			s.shift(back)
		}
	}
	p.now = now
}

func (it *item) shift(back time.Duration) {
	it.from = it.from.Add(-back)
	shift(back, &it.AsOf, &it.Tried, &it.Next)
}

// shift sets back those times that are known.
func shift(back time.Duration, times ...*time.Time) {
	for _, t := range times {
		if !t.IsZero() {
			*t = t.Add(-back)
		}
	}
}

// Refresh makes everything of a reader due, in the order in which it would have been, and ends every wait for the account's
// service but a rate limit of less than a minute.
func (p *Poller) Refresh(r Reader, now time.Time) {
	p.tick(now)
	p.service.refresh(now)
	for _, it := range slices.SortedFunc(maps.Values(p.items), bySettled) {
		if !it.put || it.reader != r {
			continue
		}
		it.Next = time.Time{}
		if it.from.After(now) {
			it.from = now
		}
		p.settle(it)
	}
}

// bySettled orders items by when they are due, and then by their entries.
func bySettled(x, y *item) int {
	return cmp.Or(x.due().Compare(y.due()), cmp.Compare(x.entry, y.entry))
}

// Retry ends the wait of a subject after a failure.
func (p *Poller) Retry(s Subject) {
	it := p.items[s]
	if it == nil || it.Next.IsZero() {
		return
	}
	it.Next = time.Time{}
	p.settle(it)
}
