package feed

import (
	"time"

	"pgtower/models/poll"
)

// driven is a poller whose requests a test answers by hand.
type driven struct {
	*Poller

	turns  map[target]poll.Request // the turns of the requests that were not answered yet
	change Change                  // of the last answer that was told
}

// drive returns a poller with a budget of its own.
func drive(o Options) *driven {
	d := &driven{Poller: NewPoller(poll.New(o.Budget), nil, o), turns: map[target]poll.Request{}}
	d.Listen(func(a Answer, _ time.Time) { d.change = a.Change })
	return d
}

// Next returns the requests to make now, and how long to wait until the next call.
func (d *driven) Next(now time.Time) (list []request, wait time.Duration) {
	turns, wait := d.poll.Next(now)
	for _, turn := range turns {
		r := d.projects[turn.Of].flights[turn.Subject]
		d.turns[r.target()] = turn
		list = append(list, r)
	}
	return list, wait
}

// Receive takes in an answer, and returns what it changed. An answer that was not asked for goes straight to the poller, past
// the turns.
func (d *driven) Receive(a Answer, now time.Time) Change {
	turn, asked := d.turns[a.target()]
	delete(d.turns, a.target())
	d.change = Change{}
	turn.Of = a.Project
	answer := poll.Answer{Request: turn, Value: a, Err: a.failure(d.options.PageSize), Own: !asked}
	if asked {
		d.poll.Receive(answer, now)
	} else {
		d.Poller.Receive(answer, now)
	}
	return d.change
}

// follow takes in an answer, and returns the events of a follower.
func (d *driven) follow(f *Follower, a Answer, now time.Time) []*Event {
	a.Change = d.Receive(a, now)
	return f.Receive(a, now)
}

// refresh has everything read anew.
func (d *driven) refresh(now time.Time) {
	d.poll.Refresh(d.Poller, now)
	d.Refresh(now)
}
