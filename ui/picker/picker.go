// Package picker lets a person choose one of many by typing a part of its name.
package picker

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Item is something that can be chosen.
type Item struct {
	ID, Title, Note string
	// Then is the message that is sent when it is chosen.
	Then tea.Msg
}

// Model is the state of the dialog.
type Model struct {
	title  string
	items  []Item
	input  input.Model
	cursor int
}

// New lets the person choose, beginning at the item of the id.
func New(title string, items []Item, id string) *Model {
	at := slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
	return &Model{title: title, items: items, input: input.New("type to find"), cursor: max(0, at)}
}

func upKey() keys.Action   { return keys.New("↑", "up", "up", "ctrl+p", "ctrl+k") }
func downKey() keys.Action { return keys.New("↓", "down", "down", "ctrl+n", "ctrl+j") }
func pageUp() keys.Action  { return keys.New("pgup", "page up", "pgup") }
func pageDown() keys.Action {
	return keys.New("pgdn", "page down", "pgdown")
}

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	none := ""
	if len(m.shown()) == 0 {
		none = "nothing matches"
	}
	return []keys.Group{{Title: m.title, Actions: []keys.Action{
		dialog.Press("choose").Unless(none), upKey().InFooter(), downKey().InFooter(), pageUp(), pageDown(), dialog.Leave("cancel"),
	}}}
}

func (m *Model) shown() []Item {
	out := query.Named(m.input.Text(), m.items,
		query.Text("name", func(i Item) string { return i.Title }),
		query.Text("id", func(i Item) string { return i.ID }),
		query.Text("note", func(i Item) string { return i.Note }))
	if m.input.Text() == "" {
		return out
	}
	typed := strings.ToLower(m.input.Text())
	slices.SortStableFunc(out, func(a, b Item) int { return nearness(a, typed) - nearness(b, typed) })
	return out
}

// nearness ranks an item: whoever types the whole name, or how it begins, means that one.
func nearness(i Item, typed string) int {
	switch title := strings.ToLower(i.Title); {
	case title == typed:
		return 0
	case strings.HasPrefix(title, typed):
		return 1
	case strings.Contains(title, typed):
		return 2
	}
	return 3
}

// rows is how many items the dialog shows at once.
const rows = 10

// Update types, moves, or leaves with the choice.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	shown := m.shown()
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case isKey && dialog.Leave("").Pressed(k):
		return true, nil
	case isKey && dialog.Press("").Pressed(k):
		if len(shown) == 0 {
			return false, nil
		}
		return true, shown[m.cursor].Then
	case isKey && upKey().Pressed(k):
		m.cursor--
	case isKey && downKey().Pressed(k):
		m.cursor++
	case isKey && pageUp().Pressed(k):
		m.cursor -= rows
	case isKey && pageDown().Pressed(k):
		m.cursor += rows
	default:
		if m.input.Update(msg) {
			m.cursor, shown = 0, m.shown()
		}
	}
	m.cursor = max(0, min(m.cursor, len(shown)-1))
	return false, nil
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	shown, width := m.shown(), dialog.Inner(f)
	lines := []string{f.Theme.Paint(theme.Accent, "› ") + m.input.View(f.Theme, width-2), ""}
	room := max(1, min(rows, f.Height-7))
	first := max(0, min(m.cursor-room/2, len(shown)-room))
	for i := first; i < min(first+room, len(shown)); i++ {
		// What there is no room for is missing from the note.
		note := text.Cut(shown[i].Note, max(0, width-4-text.Width(shown[i].Title)))
		line := text.Ends(shown[i].Title, note, width-2)
		if i == m.cursor {
			lines = append(lines, f.Theme.Paint(theme.Selected, "▌ "+line))
		} else {
			lines = append(lines, "  "+line)
		}
	}
	if len(shown) == 0 {
		lines = append(lines, f.Theme.Paint(theme.Muted, "  Nothing matches."))
	}
	count := fmt.Sprintf("%d of %d", len(shown), len(m.items))
	return dialog.Box(f, m.title, append(lines, "", f.Theme.Paint(theme.Muted, count)))
}
