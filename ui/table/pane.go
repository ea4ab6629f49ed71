package table

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// paneFrom is the width of a screen that shows the pane until the user closes it.
	paneFrom = 140
	// besideFrom is the width of a screen where the pane stands beside the table. paneMin and paneMax
	// bound its width unless the user changes it: no field is longer.
	besideFrom, paneMin, paneMax = 110, 40, 58
	// The user makes it wider by paneStep cells, as long as tableMin are left for the table.
	paneStep, tableMin = 4, 60
	// tall is how many lines there must be for the pane to stand below, in paneLines lines.
	tall, paneLines = 36, 17
	borderWidth     = 2
	paneIndent      = 3   // cells before a detail that is not beside the table
	detailWidth     = 100 // longer lines of an open detail are hard to read
	rest            = 100 * time.Millisecond
)

// pane is the detail beside or below the table, which a key opens and closes. It follows the selection at once; but
// while keys come quickly one after another it keeps its row until they rest: nobody reads what passes by, and
// drawing it costs more than the rest of the frame. Where the rows are scrolled, it is empty until then: a terminal
// scrolls whole lines, and would have to write all of them anew.
type pane[R any] struct {
	alarm  page.Timer
	moving bool // keys may still come
	held   bool
	row    R   // that it keeps while it is held
	offset int // of the rows when it was held

	// As it was last drawn: whether the screen has room for it, whether it is shown there, and its corner.
	fits, shown bool
	left, top   int
	wide        int // beside the rows

	dragged bool // the mouse holds its edge
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

// togglePane opens or closes the pane on all pages.
func (m *Model[R, K]) togglePane() {
	m.Session.Layout.Pane = new(!m.pane.shown)
	m.Session.Emit(page.KeepLayout{})
}

// widen makes the pane wider by so many cells, on all pages.
func (m *Model[R, K]) widen(by int) func() tea.Cmd {
	return action.Do(func() {
		m.Session.Layout.PaneWidth = max(paneMin, m.pane.wide+by)
		m.Session.Emit(page.KeepLayout{})
	})
}

// grab reports whether a click takes hold of the edge between the rows and the pane beside them.
func (p *pane[R]) grab(x int) bool {
	p.dragged = p.wide > 0 && x >= p.left && x < p.left+borderWidth
	return p.dragged
}

// drag moves the edge of the pane to where the mouse is, and keeps that once it lets go.
func (m *Model[R, K]) drag(to page.Drag) {
	m.Session.Layout.PaneWidth = max(paneMin, min(to.Width-to.X-borderWidth, to.Width-tableMin))
	if to.Done {
		m.pane.dragged = false
		m.Session.Emit(page.KeepLayout{})
	}
}

// split settles where the pane is: beside a table of that width, or below in so many lines, or nowhere.
func (m *Model[R, K]) split(screen, height int) (table, beside, below int) {
	p, layout := &m.pane, m.Session.Layout
	open := layout.Pane
	p.fits = screen >= besideFrom || height >= tall
	p.shown = p.fits && (open == nil && screen >= paneFrom || open != nil && *open)
	p.left, p.top, p.wide = screen, 0, 0
	switch {
	case !p.shown:
		return screen, 0, 0
	case screen < besideFrom:
		p.left, p.top = 0, m.above+height-paneLines-1
		return screen, 0, paneLines
	}
	beside = min(max(paneMin, screen*7/20), paneMax)
	if layout.PaneWidth > 0 {
		beside = max(paneMin, min(layout.PaneWidth, screen-tableMin))
	}
	p.wide = beside
	p.left = screen - beside - borderWidth
	return p.left, beside, 0
}

// rowsAndDetail draws the rows, and the pane if it is open.
func (s *scene[R, K]) rowsAndDetail(row R, height int) []string {
	full := s.f.Width
	width, beside, below := s.split(full, height)
	if s.pane.held {
		row = s.pane.row
	}
	var lines []string
	if s.pane.shown && (!s.pane.held || s.offset == s.pane.offset) {
		lines = s.detail(row).lines(s.f.Theme, max(beside-1, full*below/paneLines-2*paneIndent))
	}
	more := s.f.Key("details") + ": more"
	switch {
	case beside > 0:
		border := s.f.Theme.Paint(style.Rule, "│ ")
		return s.rows(width, height, border, s.inset(lines, 0, beside, height, more))
	case below > 0:
		out := s.rows(width, height-below-1, "", nil)
		out = append(out, s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
		return append(out, s.inset(lines, paneIndent, full, below, more)...)
	}
	return s.rows(width, height, "", nil)
}

func (s *scene[R, K]) opened(row R, height int) []string {
	lines := s.detail(row).lines(s.f.Theme, min(s.f.Width-2*paneIndent, detailWidth))
	return s.inset(lines, paneIndent, s.f.Width, height, "more below: "+s.f.Key("scroll-down"))
}

// inset draws the lines of a detail from where it is scrolled to. more says how to see the others.
func (s *scene[R, K]) inset(lines []string, indent, width, height int, more string) []string {
	s.detailLines, s.detailHeight = len(lines), height
	s.scrollBy(0)
	lines = lines[s.scroll:]
	out := make([]string, len(lines))
	for i, line := range lines {
		if i == height-1 && len(lines) > height {
			line = s.f.Theme.Paint(style.Muted, "↓ "+more)
		}
		out[i] = style.Spaces(indent) + line
	}
	return style.Block(out, width, height)
}

// detail is the record of a row. It says so if the row no longer matches the filter.
func (s *scene[R, K]) detail(row R) Record {
	r := s.Detail(row, s.at(row))
	if s.lapsed && s.key == s.Source.Key(row) {
		r.Fields = slices.Insert(r.Fields, 0, Field{Label: "filter", Value: Lapsed, Tone: style.Waiting})
	}
	if console := s.Session.Console; !console.IsZero() && s.Values != nil {
		r.Link, _ = console.URL(s.Values(row))
		for i := range r.Fields {
			f := &r.Fields[i]
			f.Linked = f.Label == "id" || slices.Contains(console.Names(), f.Label)
		}
	}
	return r
}
