package dialog_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

func words(all ...string) func() []string { return func() []string { return all } }

// palette offers a few actions, and records the IDs and arguments of the chosen ones, and their runs.
func palette(recent ...dialog.Recent) (m *dialog.Palette, chosen *[]string) {
	chosen = new([]string)
	run := func(said string) func() tea.Cmd { return action.Do(func() { *chosen = append(*chosen, said) }) }
	interval := &action.Arg{
		Example: "2s",
		Complete: func(string) []action.Value {
			return []action.Value{{Text: "2s", Note: "fast"}, {Text: "30s"}}
		},
		Parse: func(arg string) (func() tea.Cmd, error) {
			if !strings.HasSuffix(arg, "s") {
				return nil, errors.New(arg + " is no duration")
			}
			return run("run interval"), nil
		},
	}
	dump := action.Choice(words("demo.json"), func(string) tea.Cmd { return run("run dump")() })
	free := &action.Arg{Example: "words", Parse: func(string) (func() tea.Cmd, error) { return run("run filter"), nil }}
	groups := []action.Group{
		{Title: "API keys", Actions: []*action.Action{
			{ID: "revoke", Title: "revoke", Keys: []string{"x"}, Run: run("run revoke")},
			{ID: "rotate", Title: "rotate", Keys: []string{"R"}, Disabled: off("it is read-only"), Run: run("run rotate")},
			{ID: "hidden", Title: "hide", Keys: []string{"H"}, Hidden: hidden, Run: run("run hide")},
			{ID: "alerts", Title: "what was watched", Run: run("run alerts")},
			{ID: "filter", Title: "filter", Keys: []string{"/"}, Run: run("open the filter"), Arg: free},
		}},
		{Title: "Move", Movement: true, Actions: []*action.Action{
			{ID: "down", Title: "down", Keys: []string{"j"}, Run: run("run down")},
		}},
		{Title: "Feed", Actions: []*action.Action{
			{ID: "interval", Title: "how often to ask", Arg: interval},
			{ID: "dump", Title: "write it", Arg: dump},
		}},
	}
	offered := func() []action.Group { return groups }
	return dialog.NewPalette(offered, recent, func(a *action.Action, arg string, run func() tea.Cmd) tea.Cmd {
		*chosen = append(*chosen, a.ID+" "+arg)
		return run()
	}), chosen
}

// offered returns the lines of the list.
func offered(m *dialog.Palette) string {
	var out []string
	for _, line := range strings.Split(view(m, frame(80, 24)), "\n")[3:] {
		if line = strings.Trim(line, "│╭╰─╮╯ "); line != "" {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, "; ")
}

// The palette offers the actions that match, or the values of an argument, and says what else to type.
func TestPaletteOffers(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"": "▌ Revoke x; Filter /; alerts what was watched; filter words filter; interval 2s how often to ask; " +
			"dump demo.json write it; Rotate unavailable, it is read-only",
		"30s":          "▌ interval 30s how often to ask",
		"rke":          "▌ Revoke x",
		"odr":          "No matches.", // its letters are there, but not from the start of a word
		"re":           "▌ Revoke x",
		"watched":      "▌ alerts what was watched",
		"rvk":          "▌ Revoke x",
		"fwd":          "No matches.", // of "filter words", words is what the user types
		"rte":          "▌ Rotate unavailable, it is read-only",
		"demo":         "▌ dump demo.json write it",
		"hide":         "No matches.",
		"interval ":    "▌ 2s fast; 30s",
		"interval 2h":  "▌ 2s fast; 30s",
		"filter a":     "↵ to use it: filter",
		"filter ":      "Write words: filter",
		"no such":      "No matches.",
		"dump nowhere": "✗ \"nowhere\" must be one of demo.json",
	} {
		m, _ := palette()
		send(t, m, keysOf(typed)...)
		if got := offered(m); got != want {
			t.Errorf("%q offers %q, want %q", typed, got, want)
		}
	}
}

// Enter runs the selected action or the one on the line, with a valid argument, and nothing that is unavailable.
func TestPaletteDoes(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"revoke\n":         "revoke ; run revoke",
		"rotate\n":         "",
		"filter\n":         "filter ; open the filter",
		"filter↓\na b\n":   "filter a b; run filter",
		"alerts\n":         "alerts ; run alerts",
		"interval\n\n":     "interval 2s; run interval",
		"interval\n↓\n":    "interval 30s; run interval",
		"interval 17s\n":   "interval 17s; run interval",
		"interval 3\n":     "",
		"interval 3\ns\n":  "interval 3s; run interval",
		"inter\t↓\n":       "interval 30s; run interval",
		"dump\n":           "dump demo.json; run dump",
		"dump d\n":         "dump demo.json; run dump",
		"interval 2h\n⌫⌫⎋": "",
	} {
		m, chosen := palette()
		send(t, m, keysOf(keys)...)
		if got := strings.Join(*chosen, "; "); got != want {
			t.Errorf("%q does %q, want %q", keys, got, want)
		}
		if done := want != "" || strings.HasSuffix(keys, "⎋"); m.Done() != done {
			t.Errorf("%q: done: %v", keys, m.Done())
		}
	}
}

// paletteOf returns a palette that runs the actions.
func paletteOf(groups []action.Group) *dialog.Palette {
	offered := func() []action.Group { return groups }
	return dialog.NewPalette(offered, nil, func(_ *action.Action, _ string, run func() tea.Cmd) tea.Cmd { return run() })
}

// Actions are shown and run as of now, not as of when the palette opened.
func TestPaletteKeepsUp(t *testing.T) {
	t.Parallel()
	why, ran := "nothing is loaded", 0
	export := action.Choice(words("a.csv"), func(string) tea.Cmd { ran++; return nil })
	disabled := func() string { return why }
	all := []action.Group{{Actions: []*action.Action{
		{ID: "export", Title: "export", Disabled: disabled, Arg: export},
		{ID: "pause", Title: "pause", Disabled: disabled, Keys: []string{"p"}, Run: action.Do(func() { ran++ })},
	}}}
	for _, keys := range []string{"export a.csv", "pause"} {
		m := paletteOf(all)
		why, ran = "nothing is loaded", 0
		send(t, m, keysOf(keys+"\n")...)
		if ran > 0 || m.Done() || !strings.Contains(view(m, frame(80, 24)), "nothing is loaded") {
			t.Errorf("%s: ran although unavailable, or without the reason:\n%s", keys, view(m, frame(80, 24)))
		}
		why = ""
		if got := offered(m); strings.Contains(got, "unavailable") {
			t.Errorf("%s: offers %q", keys, got)
		}
		if send(t, m, keysOf("\n")...); ran != 1 {
			t.Errorf("%s: ran %d times", keys, ran)
		}
	}
}

// The selected action stays selected when another one above it leaves.
func TestPaletteKeepsTheSelection(t *testing.T) {
	t.Parallel()
	loading, ran := true, ""
	one := func(id string, hidden func() bool) *action.Action {
		return &action.Action{ID: id, Title: id, Hidden: hidden, Run: action.Do(func() { ran = id })}
	}
	stop := one("stop", func() bool { return !loading })
	all := []action.Group{{Actions: []*action.Action{stop, one("refresh", nil), one("pause", nil)}}}
	m := paletteOf(all)
	f := frame(80, 24)
	for range 2 {
		if !strings.Contains(view(m, f), "▌ refresh") {
			send(t, m, keysOf("↓")...)
		}
	}
	loading = false
	view(m, f)
	if send(t, m, keysOf("\n")...); ran != "refresh" {
		t.Errorf("ran %q", ran)
	}
}

// The error of an argument stays until the line changes.
func TestPaletteKeepsTheErrorUntilMoreIsTyped(t *testing.T) {
	t.Parallel()
	m, _ := palette()
	send(t, m, keysOf("interval 2h\n")...)
	if got := offered(m); got != "▌ 2s fast; 30s; ✗ 2h is no duration" {
		t.Error(got)
	}
	for i, want := range []string{"2 values match.", "2s, fast, 1 of 2", "✗ 2h is no duration"} {
		if said := m.Describe(frame(80, 24)).Parts[i].Text; said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
	send(t, m, keysOf("⌫")...)
	if got := offered(m); got != "▌ 2s fast; 30s" {
		t.Error(got)
	}
}

// TestPaletteBeginsWithRecent offers recent commands with their arguments, unless they are unavailable.
func TestPaletteBeginsWithRecent(t *testing.T) {
	t.Parallel()
	m, chosen := palette(
		dialog.Recent{ID: "interval", Arg: "7s"}, dialog.Recent{ID: "alerts"}, dialog.Recent{ID: "dump", Arg: "gone"},
		dialog.Recent{ID: "filter", Arg: "a"}, dialog.Recent{ID: "gone"}, dialog.Recent{},
	)
	want := "▌ interval 7s how often to ask; alerts what was watched; filter a filter; Revoke x; "
	if got := offered(m); !strings.HasPrefix(got, want) || strings.Count(got, "alerts") != 1 {
		t.Error(got)
	}
	if send(t, m, keysOf("\n")...); strings.Join(*chosen, "; ") != "interval 7s; run interval" {
		t.Error(*chosen)
	}
}
