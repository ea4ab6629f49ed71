package table

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/page"
)

func described(clicked *int) Description[string] {
	return Description[string]{
		Name: "Things",
		Summary: []Part{
			{Text: "all things", ScreenOnly: true},
			{Text: "15 min:", Announced: "Last 15 minutes:"},
			{Text: "3 failed", Gap: " ", Run: func() tea.Cmd { *clicked++; return nil }},
			{Text: "2 running", Gap: ", "},
			{Announced: "nothing else"},
			{Text: "▁▂▃ now", Right: true, ScreenOnly: true},
			{Text: "peak 9", Right: true, Gap: " · ", ScreenOnly: true},
		},
		Trouble: []error{nil, errors.New("it failed")},
		Note:    Note{Text: "more below"},
		Empty:   EmptyState{Title: "No things.", Body: "Make one."},
	}
}

// The line above the rows shows its right parts only if there is room for all of them. A click runs the part under it.
func TestSummary(t *testing.T) {
	t.Parallel()
	clicked := 0
	m, d := newTable(t, numbered(3), nil), described(&clicked)
	line := func(width int) string { return ansi.Strip(m.Draw(frame(width, 9), d)[0]) }
	const left, right = " all things   15 min: 3 failed, 2 running", "▁▂▃ now · peak 9 "
	if got := line(80); !strings.HasPrefix(got, left+"   ") || !strings.HasSuffix(got, right) || ansi.StringWidth(got) != 80 {
		t.Errorf("%q", got)
	}
	if got := strings.TrimRight(line(ansi.StringWidth(left+right)+1), " "); got != left {
		t.Errorf("%q", got)
	}
	line(80)
	at := strings.Index(left, "3")
	for x := range 80 {
		m.Update(page.Click{X: x})
		if want := max(0, min(x-at+1, len("3 failed"))); clicked != want {
			t.Errorf("%d clicks at the cells up to %d, want %d", clicked, x, want)
		}
	}
}

// The screen and the announcement have the same parts, except the parts that only one of them needs.
func TestDescribe(t *testing.T) {
	t.Parallel()
	clicked := 0
	s := numbered(3)
	m, d := newTable(t, s, marking), described(&clicked)
	f := frame(80, 12)
	f.Accessible = true
	f.Keys = action.LabelsOf(m.Actions())
	said := func() string { return announced(m, f, d) }
	want := `summary Last 15 minutes: 3 failed, 2 running, nothing else
trouble error: it failed
note more below
row row-0, 1 of 3`
	if got := said(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	d = Description[string]{Empty: d.Empty}
	press(m, "space")
	work(m, m.SortBy(DefaultOrder, true))
	want = "order Sorted by age, reversed.\nmarks 1 marked\nrow row-1, 2 of 3"
	if got := said(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	press(m, "/", "q")
	if got := said(); !strings.Contains(got, "filter 0 of 3 match the filter q.") || !strings.Contains(got, "Escape: show all rows.") {
		t.Error(got)
	}
	press(m, "esc", "enter")
	if got := said(); !strings.HasPrefix(got, "row Record of row-") || m.Describe(f, d).Name != "Details" {
		t.Error(got)
	}
	s.ids = nil
	work(m, m.Refresh())
	if got := said(); !strings.HasSuffix(got, "empty No things. Make one.") {
		t.Error(got)
	}
}

// Texts name the keys in force.
func TestDescribeNamesTheKeysInForce(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), nil)
	work(m, m.SetQuery("q"))
	f := frame(80, 12)
	f.Keys = action.Labels{"back": "f5"}
	if got := ansi.Strip(strings.Join(m.Draw(f, Description[string]{}), "\n")); !strings.Contains(got, "f5: show all rows.") {
		t.Error(got)
	}
}
