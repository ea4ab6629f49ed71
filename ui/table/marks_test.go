package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/ui/table"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	s := numbered(10)
	m := table.NewList(s, []table.Column[string]{column("ID", 10, 1, 0)}, false)
	m.ToggleMark()
	m.ToggleMark()
	if got := m.Marked(); !slices.Equal(got, []string{"row-0", "row-1"}) || rowlistSelected(m) != "row-2" {
		t.Fatalf("marked %v, at %s", got, rowlistSelected(m))
	}
	rowlistPress(m, "down")
	rowlistPress(m, "down")
	m.MarkRange()
	if got := m.CountMarked(); got != 5 {
		t.Errorf("%d are marked from row-0 to row-4", got)
	}
	// What goes away is no longer marked, also when it comes back.
	s.ids = s.ids[1:]
	m.Refresh()
	s.ids = append([]string{"row-0"}, s.ids...)
	m.Refresh()
	if got := m.Marked(); !slices.Equal(got, []string{"row-1", "row-2", "row-3", "row-4"}) {
		t.Errorf("marked %v", got)
	}
	// A mark that was taken away begins no range.
	rowlistPress(m, "g")
	rowlistPress(m, "down")
	rowlistPress(m, "down")
	m.ToggleMark()
	rowlistPress(m, "down")
	m.MarkRange()
	if m.IsMarked("row-2") {
		t.Error("the mark that was taken away came back")
	}
	m.Unmark("row-2")
	if m.IsMarked("row-2") || !m.IsMarked("row-3") {
		t.Error("another mark was taken away")
	}
	m.Unmark()
	if m.CountMarked() != 0 || m.Marked() != nil {
		t.Errorf("still marked: %v", m.Marked())
	}
}

func TestMarksUnderAFilter(t *testing.T) {
	t.Parallel()
	m := table.NewList(numbered(20), []table.Column[string]{column("ID", 10, 1, 0)}, false)
	m.ToggleMark() // row-0, which the filter hides
	m.Filter(func(row string, _ time.Time) bool { return strings.HasSuffix(row, "5") })
	if m.Settled() || m.MarkedHidden(time.Time{}) != 1 {
		t.Errorf("before it is arranged, %d are hidden", m.MarkedHidden(time.Time{}))
	}
	m.Take(m.Arrange(time.Time{})())
	if m.HiddenMarks() != 1 || m.MarkedHidden(time.Time{}) != 1 || m.CountMarked() != 1 {
		t.Errorf("%d or %d of %d marked are hidden", m.HiddenMarks(), m.MarkedHidden(time.Time{}), m.CountMarked())
	}
	// The range would begin at a row that is not shown.
	rowlistPress(m, "down")
	m.MarkRange()
	if got := m.Marked(); !slices.Equal(got, []string{"row-0", "row-15"}) {
		t.Errorf("marked %v", got)
	}
	m.MarkShown()
	if got := m.Marked(); !slices.Equal(got, []string{"row-0", "row-5", "row-15"}) || m.HiddenMarks() != 1 {
		t.Errorf("marked %v, %d of them hidden", got, m.HiddenMarks())
	}
}

func TestMarksOfNothing(t *testing.T) {
	t.Parallel()
	m := table.NewList(numbered(0), []table.Column[string]{column("ID", 10, 1, 0)}, false)
	m.ToggleMark()
	m.MarkRange()
	m.MarkShown()
	if m.CountMarked() != 0 {
		t.Error("something is marked")
	}
}
