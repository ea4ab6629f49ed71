package help

import (
	"strconv"

	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

const (
	// nameWidth is that of the column with the keys.
	nameWidth = 14
	// wideFrom is the width of the screen from which groups may stand side by side, in a box
	// that is not wider than wideMost.
	wideFrom, wideMost = 100, 130
	// gap is between the groups that do.
	gap = 3
)

// wide says that the groups stand side by side: where there is room for that, and not for
// all of them in one column. What is looked for does not change it.
func (m *Model) wide(f page.Frame) bool {
	return f.Width >= wideFrom && height(m.groups) > dialog.Room(f)
}

func (m *Model) width(f page.Frame) int {
	if m.wide(f) {
		return min(wideMost, f.Width-4)
	}
	return dialog.Width(f)
}

func (m *Model) inner(f page.Frame) int { return max(1, m.width(f)-4) }

// head is the line in which a person types what they look for.
func (m *Model) head(f page.Frame) []string {
	if !m.filter.Shown() {
		return nil
	}
	return []string{m.filter.View(f.Theme, m.inner(f), count(m.found())+" of "+count(m.groups))}
}

// lines draws the keys. While some are looked for, the box stays as high as it was: what
// is typed into must not move.
func (m *Model) lines(f page.Frame) []string {
	if !m.filter.Shown() {
		return m.columns(f, m.groups)
	}
	out := m.columns(f, m.found())
	if len(m.found()) == 0 {
		said := "  No key does that: " + m.filter.Query() + ". esc shows all."
		out = []string{blank, f.Theme.Paint(theme.Muted, text.Cut(said, m.inner(f)))}
	}
	full := min(len(m.columns(f, m.groups)), dialog.Room(f))
	for len(out) < full-1 {
		out = append(out, blank)
	}
	return out
}

// blank is a line that the box does not leave out at its end.
const blank = " "

// columns draws the groups, side by side where they are to be.
func (m *Model) columns(f page.Frame, groups []keys.Group) []string {
	if !m.wide(f) {
		return column(f, groups, m.inner(f))
	}
	at := half(groups)
	width := (m.inner(f) - gap) / 2
	left, right := column(f, groups[:at], width), column(f, groups[at:], width)
	lines := max(len(left), len(right))
	left, right = text.Block(left, width, lines), text.Block(right, width, lines)
	for i := range left {
		left[i] += text.Spaces(gap) + right[i]
	}
	return left
}

// half is how many of the groups stand on the left for both sides to be as low as they
// can.
func half(groups []keys.Group) int {
	best := len(groups)
	for at := range groups {
		if higher := max(height(groups[:at]), height(groups[at:])); higher < max(height(groups[:best]), height(groups[best:])) {
			best = at
		}
	}
	return best
}

// height is how many lines a column has, with the space between groups.
func height(groups []keys.Group) int {
	const title = 2
	lines := 0
	for _, g := range groups {
		lines += title + len(g.Actions)
	}
	return max(0, lines-1)
}

func column(f page.Frame, groups []keys.Group, width int) []string {
	var out []string
	for _, g := range groups {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, f.Theme.Paint(theme.Strong, text.Cut(g.Title, width)))
		for _, a := range g.Actions {
			h := a.Help()
			name := text.Fit("  "+h.Key, nameWidth)
			line := f.Theme.Paint(theme.Accent, name) + h.Desc
			if a.Off != "" {
				line = f.Theme.Paint(theme.Muted, name+h.Desc+": not now, "+a.Off)
			}
			out = append(out, text.Cut(line, width))
		}
	}
	return out
}

func count(groups []keys.Group) string {
	n := 0
	for _, g := range groups {
		n += len(g.Actions)
	}
	return strconv.Itoa(n)
}
