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
	// A screen of paneFrom cells shows the pane until the user closes it, and of besideFrom cells beside the table.
	paneFrom, besideFrom = 140, 110
	paneMin, paneMax     = 40, 58 // cells: no field is longer. The user can make it wider,
	paneStep, tableMin   = 4, 66  // by paneStep cells, as long as the table has tableMin
	tall, paneLines      = 36, 17 // the pane stands below the table, in paneLines lines, on a screen with tall lines
	borderWidth          = 2
	paneIndent           = 3   // cells before details that are not beside the table
	detailWidth          = 100 // longer lines of open details are hard to read
	lowDetail            = 5   // lines of details with none to spare for the mark that there are more
	rest                 = 100 * time.Millisecond
)

// pane is the details beside or below the table, which a key opens and closes. It follows the selection immediately. But
// while keys come quickly one after another it keeps its row for a [rest]: nobody reads what passes by, and drawing it
// costs more than the rest of the frame. If the rows are scrolled meanwhile, it is empty: a terminal scrolls whole lines,
// and would have to rewrite all of them.
type pane[R any] struct {
	session *page.Session
	page    page.ID

	timer  page.Timer
	moving bool // keys may still come
	held   bool // the pane keeps its row
	row    R
	offset int // of the rows at that time

	// As it was last drawn:
	fits, shown bool // the screen has room for it; it is shown
	left, top   int  // its corner
	wide        int  // its width beside the rows, or 0
}

// passed records that a key moved the selection from a row, when offset was that of the rows.
func (p *pane[R]) passed(was R, offset int) tea.Cmd {
	if p.moving && !p.held {
		p.held, p.row, p.offset = true, was, offset
	}
	p.moving = true
	return p.timer.Set(p.session, p.page, rest, page.Result(p.rested))
}

func (p *pane[R]) rested() tea.Cmd {
	p.moving, p.held = false, false
	return nil
}

// toggle opens or closes the pane on all pages.
func (p *pane[R]) toggle() {
	p.session.Layout.Pane = new(!p.shown)
	p.session.Emit(page.KeepLayout{})
}

// widen makes the pane wider on all pages, by a number of cells.
func (p *pane[R]) widen(by int) func() tea.Cmd {
	return action.Do(func() {
		p.session.Layout.PaneWidth = max(paneMin, p.wide+by)
		p.session.Emit(page.KeepLayout{})
	})
}

// covers reports whether a cell belongs to the pane or its edge.
func (p *pane[R]) covers(x, y int) bool { return x >= p.left && y >= p.top }

// place decides where the pane is on a screen with height lines from line top on: beside the table in wide cells, or
// below it in some lines.
func (p *pane[R]) place(screen, top, height int) (below int) {
	layout := p.session.Layout
	p.fits = screen >= besideFrom || height >= tall
	p.shown = p.fits && screen >= paneFrom
	if layout.Pane != nil {
		p.shown = p.fits && *layout.Pane
	}
	p.left, p.top, p.wide = screen, 0, 0
	switch {
	case !p.shown:
		return 0
	case screen < besideFrom:
		p.left, p.top = 0, top+height-paneLines-1
		return paneLines
	case layout.PaneWidth > 0:
		p.wide = max(paneMin, min(layout.PaneWidth, screen-tableMin))
	default:
		p.wide = min(max(paneMin, screen*7/20), paneMax)
	}
	p.left = screen - p.wide - borderWidth
	return 0
}

// rowsAndDetail draws the rows, and the pane if it is open.
func (s *scene[R]) rowsAndDetail(row R, height int) []string {
	p, full := &s.table.pane, s.f.Width
	below := p.place(full, s.table.above, height)
	if p.held {
		row = p.row
	}
	var lines []string
	if p.shown && (!p.held || s.table.offset == p.offset) {
		lines = s.detail(row).lines(s.f.Theme, max(p.wide-1, full*below/paneLines-2*paneIndent))
	}
	more := s.f.Key("details") + ": more"
	switch {
	case p.wide > 0:
		border := s.f.Theme.Paint(style.Rule, "│ ")
		return s.rows(p.left, height, border, s.inset(lines, 0, p.wide, height, more))
	case below > 0:
		out := s.rows(full, height-below-1, "", nil)
		out = append(out, s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
		return append(out, s.inset(lines, paneIndent, full, below, more)...)
	}
	return s.rows(full, height, "", nil)
}

func (s *scene[R]) opened(row R, height int) []string {
	var tabs []string
	if height > lowDetail && s.table.hasRaw() {
		tabs = []string{s.tabs()}
	}
	lines := s.openedLines(row, min(s.f.Width-2*paneIndent, detailWidth))
	return append(tabs, s.inset(lines, paneIndent, s.f.Width, height-len(tabs), "more below: "+s.f.Key("scroll-down"))...)
}

// inset draws the lines of details from where they are scrolled to. more is the key that shows the others.
func (s *scene[R]) inset(lines []string, indent, width, height int, more string) []string {
	s.table.detailLines, s.table.detailHeight = len(lines), height
	s.table.scrollBy(0)
	lines = lines[s.table.scroll:]
	out := make([]string, len(lines))
	for i, line := range lines {
		switch last := i == height-1 && len(lines) > height; {
		case last && height < lowDetail:
			line = style.Ends(line, s.f.Theme.Paint(style.Muted, "↓ "+s.f.Key("scroll-down")+" "), width-indent)
		case last:
			line = s.f.Theme.Paint(style.Muted, "↓ "+more)
		}
		out[i] = style.Spaces(indent) + line
	}
	return style.Block(out, width, height)
}

// detail is the record of a row, with a field for whether it no longer matches the filter.
func (s *scene[R]) detail(row R) Record {
	r := s.table.Detail(row, s.at(row))
	if s.table.lapsed && s.table.key == s.table.Source.Key(row) {
		r.Fields = append([]Field{{Label: "filter", Value: Lapsed, Tone: style.Waiting}}, r.Fields...)
	}
	if console := s.table.Session.Console; !console.IsZero() && s.table.Values != nil {
		r.Link, _ = console.URL(s.table.Values(row))
		for i := range r.Fields {
			f := &r.Fields[i]
			f.Linked = f.Label == "id" || slices.Contains(console.Names(), f.Label)
		}
	}
	return r
}
