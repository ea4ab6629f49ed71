package table

import (
	"slices"
	"strings"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// paneMin is how narrow the detail beside the table may be, and paneMax how wide: no
	// field of a record is longer.
	paneMin, paneMax = 40, 58
	// tall is how many lines there must be for the detail to stand below a table that has
	// no room beside it, and paneLines how many it then has: as many whichever row is
	// selected, so that the table stays as it is.
	tall, paneLines = 36, 17
	// paneIndent is how far in the detail begins that is not beside the table.
	paneIndent = 3
)

// tableAndDetail draws the table, and the detail of a row that was chosen where there is
// room for it: to the right, or else below.
func (m *Model[R, K]) tableAndDetail(f page.Frame, p Parts[R], selected R, height int) []string {
	width, pane := m.widths(f.Width)
	below := 0
	if pane == 0 && height >= tall && !m.passing() {
		below = paneLines
	}
	frame := ListFrame[R]{Width: width, Height: height, Theme: f.Theme, Now: f.Now, At: p.At, Changed: p.Changed, Divider: p.Divider, Partial: p.Partial, Zone: m.Session.Times.Zone(f.Now)}
	var lines []string
	if row, ok := m.beside(selected); ok && pane > 0 {
		lines = m.detail(f, p, row).Lines(f.Theme, pane-1)
	} else if ok && below > 0 {
		lines = m.detail(f, p, row).Lines(f.Theme, f.Width-2*paneIndent)
	}
	if pane > 0 {
		frame.Border, frame.Beside = f.Theme.Paint(style.Rule, " │ "), style.Block(lines, pane, height)
		return m.list.View(frame)
	}
	frame.Beside = slices.Repeat([]string{style.Spaces(f.Width - width)}, height)
	if below == 0 {
		return m.list.View(frame)
	}
	frame.Height -= below + 1
	out := append(m.list.View(frame), f.Theme.Paint(style.Rule, strings.Repeat("─", f.Width)))
	if len(lines) > below {
		lines = append(lines[:below-1:below-1], f.Theme.Paint(style.Muted, "↓ "+f.Keys.Label(m.Open)+" shows more"))
	}
	for _, line := range style.Block(lines, f.Width-paneIndent, below) {
		out = append(out, style.Spaces(paneIndent)+line)
	}
	return out
}

// widths are those of the table and of the detail beside it, which is 0 where there is no
// room or no use for one.
func (m *Model[R, K]) widths(screen int) (table, pane int) {
	if screen < m.PaneFrom || m.passing() {
		return screen - 1, 0
	}
	pane = min(max(paneMin, screen*7/20), paneMax)
	return screen - pane - 3, pane
}
