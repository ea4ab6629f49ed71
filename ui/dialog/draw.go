package dialog

import (
	"cmp"
	"slices"
	"strings"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxWidth is that of a box: longer lines are hard to read.
const maxWidth = 68

// Width returns the width of a dialog's box in the frame.
func Width(f page.Frame) int { return max(4, min(maxWidth, f.Width-4)) }

// Inner returns the width of a line in a dialog. A line that is said has no end.
func Inner(f page.Frame) int {
	if f.Spoken {
		return spokenWidth
	}
	return max(1, Width(f)-4)
}

// spokenWidth is more than any paragraph is long.
const spokenWidth = 1 << 14

// borders are the lines that a box has around those that it holds.
const borders = 2

// Room returns how many lines a box has room for, besides the empty ones around them, which
// are left out of a low screen.
func Room(f page.Frame) int {
	const low, empty = 18, 2
	if f.Height < low {
		return max(1, f.Height-borders)
	}
	return f.Height - borders - empty
}

// span returns how a box shows n lines: after an empty one and before another where there is
// room for them. Where there is no room for the lines themselves, those from at on are
// left out, over in number: the question stands at the top and the buttons at the bottom.
func span(f page.Frame, n int) (above, below, at, over int) {
	room := max(1, f.Height-borders)
	above = max(0, min(1, room-n))
	below = max(0, min(1, room-n-above))
	return above, below, max(0, room-2), max(0, n-room)
}

// Box frames the lines of a dialog. A title that is too long is cut: the frame would
// leave it out.
func Box(f page.Frame, title string, lines []string) string { return box(f, title, lines, Width(f)) }

func box(f page.Frame, title string, lines []string, width int) string {
	above, below, at, over := span(f, len(lines))
	body := make([]string, above, above+len(lines)+below)
	for i, line := range lines {
		if i >= at && i < at+over {
			continue
		}
		// A line that is too long is cut: wrapped by the frame, it would push others out.
		body = append(body, style.Cut(line, max(1, width-4)))
	}
	body = append(body, make([]string, below)...)
	return f.Theme.Box(style.Cut(title, width-5), strings.Join(body, "\n"), width)
}

// LineAt returns which of a box's n lines was clicked. It may be none of them.
func LineAt(p page.Pressed, n int) int {
	above, _, at, over := span(p.Frame, n)
	line := p.Y - above
	if line >= at {
		line += over
	}
	return line
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

// Paragraphs wraps the lines to the dialog's width.
func Paragraphs(f page.Frame, lines []Line) []string {
	var out []string
	for _, l := range lines {
		for _, s := range style.Wrap(l.in(f), Inner(f)) {
			out = append(out, f.Theme.Paint(l.Tone, s))
		}
	}
	return out
}

// Said returns what is said of the lines.
func Said(lines ...Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = cmp.Or(l.Heard, l.Text)
	}
	return out
}

// Button is something that a dialog can be left with.
type Button struct {
	Label  string
	Danger bool
	Off    bool
}

// Buttons draws a row of buttons at the right. Brackets are around the focused one and
// parentheses around those that are off, because there may be no colours to tell them by.
func Buttons(f page.Frame, focused int, buttons ...Button) string {
	var parts []string
	for i, b := range buttons {
		switch {
		case b.Off:
			parts = append(parts, f.Theme.Paint(style.Muted, "( "+b.Label+" )"))
		case i == focused:
			parts = append(parts, f.Theme.Paint(style.Focused, "[ "+b.Label+" ]"))
		case b.Danger:
			parts = append(parts, f.Theme.Paint(style.Danger, "  "+b.Label+"  "))
		default:
			parts = append(parts, f.Theme.Paint(style.Button, "  "+b.Label+"  "))
		}
	}
	return style.Ends("", strings.Join(parts, " "), Inner(f))
}

// ButtonAt returns which of a row of buttons was clicked, if it is one.
func ButtonAt(p page.Pressed, buttons ...Button) (button int, ok bool) {
	at := Inner(p.Frame)
	for i, b := range slices.Backward(buttons) {
		width := style.Width(b.Label) + 4 // what is around the label
		if at -= width; p.X >= at && p.X < at+width {
			return i, true
		}
		at-- // the space between two buttons
	}
	return 0, false
}

// Within returns where a click at x, y of the frame is in a box that stands at left, top, counted
// from the first cell of what the box holds. It reports whether the click is in the box.
func Within(box string, left, top int, f page.Frame, x, y int) (page.Pressed, bool) {
	const border, beside = 1, 2 // the border, and with it the space beside it
	line, _, _ := strings.Cut(box, "\n")
	width, height := style.Width(line), strings.Count(box, "\n")+1
	p := page.Pressed{X: x - left - beside, Y: y - top - border, Frame: f}
	return p, p.X >= 0 && p.X < width-2*beside && p.Y >= 0 && p.Y < height-2*border
}
