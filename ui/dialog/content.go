package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// content is everything that a dialog shows. Its frame is what the box holds: lines of Width
// cells, of which Height fit.
type content struct {
	page.Frame

	rows []row
	// body draws what stands before the row above, in as many rows as there is room for: the
	// others are always drawn. It may be nil.
	body  func(room int) []row
	above int
	said  announce.Description
}

// row is a line of the box. click does what a click at its cell x does; it may be nil.
type row struct {
	text  string
	click func(x int) tea.Cmd
}

// Line is a paragraph of a dialog.
type Line struct {
	Tone style.Tone
	Text string
	// Heard is what is said in place of Text, unless it is empty.
	Heard string
}

func (l Line) in(f page.Frame) string {
	if f.Spoken && l.Heard != "" {
		return l.Heard
	}
	return l.Text
}

// Paragraphs wraps the lines to the frame's width.
func Paragraphs(f page.Frame, lines []Line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, f.Theme.Paragraph(l.Tone, l.in(f), f.Width)...)
	}
	return out
}

// text adds paragraphs that are said when the dialog opens.
func (c *content) text(lines ...Line) {
	said := Paragraphs(c.Frame, lines)
	c.draw(said...)
	c.said.Text = append(c.said.Text, said...)
}

// note adds paragraphs that are said again when they change. Those that are current are said
// again by a key that changed nothing, too.
func (c *content) note(name string, current bool, lines ...Line) {
	said := Paragraphs(c.Frame, lines)
	c.draw(said...)
	c.say(announce.Part{Name: name, Text: strings.Join(said, "\n"), Current: current})
}

// say adds what is said and not drawn, draw what is drawn and not said.
func (c *content) say(parts ...announce.Part) { c.said.Parts = append(c.said.Parts, parts...) }
func (c *content) draw(lines ...string)       { c.rows = append(c.rows, plain(lines)...) }
func (c *content) gap()                       { c.draw("") }

func plain(lines []string) []row {
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i].text = line
	}
	return rows
}

// fill adds what body draws.
func (c *content) fill(body func(room int) []row) { c.above, c.body = len(c.rows), body }

// scrolled adds lines that are scrolled where there are too many of them.
func (c *content) scrolled(s *scroll, lines []string) {
	c.fill(func(room int) []row { return plain(s.window(c.Frame, lines, room)) })
}

// field adds a line to type in. The prompt stands before it, or else the label does. A click
// on it calls focus, which may be nil.
func (c *content) field(prompt, label string, in *input.Model, focus func()) {
	const least = 12 // cells to type in beside the label
	if spoken := in.Spoken(label); spoken != nil {
		c.said.Field = spoken
	}
	if c.Spoken {
		return // it would be drawn as wide as a line that has no end
	}
	before := c.Theme.Paint(style.Accent, prompt)
	if prompt == "" {
		before = c.Theme.Paint(style.Strong, label+": ")
		if c.Width-style.Width(before) <= least {
			c.draw(before)
			before = ""
		}
	}
	c.draw(before + in.View(c.Theme, c.Width-style.Width(before)))
	if focus != nil {
		c.rows[len(c.rows)-1].click = func(int) tea.Cmd {
			focus()
			return nil
		}
	}
}

// button is what can be clicked below the text.
type button struct {
	label       string
	danger, off bool
	press       func() tea.Cmd
}

// buttons adds a row of buttons at the right. Brackets are around the focused one and
// parentheses around those that are off, because there may be no colours to tell them by.
func (c *content) buttons(focused int, all ...button) {
	painted := make([]string, len(all))
	for i, b := range all {
		tone, left, right := style.Button, "  ", "  "
		switch {
		case b.off:
			tone, left, right = style.Muted, "( ", " )"
		case i == focused:
			tone, left, right = style.Focused, "[ ", " ]"
		case b.danger:
			tone = style.Danger
		}
		painted[i] = c.Theme.Paint(tone, left+b.label+right)
	}
	c.rows = append(c.rows, row{style.Ends("", strings.Join(painted, " "), c.Width), func(x int) tea.Cmd {
		from := c.Width
		for i, b := range slices.Backward(all) {
			to := from
			from -= style.Width(painted[i])
			if x >= from && x < to {
				return b.press()
			}
			from-- // the space between two buttons
		}
		return nil
	}})
}
