package table

import "pgtower/ui/style"

const (
	openIndent   = 1   // cells before open details
	paneIndent   = 3   // cells before details below the table
	detailWidth  = 100 // longer lines of open details are hard to read
	lowDetail    = 5   // so few lines of details have none to spare for the hint that there are more
	announcedRaw = 100 // lines of JSON that are announced at once
)

// opened draws open details. The first line has the title, and does not scroll.
func (s *scene[R]) opened(row R, height int) []string {
	width := min(s.f.Width-2*openIndent, detailWidth)
	hint, r := "more below: "+s.f.Key("scroll-down"), s.record(row)
	if height <= lowDetail {
		return s.inset(s.openedLines(r.lines(s.f.Theme, width), width), openIndent, s.f.Width, height, hint)
	}
	tabs, cells := s.tabs(row)
	head, whole := r.head(s.f.Theme, s.f.Width-2*openIndent-cells)
	if !whole {
		head = s.f.Theme.Paint(style.Strong, head)
	}
	first := style.Ends(style.Spaces(openIndent)+head, tabs, s.f.Width)
	lines := s.openedLines(r.below(s.f.Theme, width, !whole), width)
	return append([]string{first}, s.inset(lines, openIndent, s.f.Width, height-1, hint)...)
}

// openedLines returns the lines of the tab that is shown; fields are those of the first one.
func (s *scene[R]) openedLines(fields []string, width int) (lines []string) {
	tab := s.details.rawOf(s.list.key)
	if tab == nil {
		return fields
	}
	for _, line := range tab.lines {
		lines = append(lines, style.Wrap(line, width)...)
	}
	return lines
}

// tabs draws the titles of the tabs, which react to clicks, and returns their width. A row with one tab has no titles.
func (s *scene[R]) tabs(row R) (tabs string, cells int) {
	if !s.config.hasRaw(row) {
		return "", 0
	}
	titles := []string{" Fields ", " JSON "}
	for _, title := range titles {
		cells += len(title)
	}
	cell, rawShown := s.f.Width-cells, s.details.rawOf(s.list.key) != nil
	for i, title := range titles {
		tone := style.Selected
		if rawShown != (i == 1) {
			tone = style.Muted
			s.link(s.drawn.above, cell, cell+len(title), s.turnTab)
		}
		cell += len(title)
		tabs += s.f.Theme.Paint(tone, title)
	}
	return tabs, cells
}

// inset draws the lines of details from the first one that scrolling left on the screen. hint names the key that shows more.
func (s *scene[R]) inset(lines []string, indent, width, height int, hint string) []string {
	s.drawn.detailLines, s.drawn.detailHeight = len(lines), height
	lines = lines[max(0, min(s.details.scroll, len(lines)-height)):]
	out := make([]string, len(lines))
	for i, line := range lines {
		last := i == height-1 && len(lines) > height
		switch {
		case last && height < lowDetail:
			line = style.Ends(
				line, s.f.Theme.Paint(style.Muted, "↓ "+s.f.Key("scroll-down")+" "), width-indent,
			)
		case last:
			line = s.f.Theme.Paint(style.Muted, "↓ "+hint)
		}
		out[i] = style.Spaces(indent) + line
	}
	return style.Block(out, width, height)
}

// sayOpened returns the lines that announce open details.
func (s *scene[R]) sayOpened(row R) []string {
	tab := s.details.rawOf(s.list.key)
	if tab == nil {
		return s.record(row).said()
	}
	return append([]string{"JSON"}, tab.lines[:min(len(tab.lines), announcedRaw)]...)
}

// besides returns the lines of the pane: the record of a row, or the row as JSON.
func (s *scene[R]) besides(row R, width int) []string {
	r := s.record(row)
	if s.details.rawOf(s.list.key) == nil {
		return r.lines(s.f.Theme, width)
	}
	const title = "JSON"
	head := style.Ends(s.f.Theme.Paint(style.Strong, style.Cut(r.Title, width-len(title)-1)), s.f.Theme.Paint(style.Muted, title), width)
	return append([]string{head, ""}, s.openedLines(nil, width)...)
}
