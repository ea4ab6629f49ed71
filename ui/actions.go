package ui

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// global declares what can be done on every page.
func (m *Model) global() action.Group {
	turn := func(by page.ID) func() tea.Cmd {
		return func() tea.Cmd { return m.show((m.active + by) % page.Count) }
	}
	navigate := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return m.navigate(by) }
	}
	var actions []action.Action
	for id := range page.Count {
		actions = append(actions, action.Action{
			ID: showID(id), Title: id.Title(), Keys: []string{strconv.Itoa(int(id) + 1)},
			Run: func() tea.Cmd { return m.show(id) },
		})
	}
	actions = append(actions, []action.Action{
		{ID: "next-page", Title: "next page", Keys: []string{"tab"}, Run: turn(+1)},
		{ID: "previous-page", Title: "previous page", Keys: []string{"shift+tab"}, Run: turn(page.Count - 1)},
		{ID: "history-back", Title: "back to where you were", Keys: []string{"[", "alt+left"}, Run: navigate(-1)},
		{ID: "history-forward", Title: "forward again", Keys: []string{"]", "alt+right"}, Run: navigate(+1)},
		{
			ID: paletteID, Title: "commands", Keys: []string{":", "ctrl+k"}, Footer: action.Shown,
			Required: "it is the way to everything that has no key", Run: action.Do(m.openPalette),
		},
		{ID: "times", Title: "show times relative, local or in UTC", Keys: []string{"ctrl+t"}, Run: func() tea.Cmd {
			names := style.TimesNames()
			return m.showTimes(names[(slices.Index(names, cmp.Or(m.profile.Times, style.Relative))+1)%len(names)])
		}},
		{ID: "switch-profile", Title: "switch profile", Keys: []string{"P"}, Run: action.Do(m.chooseProfile)},
		{ID: "errors", Title: "errors", Keys: []string{"!"}, Run: action.Do(m.openFailures)},
		{ID: "help", Title: "help", Keys: []string{"?"}, Footer: action.Shown, Run: action.Do(func() {
			m.Open(dialog.NewHelp(m.active.Title()+": keys", m.actions()))
		})},
		{ID: "quit", Title: "quit", Keys: []string{"q"}, Footer: action.Shown, Run: func() tea.Cmd { return tea.Quit }},
	}...)
	actions = append(append(actions, m.always()...), m.sayAgain("say-again"))
	return action.Group{Title: "Everywhere", Actions: append(actions, m.commands()...)}
}

func showID(id page.ID) string { return "show-" + id.Name() }

// always declares what is done in every state, whoever gets the other keys.
func (m *Model) always() []action.Action {
	return []action.Action{
		{Title: "quit, from anywhere", Keys: []string{"ctrl+c"}, Run: m.interrupt},
		{
			Title: "suspend, from anywhere", Keys: []string{"ctrl+z"}, Hidden: m.options.Suspend == nil,
			Run: func() tea.Cmd { return m.options.Suspend },
		},
	}
}

// sayAgain declares what says everything once more. Its keys are fixed where it has no id.
func (m *Model) sayAgain(id string) action.Action {
	return action.Action{
		ID: id, Title: "say again where I am; control L does it everywhere", Keys: []string{".", "ctrl+l"},
		Hidden: !m.options.Accessible, Run: action.Do(m.announcer.Again),
	}
}

// actions returns what can be done now, with the keys in force.
func (m *Model) actions() []action.Group {
	var groups []action.Group
	switch {
	case len(m.dialogs) > 0:
		groups = m.dialogs.top().Actions()
	case m.signin != nil:
		quit := m.always()[0]
		quit.Title, quit.Footer = "quit", action.Shown
		groups = append(m.signin.Actions(), action.Group{Actions: []action.Action{quit}})
	case !m.live():
		everywhere := []action.Group{m.global()}
		profiles, _ := action.ByID(everywhere, "switch-profile")
		quit, _ := action.ByID(everywhere, "quit")
		profiles.Footer = action.Shown
		groups = []action.Group{{Actions: []action.Action{profiles, quit}}}
	default:
		groups = m.pages[m.active].Actions()
		if m.atPage() {
			groups = append(groups, m.global())
		}
	}
	return m.options.Keys.Apply(m.active.Name(), groups)
}

// key does what a key was pressed for. A key that no action has is for an input.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	everywhere := m.always()
	// Where a text is typed, a letter is part of it.
	if m.options.Accessible && !m.atPage() && (k.Text == "" || m.description().Field == nil) {
		everywhere = append(everywhere, m.sayAgain(""))
	}
	if a, ok := action.Find([]action.Group{{Actions: everywhere}}, k); ok {
		return m.do(a)
	}
	if m.tooSmall() {
		// A user who cannot see what a key would do must not do it.
		return nil
	}
	if m.signin != nil && len(m.dialogs) == 0 && m.signin.Unmeant(m.options.Clock()) {
		return nil
	}
	if a, ok := action.Find(m.actions(), k); ok {
		return m.do(a)
	}
	return m.input(k)
}

// do runs an action, or says why it cannot be done now.
func (m *Model) do(a action.Action) tea.Cmd {
	if a.Disabled != "" {
		m.Notify(style.Waiting, a.Title+": not now, "+a.Disabled)
		return nil
	}
	return a.Run()
}

// input gives what is typed or pasted to whoever edits a text.
func (m *Model) input(msg tea.Msg) tea.Cmd {
	switch {
	case m.tooSmall():
	case len(m.dialogs) > 0:
		return m.dialogs.top().Update(msg)
	case m.signin != nil:
		return m.signin.Update(msg)
	case m.live() && m.pages[m.active].Editing():
		return m.pages[m.active].Update(msg)
	}
	return nil
}

// interrupt quits, unless something would be lost.
func (m *Model) interrupt() tea.Cmd {
	if !m.dialogs.mayQuit() {
		return nil
	}
	// A secret on the prompt must not stay behind on the terminal.
	m.announcer.leaving = m.options.Accessible && m.description().Shown != ""
	return tea.Quit
}
