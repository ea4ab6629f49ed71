package table

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/style"
)

func wide(c *Config[string]) {
	right := column("RIGHT", 8, 0, 3)
	right.Right = true
	wide := column("東京", 7, 2, 2)
	wide.Cell = func(row string, _ time.Time) (string, style.Tone) { return "東京都" + row, style.Bad }
	c.Columns = []Column[string]{column("FIRST", 10, 1, 0), wide, right, column("LAST", 12, 0, 1)}
}

// Every line of every size has as many cells as the screen, also with wide characters.
func TestDrawLinesAsWideAsTheScreen(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(5), wide)
	marked := func(row string) Change {
		if row == "row-2" {
			return Added
		}
		return 0
	}
	for width := -1; width <= 200; width++ {
		for _, height := range []int{-1, 0, 1, 2, 5, 9} {
			lines := paint(m, Description[string]{Changed: marked}, width, height)
			if len(lines) != max(0, height) {
				t.Fatalf("%d×%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if got := ansi.StringWidth(line); got != max(0, width) {
					t.Fatalf("%d×%d: %d cells: %q", width, height, got, line)
				}
			}
		}
	}
}

// If there is no room, the columns with the highest priority leave first. The one that the rows are sorted by stays.
func TestColumnsLeaveByPriority(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(1), wide)
	for _, c := range []struct {
		width int
		want  string
	}{
		{200, "FIRST 東京 RIGHT LAST"},
		{44, "FIRST 東京 RIGHT LAST"},
		{43, "FIRST 東京 LAST"},
		{35, "FIRST 東京 LAST"},
		{34, "FIRST LAST"},
		{27, "FIRST LAST"},
		{26, "FIRST"},
		{13, "FIRST"},
		{6, "FI…"},
	} {
		if got := titles(m, c.width); got != c.want {
			t.Errorf("%d cells: %q, want %q", c.width, got, c.want)
		}
	}
	sorted := lay(m.config, 2, 26, time.Time{})
	if got := m.config.Columns[sorted.order[len(sorted.order)-1]].Title; got != "RIGHT" {
		t.Errorf("the rows are sorted by RIGHT, and the last column is %s", got)
	}
}

// New rows have a mark, unless they are selected.
func TestDrawChanges(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(3), wide)
	lines := paint(m, Description[string]{Changed: func(row string) Change {
		if row == "row-2" {
			return 0
		}
		return Added
	}}, 60, 4)
	for i, want := range []string{"   ", " ▌ ", " ∙ ", "   "} {
		if got := ansi.Strip(lines[i]); !strings.HasPrefix(got, want) {
			t.Errorf("line %d begins %q, want %q", i, got, want)
		}
	}
}

// The selected row has the colours of the selection, and a failure in it stays recognizable.
func TestDrawSelectionOverWhatTheRowIs(t *testing.T) {
	t.Parallel()
	name := column("NAME", 8, 0, 0)
	told := column("TOLD", 8, 0, 0)
	told.Right = true
	told.Cell = func(row string, _ time.Time) (string, style.Tone) { return row, style.Bad }
	th := styled()
	m := newTable(t, numbered(1), func(c *Config[string]) { c.Columns = []Column[string]{name, told} })
	want := th.Paint(style.Selected, " ▌ ") + th.Paint(style.Selected, "row-0    ") + th.Paint(style.SelectedBad, "   row-0  ")
	if got := paint(m, Description[string]{}, 22, 2)[1]; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The gutter marks changes and incomplete rows. Changed cells are highlighted, but failures and warnings stay recognizable.
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
