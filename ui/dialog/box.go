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
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// maxWidth is that of most boxes: longer lines are hard to read.
	maxWidth = 68
	// spokenWidth is more than any paragraph is long: a line that is said has no end.
	spokenWidth = 1 << 14
	// borders are the lines that a box has around those that it holds, and beside are the
	// cells that it has at each side of them.
	borders, beside = 2, 2
)

// base is what all dialogs have in common: a box with what the dialog shows.
type base struct {
	title string
	// show adds what the dialog shows to the content.
	show func(*content)
	// widest returns how wide the box may be in a frame; nil stands for maxWidth.
	widest func(page.Frame) int
	done   bool
	scroll scroll // of the body
}

// Done reports that the dialog is to be closed.
func (b *base) Done() bool { return b.done }

func (b *base) width(f page.Frame) int {
	widest := maxWidth
	if b.widest != nil {
		widest = b.widest(f)
	}
	return max(4, min(widest, f.Width-4))
}

// room returns how many lines a box has room for, besides the empty ones around them, which
// are left out of a low screen.
func room(f page.Frame) int {
	const low, empty = 18, 2
	if f.Height < low {
		return max(1, f.Height-borders)
	}
	return f.Height - borders - empty
}

func (b *base) content(f page.Frame) *content {
	f.Width, f.Height = max(1, b.width(f)-2*beside), room(f)
	if f.Spoken {
		f.Width = spokenWidth
	}
	c := &content{Frame: f, said: announce.Description{Name: b.title}}
	b.show(c)
	return c
}

// rows returns what the box holds: the rows after an empty one and before another, where there
// is room for those. Where there is none for all of the rows, the first and the last two stay:
// the question stands at the top and the buttons at the bottom.
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

// View draws the dialog's box. What is too long is cut: the frame would wrap it, and so push
// other lines out.
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
	f.Spoken, f.Theme = true, &style.Theme{}
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

// closes declares the keys of such a dialog.
func (b *base) closes() []action.Action {
	return []action.Action{key("close", b.close, "enter"), b.leave("close")}
}

// leave declares the key that closes the dialog.
func (b *base) leave(title string) action.Action { return key(title, b.close, "esc") }

// key declares an action that the footer shows.
func key(title string, run func() tea.Cmd, keys ...string) action.Action {
	return action.Action{Title: title, Keys: keys, Footer: action.Shown, Run: run}
}

// only returns the groups of a dialog, which has one.
func only(actions ...action.Action) []action.Group { return []action.Group{{Actions: actions}} }

// Message is a dialog that says something and has to be read.
type Message struct{ base }

// NewMessage says the lines under a title.
func NewMessage(title string, lines []Line) *Message {
	m := &Message{base{title: title}}
	m.show = func(c *content) {
		c.text(lines...)
		c.gap()
		m.closeButton(c)
	}
	return m
}

// Actions declares what can be done now.
func (m *Message) Actions() []action.Group { return only(m.closes()...) }
