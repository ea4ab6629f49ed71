package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// key does what the person pressed a key for, whose commands may have keys of their own.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if custom := m.scope(); len(custom) > 0 && m.commanding() {
		var ok bool
		if k, ok = custom.Own(m.declaredKeys(), k); !ok {
			return nil
		}
	}
	return m.press(k)
}

// press gives a key, as it is declared, to whoever it is for: the dialog on top, the
// sign-in page, an input of the page, the root, and then the page.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	global := m.global
	if m.spokenKey(k) {
		return nil
	}
	switch {
	case global.interrupt.Pressed(k):
		if !m.mayQuit() {
			m.voice.leaving = false
			return nil
		}
		return tea.Quit
	case m.options.Suspend != nil && global.suspend.Pressed(k):
		return m.options.Suspend
	case m.tooSmall():
		// Whoever cannot see what a key would do must not do it.
		return nil
	case len(m.dialogs) > 0:
		return m.toDialog(k)
	case m.signin != nil:
		return m.toSignin(k)
	case !m.signedIn():
		switch {
		case global.quit.Pressed(k):
			return tea.Quit
		case global.profiles.Pressed(k):
			m.chooseProfile()
		}
		return nil
	}
	current := m.pages[m.active]
	if current.Editing() {
		return current.Update(k)
	}
	if cmd, ok := m.globalKey(global, k); ok {
		return cmd
	}
	if a, ok := action.Find(current.Keys(), k); ok && a.Off != "" {
		return m.notify(page.Notice{Tone: style.Waiting, Text: a.Help().Desc + ": not now, " + a.Off, Here: true})
	}
	return current.Update(k)
}

// globalKey does what a key does everywhere, and says whether it is one of those.
func (m *Model) globalKey(global global, k tea.KeyPressMsg) (cmd tea.Cmd, ok bool) {
	for i, a := range global.pages {
		if a.Pressed(k) {
			return m.turnTo(page.ID(i)), true
		}
	}
	switch {
	case global.quit.Pressed(k):
		return tea.Quit, true
	case global.help.Pressed(k):
		m.openHelp()
	case global.errors.Pressed(k):
		return m.openErrors(), true
	case global.back.Pressed(k):
		return m.travel(-1), true
	case global.forward.Pressed(k):
		return m.travel(+1), true
	case global.palette.Pressed(k):
		m.openPalette()
	case global.times.Pressed(k):
		names := style.TimesNames()
		return m.showTimes(names[(slices.Index(names, cmp.Or(m.profile.Times, style.Relative))+1)%len(names)]), true
	case global.profiles.Pressed(k):
		m.chooseProfile()
	case global.next.Pressed(k):
		return m.turnTo((m.active + 1) % page.Count), true
	case global.previous.Pressed(k):
		return m.turnTo((m.active + page.Count - 1) % page.Count), true
	default:
		return nil, false
	}
	return nil, true
}

// mayQuit asks the dialogs whether something would be lost.
func (m *Model) mayQuit() bool {
	for _, d := range m.dialogs {
		if lasting, ok := d.(page.Lasting); ok && !lasting.MayQuit() {
			return false
		}
	}
	return true
}

func (m *Model) paste(p tea.PasteMsg) tea.Cmd {
	switch {
	case m.tooSmall():
	case len(m.dialogs) > 0:
		return m.toDialog(p)
	case m.signin != nil:
		return m.toSignin(p)
	case m.signedIn() && m.pages[m.active].Editing():
		return m.pages[m.active].Update(p)
	}
	return nil
}

func (m *Model) toDialog(msg tea.Msg) tea.Cmd {
	top := len(m.dialogs) - 1
	done, answer := m.dialogs[top].Update(msg)
	if done {
		m.dialogs = m.dialogs[:top]
	}
	if answer == nil {
		return nil
	}
	return m.route(answer)
}
