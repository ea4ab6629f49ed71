package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxRecent is how many commands are remembered as recent.
const maxRecent = 8

// keyWanted is the wish that a key be pressed that an action is declared with.
type keyWanted struct{ key tea.KeyPressMsg }

// wanted presses the key, if there still is somebody to press it for.
func (m *Model) wanted(w keyWanted) tea.Cmd {
	if !m.signedIn() {
		// The session ended under the palette: the key would be typed into the sign-in.
		return m.notify(page.Notice{Tone: style.Waiting, Text: "not now: sign in first"})
	}
	return m.press(w.key)
}

// chosenTheme is the choice of a theme.
type chosenTheme struct{ name string }

// turnToTheme takes the theme, and says where nothing will be seen of it.
func (m *Model) turnToTheme(name string) tea.Cmd {
	m.profile.Theme = name
	m.chooseTheme()
	switch {
	case m.voice.on:
		return m.notify(page.Notice{Tone: style.Waiting, Text: "the theme is " + name + ", but colours are off while pgtower speaks", Here: true})
	case m.colours <= colorprofile.ASCII:
		return m.notify(page.Notice{Tone: style.Waiting, Text: "the theme is " + name + ", but colours are off: the terminal has none, or NO_COLOR is set", Here: true})
	}
	return nil
}

// chosenTimes is the choice of how times are shown.
type chosenTimes struct{ name string }

// times is how times are shown.
func (m *Model) times() style.Times {
	return style.TimesOf(m.profile.Times, m.options.Zone, m.voice.on)
}

// showTimes shows times in another way, everywhere and at once, and says which that is.
func (m *Model) showTimes(name string) tea.Cmd {
	m.profile.Times = name
	if m.signedIn() {
		m.session.Times = m.times()
	}
	said := "Times: relative, and UTC in details"
	switch name {
	case style.Local:
		said = "Times: local, now " + m.times().At(m.now)
	case style.UTC:
		said = "Times: UTC, now " + m.times().At(m.now)
	}
	return m.notify(page.Notice{Tone: style.Muted, Text: said, Here: true})
}

// openPalette offers everything that can be done now.
func (m *Model) openPalette() {
	m.dialogs = append(m.dialogs, dialog.NewPalette(m.commands(), m.recent))
}

// chosen does what was chosen in the palette.
func (m *Model) chosen(c dialog.Chosen) tea.Cmd {
	m.recent = slices.DeleteFunc(m.recent, func(r dialog.Recent) bool { return r == c.Recent })
	m.recent = slices.Insert(m.recent, 0, c.Recent)
	m.recent = m.recent[:min(len(m.recent), maxRecent)]
	return m.route(c.Then)
}

// commands are the actions that have keys, then those that want an argument.
func (m *Model) commands() []page.Command {
	var out []page.Command
	declared := m.declaredKeys()
	for _, g := range m.currentKeys() {
		if g.Movement {
			continue
		}
		for _, a := range g.Actions {
			h := a.Help()
			key, ok := action.Reach(declared, a)
			if !ok || a.Name == paletteName {
				continue
			}
			out = append(out, page.Command{
				Name: h.Desc, Title: strings.ToLower(g.Title) + ": " + h.Desc, Key: h.Key, Off: a.Off, Then: keyWanted{key},
			})
		}
	}
	out = append(out, m.pages[m.active].Commands()...)
	if m.active != page.Operations {
		out = append(out, m.pages[page.Operations].Commands()...)
	}
	return append(out, m.ownCommands()...)
}

// ownCommands are those of the root.
func (m *Model) ownCommands() []page.Command {
	out := []page.Command{
		page.Choice("theme", "change the colours", style.ThemeNames(), func(name string) tea.Msg { return chosenTheme{name} }),
		page.Choice("time", "change how times are shown", style.TimesNames(), func(name string) tea.Msg { return chosenTimes{name} }),
	}
	watched := page.Command{Name: "alerts", Title: "how what you watched ended", Then: alertsWanted{}}
	if len(m.alerts) == 0 {
		watched.Off = "nothing that is watched has ended yet"
	}
	out = append(out, watched)
	var names []string
	for _, p := range m.allProfiles() {
		names = append(names, p.Name)
	}
	out = append(out, page.Choice("profile", "switch to another profile", names, func(name string) tea.Msg {
		all := m.allProfiles()
		return switchTo{all[slices.IndexFunc(all, func(p *Profile) bool { return p.Name == name })]}
	}))
	for _, k := range m.profile.Knobs {
		out = append(out, k.command())
	}
	return out
}

// Knob is something that the service of a profile can be told besides its API, as the
// demo's mock can.
type Knob struct {
	// Name and Title are what it is called and what it does, Arg stands for what it
	// takes, and Values are examples. One without Arg takes nothing.
	Name, Title, Arg string
	Values           []page.Value
	// Turn does it, and says what was done.
	Turn func(arg string) (said string, err error)
}

func (k Knob) command() page.Command {
	c := page.Command{Name: k.Name, Title: k.Title}
	if k.Arg == "" {
		c.Then = turn{k, ""}
		return c
	}
	c.Arg = k.Arg
	c.Values = func(string) []page.Value { return k.Values }
	c.Run = func(arg string) (tea.Msg, error) {
		if arg == "" {
			return nil, fmt.Errorf("write %s after %s", k.Arg, k.Name)
		}
		return turn{k, arg}, nil
	}
	return c
}

// turn is the wish to turn a knob.
type turn struct {
	knob Knob
	arg  string
}

func (m *Model) turnKnob(t turn) tea.Cmd {
	return func() tea.Msg {
		said, err := t.knob.Turn(t.arg)
		if err != nil {
			return page.Notice{Tone: style.Bad, Text: fmt.Sprintf("✗ %s: %v", t.knob.Name, err)}
		}
		return page.Notice{Tone: style.Good, Text: "✓ " + said}
	}
}
