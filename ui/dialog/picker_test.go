package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func items(n int) []dialog.PickerItem {
	var out []dialog.PickerItem
	for i := range n {
		out = append(out, dialog.PickerItem{ID: fmt.Sprintf("id-%02d", i), Title: fmt.Sprintf("title 東京 %02d", i), Note: "note", Then: i})
	}
	return out
}

func special(code rune) tea.Msg { return tea.KeyPressMsg{Code: code} }

func typed(s string) tea.Msg { return tea.PasteMsg{Content: s} }

func TestChoice(t *testing.T) {
	t.Parallel()
	up, down, pgup, pgdn := special(tea.KeyUp), special(tea.KeyDown), special(tea.KeyPgUp), special(tea.KeyPgDown)
	for name, c := range map[string]struct {
		start string
		n     int
		msgs  []tea.Msg
		want  any // nil chooses nothing
	}{
		"first":                   {"", 30, nil, 0},
		"the one that is open":    {"id-12", 30, nil, 12},
		"one that is gone":        {"id-99", 30, nil, 0},
		"down and up":             {"", 30, []tea.Msg{down, down, up}, 1},
		"not above the first":     {"", 30, []tea.Msg{up, pgup}, 0},
		"not below the last":      {"", 30, []tea.Msg{pgdn, pgdn, pgdn, pgdn, down}, 29},
		"typed":                   {"id-12", 30, []tea.Msg{typed("27")}, 27},
		"typed, then down":        {"", 30, []tea.Msg{typed("title 2"), down}, 12},
		"nothing matches":         {"", 30, []tea.Msg{typed("zzz"), down, up}, nil},
		"typed and taken back":    {"", 30, []tea.Msg{typed("z"), special(tea.KeyBackspace), down}, 1},
		"there is nothing at all": {"", 0, []tea.Msg{down, pgup}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := dialog.NewPicker("Project", items(c.n), c.start)
			for _, msg := range c.msgs {
				if done, answer := m.Update(msg); done || answer != nil {
					t.Fatalf("%v chose", msg)
				}
			}
			done, answer := m.Update(special(tea.KeyEnter))
			switch {
			case c.want == nil && (done || answer != nil || m.Keys()[0].Actions[0].Off == ""):
				t.Error("something was chosen")
			case c.want != nil && (!done || answer != c.want):
				t.Errorf("%d was not chosen", c.want)
			}
		})
	}
}

func TestPickerView(t *testing.T) {
	t.Parallel()
	th := style.NewTheme(true, colorprofile.TrueColor)
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {30, 9}, {1, 1}} {
		m := dialog.NewPicker("Project", items(30), "")
		for i := range 30 {
			box := ansi.Strip(m.View(page.Frame{Width: size[0], Height: size[1], Theme: th}))
			if size[0] >= 60 && !strings.Contains(box, fmt.Sprintf("▌ title 東京 %02d", i)) {
				t.Errorf("%v: the selected item %d is not on the screen\n%s", size, i, box)
			}
			if size[1] > 1 && strings.Count(box, "\n")+1 > size[1] {
				t.Errorf("%v: too high\n%s", size, box)
			}
			m.Update(special(tea.KeyDown))
		}
	}
	if done, answer := dialog.NewPicker("", nil, "").Update(special(tea.KeyEscape)); !done || answer != nil {
		t.Error("esc leaves, and does nothing")
	}
}

// TestCount counts what can be found, and not the item that stands for all of it.
func TestCount(t *testing.T) {
	t.Parallel()
	m := dialog.NewPicker("Project", append([]dialog.PickerItem{{Title: "all projects"}}, items(12)...), "")
	f := page.Frame{Width: 80, Height: 24, Theme: style.NewTheme(true, colorprofile.ASCII)}
	counts := func(want string) {
		t.Helper()
		if got := ansi.Strip(m.View(f)); !strings.Contains(got, " "+want+" ") {
			t.Errorf("no %q in\n%s", want, got)
		}
		if got := m.Spoken(f).Parts[0].Text; got != want+" match." {
			t.Error(got)
		}
	}
	counts("12 of 12")
	m.Update(typed("title"))
	counts("12 of 12")
	m.Update(typed(" 東京 11"))
	counts("1 of 12")
}
