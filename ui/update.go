package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/signin"
	"pgtower/ui/style"
)

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.clock()()
	if !m.paintAt(msg) {
		return m, tea.Batch(m.tickClock(), m.wake(), m.hear(msg))
	}
	m.drawn = ""
	at, said := m.spot(), m.toast.number
	cmds := []tea.Cmd{m.route(msg)}
	for m.signedIn() {
		told := m.session.Told()
		if len(told) == 0 {
			break
		}
		for _, msg := range told {
			cmds = append(cmds, m.route(msg))
		}
	}
	if m.signedIn() {
		m.leaveTrail()
	}
	if m.spot() != at {
		m.toast.leave(said)
	}
	return m, tea.Batch(append(cmds, m.hear(msg))...)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case clockTick:
		return tea.Batch(m.tickClock(), m.wake())
	case tea.KeyPressMsg:
		m.pressedSomething()
		m.looked()
		return m.key(msg)
	case tea.MouseMsg:
		m.looked()
		return m.mouse(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case opened, signin.Submitted, signin.Elsewhere, signin.Again, switchTo, page.Failed, page.SignedOut, page.KeyChanged:
		return m.aboutSession(msg)
	case dialog.Chosen:
		return m.chosen(msg)
	case keyWanted:
		return m.wanted(msg)
	case turn:
		return m.turnKnob(msg)
	case chosenTheme:
		return m.turnToTheme(msg.name)
	case chosenTimes:
		return m.showTimes(msg.name)
	case alertsWanted:
		m.openAlerts()
	case toastOver:
		m.toast.clear(msg)
	case clipboardDue, clipboardTook, clipboardCleared:
		return m.aboutClipboard(msg)
	default:
		return tea.Batch(m.fromTerminal(msg), m.fromPage(msg))
	}
	return nil
}

// fromPage does what pages and dialogs ask of the root.
func (m *Model) fromPage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Delivery:
		return m.delivered(msg)
	case page.To:
		if m.signedIn() {
			return m.pages[msg.Page].Update(msg.Msg)
		}
		return m.notify(page.Notice{Tone: style.Waiting, Text: "not now: sign in first", Here: true})
	case page.ProjectList:
		if m.signedIn() {
			m.projects = msg.Projects
			return m.pages[page.Operations].Update(msg)
		}
	case page.ShowOperations:
		if m.signedIn() {
			m.active = page.Operations
			return m.pages[page.Operations].Update(msg)
		}
	case page.Back:
		if m.signedIn() {
			return m.travel(-1)
		}
	case page.WantProjects:
		if m.signedIn() {
			return m.pages[page.Projects].Update(msg)
		}
	case page.Open:
		m.dialogs = append(m.dialogs, msg.Dialog)
	case page.Close:
		m.dialogs = slices.DeleteFunc(m.dialogs, func(d page.Dialog) bool { return d == msg.Dialog })
	case page.Notice:
		return m.notify(msg)
	case page.Alert:
		return m.alert(msg)
	case page.Copy:
		return m.copyText(msg)
	}
	return nil
}
