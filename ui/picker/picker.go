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

// Item is something that can be chosen. One without an id stands for all the others, and
// is not counted as one of them.
type Item struct {
	ID, Title, Note string
	// Then is the message that is sent when it is chosen.
	Then tea.Msg
}

// Model is the state of the dialog.
type Model struct {
	title string
	items []Item
	input input.Model
	list  dialog.List
}

// New lets the person choose, beginning at the item of the id.
func New(title string, items []Item, id string) *Model {
	at := slices.IndexFunc(items, func(i Item) bool { return i.ID == id })
	m := &Model{title: title, items: items, input: input.New("type to find")}
	m.list.Select(at, len(items))
	return m
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

// rows is how many items the dialog shows at once, and above how many lines stand before
// them.
const rows, above = 10, 2

// room is how many items there is room for.
func room(f page.Frame) int { return max(1, min(rows, dialog.Room(f)-above-2)) }

// Update types, moves, or leaves with the choice.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	n := len(m.shown())
	switch msg := msg.(type) {
	case page.Pressed:
		lines := len(m.lines(msg.Frame))
		if m.list.Point(dialog.LineAt(msg, lines)-above, n, room(msg.Frame)) {
			return m.choose()
		}
	case page.Wheel:
		m.list.Move(msg.By, n)
	case tea.KeyPressMsg:
		return m.key(msg, n)
	default:
		m.find(msg)
	}
	return false, nil
}

func (m *Model) key(k tea.KeyPressMsg, n int) (done bool, answer tea.Msg) {
	switch {
	case dialog.Leave("").Pressed(k):
		return true, nil
	case dialog.Press("").Pressed(k):
		return m.choose()
	case upKey().Pressed(k):
		m.list.Move(-1, n)
	case downKey().Pressed(k):
		m.list.Move(+1, n)
	case pageUp().Pressed(k):
		m.list.Move(-rows, n)
	case pageDown().Pressed(k):
		m.list.Move(+rows, n)
	default:
		m.find(k)
	}
	return false, nil
}

// find takes what is typed. What is found then begins with what is nearest to it.
func (m *Model) find(msg tea.Msg) {
	if m.input.Update(msg) {
		m.list.Select(0, len(m.shown()))
	}
}

// counted is how many items there are to find.
func counted(items []Item) int {
	n := 0
	for _, i := range items {
		if i.ID != "" {
			n++
		}
	}
	return n
}

func (m *Model) choose() (done bool, answer tea.Msg) {
	shown := m.shown()
	if len(shown) == 0 {
		return false, nil
	}
	return true, shown[m.list.Cursor()].Then
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string { return dialog.Box(f, m.title, m.lines(f)) }

func (m *Model) lines(f page.Frame) []string {
	shown, width := m.shown(), dialog.Inner(f)
	lines := []string{f.Theme.Paint(theme.Accent, "› ") + m.input.View(f.Theme, width-2), ""}
	first, end := m.list.Window(len(shown), room(f))
	for i := first; i < end; i++ {
		// What there is no room for is missing from the note.
		note := text.Cut(shown[i].Note, max(0, width-4-text.Width(shown[i].Title)))
		if i == m.list.Cursor() {
			lines = append(lines, f.Theme.Paint(theme.Selected, "▌ "+text.Ends(shown[i].Title, note, width-2)))
		} else {
			lines = append(lines, "  "+text.Ends(shown[i].Title, f.Theme.Paint(theme.Muted, note), width-2))
		}
	}
	if len(shown) == 0 {
		lines = append(lines, f.Theme.Paint(theme.Muted, "  Nothing matches."))
	}
	count := fmt.Sprintf("%d of %d", counted(shown), counted(m.items))
	return append(lines, "", f.Theme.Paint(theme.Muted, count))
}
