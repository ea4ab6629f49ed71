package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// picker returns a picker of n items, and records the chosen one.
func picker(n int, id string) (m *dialog.Picker, chosen *int) {
	chosen = new(int)
	*chosen = -1
	var items []*dialog.PickerItem
	for i := range n {
		items = append(items, &dialog.PickerItem{
			ID: fmt.Sprintf("id-%02d", i), Title: fmt.Sprintf("title 東京 %02d", i), Note: "note",
			Choose: func() tea.Cmd {
				*chosen = i
				return nil
			},
		})
	}
	return dialog.NewPicker("Project", items, id), chosen
}

// Enter chooses the selected item: the first match, or the one that keys moved to.
func TestPickerChooses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start string
		n     int
		keys  string
		want  int // -1 chooses nothing
	}{
		"first":                   {"", 30, "", 0},
		"the one that is open":    {"id-12", 30, "", 12},
		"one that is gone":        {"id-99", 30, "", 0},
		"down and up":             {"", 30, "↓↓↑", 1},
		"not above the first":     {"", 30, "↑⇞", 0},
		"not below the last":      {"", 30, "⇟⇟⇟⇟↓", 29},
		"typed":                   {"id-12", 30, "27", 27},
		"typed, then down":        {"", 30, "title 2↓", 21},
		"no matches":              {"", 30, "zzz↓↑", -1},
		"typed and taken back":    {"", 30, "z⌫↓", 1},
		"there is nothing at all": {"", 0, "↓⇞", -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, chosen := picker(c.n, c.start)
			if send(t, m, keysOf(c.keys)...); m.Done() || *chosen != -1 {
				t.Fatalf("%d was chosen before enter", *chosen)
			}
			if none := m.Actions()[0].Actions[0].Reason() != ""; none != (c.want < 0) {
				t.Errorf("nothing can be chosen: %v", none)
			}
			if send(t, m, keysOf("\n")...); *chosen != c.want || m.Done() != (c.want >= 0) {
				t.Errorf("%d was chosen, want %d", *chosen, c.want)
			}
		})
	}
}

// The selected item is visible and the box fits, on screens of all sizes. Esc leaves without a choice.
func TestPickerView(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {30, 9}, {1, 1}} {
		m, _ := picker(30, "")
		for i := range 30 {
			box := view(m, frame(size[0], size[1]))
			if size[0] >= 60 && !strings.Contains(box, fmt.Sprintf("▌ title 東京 %02d", i)) {
				t.Errorf("%v: the selected item %d is not on the screen\n%s", size, i, box)
			}
			if size[1] > 1 && strings.Count(box, "\n")+1 > size[1] {
				t.Errorf("%v: too high\n%s", size, box)
			}
			send(t, m, keysOf("↓")...)
		}
	}
	m, chosen := picker(1, "")
	if send(t, m, keysOf("⎋")...); !m.Done() || *chosen != -1 {
		t.Error("esc does not leave, or chooses")
	}
}

// TestPickerClicks selects with the first click, without moving anything, and chooses with the second.
func TestPickerClicks(t *testing.T) {
	t.Parallel()
	m, chosen := picker(30, "id-15")
	f := frame(80, 24)
	before := strings.Index(view(m, f), "東京 18")
	if pointAt(t, m, f, "東京 18"); *chosen != -1 || strings.Index(view(m, f), "東京 18") < before-1 {
		t.Errorf("%d was chosen, or it moved:\n%s", *chosen, view(m, f))
	}
	pointAt(t, m, f, "東京 17")
	if pointAt(t, m, f, "東京 18"); *chosen != -1 || !strings.Contains(view(m, f), "▌ title 東京 18") {
		t.Errorf("%d was chosen by a click at another", *chosen)
	}
	if pointAt(t, m, f, "東京 18"); *chosen != 18 || !m.Done() {
		t.Errorf("%d was chosen", *chosen)
	}
}

// TestPickerCounts counts the items, without the one for all.
func TestPickerCounts(t *testing.T) {
	t.Parallel()
	items := []*dialog.PickerItem{{Title: "all projects"}}
	for i := range 12 {
		items = append(items, &dialog.PickerItem{ID: fmt.Sprintf("id-%02d", i), Title: fmt.Sprintf("title %02d", i)})
	}
	m := dialog.NewPicker("Project", items, "")
	f := frame(80, 24)
	counts := func(want, selected string) {
		t.Helper()
		if got := view(m, f); !strings.Contains(got, " "+want+" ") {
			t.Errorf("no %q in\n%s", want, got)
		}
		if said := m.Describe(f); said.Parts[0].Text != want+" match." || said.Parts[1].Text != selected {
			t.Error(said.Parts)
		}
	}
	counts("12 of 12", "all projects, 1 of 13")
	send(t, m, keysOf("title")...)
	counts("12 of 12", "title 00, 1 of 12")
	send(t, m, keysOf(" 11")...)
	counts("1 of 12", "title 11, 1 of 1")
}

// The notes are aligned in one column, except that a long note begins earlier.
func TestPickerAlignsNotes(t *testing.T) {
	t.Parallel()
	items := []*dialog.PickerItem{
		{ID: "a", Title: "a", Note: "k1"},
		{ID: "b", Title: strings.Repeat("long ", 20), Note: "k2"},
		{ID: "c", Title: "c", Note: strings.Repeat("wordy ", 9)},
	}
	for _, f := range []page.Frame{frame(40, 12), frame(80, 24)} {
		box := view(dialog.NewPicker("Choose", items, "a"), f)
		column := map[string]int{}
		for line := range strings.SplitSeq(box, "\n") {
			for _, note := range []string{"k1", "k2", "wordy"} {
				if before, _, ok := strings.Cut(line, note); ok {
					column[note] = ansi.StringWidth(before)
				}
			}
		}
		if column["k1"] == 0 || column["k1"] != column["k2"] || column["wordy"] == 0 || column["wordy"] >= column["k1"] {
			t.Errorf("%v in\n%s", column, box)
		}
	}
}

// On a wide screen, a picker is wide enough for its longest item, also while the search does not find that one.
func TestPickerWidth(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("failed ", 10) + "end"
	m := dialog.NewPicker("Alerts", []*dialog.PickerItem{{ID: "a", Title: long, Note: "2m ago"}, {ID: "b", Title: "b"}}, "")
	f := frame(200, 40)
	before := view(m, f)
	if !strings.Contains(before, long+"  2m ago") {
		t.Errorf("the item is cut in\n%s", before)
	}
	send(t, m, keysOf("b")...)
	top, _, _ := strings.Cut(before, "\n")
	if after := view(m, f); strings.Contains(after, long) || !strings.HasPrefix(after, top) {
		t.Errorf("another width in\n%s", after)
	}
}
