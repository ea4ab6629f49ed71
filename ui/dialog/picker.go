package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// PickerItem is a choice. An item without an id stands for all others, and is not counted.
type PickerItem struct {
	ID, Title, Note string
	Choose          func() tea.Cmd // called when it is chosen
	Disabled        bool           // cannot be chosen now; the note says why

	name, about string // searched in place of Title and Note; empty for Title and Note
	words       string // searched as well
	line        string // completes the input
	page        bool   // goes to a page
	matched     []int  // the bytes of Title that were searched for, shown in bold
}

// keyRoom is the least width of the column with the notes: that of a key and the space before it.
const keyRoom = 12

// Picker lets the user choose one of many by typing a part of its name.
type Picker struct {
	base
	menu

	items  []*PickerItem // to choose from; a [Palette] has others
	input  input.Model
	most   int                  // how many show at once
	steady bool                 // the height does not depend on the number of items
	found  func() []*PickerItem // returns the items that match the input, the best match first
}

// NewPicker returns a picker in which the item of the id is selected. It is as wide as its longest items need.
func NewPicker(title string, items []*PickerItem, id string) *Picker {
	m := &Picker{base: base{title: title, minHeight: listHeight}, items: items, most: 10, input: input.New("type to search")}
	m.found, m.show = m.ranked, m.shown
	choose := key("choose", m.choose, "enter")
	choose.Disabled = action.If(m.findsNothing, "no matches")
	m.actions = m.newActions(choose)
	titles, notes := 0, keyRoom
	for _, item := range items {
		titles, notes = max(titles, style.Width(item.Title)), max(notes, 2+style.Width(item.Note))
	}
	const around = 2*beside + 2 // the edges and the cursor
	m.limit = min(max(maxWidth, around+titles+notes), wideMost)
	m.move(indexOf(items, id))
	return m
}

// indexOf returns the index of the item with an id, or -1.
func indexOf(items []*PickerItem, id string) int {
	return slices.IndexFunc(items, func(i *PickerItem) bool { return i.ID == id })
}

func (m *Picker) findsNothing() bool { return len(m.found()) == 0 }

// ranked returns the items that match the input, the best match first.
func (m *Picker) ranked() []*PickerItem { return ranked(m.input.Text(), m.items) }

// ranked returns the items that match, the best match first.
func ranked(typed string, items []*PickerItem) []*PickerItem {
	out := query.Named(typed, items,
		query.Text("name", (*PickerItem).searchedName), query.Text("note", (*PickerItem).searchedNote),
		query.Text("id", func(i *PickerItem) string { return i.ID }),
		query.Text("keywords", func(i *PickerItem) string { return i.words }))
	if typed != "" {
		slices.SortStableFunc(out, func(a, b *PickerItem) int { return a.rank(typed) - b.rank(typed) })
	}
	return out
}

func (i *PickerItem) searchedName() string { return cmp.Or(i.name, i.Title) }
func (i *PickerItem) searchedNote() string { return cmp.Or(i.about, i.Note) }

// rank returns how well the item matches, 0 for the best match.
func (i *PickerItem) rank(typed string) int {
	return query.Rank(typed, i.searchedName(), i.ID, i.searchedNote())
}

// newActions declares the given actions and the ones that move the selection.
func (m *Picker) newActions(first ...*action.Action) []action.Group {
	return only(append(
		first,
		key("up", action.DoWith(m.move, -1), "up", "ctrl+p", "ctrl+k"),
		key("down", action.DoWith(m.move, +1), "down", "ctrl+n", "ctrl+j"),
		quiet("page up", action.DoWith(m.move, -m.most), "pgup"),
		quiet("page down", action.DoWith(m.move, +m.most), "pgdown"),
		m.leave("cancel"),
	)...)
}

// Update edits the input, or moves the selection.
func (m *Picker) Update(msg tea.Msg) tea.Cmd {
	if w, ok := msg.(page.Wheel); ok {
		m.move(w.By)
	}
	if m.input.Update(msg) {
		m.rewind()
	}
	return m.base.Update(msg)
}

// rewind selects the first item, which is the best match.
func (m *Picker) rewind() { m.move(-m.cursor) }

func (m *Picker) move(step int) { m.menu.move(step, len(m.found())) }

func (m *Picker) selected() (*PickerItem, bool) {
	found := m.found()
	if m.cursor >= len(found) {
		return nil, false
	}
	return found[m.cursor], true
}

func (m *Picker) choose() tea.Cmd {
	item, ok := m.selected()
	if !ok || item.Disabled {
		return nil
	}
	m.done = true
	return item.Choose()
}

func counted(items []*PickerItem) (n int) {
	for _, i := range items {
		if i.ID != "" {
			n++
		}
	}
	return n
}

func (m *Picker) shown(c *content) {
	found := m.found()
	count := fmt.Sprintf("%d of %d", counted(found), counted(m.items))
	c.said.Text = []string{"Type part of the name, or use the up and down arrows."}
	c.field("› ", "Find", &m.input, nil)
	c.gap()
	m.list(c, found, nothing("No matches."), count+" match.")
	c.gap()
	c.draw(c.Theme.Paint(style.Muted, count))
}

func nothing(text string) Line { return Line{Tone: style.Muted, Text: "  " + text, Announced: text} }

// list adds the items to the content, or empty if there are none. count says how many there are.
func (m *Picker) list(c *content, found []*PickerItem, empty Line, count string) {
	selected := ""
	if len(found) == 0 {
		count = empty.in(c.Frame)
	} else if item, ok := m.selected(); ok {
		selected = item.Title
		if item.Note != "" {
			selected += ", " + item.Note
		}
		selected = fmt.Sprintf("%s, %d of %d", selected, m.cursor+1, len(found))
	}
	c.say(announce.Part{Name: "count", Text: count}, announce.Part{Name: "selected", Text: selected, Current: true})
	c.fill(func(room int) []row { return m.listed(c.Frame, found, empty, room) })
}

// listed draws as many of the items as fit in the room, or empty if there are none.
func (m *Picker) listed(f page.Frame, found []*PickerItem, empty Line, room int) []row {
	room = max(1, min(m.most, room))
	names := 0 // the width of the column with the titles
	for _, item := range found {
		names = min(max(names, style.Width(item.Title)), f.Width-2-keyRoom)
	}
	draw := func(f page.Frame, i int) string { return found[i].draw(f, i == m.cursor, names) }
	rows := m.menu.rows(f, len(found), room, draw, m.choose)
	if len(found) == 0 {
		rows = plain(Paragraphs(f, []Line{empty}))
	}
	for m.steady && len(rows) < room {
		rows = append(rows, row{})
	}
	return rows
}

// draw draws the item in a table whose first column has the width names. A long note may begin in that column.
func (i *PickerItem) draw(f page.Frame, selected bool, names int) string {
	width := f.Width - 2
	names = min(names, max(style.Width(i.Title), width-2-style.Width(i.Note)))
	title, note := style.Fit(i.bold(f.Theme, selected), names), ""
	if i.Note != "" {
		note = style.Fit("  "+i.Note, max(0, width-names))
	}
	return drawItem(f, selected, i.Disabled, title, note)
}

// bold returns the title with the matched letters in bold, unless the whole item has a style.
func (i *PickerItem) bold(th *style.Theme, selected bool) string {
	if len(i.matched) == 0 || selected || i.Disabled {
		return i.Title
	}
	var out strings.Builder
	for index, r := range i.Title {
		letter := string(r)
		if slices.Contains(i.matched, index) {
			letter = th.Paint(style.Strong, letter)
		}
		out.WriteString(letter)
	}
	return out.String()
}
