package input

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// Filter is a filter: closed, being typed, or applied.
type Filter struct{ line Model }

// NewFilter makes a filter that shows everything. hint stands in its line while it is empty.
func NewFilter(hint string) Filter {
	m := Filter{New(hint)}
	m.line.Blur()
	return m
}

// Editing says that keys are text for the filter.
func (m *Filter) Editing() bool { return m.line.Focused() }

// Query is what was typed.
func (m *Filter) Query() string { return m.line.Text() }

// Shown says that the filter has something to show.
func (m *Filter) Shown() bool { return m.Editing() || m.Query() != "" }

// Set filters as if q had been typed.
func (m *Filter) Set(q string) {
	m.line.Blur()
	m.line.Set(q)
}

// Open lets the person type.
func (m *Filter) Open() { m.line.Focus() }

// CancelKey is the key that leaves a filter that is being typed, and shows everything.
const CancelKey = "esc"

// FilterKeys declares the keys of a filter that is being typed.
func FilterKeys() action.Group {
	return action.Group{Title: "Filter", Actions: []action.Action{acceptFilter().InFooter(), cancelFilter().InFooter()}}
}

func acceptFilter() action.Action { return action.New("↵", "keep the filter", "enter", "down") }
func cancelFilter() action.Action { return action.New(CancelKey, "show all", CancelKey) }

// Update takes a message while the person types, and says whether the query changed.
func (m *Filter) Update(msg tea.Msg) (changed bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case acceptFilter().Pressed(k):
			m.line.Blur()
			return false
		case cancelFilter().Pressed(k):
			changed = m.Query() != ""
			m.Set("")
			return changed
		}
	}
	return m.line.Update(msg)
}

// Spoken is the line while the person types, or nil.
func (m *Filter) Spoken() *announce.Field { return m.line.Spoken("Filter") }

// View draws the filter and how many rows of all it shows.
func (m *Filter) View(th *style.Theme, width int, count string) string {
	value := th.Paint(style.Accent, m.Query())
	if m.Editing() {
		value = m.line.View(th, width-style.Width(count)-6)
	}
	return style.Ends(th.Paint(style.Accent, " / ")+value, th.Paint(style.Muted, count)+" ", width)
}
