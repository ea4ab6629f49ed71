package dialog

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
)

// PickerItem is something that can be chosen. One without an id stands for all the others, and
// is not counted as one of them.
type PickerItem struct {
	ID, Title, Note string
	// Choose is called when it is chosen.
	Choose func() tea.Cmd
}

// entry is an item as a line of the list: found by name, id and about, and ranked by its name.
type entry struct {
	PickerItem

	name, about string
	disabled    bool
	// line is what the user's line becomes when the entry is completed.
	line string
}

// Picker lets the user choose one of many by typing a part of its name.
//
// The selected entry is in the middle of those that show, unless the mouse selected it: then
// nothing moves from under the mouse.
type Picker struct {
	base

	input   input.Model
	cursor  int
	pointed bool // the mouse selected the entry
	first   int  // of the entries that were drawn last
	// most is how many entries show at once. steady has the list as high with fewer.
	most   int
	steady bool
	// entries returns what the line finds, the nearest first.
	entries func() []entry
}

// NewPicker lets the user choose, beginning at the item of the id.
func NewPicker(title string, items []PickerItem, id string) *Picker {
	m := &Picker{base: base{title: title}, most: 10, input: input.New("type to find")}
	all := make([]entry, len(items))
	for i, item := range items {
		all[i] = entry{PickerItem: item, name: item.Title, about: item.Note}
		all[i].Choose = func() tea.Cmd {
			m.done = true
			return item.Choose()
		}
	}
	m.entries = func() []entry { return ranked(m.input.Text(), all) }
	m.show = func(c *content) { m.shown(c, counted(all)) }
	m.move(slices.IndexFunc(items, func(i PickerItem) bool { return i.ID == id }))
	return m
}

// ranked returns the entries that the typed words find, the nearest first.
func ranked(typed string, all []entry) []entry {
	out := query.Named(typed, all,
		query.Text("name", func(e entry) string { return e.name }),
		query.Text("id", func(e entry) string { return e.ID }),
		query.Text("note", func(e entry) string { return e.about }))
	if typed != "" {
		slices.SortStableFunc(out, func(a, b entry) int {
			return query.Nearness(typed, a.name, a.ID, a.about) - query.Nearness(typed, b.name, b.ID, b.about)
		})
	}
	return out
}

// Actions declares what can be done now.
func (m *Picker) Actions() []action.Group {
	choose := key("choose", m.choose, "enter")
	if len(m.entries()) == 0 {
		choose.Disabled = "nothing matches"
	}
	return m.actions(choose)
}

// actions declares the given ones, and those that move.
func (m *Picker) actions(first ...action.Action) []action.Group {
	move := func(by int) func() tea.Cmd { return action.Do(func() { m.move(by) }) }
	return only(append(
		first,
		key("up", move(-1), "up", "ctrl+p", "ctrl+k"),
		key("down", move(+1), "down", "ctrl+n", "ctrl+j"),
		action.Action{Title: "page up", Keys: []string{"pgup"}, Run: move(-m.most)},
		action.Action{Title: "page down", Keys: []string{"pgdown"}, Run: move(+m.most)},
		m.leave("cancel"),
	)...)
}

// Update types, or moves.
func (m *Picker) Update(msg tea.Msg) tea.Cmd {
	if w, ok := msg.(page.Wheel); ok {
		m.move(w.By)
	}
	if m.input.Update(msg) {
		m.rewind()
	}
	return m.base.Update(msg)
}

// rewind selects the first entry: what is found begins with what is nearest to what was typed.
func (m *Picker) rewind() { m.move(-m.cursor) }

// move selects another entry, or the nearest that there is.
func (m *Picker) move(by int) {
	m.cursor, m.pointed = max(0, min(m.cursor+by, len(m.entries())-1)), false
}

// selected returns the selected entry, if there is one.
func (m *Picker) selected() (entry, bool) {
	entries := m.entries()
	if m.cursor >= len(entries) {
		return entry{}, false
	}
	return entries[m.cursor], true
}

// choose chooses the selected entry, if there is one that can be chosen.
func (m *Picker) choose() tea.Cmd {
	e, ok := m.selected()
	if !ok || e.disabled {
		return nil
	}
	return e.Choose()
}

// point selects the entry that the mouse points at, or chooses it the second time.
func (m *Picker) point(row int) tea.Cmd {
	if m.pointed && m.cursor == row {
		return m.choose()
	}
	m.cursor, m.pointed = row, true
	return nil
}

// window returns which of n entries show where there is room for some: those from first on,
// and before end.
func (m *Picker) window(n, room int) (first, end int) {
	first = m.cursor - room/2
	if m.pointed {
		// As far as the selected entry then shows: there may be less room now.
		first = max(min(m.first, m.cursor), m.cursor-room+1)
	}
	m.first = max(0, min(first, n-room))
	return m.first, min(m.first+room, n)
}

// counted is how many entries do not stand for all the others.
func counted(entries []entry) (n int) {
	for _, e := range entries {
		if e.ID != "" {
			n++
		}
	}
	return n
}

func (m *Picker) shown(c *content, all int) {
	entries := m.entries()
	count := fmt.Sprintf("%d of %d", counted(entries), all)
	c.said.Text = []string{"Type a part of the name, or choose with up and down arrow."}
	c.field("› ", "Find", &m.input, nil)
	c.gap()
	m.list(c, entries, nothing("Nothing matches."), count+" match.")
	c.draw("", c.Theme.Paint(style.Muted, count))
}

// nothing is the text of a list without entries.
func nothing(said string) Line { return Line{Tone: style.Muted, Text: "  " + said, Heard: said} }

// list adds the list to the content. empty stands in place of entries. count says how many
// there are.
func (m *Picker) list(c *content, entries []entry, empty Line, count string) {
	selected := ""
	if len(entries) == 0 {
		count = empty.in(c.Frame)
	} else if e, ok := m.selected(); ok {
		selected = e.Title
		if e.Note != "" {
			selected += ", " + e.Note
		}
		selected = fmt.Sprintf("%s, %d of %d", selected, m.cursor+1, len(entries))
	}
	c.say(announce.Part{Name: "count", Text: count})
	c.say(announce.Part{Name: "selected", Text: selected, Current: true})
	c.fill(func(room int) []row {
		room = max(1, min(m.most, room))
		var rows []row
		first, end := m.window(len(entries), room)
		for i := first; i < end; i++ {
			line := entries[i].draw(c.Frame, i == m.cursor)
			rows = append(rows, row{line, func(int) tea.Cmd { return m.point(i) }})
		}
		if len(entries) == 0 {
			rows = plain(Paragraphs(c.Frame, []Line{empty}))
		}
		for m.steady && len(rows) < room {
			rows = append(rows, row{})
		}
		return rows
	})
}

func (e entry) draw(f page.Frame, selected bool) string {
	width := f.Width - 2
	// What there is no room for is missing from the note.
	note := style.Cut(e.Note, max(0, width-2-style.Width(e.Title)))
	switch {
	case selected:
		return f.Theme.Paint(style.Selected, "▌ "+style.Ends(e.Title, note, width))
	case e.disabled:
		return f.Theme.Paint(style.Muted, "  "+style.Ends(e.Title, note, width))
	}
	return "  " + style.Ends(e.Title, f.Theme.Paint(style.Muted, note), width)
}
