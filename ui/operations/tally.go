package operations

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// A count waits so many times as long as the last one took, so that all of one kind together use at most one part in so many of
// a core, however many operations are loaded.
const (
	indexRest = 150  // of the timeline, which is looked at
	factRest  = 1000 // of what changes little: where failures lie together, what is slow
)

// tally is what was counted of the loaded operations, off the UI's goroutine: one count at a time, and another one after a rest
// if something changed meanwhile.
type tally[T any] struct {
	list   *list
	result T
	of     *feed.Timeline // what the result is of; nil before the first one
	busy   bool           // a count is running, or waits
	again  bool           // something has changed since it began
	rests  int            // how many times as long as a count took the next one waits
	rested time.Time      // until when the next one waits
	turn   int            // of the count that is awaited: one of an earlier turn is dropped
}

// count begins a count, unless one is on its way. prepare returns its work, which runs on another goroutine. repeat counts once
// more, if that is necessary.
func (t *tally[T]) count(prepare func() (work func() T), repeat func() tea.Cmd) tea.Cmd {
	t.again = t.busy
	if t.busy {
		return nil
	}
	t.busy = true
	of := t.list.live.timeline()
	if rest := t.rested.Sub(t.list.session.Now()); rest > 0 && of == t.of {
		return t.wait(min(rest, maxRest), repeat)
	}
	work, clock := prepare(), t.list.session.Now
	turn := t.turn
	counted := func(c measured[T]) tea.Cmd {
		if turn != t.turn {
			return nil
		}
		return t.counted(c, of, repeat)
	}
	return t.list.session.DoQuietly(page.Operations, func(context.Context) tea.Msg {
		began := clock()
		result := work()
		return page.Result(action.With(counted, measured[T]{result, clock().Sub(began)}))
	})
}

// hurry drops the count that runs or waits, so that the next one begins at once.
func (t *tally[T]) hurry() {
	t.busy, t.rested = false, time.Time{}
	t.turn++
}

// measured is a result, and how long it took.
type measured[T any] struct {
	result T
	took   time.Duration
}

// maxRest is the longest wait: what is shown is never older for long.
const maxRest = 10 * time.Second

// wait counts after a rest: what there is then.
func (t *tally[T]) wait(rest time.Duration, repeat func() tea.Cmd) tea.Cmd {
	turn := t.turn
	rested := func() tea.Cmd {
		if turn != t.turn {
			return nil
		}
		t.busy, t.rested = false, time.Time{}
		return repeat()
	}
	return t.list.session.DoQuietly(page.Operations, func(ctx context.Context) tea.Msg {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
		}
		return page.Step(rested)
	})
}

// counted takes over a result, unless it is of another scope.
func (t *tally[T]) counted(c measured[T], of *feed.Timeline, repeat func() tea.Cmd) tea.Cmd {
	t.busy = false
	if of != t.list.live.timeline() {
		return repeat()
	}
	t.result, t.of = c.result, of
	t.rested = t.list.session.Now().Add(time.Duration(t.rests) * c.took)
	if t.again {
		return repeat()
	}
	return nil
}
