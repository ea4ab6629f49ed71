package ui

import (
	"strconv"

	"pgtower/ui/action"
	"pgtower/ui/apikeys"
	"pgtower/ui/dialog"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
)

// paletteName is the action of the palette, which does not offer itself.
const paletteName = "commands"

// global are the keys that do the same everywhere.
type global struct {
	pages                 [page.Count]action.Action
	next, previous        action.Action
	palette, profiles     action.Action
	back, forward, errors action.Action
	help, quit, interrupt action.Action
	suspend, times        action.Action
}

func globalKeys() global {
	g := global{
		next:     action.New("tab", "next page", "tab").Named("next-page"),
		previous: action.New("shift+tab", "previous page", "shift+tab").Named("previous-page"),
		palette: action.New(":", "commands", ":", "ctrl+k").Named(paletteName).InFooter().
			Always("it is the way to everything that has no key"),
		back:      action.New("[", "back to where you were", "[", "alt+left").Named("history-back"),
		forward:   action.New("]", "forward again", "]", "alt+right").Named("history-forward"),
		errors:    page.ErrorsKey(),
		times:     action.New("ctrl+t", "show times relative, local or in UTC", "ctrl+t").Named("times"),
		profiles:  action.New("P", "switch profile", "P").Named("switch-profile"),
		help:      action.New("?", "help", "?").Named("help").InFooter(),
		quit:      action.New("q", "quit", "q").Named("quit").InFooter(),
		interrupt: action.New("ctrl+c", "quit, from anywhere", "ctrl+c"),
		suspend:   action.New("ctrl+z", "suspend, from anywhere", "ctrl+z"),
	}
	for id := range page.Count {
		n := strconv.Itoa(int(id) + 1)
		g.pages[id] = action.New(n, id.Title(), n).Named("show-" + id.Name())
	}
	return g
}

func (g global) group(suspends bool) action.Group {
	actions := append(g.pages[:],
		g.next, g.previous, g.back, g.forward, g.palette, g.times, g.profiles, g.errors, g.help, g.quit, g.interrupt)
	if suspends {
		actions = append(actions, g.suspend)
	}
	return action.Group{Title: "Everywhere", Actions: actions}
}

// catalogued are the actions that are the same everywhere, those of the spoken program
// among them.
func catalogued() action.Group {
	g := globalKeys().group(true)
	g.Actions = append(g.Actions, againKey())
	return g
}

// Catalogue is every action of every page, in all of its states, for [action.NewMap].
func Catalogue() []action.Page {
	of := map[page.ID]func() []action.Group{
		page.Operations: operations.AllKeys, page.Projects: projects.AllKeys, page.APIKeys: apikeys.AllKeys,
	}
	var all []action.Page
	for id := range page.Count {
		all = append(all, action.Page{Name: id.Name(), Groups: append(of[id](), catalogued())})
	}
	return all
}

// scope are the keys of the page that is shown.
func (m *Model) scope() action.Scope { return m.options.Keys.On(m.active.Name()) }

// commanding says that keys are commands, and not for a dialog, the sign-in page or an
// input. Only commands can have other keys than those declared.
func (m *Model) commanding() bool {
	typing := m.signedIn() && m.pages[m.active].Editing()
	return len(m.dialogs) == 0 && m.signin == nil && !typing
}

// currentKeys are the groups of whoever gets the keys now, with the keys that the person
// presses.
func (m *Model) currentKeys() []action.Group {
	if m.commanding() {
		return m.scope().Apply(m.declaredKeys())
	}
	return m.declaredKeys()
}

// declaredKeys are the same groups with the keys that they are declared with.
func (m *Model) declaredKeys() []action.Group {
	switch {
	case len(m.dialogs) > 0:
		return m.dialogs[len(m.dialogs)-1].Keys()
	case m.signin != nil:
		g := m.global
		quit := g.interrupt.InFooter()
		quit.SetHelp("ctrl+c", "quit")
		return append(m.signin.Keys(), action.Group{Actions: []action.Action{quit}})
	case !m.signedIn():
		g := m.global
		return []action.Group{{Actions: []action.Action{g.profiles.InFooter(), g.quit}}}
	case m.pages[m.active].Editing():
		return m.pages[m.active].Keys()
	}
	everywhere := m.global.group(m.options.Suspend != nil)
	if m.voice.on {
		everywhere.Actions = append(everywhere.Actions, againKey())
	}
	return append(m.pages[m.active].Keys(), everywhere)
}

func (m *Model) openHelp() {
	if m.voice.on {
		m.dialogs = append(m.dialogs, spokenHelp(m.active.Title()+": keys", m.currentKeys()))
		return
	}
	m.dialogs = append(m.dialogs, dialog.NewHelp(m.active.Title()+": keys", m.currentKeys()))
}
