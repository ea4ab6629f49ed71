package dialog_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// question returns a question that counts its confirmations.
func question(typed string) (q dialog.Question, confirmed *int) {
	confirmed = new(int)
	return dialog.Question{
		Title: "Revoke ci-deploy?", Verb: "Revoke", Lines: []dialog.Line{{Text: "It stops working at once."}},
		Type: typed, What: "the key's name",
		Confirm: func() tea.Cmd {
			*confirmed++
			return nil
		},
	}, confirmed
}

// answer sends messages to the question until it is done.
func answer(t *testing.T, typed string, msgs ...tea.Msg) (done, said bool) {
	t.Helper()
	q, confirmed := question(typed)
	m := dialog.NewConfirm(q)
	send(t, m, msgs...)
	if *confirmed > 1 || *confirmed == 1 && !m.Done() {
		t.Errorf("confirmed %d times, done: %v", *confirmed, m.Done())
	}
	return m.Done(), *confirmed > 0
}

// A question that changes is asked as the first one was: any of its spellings can be typed.
func TestConfirmAsksAgain(t *testing.T) {
	t.Parallel()
	q, confirmed := question("ci")
	m := dialog.NewConfirm(q)
	q.Type, q.Or = "deploy\uFFFD", "web\uFFFD"
	m.Ask(q)
	m.View(frame(80, 24))
	send(t, m, keysOf("⇤web\n\n")...)
	if *confirmed != 1 {
		t.Errorf("confirmed %d times:\n%s", *confirmed, view(m, frame(80, 24)))
	}
}

// Only the button confirms, and only once the wanted text is typed. All other ways out cancel.
func TestConfirmAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed, keys string
		done, said  bool
	}{
		"enter is no":                    {"", "\n", true, false},
		"esc is no":                      {"", "\t⎋", true, false},
		"go to the button and press it":  {"", "\t\n", true, true},
		"with an arrow":                  {"", "→\n", true, true},
		"there and back":                 {"", "\t⇤\n", true, false},
		"y is nothing":                   {"", "yY", false, false},
		"keys before do not matter":      {"", "xyz\t\n", true, true},
		"keys pasted one by one":         {"", "foo\tbar\n", true, false},
		"typed":                          {"ci-deploy", "ci-deploy\n\n", true, true},
		"typed, then cancelled":          {"ci-deploy", "ci-deploy\t\n", true, false},
		"typed, then by tab":             {"ci-deploy", "ci-deploy\t\t\n", true, true},
		"typed with space around it":     {"ci-deploy ", " ci-deploy\n\n", true, true},
		"what cannot be typed":           {"ci\uFFFDdeploy\uFFFD", "cideploy\n\n", true, true},
		"a part of it":                   {"ci-deploy", "ci-dep\n\n\n", false, false},
		"the button cannot be reached":   {"ci-deploy", "ci-dep\t\t\t\n", true, false},
		"another case":                   {"ci-deploy", "CI-DEPLOY\n\n", false, false},
		"too much, then mended":          {"ci-deploy", "ci-deployx⌫\n\n", true, true},
		"arrows move within the text":    {"ab", "b←a→\n\n", true, true},
		"enter without anything is next": {"ci-deploy", "\n\n\n", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if done, said := answer(t, c.typed, keysOf(c.keys)...); done != c.done || said != c.said {
				t.Errorf("done %v, yes %v", done, said)
			}
		})
	}
}

// FuzzNothingConfirmsByAccident sends one key or a paste, then Enter until the dialog is gone: only the right sequence
// confirms.
func FuzzNothingConfirmsByAccident(f *testing.F) {
	f.Add("y", "ci-deploy")
	f.Add("\n", "yes\n\n")
	f.Add("Y⌫", "\t\n\t\n")
	f.Fuzz(func(t *testing.T, typed, pasted string) {
		msgs := keysOf(strings.NewReplacer("\t", "", "→", "", "↓", "").Replace(typed))
		msgs = append(msgs, tea.PasteStartMsg{}, tea.PasteMsg{Content: pasted}, tea.PasteEndMsg{})
		if done, said := answer(t, "", append(msgs, keysOf("\n\n\n")...)...); said || !done {
			t.Errorf("%q and %q pasted: done %v, yes %v", typed, pasted, done, said)
		}
		// If the name is required, a paste alone does nothing.
		if done, _ := answer(t, "ci-deploy", tea.PasteMsg{Content: pasted}); done {
			t.Errorf("%q pasted ended the dialog", pasted)
		}
		if !strings.Contains(typed+pasted, "ci-deploy") && !strings.ContainsAny(typed, "←⌫⎋↑⇤") {
			if _, said := answer(t, "ci-deploy-"+pasted+typed+"x", append(msgs, keysOf("\n\n\n")...)...); said {
				t.Errorf("%q and %q pasted: yes", typed, pasted)
			}
		}
	})
}

// No single key confirms, with or without a text to type.
func TestConfirmBySingleKeys(t *testing.T) {
	t.Parallel()
	for code := range rune(0x200) {
		for _, mod := range []tea.KeyMod{0, tea.ModCtrl, tea.ModAlt, tea.ModShift} {
			for _, typed := range []string{"", "x"} {
				k := tea.KeyPressMsg{Code: code, Mod: mod}
				if mod == 0 && code >= ' ' {
					k.Text = string(code)
				}
				if _, said := answer(t, typed, k); said {
					t.Errorf("%s alone confirms", k)
				}
			}
		}
	}
}

// TestConfirmShowsAMistypedText shows the mistyped text until another key is typed.
func TestConfirmShowsAMistypedText(t *testing.T) {
	t.Parallel()
	f := page.Frame{Width: 80, Height: 24, Theme: style.ChooseTheme(style.Auto, true, colorprofile.ASCII)}
	for keys, want := range map[string]string{
		"":         "",
		"4":        "",
		"\n":       "✗ Type 15 to confirm: you typed nothing.",
		"4\n":      "✗ Type 15 to confirm: you typed 4.",
		"4\n\t":    "✗ Type 15 to confirm: you typed 4.",
		"4\n1":     "",
		"4\n⌫":     "",
		"4\n⌫15\n": "",
	} {
		m := dialog.NewConfirm(dialog.Question{Title: "Revoke 15 keys?", Verb: "Revoke", Type: "15", What: "15"})
		send(t, m, keysOf(keys)...)
		shown, said := view(m, f), m.Describe(f).Parts[0].Text
		if want == "" {
			if strings.Contains(shown+said, "you typed") {
				t.Errorf("%q: %q, and\n%s", keys, said, shown)
			}
			continue
		}
		if !strings.Contains(shown, want) || !strings.Contains(keys, "\t") && "✗ "+said != want {
			t.Errorf("%q: no %q in %q, and\n%s", keys, want, said, shown)
		}
	}
}

// TestConfirmClickOnTheInput clicks on the input below a message of several lines.
func TestConfirmClickOnTheInput(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("long-", 30)
	q, _ := question(name)
	m := dialog.NewConfirm(q)
	f := page.Frame{Width: 80, Height: 24, Theme: style.ChooseTheme(style.Auto, true, colorprofile.ASCII)}
	send(t, m, keysOf("x\n\t")...)
	if m.Describe(f).Field != nil {
		t.Error("the input has the focus before it is clicked")
	}
	pointAt(t, m, f, "x  ")
	if m.Describe(f).Field == nil {
		t.Error("the input does not have the focus")
	}
}

// TestConfirmClickAlone checks that confirming takes two clicks: one that focuses the button, and another one.
func TestConfirmClickAlone(t *testing.T) {
	t.Parallel()
	q, confirmed := question("")
	m := dialog.NewConfirm(q)
	if pointAt(t, m, frame(80, 24), "Revoke  "); *confirmed > 0 || m.Done() {
		t.Error("one click confirmed")
	}
	if pointAt(t, m, frame(80, 24), "[ Revoke ]"); *confirmed != 1 || !m.Done() {
		t.Error("the second click did not confirm")
	}
	m = dialog.NewConfirm(q)
	if pointAt(t, m, frame(80, 24), "[ Cancel ]"); *confirmed != 1 || !m.Done() {
		t.Error("a click does not cancel")
	}
}

// The question stays in view with a part of the list, whose entries are counted.
func TestConfirmKeepsWarningsBesideTheList(t *testing.T) {
	t.Parallel()
	warnings := []string{"They stop working.", "Hidden: 2.", "Used: 1.", "Unknown: 4.", "Skipped one."}
	q := dialog.Question{Title: "Revoke 20 keys?", Verb: "Revoke", Type: "20", What: "20"}
	q.Lines = append(q.Lines, dialog.Line{Tone: style.Muted, Text: "account"})
	for _, w := range warnings {
		q.Lines = append(q.Lines, dialog.Line{Text: w})
	}
	for i := range 20 {
		q.List = append(q.List, dialog.Line{Text: fmt.Sprintf("key-%02d", i)})
	}
	for _, f := range []page.Frame{frame(60, 13), frame(80, 22)} {
		m, seen := dialog.NewConfirm(q), map[string]bool{}
		for range 20 {
			shown := view(m, f)
			for _, w := range warnings {
				if !strings.Contains(shown, w) {
					t.Fatalf("%q is not in\n%s", w, shown)
				}
			}
			names := regexp.MustCompile(`key-\d\d`).FindAllString(shown, -1)
			first, _ := strconv.Atoi(names[0][4:])
			if want := fmt.Sprintf("%d–%d of 20", first+1, first+len(names)); len(names) < 3 || !strings.Contains(shown, want) {
				t.Fatalf("%q is not in\n%s", want, shown)
			}
			for _, name := range names {
				seen[name] = true
			}
			send(t, m, keysOf("⇟")...)
		}
		if len(seen) != 20 {
			t.Errorf("%v: %d of 20 were shown", f.Width, len(seen))
		}
	}
}

// A small screen shows the names, the input and the buttons; the rest scrolls.
func TestConfirmManyOnASmallScreen(t *testing.T) {
	t.Parallel()
	q := dialog.Question{Title: "Revoke 19 keys?", Verb: "Revoke", Type: "19", What: "19"}
	for range 3 {
		q.Lines = append(q.Lines, dialog.Line{Text: strings.Repeat("Something may still use them. ", 4)})
	}
	q.Lines = append(q.Lines, dialog.Line{Text: "This cannot be undone."})
	for i := range 19 {
		q.List = append(q.List, dialog.Line{Text: fmt.Sprintf("key-%d", i)})
	}
	for _, f := range []page.Frame{frame(60, 13), frame(40, 9)} {
		m := dialog.NewConfirm(q)
		for _, want := range []string{"key-0", "key-1", "key-2", "Type 19 to confirm:", "Cancel", "( Revoke )"} {
			if !strings.Contains(view(m, f), want) {
				t.Errorf("%q is not in\n%s", want, view(m, f))
			}
		}
		for range 20 {
			send(t, m, keysOf("⇟")...)
			view(m, f)
		}
		if !strings.Contains(view(m, f), "be undone.") {
			t.Errorf("the end is not in\n%s", view(m, f))
		}
		send(t, m, keysOf("18\n")...)
		for _, want := range []string{"18", "✗ Type 19 to confirm", "( Revoke )"} {
			if !strings.Contains(view(m, f), want) {
				t.Errorf("%q is not in\n%s", want, view(m, f))
			}
		}
	}
	if at := strings.Index(view(dialog.NewConfirm(q), frame(80, 60)), "key-0"); at < strings.Index(view(dialog.NewConfirm(q), frame(80, 60)), "undone") {
		t.Error("where there is room, the names are not last")
	}
}
