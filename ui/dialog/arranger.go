package dialog

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Choice is one of several things that are on or off.
type Choice struct {
	Name, Note string
	On         bool
}

// Arranger lets the user put things in order, and turn each of them on or off.
type Arranger struct {
	base
	menu

	items, begin, usual []Choice
	keep                func(names []string) tea.Cmd
}

// NewArranger returns a dialog that begins with items. usual are the defaults, which the user can return to. After a
// change, keep is called with the names of the items that are on, or with none if they are the defaults.
func NewArranger(title string, items, usual []Choice, keep func(names []string) tea.Cmd) *Arranger {
	m := &Arranger{items: slices.Clone(items), begin: items, usual: usual, keep: keep}
	m.base = base{title: title, minHeight: listHeight, show: m.shown}
	m.actions = m.newActions()
	return m
}

func (m *Arranger) newActions() []action.Group {
	done := key("keep", m.finish, "enter")
	done.Disabled = action.If(m.allOff, "at least one must be on")
	return only(
		done,
		key("on or off", m.toggle, "space", "x"),
		m.carrying("up", "↑", -1),
		m.carrying("down", "↓", +1),
		key("default", action.Do(m.reset), "r"),
		quiet("up", action.DoWith(m.move, -1), "up", "k"),
		quiet("down", action.DoWith(m.move, +1), "down", "j"),
		m.leave("cancel"),
	)
}

// carrying declares the action that carries the selected item up or down.
func (m *Arranger) carrying(where, arrow string, step int) *action.Action {
	carry := key("move "+where, action.DoWith(m.carry, step), "shift+"+where)
	carry.Short, carry.Label = where, "shift+"+arrow
	return carry
}

// Update handles the mouse: the wheel moves the selection.
func (m *Arranger) Update(msg tea.Msg) tea.Cmd {
	if w, ok := msg.(page.Wheel); ok {
		m.move(w.By)
	}
	return m.base.Update(msg)
}

func (m *Arranger) move(step int) { m.menu.move(step, len(m.items)) }

// reset returns to the defaults.
func (m *Arranger) reset() { m.items = slices.Clone(m.usual) }

func (m *Arranger) allOff() bool { return len(m.namesOn()) == 0 }

// namesOn returns the names of the items that are on.
func (m *Arranger) namesOn() (names []string) {
	for _, c := range m.items {
		if c.On {
			names = append(names, c.Name)
		}
	}
	return names
}

// carry moves the selected item among the others.
func (m *Arranger) carry(step int) {
	from := m.cursor
	m.move(step)
	m.items[from], m.items[m.cursor] = m.items[m.cursor], m.items[from]
}

func (m *Arranger) toggle() tea.Cmd {
	m.items[m.cursor].On = !m.items[m.cursor].On
	return nil
}

func (m *Arranger) finish() tea.Cmd {
	m.done = true
	switch {
	case slices.Equal(m.items, m.usual):
		return m.keep([]string{})
	case !slices.Equal(m.items, m.begin):
		return m.keep(m.namesOn())
	}
	return nil
}

func (m *Arranger) shown(c *content) {
	c.said.Text = []string{"Choose with up and down arrow. Space turns it on or off, shift and an arrow move it."}
	item := m.items[m.cursor]
	text := item.Name + ", off"
	if item.On {
		text = item.Name + ", on"
	}
	if item.Note != "" {
		text += ", " + item.Note
	}
	text = fmt.Sprintf("%s, %d of %d", text, m.cursor+1, len(m.items))
	c.say(announce.Part{Name: "selected", Text: text, Current: true})
	c.fill(func(room int) []row { return m.menu.rows(c.Frame, len(m.items), room, m.draw, m.toggle) })
}

func (m *Arranger) draw(f page.Frame, i int) string {
	const names = 14 // cells of the column with the names
	item, box := m.items[i], "[ ] "
	if item.On {
		box = "[✓] "
	}
	return drawItem(f, i == m.cursor, !item.On, box+style.Fit(item.Name, names), "  "+item.Note)
}
