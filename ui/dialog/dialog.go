// Package dialog is what the dialogs have in common: their frame, their buttons and
// the keys between them.
package dialog

import (
	"strings"

	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/text"
	"pgtower/ui/theme"
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
		out[i] = l.Text
	}
	return out
}

// Box frames the lines of a dialog, leaving out from the middle what the screen has no
// room for: the question stands at the top and the buttons at the bottom. A title that
// is too long is cut: the frame would leave it out.
func Box(f page.Frame, title string, lines []string) string {
	return WideBox(f, title, lines, Width(f))
}

// WideBox is a box of another width than that of texts, for what stands in columns.
func WideBox(f page.Frame, title string, lines []string, width int) string {
	room := max(1, f.Height-2)
	if over := len(lines) - room; over > 0 {
		at := max(0, room-2)
		lines = append(append([]string{}, lines[:at]...), lines[at+over:]...)
	}
	// A line that is too long is cut: wrapped by the frame, it would push others out.
	body := make([]string, len(lines))
	for i, line := range lines {
		body[i] = text.Cut(line, max(1, width-4))
	}
	return f.Theme.Box(text.Cut(title, width-5), strings.Join(body, "\n"), width)
}

// Line is a paragraph of a dialog.
type Line struct {
	Tone theme.Tone
	Text string
}

// Paragraphs wraps the lines to the dialog's width.
func Paragraphs(f page.Frame, lines []Line) []string {
	var out []string
	for _, l := range lines {
		for _, s := range text.Wrap(l.Text, Inner(f)) {
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

// Buttons draws a row of buttons at the right, the focused one standing out by its
// brackets as well as by its colour.
func Buttons(f page.Frame, focused int, buttons ...Button) string {
	var parts []string
	for i, b := range buttons {
		switch {
		case i == focused && b.Off:
			parts = append(parts, f.Theme.Paint(theme.Muted, "[ "+b.Label+" ]"))
		case i == focused:
			parts = append(parts, f.Theme.Paint(theme.Focused, "[ "+b.Label+" ]"))
		case b.Off:
			parts = append(parts, f.Theme.Paint(theme.Muted, "  "+b.Label+"  "))
		case b.Danger:
			parts = append(parts, f.Theme.Paint(theme.Danger, "  "+b.Label+"  "))
		default:
			parts = append(parts, f.Theme.Paint(theme.Button, "  "+b.Label+"  "))
		}
	}
	return text.Ends("", strings.Join(parts, " "), Inner(f))
}

// Press declares the key that presses the focused button, which does what it says.
func Press(does string) keys.Action { return keys.New("↵", does, "enter").InFooter() }

// Leave declares the key that leaves the dialog.
func Leave(does string) keys.Action { return keys.New("esc", does, "esc").InFooter() }

// Next declares the key that goes to the next button or input.
func Next() keys.Action { return keys.New("tab", "next", "tab", "right", "down").InFooter() }

// Previous declares the key that goes back to the one before.
func Previous() keys.Action { return keys.New("shift+tab", "previous", "shift+tab", "left", "up") }
