// Package help shows every key that does something now, made from their declarations.
package help

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Model is the help of one page.
type Model struct {
	title  string
	groups []keys.Group
	scroll int
}

// New makes the help from the groups of keys.
func New(title string, groups []keys.Group) *Model { return &Model{title: title, groups: groups} }

func closeKey() keys.Action { return keys.New("?", "close", "?", "q").InFooter() }
func moreKey() keys.Action  { return keys.New("↓", "more", "down", "j", "pgdown", "space").InFooter() }
func lessKey() keys.Action  { return keys.New("↑", "less", "up", "k", "pgup") }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	return []keys.Group{{Title: "Help", Actions: []keys.Action{dialog.Leave("close"), closeKey(), moreKey(), lessKey()}}}
}

// Update scrolls or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, cmd tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case dialog.Leave("").Pressed(k), closeKey().Pressed(k), dialog.Press("").Pressed(k):
		return true, nil
	case moreKey().Pressed(k):
		m.scroll++
	case lessKey().Pressed(k):
		m.scroll = max(0, m.scroll-1)
	}
	return false, nil
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	lines := m.lines(f)
	room := max(1, f.Height-4)
	m.scroll = max(0, min(m.scroll, len(lines)-room))
	return dialog.Box(f, m.title, lines[m.scroll:min(len(lines), m.scroll+room)])
}

func (m *Model) lines(f page.Frame) []string {
	const name = 14
	var out []string
	for _, g := range m.groups {
		out = append(out, "", f.Theme.Paint(theme.Strong, g.Title))
		for _, a := range g.Actions {
			h := a.Help()
			line := f.Theme.Paint(theme.Accent, text.Fit("  "+h.Key, name))
			if a.Off != "" {
				line = f.Theme.Paint(theme.Muted, text.Fit("  "+h.Key, name)+h.Desc+": not now, "+a.Off)
			} else {
				line += h.Desc
			}
			out = append(out, text.Cut(line, dialog.Inner(f)))
		}
	}
	return append(out, "")
}
