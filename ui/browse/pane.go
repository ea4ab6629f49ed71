package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// rest is how long the keys that move have to be still for the detail beside the table to
// follow them again.
const rest = 100 * time.Millisecond

// pane is the detail beside the table. It follows the selection at once; but while keys
// come quickly one after another it keeps its row, and follows when they rest. Nobody
// reads what passes by, and drawing it costs more than the rest of the frame.
type pane[K comparable] struct {
	moves  int // how often the selection was moved
	timing bool
	held   bool
	key    K // of the row that it keeps while it is held
}

// rested says that the keys may have come to rest.
type rested struct {
	of    any
	moves int
}

// movedFrom notes that a key moved the selection away from a row.
func (m *Model[R, K]) movedFrom(was K) tea.Cmd {
	m.pane.moves++
	if !m.pane.timing {
		m.pane.timing = true
		return m.untilRest()
	}
	if !m.pane.held {
		m.pane.held, m.pane.key = true, was
	}
	return nil
}

// tookRest lets the detail follow, or waits on if there were more keys.
func (m *Model[R, K]) tookRest(msg rested) tea.Cmd {
	switch {
	case msg.of != any(m):
		return nil
	case msg.moves != m.pane.moves:
		return m.untilRest()
	}
	m.pane.timing, m.pane.held = false, false
	return nil
}

func (m *Model[R, K]) untilRest() tea.Cmd {
	msg := rested{m, m.pane.moves}
	return m.Do(func(ctx context.Context) tea.Msg {
		t := time.NewTimer(rest)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		return msg
	})
}

// beside is the row whose detail stands beside the table.
func (m *Model[R, K]) beside(selected R) R {
	if m.pane.held {
		if i, ok := m.Source.Find(m.pane.key); ok {
			return m.Source.Row(i)
		}
	}
	return selected
}
