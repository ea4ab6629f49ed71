// Package dialog is what is drawn over a page: questions, forms, lists to choose from, texts to read. A dialog
// describes what it shows once, as a [content]: what is drawn, what is said and what the mouse points at follow from
// it.
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
	maxWidth    = 68      // that of most boxes: longer lines are hard to read
	spokenWidth = 1 << 14 // more than any paragraph is long: a line that is said has no end
	// borders are the lines of a box around those that it holds, and beside the cells at each side of them.
	borders, beside = 2, 2
)

// base is what all dialogs have in common: a box with what the dialog shows.
type base struct {
	title     string
	show      func(*content)       // adds what the dialog shows to the content
	widest    func(page.Frame) int // returns how wide the box may be in a frame; nil stands for maxWidth
	minHeight int                  // lines of the least screen; 0 stands for [askHeight]
	done      bool
	warned    bool   // of what is lost without the dialog
	scroll    scroll // of the body
}

// The lines of the least screen for a dialog that asks something, and for one that lists or tells.
const askHeight, listHeight = 10, 6

// MinHeight returns the lines of the least screen on which the dialog can be judged.
func (b *base) MinHeight() int { return cmp.Or(b.minHeight, askHeight) }

// Done reports that the dialog is to be closed.
func (b *base) Done() bool { return b.done }

// OnSessionEnd closes the dialog, which means nothing without its session.
func (b *base) OnSessionEnd() bool { return false }

// ExitWarning returns "": nothing is lost.
func (b *base) ExitWarning() string { return "" }

// Warn has the dialog say what is lost without it, and reports whether it did before.
func (b *base) Warn() (again bool) {
	again, b.warned = b.warned, true
	return again
}

func (b *base) width(f page.Frame) int {
	widest := maxWidth
	if b.widest != nil {
		widest = b.widest(f)
	}
	const narrow, margin = 60, 4
	if f.Width >= narrow {
		widest = min(widest, f.Width-margin)
	}
	return max(4, min(widest, f.Width))
}

// room returns how many lines a box has room for. There are empty ones around them on a screen that is high enough.
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

// rows returns what the box holds, between empty rows if there is room for them. If there are too many, the first and
// the last two stay: the question stands at the top and the buttons at the bottom.
func (b *base) rows(f page.Frame) []row {
	c := b.content(f)
	rows := c.rows
	if c.body != nil {
		rows = slices.Insert(rows, c.above, c.body(c.Height-len(rows))...)
	}
	room := max(1, f.Height-borders)
	if over := len(rows) - room; over > 0 {
		at := max(0, room-2)
		return slices.Delete(rows, at, at+over)
	}
	if len(rows) < room {
		rows = slices.Insert(rows, 0, row{})
	}
	if len(rows) < room {
		rows = append(rows, row{})
	}
	return rows
}

// View draws the dialog's box. What is too long is cut: the frame would wrap it, and so push other lines out.
func (b *base) View(f page.Frame) string {
	width := b.width(f)
	var lines []string
	for _, r := range b.rows(f) {
		lines = append(lines, style.Cut(r.text, max(1, width-2*beside)))
	}
	return f.Theme.Box(style.Cut(b.title, width-5), strings.Join(lines, "\n"), width)
}

// Describe says what View draws: in lines that have no colours and no end.
func (b *base) Describe(f page.Frame) announce.Description {
	f.Accessible, f.Theme = true, &style.Theme{}
	return b.content(f).said
}

// Update does what was clicked, and scrolls.
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

// closeButton adds the button of a dialog that only has to be read.
func (b *base) closeButton(c *content) { c.buttons(0, button{label: "Close", press: b.close}) }

// Actions declares the keys of such a dialog.
func (b *base) Actions() []action.Group {
	return only(append([]action.Action{key("close", b.close, "enter"), b.leave("close")}, b.scroll.actions(false)...)...)
}

// leave declares the key that closes the dialog.
func (b *base) leave(title string) action.Action { return key(title, b.close, "esc") }

// key declares an action that the footer shows.
func key(title string, run func() tea.Cmd, keys ...string) action.Action {
	return action.Action{Title: title, Keys: keys, Footer: action.Shown, Run: run}
}

// only returns the groups of a dialog, which has one.
func only(actions ...action.Action) []action.Group { return []action.Group{{Actions: actions}} }

// NewMessage makes a dialog that only has to be read.
func NewMessage(title string, lines []Line) page.Dialog {
	b := &base{title: title, minHeight: listHeight}
	b.show = func(c *content) {
		c.said.Text = Paragraphs(c.Frame, lines)
		c.scrolled(&b.scroll, c.said.Text)
		c.gap()
		b.closeButton(c)
	}
	return b
}

// content is what a dialog shows, in a frame of the Width and Height that the box has inside.
type content struct {
	page.Frame

	rows []row
	// body draws what stands before the row above, in the room that the others leave. It may be nil.
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
	Tone      style.Tone
	Text      string
	Announced string // what is said in place of Text, unless it is empty
}

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

// note adds paragraphs that are said when they change, and if current also by a key that changed nothing.
func (c *content) note(name string, current bool, lines ...Line) {
	said := Paragraphs(c.Frame, lines)
	c.draw(said...)
	c.say(announce.Part{Name: name, Text: strings.Join(said, "\n"), Current: current})
}

// say adds what is said and not drawn, draw what is drawn and not said.
func (c *content) say(parts ...announce.Part) { c.said.Parts = append(c.said.Parts, parts...) }
func (c *content) draw(lines ...string)       { c.rows = append(c.rows, plain(lines)...) }

// gap adds an empty line if there is room for such.
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

// scrolled adds lines that are scrolled where there are too many of them.
func (c *content) scrolled(s *scroll, lines []string) {
	c.fill(func(room int) []row { return plain(s.window(c.Frame, lines, room)) })
}

// field adds a line to type in, after the prompt or else the label. A click on it calls focus, which may be nil.
func (c *content) field(prompt, label string, in *input.Model, focus func()) {
	const least = 12 // cells to type in beside the label
	if spoken := in.Describe(label); spoken != nil {
		c.said.Field = spoken
	}
	if c.Accessible {
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

type button struct {
	label       string
	danger, off bool
	press       func() tea.Cmd
}

// buttons adds buttons. The focused one has brackets and one that is off parentheses: there may be no colours.
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
