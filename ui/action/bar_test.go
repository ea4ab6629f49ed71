package action_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/style"
)

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
		}},
		{Actions: []*action.Action{{Title: "help", Keys: []string{"?"}, Footer: action.Shown}}},
	}
	for width, want := range map[int]string{
		80: " l a gap  ↵ open  w watch  ? help", 31: " l a gap  ↵ open  ? help", 20: " l a gap  ? help", 9: " l a gap",
	} {
		b := action.NewBar(&style.Theme{}, width, groups)
		if got := strings.TrimRight(ansi.Strip(b.View(width)), " "); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
	}
	b := action.NewBar(&style.Theme{}, 80, groups)
	for x, want := range map[int]string{0: "a gap", 9: "open", 16: "open", 17: "watch", 26: "help", 60: ""} {
		if a, ok := b.At(x); title(a) != want || ok != (want != "") {
			t.Errorf("at %d is %q, want %q", x, title(a), want)
		}
	}
}
