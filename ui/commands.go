package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// paletteID is the action that opens the palette, which does not offer itself.
	paletteID = "commands"
	// maxRecent is how many commands are remembered as recent.
	maxRecent = 8
)

// commands declares what the palette can do everywhere and no key does.
func (m *Model) commands() []action.Action {
	var names []string
	for _, p := range m.options.profiles() {
		names = append(names, p.Name)
	}
	show := func() { m.Open(m.alerts.list(m.times)) }
	watched := action.Action{ID: "alerts", Title: "how what you watched ended", Run: action.Do(show)}
	if len(m.alerts) == 0 {
		watched.Disabled = "nothing that is watched has ended yet"
	}
	actions := []action.Action{
		{ID: "theme", Title: "change the colours", Arg: action.Choice(style.ThemeNames(), m.chooseTheme)},
		{ID: "time", Title: "change how times are shown", Arg: action.Choice(style.TimesNames(), m.showTimes)},
		watched,
		{ID: "profile", Title: "switch to another profile", Arg: action.Choice(names, func(name string) tea.Cmd {
			return m.switchTo(m.options.profiles()[slices.Index(names, name)])
		})},
	}
	for _, c := range m.profile.DemoCommands {
		actions = append(actions, c.action())
	}
	return actions
}

// openPalette offers everything that can be done now.
func (m *Model) openPalette() {
	groups := action.Filter(m.actions(), func(a *action.Action) bool { return !a.Hidden && a.ID != paletteID })
	if m.active != page.Operations {
		groups = append(groups, action.Filter(m.pages[page.Operations].Actions(), func(a *action.Action) bool {
			_, known := action.ByID(groups, a.ID)
			return a.Arg != nil && !known
		})...)
	}
	m.Open(dialog.NewPalette(groups, m.recent, m.chosen))
}

// chosen remembers what was chosen in the palette, and does it.
func (m *Model) chosen(a action.Action, arg string, run func() tea.Cmd) tea.Cmd {
	recent := dialog.Recent{ID: a.ID, Arg: arg}
	m.recent = slices.Insert(slices.DeleteFunc(m.recent, func(r dialog.Recent) bool { return r == recent }), 0, recent)
	m.recent = m.recent[:min(len(m.recent), maxRecent)]
	return run()
}

func (m *Model) openFailures() {
	if len(m.failures) == 0 {
		m.Notify(style.Good, "No failed requests")
		return
	}
	names := make(map[string]string, len(m.projects))
	for i := range m.projects {
		names[m.projects[i].ID] = m.projects[i].Name
	}
	m.Open(dialog.NewFailures(m.failures, m.profile.BaseURL, names, m.times, func(c page.Copy) { m.Emit(c) }))
}

// chooseTheme changes the theme, and says where nothing will be seen of it.
func (m *Model) chooseTheme(name string) tea.Cmd {
	m.profile.Theme = name
	m.applyTheme()
	why := ": the terminal has none, or NO_COLOR is set"
	if m.options.Accessible {
		why = " while pgtower speaks"
	}
	if m.options.Accessible || m.colours <= colorprofile.ASCII {
		m.Notify(style.Waiting, "the theme is "+name+", but colours are off"+why)
	}
	return nil
}

// DemoCommand is something that the service of a profile can be told besides its API, as the demo's mock can.
type DemoCommand struct {
	// Name and Title say what it does, Arg stands for its argument, if any, and Values are examples.
	Name, Title, Arg string
	Values           []action.Value
	// Run does it, off the UI's goroutine, and returns what was done.
	Run func(arg string) (done string, err error)
}

func (c DemoCommand) action() action.Action {
	run := func(arg string) tea.Cmd {
		return func() tea.Msg {
			done, err := c.Run(arg)
			if err != nil {
				return page.Notice{Tone: style.Bad, Text: fmt.Sprintf("✗ %s: %v", c.Name, err)}
			}
			return page.Notice{Tone: style.Good, Text: "✓ " + done}
		}
	}
	if c.Arg == "" {
		return action.Action{ID: c.Name, Title: c.Title, Run: func() tea.Cmd { return run("") }}
	}
	return action.Action{ID: c.Name, Title: c.Title, Arg: &action.Arg{
		Example: c.Arg, Complete: func(string) []action.Value { return c.Values },
		Parse: func(arg string) (func() tea.Cmd, error) {
			if arg == "" {
				return nil, fmt.Errorf("write %s after %s", c.Arg, c.Name)
			}
			return func() tea.Cmd { return run(arg) }, nil
		},
	}}
}
