package rowlist

import (
	"strings"
	"time"

	"pgtower/ui/text"
	"pgtower/ui/theme"
)

const (
	gutter = 3 // before the first column: the mark of the selected row
	gap    = 2 // between columns
	bar    = " ▌ "
)

// View draws the column titles and as many rows as there is room for: height lines of
// width cells. marked says which rows are new or changed; it may be nil.
func (m *Model[R]) View(th *theme.Theme, now time.Time, width, height int, marked func(R) bool) []string {
	m.SetHeight(height - 1)
	widths := m.layout(width)
	lines := make([]string, 0, height)
	if height > 0 {
		lines = append(lines, m.heading(th, widths, width))
	}
	var b strings.Builder
	for i := m.offset; i < m.Len() && len(lines) < height; i++ {
		b.Reset()
		row := m.Row(i)
		m.draw(&b, th, now, row, widths, i == m.cursor, marked != nil && marked(row))
		lines = append(lines, b.String())
	}
	return text.Block(lines, width, height)
}

// layout gives each column its width, 0 to those that have to leave.
func (m *Model[R]) layout(width int) []int {
	widths := make([]int, len(m.columns))
	for i, c := range m.columns {
		widths[i] = c.Width
	}
	total := func() int {
		sum := gutter
		for _, w := range widths {
			if w > 0 {
				sum += w + gap
			}
		}
		return sum - gap
	}
	for total() > width {
		leave := -1
		for i, c := range m.columns {
			if widths[i] > 0 && c.Priority > 0 && (leave < 0 || c.Priority >= m.columns[leave].Priority) {
				leave = i
			}
		}
		if leave < 0 {
			break
		}
		widths[leave] = 0
	}
	m.grow(widths, width-total())
	return widths
}

// grow shares what is over among the columns that want it.
func (m *Model[R]) grow(widths []int, spare int) {
	shares := 0
	for i, c := range m.columns {
		if widths[i] > 0 {
			shares += c.Grow
		}
	}
	for i, c := range m.columns {
		if widths[i] > 0 && c.Grow > 0 && spare > 0 {
			part := spare * c.Grow / shares
			widths[i] += part
			spare -= part
			shares -= c.Grow
		}
	}
}

func (m *Model[R]) heading(th *theme.Theme, widths []int, width int) string {
	var b strings.Builder
	b.WriteString(text.Spaces(gutter))
	space := 0
	for i, c := range m.columns {
		if widths[i] > 0 {
			b.WriteString(text.Spaces(space))
			b.WriteString(fit(c.Title, widths[i], c.Right))
			space = gap
		}
	}
	return th.Paint(theme.Heading, text.Fit(b.String(), width))
}

func (m *Model[R]) draw(b *strings.Builder, th *theme.Theme, now time.Time, row R, widths []int, selected, marked bool) {
	switch {
	case selected:
		b.WriteString(th.Open(theme.Selected) + bar)
	case marked:
		b.WriteString(th.Paint(theme.Fresh, " ∙ "))
	default:
		b.WriteString(text.Spaces(gutter))
	}
	space := 0
	for i, c := range m.columns {
		if widths[i] == 0 {
			continue
		}
		b.WriteString(text.Spaces(space))
		space = gap
		cell, tone := c.Cell(row, now)
		cell = fit(cell, widths[i], c.Right)
		if selected {
			// One look for the whole row: an inner reset would end its background.
			b.WriteString(cell)
		} else {
			b.WriteString(th.Paint(tone, cell))
		}
	}
	if selected {
		b.WriteString(th.Close())
	}
}

func fit(s string, width int, right bool) string {
	if right {
		return text.FitRight(s, width)
	}
	return text.Fit(s, width)
}
