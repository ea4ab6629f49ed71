//go:build unix

package termtest

import (
	"image/color"
	"testing"
	"time"
)

// A cell has its visible colours and its attributes.
func TestCellsHaveColoursAndAttributes(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Wait("reverse", "basic")
	s := term.Screen()
	red := color.RGBA{R: 0xff, G: 0x5f, B: 0x5f, A: 0xff}

	tests := []struct {
		text string
		want Cell
	}{
		{"typed", Cell{Fg: s.Fg, Bg: s.Bg}},
		{"red", Cell{Fg: red, Bg: s.Bg}},
		{"bold", Cell{Fg: red, Bg: s.Bg, Bold: true}},
		{"reverse", Cell{Fg: s.Bg, Bg: red, Reverse: true}},
		{"basic", Cell{Fg: rgb(newPalette().basic[1]), Bg: s.Bg, Underline: true}},
	}
	for _, test := range tests {
		x, y, ok := s.Find(test.text)
		if !ok {
			t.Errorf("%q is not on the screen", test.text)
			continue
		}
		test.want.Text, test.want.Width = test.text[:1], 1
		if got := s.Cell(x, y); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.text, got, test.want)
		}
	}
}

// A wide character covers two columns, and a text after it is found at its column.
func TestWideCharactersCoverTheirColumns(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Wait("wide 日本語")
	s := term.Screen()
	x, y, _ := s.Find("wide")
	for i, want := range map[int]Cell{
		5: {Text: "日", Width: 2}, 6: {}, 7: {Text: "本", Width: 2}, 11: {Text: " ", Width: 1},
		12: {Text: "é", Width: 1}, 14: {Text: "👩‍👩‍👧", Width: 2}, 15: {}, 17: {Text: "e", Width: 1},
	} {
		if got := s.Cell(x+i, y); got.Text != want.Text || got.Width != want.Width {
			t.Errorf("column %d: %q of %d columns, want %q of %d", i, got.Text, got.Width, want.Text, want.Width)
		}
	}
	if at, _, _ := s.Find("end"); at != x+17 {
		t.Errorf("end found at column %d, want %d", at, x+17)
	}
	left, _, _ := s.Find("╭")
	right, _, _ := s.Find("╮")
	if s.Cell(left, y).Text != "│" || s.Cell(right, y).Text != "│" {
		t.Errorf("wide characters break the border:\n%s", s)
	}
}

// A character that arrives in several writes is shown as one.
func TestSplitCharactersAreShownWhole(t *testing.T) {
	t.Parallel()
	d := newDisplay(20, 1)
	for _, part := range []string{"a\xf0\x9f", "\x91\xa9", "\u200d", "👧 end"} {
		d.write([]byte(part))
	}
	if screen, _ := d.look(); screen.Line(0) != "a👩\u200d👧 end" {
		t.Errorf("the screen shows %q", screen.Line(0))
	}
}

// A split character within an update is shown as one, however long the pause in it.
func TestSplitCharactersOfAnUpdateAreShownWhole(t *testing.T) {
	t.Parallel()
	d := newDisplay(20, 1)
	d.write([]byte("\x1b[?2026ha👩"))
	d.release() // as after the pause
	d.write([]byte("\u200d👧 end\x1b[?2026l"))
	if screen, _ := d.look(); screen.Line(0) != "a👩\u200d👧 end" {
		t.Errorf("the screen shows %q", screen.Line(0))
	}
}

// A character at the end of the output is shown after a pause.
func TestTextWithoutAnEndIsShown(t *testing.T) {
	t.Parallel()
	shell(t, `printf 'caf\303\251'; read x`, Options{}).Wait("café")
}

// A synchronised update is on the screen only once it has ended.
func TestSynchronisedUpdatesAreShownWhole(t *testing.T) {
	t.Parallel()
	term := shell(t, `printf 'before\033[?2026h\rafter'; read x; printf '\033[?2026l'; read x`, Options{})
	term.Wait("before")
	term.Settle(50 * time.Millisecond)
	if term.Screen().Contains("after") {
		t.Error("half an update is on the screen")
	}
	term.Press("enter")
	term.Wait("after")
}

// A program's queries for colours, attributes, modes and the theme are answered.
func TestQueriesAreAnswered(t *testing.T) {
	t.Parallel()
	term := shell(t, `stty raw -echo
printf '\033]11;?\033\\\033[c\033[?2026$p\033[?996n'
dd bs=1 count=57 2>/dev/null | cat -v; stty sane; read x`, Options{Cols: 120})
	term.Wait("]11;rgb:1212/1414/1c1c", "[?2026;2$y", "[?997;1n")
}

// A place outside of the screen is empty.
func TestScreenOutside(t *testing.T) {
	t.Parallel()
	var s Screen
	if s.Line(3) != "" || s.Cell(1, -1) != (Cell{}) || s.Contains("x") || s.String() != "" {
		t.Error("an empty screen is not empty")
	}
}

// Render draws lines with their colours and without a cursor.
func TestRenderShowsLinesAndColours(t *testing.T) {
	t.Parallel()
	s := Render("plain ✓\n\x1b[1;31mred\x1b[m é", 10, 3)
	if got, want := s.String(), "plain ✓\nred é"; got != want {
		t.Errorf("screen is %q, want %q", got, want)
	}
	if c := s.Cell(0, 1); !c.Bold || c.Fg == s.Fg || s.Cell(4, 1).Fg != s.Fg {
		t.Errorf("red is %+v", c)
	}
	if s.CursorVisible || s.Cols != 10 || s.Rows != 3 {
		t.Errorf("cursor %v, %d×%d", s.CursorVisible, s.Cols, s.Rows)
	}
}
