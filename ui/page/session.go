package page

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/poll"
	"pgtower/models/settings"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// Session is one sign-in. Results of requests are delivered only during their session.
type Session struct {
	*Outbox

	Polls *Polls // reads what the pages show; it outlives [Session.End]

	program    context.Context //nolint:containedctx // the program's lifetime, which no single call has
	ctx        context.Context //nolint:containedctx // the session's
	cancel     context.CancelFunc
	generation int
	now        func() time.Time

	// Use these only on the UI's goroutine.

	Profile   string           // its name
	Times     style.Times      // how times are shown
	Skew      time.Duration    // how far the service's clock is ahead of the program's
	Undated   bool             // the service's answers have no date: its clock is taken to be the program's
	CanGoBack bool             // [Back] is possible
	Layout    *settings.Layout // how the user laid out the pages
	Files     Files            // that the user names; required where a page writes one

	Filters *[Count]input.History // the kept filters of each page; nil: none are kept
	// Shown returns the page on the screen; nil: it is unknown.
	Shown func() ID
	// Retry lets requests be sent again after a failure that only the user can end; nil: nothing holds them back.
	Retry func()

	Console models.Template // address of a row in the service's console; zero: there is none
}

// Files are the files that the user names.
type Files interface {
	// Path returns the full path of a file.
	Path(name string) (string, error)
	// WriteNew writes a new file that only the user can read, or none, and returns its full path. The folder must exist.
	WriteNew(name string, data []byte) (path string, err error)
}

// NewSession starts a session that ends with program or [Session.End]. now is the program's clock.
func NewSession(program context.Context, generation int, now func() time.Time) *Session {
	ctx, cancel := context.WithCancel(program)
	s := &Session{
		Outbox: &Outbox{}, Layout: &settings.Layout{},
		program: program, ctx: ctx, cancel: cancel, generation: generation, now: now,
	}
	s.Polls = &Polls{Poller: poll.New(poll.DefaultBudget), session: s}
	return s
}

// End cancels the session's requests.
func (s *Session) End() { s.cancel() }

// Resume continues a session after its end, with another stamp.
func (s *Session) Resume(generation int) {
	s.ctx, s.cancel = context.WithCancel(s.program)
	s.generation = generation
}

// TryAgain lets requests be sent again, because the user repeats a failed one.
func (s *Session) TryAgain() {
	if s.Retry != nil {
		s.Retry()
	}
}

// Ended reports whether the session is over: nothing is read any more.
func (s *Session) Ended() bool { return s.ctx.Err() != nil }

// Now returns the program's time, for requests and waits.
func (s *Session) Now() time.Time { return s.now() }

// ServiceNow returns the service's time, for all times on the screen.
func (s *Session) ServiceNow() time.Time { return s.Service(s.now()) }

// Service converts the program's time to the service's.
func (s *Session) Service(t time.Time) time.Time { return t.Add(s.Skew) }

// Present returns a time of the service's clock as the present, in the zone of the screen. The caller has an answer.
func (s *Session) Present(instant time.Time) moment.Now {
	if s.Undated {
		return moment.ByComputer(s.Times.In(instant))
	}
	return moment.ByService(s.Times.In(instant))
}

// Do runs f off the UI's goroutine and delivers its result. f must capture values, not models.
func (s *Session) Do(id ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	return s.do(Delivery{To: id}, f)
}

// DoQuietly is Do for results that do not update the ages on the screen.
func (s *Session) DoQuietly(id ID, f func(ctx context.Context) tea.Msg) tea.Cmd {
	return s.do(Delivery{To: id, Quiet: true}, f)
}

func (s *Session) do(d Delivery, f func(context.Context) tea.Msg) tea.Cmd {
	ctx := s.ctx
	d.Generation = s.generation
	return func() tea.Msg { return d.with(f(ctx), nil) }
}

// DoAnyway is Do for work that continues after the session: late is then called instead of delivering the message.
func (s *Session) DoAnyway(id ID, f func(ctx context.Context) (msg tea.Msg, late func())) tea.Cmd {
	ctx, d := s.program, Delivery{Generation: s.generation, To: id}
	return func() tea.Msg { return d.with(f(ctx)) }
}

// Result is the message of [Call]: a function of the caller with the result. The page runs it on the UI's goroutine. A
// result that a page must recognize is a message of its own instead.
type Result func() tea.Cmd

// Step is a [Result] of work that goes on: what it changes on the screen may wait for the next second.
type Step func() tea.Cmd

// Call runs f off the UI's goroutine as Do does, and passes its result to take.
func Call[T any](s *Session, id ID, f func(context.Context) (T, error), take func(T, error) tea.Cmd) tea.Cmd {
	return s.Do(id, func(ctx context.Context) tea.Msg { return result(ctx, f, take) })
}

func result[T any](ctx context.Context, f func(context.Context) (T, error), take func(T, error) tea.Cmd) Result {
	got, err := f(ctx)
	return func() tea.Cmd { return take(got, err) }
}

// After sends msg to the root after d, unless ctx ends before: Bubble Tea's own timers outlive the program.
func After(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return sleep(ctx, d, msg) }
}

func sleep(ctx context.Context, d time.Duration, msg tea.Msg) tea.Msg {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return msg
	case <-ctx.Done():
		return nil
	}
}

// Timer is one timer of a session: setting it again replaces it. The zero Timer is ready for use.
type Timer struct{ cancel context.CancelFunc }

// Set delivers msg to the page after d, unless it is set again before. A session that is resumed gets it late.
func (t *Timer) Set(s *Session, id ID, d time.Duration, msg tea.Msg) tea.Cmd {
	if t.cancel != nil {
		t.cancel()
	}
	var ctx context.Context
	ctx, t.cancel = context.WithCancel(s.program)
	return After(ctx, d, Delivery{Generation: s.generation, To: id, Msg: msg, Quiet: true})
}

// Delivery is a message for a page, with its session.
type Delivery struct {
	Generation int
	To         ID
	Msg        tea.Msg
	Quiet      bool   // the message does not update the ages on the screen
	Late       func() // called instead of delivering the message after the session; may be nil
}

func (d Delivery) with(msg tea.Msg, late func()) Delivery {
	d.Msg, d.Late = msg, late
	return d
}

// Panic is a recovered panic with the stack of its goroutine.
type Panic struct {
	Value any
	Stack []byte
}

// PanicCatcher passes a panic of other goroutines to the command that waits for them, where the program recovers it.
// Otherwise it would kill the process without restoring the terminal. The zero value is ready for use.
type PanicCatcher struct{ first atomic.Pointer[Panic] }

// Catch recovers a panic. Defer it on each goroutine.
func (c *PanicCatcher) Catch() {
	if value := recover(); value != nil {
		c.first.CompareAndSwap(nil, &Panic{value, debug.Stack()})
	}
}

// Deliver panics with a [*Panic] if one of the goroutines did. The waiting goroutine calls it.
func (c *PanicCatcher) Deliver() {
	if caught := c.first.Load(); caught != nil {
		panic(caught)
	}
}
