package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// divided is a source that has a divider among its rows once it is frozen.
type divided struct {
	*rows
	at int
}

func (s divided) Freeze() (Rows[string], int) {
	return &rows{slices.Insert(slices.Clone(s.ids), s.at, "line")}, s.at
}

func byText(a, b string, _ time.Time) int { return strings.Compare(a, b) }

// The divider belongs to its order: it follows the filtered rows, is not a row, and is absent in other orders.
func TestDivider(t *testing.T) {
	t.Parallel()
	s := divided{numbered(30), 12}
	s.ids = slices.Delete(s.ids, 12, 13)
	m := newTable(t, s, func(c *Config[string]) { c.Columns[0].Compare = byText })
	d := Description[string]{Divider: func(row string) string { return row + ": older rows" }}
	f := frame(60, 20)
	shown := func() string { return ansi.Strip(strings.Join(m.Draw(f, d), "\n")) + ruled(m) }
	work(m, m.SetQuery(`"row-1"`)) // 1 and 10 to 19, without 12
	if m.List().Len() != 11 || m.List().Matches() != 10 || m.List().total() != 29 || !strings.Contains(shown(), "10 of 29") {
		t.Fatalf("%d rows, %d of %d match", m.List().Len(), m.List().Matches(), m.List().total())
	}
	press(m, "down", "down", "down")
	if got := shown(); m.List().position() != 0 || selected(m) != "line" || !strings.Contains(got, " ▌ ┄┄ line: older rows ┄") || !strings.Contains(got, "– / 10") {
		t.Errorf("the line is row %d:\n%s", m.List().position(), got)
	}
	if press(m, "down"); m.List().position() != 4 || selected(m) != "row-13" {
		t.Errorf("row %d is %s", m.List().position(), selected(m))
	}
	if work(m, m.SortBy(m.list.want.column, true)); m.list.divider != 7 || len(slices.Collect(m.List().Matching())) != 10 {
		t.Errorf("in reverse order, the line is at %d", m.list.divider)
	}
	work(m, m.SortBy(0, false))
	if m.List().Len() != 10 || slices.Contains(m.list.rows, "line") {
		t.Errorf("in another order: %q", m.list.rows)
	}
	work(m, m.SetQuery("nothing"))
	if work(m, m.SortBy(DefaultOrder, false)); m.List().Len() != 0 {
		t.Errorf("the line is alone: %q", m.list.rows)
	}
}

// A divider below a fold is drawn in its own line, and no row is drawn in its place.
func TestDividerBelowAFold(t *testing.T) {
	t.Parallel()
	m, source := folding(t, "a-1", "a-2", "a-3", "b-1", "c-1")
	m.list.source = divided{source, 3}
	d := Description[string]{Divider: func(row string) string { return row + ": older rows" }}
	work(m, m.Refresh())
	lines := strings.Split(ansi.Strip(strings.Join(m.Draw(frame(40, 16), d), "\n")), "\n")[2:6]
	for i, want := range []string{"3 × a-1", "┄┄ line: older rows ┄", "b-1", "c-1"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, not %q", i, lines[i], want)
		}
	}
}
