package operations

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// tally is what was counted of the loaded operations, off the UI's goroutine: one count at a time, and another one if
// something changed meanwhile.
type tally[T any] struct {
	list   *list
	result T
	of     *feed.Timeline // what the result is of; nil before the first one
	busy   bool           // a count is running
	again  bool           // something has changed since it began
}

// count begins a count with work. again counts once more, if that is necessary.
func (t *tally[T]) count(work func() T, again func() tea.Cmd) tea.Cmd {
	t.again = t.busy
	if t.busy {
		return nil
	}
	t.busy = true
	of := t.list.live.timeline()
	counted := func(result T) tea.Cmd { return t.counted(result, of, again) }
	return t.list.session.DoQuietly(page.Operations, func(context.Context) tea.Msg {
		return page.Result(action.With(counted, work()))
	})
}

// counted takes over a result, unless it is of another scope.
func (t *tally[T]) counted(result T, of *feed.Timeline, again func() tea.Cmd) tea.Cmd {
	t.busy = false
	if of != t.list.live.timeline() {
		return again()
	}
	t.result, t.of = result, of
	if t.again {
		return again()
	}
	return nil
}
