package palette

import (
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// rows is how many lines of the list the dialog shows at once.
const rows = 14

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	items, width := m.items(), dialog.Inner(f)
	lines := []string{f.Theme.Paint(theme.Accent, ": ") + m.input.View(f.Theme, width-2), ""}
	room := max(1, min(rows, f.Height-8))
	first := max(0, min(m.cursor-room/2, len(items)-room))
	for i := first; i < min(first+room, len(items)); i++ {
		it := items[i]
		switch {
		case i == m.cursor:
			lines = append(lines, f.Theme.Paint(theme.Selected, text.Fit("▌ "+text.Ends(it.title, it.note, width-2), width)))
		case it.off:
			lines = append(lines, f.Theme.Paint(theme.Muted, "  "+text.Ends(it.title, it.note, width-2)))
		default:
			note := f.Theme.Paint(theme.Muted, it.note)
			lines = append(lines, "  "+text.Ends(it.title, note, width-2))
		}
	}
	if len(items) == 0 {
		lines = append(lines, f.Theme.Paint(theme.Muted, "  "+m.nothing()))
	}
	for len(lines) < min(room, rows)+2 {
		lines = append(lines, "")
	}
	lines = append(lines, "")
	if m.err != nil {
		lines = append(lines, f.Theme.Paint(theme.Bad, text.Cut("✗ "+m.err.Error(), width)))
	}
	return dialog.Box(f, "Commands", lines)
}

// nothing is said where there is nothing to choose from.
func (m *Model) nothing() string {
	if c, _, ok := m.command(); ok {
		return "↵ takes it: " + c.Title
	}
	return "Nothing matches."
}
