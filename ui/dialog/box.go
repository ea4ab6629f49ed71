// Package dialog has everything that is drawn over a page: questions, forms, lists to choose from, texts to read. A
// dialog describes what it shows once, as a [content], from which it is drawn, announced and clicked on.
package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	maxWidth    = 68      // of most boxes, in cells: longer lines are hard to read
	spokenWidth = 1 << 14 // longer than any paragraph: announced lines are not wrapped
	// borders is the number of lines of a border, top and bottom; beside is the number of cells at each side of the text.
	borders, beside = 2, 2
)

// base is the part that all dialogs share: a box, its keys and its mouse.
type base struct {
	title     string
	show      func(*content)       // adds what the dialog shows to the content
	limit     int                  // the maximum width of the box, in cells; 0 stands for maxWidth
	widest    func(page.Frame) int // returns the maximum width of the box in a frame, in place of limit; may be nil
	minHeight int                  // of the screen, in lines; 0 stands for [askHeight]
	done      bool
	warned    bool   // the user knows what is lost without the dialog
	scroll    scroll // of the body
	actions   []action.Group
}

// The minimum height of the screen, in lines, for a dialog that asks something and for one that shows something.
const askHeight, listHeight = 10, 6

// MinHeight returns the minimum height of a screen, in lines, on which the dialog shows enough to decide.
func (b *base) MinHeight() int { return cmp.Or(b.minHeight, askHeight) }

// Done reports whether the dialog can be closed.
func (b *base) Done() bool { return b.done }

// OnSessionEnd closes the dialog, which means nothing without its session.
func (b *base) OnSessionEnd() bool { return false }

// ExitWarning returns "": nothing is lost.
func (b *base) ExitWarning() string { return "" }

// Warn shows what is lost without the dialog, and reports whether it was shown before.
func (b *base) Warn() (shown bool) {
	shown, b.warned = b.warned, true
	return shown
}

func (b *base) width(f page.Frame) int {
	widest := cmp.Or(b.limit, maxWidth)
	if b.widest != nil {
		widest = b.widest(f)
	}
	const narrow, margin = 60, 4
	if f.Width >= narrow {
		widest = min(widest, f.Width-margin)
	}
	return max(4, min(widest, f.Width))
}

// room returns how many lines fit in a box. On a high screen, there are empty lines around them.
func room(f page.Frame) int {
	const low, empty = 18, 2
	if f.Height < low {
		return max(1, f.Height-borders)
	}
	return f.Height - borders - empty
}

func (b *base) content(f page.Frame) *content {
	f.Width, f.Height = max(1, b.width(f)-2*beside), room(f)
	if f.Accessible {
		f.Width = spokenWidth
	}
	c := &content{Frame: f, said: announce.Description{Name: b.title}}
	b.show(c)
	return c
}

// rows returns the rows of the box, between empty rows if there is room. If there are too many, the first rows and the last
// two stay: the question is at the top and the buttons are at the bottom.
func (b *base) rows(f page.Frame) []row {
	c := b.content(f)
	rows := c.rows
	if c.body != nil {
		rows = slices.Insert(rows, c.above, c.body(c.Height-len(rows))...)
	}
	room := max(1, f.Height-borders)
	if over := len(rows) - room; over > 0 {
		first := max(0, room-2)
		return slices.Delete(rows, first, first+over)
	}
	if len(rows) < room {
		rows = slices.Insert(rows, 0, row{})
	}
	if len(rows) < room {
		rows = append(rows, row{})
	}
	return rows
}

// View draws the dialog's box. Long lines are cut: a wrapped line would push another one out.
func (b *base) View(f page.Frame) string {
	width := b.width(f)
	var lines []string
	for _, r := range b.rows(f) {
		lines = append(lines, style.Cut(r.text, max(1, width-2*beside)))
	}
	return f.Theme.Box(style.Cut(b.title, width-5), strings.Join(lines, "\n"), width)
}

// Describe returns what View draws, in words.
func (b *base) Describe(f page.Frame) announce.Description {
	f.Accessible, f.Theme = true, &style.Theme{}
	return b.content(f).said
}

// Update handles clicks and the wheel.
func (b *base) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Wheel:
		b.scroll.by(msg.By)
	case page.Pressed:
		const border = borders / 2
		rows, x, y := b.rows(msg.Frame), msg.X-beside, msg.Y-border
		inside := x >= 0 && x < b.width(msg.Frame)-2*beside && y >= 0 && y < len(rows)
		if inside && rows[y].click != nil {
			return rows[y].click(x)
		}
	}
	return nil
}

func (b *base) close() tea.Cmd {
	b.done = true
	return nil
}

// closeButton adds the only button of a dialog that asks nothing.
func (b *base) closeButton(c *content) { c.buttons(0, button{label: "Close", press: b.close}) }

// closeBelow is closeButton below an empty line.
func (b *base) closeBelow(c *content) {
	c.gap()
	b.closeButton(c)
}

// Actions returns what can be done now.
func (b *base) Actions() []action.Group { return b.actions }

// closing declares the actions of a dialog that asks nothing.
func (b *base) closing() []action.Group {
	first := []*action.Action{key("close", b.close, "enter"), b.leave("close")}
	return only(append(first, b.scroll.actions(nil)...)...)
}

// leave returns the action that closes the dialog.
func (b *base) leave(title string) *action.Action { return key(title, b.close, "esc") }

// key returns an action that the footer shows.
func key(title string, run func() tea.Cmd, keys ...string) *action.Action {
	return &action.Action{Title: title, Keys: keys, Footer: action.Shown, Run: run}
}

// quiet returns an action that the footer does not show.
func quiet(title string, run func() tea.Cmd, keys ...string) *action.Action {
	return &action.Action{Title: title, Keys: keys, Run: run}
}

// only returns the groups of a dialog: there is one.
func only(actions ...*action.Action) []action.Group { return []action.Group{{Actions: actions}} }

// content is what a dialog shows. The frame has the width and height of the inside of the box.
type content struct {
	page.Frame

	rows  []row
	body  func(room int) []row // returns the scrolling rows, at most room; may be nil
	above int                  // the number of rows above them
	said  announce.Description // what is announced
}

// row is a line of the box. click handles a click at its cell x; it may be nil.
type row struct {
	text  string
	click func(x int) tea.Cmd
}

// anywhere returns a handler for clicks at any cell of a row.
func anywhere(press func() tea.Cmd) func(x int) tea.Cmd {
	return func(int) tea.Cmd { return press() }
}

// Line is a paragraph of a dialog.
type Line struct {
	Tone      style.Tone
	Text      string
	Announced string // announced in place of Text; empty stands for Text
}

func (l Line) muted() bool { return l.Tone == style.Muted }

func (l Line) in(f page.Frame) string {
	if f.Accessible && l.Announced != "" {
		return l.Announced
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

// note adds paragraphs that are announced when they change; current ones also after a key that changed nothing.
func (c *content) note(name string, current bool, lines ...Line) {
	paragraphs := Paragraphs(c.Frame, lines)
	c.draw(paragraphs...)
	c.say(announce.Part{Name: name, Text: strings.Join(paragraphs, "\n"), Current: current})
}

// say adds parts that are only announced, draw lines that are only drawn.
func (c *content) say(parts ...announce.Part) { c.said.Parts = append(c.said.Parts, parts...) }
func (c *content) draw(lines ...string)       { c.rows = append(c.rows, plain(lines)...) }

// gap adds an empty line if there is room for one.
func (c *content) gap() {
	const low = 9
	if c.Height >= low {
		c.draw("")
	}
}

func plain(lines []string) []row {
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i].text = line
	}
	return rows
}

func (c *content) fill(body func(room int) []row) { c.above, c.body = len(c.rows), body }

// scrolled adds lines, which scroll if there is no room for all.
func (c *content) scrolled(s *scroll, lines []string) {
	c.fill(func(room int) []row { return plain(s.window(c.Frame, lines, room)) })
}

// field adds an input after the prompt, or after the label if there is no prompt. A click calls focus; it may be nil.
func (c *content) field(prompt, label string, line *input.Model, focus func() tea.Cmd) {
	const least = 12 // cells of the input beside the label
	if spoken := line.Describe(label); spoken != nil {
		c.said.Field = spoken
	}
	if c.Accessible {
		return // announced lines have no width to draw in
	}
	head := c.Theme.Paint(style.Accent, prompt)
	if prompt == "" {
		head = c.Theme.Paint(style.Strong, label+": ")
		if c.Width-style.Width(head) <= least {
			c.draw(head)
			head = ""
		}
	}
	c.draw(head + line.View(c.Theme, c.Width-style.Width(head)))
	if focus != nil {
		c.rows[len(c.rows)-1].click = anywhere(focus)
	}
}

type button struct {
	label       string
	danger, off bool
	press       func() tea.Cmd
}

// buttons adds buttons: the focused one in brackets, disabled ones in parentheses, as there may be no colours.
func (c *content) buttons(focused int, buttons ...button) {
	painted := make([]string, len(buttons))
	for i, b := range buttons {
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
	line := strings.Join(painted, " ")
	left := c.Width - style.Width(line)
	c.rows = append(c.rows, row{
		style.Ends("", line, c.Width), func(x int) tea.Cmd { return pressAt(x-left, buttons, painted) },
	})
}

// pressAt presses the button at a cell of the line of painted buttons.
func pressAt(x int, buttons []button, painted []string) tea.Cmd {
	for i, b := range buttons {
		width := style.Width(painted[i])
		if x >= 0 && x < width {
			return b.press()
		}
		x -= width + 1 // the space between two buttons
	}
	return nil
}
