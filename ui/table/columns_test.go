package table

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

// titles returns the drawn column titles.
func titles(m *Model[string], width int) string {
	f := page.Frame{Width: width, Height: titlesFrom, Theme: styled(), Now: time.Unix(0, 0)}
	s := m.scene(f, &Description[string]{})
	lines := s.rows(width, 2, "", nil)
	m.drawn = s.drawn
	return strings.Join(strings.Fields(ansi.Strip(lines[0])), " ")
}

func extras(c *Config[string]) {
	moments, clock := column("AGE", 5, 0, 0), column("MADE", 8, 0, 5)
	moments.Moment = "MADE"
	clock.Clock, clock.Extra = true, true
	text := column("TEXT", 10, 4, 6)
	text.Extra = true
	id := column("ID", 10, 1, 0)
	id.Full = 20
	c.Columns = []Column[string]{id, moments, clock, text}
}

// Extra columns appear once the others have their full width; chosen ones always do.
func TestColumnsThatAreExtra(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(1), extras)
	check := func(want map[int]string) {
		t.Helper()
		for width, want := range want {
			if got := titles(m, width); got != want {
				t.Errorf("%d cells: %q, want %q", width, got, want)
			}
		}
	}
	check(map[int]string{40: "ID AGE", 42: "ID AGE", 43: "ID AGE MADE UTC", 53: "ID AGE MADE UTC", 54: "ID AGE MADE UTC TEXT"})
	m.config.Session.Times = style.TimesOf(style.UTC, nil, false)
	check(map[int]string{57: "ID MADE UTC TEXT"}) // not twice
	m.config.Session.Times = style.Times{}

	m.config.Session.Layout.SetColumns("operations", []string{"text", "made", "id", "gone"})
	check(map[int]string{60: "TEXT MADE UTC ID", 41: "TEXT MADE UTC ID", 30: "TEXT ID"})
	if got := m.SayCells("x", time.Time{}); got != "text x, made x, x" {
		t.Error(got)
	}
	m.config.Lead = func() string { return "made" }
	check(map[int]string{41: "MADE UTC TEXT ID", 33: "MADE UTC ID", 25: "TEXT ID", 20: "ID"})
	m.config.Lead = func() string { return "age" }
	check(map[int]string{60: "AGE TEXT MADE UTC ID"})
	m.config.Fixed = true
	check(map[int]string{40: "AGE ID"})
	// A row always shows a text, even if all chosen columns are not needed now.
	m.config.Session.Layout.SetColumns("operations", []string{"text"})
	m.config.Lead, m.config.Fixed, m.config.Columns[3].Hidden = nil, false, func() bool { return true }
	check(map[int]string{40: "ID AGE"})
}

// The dialog about the columns changes their order and hides some. The choice is kept, and can be reset.
func TestColumnsAreChosen(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(1), extras)
	choose := func(keys ...string) {
		t.Helper()
		press(m, "c")
		var d page.Dialog
		for _, e := range m.config.Session.Effects() {
			if o, ok := e.(page.Open); ok {
				d = o.Dialog
			}
		}
		for _, k := range keys {
			for _, a := range d.Actions()[0].Actions {
				if slices.Contains(a.Keys, k) {
					a.Run()
				}
			}
		}
	}
	titles(m, 50) // MADE is shown
	choose("shift+down", "enter")
	if got := titles(m, 50); got != "AGE ID MADE UTC" {
		t.Errorf("%q", got)
	}
	if got := m.config.Session.Effects(); len(got) != 1 || got[0] != (page.KeepLayout{Asked: true}) {
		t.Errorf("%+v", got)
	}
	choose("down", "space", "enter")
	if got := titles(m, 50); got != "AGE MADE UTC" {
		t.Errorf("%q", got)
	}
	m.config.Lead = func() string { return "text" } // being first does not make it chosen
	choose("down", "shift+down", "enter")
	if got := strings.Join(m.Chosen(), " "); got != "age made" && got != "made age" {
		t.Errorf("%q", got)
	}
	m.config.Lead = nil
	choose("r", "enter")
	if got := titles(m, 50); got != "ID AGE MADE UTC" || len(m.Chosen()) > 0 {
		t.Errorf("%q, %q", got, m.Chosen())
	}
}
