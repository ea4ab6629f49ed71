package palette

import (
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// rows is how many lines of the list the dialog shows at once, and above how many stand
// before them.
const rows, above = 14, 2

// room is how many lines of the list there is room for.
func room(f page.Frame) int { return max(1, min(rows, dialog.Room(f)-above-2)) }

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string { return dialog.Box(f, "Commands", m.lines(f)) }

func (m *Model) lines(f page.Frame) []string {
	items, width := m.items(), dialog.Inner(f)
	lines := []string{f.Theme.Paint(theme.Accent, ": ") + m.input.View(f.Theme, width-2), ""}
	first, end := m.list.Window(len(items), room(f))
	for i := first; i < end; i++ {
		it := items[i]
		switch {
		case i == m.list.Cursor():
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
	for len(lines) < room(f)+above {
		lines = append(lines, "")
	}
	if m.err != nil {
		lines = append(lines, "", f.Theme.Paint(theme.Bad, text.Cut("✗ "+m.err.Error(), width)))
	}
	return lines
}

// nothing is said where there is nothing to choose from.
func (m *Model) nothing() string {
	if c, _, ok := m.command(); ok {
		return "↵ takes it: " + c.Title
	}
	return "Nothing matches."
}
