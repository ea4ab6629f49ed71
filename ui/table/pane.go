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
	// paneMin and paneMax bound the width of the detail beside the table: no field is longer.
	paneMin, paneMax = 40, 58
	// tall is how many lines there must be for the detail to stand below, in paneLines lines.
	tall, paneLines = 36, 17
	paneIndent      = 3   // cells before a detail that is not beside the table
	detailWidth     = 100 // longer lines of an open detail are hard to read
	rest            = 100 * time.Millisecond
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

// rested says that keys were still for a [rest].
type rested struct{ of any }

// passed notes that a key moved the selection from a row, when offset was that of the rows.
func (p *pane[R]) passed(s *page.Session, id page.ID, was R, offset int) tea.Cmd {
	if p.moving && !p.held {
		p.held, p.row, p.offset = true, was, offset
	}
	p.moving = true
	return p.alarm.Set(s, id, rest, rested{p})
}

// widths are those of the table and of the detail beside it. Nobody reads about a row that is only at the top.
func (m *Model[R, K]) widths(screen int) (table, pane int) {
	if screen < m.PaneFrom || !m.Chosen() {
		return screen - 1, 0
	}
	pane = min(max(paneMin, screen*7/20), paneMax)
	return screen - pane - 3, pane
}

// rowsAndDetail draws the rows, and a detail to the right or below where there is room for it.
func (s *scene[R, K]) rowsAndDetail(row R, height int) []string {
	full := s.f.Width
	width, pane := s.widths(full)
	room, below := pane-1, 0
	if pane == 0 && height >= tall && s.Chosen() {
		room, below = full-2*paneIndent, paneLines
	}
	if s.pane.held {
		row = s.pane.row
	}
	var lines []string
	if room > 0 && (!s.pane.held || s.offset == s.pane.offset) {
		lines = s.detail(row).lines(s.f.Theme, room)
	}
	border, right := " ", make([]string, height)
	if pane > 0 {
		border, right = s.f.Theme.Paint(style.Rule, " │ "), style.Block(lines, pane, height)
	}
	if below == 0 {
		return s.rows(width, height, border, right)
	}
	out := append(s.rows(width, height-below-1, border, right), s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
	return append(out, s.inset(lines, full, below, s.f.Key("details")+" shows more")...)
}

func (s *scene[R, K]) opened(row R, height int) []string {
	lines := s.detail(row).lines(s.f.Theme, min(s.f.Width-2*paneIndent, detailWidth))
	s.detailLines, s.detailHeight = len(lines), height
	s.scrollBy(0)
	return s.inset(lines[s.scroll:], s.f.Width, height, "more below: "+s.f.Key("scroll-down"))
}

// inset draws the lines of a detail that is not beside the table. more says how to see the others.
func (s *scene[R, K]) inset(lines []string, width, height int, more string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if i == height-1 && len(lines) > height {
			line = s.f.Theme.Paint(style.Muted, "↓ "+more)
		}
		out[i] = style.Spaces(paneIndent) + line
	}
	return style.Block(out, width, height)
}

// detail is the record of a row. It says so if the row no longer matches the filter.
func (s *scene[R, K]) detail(row R) Record {
	r := s.Detail(row, s.at(row))
	if s.lapsed && s.key == s.Source.Key(row) {
		r.Fields = slices.Insert(r.Fields, 0, Field{Label: "filter", Value: Lapsed, Tone: style.Waiting})
	}
	return r
}
