// Package dialog is what is drawn over a page: questions, forms, lists to choose from, texts
// to read.
//
// A dialog describes what it shows once, from top to bottom, as a [content]. What is drawn,
// what is said, and what the mouse points at all follow from that.
package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// content is everything that a dialog shows in a frame.
type content struct {
	page.Frame

	title string
	width int // of the box
	rows  []row
	// body draws what stands before the row above, in as many rows as there is room for: the
	// others are always drawn. It may be nil.
	body  func(room int) []row
	above int
	said  announce.Description
}

// row is a line of the box, with what a click on it does.
type row struct {
	text  string
	click func(p page.Pressed) tea.Cmd
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
func (c *content) say(p announce.Part)  { c.said.Parts = append(c.said.Parts, p) }
func (c *content) draw(lines ...string) { c.rows = append(c.rows, plain(lines)...) }
func (c *content) gap()                 { c.draw("") }

func plain(lines []string) []row {
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i].text = line
	}
	return rows
}

// scrolled adds lines that are scrolled where there are too many of them.
func (c *content) scrolled(s *scroll, lines []string) {
	c.above, c.body = len(c.rows), func(room int) []row { return plain(s.window(c.Frame, lines, room)) }
}

// field adds a line to type in. The prompt stands before it, or else the label does.
func (c *content) field(prompt, label string, in *input.Model) {
	const least = 12 // cells to type in beside the label
	c.said.Field = in.Spoken(label)
	if c.Spoken {
		return // it would be drawn as wide as a line that has no end
	}
	before := c.Theme.Paint(style.Accent, prompt)
	if prompt == "" {
		before = c.Theme.Paint(style.Strong, label+": ")
		if Inner(c.Frame)-style.Width(before) <= least {
			c.draw(before)
			before = ""
		}
	}
	text := before + in.View(c.Theme, Inner(c.Frame)-style.Width(before))
	c.draw(text)
}

// buttons adds a row of buttons. click does what the i-th of them does.
func (c *content) buttons(focused int, click func(i int) tea.Cmd, all ...Button) {
	c.rows = append(c.rows, row{Buttons(c.Frame, focused, all...), func(p page.Pressed) tea.Cmd {
		if i, ok := ButtonAt(p, all...); ok {
			return click(i)
		}
		return nil
	}})
}

// all returns all rows, as many of the body as there is room for.
func (c *content) all() []row {
	if c.body == nil {
		return c.rows
	}
	return slices.Insert(slices.Clone(c.rows), c.above, c.body(Room(c.Frame)-len(c.rows))...)
}

// base is what all dialogs have in common. show adds what the dialog shows to the content.
type base struct {
	title  string
	show   func(*content)
	done   bool
	scroll scroll // of the body
}

// Done reports that the dialog is to be closed.
func (b *base) Done() bool { return b.done }

func (b *base) content(f page.Frame) *content {
	c := &content{Frame: f, title: b.title, width: Width(f), said: announce.Description{Name: b.title}}
	b.show(c)
	return c
}

// View draws the dialog's box.
func (b *base) View(f page.Frame) string {
	c := b.content(f)
	rows := c.all()
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = r.text
	}
	return box(f, c.title, lines, c.width)
}

// Describe says what View draws: in lines that have no colours and no end.
func (b *base) Describe(f page.Frame) announce.Description {
	f.Spoken, f.Theme = true, style.NoTheme()
	return b.content(f).said
}

// Update does what was clicked, and scrolls.
func (b *base) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Wheel:
		b.scroll.by(msg.By)
	case page.Pressed:
		rows := b.content(msg.Frame).all()
		if i := LineAt(msg, len(rows)); i >= 0 && i < len(rows) && rows[i].click != nil {
			return rows[i].click(msg)
		}
	}
	return nil
}

func (b *base) close() tea.Cmd {
	b.done = true
	return nil
}

// closeButton adds the button of a dialog that only has to be read.
func (b *base) closeButton(c *content) {
	c.buttons(0, func(int) tea.Cmd { return b.close() }, Button{Label: "Close"})
}

// closes declares the keys of such a dialog.
func (b *base) closes() []action.Action {
	return []action.Action{enter("close", b.close), b.leave("close")}
}

// leave declares the key that closes the dialog.
func (b *base) leave(title string) action.Action {
	return action.Action{Title: title, Keys: []string{"esc"}, Footer: action.Shown, Run: b.close}
}

// enter declares the key that presses the focused button.
func enter(title string, run func() tea.Cmd) action.Action {
	return action.Action{Title: title, Keys: []string{"enter"}, Footer: action.Shown, Run: run}
}
