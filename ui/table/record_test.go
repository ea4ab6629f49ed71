package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Values are complete at any width: the user may want to copy them.
func TestRecordIsNotCut(t *testing.T) {
	t.Parallel()
	th := styled()
	r := Record{
		Title: "Start compute", State: "failed", About: "Starts a compute because something needs it.", Damage: "status is not text",
		Fields: []Field{
			{Label: "id", Value: "a07f8772-1877-4da9-a939-000000000001"},
			{Label: "a longer label", Value: strings.Repeat("東京", 40)},
			{Label: "empty"},
		},
	}
	for width := 3; width <= 120; width++ {
		all := ""
		for _, line := range r.lines(th, width) {
			if got := ansi.StringWidth(line); got > width && width > 4 {
				t.Errorf("%d cells, want %d: %q", got, width, line)
			}
			if got := ansi.Strip(line); width > 20 || !strings.Contains(got, "label") {
				all += strings.TrimPrefix(strings.TrimSpace(got), "a longer label")
			}
		}
		all = strings.ReplaceAll(all, " ", "")
		for _, f := range r.Fields {
			if !strings.Contains(all, f.Value) {
				t.Errorf("width %d: %s is not whole", width, f.Value)
			}
		}
	}
}

// The error is below the state and above the note, on the screen and in words; what could not be read is named.
func TestRecordErrorStandsBelowTheState(t *testing.T) {
	t.Parallel()
	r := Record{Title: "Start compute", State: "failed", Error: "no room", Note: "median 3s", Damage: "action"}
	damage := "Parts of this record could not be read: action."
	if all := strings.Join(r.lines(styled(), 80), "\n"); !strings.Contains(all, damage) || !slices.Contains(r.said(), damage) {
		t.Errorf("no %q in\n%s", damage, all)
	}
	for width, lines := range map[int][]string{
		40: {r.Title + "  " + r.State, r.Error, r.Note}, 16: {r.Title, r.State, r.Error, r.Note},
	} {
		for i, want := range lines {
			if got := ansi.Strip(r.lines(styled(), width)[i]); got != want {
				t.Errorf("%d cells: line %d is %q, want %q", width, i, got, want)
			}
		}
	}
	if said := r.said(); !slices.Equal(said[:4], []string{r.Title, r.State, r.Error, r.Note}) {
		t.Errorf("said as %q", said)
	}
}

// The text in place of rows fills screens of any size exactly.
func TestEmptyState(t *testing.T) {
	t.Parallel()
	th := styled()
	w := EmptyState{Title: "No operations yet.", Body: strings.Repeat("Press a key. ", 20)}
	for width := range 100 {
		for height := -1; height < 12; height++ {
			lines := w.lines(th, width, height)
			if len(lines) != max(0, height) {
				t.Fatalf("%d×%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if got := ansi.StringWidth(line); got != width {
					t.Fatalf("%d×%d: %d cells", width, height, got)
				}
			}
		}
	}
}
