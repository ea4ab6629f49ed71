package action_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/style"
)

// The footer shows as many keys as fit, the most important first, and each once. A click finds the action under it.
func TestBar(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Actions: []*action.Action{
			{Title: "watch", Keys: []string{"w"}, Footer: action.LowPriority},
			{Title: "open", Keys: []string{"enter"}, Footer: action.Shown},
			{Title: "a gap", Keys: []string{"l"}, Footer: action.Leading},
			{Title: "export", Keys: []string{"e"}},
			{Title: "load", Keys: []string{"m"}, Footer: action.Shown, Hidden: hidden},
			{Title: "failed", Footer: action.Shown},
			{Title: "revoke", Keys: []string{"x"}, Footer: action.Shown, Disabled: off("read-only")},
			{Title: "remove", Keys: []string{"x"}, Footer: action.Shown}, // x finds the action before it
		}},
		{Actions: []*action.Action{{Title: "help", Keys: []string{"?"}, Footer: action.Shown}}},
	}
	for width, want := range map[int]string{
		80: " l a gap  ↵ open     x revoke  w watch  ? help", 46: " l a gap  ↵ open     x revoke  ? help",
		29: " l a gap  ↵ open     ? help", 20: " l a gap  ? help", 9: " l a gap",
	} {
		b := action.NewBar(&style.Theme{}, width, groups)
		if got := strings.TrimRight(ansi.Strip(b.View(width)), " "); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
	}
	b := action.NewBar(&style.Theme{}, 80, groups)
	for x, want := range map[int]string{0: "a gap", 9: "open", 16: "open", 20: "revoke", 30: "watch", 39: "help", 60: ""} {
		if a, ok := b.At(x); title(a) != want || ok != (want != "") {
			t.Errorf("at %d is %q, want %q", x, title(a), want)
		}
	}
}

// What only some rows have is at the right end, in room that is kept for it: nothing moves with the row. The keys that stay give
// way last.
func TestBarKeepsPlaces(t *testing.T) {
	t.Parallel()
	running, selected := true, true
	groups := []action.Group{
		{Actions: []*action.Action{
			{Title: "watch", Keys: []string{"w"}, Footer: action.OfRow, Vary: func(l action.Look) action.Look {
				if !running {
					l.Footer = action.NotShown
				}
				return l
			}},
			{Title: "details", Keys: []string{"enter"}, Footer: action.Leading, Disabled: func() string {
				if selected {
					return ""
				}
				return "no row"
			}},
			{Title: "groups", Keys: []string{"v"}, Footer: action.Shown},
			{Title: "filter", Keys: []string{"/"}, Footer: action.Shown, Stays: true},
		}},
		{Actions: []*action.Action{{Title: "help", Keys: []string{"?"}, Footer: action.Shown, Stays: true}}},
	}
	bar := func(width int) string { return ansi.Strip(action.NewBar(&style.Theme{}, width, groups).View(width)) }
	const want = " ↵ details  v groups  / filter  ? help           w watch "
	if got := bar(57); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	running, selected = false, false
	if got := bar(57); got != strings.Replace(want, "w watch", "       ", 1) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := bar(22); strings.TrimSpace(got) != "/ filter  ? help" {
		t.Errorf("%q", got)
	}
}

// A key of another keyboard layout is that of a US keyboard, where its text has no action.
func TestActionIsFoundByTheKeyOfAUSKeyboard(t *testing.T) {
	t.Parallel()
	groups := []action.Group{{Actions: []*action.Action{
		{Title: "quit", Keys: []string{"q"}},
		{Title: "all", Keys: []string{"A"}},
		{Title: "own", Keys: []string{"ж"}},
		{Title: "run", Keys: []string{"ctrl+r"}},
	}}}
	for _, c := range []struct {
		key  tea.Key
		want string
	}{
		{tea.Key{Code: 'й', Text: "й", BaseCode: 'q'}, "quit"},
		{tea.Key{Code: 'ф', Text: "Ф", BaseCode: 'a', Mod: tea.ModShift}, "all"},
		{tea.Key{Code: 'ж', Text: "ж", BaseCode: ';'}, "own"},
		{tea.Key{Code: 'к', BaseCode: 'r', Mod: tea.ModCtrl}, "run"},
		{tea.Key{Code: 'a', Text: "a", BaseCode: 'q'}, "quit"},
		{tea.Key{Code: 'й', Text: "й"}, ""},
	} {
		if a, _ := action.Find(groups, tea.KeyPressMsg(c.key)); title(a) != c.want {
			t.Errorf("%q is %q, want %q", c.key.Text, title(a), c.want)
		}
	}
}
