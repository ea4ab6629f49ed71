package page

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Alarm is a timer of a session that there is one of: setting it again takes the place
// of what it was set to before. Whoever holds a key down must not leave a timer behind
// for each time. The zero Alarm is ready for use.
type Alarm struct{ cancel context.CancelFunc }

// Set returns the command that delivers msg to the page after d, unless the alarm is set
// again or the session ends before. What was delivered already is not taken back.
func (a *Alarm) Set(s *Session, to ID, d time.Duration, msg tea.Msg) tea.Cmd {
	if a.cancel != nil {
		a.cancel()
	}
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(s.ctx)
	return After(ctx, d, Delivery{Generation: s.generation, To: to, Msg: msg, Quiet: true})
}
