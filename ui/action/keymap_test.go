package action_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"pgtower/models/settings"
	"pgtower/ui/action"
)

// Keys are normalized, and those that terminals cannot tell apart are refused with the reason.
func TestKeySpelling(t *testing.T) {
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
func TestKeySpellingIsStable(t *testing.T) {
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

// A setting with an unknown page or action, a key in use or none where one is required is refused, and its keys are not
// repeated.
func TestMapFaults(t *testing.T) {
	t.Parallel()
	type list = []settings.KeySetting
	for _, c := range []struct {
		customs list
		want    string // the error, the index first; empty for none
	}{
		{nil, ""},
		{list{{Action: "refresh", Keys: []string{"ctrl+r"}}}, ""},
		{list{{Action: "refresh"}, {Action: "quit", Keys: []string{"r"}}}, ""},
		{list{{Action: "refresh", Keys: []string{"q"}}, {Action: "quit", Keys: []string{"r"}}}, ""},
		{list{{Page: "first", Action: "open", Keys: []string{"enter", "o"}}}, ""},
		{list{{Action: "quit"}, {Action: "commands", Keys: []string{"f5"}}}, ""},
		{list{{Action: "commands"}}, "0: commands must keep a key: it is the way"},
		{list{{Page: "second", Action: "commands"}}, "0: commands must keep a key: it is the way"},
		{list{{Page: "first", Action: "refresh", Keys: []string{"n"}}}, ""},
		{list{{Action: "refresh", Keys: []string{"n"}}, {Page: "second", Action: "refresh", Keys: []string{"f5"}}}, ""},
		{list{{Action: "refresh", Keys: []string{"q"}}}, `0: "q" is already the key of quit (by default): give quit another key too, or choose another one here`},
		{list{{Action: "refresh", Keys: []string{"N"}}}, `0: "N" is already the key of new on the page second (by default)`},
		{list{{Page: "first", Action: "revoke", Keys: []string{"r"}}}, `0: "r" is already the key of refresh (by default)`},
		{list{{Action: "refresh", Keys: []string{"f5"}}, {Page: "first", Action: "revoke", Keys: []string{"x", "F5"}}}, `1: "f5" is already the key of refresh (by [keys])`},
		{list{{Page: "first", Action: "revoke", Keys: []string{"f5"}}, {Action: "refresh", Keys: []string{"f5"}}}, `1: "f5" is already the key of revoke on the page first (by [keys.first])`},
		{list{{Page: "first", Action: "open", Keys: []string{"f5"}, Command: 1}, {Page: "first", Action: "revoke", Keys: []string{"f5"}}}, `1: "f5" is already the key of open (by [[commands]])`},
		{list{{Page: "first", Action: "load", Keys: []string{"l"}}}, `0: "l" is already the key of open`},
		{list{{Page: "third", Action: "revoke", Keys: []string{"f5"}}}, "0 page: unknown page; must be one of first, second"},
		{list{{Page: "frist", Action: "revoke", Keys: []string{"f5"}}}, "0 page: unknown page; did you mean first?"},
		{list{{Action: "revok", Keys: []string{"f5"}}}, "0: revok: unknown action (did you mean revoke?); pgtower bindings lists them"},
		{list{{Action: "interval", Keys: []string{"f5"}}}, "0: interval: unknown action; pgtower bindings lists them"},
		{list{{Action: "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z", Keys: []string{"f5"}}}, "0: unknown action; pgtower"},
		{list{{Action: "abcdefghijklmnopqrstuvwxyzabcdef", Keys: []string{"f5"}}}, "0: unknown action; pgtower"},
		{list{{Action: "", Keys: []string{"f5"}}}, "0: unknown action; pgtower bindings lists them"},
		{list{{Page: "second", Action: "revoke", Keys: []string{"f5"}}}, "0: the page second has no such action; it is on the page first"},
		{list{{Action: "refresh", Keys: []string{"f5", "s3cret"}}}, "0: not a key"},
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

// The keys of the user replace the default ones on their page, and the declarations stay as they are.
func TestMapApplies(t *testing.T) {
	t.Parallel()
	m, fault := action.NewMap(pages(), []settings.KeySetting{
		{Action: "refresh", Keys: []string{"q", "ctrl+alt+pgdown"}}, {Action: "quit"}, {Page: "first", Action: "load", Keys: []string{"o"}}, {Page: "second", Action: "new", Keys: []string{"n", "N"}},
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
