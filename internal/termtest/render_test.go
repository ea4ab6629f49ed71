package termtest

import "testing"

func TestRenderShowsLinesAndColours(t *testing.T) {
	t.Parallel()
	s := Render("plain ✓\n\x1b[1;31mred\x1b[m é", 10, 3, false)
	if got, want := s.String(), "plain ✓\nred é"; got != want {
		t.Errorf("screen is %q, want %q", got, want)
	}
	if c := s.Cell(0, 1); !c.Bold || c.Fg == s.Fg || s.Cell(4, 1).Fg != s.Fg {
		t.Errorf("red is %+v", c)
	}
	if s.CursorVisible || s.Cols != 10 || s.Rows != 3 {
		t.Errorf("cursor %v, %d×%d", s.CursorVisible, s.Cols, s.Rows)
	}
	if light := Render("", 2, 1, true); light.Bg == s.Bg {
		t.Error("light is as dark")
	}
}
