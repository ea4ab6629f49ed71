package input

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
)

const (
	maxHistory = 100 // filters
	maxKept    = 500 // bytes of a filter
)

// History has the kept filters of a page. The zero History is empty.
type History struct {
	Entries []string             // the newest last
	Save    func(string) tea.Cmd // keeps a filter for later sessions; may be nil
}

// add remembers a filter as the newest one, unless it looks like a key.
func (h *History) add(filter string) tea.Cmd {
	if h == nil || filter == "" || len(filter) > maxKept || models.FindKey(filter) >= 0 {
		return nil
	}
	h.Entries = append(slices.DeleteFunc(h.Entries, func(e string) bool { return e == filter }), filter)
	h.Entries = h.Entries[max(0, len(h.Entries)-maxHistory):]
	if h.Save == nil {
		return nil
	}
	return h.Save(filter)
}

// earlier returns how far back in the history the next other filter is, or 0.
func (m *Filter) earlier() int {
	if m.History == nil {
		return 0
	}
	for back := m.back + 1; back <= len(m.History.Entries); back++ {
		if m.History.Entries[len(m.History.Entries)-back] != m.Text() {
			return back
		}
	}
	return 0
}

// recalled reports whether the line has a filter of the history.
func (m *Filter) recalled() bool { return m.back > 0 }

// recall puts a filter of the history into the line, or the draft.
func (m *Filter) recall(back int) tea.Cmd {
	if m.back == 0 {
		m.draft = m.line.Value()
	}
	text := m.draft
	if back > 0 {
		text = m.History.Entries[len(m.History.Entries)-back]
	}
	m.Model.Set(text)
	m.propose()
	m.back = back
	return m.changed()
}
