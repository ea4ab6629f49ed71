// Package filter is the line in which a person types what they look for.
package filter

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/input"
	"pgtower/ui/keys"
	"pgtower/ui/speech"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Model is a filter: closed, being typed, or applied.
type Model struct{ line input.Model }

// New makes a filter that shows everything. hint stands in its line while it is empty.
func New(hint string) Model {
	m := Model{input.New(hint)}
	m.line.Blur()
	return m
}

// Editing says that keys are text for the filter.
func (m *Model) Editing() bool { return m.line.Focused() }

// Query is what was typed.
func (m *Model) Query() string { return m.line.Text() }

// Shown says that the filter has something to show.
func (m *Model) Shown() bool { return m.Editing() || m.Query() != "" }

// Set filters as if q had been typed.
func (m *Model) Set(q string) {
	m.line.Blur()
	m.line.Set(q)
}

// Open lets the person type.
func (m *Model) Open() { m.line.Focus() }

// Cancel is the key that leaves a filter that is being typed, and shows everything.
const Cancel = "esc"

// Keys declares the keys of a filter that is being typed.
func Keys() keys.Group {
	return keys.Group{Title: "Filter", Actions: []keys.Action{accept().InFooter(), cancel().InFooter()}}
}

func accept() keys.Action { return keys.New("↵", "keep the filter", "enter", "down") }
func cancel() keys.Action { return keys.New(Cancel, "show all", Cancel) }

// Update takes a message while the person types, and says whether the query changed.
func (m *Model) Update(msg tea.Msg) (changed bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case accept().Pressed(k):
			m.line.Blur()
			return false
		case cancel().Pressed(k):
			changed = m.Query() != ""
			m.Set("")
			return changed
		}
	}
	return m.line.Update(msg)
}

// Spoken is the line while the person types, or nil.
func (m *Model) Spoken() *speech.Field { return m.line.Spoken("Filter") }

// View draws the filter and how many rows of all it shows.
func (m *Model) View(th *theme.Theme, width int, count string) string {
	value := th.Paint(theme.Accent, m.Query())
	if m.Editing() {
		value = m.line.View(th, width-text.Width(count)-6)
	}
	return text.Ends(th.Paint(theme.Accent, " / ")+value, th.Paint(theme.Muted, count)+" ", width)
}
