package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/desktop"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Update routes a message, and runs its effects.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.clock.now, m.clock.wall = m.session.profile.Clock(), m.session.options.Clock().Round(0)
	painted := m.clock.painted
	if !m.clock.advance(msg, m.session.options.ReduceMotion, m.session.runs) {
		if m.behind {
			m.redraw()
		}
		return m, tea.Batch(m.tick(), m.announce(msg))
	}
	profile := m.session.profile
	cmds := []tea.Cmd{m.route(msg)}
	effects, ran := m.runEffects()
	cmds = append(cmds, effects)
	if m.session.live() {
		cmds = append(cmds, m.session.current.Polls.Send(m.session.pages.shows))
		m.hint.start(m.clock.now)
		m.session.seen.back.visit(entry{m.session.pages.active, m.session.pages.front().ViewState()})
		m.session.current.CanGoBack = len(m.session.seen.back) > 1
	}
	m.session.notices.turned(m.session.pages.active)
	m.behind = true
	if ran || !waitsForTick(msg) || !m.clock.painted.Equal(painted) {
		m.redraw()
	}
	if m.session.profile != profile {
		m.applyTheme()
	}
	return m, tea.Batch(append(cmds, m.announce(msg))...)
}

// redraw has the screen drawn again.
func (m *Model) redraw() { m.drawn, m.offered, m.behind = "", nil, false }

// waitsForTick reports whether what a message changes on the screen is drawn by the next second: one that only says that it is
// time to ask for more changes at most ages, and a step of work what it has come to. With many projects they come as often as
// answers, and a screen costs more than all else.
func waitsForTick(msg tea.Msg) bool {
	d, _ := msg.(page.Delivery)
	switch content := d.Msg.(type) {
	case page.Batch:
		return content.Empty()
	case page.Step:
		return true
	}
	return false
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case clockTick:
		return m.tick()
	case tea.KeyPressMsg:
		m.hint.pressed = true
		if msg.String() == "esc" {
			m.session.notices.dismiss()
		}
		m.session.notices.seen()
		m.session.seen.alerts.unseen = ""
		return tea.Batch(m.key(msg), m.session.toPage(page.Operations, page.UserActive{}))
	case tea.MouseMsg:
		m.session.notices.seen()
		m.session.seen.alerts.unseen = ""
		return tea.Batch(m.mouse(msg), m.session.toPage(page.Operations, page.UserActive{}))
	case tea.PasteMsg:
		return m.input(msg)
	case tea.FocusMsg:
		m.session.seen.alerts.unseen = ""
		return m.session.toPage(page.Operations, page.UserActive{})
	case tea.ResumeMsg:
		// The clock cannot tell: its timer continued meanwhile.
		return m.session.broadcast(page.Resumed{})
	case page.Delivery:
		return m.session.delivered(msg)
	case connected:
		cmd := m.session.connected(msg)
		m.warn()
		return cmd
	case layoutSaved:
		return m.layout.wasSaved(msg, &m.session.Outbox)
	case noticeOver:
		m.session.notices.over(msg)
	case desktop.Copied:
		notice, cmd := msg(&m.clipboard)
		m.session.Emit(notice)
		return cmd
	case opened:
		m.session.Emit(msg.effect)
	case page.Notice: // of the terminal's job control, which belongs to no session
		m.session.Emit(msg)
	default:
		m.terminal.reported(msg)
		m.clipboard.Remote, m.clipboard.Tmux = m.terminal.remote, m.terminal.tmux
		m.applyTheme()
	}
	return nil
}

// runEffects closes finished dialogs and runs effects until there are none, as an effect may have others. It reports whether
// there were any.
func (m *Model) runEffects() (cmd tea.Cmd, ran bool) {
	var cmds []tea.Cmd
	for {
		m.session.dialogs.closeDone()
		effects := m.session.Effects()
		if len(effects) == 0 {
			return tea.Batch(cmds...), ran
		}
		ran = true
		for _, e := range effects {
			cmds = append(cmds, m.perform(e))
		}
	}
}

func (m *Model) perform(e page.Effect) tea.Cmd {
	switch e := e.(type) {
	case page.Open:
		m.session.dialogs.open(e.Dialog)
	case page.Close:
		m.session.dialogs.close(e.Dialog)
	case page.Notice:
		return m.showNotice(e)
	case page.Alert:
		return m.alert(e)
	case page.Copy:
		return m.clipboard.Copy(m.session.ctx, e)
	case page.Failed:
		m.session.failed(e, m.session.service(m.clock.now))
	case page.SignOut:
		m.session.signOut(e.Reason + " Enter another one to continue where you were.")
	case page.ProjectNeeded:
		m.session.askProject(e.Reason)
	case page.KeyChanged:
		m.session.connection.Source = e.Source
	case page.KeepLayout:
		config := m.session.config()
		if e.Asked && config.SaveLayout == nil {
			m.session.Notify(style.Muted, "These columns last until you quit: "+config.unsaved)
		}
		return m.layout.save(config)
	case page.RefreshProjects:
		return m.session.toPage(page.Projects, e)
	case page.ProjectList:
		m.session.seen.projects = e.Projects
		return m.session.broadcast(e)
	case page.ProjectHealth:
		return m.session.toPage(page.Projects, e)
	case page.ShowOperations:
		m.session.pages.active = page.Operations
		return m.session.toPage(page.Operations, e)
	case page.ShowProject:
		return tea.Batch(m.session.pages.show(page.Projects), m.session.toPage(page.Projects, e))
	case page.ShowKey:
		return tea.Batch(m.session.pages.show(page.APIKeys), m.session.toPage(page.APIKeys, e))
	case page.ShowView:
		id, _ := page.Named(e.View.Page) // a view of another page was left out
		return tea.Batch(m.session.pages.show(id), m.session.toPage(id, e))
	case page.Back:
		return m.session.goBack()
	}
	return nil
}

// alert lists an alert and, unless they are muted, shows it, rings, and runs the program of its view.
func (m *Model) alert(e page.Alert) tea.Cmd {
	alerts := &m.session.seen.alerts
	alerts.list(e, m.session.service(m.clock.now))
	if e.Quiet || alerts.muted(m.clock.now) > 0 {
		return nil
	}
	alerts.alerted(e)
	rings := tea.Cmd(nil)
	if e.Rings && !m.session.options.NoBell {
		rings = m.terminal.ring(m.session.ctx, e.Text)
	}
	notice := m.showNotice(page.Notice{
		Tone: e.Tone, Text: e.Text, Waits: true, About: e.Found[0].About,
	})
	return tea.Batch(rings, notice, alerts.run(e, &m.session))
}

func (m *Model) showNotice(n page.Notice) tea.Cmd {
	if n.Text == "" {
		return nil
	}
	if m.session.options.Accessible {
		m.announcer.Queue(n.Text)
	}
	return m.session.notices.show(m.session.ctx, n, m.session.pages.active)
}

// signedIn is the reason of the warnings of a new connection in the list of alerts.
const signedIn = "Sign-in"

// warn shows the warning of a new connection, and adds it to the list of alerts: the line may have no room for all of it.
func (m *Model) warn() {
	warning := m.session.connection.Warning
	m.session.connection.Warning = ""
	if warning == "" {
		return
	}
	text, room := warning, m.terminal.width-noticeMargin
	if style.Width(warning) > room && !m.session.options.Accessible {
		const more = " · :alerts"
		text = style.Cut(warning, room-len(more)) + more
	}
	// Another notice may take its place before it is read.
	found := page.Alert{Reason: signedIn, Found: []page.Found{{Text: warning}}}
	m.session.seen.alerts.list(found, m.session.service(m.clock.now))
	m.session.Emit(page.Notice{Tone: style.Waiting, Text: text, Waits: true})
}

// tick waits for the next second, and tells the pages if the computer was asleep.
func (m *Model) tick() tea.Cmd {
	next, slept := m.clock.untilNextSecond(m.session.ctx), m.clock.slept()
	m.clock.awake = m.clock.wall
	if m.clock.wall.Sub(m.kept).Abs() >= keepEvery {
		m.kept = m.clock.wall
		next = tea.Batch(next, m.session.keepSeen())
	}
	if !slept {
		return next
	}
	return tea.Batch(next, m.session.broadcast(page.Resumed{}))
}

// keepEvery is how often it is remembered when the operations were last read: another pgtower may start, and this one may be killed.
const keepEvery = time.Minute

const asleep = 10 * time.Second // the computer was asleep if no tick came for this long

// frozenFor (with reduced motion) and restFor are how long the screen shows the same time if nothing happens.
const frozenFor, restFor = 30 * time.Second, 12 * time.Second

// clock has the times of the screen.
type clock struct {
	now     time.Time // when the last message came
	painted time.Time // the time that the screen shows
	ticked  time.Time // the same, or the last second while the screen changes every second
	wall    time.Time // the computer's time of the last message, which runs on during its sleep
	awake   time.Time // the same of the last tick
}

// clockTick is the message of every second, when the texts of ages and countdowns may change.
type clockTick struct{}

// untilNextSecond waits for the next full second, so that all texts change together.
func (c *clock) untilNextSecond(ctx context.Context) tea.Cmd {
	return page.After(ctx, time.Second-c.now.Sub(c.now.Truncate(time.Second)), clockTick{})
}

func (c *clock) slept() bool { return !c.awake.IsZero() && c.wall.Sub(c.awake) >= asleep }

// advance decides which time the screen shows: that of the last message, or of a tick after a while. It reports whether
// to draw: new ages in all rows every second would cost more than all else, and keep the terminal from scrolling them.
// Only ticks are left undrawn, since the clock may go back with another profile.
func (c *clock) advance(msg tea.Msg, reduceMotion bool, runs func(now time.Time) bool) bool {
	stood, limit := c.now.Sub(c.painted), restFor
	if reduceMotion {
		limit = frozenFor
	}
	frozen := stood >= 0 && stood < limit && !c.slept()
	if d, ok := msg.(page.Delivery); ok && d.Quiet && frozen {
		return true
	}
	if _, ticks := msg.(clockTick); ticks && frozen {
		if reduceMotion || !runs(c.now) {
			return false
		}
		c.ticked = c.now
		return true
	}
	c.painted, c.ticked = c.now, c.now
	return true
}

const (
	noticeFor  = 6 * time.Second // a notice stays
	hesitation = 8 * time.Second // without a key, until the hint for the keys appears
	hintFor    = time.Minute     // the hint stays
)

// hint is when to show new users, once, which keys there are.
type hint struct {
	began   time.Time // when the first page was shown, or zero
	pressed bool      // the user has pressed a key since then
}

func (h *hint) start(now time.Time) {
	if h.began.IsZero() {
		h.began, h.pressed = now, false
	}
}

func (h *hint) due(now time.Time) bool {
	waited := now.Sub(h.began)
	return !h.pressed && waited >= hesitation && waited < hesitation+hintFor
}

// notices has the notice on the screen. Its number keeps the timer of an older one from removing it.
type notices struct {
	shown  page.Notice
	number int
	page   page.ID  // the page that was shown when it came
	due    bool     // the time of a waiting notice is over
	named  feed.Key // the operation that a notice named last
}

// show shows a notice for a while. One that waits for the user, such as an alert, gives way only to another one of these.
func (n *notices) show(ctx context.Context, notice page.Notice, id page.ID) tea.Cmd {
	if n.shown.Waits && !notice.Waits {
		return nil
	}
	n.shown, n.page, n.due = notice, id, false
	n.number++
	if notice.About.ID != "" {
		n.named = notice.About
	}
	return page.After(ctx, noticeFor, noticeOver(n.number))
}

// noticeOver tells that the time of the notice of a number is over.
type noticeOver int

func (n *notices) clear() { n.shown = page.Notice{} }

func (n *notices) over(number noticeOver) {
	if int(number) != n.number {
		return
	}
	n.due = n.shown.Waits
	if !n.due {
		n.clear()
	}
}

// turned removes a notice of another page than the one that is shown. An alert belongs to all pages.
func (n *notices) turned(id page.ID) {
	if !n.shown.Waits && n.page != id {
		n.clear()
	}
}

// dismiss removes a notice that does not wait, such as the reason why an action is unavailable.
func (n *notices) dismiss() {
	if !n.shown.Waits {
		n.clear()
	}
}

// seen records that the user has seen the notice: it waits no longer.
func (n *notices) seen() {
	n.shown.Waits = false
	if n.due {
		n.clear()
	}
}
