package page

import (
	"context"
	"runtime/debug"
	"sync/atomic"
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

	// These are for use on the UI's goroutine.

	Times  style.Times   // how moments are shown
	Skew   time.Duration // how far the service's clock is ahead of the program's
	Behind bool          // there is a place to go back to, see [Back]
	Pane   *bool         // the user opened or closed the pane with the detail; nil: it depends on the screen
	Wide   int           // how many cells the user made the pane wide beside the rows; 0: that depends on the screen
}

// NewSession starts a session that ends with program or [Session.End]. now is the program's one clock.
func NewSession(program context.Context, generation int, now func() time.Time) *Session {
	ctx, cancel := context.WithCancel(program)
	return &Session{Outbox: &Outbox{}, program: program, ctx: ctx, cancel: cancel, generation: generation, now: now}
}

// End cancels what the session has under way.
func (s *Session) End() { s.cancel() }

// Resume goes on with a session after its end, under another stamp.
func (s *Session) Resume(generation int) {
	s.ctx, s.cancel = context.WithCancel(s.program)
	s.generation = generation
}

// Now reads the program's clock, by which requests and waits go.
func (s *Session) Now() time.Time { return s.now() }

// ServiceNow reads the service's clock, by which ages and durations go.
func (s *Session) ServiceNow() time.Time { return s.Service(s.now()) }

// Service is the service's time at a time of the program's.
func (s *Session) Service(t time.Time) time.Time { return t.Add(s.Skew) }

// Do runs f off the UI's goroutine and delivers what it returns. f must capture values, not models.
func (s *Session) Do(to ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	return s.do(Delivery{To: to}, f)
}

// DoQuietly is Do for answers that no age on the screen goes on with.
func (s *Session) DoQuietly(to ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	return s.do(Delivery{To: to, Quiet: true}, f)
}

func (s *Session) do(d Delivery, f func(context.Context) tea.Msg) tea.Cmd {
	ctx := s.ctx
	d.Generation = s.generation
	return func() tea.Msg {
		d.Msg = f(ctx)
		return d
	}
}

// DoAnyway is Do for what goes on when the session ends: late is then called in place of delivering the message.
func (s *Session) DoAnyway(to ID, f func(ctx context.Context) (msg tea.Msg, late func())) tea.Cmd {
	ctx, d := s.program, Delivery{Generation: s.generation, To: to}
	return func() tea.Msg {
		d.Msg, d.Late = f(ctx)
		return d
	}
}

// Answer goes on with what work brought, on the UI's goroutine. The page that asked runs it.
type Answer func() tea.Cmd

// Ask runs f off the UI's goroutine as Do does, and goes on with what it returns.
func Ask[T any](s *Session, to ID, f func(context.Context) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	return s.Do(to, func(ctx context.Context) tea.Msg {
		got, err := f(ctx)
		return Answer(func() tea.Cmd { return then(got, err) })
	})
}

// After sends msg to the root after d, or nothing if ctx ends before: Bubble Tea's own timers outlive the program.
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

// Alarm is one timer of a session: setting it again replaces it. The zero Alarm is ready for use.
type Alarm struct{ cancel context.CancelFunc }

// Set delivers msg to the page after d, unless the alarm is set again or the session ends before.
func (a *Alarm) Set(s *Session, to ID, d time.Duration, msg tea.Msg) tea.Cmd {
	if a.cancel != nil {
		a.cancel()
	}
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(s.ctx)
	return After(ctx, d, Delivery{Generation: s.generation, To: to, Msg: msg, Quiet: true})
}

// Delivery is a message for a page, with the session that it belongs to.
type Delivery struct {
	Generation int
	To         ID
	Msg        tea.Msg
	Quiet      bool   // no age on the screen goes on because of the message
	Late       func() // is called in place of delivering the message when the session is over; may be nil
}

// Panic is a panic that was caught, with the stack of its goroutine.
type Panic struct {
	Value any
	Stack []byte
}

// PanicCatcher brings a panic of other goroutines to the command that waits for them, where the program catches it.
// Elsewhere it would end the process with the terminal in disorder. The zero value is ready for use.
type PanicCatcher struct{ first atomic.Pointer[Panic] }

// Catch is to be deferred on each goroutine.
func (c *PanicCatcher) Catch() {
	if value := recover(); value != nil {
		c.first.CompareAndSwap(nil, &Panic{value, debug.Stack()})
	}
}

// Deliver panics with a [*Panic] if one of the goroutines did. It is for the one that waited for them.
func (c *PanicCatcher) Deliver() {
	if caught := c.first.Load(); caught != nil {
		panic(caught)
	}
}
