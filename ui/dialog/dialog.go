// Package dialog is what the dialogs have in common: their frame, their buttons and
// the keys between them.
package dialog

import (
	"cmp"
	"slices"
	"strings"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// maxWidth is that of a box: longer lines are hard to read.
const maxWidth = 68

// Width is that of a dialog's box in the frame, and Inner that of its lines.
func Width(f page.Frame) int { return max(4, min(maxWidth, f.Width-4)) }

// Inner is the width of a line in a dialog. A line that is said has no end.
func Inner(f page.Frame) int {
	if f.Spoken {
		return spokenWidth
	}
	return max(1, Width(f)-4)
}

// spokenWidth is more than any paragraph is long.
const spokenWidth = 1 << 14

// Said is the text of lines, for those who hear them.
func Said(lines ...Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = cmp.Or(l.Heard, l.Text)
	}
	return out
}

// borders are the lines that a box has around those that it holds.
const borders = 2

// Room is how many lines a box has room for, besides the empty ones around them, which
// are left out of a low screen.
func Room(f page.Frame) int {
	const low, empty = 18, 2
	if f.Height < low {
		return max(1, f.Height-borders)
	}
	return f.Height - borders - empty
}

// span says how a box shows n lines: after an empty one and before another where there is
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
func Box(f page.Frame, title string, lines []string) string {
	return WideBox(f, title, lines, Width(f))
}

// WideBox is a box of another width than that of texts, for what stands in columns.
func WideBox(f page.Frame, title string, lines []string, width int) string {
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

// LineAt returns which of a box's n lines a person pressed the mouse on.
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
	// Heard is Text for those who hear it, where it differs.
	Heard string
}

// Paragraphs wraps the lines to the dialog's width.
func Paragraphs(f page.Frame, lines []Line) []string {
	var out []string
	for _, l := range lines {
		for _, s := range style.Wrap(l.Text, Inner(f)) {
			out = append(out, f.Theme.Paint(l.Tone, s))
		}
	}
	return out
}

// Button is something that a dialog can be left with.
type Button struct {
	Label  string
	Danger bool
	Off    bool
}

// Close is the button of a dialog that only has to be read.
func Close() Button { return Button{Label: "Close"} }

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

// ButtonAt returns which of a row of buttons a person pressed the mouse on, if it is one.
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

// Press declares the key that presses the focused button, which does what it says.
func Press(does string) action.Action { return action.New("↵", does, "enter").InFooter() }

// Leave declares the key that leaves the dialog.
func Leave(does string) action.Action { return action.New("esc", does, "esc").InFooter() }

// Next declares the key that goes to the next button or input.
func Next() action.Action { return action.New("tab", "next", "tab", "right", "down").InFooter() }

// Previous declares the key that goes back to the one before.
func Previous() action.Action { return action.New("shift+tab", "previous", "shift+tab", "left", "up") }
