package help_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/help"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/theme"
)

func groups() []keys.Group {
	var out []keys.Group
	for g := range 4 {
		group := keys.Group{Title: fmt.Sprintf("Group %d", g)}
		for i := range 8 {
			name := fmt.Sprintf("k%d-%d", g, i)
			action := keys.New(name, "does "+name, name)
			if i%3 == 0 {
				action = action.Unless("reason " + name)
			}
			group.Actions = append(group.Actions, action)
		}
		out = append(out, group)
	}
	return out
}

// TestEveryKeyIsShown scrolls from the top to the end, on screens of all heights.
func TestEveryKeyIsShown(t *testing.T) {
	t.Parallel()
	th := theme.New(true, colorprofile.TrueColor)
	for _, height := range []int{8, 24, 100} {
		m := help.New("Keys", groups())
		seen := ""
		for range 60 {
			box := ansi.Strip(m.View(page.Frame{Width: 80, Height: height, Theme: th}))
			if strings.Count(box, "\n")+1 > height {
				t.Fatalf("higher than %d:\n%s", height, box)
			}
			seen += box
			m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
		}
		for _, g := range groups() {
			if !strings.Contains(seen, g.Title) {
				t.Errorf("height %d: %s is not shown", height, g.Title)
			}
			for _, a := range g.Actions {
				if !strings.Contains(seen, a.Help().Desc) || !strings.Contains(seen, a.Off) {
					t.Errorf("height %d: %s (%s) is not shown", height, a.Help().Key, a.Off)
				}
			}
		}
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	for _, k := range []tea.KeyPressMsg{{Code: tea.KeyEscape}, {Code: '?', Text: "?"}, {Code: 'q', Text: "q"}, {Code: tea.KeyEnter}} {
		if done, cmd := help.New("", nil).Update(k); !done || cmd != nil {
			t.Errorf("%s does not leave", k)
		}
	}
	for _, msg := range []tea.Msg{tea.KeyPressMsg{Code: 'x', Text: "x"}, tea.PasteMsg{Content: "q"}, nil} {
		if done, cmd := help.New("", nil).Update(msg); done || cmd != nil {
			t.Errorf("%v leaves", msg)
		}
	}
}
