package input

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// CancelKey gives a filter up while it is typed. FilterIndent cells stand before its text.
const (
	CancelKey    = "esc"
	FilterIndent = 3
)

// Filter is a filter: closed, being typed, or applied.
type Filter struct{ line Model }

// NewFilter makes a filter that shows everything. hint stands in its line while it is empty.
func NewFilter(hint string) Filter {
	m := Filter{New(hint)}
	m.line.Blur()
	return m
}

// Editing reports whether keys are text for the filter.
func (m *Filter) Editing() bool { return m.line.Focused() }

// Query is what was typed.
func (m *Filter) Query() string { return m.line.Text() }

// Shown reports whether the filter has something to show.
func (m *Filter) Shown() bool { return m.Editing() || m.Query() != "" }

// Set filters as if q had been typed.
func (m *Filter) Set(q string) {
	m.line.Blur()
	m.line.Set(q)
}

// Open lets the user type.
func (m *Filter) Open() { m.line.Focus() }

// Actions declares what can be done while the user types; changed follows a change.
func (m *Filter) Actions(changed func() tea.Cmd) action.Group {
	cancel := func() tea.Cmd {
		was := m.Query()
		if m.Set(""); was == "" {
			return nil
		}
		return changed()
	}
	return action.Group{Title: "Filter", Actions: []action.Action{
		{Title: "keep the filter", Keys: []string{"enter", "down"}, Footer: action.Shown, Run: action.Do(m.line.Blur)},
		{Title: "show all", Keys: []string{CancelKey}, Footer: action.Shown, Run: cancel},
	}}
}

// Update types, and reports whether the query changed.
func (m *Filter) Update(msg tea.Msg) (changed bool) { return m.line.Update(msg) }

// Spoken is the line while the user types, or nil.
func (m *Filter) Spoken() *announce.Field { return m.line.Spoken("Filter") }

// View draws the filter and how many rows of all it shows.
func (m *Filter) View(th *style.Theme, width int, count string) string {
	value := th.Paint(style.Accent, m.Query())
	if m.Editing() {
		value = m.line.View(th, width-style.Width(count)-6)
	}
	return style.Ends(th.Paint(style.Accent, " / ")+value, th.Paint(style.Muted, count)+" ", width)
}
