package table

import (
	"reflect"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/ui/style"
)

const (
	screenWidth, screenHeight = 60, 6
	nameWidth                 = 14
)

// screen is a terminal showing a table, with all other effects of its bytes.
type screen struct {
	cells    [screenHeight][screenWidth]uv.Cell
	cursor   uv.Position
	happened []string
}

// show draws a table in a terminal, with a name in two columns of its second row.
func show(tb testing.TB, name string) screen {
	tb.Helper()
	cell := func(row string, _ time.Time) (string, style.Tone) {
		if row == "row-1" {
			return models.Clean(name), style.Bad
		}
		return row, style.Plain
	}
	inner, last := column("NAME", nameWidth, 0, 0), column("AGAIN", nameWidth, 0, 0)
	inner.Cell, last.Cell, last.Right = cell, cell, true
	m := newTable(tb, numbered(screenHeight-1), func(c *Config[string]) {
		c.Columns = []Column[string]{column("FIRST", 10, 0, 0), inner, column("NEXT", 8, 0, 0), last}
	})
	lines := paint(m, Description[string]{}, screenWidth, screenHeight)

	var s screen
	did := func(what string) { s.happened = append(s.happened, what) }
	em := vt.NewEmulator(screenWidth, screenHeight)
	em.SetCallbacks(vt.Callbacks{
		Bell: func() { did("bell") }, Title: func(t string) { did("title " + t) }, IconName: func(t string) { did("icon " + t) },
		AltScreen: func(bool) { did("alternate screen") }, CursorVisibility: func(bool) { did("cursor") },
		WorkingDirectory: func(d string) { did("directory " + d) },
		EnableMode:       func(ansi.Mode) { did("mode on") }, DisableMode: func(ansi.Mode) { did("mode off") },
	})
	_, _ = em.WriteString(strings.Join(lines, "\r\n"))
	for y := range screenHeight {
		for x := range screenWidth {
			if c := em.CellAt(x, y); c != nil {
				s.cells[y][x] = *c
			}
		}
	}
	s.cursor = em.CursorPosition()
	if n := em.ScrollbackLen(); n > 0 {
		did("scrolled")
	}
	return s
}

// harmless returns a name of the same shape.
func harmless(name string) string {
	return strings.Repeat("x", style.Width(models.Clean(name)))
}

// staysInside compares the effect of a name on a terminal with that of a harmless one: they differ only in the name's
// cells.
func staysInside(tb testing.TB, t interface{ Errorf(string, ...any) }, name string) {
	tb.Helper()
	const x1, x2 = 3 + 10 + 1, 3 + 10 + 1 + nameWidth + 1 + 8 + 1 // the gaps between narrow columns are 1 wide
	got, want := show(tb, name), show(tb, harmless(name))
	for y := range screenHeight {
		for x := range screenWidth {
			inside := y == 2 && (x1 <= x && x < x1+nameWidth || x2 <= x && x < x2+nameWidth)
			if !inside && !reflect.DeepEqual(got.cells[y][x], want.cells[y][x]) {
				t.Errorf("%+q changes line %d, column %d: %+v, want %+v", name, y, x, got.cells[y][x], want.cells[y][x])
				return
			}
		}
	}
	if got.cursor != want.cursor || len(got.happened) > 0 {
		t.Errorf("%+q: cursor at %v, want %v; %v", name, got.cursor, want.cursor, got.happened)
	}
}

// hostileNames returns texts that try to leave their cell.
func hostileNames() []string {
	return []string{
		"\x1b[2J", "\x1b[31;1mred", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;aGk=\x07",
		"\x1bPq#0\x1b\\", "\x1b[6n", "\x1bc", "\x1b[?1049h", "\x1b[10;1H", "\x1b(0lqk", "\x9b2J", "\u009b2J", "\u009d0;t\u009c", "\x90q\x9c",
		"a\r\nb", "a\nb", "a\tb", "\b\b\b\b", "\x07", "\x00", "\x0e", "\x7f", "\u0085", "\u2028", "\u202Eexe.", "\u2066x\u2069", "\u200B", "\u200D", "\uFEFF",
		"a" + strings.Repeat("\u0301", 400), "\u0301\u0301x", "e\u0301", "東京都東京都東京都", "東京都東京都東", "👩\u200D👩\u200D👧\u200D👦", "🇯🇵🇩", "👍🏽🏽🏽", "❤\uFE0F",
		"1\uFE0F\u20E3", "ｶﾞｶﾞ", "น้ำน้ำ", "हिन्दी", "שלום", "مرحبا", "\u1100\u1161\u11A8", "\xff\xfe\xed\xa0\x80", "\U000E0041", "\u00AD", "\uFFFC", "⣿",
		strings.Repeat("x", 5000), strings.Repeat("東", 5000), strings.Repeat("👩\u200D", 5000), strings.Repeat("\u0301", 5000), strings.Repeat("\x1b[A", 1000),
	}
}

// A name changes nothing on the terminal outside its cell, whatever it consists of.
func TestHostileNameStaysInItsCell(outer *testing.T) {
	outer.Parallel()
	rapid.Check(outer, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom(hostileNames()), rapid.String(), rapid.StringN(1, 1, 4), rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 6), func(b []byte) string { return string(b) }))
		staysInside(outer, t, strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "name"), ""))
	})
}

// Without cleaning, a text leaves its cell: the comparison detects it.
func TestHostileNamesUncleanedDoNotStay(t *testing.T) {
	t.Parallel()
	em := vt.NewEmulator(screenWidth, screenHeight)
	_, _ = em.WriteString("harmless\x1b[2J\x1b[3;5H")
	if c := em.CellAt(0, 0); c != nil && c.Content == "h" || em.CursorPosition() == uv.Pos(8, 0) {
		t.Error("the terminal of the test does not act on what programs write")
	}
}

// FuzzHostileNames looks for more names that change the terminal outside their cells.
func FuzzHostileNames(f *testing.F) {
	for _, name := range hostileNames() {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { staysInside(t, t, name) })
}
