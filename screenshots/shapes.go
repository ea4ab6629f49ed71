package main

import (
	"strings"
	"unicode/utf8"

	"pgtower/internal/termtest"
)

// Where the lines of box-drawing characters cross in a cell, and how thick they are. The middle
// lies on half pixels, so that a line of one pixel is sharp.
const (
	midX = cellWidth / 2.0
	midY = cellHeight/2.0 + 0.5

	lightStroke = 1.0
	heavyStroke = 2.5
)

// Which arms (up, down, left, right) each box-drawing character has.
const (
	lightBoxes = "─lr │ud ┌dr ┐dl └ur ┘ul ├udr ┤udl ┬dlr ┴ulr ┼udlr ╴l ╵u ╶r ╷d"
	heavyBoxes = "━lr ┃ud ┏dr ┓dl ┗ur ┛ul ┣udr ┫udl ┳dlr ┻ulr ╋udlr ╸l ╹u ╺r ╻d"
	roundBoxes = "╭dr ╮dl ╰ur ╯ul"
)

// drawShape draws box-drawing and block characters without the font, and reports whether the cell
// holds one.
func (d *drawing) drawShape(cell termtest.Cell, x, y int) bool {
	r, size := utf8.DecodeRuneInString(cell.Text)
	if size != len(cell.Text) || r < '─' || r > '▟' {
		return false
	}
	left, top := x*cellWidth, y*cellHeight
	if arms, ok := armsOf(lightBoxes, cell.Text); ok {
		d.drawArms(pen{ink(cell), lightStroke}, arms, float64(left), float64(top))
		return true
	}
	if arms, ok := armsOf(heavyBoxes, cell.Text); ok {
		d.drawArms(pen{ink(cell), heavyStroke}, arms, float64(left), float64(top))
		return true
	}
	if arms, ok := armsOf(roundBoxes, cell.Text); ok {
		d.drawCorner(pen{ink(cell), lightStroke}, arms, float64(left), float64(top))
		return true
	}
	return d.drawBlock(cell, r, left, top)
}

func armsOf(table, box string) (string, bool) {
	_, rest, ok := strings.Cut(table, box)
	arms, _, _ := strings.Cut(rest, " ")
	return arms, ok
}

// drawArms draws from edge to middle or to the other edge, so that lines through the cell stay
// one line.
func (d *drawing) drawArms(p pen, arms string, left, top float64) {
	has := func(arm string) bool { return strings.Contains(arms, arm) }
	if has("l") || has("r") {
		from, to := left, left+cellWidth
		// A corner reaches across the other line's thickness.
		if !has("l") {
			from += midX - p.width/2
		}
		if !has("r") {
			to -= midX - p.width/2
		}
		d.lines.horizontal(p, from, to, top+midY)
	}
	if has("u") || has("d") {
		from, to := top, top+cellHeight
		if !has("u") {
			from = top + midY
		}
		if !has("d") {
			to = top + midY
		}
		d.lines.vertical(p, left+midX, from, to)
	}
}

// drawCorner draws a rounded corner of half a cell's width.
func (d *drawing) drawCorner(p pen, arms string, left, top float64) {
	corner := point{left + midX, top + midY}
	side := point{left + cellWidth, corner.y}
	if strings.Contains(arms, "l") {
		side.x = left
	}
	end := point{corner.x, corner.y + midX}
	if strings.Contains(arms, "u") {
		end.y = corner.y - midX
		d.lines.vertical(p, corner.x, top, end.y)
	} else {
		d.lines.vertical(p, corner.x, end.y, top+cellHeight)
	}
	d.lines.curve(p, end, corner, side)
}

// drawBlock draws the eighths, halves, quadrants and shades of a cell.
func (d *drawing) drawBlock(cell termtest.Cell, r rune, left, top int) bool {
	const w, h = cellWidth, cellHeight
	eighths := func(n rune, of int) int { return (int(n)*of + 4) / 8 }
	fill := func(x, y, w, h int) { d.fill(blocks, ink(cell), rect{left + x, top + y, w, h}) }
	switch {
	case r == '▀':
		fill(0, 0, w, h/2)
	case r >= '▁' && r <= '█':
		part := eighths(r-'▁'+1, h)
		fill(0, h-part, w, part)
	case r >= '▉' && r <= '▏':
		fill(0, 0, eighths('▏'-r+1, w), h)
	case r == '▐':
		fill(w/2, 0, w-w/2, h)
	case r >= '░' && r <= '▓':
		cell.Fg = mix(ink(cell), cell.Bg, float64(r-'░'+1)/4)
		cell.Faint = false
		fill(0, 0, w, h)
	case r == '▔':
		fill(0, 0, w, eighths(1, h))
	case r == '▕':
		fill(w-1, 0, 1, h)
	default:
		return false
	}
	return true
}
