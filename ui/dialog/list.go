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

// finder is what picker and palette have in common: a line to type in, and the list of what
// it finds.
type finder struct {
	base

	input input.Model
	list  list
	// most is how many entries show at once. steady has the list as high with fewer.
	most   int
	steady bool
	// entries returns what the line finds, the nearest first.
	entries func() []entry
}

// entry is a line of the list.
type entry struct {
	// It is found by these, and ranked by its name.
	id, name, about string
	// title and note stand at the ends of its line.
	title, note string
	disabled    bool
	// line is what the line becomes when it is completed.
	line   string
	choose func() tea.Cmd
}

// ranked returns the entries that the typed words find, the nearest first.
func ranked(typed string, all []entry) []entry {
	out := query.Named(typed, all,
		query.Text("name", func(e entry) string { return e.name }),
		query.Text("id", func(e entry) string { return e.id }),
		query.Text("note", func(e entry) string { return e.about }))
	if typed != "" {
		slices.SortStableFunc(out, func(a, b entry) int {
			return query.Nearness(typed, a.name, a.id, a.about) - query.Nearness(typed, b.name, b.id, b.about)
		})
	}
	return out
}

// actions declares the given ones, and those that move.
func (m *finder) actions(first ...action.Action) []action.Group {
	move := func(by int) func() tea.Cmd {
		return action.Do(func() { m.list.move(by, len(m.entries())) })
	}
	return []action.Group{{Title: m.title, Actions: append(
		first,
		action.Action{Title: "up", Keys: []string{"up", "ctrl+p", "ctrl+k"}, Footer: action.Shown, Run: move(-1)},
		action.Action{Title: "down", Keys: []string{"down", "ctrl+n", "ctrl+j"}, Footer: action.Shown, Run: move(+1)},
		action.Action{Title: "page up", Keys: []string{"pgup"}, Run: move(-m.most)},
		action.Action{Title: "page down", Keys: []string{"pgdown"}, Run: move(+m.most)},
		m.leave("cancel"),
	)}}
}

// Update types, or moves.
func (m *finder) Update(msg tea.Msg) tea.Cmd {
	if w, ok := msg.(page.Wheel); ok {
		m.list.move(w.By, len(m.entries()))
	}
	if m.input.Update(msg) {
		// What is found begins with what is nearest to what was typed.
		m.list.choose(0, len(m.entries()))
	}
	return m.base.Update(msg)
}

// selected returns the selected entry, if there is one.
func (m *finder) selected() (entry, bool) {
	entries := m.entries()
	if m.list.cursor >= len(entries) {
		return entry{}, false
	}
	return entries[m.list.cursor], true
}

// choose chooses the selected entry, if there is one that can be chosen.
func (m *finder) choose() tea.Cmd {
	e, ok := m.selected()
	if !ok || e.disabled {
		return nil
	}
	return e.choose()
}

// list is the selection among rows of which there may be more than a dialog shows. The
// selected row is in the middle of those that show, unless the mouse selected it: then
// nothing moves from under the mouse.
type list struct {
	cursor  int
	pointed bool // the mouse selected the row
	first   int  // of the rows that were drawn last
}

// choose selects a row of n, or the nearest that there is.
func (l *list) choose(row, n int) { l.cursor, l.pointed = max(0, min(row, n-1)), false }

// move selects another row of n.
func (l *list) move(by, n int) { l.choose(l.cursor+by, n) }

// window returns which of n rows show where there is room for some: those from first on,
// and before end.
func (l *list) window(n, room int) (first, end int) {
	first = l.cursor - room/2
	if l.pointed {
		// As far as the selected row then shows: there may be less room now.
		first = max(min(l.first, l.cursor), l.cursor-room+1)
	}
	l.first = max(0, min(first, n-room))
	return l.first, min(l.first+room, n)
}

// point selects the row that the mouse points at. It reports whether that is for the second
// time, which is how a row is chosen.
func (l *list) point(row int) (again bool) {
	again = l.pointed && l.cursor == row
	l.cursor, l.pointed = row, true
	return again
}

// nothing is the text of a list without entries.
func nothing(said string) Line { return Line{Tone: style.Muted, Text: "  " + said, Heard: said} }

// listed adds the list to the content. empty stands in place of entries. count says how many
// there are.
func (m *finder) listed(c *content, entries []entry, empty Line, count string) {
	selected := ""
	if at := m.list.cursor; at < len(entries) {
		selected = entries[at].title
		if note := entries[at].note; note != "" {
			selected += ", " + note
		}
		selected = fmt.Sprintf("%s, %d of %d", selected, at+1, len(entries))
	}
	if len(entries) == 0 {
		count = empty.in(c.Frame)
	}
	c.say(announce.Part{Name: "count", Text: count})
	c.say(announce.Part{Name: "selected", Text: selected, Current: true})
	c.above, c.body = len(c.rows), func(room int) []row {
		room = max(1, min(m.most, room))
		var rows []row
		first, end := m.list.window(len(entries), room)
		for i := first; i < end; i++ {
			rows = append(rows, row{entries[i].draw(c.Frame, i == m.list.cursor), func(page.Pressed) tea.Cmd {
				if m.list.point(i) {
					return m.choose()
				}
				return nil
			}})
		}
		if len(entries) == 0 {
			rows = plain(Paragraphs(c.Frame, []Line{empty}))
		}
		for m.steady && len(rows) < room {
			rows = append(rows, row{})
		}
		return rows
	}
}

func (e entry) draw(f page.Frame, selected bool) string {
	width := Inner(f) - 2
	// What there is no room for is missing from the note.
	note := style.Cut(e.note, max(0, width-2-style.Width(e.title)))
	switch {
	case selected:
		return f.Theme.Paint(style.Selected, "▌ "+style.Ends(e.title, note, width))
	case e.disabled:
		return f.Theme.Paint(style.Muted, "  "+style.Ends(e.title, note, width))
	}
	return "  " + style.Ends(e.title, f.Theme.Paint(style.Muted, note), width)
}
