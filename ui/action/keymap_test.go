package action_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"pgtower/ui/action"
)

func TestSpell(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"r": "r", "D": "D", "/": "/", "+": "+", "é": "é", "漢": "漢", " ": "space", "Space": "space", "F5": "f5", "f20": "f20",
		"Ctrl+R": "ctrl+r", "ctrl+r": "ctrl+r", "alt+x": "alt+x", "alt+9": "alt+9", "shift+tab": "shift+tab",
		"alt+ctrl+left": "ctrl+alt+left", "shift+f3": "shift+f3", "PgDown": "pgdown", "ctrl+delete": "ctrl+delete",
	} {
		if got, err := action.Spell(written); err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", written, got, err, want)
		}
	}
	for written, want := range map[string]string{
		"": "not a key", "refresh": "not a key", "f21": "not a key", "f0": "not a key", "C-r": "not a key", "hyper+x": "not a key",
		"ctrl+": "not a key", "ctrl+ctrl+x": "not a key", "\x1b": "not a key", "\u0301": "not a key", "\u202e": "not a key", "ab": "not a key", "\xff": "not a key",
		"ctrl+c": "always quits", "Ctrl+C": "always quits", "ctrl+z": "always suspends",
		"ctrl+i": "ctrl+i from tab", "ctrl+m": "ctrl+m from enter", "ctrl+j": "ctrl+j from enter", "ctrl+[": "ctrl+[ from esc",
		"ctrl+1": "ctrl+1 from 1", "ctrl+space": "from space", "shift+enter": "from enter", "ctrl+tab": "from tab", "ctrl+é": "from é",
		"shift+d": "write a shifted letter", "alt+X": "a to z, 0 to 9", "alt+[": "a to z, 0 to 9", "ctrl+alt+x": "cannot distinguish",
	} {
		if got, err := action.Spell(written); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q (%v), want %q", written, got, err, want)
		}
	}
}

// Spelling a normalized key again does not change it.
func TestSpellingIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mods := rapid.SliceOfN(rapid.SampledFrom([]string{"ctrl+", "alt+", "shift+", "Ctrl+"}), 0, 3).Draw(t, "mods")
		base := rapid.OneOf(
			rapid.StringN(1, 1, -1), rapid.StringMatching(`[ -~]`),
			rapid.SampledFrom([]string{"enter", "esc", "space", "f1", "f20", "up", "PGUP", "delete", "insert", "backspace", "home"}),
		).Draw(t, "base")
		name, err := action.Spell(strings.Join(mods, "") + base)
		if err != nil {
			return
		}
		if again, err := action.Spell(name); err != nil || again != name {
			t.Errorf("%q becomes %q, %v", name, again, err)
		}
	})
}

func pages() []action.Page {
	of := func(id string, keys ...string) *action.Action {
		return &action.Action{ID: id, Title: id, Keys: keys, Run: action.Do(func() {})}
	}
	palette, argument := of("commands", ":"), of("interval")
	palette.Required, argument.Run = "it is the way", nil
	common := action.Group{Title: "Everywhere", Actions: []*action.Action{
		of("refresh", "r"), of("quit", "q"), of("", "ctrl+c"), palette, argument,
	}}
	return []action.Page{
		{Name: "first", Groups: []action.Group{{Actions: []*action.Action{
			of("load", "enter"), of("open", "enter", "l"), of("revoke", "x"),
		}}, common}},
		{Name: "second", Groups: []action.Group{{Actions: []*action.Action{of("new", "n", "N")}}, common}},
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	type list = []action.Custom
	for _, c := range []struct {
		customs list
		want    string // the error, the index first; empty for none
	}{
		{nil, ""},
		{list{{"", "refresh", []string{"ctrl+r"}, 0}}, ""},
		{list{{"", "refresh", nil, 0}, {"", "quit", []string{"r"}, 0}}, ""},
		{list{{"", "refresh", []string{"q"}, 0}, {"", "quit", []string{"r"}, 0}}, ""},
		{list{{"first", "open", []string{"enter", "o"}, 0}}, ""},
		{list{{"", "quit", nil, 0}, {"", "commands", []string{"f5"}, 0}}, ""},
		{list{{"", "commands", nil, 0}}, "0: commands must keep a key: it is the way"},
		{list{{"second", "commands", nil, 0}}, "0: commands must keep a key: it is the way"},
		{list{{"first", "refresh", []string{"n"}, 0}}, ""},
		{list{{"", "refresh", []string{"n"}, 0}, {"second", "refresh", []string{"f5"}, 0}}, ""},
		{list{{"", "refresh", []string{"q"}, 0}}, `0: "q" is already the key of quit (by default): give quit another key too, or choose another one here`},
		{list{{"", "refresh", []string{"N"}, 0}}, `0: "N" is already the key of new on the page second (by default)`},
		{list{{"first", "revoke", []string{"r"}, 0}}, `0: "r" is already the key of refresh (by default)`},
		{list{{"", "refresh", []string{"f5"}, 0}, {"first", "revoke", []string{"x", "F5"}, 0}}, `1: "f5" is already the key of refresh (by [keys])`},
		{list{{"first", "revoke", []string{"f5"}, 0}, {"", "refresh", []string{"f5"}, 0}}, `1: "f5" is already the key of revoke on the page first (by [keys.first])`},
		{list{{"first", "open", []string{"f5"}, 1}, {"first", "revoke", []string{"f5"}, 0}}, `1: "f5" is already the key of open (by [[commands]])`},
		{list{{"first", "load", []string{"l"}, 0}}, `0: "l" is already the key of open`},
		{list{{"third", "revoke", []string{"f5"}, 0}}, "0 page: unknown page; must be one of first, second"},
		{list{{"frist", "revoke", []string{"f5"}, 0}}, "0 page: unknown page; did you mean first?"},
		{list{{"", "revok", []string{"f5"}, 0}}, "0: revok: unknown action (did you mean revoke?); pgtower bindings lists them"},
		{list{{"", "interval", []string{"f5"}, 0}}, "0: interval: unknown action; pgtower bindings lists them"},
		{list{{"", "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z", []string{"f5"}, 0}}, "0: unknown action; pgtower"},
		{list{{"", "abcdefghijklmnopqrstuvwxyzabcdef", []string{"f5"}, 0}}, "0: unknown action; pgtower"},
		{list{{"", "", []string{"f5"}, 0}}, "0: unknown action; pgtower bindings lists them"},
		{list{{"second", "revoke", []string{"f5"}, 0}}, "0: the page second has no such action; it is on the page first"},
		{list{{"", "refresh", []string{"f5", "s3cret"}, 0}}, "0: not a key"},
	} {
		m, f := action.NewMap(pages(), c.customs)
		var got string
		if f != nil {
			got = string(rune('0' + f.Index))
			if f.OfPage {
				got += " page"
			}
			got += ": " + f.Err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%v:\ngot  %s\nwant %s", c.customs, got, c.want)
		}
		if (m == nil) != (f != nil) || strings.Contains(got, "s3cret") {
			t.Errorf("%v: a map %v with %q", c.customs, m, got)
		}
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	m, fault := action.NewMap(pages(), []action.Custom{
		{"", "refresh", []string{"q", "ctrl+alt+pgdown"}, 0}, {"", "quit", nil, 0}, {"first", "load", []string{"o"}, 0}, {"second", "new", []string{"n", "N"}, 0},
	})
	if fault != nil {
		t.Fatal(fault)
	}
	if m.Count() != 3 {
		t.Errorf("%d actions have other keys, want 3: to write what is the default changes nothing", m.Count())
	}
	first := pages()[0].Groups
	applied := m.Apply("first", first)
	for at, want := range map[[2]int]string{{0, 0}: "o", {0, 1}: "↵", {1, 0}: "q", {1, 1}: "", {1, 2}: "ctrl+c"} {
		if got := applied[at[0]].Actions[at[1]].KeyLabel(); got != want {
			t.Errorf("%v shows %q, want %q", at, got, want)
		}
	}
	for key, want := range map[rune]string{'q': "refresh", 'r': "", 'o': "load", tea.KeyEnter: "open", 'l': "open", 'x': "revoke"} {
		if a, ok := action.Find(applied, tea.KeyPressMsg{Code: key}); title(a) != want || ok != (want != "") {
			t.Errorf("%c is the key of %q, want %q", key, title(a), want)
		}
	}
	if first[0].Actions[0].KeyLabel() != "↵" {
		t.Error("the declarations changed")
	}
	for id, want := range map[string]string{"refresh": "q", "quit": ":quit", "open": "↵"} {
		if got := action.LabelsOf(applied).Of(id); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
	if same := action.Map(nil).Apply("first", first); same[1].Actions[0].KeyLabel() != "r" {
		t.Error("without a map, a key is itself")
	}
}
