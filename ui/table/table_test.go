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

	"pgtower/ui/page"
	"pgtower/ui/query"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

type rows struct{ ids []string }

func (s *rows) Len() int                   { return len(s.ids) }
func (s *rows) Row(i int) string           { return s.ids[i] }
func (s *rows) Key(row string) string      { return row }
func (s *rows) Find(id string) (int, bool) { i := slices.Index(s.ids, id); return max(0, i), i >= 0 }

func newBrowser(t *testing.T, n int) (*table.Model[string, string], *rows) {
	t.Helper()
	s := &rows{}
	for i := range n {
		s.ids = append(s.ids, "row-"+strconv.Itoa(i))
	}
	return table.New(table.Config[string, string]{
		Source: s,
		Columns: []table.Column[string]{{
			Title: "ID", Width: 10, Grow: 1,
			Cell: func(row string, _ time.Time) (string, style.Tone) { return row, style.Plain },
		}},
		Detail: func(row string, _ time.Time) table.Record {
			r := table.Record{Title: "Record of " + row}
			for i := range 40 {
				r.Fields = append(r.Fields, table.Field{Label: "label " + strconv.Itoa(i), Value: "value"})
			}
			return r
		},
		Fields:   []query.Field[string]{query.Text("id", func(row string) string { return row }).Visible()},
		PaneFrom: 100, Follow: true, Session: page.NewSession(t.Context(), 1, func() time.Time { return time.Time{} }),
	}), s
}

func view(m *table.Model[string, string], width, height int) string {
	f := page.Frame{Width: width, Height: height, Theme: style.NewTheme(true, colorprofile.TrueColor)}
	return ansi.Strip(strings.Join(m.View(f, table.Parts[string]{Strip: "strip", Empty: table.Words{Title: "No rows."}}), "\n"))
}

// press sends keys by name, or as text where they have no name of their own.
func press(m *table.Model[string, string], names ...string) (used bool) {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "down": tea.KeyDown, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp}
	for _, name := range names {
		k := tea.KeyPressMsg{Code: codes[name]}
		if k.Code == 0 {
			k = tea.KeyPressMsg{Code: rune(name[0]), Text: name}
		}
		var cmd tea.Cmd
		cmd, used = m.Update(k)
		work(m, cmd)
	}
	return used
}

// work does what a command does, and what follows from it.
func work(m *table.Model[string, string], cmd tea.Cmd) {
	for cmd != nil {
		answer, ok := cmd().(page.Delivery)
		if !ok {
			return
		}
		cmd, _ = m.Update(answer.Msg)
	}
}

func selected(m *table.Model[string, string]) string {
	key, _ := m.List().SelectedKey()
	return key
}

func TestDetailOpensAndCloses(t *testing.T) {
	t.Parallel()
	m, _ := newBrowser(t, 30)
	if got := view(m, 80, 20); !strings.Contains(got, "row-3") || strings.Contains(got, "Record of") {
		t.Fatal(got)
	}
	press(m, "down", "enter")
	got := view(m, 80, 20)
	if !strings.Contains(got, "Record of row-1") || strings.Contains(got, "row-3") || !strings.Contains(got, "more below") {
		t.Fatal(got)
	}
	press(m, "pgdown", "pgdown", "pgdown", "pgdown")
	if got := view(m, 80, 20); !strings.Contains(got, "label 39") || strings.Contains(got, "Record of") || strings.Contains(got, "more below") {
		t.Errorf("the end cannot be read:\n%s", got)
	}
	if press(m, "enter"); strings.Contains(view(m, 80, 20), "Record of") {
		t.Error("enter went back to the top")
	}
	press(m, "down")
	if got := view(m, 80, 20); !strings.Contains(got, "Record of row-2") {
		t.Errorf("the next record does not begin at its top:\n%s", got)
	}
	if used := press(m, "esc"); !used || !strings.Contains(view(m, 80, 20), "row-3") {
		t.Error("esc goes back to the table")
	}
	if press(m, "esc") {
		t.Error("there is nothing left to leave")
	}
}

func TestPaneBeside(t *testing.T) {
	t.Parallel()
	shows := func(m *table.Model[string, string], want bool) {
		t.Helper()
		if got := view(m, 120, 20); strings.Contains(got, "Record of row-0") != want || !strings.Contains(got, "row-3") {
			t.Error(got)
		}
	}
	m, _ := newBrowser(t, 5)
	shows(m, false)
	press(m, "k")
	shows(m, true)
	press(m, "down", "g")
	shows(m, false)
	m.Update(page.Wheel{By: -1})
	shows(m, true)

	m, _ = newBrowser(t, 5)
	shows(m, false)
	m.Update(page.Click{X: 10, Y: 15, Width: 120}) // below the last row
	shows(m, false)
	m.Update(page.Click{X: 10, Y: 2, Width: 120})
	shows(m, true)
	m, _ = newBrowser(t, 5)
	press(m, "enter", "esc")
	shows(m, true)
	m, _ = newBrowser(t, 5)
	press(m, "enter")
	m.Refresh()
	press(m, "g", "esc")
	shows(m, true)
	m.Refresh()
	shows(m, true)
	m, rows := newBrowser(t, 0)
	press(m, "enter", "j")
	m.Update(page.Wheel{By: 1})
	rows.ids = []string{"row-0", "row-3"}
	m.Refresh()
	shows(m, false)
	m, _ = newBrowser(t, 5)
	m.ComeBack("row-0", false)
	shows(m, true)
	m, _ = newBrowser(t, 5)
	press(m, "/", "r", "enter")
	shows(m, false)
	m, _ = newBrowser(t, 5)
	press(m, "S") // and the top of that order
	shows(m, false)
	press(m, "G")
	shows(m, true)
}

func TestEscLeavesInOrder(t *testing.T) {
	t.Parallel()
	m, _ := newBrowser(t, 30)
	press(m, "/", "2", "enter", "enter")
	if got := view(m, 80, 20); !strings.Contains(got, "Record of row-2") {
		t.Fatal(got)
	}
	press(m, "esc")
	if got := view(m, 80, 20); !m.Filtered() || strings.Contains(got, "Record") || !strings.Contains(got, "12 of 30") {
		t.Errorf("the detail is left first:\n%s", got)
	}
	press(m, "esc")
	if got := view(m, 80, 20); m.Filtered() || !strings.Contains(got, "row-3") || selected(m) != "row-2" {
		t.Errorf("then the filter, and the row stays selected:\n%s", got)
	}
	press(m, "/", "q", "q")
	if !m.Editing() || !strings.Contains(view(m, 80, 20), "Nothing matches") {
		t.Error("keys are text while a filter is typed")
	}
	if press(m, "esc"); m.Editing() || m.Filtered() {
		t.Error("esc gives a filter up")
	}
}

// TestOpenDetailStays: what somebody reads does not change under their eyes, even at
// the top of a feed that they follow.
func TestOpenDetailStays(t *testing.T) {
	t.Parallel()
	m, s := newBrowser(t, 5)
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
	if off := m.Keys()[0].Actions[0].Off; off == "" {
		t.Error("a row can be opened where there is none")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	m, _ := newBrowser(t, 30)
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
