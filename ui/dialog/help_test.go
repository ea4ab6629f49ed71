package dialog_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func groups() []action.Group {
	var out []action.Group
	for g := range 4 {
		group := action.Group{Title: fmt.Sprintf("Group %d", g)}
		for i := range 8 {
			name := fmt.Sprintf("k%d-%d", g, i)
			action := action.New(name, "does "+name, name)
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
	th := style.NewTheme(true, colorprofile.TrueColor)
	for _, height := range []int{8, 24, 100} {
		m := dialog.NewHelp("Keys", groups())
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
		if done, cmd := dialog.NewHelp("", nil).Update(k); !done || cmd != nil {
			t.Errorf("%s does not leave", k)
		}
	}
	for _, msg := range []tea.Msg{tea.KeyPressMsg{Code: 'x', Text: "x"}, tea.PasteMsg{Content: "q"}, nil} {
		if done, cmd := dialog.NewHelp("", nil).Update(msg); done || cmd != nil {
			t.Errorf("%v leaves", msg)
		}
	}
}

// press gives the dialog keys by their names, and says whether the last one left it.
func press(m *dialog.Help, names ...string) (done bool) {
	for _, name := range names {
		done, _ = m.Update(action.Press(name))
	}
	return done
}

func TestFinding(t *testing.T) {
	t.Parallel()
	all := []action.Group{
		{Title: "Keys", Actions: []action.Action{
			action.New("x", "revoke", "x", "delete").Named("revoke"), action.New("R", "rotate", "R").Named("rotate").Unless("it is read-only"),
			action.New("", "no key at all").Named("none"),
		}},
		{Title: "Look", Actions: []action.Action{
			action.New("!", "errors", "!").Named("errors"), action.New("S", "reverse the order", "S").Named("reverse"),
			action.New("pgdn", "page down", "pgdown", "ctrl+f").Named("page-down"),
		}},
	}
	for typed, want := range map[string]string{
		"":           "Keys revoke rotate Look errors reverse page down",
		"rev":        "Keys revoke Look reverse",
		"ROT":        "Keys rotate",
		"x":          "Keys revoke", // it is a key, and needs not be looked for in names
		"R":          "Keys rotate", // as a key it has its case
		"!":          "Look errors", // what a filter begins with is a key, too
		"o":          "Keys revoke rotate Look errors reverse page down",
		"delete":     "Keys revoke",
		"ctrl+f":     "Look page down",
		"page-down":  "Look page down",
		"does:order": "Look reverse",
		"nothing":    "",
		"none":       "",
		"read-only":  "", // the reason is not what it does
		"rev !order": "Keys revoke",
		"(":          "",
	} {
		m := dialog.NewHelp("Keys", all)
		if press(m, "/") {
			t.Fatal("/ leaves")
		}
		for _, r := range typed {
			press(m, string(r))
		}
		for _, width := range []int{80, 120} {
			box := ansi.Strip(m.View(page.Frame{Width: width, Height: 24, Theme: style.NewTheme(true, colorprofile.TrueColor)}))
			var got []string
			for _, s := range []string{"Keys", "revoke", "rotate", "Look", "errors", "reverse", "page down"} {
				if strings.Contains(strings.Join(strings.Split(box, "\n")[2:], "\n"), s) {
					got = append(got, s)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%q finds %q, want %q:\n%s", typed, g, want, box)
			}
			if (want == "") != strings.Contains(box, "No key does that: "+typed+". esc shows all.") {
				t.Errorf("%q:\n%s", typed, box)
			}
		}
	}
}

// Esc shows everything before it leaves, and what is typed into does not move.
func TestLeavingWhileFinding(t *testing.T) {
	t.Parallel()
	f := page.Frame{Width: 80, Height: 24, Theme: style.NewTheme(true, colorprofile.TrueColor)}
	m := dialog.NewHelp("Keys", groups())
	height := strings.Count(m.View(f), "\n")
	for _, step := range []struct {
		key        string
		done, find bool
	}{
		{"/", false, true},
		{"q", false, true},
		{"?", false, true},
		{"space", false, true},
		{"esc", false, false},
		{"/", false, true},
		{"k", false, true},
		{"1", false, true},
		{"enter", false, true},
		{"down", false, true},
		{"esc", false, false},
		{"esc", true, false},
	} {
		if done := press(m, step.key); done != step.done {
			t.Fatalf("%s leaves: %v", step.key, done)
		}
		box := m.View(f)
		if got := strings.Contains(box, " of 32"); got != step.find {
			t.Fatalf("after %s, it is looked for something: %v\n%s", step.key, got, box)
		}
		if strings.Count(box, "\n") != height {
			t.Fatalf("after %s it has another height:\n%s", step.key, box)
		}
	}
	press(m, "/", "k", "enter")
	if !press(m, "q") {
		t.Error("q does not leave what was found")
	}
}
