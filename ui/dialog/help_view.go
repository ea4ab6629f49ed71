package dialog

import (
	"strconv"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
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
func (m *Help) wide(f page.Frame) bool {
	return f.Width >= wideFrom && helpHeight(m.groups) > Room(f)
}

func (m *Help) width(f page.Frame) int {
	if m.wide(f) {
		return min(wideMost, f.Width-4)
	}
	return Width(f)
}

func (m *Help) inner(f page.Frame) int { return max(1, m.width(f)-4) }

// head is the line in which a person types what they look for.
func (m *Help) head(f page.Frame) []string {
	if !m.filter.Shown() {
		return nil
	}
	return []string{m.filter.View(f.Theme, m.inner(f), helpCount(m.found())+" of "+helpCount(m.groups))}
}

// lines draws the keys. While some are looked for, the box stays as high as it was: what
// is typed into must not move.
func (m *Help) lines(f page.Frame) []string {
	if !m.filter.Shown() {
		return m.columns(f, m.groups)
	}
	out := m.columns(f, m.found())
	if len(m.found()) == 0 {
		said := "  No key does that: " + m.filter.Query() + ". esc shows all."
		out = []string{helpBlank, f.Theme.Paint(style.Muted, style.Cut(said, m.inner(f)))}
	}
	full := min(len(m.columns(f, m.groups)), Room(f))
	for len(out) < full-1 {
		out = append(out, helpBlank)
	}
	return out
}

// blank is a line that the box does not leave out at its end.
const helpBlank = " "

// columns draws the groups, side by side where they are to be.
func (m *Help) columns(f page.Frame, groups []action.Group) []string {
	if !m.wide(f) {
		return helpColumn(f, groups, m.inner(f))
	}
	at := helpHalf(groups)
	width := (m.inner(f) - gap) / 2
	left, right := helpColumn(f, groups[:at], width), helpColumn(f, groups[at:], width)
	lines := max(len(left), len(right))
	left, right = style.Block(left, width, lines), style.Block(right, width, lines)
	for i := range left {
		left[i] += style.Spaces(gap) + right[i]
	}
	return left
}

// half is how many of the groups stand on the left for both sides to be as low as they
// can.
func helpHalf(groups []action.Group) int {
	best := len(groups)
	for at := range groups {
		if higher := max(helpHeight(groups[:at]), helpHeight(groups[at:])); higher < max(helpHeight(groups[:best]), helpHeight(groups[best:])) {
			best = at
		}
	}
	return best
}

// height is how many lines a column has, with the space between groups.
func helpHeight(groups []action.Group) int {
	const title = 2
	lines := 0
	for _, g := range groups {
		lines += title + len(g.Actions)
	}
	return max(0, lines-1)
}

func helpColumn(f page.Frame, groups []action.Group, width int) []string {
	var out []string
	for _, g := range groups {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, f.Theme.Paint(style.Strong, style.Cut(g.Title, width)))
		for _, a := range g.Actions {
			h := a.Help()
			name := style.Fit("  "+h.Key, nameWidth)
			line := f.Theme.Paint(style.Accent, name) + h.Desc
			if a.Off != "" {
				line = f.Theme.Paint(style.Muted, name+h.Desc+": not now, "+a.Off)
			}
			out = append(out, style.Cut(line, width))
		}
	}
	return out
}

func helpCount(groups []action.Group) string {
	n := 0
	for _, g := range groups {
		n += len(g.Actions)
	}
	return strconv.Itoa(n)
}
