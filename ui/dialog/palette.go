package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/page"
)

// Palette finds every action of the program by a part of its name, and takes
// the commands that want more than a key can say.
type Palette struct {
	commands []paletteOffer
	input    input.Model
	list     List
	err      error // of the argument that was tried last
}

// NewPalette offers the commands, those of recent first.
func NewPalette(commands []page.Command, recent []Recent) *Palette {
	return &Palette{commands: paletteRecentFirst(commands, recent), input: input.New("an action, or a command with what it needs")}
}

// command is the one that is being given an argument, if one is.
func (m *Palette) command() (c page.Command, arg string, ok bool) {
	name, arg, spaced := strings.Cut(m.input.Text()+m.trailing(), " ")
	if !spaced {
		return page.Command{}, "", false
	}
	i := slices.IndexFunc(m.commands, func(o paletteOffer) bool { return o.Name == name && o.Run != nil })
	if i < 0 {
		return page.Command{}, "", false
	}
	return m.commands[i].Command, strings.TrimSpace(arg), true
}

// trailing is the space that a command was just typed with: texts are trimmed.
func (m *Palette) trailing() string {
	if m.input.Spaced() {
		return " "
	}
	return ""
}

func paletteUpKey() action.Action       { return action.New("↑", "up", "up", "ctrl+p") }
func paletteDownKey() action.Action     { return action.New("↓", "down", "down", "ctrl+n") }
func paletteCompleteKey() action.Action { return action.New("tab", "complete", "tab").InFooter() }

// Keys declares what can be done now.
func (m *Palette) Keys() []action.Group {
	return []action.Group{{Title: "Commands", Actions: []action.Action{
		Press("do it"), paletteCompleteKey(), paletteUpKey().InFooter(), paletteDownKey().InFooter(), Leave("cancel"),
	}}}
}

// Update types, moves, or leaves with the choice.
func (m *Palette) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	switch msg := msg.(type) {
	case page.Pressed:
		return m.pressed(msg)
	case page.Wheel:
		m.list.Move(msg.By, len(m.items()))
	case tea.KeyPressMsg:
		return m.key(msg)
	default:
		m.find(msg)
	}
	return false, nil
}

// pressed selects the line that the mouse points at, and takes it the second time.
func (m *Palette) pressed(p page.Pressed) (done bool, answer tea.Msg) {
	items := m.items()
	line := LineAt(p, len(m.lines(p.Frame))) - paletteAbove
	if !m.list.Point(line, len(items), m.room(p.Frame)) {
		return false, nil
	}
	if c, _, ok := m.command(); ok {
		return m.run(c, m.value(c, items))
	}
	return m.choose()
}

func (m *Palette) key(k tea.KeyPressMsg) (done bool, answer tea.Msg) {
	items := m.items()
	switch {
	case Leave("").Pressed(k):
		return true, nil
	case Press("").Pressed(k):
		return m.press(items)
	case paletteCompleteKey().Pressed(k):
		if at := m.list.Cursor(); at < len(items) {
			m.turnTo(items[at].text)
		}
	case paletteUpKey().Pressed(k):
		m.list.Move(-1, len(items))
	case paletteDownKey().Pressed(k):
		m.list.Move(+1, len(items))
	default:
		m.find(k)
	}
	return false, nil
}

// find takes what is typed.
func (m *Palette) find(msg tea.Msg) {
	if m.input.Update(msg) {
		m.err = nil
		m.list.Select(0, len(m.items()))
	}
}

// turnTo replaces what was typed.
func (m *Palette) turnTo(line string) {
	m.input.Set(line)
	m.list.Select(0, len(m.items()))
}

// value is the argument on the selected line.
func (m *Palette) value(c page.Command, items []paletteItem) string {
	return strings.TrimPrefix(items[m.list.Cursor()].text, c.Name+" ")
}

func (m *Palette) press(items []paletteItem) (done bool, answer tea.Msg) {
	c, arg, ok := m.command()
	if !ok {
		return m.choose()
	}
	if at := m.list.Cursor(); at < len(items) {
		value := m.value(c, items)
		_, err := c.Run(arg)
		// What is selected below counts where it was moved to, nothing was typed, or what
		// was typed is no argument yet but the beginning of it.
		if at > 0 || arg == "" || err != nil && strings.HasPrefix(strings.ToLower(value), strings.ToLower(arg)) {
			arg = value
		}
	}
	return m.run(c, arg)
}

// choose does what is selected, or asks for what it needs.
func (m *Palette) choose() (done bool, answer tea.Msg) {
	shown, at := m.matching(), m.list.Cursor()
	if at >= len(shown) || shown[at].Off != "" {
		return false, nil
	}
	o := shown[at]
	if o.Run == nil {
		return true, Chosen{o.recent, o.Then}
	}
	m.turnTo(o.Name + " ")
	// The only value that there is shows on the line that was chosen.
	if items := m.items(); len(items) == 1 && items[0].title == o.Arg {
		return m.run(o.Command, o.Arg)
	}
	return false, nil
}

func (m *Palette) run(c page.Command, arg string) (done bool, answer tea.Msg) {
	then, err := c.Run(arg)
	if m.err = err; err != nil {
		return false, nil
	}
	return true, Chosen{Recent{c.Name, c.Title, arg}, then}
}
