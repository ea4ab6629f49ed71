package dialog

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// PickerItem is something that can be chosen. One without an id stands for all the others, and
// is not counted as one of them.
type PickerItem struct {
	ID, Title, Note string
	// Choose is called when it is chosen.
	Choose func() tea.Cmd
}

// Picker lets the user choose one of many by typing a part of its name.
type Picker struct {
	finder

	items []PickerItem
}

// NewPicker lets the user choose, beginning at the item of the id.
func NewPicker(title string, items []PickerItem, id string) *Picker {
	m := &Picker{items: items}
	m.finder = finder{
		base: base{title: title, show: m.shown}, most: 10, input: input.New("type to find"), entries: m.entries,
	}
	m.list.choose(slices.IndexFunc(items, func(i PickerItem) bool { return i.ID == id }), len(items))
	return m
}

func (m *Picker) entries() []entry {
	all := make([]entry, len(m.items))
	for i, item := range m.items {
		all[i] = entry{
			id: item.ID, name: item.Title, about: item.Note, title: item.Title, note: item.Note,
			choose: func() tea.Cmd {
				m.done = true
				return item.Choose()
			},
		}
	}
	return ranked(m.input.Text(), all)
}

// Actions declares what can be done now.
func (m *Picker) Actions() []action.Group {
	choose := enter("choose", m.choose)
	if len(m.entries()) == 0 {
		choose.Disabled = "nothing matches"
	}
	return m.actions(choose)
}

func (m *Picker) shown(c *content) {
	entries := m.entries()
	all, found := len(m.items), len(entries)
	if slices.ContainsFunc(m.items, func(i PickerItem) bool { return i.ID == "" }) {
		all--
	}
	if slices.ContainsFunc(entries, func(e entry) bool { return e.id == "" }) {
		found--
	}
	count := fmt.Sprintf("%d of %d", found, all)
	c.said.Text = []string{"Type a part of the name, or choose with up and down arrow."}
	c.field("› ", "Find", &m.input)
	c.gap()
	m.listed(c, entries, nothing("Nothing matches."), count+" match.")
	c.draw("", c.Theme.Paint(style.Muted, count))
}
