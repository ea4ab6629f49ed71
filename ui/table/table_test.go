package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
)

// Open details scroll to their end, stay on their row until the selection moves, and close again.
func TestDetailOpensAndCloses(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(30), following)
	if got := view(m, 80, 20); !strings.Contains(got, "row-3") || strings.Contains(got, "Record of") {
		t.Fatal(got)
	}
	press(m, "down", "enter")
	got := view(m, 80, 20)
	if !strings.Contains(got, "Record of row-1") || strings.Contains(got, "row-3") || !strings.Contains(got, "more below") {
		t.Fatal(got)
	}
	if got := view(m, 80, 3); !strings.Contains(got, "label 0") || !strings.Contains(got, "↓") {
		t.Errorf("the mark that there is more takes the line of what is most important:\n%s", got)
	}
	view(m, 80, 20)
	press(m, "pgdown", "pgdown", "pgdown", "pgdown")
	if got := view(m, 80, 20); !strings.Contains(got, "label 39") || !strings.Contains(got, "Record of row-1") || strings.Contains(got, "more below") {
		t.Errorf("the end cannot be read:\n%s", got)
	}
	if press(m, "enter"); strings.Contains(view(m, 80, 20), "label 0 ") {
		t.Error("enter went back to the top")
	}
	press(m, "down")
	if got := view(m, 80, 20); !strings.Contains(got, "Record of row-2") || !strings.Contains(got, "label 0 ") {
		t.Errorf("the next record does not begin at its top:\n%s", got)
	}
	if used := press(m, "esc"); !used || !strings.Contains(view(m, 80, 20), "row-3") {
		t.Error("esc goes back to the table")
	}
}

// Selecting rows never opens or closes the pane.
func TestPaneOpensByAKeyAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width, height       int
		begins, after, back bool // whether the pane is shown: at first, after its key, and after its key again
	}{
		{80, 20, false, false, false}, // no room for it
		{109, 20, false, false, false},
		{110, 20, false, true, false},
		{80, 60, false, true, false}, // below the rows
		{139, 20, false, true, false},
		{140, 20, true, false, true},
	} {
		m := newTable(t, numbered(50), following)
		for i, want := range []bool{c.begins, c.after, c.back} {
			if i > 0 {
				press(m, "d")
			}
			for _, key := range []string{"g", "down", "end"} {
				press(m, key)
				m.pane.rested()
				got := view(m, c.width, c.height)
				if shows := strings.Contains(got, "Record of "+selected(m)); shows != want {
					t.Errorf("%d×%d, %d times d, after %s: %v", c.width, c.height, i, key, shows)
				}
			}
		}
	}
}

// The configuration makes the pane wider or narrower, as far as both it and the table can be read.
func TestWidthOfThePane(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(5), nil)
	for wide, want := range map[int]int{1: paneMin, paneMin: paneMin, 50: 50, 400: 160 - tableMin} {
		m.config.Session.Layout.PaneWidth = wide
		border := strings.Index(strings.Split(view(m, 160, 20), "\n")[1], "│")
		if border != 160-want-borderWidth {
			t.Errorf("%d cells: the border is at %d", wide, border)
		}
	}
}

// The wheel scrolls the pane if it is above it, and else moves the selection.
func TestMouseWheelTurnsWhatItPointsAt(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 20}, {80, 60}} {
		m := newTable(t, numbered(50), nil)
		m.config.Session.Layout.Pane = new(true)
		view(m, size[0], size[1])
		m.Update(page.Wheel{X: size[0] - 2, Y: size[1] - 3, By: 2})
		got := view(m, size[0], size[1])
		if strings.Contains(got, "Record of") || !strings.Contains(got, "label 1 ") || selected(m) != "row-0" {
			t.Errorf("over the pane:\n%s", got)
		}
		m.Update(page.Wheel{X: 5, Y: 5, By: 2})
		if got := view(m, size[0], size[1]); !strings.Contains(got, "Record of row-2") {
			t.Errorf("over the rows:\n%s", got)
		}
	}
}

// Keys, clicks, the wheel and restoring hold the selection with its row; going to the top lets it follow again.
func TestSelectionIsHeldOnceChosen(t *testing.T) {
	t.Parallel()
	shows := func(m *Model[string], want bool) {
		t.Helper()
		if got := view(m, 120, 20); m.List().Held() != want || !strings.Contains(got, "row-3") {
			t.Error(got)
		}
	}
	m := newTable(t, numbered(5), following)
	shows(m, false)
	press(m, "k")
	shows(m, true)
	press(m, "down", "g")
	shows(m, false)
	m.Update(page.Wheel{By: -1})
	shows(m, true)

	m = newTable(t, numbered(5), following)
	shows(m, false)
	m.Update(page.Click{X: 10, Y: 15}) // below the last row
	shows(m, false)
	m.Update(page.Click{X: 10, Y: 2})
	shows(m, true)
	m = newTable(t, numbered(5), following)
	press(m, "enter", "esc")
	shows(m, true)
	m = newTable(t, numbered(5), following)
	press(m, "enter")
	m.Refresh()
	press(m, "g", "esc")
	shows(m, true)
	m.Refresh()
	shows(m, true)
	s := numbered(0)
	m = newTable(t, s, following)
	press(m, "enter", "j")
	m.Update(page.Wheel{By: 1})
	s.ids = []string{"row-0", "row-3"}
	m.Refresh()
	shows(m, false)
	m = newTable(t, numbered(5), following)
	m.Restore(Key{ID: "row-0"}, false)
	shows(m, true)
	m = newTable(t, numbered(5), following)
	press(m, "/", "r", "enter")
	shows(m, false)
	m = newTable(t, numbered(5), following)
	work(m, m.SortBy(DefaultOrder, true)) // the top
	shows(m, false)
	press(m, "G")
	shows(m, true)
}

// Open details stay with their row, even at the top of a followed feed, and close if the row is gone.
func TestDetailStaysOpen(t *testing.T) {
	t.Parallel()
	s := numbered(5)
	m := newTable(t, s, following)
	press(m, "enter")
	s.ids = slices.Insert(s.ids, 0, "new")
	work(m, m.Refresh())
	if got := view(m, 80, 20); !strings.Contains(got, "Record of row-0") {
		t.Errorf("another record:\n%s", got)
	}
	s.ids = slices.Delete(s.ids, 1, 2)
	work(m, m.Refresh())
	if got := view(m, 80, 20); strings.Contains(got, "Record of") {
		t.Errorf("the record is gone, and another one stands there:\n%s", got)
	}
	s.ids = nil
	work(m, m.Refresh())
	if got := view(m, 80, 20); !strings.Contains(got, "No rows.") || press(m, "enter") && strings.Contains(view(m, 80, 20), "Record") {
		t.Error(got)
	}
	if m.Actions()[0].Actions[0].Reason() == "" {
		t.Error("a row can be opened where there is none")
	}
}

// Every state of the table fills screens of any size exactly.
func TestSizes(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(30), following)
	for _, keys := range [][]string{nil, {"enter"}, {"/"}, {"x"}, {"esc"}} {
		press(m, keys...)
		for _, size := range [][2]int{{0, 0}, {1, 1}, {2, 5}, {10, 2}, {59, 14}, {80, 24}, {100, 3}, {200, 60}} {
			lines := strings.Split(view(m, size[0], size[1]), "\n")
			if len(lines) != max(1, size[1]) {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				if got := ansi.StringWidth(line); got != size[0] {
					t.Errorf("%v after %q: %d cells: %q", size, keys, got, line)
				}
			}
		}
	}
}
