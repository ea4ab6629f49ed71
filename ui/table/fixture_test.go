package table

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// rows is a source of ids.
type rows struct{ ids []string }

func (s *rows) Len() int           { return len(s.ids) }
func (s *rows) Row(i int) string   { return s.ids[i] }
func (s *rows) Key(row string) Key { return Key{ID: row} }
func (s *rows) Find(key Key) (int, bool) {
	i := slices.Index(s.ids, key.ID)
	return max(0, i), i >= 0
}

func (s *rows) Has(key Key) bool { return slices.Contains(s.ids, key.ID) }

func (s *rows) Freeze() (Rows[string], int) { return &rows{slices.Clone(s.ids)}, -1 }

func numbered(n int) *rows {
	s := &rows{}
	for i := range n {
		s.ids = append(s.ids, "row-"+strconv.Itoa(i))
	}
	return s
}

func column(title string, width, grow, priority int) Column[string] {
	return Column[string]{
		Title: title, Width: width, Grow: grow, Priority: priority,
		Cell: func(row string, _ time.Time) (string, style.Tone) { return row, style.Good },
	}
}

// newTable returns a table of ids with details longer than the screen.
func newTable(tb testing.TB, source Source[string], change func(*Config[string])) *Model[string] {
	tb.Helper()
	c := Config[string]{
		Source: source, Columns: []Column[string]{column("ID", 10, 1, 0)}, Order: "age",
		Detail: func(row string, _ time.Time) Record {
			r := Record{Title: "Record of " + row}
			for i := range 40 {
				r.Fields = append(r.Fields, Field{Label: "label " + strconv.Itoa(i), Value: "value"})
			}
			return r
		},
		Fields:  []query.Field[string]{query.Text("id", func(row string) string { return row }).Visible()},
		Session: page.NewSession(tb.Context(), 1, func() time.Time { return time.Time{} }),
	}
	if change != nil {
		change(&c)
	}
	return New(c)
}

func following(c *Config[string]) { c.Follow = true }

func marking(c *Config[string]) { c.Markable = func(string) bool { return true } }

func styled() *style.Theme { return style.ChooseTheme(style.Auto, true, colorprofile.TrueColor) }

func frame(width, height int) page.Frame {
	return page.Frame{Width: width, Height: height, Theme: styled()}
}

// view returns the screen without styles.
func view[R any](m *Model[R], width, height int) string {
	d := Description[R]{Summary: []Part{{Text: "summary"}}, Empty: EmptyState{Title: "No rows."}}
	return ansi.Strip(strings.Join(m.Draw(frame(width, height), d), "\n"))
}

// ruled returns what stands in the rule, as last drawn.
func ruled[R any](m *Model[R]) string { return ansi.Strip(m.Rule().Left + " ─ " + m.Rule().Right) }

// paint returns the column titles and the rows.
func paint[R any](m *Model[R], d Description[R], width, height int) []string {
	s := m.scene(frame(width, titlesFrom), &d)
	m.list.setHeight(s.rowsIn(height))
	lines := s.rows(width, height, "", nil)
	m.drawn = s.drawn
	return lines
}

// announced returns the parts of the announcement, a line each.
func announced(m *Model[string], f page.Frame, d Description[string]) string {
	var lines []string
	for _, p := range m.Describe(f, d).Parts {
		if p.Text != "" {
			lines = append(lines, p.Name+" "+announce.Plain(p.Text))
		}
	}
	return strings.Join(lines, "\n")
}

// press sends keys by name or as text, and does what follows. It reports whether the last one has an action.
func press[R any](m *Model[R], names ...string) (used bool) {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "space": tea.KeySpace,
		"tab": tea.KeyTab, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	for _, name := range names {
		k := tea.KeyPressMsg{Code: codes[name]}
		if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
			k = tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
		} else if k.Code == 0 {
			k = tea.KeyPressMsg{Code: rune(name[0]), Text: name}
		}
		var a *action.Action
		switch a, used = action.Find(m.Actions(), k); {
		case !used:
			work(m, m.Update(k))
		case a.Reason() == "":
			work(m, a.Run())
		}
	}
	return used
}

// work runs a command and what follows from it, without waiting for timers.
func work[R any](m *Model[R], cmd tea.Cmd) {
	for cmd != nil && m.list.working {
		answer, ok := cmd().(page.Delivery)
		if !ok {
			return
		}
		cmd = answer.Msg.(page.Result)()
	}
}

// SelectedKey returns the key of the selected row, if there is one.
func (l *List[R]) SelectedKey() (key Key, ok bool) { return l.key, l.hasSelection }

// selected returns the id of the selected row, or "".
func selected[R any](m *Model[R]) (id string) {
	if k, ok := m.List().SelectedKey(); ok {
		id = k.ID
	}
	return id
}
