package page

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/style"
)

// Session is one sign-in. What is asked in a session is answered in it or not at all.
type Session struct {
	*Outbox

	program    context.Context //nolint:containedctx // the program's lifetime, which no single call has
	ctx        context.Context //nolint:containedctx // the session's
	cancel     context.CancelFunc
	generation int
	now        func() time.Time

	// Times is how moments are shown, on the UI's goroutine.
	Times style.Times
	// Skew is how far the service's clock is ahead of the program's, on the UI's goroutine.
	Skew time.Duration
	// Behind says that there is a place to go back to, see [Back].
	Behind bool
}

// NewSession starts a session that ends with program or [Session.End]. now is the program's one clock.
func NewSession(program context.Context, generation int, now func() time.Time) *Session {
	ctx, cancel := context.WithCancel(program)
	return &Session{Outbox: &Outbox{}, program: program, ctx: ctx, cancel: cancel, generation: generation, now: now}
}

// End cancels what the session has under way.
func (s *Session) End() { s.cancel() }

// Resume goes on with a session after its end: what is asked from now on is stamped with another generation.
func (s *Session) Resume(generation int) {
	s.ctx, s.cancel = context.WithCancel(s.program)
	s.generation = generation
}

// Now reads the program's clock: when it asks, when it was answered, what it waits for.
func (s *Session) Now() time.Time { return s.now() }

// ServiceNow returns the service's time, by which ages and durations are reckoned.
func (s *Session) ServiceNow() time.Time { return s.Service(s.now()) }

// Service is what the service's clock shows at a time of the program's.
func (s *Session) Service(t time.Time) time.Time { return t.Add(s.Skew) }

// Do runs f off the UI's goroutine and delivers what it returns. f must capture values, not models.
func (s *Session) Do(to ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	ctx, generation := s.ctx, s.generation
	return func() tea.Msg {
		return Delivery{Generation: generation, To: to, Msg: f(ctx)}
	}
}

// DoQuietly is Do for answers that no age on the screen goes on with.
func (s *Session) DoQuietly(to ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	do := s.Do(to, f)
	return func() tea.Msg {
		d, _ := do().(Delivery)
		d.Quiet = true
		return d
	}
}

// DoAnyway is Do for what must not be given up half way: it goes on when the session ends, and
// late is then called in place of delivering the message, on the UI's goroutine.
func (s *Session) DoAnyway(to ID, f func(ctx context.Context) (msg tea.Msg, late func())) tea.Cmd {
	ctx, generation := s.program, s.generation
	return func() tea.Msg {
		msg, late := f(ctx)
		return Delivery{Generation: generation, To: to, Msg: msg, Late: late}
	}
}

// After returns the command that sends msg to the root after d, or nothing if ctx ends
// before: Bubble Tea itself leaves timers running when the program is over.
func After(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Delivery is a message for a page, with the session that it belongs to.
type Delivery struct {
	Generation int
	To         ID
	Msg        tea.Msg
	// Quiet has no age on the screen go on because of the message.
	Quiet bool
	// Late is called in place of delivering the message when the session is over; it may be nil.
	Late func()
}
