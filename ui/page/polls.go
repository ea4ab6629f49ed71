package page

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/poll"
)

// Polls drives the poller of a session: it sends the requests that are due, and passes on the answers. Pages tell the poller
// what there is to read, and get [Answered] after their readers. Use it only on the UI's goroutine.
type Polls struct {
	*poll.Poller

	// Every is the longest time between two [Answered]; 0: there is no limit.
	Every time.Duration

	session  *Session
	timer    Timer
	next     time.Time // when the timer runs out; zero: it is not set
	held     time.Time // until when nothing is sent, see [Polls.pause]
	attended time.Time // when the user did something last
}

// batchDelay is how long an answer waits for others: rows that arrive repaint half of the screen.
const batchDelay = 150 * time.Millisecond

// Answered tells the pages which answers came. There are none if a timer ran out.
type Answered []poll.Answer

// Batch is the message with answers that came at nearly the same time, for [Polls.Take].
type Batch struct {
	answers []poll.Answer
	// rest waits for the other answers of the same call; it may be nil. Call it on the UI's goroutine.
	rest func() tea.Cmd
}

// Empty reports whether nothing was answered: it is only time to ask for more.
func (b Batch) Empty() bool { return len(b.answers) == 0 }

// Send sends the requests that are due, and sets the timer for the next ones. Call it after everything that may have changed
// what there is to read. Only answers about visible subjects update the ages on the screen.
func (p *Polls) Send(visible func(poll.Subject) bool) tea.Cmd {
	now := p.session.Now()
	pause := p.pause(now)
	if rest := p.held.Sub(now); rest > 0 && rest <= pause {
		return p.wake(now, rest)
	}
	requests, wait := p.Next(now)
	var loud, quiet []poll.Request
	for _, r := range requests {
		if visible(r.Subject) {
			loud = append(loud, r)
		} else {
			quiet = append(quiet, r)
		}
	}
	if wait < pause {
		wait, p.held = pause, now.Add(pause)
	}
	if p.Every > 0 {
		wait = min(wait, p.Every)
	}
	return tea.Batch(p.wake(now, wait), p.ask(loud, p.session.Do), p.ask(quiet, p.session.DoQuietly))
}

// wake sets the timer, unless it runs out before.
func (p *Polls) wake(now time.Time, wait time.Duration) tea.Cmd {
	next := now.Add(wait)
	if !p.next.IsZero() && !next.Before(p.next) {
		return nil
	}
	p.next = next
	return p.timer.Set(p.session, Operations, wait, Batch{})
}

// Attend notes that the user did something, and may wait for an answer.
func (p *Polls) Attend() { p.attended = p.session.Now() }

// pause returns how long what comes next waits for others: as long as the budget takes for a group, but only a part of
// [Polls.Every]. Each batch of answers repaints the screen, which costs more than to read them. Nothing waits in the first round,
// and after the user did something.
func (p *Polls) pause(now time.Time) time.Duration {
	const group, part, attention = 3, 8, 5 * time.Second
	if p.FirstRound() || now.Sub(p.attended) < attention {
		return 0
	}
	perSecond := max(1, p.Health(now).Budget)
	return min(group*time.Second/time.Duration(perSecond), p.Every/part)
}

// Take passes the answers of a message to the poller, and returns them for the pages.
func (p *Polls) Take(b Batch) (Answered, tea.Cmd) {
	now := p.session.Now()
	if b.Empty() {
		p.next = time.Time{}
	}
	answers := make(Answered, len(b.answers))
	for i, a := range b.answers {
		answers[i] = p.Receive(a, now)
	}
	if b.rest == nil {
		return answers, nil
	}
	return answers, b.rest()
}

type deliver = func(ID, func(context.Context) tea.Msg) tea.Cmd // [Session.Do] or [Session.DoQuietly]

func (p *Polls) ask(requests []poll.Request, do deliver) tea.Cmd {
	if len(requests) == 0 {
		return nil
	}
	n := len(requests)
	c := &sent{do: do, requests: requests, answers: make(chan poll.Answer, n), left: n}
	return do(Operations, c.start)
}

// sent is some requests that were sent at once.
type sent struct {
	do       deliver
	requests []poll.Request
	answers  chan poll.Answer
	left     int // the number of answers that are still to come
	panics   PanicCatcher
}

func (c *sent) start(ctx context.Context) tea.Msg {
	for _, r := range c.requests {
		go c.ask(ctx, r)
	}
	return c.wait(ctx)
}

func (c *sent) ask(ctx context.Context, r poll.Request) {
	a := poll.Answer{Request: r, Err: poll.ErrLost}
	defer func() { c.answers <- a }()
	defer c.panics.Catch()
	a = r.Do(ctx)
}

// wait waits for the next answer, and a moment longer for others.
func (c *sent) wait(context.Context) tea.Msg {
	got := Batch{answers: []poll.Answer{<-c.answers}}
	late := time.After(batchDelay)
	for waits := true; waits && len(got.answers) < c.left; {
		select {
		case a := <-c.answers:
			got.answers = append(got.answers, a)
		case <-late:
			waits = false
		}
	}
	c.panics.Deliver()
	c.left -= len(got.answers)
	if c.left > 0 {
		got.rest = func() tea.Cmd { return c.do(Operations, c.wait) }
	}
	return got
}
