package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// declared are the root's actions, declared once.
type declared struct {
	always     action.Group             // in every state, also while a text is typed
	again      action.Group             // announces everything again, with fixed keys
	signingIn  action.Group             // besides those of the sign-in form
	opening    action.Group             // before a session is open
	everywhere action.Group             // on every page
	programs   [page.Count]action.Group // the user's commands
}

func (m *Model) setActions() {
	d := &m.declared
	d.always = action.Group{Actions: []*action.Action{
		{Title: "quit immediately", Rare: true, Keys: []string{"ctrl+c"}, Run: m.interrupt},
		{
			Title: "suspend immediately", Rare: true, Keys: []string{"ctrl+z"},
			Hidden: func() bool { return m.session.options.Suspend == nil },
			Run:    func() tea.Cmd { return m.session.options.Suspend },
		},
	}}
	d.again = action.Group{Actions: []*action.Action{m.sayAgain("")}}
	d.signingIn = action.Group{Actions: []*action.Action{
		{
			Title: "open the console", Keys: []string{"ctrl+o"}, Footer: action.Shown,
			Hidden: func() bool { return m.session.signin.KeysURL() == "" },
			Run:    m.openKeysPage,
		},
		{Title: "quit", Keys: []string{"ctrl+c"}, Footer: action.Shown, Run: m.interrupt},
	}}
	actions := m.ownActions()
	d.everywhere = action.Group{Title: "Everywhere", Actions: slices.Concat(
		m.turns(), actions, d.always.Actions, []*action.Action{m.sayAgain("say-again")}, m.commands(),
	)}
	for _, id := range []string{"switch-profile", "quit"} {
		a, _ := action.ByID([]action.Group{d.everywhere}, id)
		copied := *a
		copied.Footer = action.Shown
		d.opening.Actions = append(d.opening.Actions, &copied)
	}
	d.programs = m.session.options.actions(&m.session)
}

// openKeysPage opens the page of the service's console that makes API keys.
func (m *Model) openKeysPage() tea.Cmd {
	return m.session.openAddress(m.terminal.browser, m.session.signin.KeysURL())
}

// turns declares the actions that turn to a page.
func (m *Model) turns() (pages []*action.Action) {
	for id := range page.Count {
		pages = append(pages, &action.Action{
			ID: showID(id), Title: "go to " + id.Title(), Keys: []string{strconv.Itoa(int(id) + 1)}, Turns: true,
			Run: action.With(m.session.pages.show, id),
		})
	}
	return append(pages,
		&action.Action{
			ID: "next-page", Rare: true, Title: "go to the next page", Keys: []string{"tab"},
			Run: action.With(m.session.pages.turn, +1),
		},
		&action.Action{
			ID: "previous-page", Rare: true, Title: "go to the previous page",
			Keys: []string{"shift+tab"},
			Run:  action.With(m.session.pages.turn, -1),
		},
		&action.Action{
			ID: "history-back", Title: "go back", Keys: []string{"[", "alt+left"},
			Run: m.session.goBack,
		},
	)
}

func (m *Model) ownActions() []*action.Action {
	noConsole := func() bool { return m.session.profile.ConsoleURL == "" }
	unnamed := func() bool { return m.session.notices.named.ID == "" }
	return []*action.Action{
		{
			ID: paletteID, Title: "open commands", Short: "more", Keys: []string{":"},
			Footer:   action.LowPriority,
			Required: "it is the only way to reach actions without keys",
			Run:      action.Do(m.openPalette),
		},
		{
			ID: "console", Rare: true, Title: "open in console", Keys: []string{"b"},
			Disabled: action.If(noConsole, "no console_url"),
			Run:      func() tea.Cmd { return m.session.openConsole(m.terminal.browser) },
		},
		{
			ID: "switch-profile", Rare: true, Title: "switch profile", Keys: []string{"P"},
			Run: action.Do(m.session.chooseProfile),
		},
		{
			ID: "follow-notice", Rare: true, Title: "open the operation of the last notice",
			Keys:     []string{"'"},
			Disabled: action.If(unnamed, "no notice names an operation yet"),
			Run:      action.Do(func() { m.session.follow(m.session.notices.named) }),
		},
		{ID: "errors", Title: "show errors", Keys: []string{"!"}, Run: action.Do(m.session.openFailures)},
		{
			ID: "help", Title: "show help", Short: "help", Keys: []string{"?"},
			Footer: action.Leading, Stays: true,
			Run: action.Do(m.openHelp),
		},
		{
			ID: "quit", Title: "quit", Keys: []string{"q"}, Footer: action.Shown, Stays: true,
			Run: func() tea.Cmd { return tea.Quit },
		},
	}
}

func (m *Model) openHelp() {
	groups := slices.Clone(m.actions())
	if m.session.pages.active == page.Operations && !m.session.options.Accessible {
		groups = append(groups, signs())
	}
	m.session.Open(dialog.NewHelp(m.session.pages.active.Title()+": keys", groups))
}

// signs lists the signs of the feed, for the help.
func signs() action.Group {
	g := action.Group{Title: "Signs"}
	for _, sign := range [][2]string{
		{"▌", "selected"},
		{"∙", "new or changed since the last poll"},
		{"┊", "operations may be missing around it; in the timeline, ╱"},
		{"◐", "running"},
		{"⊘", "cancelled, skipped, or gone from the service"},
		{"◉", "watched"},
		{"×2", "failed twice and was retried"},
		{"!7.0s", "slower than 95% of its kind"},
		{"≥8s", "ran for at least this long"},
	} {
		g.Actions = append(g.Actions, &action.Action{
			Title: sign[1], Keys: sign[:1], Label: sign[0], Rare: true,
		})
	}
	return g
}

func showID(id page.ID) string { return "show-" + id.Name() }

// sayAgain declares the action that announces everything again. Without an id, its keys are fixed.
func (m *Model) sayAgain(id string) *action.Action {
	return &action.Action{
		ID: id, Title: "announce everything again (control L works everywhere)",
		Keys: []string{".", "ctrl+l"}, Run: action.Do(m.announcer.Again),
		Hidden: func() bool { return !m.session.options.Accessible },
	}
}

// actions returns the actions of the current state, with the keys in force.
func (m *Model) actions() []action.Group {
	var groups []action.Group
	switch {
	case len(m.session.dialogs) > 0:
		groups = m.session.front().Actions()
	case m.session.signin != nil:
		groups = slices.Concat(m.session.signin.Actions(), []action.Group{m.declared.signingIn})
	case !m.session.live():
		groups = []action.Group{m.declared.opening}
	case !m.session.atPage():
		groups = m.session.pages.front().Actions()
	default:
		groups = m.pageActions()
	}
	return m.session.inForce(groups)
}

// inForce returns actions with the keys of the user.
func (s *session) inForce(groups []action.Group) []action.Group {
	return s.options.Keys.Apply(s.pages.active.Name(), groups)
}

// pageActions returns what can be done on the page, without the keys of the user.
func (m *Model) pageActions() []action.Group {
	groups := []action.Group{m.declared.programs[m.session.pages.active], m.declared.everywhere}
	return slices.Concat(m.session.pages.front().Actions(), groups)
}

// key runs the action of a key. A key without one goes to the input.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	fixed := []action.Group{m.declared.always}
	if m.session.options.Accessible && !m.session.atPage() && !m.types(k) {
		fixed = append(fixed, m.declared.again)
	}
	if a, ok := action.Find(fixed, k); ok {
		return m.do(a)
	}
	if m.tooSmall() {
		// A user cannot judge what they cannot see.
		if a, ok := m.escape(); ok && k.String() == "esc" {
			return m.do(a)
		}
		if a, ok := action.Find(m.actions(), k); ok && a.ID == "quit" { // it changes nothing
			return m.do(a)
		}
		return nil
	}
	if m.session.unmeant() {
		return nil
	}
	offered := m.offered
	if offered == nil {
		offered = m.actions()
	}
	if a, ok := action.Find(offered, k); ok {
		return m.do(a)
	}
	if m.session.atPage() {
		m.unknown(k)
		return nil
	}
	return m.input(k)
}

// unknown says once that a key has no action.
func (m *Model) unknown(k tea.KeyPressMsg) {
	if k.Code >= tea.KeyCapsLock && k.Code <= tea.KeyIsoLevel5Shift {
		return // a modifier alone, which some terminals report
	}
	m.session.Notify(style.Muted, "no key "+k.String()+" here · "+m.label("help")+": help")
}

// types reports whether a key is a letter of a text.
func (m *Model) types(k tea.KeyPressMsg) bool { return k.Text != "" && m.description().Field != nil }

// escape returns the action that leaves a dialog that the screen is too small for, if nothing is lost by it.
func (m *Model) escape() (a *action.Action, ok bool) {
	if len(m.session.dialogs) == 0 || m.session.front().ExitWarning() != "" {
		return nil, false
	}
	return action.Find(m.actions(), tea.KeyPressMsg{Code: tea.KeyEscape})
}

func (m *Model) do(a *action.Action) tea.Cmd {
	if reason := a.Reason(); reason != "" {
		m.session.Notify(style.Waiting, a.Look().Title+": unavailable, "+reason)
		return nil
	}
	return a.Run()
}

// input passes typed or pasted text to the dialog or page that edits one.
func (m *Model) input(msg tea.Msg) tea.Cmd {
	front := m.session.front()
	switch {
	case m.tooSmall():
	case front != nil:
		return front.Update(msg)
	case m.session.live() && m.session.pages.front().Editing():
		return m.session.pages.front().Update(msg)
	}
	return nil
}

// interrupt quits, after a warning if something would be lost.
func (m *Model) interrupt() tea.Cmd {
	for _, d := range m.session.dialogs {
		if d.ExitWarning() != "" && !d.Warn() {
			return nil
		}
	}
	// A secret on the prompt must not remain on the terminal.
	m.leaving = m.session.options.Accessible && m.description().Secret != ""
	return tea.Quit
}

const (
	paletteID = "commands" // the action that opens the palette, which does not offer itself
	maxRecent = 8          // the number of recent commands
)

// commands declares the global actions of the palette that have no key.
func (m *Model) commands() []*action.Action {
	return append([]*action.Action{
		{
			ID: "theme", Title: "change the theme", Keywords: []string{"colours", "colors", "contrast"},
			Arg: action.Choice(style.ThemeNames, m.chooseTheme),
		},
		{
			ID: "time", Title: "change the time format", Keywords: []string{"zone", "timezone", "clock"},
			Arg: action.Choice(style.TimesNames, m.session.showTimes),
		},
		{
			ID: "budget", Title: "change the request budget", Keywords: []string{"rate", "limit"}, Arg: m.session.budgetArg(),
			Vary: m.session.lookOfBudget,
		},
		{
			ID: "profile", Title: "switch the profile", Keywords: []string{"account", "sign in"},
			Arg: action.Choice(m.session.options.profileNames, m.session.switchToName),
		},
	}, m.session.seen.alerts.actions(&m.session, &m.clock)...)
}

func (s *session) lookOfBudget(l action.Look) action.Look {
	l.Title += fmt.Sprintf(", now %d a second", s.profile.Budget)
	return l
}

func (m *Model) openPalette() {
	m.session.Open(dialog.NewPalette(m.offeredCommands, m.recent, m.chosen))
}

// offeredCommands returns the actions of the page and, on other pages, those of Operations that take an argument.
func (m *Model) offeredCommands() []action.Group {
	groups := action.Filter(m.session.inForce(m.pageActions()), isOffered)
	for _, g := range groups {
		for i, a := range g.Actions {
			if a.Turns {
				turn := *a
				turn.Keywords = m.session.pages.does(a.ID, groups)
				g.Actions[i] = &turn
			}
		}
	}
	groups = append(groups, m.shellGroup())
	if m.session.pages.active == page.Operations {
		return groups
	}
	operations := m.session.pages.all[page.Operations].Actions()
	return append(groups, action.Filter(operations, func(a *action.Action) bool {
		return a.Arg != nil && !hasID(groups, a.ID)
	})...)
}

func isOffered(a *action.Action) bool { return a.ID != paletteID && !a.IsHidden() }

func hasID(groups []action.Group, id string) bool {
	_, ok := action.ByID(groups, id)
	return ok
}

// ShellCommands returns the commands of pgtower for a shell that have no place on the screen, with their purpose.
func ShellCommands() map[string]string {
	return map[string]string{
		"pgtower report":          "the report of an incident",
		"pgtower doctor":          "check key and connection",
		"pgtower wait":            "wait for an operation",
		"pgtower apikeys audit":   "what is wrong with keys",
		"pgtower apikeys journal": "what was changed",
		"pgtower config":          "the settings in force",
		"pgtower logout":          "remove the stored key",
		"pgtower metrics":         "metrics for Prometheus",
		"pgtower mock":            "a server for tests",
	}
}

// shellGroup offers the commands for a shell, to be copied.
func (m *Model) shellGroup() action.Group {
	g := action.Group{Title: "In a shell"}
	commands := ShellCommands()
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		text := page.Copy{Label: command, Text: models.NewSecret(command)}
		g.Actions = append(g.Actions, &action.Action{
			ID: command, Title: commands[command] + " · copy for a shell",
			Run: action.DoWith[page.Effect](m.session.Emit, text),
		})
	}
	return g
}

func (m *Model) chosen(a *action.Action, arg string, run func() tea.Cmd) tea.Cmd {
	recent := dialog.Recent{ID: a.ID, Arg: arg}
	others := slices.DeleteFunc(m.recent, func(r dialog.Recent) bool { return r == recent })
	m.recent = append([]dialog.Recent{recent}, others...)
	m.recent = m.recent[:min(len(m.recent), maxRecent)]
	return run()
}

// chooseTheme changes the theme, and says if the change cannot be seen.
func (m *Model) chooseTheme(name string) tea.Cmd {
	m.session.profile.Theme = name
	m.applyTheme()
	why := ": the terminal has no colours, or NO_COLOR is set"
	if m.session.options.Accessible {
		why = " in accessible mode"
	}
	if m.session.options.Accessible || m.terminal.colours <= colorprofile.ASCII {
		m.session.Notify(style.Waiting, "the theme is "+name+", but colours are off"+why)
	}
	return nil
}
