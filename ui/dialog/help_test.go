package dialog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/internal/play"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

func off(reason string) func() string { return func() string { return reason } }

func hidden() bool { return true }

func groups() []action.Group {
	var out []action.Group
	for g := range 4 {
		group := action.Group{Title: fmt.Sprintf("Group %d", g)}
		for i := range 8 {
			name := fmt.Sprintf("k%d-%d", g, i)
			a := &action.Action{Label: name, Title: "does " + name, Keys: []string{name}}
			if i%3 == 0 {
				a.Disabled = off("reason " + name)
			}
			group.Actions = append(group.Actions, a)
		}
		out = append(out, group)
	}
	return out
}

// TestHelpShowsEveryKey scrolls from the top to the end, on screens of all heights.
func TestHelpShowsEveryKey(t *testing.T) {
	t.Parallel()
	th := style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)
	for _, height := range []int{8, 24, 100} {
		m := dialog.NewHelp("Keys", groups())
		seen := ""
		for range 60 {
			box := ansi.Strip(m.View(page.Frame{Width: 80, Height: height, Theme: th}))
			if strings.Count(box, "\n")+1 > height {
				t.Fatalf("higher than %d:\n%s", height, box)
			}
			seen += box
			send(t, m, keysOf("↓")...)
		}
		if height == 24 { // all keys are one screen, and what is found has the reasons
			send(t, m, keysOf("/does\n")...)
			for range 60 {
				seen += ansi.Strip(m.View(page.Frame{Width: 80, Height: height, Theme: th}))
				send(t, m, keysOf("↓")...)
			}
		}
		for _, g := range groups() {
			if !strings.Contains(seen, g.Title) {
				t.Errorf("height %d: %s is not shown", height, g.Title)
			}
			for _, a := range g.Actions {
				if !strings.Contains(seen, a.Title) || !strings.Contains(seen, a.Reason()) {
					t.Errorf("height %d: %s (%s) is not shown", height, a.Label, a.Reason())
				}
			}
		}
	}
}

// What the help looks like in one column and in two, and when something is found in it, or nothing.
func TestScreensOfHelp(t *testing.T) {
	t.Parallel()
	for _, size := range play.Sizes() {
		f := page.Frame{Width: size.W, Height: size.H, Theme: &style.Theme{}}
		m := dialog.NewHelp("Keys", groups())
		text := view(m, f)
		send(t, m, keysOf("/does k2")...)
		text += "\n" + view(m, f)
		send(t, m, keysOf("x")...)
		text += "\n" + view(m, f) + "\n"
		play.Golden(t, "help-"+size.String()+".golden", text)
	}
}

// Esc, enter, q and ? close the help. Other keys and a paste do not.
func TestHelpIsLeft(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"⎋", "?", "q", "\n"} {
		m := dialog.NewHelp("", nil)
		if send(t, m, keysOf(key)...); !m.Done() {
			t.Errorf("%q does not leave", key)
		}
	}
	m := dialog.NewHelp("", nil)
	if send(t, m, keysOf("x")[0], tea.PasteMsg{Content: "q"}, nil); m.Done() {
		t.Error("something else leaves")
	}
}

// The filter of the help finds keys, names and titles of all actions that are not hidden. A single key comes first.
func TestHelpFinds(t *testing.T) {
	t.Parallel()
	all := []action.Group{
		{Title: "Keys", Actions: []*action.Action{
			{ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}},
			{ID: "rotate", Title: "rotate", Keys: []string{"R"}, Disabled: off("it is read-only")},
			{ID: "none", Title: "no key at all"},
			{ID: "hidden", Title: "revoke the hidden", Keys: []string{"H"}, Hidden: hidden},
		}},
		{Title: "Look", Actions: []*action.Action{
			{ID: "errors", Title: "errors", Keys: []string{"!"}},
			{ID: "reverse", Title: "reverse the order", Keys: []string{"S"}},
			{ID: "page-down", Title: "page down", Keys: []string{"pgdown", "ctrl+f"}},
		}},
	}
	for typed, want := range map[string]string{
		"":           "Keys revoke rotate Look errors reverse page down",
		"rev":        "Keys revoke Look reverse",
		"ROT":        "Keys rotate",
		"x":          "Keys revoke", // a key takes precedence over names
		"R":          "Keys rotate", // keys are case-sensitive
		"!":          "Look errors", // a filter's first character is a key, too
		"o":          "Keys revoke rotate Look errors reverse page down",
		"delete":     "Keys revoke",
		"ctrl+f":     "Look page down",
		"page-down":  "Look page down",
		"does:order": "Look reverse",
		"nothing":    "",
		"none":       "",
		"read-only":  "", // the reason is not searched
		"rev !order": "Keys revoke",
		"(":          "Keys revoke rotate Look errors reverse page down", // may become a filter
		"(rev) or (": "Keys revoke Look reverse",
	} {
		m := dialog.NewHelp("Keys", all)
		if send(t, m, keysOf("/"+typed)...); m.Done() {
			t.Fatal("it is left")
		}
		for _, width := range []int{80, 120} {
			box := view(m, frame(width, 24))
			var got []string
			for _, s := range []string{"Keys", "revoke", "rotate", "Look", "errors", "reverse", "page down"} {
				if strings.Contains(strings.Join(strings.Split(box, "\n")[2:], "\n"), s) {
					got = append(got, s)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%q finds %q, want %q:\n%s", typed, g, want, box)
			}
			if (want == "") != strings.Contains(box, "No matches for "+typed+". esc: show all.") {
				t.Errorf("%q:\n%s", typed, box)
			}
		}
	}
}

// Esc shows everything before it closes, and the input does not move.
func TestHelpIsLeftWhileFinding(t *testing.T) {
	t.Parallel()
	f := page.Frame{Width: 80, Height: 24, Theme: style.ChooseTheme(style.Auto, true, colorprofile.TrueColor)}
	m := dialog.NewHelp("Keys", groups())
	height := strings.Count(m.View(f), "\n")
	for _, step := range []struct {
		key        string
		done, find bool
	}{
		{"/", false, true},
		{"q", false, true},
		{"?", false, true},
		{" ", false, true},
		{"⎋", false, false},
		{"/", false, true},
		{"k", false, true},
		{"1", false, true},
		{"\n", false, true},
		{"↓", false, true},
		{"⎋", false, false},
		{"⎋", true, false},
	} {
		if send(t, m, keysOf(step.key)...); m.Done() != step.done {
			t.Fatalf("%q leaves: %v", step.key, m.Done())
		}
		box := m.View(f)
		if got := strings.Contains(box, " of 32"); got != step.find {
			t.Fatalf("after %q, it is looked for something: %v\n%s", step.key, got, box)
		}
		if strings.Count(box, "\n") != height {
			t.Fatalf("after %q it has another height:\n%s", step.key, box)
		}
	}
	m = dialog.NewHelp("Keys", groups())
	if send(t, m, keysOf("/k\nq")...); !m.Done() {
		t.Error("q does not leave what was found")
	}
}

// TestHelpIsAnnounced checks that every announced key has a name that can be spoken.
func TestHelpIsAnnounced(t *testing.T) {
	t.Parallel()
	m := dialog.NewHelp("Keys", []action.Group{{Title: "Look", Actions: []*action.Action{
		{Title: "page down", Keys: []string{"pgdown"}}, {Title: "sort", Keys: []string{"S"}, Disabled: off("it is empty.")},
	}}})
	want := "Look:\npage down: page down\ncapital S: sort, unavailable, it is empty"
	if got := m.Describe(frame(80, 24)).Parts[0].Text; got != want {
		t.Errorf("%q", got)
	}
	send(t, m, keysOf("/nothing")...)
	if got := m.Describe(frame(80, 24)).Parts[1].Text; !strings.Contains(got, "No matches for nothing. Escape: show all.") {
		t.Errorf("%q", got)
	}
	m = dialog.NewHelp("Keys", []action.Group{{Title: "Look", Actions: slices.Repeat(groups()[0].Actions, 200)}})
	m.Describe(frame(80, 24))
	send(t, m, tea.KeyPressMsg{Code: tea.KeyPgDown})
	said := m.Describe(frame(80, 24)).Parts[0].Text
	if !strings.HasPrefix(said, "page up: ") || !strings.Contains(said, "\npage down: ") {
		t.Errorf("%q", said)
	}
}
