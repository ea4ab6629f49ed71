package ui

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/desktop"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Update routes a message, and then carries out the effects that it had.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.profile.clock(m.options.Clock)()
	if !m.advance(msg, m.options.Still, m.runs) {
		return m, tea.Batch(m.tick(), m.announce(msg))
	}
	m.drawn = ""
	before, said, profile := m.focused(), m.notices.number, m.profile
	cmds := []tea.Cmd{m.route(msg), m.settle()}
	if m.live() {
		m.hint.begin(m.now)
		m.history.visit(entry{m.active, m.pages[m.active].Place()})
		m.current.Behind = m.history.at > 0
	}
	if m.focused() != before {
		m.notices.leave(said)
	}
	if m.profile != profile {
		m.applyTheme()
	}
	return m, tea.Batch(append(cmds, m.announce(msg))...)
}

// route brings a message to whoever it is for.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case clockTick:
		return m.tick()
	case tea.KeyPressMsg:
		m.hint.end()
		m.notices.seen()
		return tea.Batch(m.toPage(page.Operations, page.Looked{}), m.key(msg))
	case tea.MouseMsg:
		m.notices.seen()
		return tea.Batch(m.toPage(page.Operations, page.Looked{}), m.mouse(msg))
	case tea.PasteMsg:
		return m.input(msg)
	case tea.FocusMsg:
		return m.toPage(page.Operations, page.Looked{})
	case tea.ResumeMsg:
		// The program's timers went on without it, so that the clock alone would not tell.
		return m.broadcast(page.Resumed{})
	case tea.EnvMsg:
		m.notifier = desktop.NotifierOf(msg.Getenv)
		m.clipboard.Remote = msg.Getenv("SSH_CONNECTION") != ""
	case page.Delivery:
		return m.delivered(msg)
	case opened:
		cmd := m.opened(msg)
		m.warn()
		return cmd
	case desktop.Copied:
		m.Emit(msg(&m.clipboard))
	case page.Notice: // of a command of the root
		m.Emit(msg)
	case noticeOver:
		m.notices.expire(msg)
	default:
		m.learn(msg)
	}
	return nil
}

// settle closes the dialogs that are done and carries out the effects that were asked for,
// until there are no more. A dialog that closes may open another one in its place.
func (m *Model) settle() tea.Cmd {
	var cmds []tea.Cmd
	for {
		m.dialogs.closeDone()
		effects := m.Effects()
		if len(effects) == 0 {
			return tea.Batch(cmds...)
		}
		for _, e := range effects {
			cmds = append(cmds, m.perform(e))
		}
	}
}

// perform carries out an effect.
func (m *Model) perform(e page.Effect) tea.Cmd {
	switch e := e.(type) {
	case page.Open:
		m.dialogs = append(m.dialogs, e.Dialog)
	case page.Close:
		m.dialogs.remove(e.Dialog)
	case page.Notice:
		return m.showNotice(e, false)
	case page.Alert:
		kept := alerted{e, m.now}
		m.alerts.add(kept)
		rings := tea.Raw(bell + m.notifier.Sequence("pgtower · "+e.Title, e.Text))
		return tea.Batch(rings, m.showNotice(page.Notice{Tone: e.Tone, Text: kept.String(), Waits: true}, true))
	case page.Copy:
		return m.clipboard.Copy(m.ctx, e)
	case page.Failed:
		m.failed(e.Err, m.now)
	case page.SignOut:
		m.signOut(e.Reason + " Enter another one to continue where you were.")
	case page.KeyChanged:
		m.connection.Source = e.Source
	case page.RefreshProjects:
		return m.toPage(page.Projects, e)
	case page.ProjectList:
		m.projects = e.Projects
		return m.toPage(page.Operations, e)
	case page.ShowOperations:
		m.active = page.Operations
		return m.toPage(page.Operations, e)
	case page.Back:
		return m.navigate(-1)
	}
	return nil
}

// showNotice shows a notice for a while, and has it said.
func (m *Model) showNotice(n page.Notice, alert bool) tea.Cmd {
	if n.Text == "" {
		return nil
	}
	if m.options.Accessible {
		m.announcer.Tell(n.Text)
	}
	return m.notices.show(m.ctx, n, alert)
}

// warn tells the user what they should know of a sign-in: in a dialog where a line is too short.
func (m *Model) warn() {
	said := m.connection.Warning
	m.connection.Warning = ""
	if said != "" && !m.options.Accessible && style.Width(said) > m.width-noticeMargin {
		m.Open(dialog.NewMessage("Signed in", []dialog.Line{{Tone: style.Waiting, Text: said}}))
		return
	}
	m.Tell(style.Waiting, said)
}

// tick waits for the next second, and tells the pages if the computer has slept.
func (m *Model) tick() tea.Cmd {
	next := m.untilNextSecond(m.ctx)
	if !m.wake() {
		return next
	}
	return tea.Batch(next, m.broadcast(page.Resumed{}))
}
