package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// PickerItem is something that can be chosen. One without an id stands for all the others, and
// is not counted as one of them.
type PickerItem struct {
	ID, Title, Note string
	// Then is the message that is sent when it is chosen.
	Then tea.Msg
}

// Picker lets a person choose one of many by typing a part of its name.
type Picker struct {
	title string
	items []PickerItem
	input input.Model
	list  List
}

// NewPicker lets the person choose, beginning at the item of the id.
func NewPicker(title string, items []PickerItem, id string) *Picker {
	at := slices.IndexFunc(items, func(i PickerItem) bool { return i.ID == id })
	m := &Picker{title: title, items: items, input: input.New("type to find")}
	m.list.Select(at, len(items))
	return m
}

func pickerUpKey() action.Action   { return action.New("↑", "up", "up", "ctrl+p", "ctrl+k") }
func pickerDownKey() action.Action { return action.New("↓", "down", "down", "ctrl+n", "ctrl+j") }
func pickerPageUp() action.Action  { return action.New("pgup", "page up", "pgup") }
func pickerPageDown() action.Action {
	return action.New("pgdn", "page down", "pgdown")
}

// Keys declares what can be done now.
func (m *Picker) Keys() []action.Group {
	none := ""
	if len(m.shown()) == 0 {
		none = "nothing matches"
	}
	return []action.Group{{Title: m.title, Actions: []action.Action{
		Press("choose").Unless(none), pickerUpKey().InFooter(), pickerDownKey().InFooter(), pickerPageUp(), pickerPageDown(), Leave("cancel"),
	}}}
}

func (m *Picker) shown() []PickerItem {
	out := query.Named(m.input.Text(), m.items,
		query.Text("name", func(i PickerItem) string { return i.Title }),
		query.Text("id", func(i PickerItem) string { return i.ID }),
		query.Text("note", func(i PickerItem) string { return i.Note }))
	if m.input.Text() == "" {
		return out
	}
	typed := strings.ToLower(m.input.Text())
	slices.SortStableFunc(out, func(a, b PickerItem) int { return pickerNearness(a, typed) - pickerNearness(b, typed) })
	return out
}

// nearness ranks an item: whoever types the whole name, or how it begins, means that one.
func pickerNearness(i PickerItem, typed string) int {
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
const pickerRows, pickerAbove = 10, 2

// room is how many items there is room for.
func pickerRoom(f page.Frame) int { return max(1, min(pickerRows, Room(f)-pickerAbove-2)) }

// Update types, moves, or leaves with the choice.
func (m *Picker) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	n := len(m.shown())
	switch msg := msg.(type) {
	case page.Pressed:
		lines := len(m.lines(msg.Frame))
		if m.list.Point(LineAt(msg, lines)-pickerAbove, n, pickerRoom(msg.Frame)) {
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

func (m *Picker) key(k tea.KeyPressMsg, n int) (done bool, answer tea.Msg) {
	switch {
	case Leave("").Pressed(k):
		return true, nil
	case Press("").Pressed(k):
		return m.choose()
	case pickerUpKey().Pressed(k):
		m.list.Move(-1, n)
	case pickerDownKey().Pressed(k):
		m.list.Move(+1, n)
	case pickerPageUp().Pressed(k):
		m.list.Move(-pickerRows, n)
	case pickerPageDown().Pressed(k):
		m.list.Move(+pickerRows, n)
	default:
		m.find(k)
	}
	return false, nil
}

// find takes what is typed. What is found then begins with what is nearest to it.
func (m *Picker) find(msg tea.Msg) {
	if m.input.Update(msg) {
		m.list.Select(0, len(m.shown()))
	}
}

// counted is how many items there are to find.
func pickerCounted(items []PickerItem) int {
	n := 0
	for _, i := range items {
		if i.ID != "" {
			n++
		}
	}
	return n
}

func (m *Picker) choose() (done bool, answer tea.Msg) {
	shown := m.shown()
	if len(shown) == 0 {
		return false, nil
	}
	return true, shown[m.list.Cursor()].Then
}

// View draws the dialog's box.
func (m *Picker) View(f page.Frame) string { return Box(f, m.title, m.lines(f)) }

func (m *Picker) lines(f page.Frame) []string {
	shown, width := m.shown(), Inner(f)
	lines := []string{f.Theme.Paint(style.Accent, "› ") + m.input.View(f.Theme, width-2), ""}
	first, end := m.list.Window(len(shown), pickerRoom(f))
	for i := first; i < end; i++ {
		// What there is no room for is missing from the note.
		note := style.Cut(shown[i].Note, max(0, width-4-style.Width(shown[i].Title)))
		if i == m.list.Cursor() {
			lines = append(lines, f.Theme.Paint(style.Selected, "▌ "+style.Ends(shown[i].Title, note, width-2)))
		} else {
			lines = append(lines, "  "+style.Ends(shown[i].Title, f.Theme.Paint(style.Muted, note), width-2))
		}
	}
	if len(shown) == 0 {
		lines = append(lines, f.Theme.Paint(style.Muted, "  Nothing matches."))
	}
	count := fmt.Sprintf("%d of %d", pickerCounted(shown), pickerCounted(m.items))
	return append(lines, "", f.Theme.Paint(style.Muted, count))
}
