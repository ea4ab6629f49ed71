package table

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

const (
	// A screen of paneFrom cells shows the pane until the user closes it, and of besideFrom cells beside the table.
	paneFrom, besideFrom = 140, 110
	paneMin, paneMax     = 40, 58 // cells: no field is longer. The configuration can make it wider,
	tableMin             = 66     // as long as the table has tableMin
	tall, paneLines      = 36, 17 // the pane stands below the table, in paneLines lines, on a screen with tall lines
	borderWidth          = 2
	rest                 = 100 * time.Millisecond
)

// pane shows the details beside or below the table; a key opens and closes it. It follows the selection. But while keys come
// quickly one after another, it keeps its row until they have paused for a [rest]: nobody reads what passes by, and drawing it
// costs more than the rest of the frame. If the rows scroll meanwhile, the pane is empty: a terminal scrolls whole lines, and
// would have to write all of them again.
type pane[R any] struct {
	session *page.Session
	page    page.ID

	timer  page.Timer
	moving bool // keys may still come
	held   bool // the pane keeps its row
	row    R
	offset int // of the rows, when the pane began to keep its row

	// As it was last drawn:
	fits, shown bool // the screen has room for it; it is shown
	left, top   int  // its corner
	wide        int  // its width beside the rows, or 0
}

// passed records that a key moved the selection from a row, when offset was that of the rows.
func (p *pane[R]) passed(row R, offset int) tea.Cmd {
	if p.moving && !p.held {
		p.held, p.row, p.offset = true, row, offset
	}
	p.moving = true
	return p.timer.Set(p.session, p.page, rest, page.Result(p.rested))
}

func (p *pane[R]) rested() tea.Cmd {
	p.moving, p.held = false, false
	return nil
}

// unfit reports whether the screen has no room for it.
func (p *pane[R]) unfit() bool { return !p.fits }

// toggle opens or closes the pane on all pages.
func (p *pane[R]) toggle() {
	p.session.Layout.Pane = new(!p.shown)
	p.session.Emit(page.KeepLayout{})
}

// covers reports whether a cell belongs to the pane or its edge.
func (p *pane[R]) covers(x, y int) bool { return x >= p.left && y >= p.top }

// locate decides where the pane is on a screen, whose table has height lines from line top on: beside the table, in wide cells,
// or below it. It returns the number of lines below, with the edge.
func (p *pane[R]) locate(screen, top, height int) (below int) {
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
		return paneLines + 1
	case layout.PaneWidth > 0:
		p.wide = max(paneMin, min(layout.PaneWidth, screen-tableMin))
	default:
		p.wide = min(max(paneMin, screen*7/20), paneMax)
	}
	p.left = screen - p.wide - borderWidth
	return 0
}
