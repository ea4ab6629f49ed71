package termtest

import "strings"

// Render returns what a terminal of the size shows of the lines of a text, with their colours, and
// no cursor. It is for programs that are looked at without being run.
func Render(text string, cols, rows int, light bool) Screen {
	d := newDisplay(cols, rows, light)
	defer d.closeInput()
	d.write([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	d.finish()
	screen, _ := d.look()
	screen.CursorVisible = false
	return screen
}
