package table

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/ui/page"
)

// draw returns the rows on the screen, and the index of the selected line, or -1.
func draw(m *Model[string], height int) (shown []string, selected int) {
	selected = -1
	for i, line := range paint(m, Description[string]{}, 40, height)[min(1, height):] {
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

// The keys move the selection by rows, by pages, by halves of them and to the ends.
func TestSelectionMoves(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(100), nil)
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
		if used := press(m, c.key); !used || m.List().Cursor() != c.want || selected(m) != "row-"+strconv.Itoa(c.want) {
			t.Errorf("%s: at %d (%s), want %d", c.key, m.List().Cursor(), selected(m), c.want)
		}
	}
	if press(m, "x") {
		t.Error("x does not move")
	}
}

// Rows change in every way, and keys are pressed: the selected row stays on its line.
func TestSelectionStays(outer *testing.T) {
	outer.Parallel()
	rapid.Check(outer, func(t *rapid.T) {
		s := numbered(rapid.IntRange(0, 40).Draw(t, "rows"))
		follow := rapid.Bool().Draw(t, "follow")
		m := newTable(outer, s, func(c *Config[string]) { c.Follow = follow })
		height := rapid.IntRange(1, 12).Draw(t, "height")
		born := 1000
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			shown, line := draw(m, height)
			id, following := selected(m), m.List().Following()
			visible := height > 1
			if len(s.ids) == 0 != (id == "") || (line >= 0) != (visible && m.List().Len() > 0) || line >= 0 && shown[line] != id {
				t.Fatalf("%q is selected, line %d of %q", id, line, shown)
			}
			if m.List().Arrivals() > m.List().Cursor() || m.List().Arrivals() < 0 {
				t.Fatalf("%d rows arrived above row %d", m.List().Arrivals(), m.List().Cursor())
			}
			switch rapid.SampledFrom([]string{"insert", "insert", "remove", "move", "empty", "key", "resize"}).Draw(t, "step") {
			case "key":
				press(m, rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "g", "G", "ctrl+d", "ctrl+u"}).Draw(t, "key"))
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
			place, alive := s.Find(Key{ID: id})
			switch {
			case following:
				if m.List().Cursor() != 0 {
					t.Fatalf("does not follow the top: at %d", m.List().Cursor())
				}
			case alive && selected(m) != id:
				t.Fatalf("%s was selected, now %s", id, selected(m))
			case alive && now != line && !clamped(place, line, m.List().Len(), height-1):
				t.Fatalf("%s was on line %d, now on %d", id, line, now)
			}
		}
	})
}

// clamped reports whether a row cannot be on a line because there are too few rows above or below.
func clamped(place, line, rows, height int) bool {
	return place < line || place-line > max(0, rows-height)
}

// The selection follows the top while rows arrive there. A held or lower one stays with its row, and the arrivals are counted.
func TestFollow(t *testing.T) {
	t.Parallel()
	s := numbered(50)
	m := newTable(t, s, following)
	draw(m, 11)
	arrive := func(id string) {
		s.ids = slices.Insert(s.ids, 0, id)
		m.Refresh()
	}
	arrive("a")
	if selected(m) != "a" || m.List().Arrivals() != 0 {
		t.Errorf("at the top: %s, %d arrivals", selected(m), m.List().Arrivals())
	}
	press(m, "down")
	arrive("b")
	arrive("c")
	if selected(m) != "row-0" || m.List().Arrivals() != 2 {
		t.Errorf("below the top: %s, %d arrivals", selected(m), m.List().Arrivals())
	}
	press(m, "g")
	m.list.held = true
	arrive("d")
	if selected(m) != "c" || m.List().Arrivals() != 1 {
		t.Errorf("held: %s, %d arrivals", selected(m), m.List().Arrivals())
	}
	m.list.held = false
	press(m, "g")
	arrive("e")
	if selected(m) != "e" || m.List().Arrivals() != 0 {
		t.Errorf("let go: %s, %d arrivals", selected(m), m.List().Arrivals())
	}
}

// A filter limits the rows that are shown, also when more arrive; without it all are back. Rows that it hides cannot be restored.
func TestFilter(t *testing.T) {
	t.Parallel()
	s := numbered(100)
	m := newTable(t, s, following)
	draw(m, 11)
	filter := func(q string) { work(m, m.SetQuery(q)) }
	filter(`"7"`)
	if m.List().Len() != 19 || selected(m) != "row-7" {
		t.Fatalf("%d rows, %s", m.List().Len(), selected(m))
	}
	press(m, "down", "down")
	m.list.held = true
	s.ids = slices.Insert(s.ids, 0, "new-7", "new-8")
	work(m, m.Refresh())
	if shown, line := draw(m, 11); selected(m) != "row-27" || m.List().Arrivals() != 1 || line != 2 || shown[0] != "row-7" {
		t.Errorf("%s on line %d, %d arrivals: %q", selected(m), line, m.List().Arrivals(), shown)
	}
	if m.Restore(Key{ID: "row-28"}, false); selected(m) != "row-27" {
		t.Error("a row that is not shown was selected")
	}
	m.Restore(Key{ID: "row-37"}, false)
	filter("")
	if selected(m) != "row-37" || m.List().Arrivals() > 1 {
		t.Errorf("all rows again: %s, %d arrivals", selected(m), m.List().Arrivals())
	}
	filter("xx")
	if _, ok := m.List().Selected(); ok || m.List().Len() != 0 || selected(m) != "" || len(paint(m, Description[string]{}, 20, 5)) != 5 {
		t.Error("nothing matches, and something is shown")
	}
	filter("")
	if _, ok := m.List().Selected(); !ok || m.List().Len() != 102 {
		t.Error("all rows again, and nothing is selected")
	}
}

// A list knows which rows are on the screen, and how near its end is; also with the pane below the rows.
func TestListVisible(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(12), nil)
	view(m, 60, 7) // five rows
	if got := slices.Collect(m.List().Visible()); len(got) != 5 || got[4] != "row-4" || m.List().EndShown() || m.List().NearEnd() || m.List().Arranged() {
		t.Errorf("%q, end shown %v, near %v", got, m.List().EndShown(), m.List().NearEnd())
	}
	if press(m, "pgdown", "down", "down", "down"); !m.List().NearEnd() || m.List().EndShown() {
		t.Errorf("%q, end shown %v, near %v", slices.Collect(m.List().Visible()), m.List().EndShown(), m.List().NearEnd())
	}
	if press(m, "G"); !m.List().EndShown() || slices.Collect(m.List().Visible())[4] != "row-11" {
		t.Errorf("%q", slices.Collect(m.List().Visible()))
	}
	// On a high screen the pane is below the rows.
	m.config.Session.Layout.Pane = new(true)
	m.pane.rested()
	if got := view(m, 60, 50); !strings.Contains(got, "Record of row-11") || !strings.Contains(got, "details: more") {
		t.Error(got)
	}
	if m.Update(page.Click{X: 9, Y: m.drawn.above + 3}); selected(m) != "row-3" {
		t.Errorf("%q is selected by a click above the pane", selected(m))
	}
}
