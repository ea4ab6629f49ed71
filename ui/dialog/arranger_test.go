package dialog_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// Items are moved and turned on and off by keys and clicks. Only a change is kept, and the defaults are kept as none.
func TestArranger(t *testing.T) {
	t.Parallel()
	usual := []dialog.Choice{{Name: "status", On: true}, {Name: "age", On: true}, {Name: "error", Note: "shown where there is room"}}
	begin := []dialog.Choice{{Name: "age", On: true, Note: "no room now"}, {Name: "status"}, {Name: "error"}}
	for keys, want := range map[string]string{
		"\n": "unchanged", "⎋": "unchanged", "j⇡\n": "unchanged", "j \n": "age status", "⇣\n": "unchanged",
		"j ⇡\n": "status age", "jj ⇡⇡\n": "error age", "r\n": "default", "rjj \n": "status age error", " ": "open",
	} {
		got := "unchanged"
		m := dialog.NewArranger("Columns", begin, usual, func(names []string) tea.Cmd {
			if got = strings.Join(names, " "); len(names) == 0 {
				got = "default"
			}
			return nil
		})
		if send(t, m, keysOf(keys)...); !m.Done() {
			got = "open"
		}
		if got != want && (want != "unchanged" || got != "age") {
			t.Errorf("%q: %s, want %s", keys, got, want)
		}
	}
	m := dialog.NewArranger("Columns", begin, usual, nil)
	f := frame(60, 9)
	if got := view(m, f); !strings.Contains(got, "▌ [✓] age             no room now") || !strings.Contains(got, "[ ] status") {
		t.Error(got)
	}
	if got := m.Describe(f).Parts[0].Text; got != "age, on, no room now, 1 of 3" {
		t.Error(got)
	}
	send(t, m, keysOf(" ")...)
	if off := m.Actions()[0].Actions[0].Reason(); off != "at least one must be on" {
		t.Errorf("%q", off)
	}
	m.Update(page.Wheel{By: 5})
	pointAt(t, m, f, "error")
	pointAt(t, m, f, "error")
	pointAt(t, m, f, "[ ] age")
	pointAt(t, m, f, "[ ] age")
	lines := strings.Split(view(m, f), "\n")
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "[✓] error") }) ||
		!slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "▌ [✓] age") }) {
		t.Errorf("%q", lines)
	}
}
