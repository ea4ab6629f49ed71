package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/style"
)

// folding is a table of ids whose rows with one text before the dash are alike.
func folding(t *testing.T, ids ...string) (*Model[string], *rows) {
	t.Helper()
	source := &rows{ids: ids}
	m := newTable(t, source, func(c *Config[string]) {
		c.Follow, c.Markable = true, func(string) bool { return true }
		c.Columns[0].Compare = byText
		c.Columns = append(c.Columns, Column[string]{
			Title: "LAST", Width: 9, Many: "ends",
			Cell: func(row string, _ time.Time) (string, style.Tone) { return row[len(row)-1:], style.Plain },
		})
		alike := func(row string) string { text, _, _ := strings.Cut(row, "-"); return text }
		c.Fold = &Fold[string]{
			By: alike, When: func() bool { return true },
			Say: func(rows []string) string { return alike(rows[0]) + " folded" },
		}
	})
	work(m, m.SetQuery("!none"))
	return m, source
}

// folded returns the rows as drawn, without titles.
func foldedLines(m *Model[string]) (lines []string) {
	for _, line := range strings.Split(view(m, 40, 16), "\n")[2:] {
		if text := strings.Join(strings.Fields(ansi.Strip(line)), " "); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

func wantLines(t *testing.T, m *Model[string], want ...string) {
	t.Helper()
	if got := foldedLines(m); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// Three neighbours that are alike are one line, which counts them; the position counts rows.
func TestFold(t *testing.T) {
	t.Parallel()
	m, source := folding(t, "a-1", "a-2", "a-3", "b-1", "b-2", "c-1", "c-2", "c-3", "c-4")
	wantLines(t, m, "▌ 3 × a-1 3 ends", "b-1 1", "b-2 2", "4 × c-1 4 ends")
	if got := ruled(m); got != "a folded ─ / !none · 1 / 9 of 9" {
		t.Errorf("the rule is %q", got)
	}
	press(m, "G")
	view(m, 40, 16)
	if got := ruled(m); got != "c folded ─ / !none · 6 / 9 of 9" {
		t.Errorf("the rule is %q", got)
	}
	press(m, "space")
	if n := m.List().CountMarked(); n != 4 {
		t.Errorf("%d of 4 rows are marked", n)
	}
	press(m, "g")
	source.ids = slices.Insert(source.ids, 0, "a-0")
	work(m, m.Refresh())
	wantLines(t, m, "▌ 4 × a-0 4 ends", "b-1 1", "b-2 2", "● 4 × c-1 4 ends")
}

// The text of a fold takes the cells that are free behind it, as many as it lacks: the cells there move to the right.
func TestFoldTakesFreeCells(t *testing.T) {
	t.Parallel()
	m, _ := folding(t, "much too long-1", "much too long-2", "much too long-3", "too long…-1", "too long…-2", "too long…-3",
		"a-1", "a-2", "a-3", "a single long row-1")
	m.config.Columns[0].Width, m.config.Columns[0].Grow = 14, 0
	lined := func(want ...string) {
		t.Helper()
		lines := strings.Split(ansi.Strip(view(m, 44, 16)), "\n")[2:]
		for i := range want {
			if got := strings.TrimRight(lines[i], " "); got != want[i] {
				t.Errorf("%q, not %q", got, want[i])
			}
		}
	}
	lined(" ▌ 3 × much too lon… 3 ends", "   3 × too long…-1  3 ends", "   3 × a-1        3 ends", "   a single long… 1")
	m.config.Columns = append(m.config.Columns, Column[string]{
		Title: "END", Width: 3, Right: true, Cell: func(string, time.Time) (string, style.Tone) { return "·", style.Plain },
	})
	lined(" ▌ 3 × much too long-1 3 ends ·", "   3 × too long…-1  3 ends    ·", "   3 × a-1        3 ends      ·", "   a single long… 1           ·")
	m.config.Columns[2].Cell = func(string, time.Time) (string, style.Tone) { return "12345", style.Plain }
	lined(" ▌ 3 × much too lon… 3 ends 12…", "   3 × too long…-1  3 ends  12…", "   3 × a-1        3 ends    12…", "   a single long… 1         12…")
}

// Enter opens a fold, which stays open while rows arrive in it. A row that is restored from a fold is shown by itself.
func TestFoldIsOpened(t *testing.T) {
	t.Parallel()
	m, source := folding(t, "a-1", "a-2", "a-3", "b-1", "c-1", "c-2", "c-3")
	press(m, "enter")
	if m.Opened() {
		t.Error("the details are open")
	}
	wantLines(t, m, "▌ a-1 1", "a-2 2", "a-3 3", "b-1 1", "3 × c-1 3 ends")
	source.ids = slices.Insert(source.ids, 0, "a-0")
	work(m, m.Refresh())
	wantLines(t, m, "a-0 0", "▌ a-1 1", "a-2 2", "a-3 3", "b-1 1", "3 × c-1 3 ends")
	m.Restore(Key{ID: "c-2"}, false)
	wantLines(t, m, "a-0 0", "a-1 1", "a-2 2", "a-3 3", "b-1 1", "c-1 1", "▌ c-2 2", "c-3 3")
	work(m, m.SetQuery("a or b or c"))
	wantLines(t, m, "4 × a-0 4 ends", "b-1 1", "c-1 1", "▌ c-2 2", "c-3 3")
}

// A fold that is opened while the rows are arranged stays open when they come, wherever the selection is then.
func TestFoldOpenedDuringAnArrangement(t *testing.T) {
	t.Parallel()
	m, source := folding(t, "a-1", "a-2", "a-3", "b-1", "c-1")
	source.ids = append(source.ids, "d-1")
	m.list.refresh()
	job := m.list.arranging()
	press(m, "enter")
	press(m, "G")
	m.list.takeRows(job())
	wantLines(t, m, "a-1 1", "a-2 2", "a-3 3", "b-1 1", "▌ c-1 1", "d-1 1")
}

// A row that the user chose is not folded when others like it come.
func TestFoldLeavesTheChosenRow(t *testing.T) {
	t.Parallel()
	m, source := folding(t, "a-1", "a-2", "b-1")
	press(m, "down")
	source.ids = slices.Insert(source.ids, 0, "a-0")
	work(m, m.Refresh())
	wantLines(t, m, "a-0 0", "a-1 1", "▌ a-2 2", "b-1 1")
	if got := slices.Collect(m.List().Matching()); len(got) != 4 {
		t.Errorf("%q match", got)
	}
}

// A fold shows what all of its rows have, and the time of the first one; where they differ, nothing but their number.
func TestFoldShowsWhatAllRowsHave(t *testing.T) {
	t.Parallel()
	m, _ := folding(t, "a-1", "a-2", "a-3", "b-1")
	last := m.config.Columns[1].Cell
	same := func(string, time.Time) (string, style.Tone) { return "x", style.Plain }
	m.config.Columns = append(m.config.Columns,
		Column[string]{Title: "LAST", Width: 4, Cell: last}, Column[string]{Title: "AGE", Moment: "BEGAN", Width: 4, Cell: last},
		Column[string]{Title: "SAME", Width: 4, Cell: same},
	)
	wantLines(t, m, "▌ 3 × a-1 3 ends 1 x", "b-1 1 1 1 x")
}
