package dialog

import (
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// rows is how many lines of the list the dialog shows at once, and above how many stand
// before them.
const paletteRows, paletteAbove = 14, 2

// room is how many lines of the list there is room for.
func (m *Palette) room(f page.Frame) int {
	room := min(paletteRows, Room(f)-paletteAbove-2)
	if len(m.items()) > 0 {
		// The first line of what is wrong has its place below the list, the others take of it.
		room -= max(0, len(m.complaint(f))-1)
	}
	return max(1, room)
}

// complaint are the lines that say what is wrong.
func (m *Palette) complaint(f page.Frame) []string {
	err := m.wrong()
	if err == nil {
		return nil
	}
	return Paragraphs(f, []Line{{Tone: style.Bad, Text: "✗ " + err.Error()}})
}

// View draws the dialog's box.
func (m *Palette) View(f page.Frame) string { return Box(f, "Commands", m.lines(f)) }

func (m *Palette) lines(f page.Frame) []string {
	items, width := m.items(), Inner(f)
	lines := []string{f.Theme.Paint(style.Accent, ": ") + m.input.View(f.Theme, width-2), ""}
	room, complaint := m.room(f), m.complaint(f)
	first, end := m.list.Window(len(items), room)
	for i := first; i < end; i++ {
		it := items[i]
		switch {
		case i == m.list.Cursor():
			lines = append(lines, f.Theme.Paint(style.Selected, style.Fit("▌ "+style.Ends(it.title, it.note, width-2), width)))
		case it.off:
			lines = append(lines, f.Theme.Paint(style.Muted, "  "+style.Ends(it.title, it.note, width-2)))
		default:
			note := f.Theme.Paint(style.Muted, it.note)
			lines = append(lines, "  "+style.Ends(it.title, note, width-2))
		}
	}
	if said := m.nothing(); len(items) == 0 && said != "" {
		lines = append(lines, f.Theme.Paint(style.Muted, "  "+said))
	}
	if len(items) == 0 {
		// It belongs to what was typed, and there is nothing between.
		lines, complaint = append(lines, complaint...), nil
	}
	for len(lines) < room+paletteAbove {
		lines = append(lines, "")
	}
	if len(complaint) > 0 {
		lines = append(append(lines, ""), complaint...)
	}
	return lines
}
