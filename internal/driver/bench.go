package driver

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/internal/files"
	"pgtower/models/poll"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Bench runs one page without the root: its commands, its actions, its effects and the dialogs that it opens.
type Bench struct {
	tb      TB
	ctx     context.Context //nolint:containedctx // the test's
	page    Page
	session *page.Session
	time    *Driver // of commands, or nil
	effects []page.Effect
}

// Page is what a bench needs of a page.
type Page interface {
	Update(msg tea.Msg) tea.Cmd
	Actions() []action.Group
	Describe(f page.Frame) announce.Description
	Shows(s poll.Subject) bool
}

// NewSession returns a session for the page of a bench, with the user's files. Its poller sends at most budget requests a
// second.
func NewSession(ctx context.Context, now func() time.Time, budget int) *page.Session {
	s := page.NewSession(ctx, 1, now)
	s.Files = files.User{}
	s.Polls.Poller = poll.New(budget)
	return s
}

// NewBench returns a bench of a page.
func NewBench(tb interface {
	TB
	Context() context.Context
}, p Page, s *page.Session,
) *Bench {
	return &Bench{tb: tb, ctx: tb.Context(), page: p, session: s}
}

// InTime lets commands run in fake time: [Bench.Wait] delivers their messages.
func (b *Bench) InTime() *Bench {
	b.time = New(alone{b}, nil)
	return b
}

// alone is a page as the only part of a program.
type alone struct{ *Bench }

// Init implements [tea.Model].
func (alone) Init() tea.Cmd { return nil }

// Update delivers a message to the page, and then sends the requests that are due.
func (a alone) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if d, ok := msg.(page.Delivery); ok {
		return a, tea.Batch(a.deliver(d.Msg), a.send())
	}
	return a, nil
}

// View implements [tea.Model].
func (alone) View() tea.View { return tea.View{} }

// deliver passes a message to the page, as the root does.
func (b *Bench) deliver(msg tea.Msg) tea.Cmd {
	batch, ok := msg.(page.Batch)
	if !ok {
		return b.page.Update(msg)
	}
	answers, rest := b.session.Polls.Take(batch)
	return tea.Batch(rest, b.page.Update(answers))
}

// send sends the requests that are due.
func (b *Bench) send() tea.Cmd { return b.session.Polls.Send(b.page.Shows) }

// Wait lets fake time pass, in steps as short as a user notices.
func (b *Bench) Wait(d time.Duration) {
	b.Do(nil)
	for end := b.session.Now().Add(d); ; time.Sleep(50 * time.Millisecond) {
		b.time.Settle()
		if !b.session.Now().Before(end) {
			return
		}
	}
}

// Do runs a command, and then sends the requests that are due. It returns when all is done, unless they run in fake time.
func (b *Bench) Do(cmd tea.Cmd) {
	if b.time != nil {
		b.time.Run(cmd)
		b.time.Run(b.send())
		return
	}
	b.follow(cmd)
	for requests := b.due(); len(requests) > 0; requests = b.due() {
		var answers page.Answered
		for _, r := range requests {
			answers = append(answers, b.session.Polls.Receive(r.Do(b.ctx), b.session.Now()))
		}
		b.follow(b.page.Update(answers))
	}
}

// due returns the requests that are due.
func (b *Bench) due() []poll.Request {
	requests, _ := b.session.Polls.Next(b.session.Now())
	return requests
}

// follow runs a command and all further commands that it leads to.
func (b *Bench) follow(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			b.follow(c)
		}
	case page.Delivery:
		b.follow(b.page.Update(msg.Msg))
	}
}

// Run runs an action as the root does.
func (b *Bench) Run(id string) {
	b.tb.Helper()
	b.Do(b.Action(id))
}

// Action begins an action with an optional argument, as the root does, and returns its command.
func (b *Bench) Action(id string, arg ...string) tea.Cmd {
	b.tb.Helper()
	a, ok := action.ByID(b.page.Actions(), id)
	if !ok || a.IsHidden() || a.Reason() != "" {
		b.tb.Fatalf("%s cannot be done: %+v", id, a)
	}
	if len(arg) == 0 {
		return a.Run()
	}
	run, err := a.Arg.Parse(arg[0])
	if err != nil {
		b.tb.Fatalf("%s %s: %v", id, arg[0], err)
	}
	return run()
}

// Wrong returns the error of an action and its argument, as in the palette.
func (b *Bench) Wrong(line string) error {
	id, arg, _ := strings.Cut(line, " ")
	a, _ := action.ByID(b.page.Actions(), id)
	_, err := a.Arg.Parse(arg)
	return err
}

// Refuses returns why an action is unavailable, or "".
func (b *Bench) Refuses(id string) string {
	a, _ := action.ByID(b.page.Actions(), id)
	return a.Reason()
}

// Effects returns the effects since the last [Bench.Take].
func (b *Bench) Effects() []page.Effect {
	b.effects = append(b.effects, b.session.Effects()...)
	return b.effects
}

// Take returns the effects since its last call.
func (b *Bench) Take() []page.Effect {
	effects := b.Effects()
	b.effects = nil
	return effects
}

// Notices returns the texts of the notices, in order.
func (b *Bench) Notices() (texts []string) {
	for _, e := range b.Effects() {
		switch e := e.(type) {
		case page.Notice:
			texts = append(texts, e.Text)
		case page.Alert:
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// Text returns the words of the page, as the accessible mode has them.
func (b *Bench) Text() string { return textOf(b.page, b.session) }

// textOf returns the lines of a description.
func textOf(part interface {
	Describe(f page.Frame) announce.Description
}, s *page.Session,
) string {
	d := part.Describe(page.Frame{Width: 100, Height: 40, Now: s.Now(), Accessible: true})
	lines := append([]string{d.Name}, d.Text...)
	for _, p := range d.Parts {
		lines = append(lines, p.Text)
	}
	return strings.Join(lines, "\n")
}

// Opened returns the last dialog that the page opened.
func (b *Bench) Opened() Opened {
	b.tb.Helper()
	for _, e := range slices.Backward(b.Effects()) {
		if open, ok := e.(page.Open); ok {
			return b.Opens(open.Dialog)
		}
	}
	b.tb.Fatalf("no dialog was opened")
	return Opened{}
}

// Opens returns a dialog as if the page had opened it.
func (b *Bench) Opens(d page.Dialog) Opened { return Opened{d, b} }

// Opened is a dialog of a page.
type Opened struct {
	page.Dialog

	bench *Bench
}

// Text returns the words of the dialog: its title and all of its lines.
func (o Opened) Text() string { return textOf(o, o.bench.session) }

// Drawn returns the dialog as it is drawn.
func (o Opened) Drawn() string {
	return ansi.Strip(o.View(page.Frame{Width: 100, Height: 40, Now: o.bench.session.Now(), Theme: &style.Theme{}}))
}

// Says checks that the dialog says texts.
func (o Opened) Says(texts ...string) Opened {
	o.bench.tb.Helper()
	o.has(o.Text(), texts)
	return o
}

// Draws checks that texts are drawn in the dialog, also if they are wrapped there.
func (o Opened) Draws(texts ...string) Opened {
	o.bench.tb.Helper()
	o.has(o.Drawn()+"\n"+unwrapped(o.Drawn()), texts)
	return o
}

func (o Opened) has(screen string, texts []string) {
	o.bench.tb.Helper()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			o.bench.tb.Errorf("%q is not in\n%s", text, screen)
		}
	}
}

// IsTyped reports whether the dialog has an input for text.
func (o Opened) IsTyped() bool {
	return o.Describe(page.Frame{Width: 100, Height: 40, Accessible: true}).Field != nil
}

// Press presses keys, as the root passes them on.
func (o Opened) Press(names ...string) {
	o.bench.tb.Helper()
	for _, name := range names {
		o.bench.Do(o.Begin(name))
	}
}

// Begin presses a key, and returns its command.
func (o Opened) Begin(name string) tea.Cmd {
	o.bench.tb.Helper()
	a, ok := action.Find(o.Actions(), Key(name))
	if !ok {
		return o.Update(Key(name))
	}
	if reason := a.Reason(); reason != "" {
		o.bench.tb.Fatalf("%s is unavailable: %s", name, reason)
	}
	return a.Run()
}

// Paste pastes a text into the line with the focus.
func (o Opened) Paste(text string) { o.bench.Do(o.Update(tea.PasteMsg{Content: text})) }

// Run runs the action with a title.
func (o Opened) Run(title string) {
	o.bench.tb.Helper()
	for _, g := range o.Actions() {
		for _, a := range g.Actions {
			if a.Look().Title == title && !a.IsHidden() && a.Reason() == "" {
				o.bench.Do(a.Run())
				return
			}
		}
	}
	o.bench.tb.Fatalf("%s cannot be done in\n%s", title, o.Text())
}

// Confirm answers yes to a question for which nothing has to be typed.
func (o Opened) Confirm() {
	o.bench.tb.Helper()
	o.Press("tab", "enter")
}
