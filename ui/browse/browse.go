// Package browse is what the three pages have in common: a strip of numbers, a live
// table, the detail of the selected row beside it or in its place, and a filter.
package browse

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/detail"
	"pgtower/ui/filter"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/rowlist"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// paneMin is how narrow the detail beside the table may be.
const paneMin = 40

// Config is what a page brings.
type Config[R any] struct {
	Source  rowlist.Source[R]
	Columns []rowlist.Column[R]
	// Detail is the record of a row with all its fields.
	Detail func(row R, now time.Time) detail.Record
	// Texts are what the filter looks through.
	Texts func(row R) []string
	// PaneFrom is the width of the screen from which the detail stands beside the table.
	PaneFrom int
	// Open is the key that opens the detail, Enter and its kin if it is left out.
	Open keys.Action
	// Follow keeps the selection at the top while it is there.
	Follow bool
}

// Model is the state of a page's table, filter and detail.
type Model[R any] struct {
	Config[R]

	list   *rowlist.Model[R]
	filter filter.Model
	open   bool // the detail is in the place of the table
	scroll int  // of the open detail
	// lines and height are of the open detail as it was last drawn: how far it can be
	// scrolled depends on nothing else.
	lines, height int
}

// New makes a browser.
func New[R any](c Config[R]) *Model[R] {
	if len(c.Open.Keys()) == 0 {
		c.Open = keys.New("↵", "details", "enter", "l", "right").InFooter()
	}
	return &Model[R]{Config: c, list: rowlist.New(c.Source, c.Columns, c.Follow), filter: filter.New()}
}

// List is the table.
func (m *Model[R]) List() *rowlist.Model[R] { return m.list }

// Refresh takes in that the source has changed.
func (m *Model[R]) Refresh() {
	m.list.Refresh()
	if m.list.Len() == 0 {
		m.open = false
	}
}

// Reset goes back to the table with no filter.
func (m *Model[R]) Reset() {
	m.filter.Clear()
	m.open = false
	m.list.Filter(nil)
}

// Editing says that keys are text for the filter.
func (m *Model[R]) Editing() bool { return m.filter.Editing() }

// Filtered says that a filter decides which rows are shown.
func (m *Model[R]) Filtered() bool { return m.filter.Query() != "" }

func filterKey() keys.Action { return keys.New("/", "filter", "/").InFooter() }
func backKey() keys.Action   { return keys.New("esc", "back", "esc", "h", "left", "backspace") }

func scrollDownKey() keys.Action {
	return keys.New("pgdn", "scroll down", "pgdown", "ctrl+f", "ctrl+d", "space")
}
func scrollUpKey() keys.Action { return keys.New("pgup", "scroll up", "pgup", "ctrl+b", "ctrl+u") }

// Keys declares what can be done with the table now.
func (m *Model[R]) Keys() []keys.Group {
	if m.filter.Editing() {
		return []keys.Group{filter.Keys()}
	}
	look := keys.Group{Title: "Look", Actions: []keys.Action{m.Open, filterKey(), backKey()}}
	if m.open {
		look.Actions = []keys.Action{backKey().InFooter(), scrollDownKey().InFooter(), scrollUpKey()}
	} else if m.list.Len() == 0 {
		look.Actions[0] = m.Open.Unless("there is no row to open")
	}
	return []keys.Group{look, rowlist.Keys()}
}

// Update does the bookkeeping of a key or paste, and says whether it was for the table.
func (m *Model[R]) Update(msg tea.Msg) bool {
	if m.filter.Editing() {
		if m.filter.Update(msg) {
			m.apply()
		}
		return true
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return false
	case m.open && m.scrolled(k):
		return true
	case filterKey().Pressed(k):
		m.open = false
		m.filter.Open()
	case m.Open.Pressed(k):
		m.open, m.scroll = m.list.Len() > 0, 0
	case backKey().Pressed(k):
		return m.back()
	default:
		return m.list.Update(k)
	}
	return true
}

// back leaves the detail, then the filter.
func (m *Model[R]) back() bool {
	switch {
	case m.open:
		m.open = false
	case m.filter.Shown():
		m.filter.Clear()
		m.apply()
	default:
		return false
	}
	return true
}

// scrolled moves within a detail that is longer than the screen.
func (m *Model[R]) scrolled(k tea.KeyPressMsg) bool {
	by := 0
	switch {
	case scrollDownKey().Pressed(k):
		by = m.height - 1
	case scrollUpKey().Pressed(k):
		by = 1 - m.height
	default:
		return false
	}
	m.scroll = max(0, min(m.scroll+by, m.lines-m.height))
	return true
}

func (m *Model[R]) apply() {
	match := filter.Matcher(m.filter.Query())
	if match == nil {
		m.list.Filter(nil)
		return
	}
	m.list.Filter(func(row R) bool { return match(m.Texts(row)) })
}

// Parts are what a page adds to its table in one frame.
type Parts[R any] struct {
	// Strip is the line above the table.
	Strip string
	// Empty is said where rows would be.
	Empty detail.Words
	// Notes are lines below the table, such as an error or that rows arrived.
	Notes []string
	// Marked says which rows are new or changed; it may be nil.
	Marked func(R) bool
}

// View draws the whole page: exactly Height lines of Width cells.
func (m *Model[R]) View(f page.Frame, p Parts[R]) []string {
	lines := make([]string, 0, f.Height)
	lines = append(lines, p.Strip)
	foot := p.Notes
	if m.filter.Shown() {
		count := fmt.Sprintf("%d of %d", m.list.Len(), m.Source.Len())
		foot = append(foot, m.filter.View(f.Theme, f.Width, count))
	}
	room := max(0, f.Height-1-len(foot))
	lines = append(lines, m.body(f, p, room)...)
	return text.Block(append(lines, foot...), f.Width, f.Height)
}

func (m *Model[R]) body(f page.Frame, p Parts[R], height int) []string {
	row, ok := m.list.Selected()
	switch {
	case !ok && m.Filtered() && m.Source.Len() > 0:
		w := detail.Words{Title: "Nothing matches the filter.", Body: "esc shows all rows again."}
		return w.Lines(f.Theme, f.Width, height)
	case !ok:
		return p.Empty.Lines(f.Theme, f.Width, height)
	case m.open:
		return m.opened(f, row, height)
	case f.Width < m.PaneFrom:
		return m.list.View(f.Theme, f.Now, f.Width-1, height, p.Marked)
	}
	pane := max(paneMin, f.Width*7/20)
	if f.Width > 160 {
		pane = f.Width / 3
	}
	left := m.list.View(f.Theme, f.Now, f.Width-pane-3, height, p.Marked)
	right := text.Block(m.Detail(row, f.Now).Lines(f.Theme, pane-1), pane, height)
	for i := range left {
		left[i] += f.Theme.Paint(theme.Rule, " │ ") + right[i]
	}
	return left
}

// opened draws the detail in the place of the table.
func (m *Model[R]) opened(f page.Frame, row R, height int) []string {
	width := min(f.Width-6, 100)
	lines := m.Detail(row, f.Now).Lines(f.Theme, width)
	m.lines, m.height = len(lines), height
	m.scroll = max(0, min(m.scroll, len(lines)-height))
	lines = lines[m.scroll:]
	out := make([]string, 0, height)
	for i, line := range lines {
		if i == height-1 && len(lines) > height {
			line = f.Theme.Paint(theme.Muted, "↓ more below: pgdn")
		}
		out = append(out, "   "+line)
	}
	return text.Block(out, f.Width, height)
}
