package termtest

import uv "github.com/charmbracelet/ultraviolet"

// draw copies the emulator's cells; the mutex is held.
func (d *display) draw() Screen {
	s := Screen{
		Cols:          d.em.Width(),
		Rows:          d.em.Height(),
		Fg:            d.palette.resolve(d.em.ForegroundColor(), d.palette.fg),
		Bg:            d.palette.resolve(d.em.BackgroundColor(), d.palette.bg),
		Cursor:        d.em.CursorPosition(),
		CursorVisible: !d.noCursor,
	}
	s.Cells = make([][]Cell, s.Rows)
	for y := range s.Cells {
		s.Cells[y] = d.drawLine(s, y)
	}
	return s
}

func (d *display) drawLine(s Screen, y int) []Cell {
	line := make([]Cell, s.Cols)
	for x := range line {
		cell := d.em.CellAt(x, y)
		switch {
		case cell == nil:
			line[x] = Cell{Text: " ", Width: 1, Fg: s.Fg, Bg: s.Bg}
		case cell.Width == 0 && x > 0:
			// The emulator keeps nothing beside a wide character's first column.
			line[x] = line[x-1]
			line[x].Text, line[x].Width = "", 0
		default:
			line[x] = d.drawCell(s, cell)
		}
	}
	return line
}

func (d *display) drawCell(s Screen, cell *uv.Cell) Cell {
	has := func(attr uint8) bool { return cell.Style.Attrs&attr != 0 }
	c := Cell{
		Text:      cell.Content,
		Width:     max(cell.Width, 1),
		Fg:        d.palette.resolve(cell.Style.Fg, s.Fg),
		Bg:        d.palette.resolve(cell.Style.Bg, s.Bg),
		Bold:      has(uv.AttrBold),
		Faint:     has(uv.AttrFaint),
		Italic:    has(uv.AttrItalic),
		Underline: cell.Style.Underline != uv.UnderlineNone,
		Strike:    has(uv.AttrStrikethrough),
		Reverse:   has(uv.AttrReverse),
	}
	if c.Text == "" {
		c.Text = " "
	}
	if c.Reverse {
		c.Fg, c.Bg = c.Bg, c.Fg
	}
	if has(uv.AttrConceal) {
		c.Fg = c.Bg
	}
	return c
}
