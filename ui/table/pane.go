package table

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

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
	// detailWidth is the width up to which lines of an open detail are read with ease.
	detailWidth = 100
	// rest is how long the keys that move have to be still for the detail beside the table
	// to follow them again.
	rest = 100 * time.Millisecond
)

// pane is the detail beside the table. It follows the selection at once; but while keys come
// quickly one after another it keeps its row until they rest: nobody reads what passes by, and
// drawing it costs more than the rest of the frame. Where the rows are scrolled, it is empty
// until then: a terminal scrolls whole lines, and would have to write all of them anew.
type pane[R any] struct {
	alarm  page.Alarm
	moving bool // keys may still come
	held   bool
	row    R   // that it keeps while it is held
	offset int // of the rows when it was held
}

// rested says that the keys of a table have come to rest.
type rested struct{ of any }

// passed notes that a key moved the selection away from a row, when offset was that of the rows.
func (p *pane[R]) passed(s *page.Session, id page.ID, was R, offset int) tea.Cmd {
	if p.moving && !p.held {
		p.held, p.row, p.offset = true, was, offset
	}
	p.moving = true
	return p.alarm.Set(s, id, rest, rested{p})
}

// widths are those of the table and of the detail beside it, or 0: there may be no room for
// one, and nobody reads about a row that is selected only for being at the top.
func (m *Model[R, K]) widths(screen int) (table, pane int) {
	if screen < m.PaneFrom || !m.Chosen() {
		return screen - 1, 0
	}
	pane = min(max(paneMin, screen*7/20), paneMax)
	return screen - pane - 3, pane
}

// rowsAndDetail draws the rows, and the detail of a row that was chosen where there is room
// for it: to the right, or else below.
func (s *scene[R, K]) rowsAndDetail(selected R, height int) []string {
	width, pane := s.widths(s.f.Width)
	below := 0
	if pane == 0 && height >= tall && s.Chosen() {
		below = paneLines
	}
	row, room := selected, max(pane-1, 0)
	if s.pane.held {
		row = s.pane.row
	}
	if below > 0 {
		room = s.f.Width - 2*paneIndent
	}
	var lines []string
	if room > 0 && (!s.pane.held || s.offset == s.pane.offset) {
		lines = s.detail(row).lines(s.f.Theme, room)
	}
	right := beside{" ", make([]string, height)}
	if pane > 0 {
		right = beside{s.f.Theme.Paint(style.Rule, " │ "), style.Block(lines, pane, height)}
	}
	if below == 0 {
		return s.rows(width, height, right)
	}
	full := s.f.Width
	out := append(s.rows(width, height-below-1, right), s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
	if len(lines) > below {
		lines = append(lines[:below-1:below-1], s.f.Theme.Paint(style.Muted, "↓ "+s.f.Key("details")+" shows more"))
	}
	for _, line := range style.Block(lines, full-paneIndent, below) {
		out = append(out, style.Spaces(paneIndent)+line)
	}
	return out
}

// opened draws the detail in the place of the table.
func (s *scene[R, K]) opened(row R, height int) []string {
	lines := s.detail(row).lines(s.f.Theme, min(s.f.Width-2*paneIndent, detailWidth))
	s.detailLines, s.detailHeight = len(lines), height
	s.scrollBy(0)
	lines = lines[s.scroll:]
	out := make([]string, 0, height)
	for i, line := range lines {
		if i == height-1 && len(lines) > height {
			line = s.f.Theme.Paint(style.Muted, "↓ more below: "+s.f.Key("scroll-down"))
		}
		out = append(out, style.Spaces(paneIndent)+line)
	}
	return style.Block(out, s.f.Width, height)
}

// detail is the record of a row. It says so if the row no longer matches the filter.
func (s *scene[R, K]) detail(row R) Record {
	r := s.Detail(row, s.at(row))
	if s.lapsed && s.key == s.Source.Key(row) {
		r.Fields = slices.Insert(r.Fields, 0, Field{Label: "filter", Value: Lapsed, Tone: style.Waiting})
	}
	return r
}
