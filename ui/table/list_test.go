package table_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/ui/style"
	"pgtower/ui/table"
)

// rows is a source whose rows are their ids.
type rowlistRows struct{ ids []string }

func (s *rowlistRows) Len() int              { return len(s.ids) }
func (s *rowlistRows) Row(i int) string      { return s.ids[i] }
func (s *rowlistRows) Key(row string) string { return row }
func (s *rowlistRows) Find(id string) (int, bool) {
	i := slices.Index(s.ids, id)
	return max(0, i), i >= 0
}

func numbered(n int) *rowlistRows {
	s := &rowlistRows{}
	for i := range n {
		s.ids = append(s.ids, "row-"+strconv.Itoa(i))
	}
	return s
}

func column(title string, width, grow, priority int) table.Column[string] {
	return table.Column[string]{
		Title: title, Width: width, Grow: grow, Priority: priority,
		Cell: func(row string, _ time.Time) (string, style.Tone) { return row, style.Good },
	}
}

func styled() *style.Theme { return style.NewTheme(true, colorprofile.TrueColor) }

// draw returns the rows on the screen, and which of its lines is the selected one or -1.
func draw(m *table.List[string, string], height int) (shown []string, selected int) {
	selected = -1
	for i, line := range m.View(table.ListFrame[string]{Theme: styled(), Width: 40, Height: height})[min(1, height):] {
		plain := ansi.Strip(line)
		if strings.Contains(plain, "▌") {
			selected = i
		}
		if id := strings.Trim(plain, " ▌"); id != "" {
			shown = append(shown, id)
		}
	}
	return shown, selected
}

// selected is the key of the selected row, or nothing.
func rowlistSelected(m *table.List[string, string]) string {
	if key, ok := m.SelectedKey(); ok {
		return key
	}
	return ""
}

func rowlistPress(m *table.List[string, string], key string) bool {
	codes := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}
	if code, ok := codes[key]; ok {
		return m.Update(tea.KeyPressMsg{Code: code}, time.Time{})
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return m.Update(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}, time.Time{})
	}
	return m.Update(tea.KeyPressMsg{Code: rune(key[0]), Text: key}, time.Time{})
}

func TestMoves(t *testing.T) {
	t.Parallel()
	m := table.NewList(numbered(100), []table.Column[string]{column("ID", 10, 1, 0)}, false)
	draw(m, 11)
	for _, c := range []struct {
		key  string
		want int
	}{
		{"up", 0},
		{"j", 1},
		{"down", 2},
		{"k", 1},
		{"pgdown", 10},
		{"ctrl+f", 19},
		{"ctrl+b", 10},
		{"pgup", 1},
		{"ctrl+d", 5},
		{"ctrl+u", 1},
		{"G", 99},
		{"pgdown", 99},
		{"down", 99},
		{"g", 0},
		{"end", 99},
		{"home", 0},
		{"ctrl+u", 0},
	} {
		if used := rowlistPress(m, c.key); !used || m.Cursor() != c.want || rowlistSelected(m) != "row-"+strconv.Itoa(c.want) {
			t.Errorf("%s: at %d (%s), want %d", c.key, m.Cursor(), rowlistSelected(m), c.want)
		}
	}
	if rowlistPress(m, "x") {
		t.Error("x does not move")
	}
}

// TestSelectionStays changes the rows in every way that a service can, and presses
// keys: the person always finds the row that they were on, on the line where it was.
func TestSelectionStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := numbered(rapid.IntRange(0, 40).Draw(t, "rows"))
		follow := rapid.Bool().Draw(t, "follow")
		m := table.NewList(s, []table.Column[string]{column("ID", 10, 1, 0)}, follow)
		height := rapid.IntRange(1, 12).Draw(t, "height")
		born := 1000
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			shown, line := draw(m, height)
			id, following := rowlistSelected(m), m.Following()
			visible := height > 1
			if len(s.ids) == 0 != (id == "") || (line >= 0) != (visible && m.Len() > 0) || line >= 0 && shown[line] != id {
				t.Fatalf("%q is selected, line %d of %q", id, line, shown)
			}
			if m.Arrivals() > m.Cursor() || m.Arrivals() < 0 {
				t.Fatalf("%d rows arrived above row %d", m.Arrivals(), m.Cursor())
			}
			switch rapid.SampledFrom([]string{"insert", "insert", "remove", "move", "empty", "key", "resize"}).Draw(t, "step") {
			case "key":
				rowlistPress(m, rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "g", "G", "ctrl+d", "ctrl+u"}).Draw(t, "key"))
				continue
			case "resize":
				height = rapid.IntRange(0, 12).Draw(t, "height")
				continue
			case "insert":
				for range rapid.IntRange(1, 5).Draw(t, "n") {
					born++
					s.ids = slices.Insert(s.ids, rapid.IntRange(0, len(s.ids)).Draw(t, "at"), strconv.Itoa(born))
				}
			case "remove":
				if n := len(s.ids); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "from")
					s.ids = slices.Delete(s.ids, i, rapid.IntRange(i, min(n, i+5)).Draw(t, "to"))
				}
			case "move":
				if n := len(s.ids); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "from")
					row := s.ids[i]
					s.ids = slices.Insert(slices.Delete(s.ids, i, i+1), rapid.IntRange(0, n-1).Draw(t, "to"), row)
				}
			case "empty":
				s.ids = nil
			}
			m.Refresh()
			_, now := draw(m, height)
			place, alive := s.Find(id)
			switch {
			case following:
				if m.Cursor() != 0 {
					t.Fatalf("does not follow the top: at %d", m.Cursor())
				}
			case alive && rowlistSelected(m) != id:
				t.Fatalf("%s was selected, now %s", id, rowlistSelected(m))
			case alive && now != line && !clamped(place, line, m.Len(), height-1):
				t.Fatalf("%s was on line %d, now on %d", id, line, now)
			}
		}
	})
}

// clamped says that a row cannot be on a line, because there are not enough rows above
// it or below.
func clamped(place, line, rows, height int) bool {
	return place < line || place-line > max(0, rows-height)
}

func TestFollow(t *testing.T) {
	t.Parallel()
	s := numbered(50)
	m := table.NewList(s, []table.Column[string]{column("ID", 10, 1, 0)}, true)
	draw(m, 11)
	arrive := func(id string) {
		s.ids = slices.Insert(s.ids, 0, id)
		m.Refresh()
	}
	arrive("a")
	if rowlistSelected(m) != "a" || m.Arrivals() != 0 {
		t.Errorf("at the top: %s, %d arrivals", rowlistSelected(m), m.Arrivals())
	}
	rowlistPress(m, "down")
	arrive("b")
	arrive("c")
	if rowlistSelected(m) != "row-0" || m.Arrivals() != 2 {
		t.Errorf("below the top: %s, %d arrivals", rowlistSelected(m), m.Arrivals())
	}
	rowlistPress(m, "g")
	m.Hold(true)
	arrive("d")
	if rowlistSelected(m) != "c" || m.Arrivals() != 1 {
		t.Errorf("held: %s, %d arrivals", rowlistSelected(m), m.Arrivals())
	}
	m.Hold(false)
	rowlistPress(m, "g")
	arrive("e")
	if rowlistSelected(m) != "e" || m.Arrivals() != 0 {
		t.Errorf("let go: %s, %d arrivals", rowlistSelected(m), m.Arrivals())
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	s := numbered(100)
	m := table.NewList(s, []table.Column[string]{column("ID", 10, 1, 0)}, true)
	draw(m, 11)
	ending := func(digit string) func(string, time.Time) bool {
		return func(row string, _ time.Time) bool { return strings.HasSuffix(row, digit) }
	}
	arrange := func() {
		if job := m.Arrange(time.Time{}); job != nil {
			m.Take(job())
		}
	}
	m.Filter(ending("7"))
	arrange()
	if m.Len() != 10 || rowlistSelected(m) != "row-7" {
		t.Fatalf("%d rows, %s", m.Len(), rowlistSelected(m))
	}
	rowlistPress(m, "down")
	rowlistPress(m, "down")
	m.Hold(true)
	s.ids = slices.Insert(s.ids, 0, "new-7", "new-8")
	m.Refresh()
	arrange()
	if shown, line := draw(m, 11); rowlistSelected(m) != "row-27" || m.Arrivals() != 1 || line != 2 || shown[0] != "row-7" {
		t.Errorf("%s on line %d, %d arrivals: %q", rowlistSelected(m), line, m.Arrivals(), shown)
	}
	if m.Select("row-28") || !m.Select("row-37") {
		t.Error("a row that is not shown was selected, or one that is was not")
	}
	m.Filter(nil)
	arrange()
	if rowlistSelected(m) != "row-37" || m.Arrivals() > 1 {
		t.Errorf("all rows again: %s, %d arrivals", rowlistSelected(m), m.Arrivals())
	}
	m.Filter(ending("x"))
	arrange()
	if _, ok := m.Selected(); ok || m.Len() != 0 || rowlistSelected(m) != "" || len(m.View(table.ListFrame[string]{Theme: styled(), Width: 20, Height: 5})) != 5 {
		t.Error("nothing matches, and something is shown")
	}
	m.Filter(nil)
	arrange()
	if _, ok := m.Selected(); !ok || m.Len() != 102 {
		t.Error("all rows again, and nothing is selected")
	}
}
