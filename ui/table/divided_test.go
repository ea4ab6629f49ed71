package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
	"pgtower/ui/style"
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
	if work(m, m.SetQuery("nothing")); m.List().Len() != 0 {
		t.Errorf("the line is alone: %q", m.list.rows)
	}
}

// A filter's error is shown below its position.
func TestFilterThatIsWrong(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), nil)
	work(m, m.SetQuery("x other:y"))
	lines := strings.Split(view(m, 100, 12), "\n")
	if got := lines[len(lines)-1]; !strings.HasPrefix(got, "     ^^^^^ Unknown field;") {
		t.Errorf("%q", got)
	}
	narrow := view(m, 30, 12)
	if !strings.Contains(narrow, "     ^^^^^   ") || !strings.Contains(narrow, "\n   Unknown field") {
		t.Error(narrow)
	}
	if m.List().Filtered() || m.List().Matches() != 9 {
		t.Error("what is no filter is in force")
	}
}

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

// The gutter marks changes and incomplete rows. Changed cells are highlighted, but failures and warnings keep their
// look.
func TestDrawLooks(t *testing.T) {
	t.Parallel()
	th := styled()
	for _, c := range []struct {
		look rowStyle
		own  style.Tone
		want style.Tone
		mark string
	}{
		{rowStyle{}, style.Plain, style.Plain, "   "},
		{rowStyle{change: 1}, style.Plain, style.Fresh, " ∙ "},
		{rowStyle{change: 2}, style.Plain, style.Plain, " ∙ "},
		{rowStyle{change: 1}, style.Bad, style.Bad, " ∙ "},
		{rowStyle{partial: true}, style.Plain, style.Muted, "  ┊"},
		{rowStyle{partial: true}, style.Good, style.Good, "  ┊"},
		{rowStyle{marked: true}, style.Plain, style.Plain, "●  "},
		{rowStyle{selected: true, lapsed: true}, style.Bad, style.Muted, " ▌ "},
		{rowStyle{selected: true, held: true, marked: true, partial: true}, style.Good, style.Selected, "●▌┊"},
		{rowStyle{selected: true, held: true}, style.Bad, style.SelectedBad, " ▌ "},
		{rowStyle{selected: true, held: true}, style.Waiting, style.SelectedWaiting, " ▌ "},
	} {
		var b strings.Builder
		c.look.gutter(&b, th)
		if got := ansi.Strip(b.String()); got != c.mark || c.look.tone(0, c.own) != c.want {
			t.Errorf("%+v: %q, tone %d", c.look, got, c.look.tone(0, c.own))
		}
	}
}
