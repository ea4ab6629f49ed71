package ui

import (
	"strconv"

	"pgtower/ui/help"
	"pgtower/ui/keys"
	"pgtower/ui/page"
)

// global are the keys that do the same everywhere.
type global struct {
	pages                 [page.Count]keys.Action
	next, previous        keys.Action
	palette, profiles     keys.Action
	back, forward, errors keys.Action
	help, quit, interrupt keys.Action
	suspend               keys.Action
}

func globalKeys() global {
	g := global{
		next:      keys.New("tab", "next page", "tab"),
		previous:  keys.New("shift+tab", "previous page", "shift+tab"),
		palette:   keys.New(":", "commands", ":", "ctrl+k").InFooter(),
		back:      keys.New("[", "back to where you were", "[", "alt+left"),
		forward:   keys.New("]", "forward again", "]", "alt+right"),
		errors:    keys.New("!", "errors", "!"),
		profiles:  keys.New("P", "switch profile", "P"),
		help:      keys.New("?", "help", "?").InFooter(),
		quit:      keys.New("q", "quit", "q").InFooter(),
		interrupt: keys.New("ctrl+c", "quit, from anywhere", "ctrl+c"),
		suspend:   keys.New("ctrl+z", "suspend, from anywhere", "ctrl+z"),
	}
	for id := range page.Count {
		n := strconv.Itoa(int(id) + 1)
		g.pages[id] = keys.New(n, id.Title(), n)
	}
	return g
}

func (g global) group(suspends bool) keys.Group {
	actions := append(g.pages[:],
		g.next, g.previous, g.back, g.forward, g.palette, g.profiles, g.errors, g.help, g.quit, g.interrupt)
	if suspends {
		actions = append(actions, g.suspend)
	}
	return keys.Group{Title: "Everywhere", Actions: actions}
}

// currentKeys are the groups of whoever gets the keys now.
func (m *Model) currentKeys() []keys.Group {
	switch {
	case len(m.dialogs) > 0:
		return m.dialogs[len(m.dialogs)-1].Keys()
	case m.signin != nil:
		g := globalKeys()
		quit := g.interrupt.InFooter()
		quit.SetHelp("ctrl+c", "quit")
		return append(m.signin.Keys(), keys.Group{Actions: []keys.Action{quit}})
	case !m.signedIn():
		g := globalKeys()
		return []keys.Group{{Actions: []keys.Action{g.profiles.InFooter(), g.quit}}}
	case m.pages[m.active].Editing():
		return m.pages[m.active].Keys()
	}
	return append(m.pages[m.active].Keys(), globalKeys().group(m.options.Suspend != nil))
}

func (m *Model) openHelp() {
	m.dialogs = append(m.dialogs, help.New(m.active.Title()+": keys", m.currentKeys()))
}
