package ui

import (
	"strconv"

	"pgtower/ui/apikeys"
	"pgtower/ui/help"
	"pgtower/ui/keys"
	"pgtower/ui/operations"
	"pgtower/ui/page"
	"pgtower/ui/projects"
)

// paletteName is the action of the palette, which does not offer itself.
const paletteName = "commands"

// global are the keys that do the same everywhere.
type global struct {
	pages                 [page.Count]keys.Action
	next, previous        keys.Action
	palette, profiles     keys.Action
	back, forward, errors keys.Action
	help, quit, interrupt keys.Action
	suspend, times        keys.Action
}

func globalKeys() global {
	g := global{
		next:     keys.New("tab", "next page", "tab").Named("next-page"),
		previous: keys.New("shift+tab", "previous page", "shift+tab").Named("previous-page"),
		palette: keys.New(":", "commands", ":", "ctrl+k").Named(paletteName).InFooter().
			Always("it is the way to everything that has no key"),
		back:      keys.New("[", "back to where you were", "[", "alt+left").Named("history-back"),
		forward:   keys.New("]", "forward again", "]", "alt+right").Named("history-forward"),
		errors:    page.ErrorsKey(),
		times:     keys.New("ctrl+t", "show times relative, local or in UTC", "ctrl+t").Named("times"),
		profiles:  keys.New("P", "switch profile", "P").Named("switch-profile"),
		help:      keys.New("?", "help", "?").Named("help").InFooter(),
		quit:      keys.New("q", "quit", "q").Named("quit").InFooter(),
		interrupt: keys.New("ctrl+c", "quit, from anywhere", "ctrl+c"),
		suspend:   keys.New("ctrl+z", "suspend, from anywhere", "ctrl+z"),
	}
	for id := range page.Count {
		n := strconv.Itoa(int(id) + 1)
		g.pages[id] = keys.New(n, id.Title(), n).Named("show-" + id.Name())
	}
	return g
}

func (g global) group(suspends bool) keys.Group {
	actions := append(g.pages[:],
		g.next, g.previous, g.back, g.forward, g.palette, g.times, g.profiles, g.errors, g.help, g.quit, g.interrupt)
	if suspends {
		actions = append(actions, g.suspend)
	}
	return keys.Group{Title: "Everywhere", Actions: actions}
}

// catalogued are the actions that are the same everywhere, those of the spoken program
// among them.
func catalogued() keys.Group {
	g := globalKeys().group(true)
	g.Actions = append(g.Actions, againKey())
	return g
}

// Catalogue is every action of every page, in all of its states, for [keys.NewMap].
func Catalogue() []keys.Page {
	of := map[page.ID]func() []keys.Group{
		page.Operations: operations.AllKeys, page.Projects: projects.AllKeys, page.APIKeys: apikeys.AllKeys,
	}
	var all []keys.Page
	for id := range page.Count {
		all = append(all, keys.Page{Name: id.Name(), Groups: append(of[id](), catalogued())})
	}
	return all
}

// scope are the keys of the page that is shown.
func (m *Model) scope() keys.Scope { return m.options.Keys.On(m.active.Name()) }

// commanding says that keys are commands, and not for a dialog, the sign-in page or an
// input. Only commands can have other keys than those declared.
func (m *Model) commanding() bool {
	typing := m.signedIn() && m.pages[m.active].Editing()
	return len(m.dialogs) == 0 && m.signin == nil && !typing
}

// currentKeys are the groups of whoever gets the keys now, with the keys that the person
// presses.
func (m *Model) currentKeys() []keys.Group {
	if m.commanding() {
		return m.scope().Apply(m.declaredKeys())
	}
	return m.declaredKeys()
}

// declaredKeys are the same groups with the keys that they are declared with.
func (m *Model) declaredKeys() []keys.Group {
	switch {
	case len(m.dialogs) > 0:
		return m.dialogs[len(m.dialogs)-1].Keys()
	case m.signin != nil:
		g := m.global
		quit := g.interrupt.InFooter()
		quit.SetHelp("ctrl+c", "quit")
		return append(m.signin.Keys(), keys.Group{Actions: []keys.Action{quit}})
	case !m.signedIn():
		g := m.global
		return []keys.Group{{Actions: []keys.Action{g.profiles.InFooter(), g.quit}}}
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
	m.dialogs = append(m.dialogs, help.New(m.active.Title()+": keys", m.currentKeys()))
}
