package page

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/poll"
)

// things is a reader of things whose requests are one function.
type things func() (any, error)

func (t things) Call(poll.Subject, time.Time) (poll.Call, time.Time) {
	return func(context.Context) (any, error) { return t() }, time.Time{}
}

func (things) Receive(poll.Answer, time.Time) {}

// A panic on a goroutine that sends requests is passed to the command's goroutine: otherwise it would end the program.
func TestPollsPanicReachesItsCommand(t *testing.T) {
	t.Parallel()
	s := NewSession(t.Context(), 1, time.Now)
	panics := things(func() (any, error) { panic("in a worker") })
	for _, of := range []string{"a", "b"} {
		s.Polls.Put(&panics, of, poll.Source{Subject: poll.Subject{Of: of}})
	}
	requests, _ := s.Polls.Next(time.Now())
	work := s.Polls.ask(requests, s.Do)
	defer func() {
		caught, ok := recover().(*Panic)
		if !ok || caught.Value != "in a worker" || len(caught.Stack) == 0 {
			t.Error(errors.New("the panic did not come out"), caught)
		}
	}()
	work()
}

// A session's state belongs to the UI's goroutine: the work that waits for answers must not use it.
func TestPollsRestIsAskedForByTheUI(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		do := func(ID, func(context.Context) tea.Msg) tea.Cmd {
			asked++
			return nil
		}
		c := &sent{do: do, answers: make(chan poll.Answer, 2), left: 2}
		c.answers <- poll.Answer{}
		got := c.wait(t.Context()).(Batch)
		if asked != 0 || got.rest == nil {
			t.Fatalf("asked %d times", asked)
		}
		c.answers <- poll.Answer{}
		if got.rest(); asked != 1 {
			t.Errorf("asked %d times, want 1", asked)
		}
		if last := c.wait(t.Context()).(Batch); last.rest != nil {
			t.Error("there is nothing left to wait for")
		}
	})
}

// The timer is set anew only for an earlier time: everything that happens calls Send.
func TestPollsSetOneTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSession(t.Context(), 1, time.Now)
		nothing := func(poll.Subject) bool { return false }
		if s.Polls.Send(nothing) == nil {
			t.Fatal("no timer")
		}
		time.Sleep(time.Second)
		if s.Polls.Send(nothing) != nil {
			t.Error("a second timer, for a later time")
		}
		reads := things(func() (any, error) { return nil, nil })
		s.Polls.Put(&reads, "a", poll.Source{Subject: poll.Subject{Of: "a"}, From: time.Now().Add(time.Second)})
		timer := s.Polls.Send(nothing)
		if timer == nil {
			t.Fatal("no timer for an earlier time")
		}
		message, ok := timer().(Delivery)
		if !ok || !message.Quiet {
			t.Fatalf("%+v", message)
		}
		if answers, rest := s.Polls.Take(message.Msg.(Batch)); len(answers) > 0 || rest != nil {
			t.Errorf("%v were answered", answers)
		}
		if s.Polls.Send(nothing) == nil {
			t.Error("nothing is asked for after the timer")
		}
	})
}

// What the budget spreads over time is sent in groups, but not in the first round, and not while the user does something.
func TestPollsSendInGroups(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSession(t.Context(), 1, time.Now)
		s.Polls.Every = 5 * time.Second
		reads := things(func() (any, error) { return nil, nil })
		var sources []poll.Source
		for i := range 100 {
			sources = append(sources, poll.Source{Subject: poll.Subject{Of: strconv.Itoa(i)}, Lane: poll.Round, Rank: poll.Rest})
		}
		s.Polls.Put(&reads, "", sources...)
		// wait answers what the budget allows now, and returns how long the next request waits.
		wait := func() time.Duration {
			for {
				requests, _ := s.Polls.Next(time.Now())
				if len(requests) == 0 {
					break
				}
				for _, r := range requests {
					s.Polls.Receive(r.Do(t.Context()), time.Now())
				}
			}
			s.Polls.next, s.Polls.held = time.Time{}, time.Time{}
			_ = s.Polls.Send(func(poll.Subject) bool { return false })
			return time.Until(s.Polls.next)
		}
		if w := wait(); w >= 600*time.Millisecond {
			t.Errorf("in the first round, the next request waits for %s", w)
		}
		for s.Polls.FirstRound() {
			time.Sleep(time.Second)
			wait()
		}
		s.Polls.Put(&reads, "", sources...)
		if w := wait(); w != 600*time.Millisecond {
			t.Errorf("after it, the next request waits for %s", w)
		}
		time.Sleep(300 * time.Millisecond) // the budget allows one request more
		asked := func() int {
			_ = s.Polls.Send(func(poll.Subject) bool { return false })
			return len(slices.DeleteFunc(slices.Clone(sources), func(of poll.Source) bool { return !s.Polls.Freshness(of.Subject).Busy }))
		}
		if n := asked(); n > 0 {
			t.Errorf("%d requests are sent while others wait for a group", n)
		}
		time.Sleep(300 * time.Millisecond)
		if n := asked(); n != 3 {
			t.Errorf("a group has %d requests", n)
		}
		s.Polls.Drop()
		s.Polls.Attend()
		if w := wait(); w >= 600*time.Millisecond {
			t.Errorf("when the user is there, the next request waits for %s", w)
		}
	})
}
