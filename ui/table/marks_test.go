package table

import (
	"slices"
	"testing"
)

// Space marks rows and removes marks. A row that is gone loses its mark for good, and esc removes all marks.
func TestMarks(t *testing.T) {
	t.Parallel()
	s := numbered(10)
	m := newTable(t, s, marking)
	press(m, "space", "space")
	if got := m.List().Marked(); !slices.Equal(got, []string{"row-0", "row-1"}) || selected(m) != "row-2" {
		t.Fatalf("marked %v, at %s", got, selected(m))
	}
	press(m, "space", "space", "space")
	if got := m.List().CountMarked(); got != 5 {
		t.Errorf("%d are marked from row-0 to row-4", got)
	}
	// Removed rows are no longer marked, even if they return.
	s.ids = s.ids[1:]
	m.Refresh()
	s.ids = append([]string{"row-0"}, s.ids...)
	m.Refresh()
	if got := m.List().Marked(); !slices.Equal(got, []string{"row-1", "row-2", "row-3", "row-4"}) {
		t.Errorf("marked %v", got)
	}
	press(m, "g", "down", "down", "space")
	if m.List().IsMarked(Key{ID: "row-2"}) {
		t.Error("the mark was not taken away")
	}
	m.Unmark(Key{ID: "row-2"})
	if m.List().IsMarked(Key{ID: "row-2"}) || !m.List().IsMarked(Key{ID: "row-3"}) {
		t.Error("another mark was taken away")
	}
	press(m, "esc")
	if m.List().CountMarked() != 0 || m.List().Marked() != nil {
		t.Errorf("still marked: %v", m.List().Marked())
	}
}

// Marking all rows marks those that the filter shows, once it was applied. The marks that it hides are counted.
func TestMarksUnderAFilter(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(20), marking)
	press(m, "space") // row-0, which the filter hides
	cmd := m.SetQuery(`"5"`)
	press(m, "A")
	if m.List().CountMarked() != 1 || m.List().UpToDate() || m.List().MarkedHidden() != 1 {
		t.Errorf("before it is arranged, %d are hidden", m.List().MarkedHidden())
	}
	work(m, cmd)
	if m.list.hidden != 1 || m.List().MarkedHidden() != 1 || m.List().CountMarked() != 1 {
		t.Errorf("%d or %d of %d marked are hidden", m.list.hidden, m.List().MarkedHidden(), m.List().CountMarked())
	}
	press(m, "down", "space")
	if got := m.List().Marked(); !slices.Equal(got, []string{"row-0", "row-15"}) {
		t.Errorf("marked %v", got)
	}
	press(m, "A")
	if got := m.List().Marked(); !slices.Equal(got, []string{"row-0", "row-5", "row-15"}) || m.list.hidden != 1 {
		t.Errorf("marked %v, %d of them hidden", got, m.list.hidden)
	}
	// The selected row stays although it no longer matches.
	work(m, m.SetQuery(`"7"`))
	m.Unmark()
	press(m, "space")
	work(m, m.SetQuery(`"9"`))
	press(m, "up", "space")
	if m.list.hidden != m.List().MarkedHidden() {
		t.Errorf("%d are hidden, not %d", m.List().MarkedHidden(), m.list.hidden)
	}
}

// Without rows, nothing can be marked.
func TestMarksOfNothing(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(0), marking)
	press(m, "space", "A")
	if m.List().CountMarked() != 0 {
		t.Error("something is marked")
	}
}
