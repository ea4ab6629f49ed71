package style_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/ui/style"
)

// A line gets the same width in all terminals: from blanks where there are some, or by reducing characters.
func TestNormalizeWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain │ ⠹ é":                     "plain │ ⠹ é",
		"数据库 🚀":                           "数据库 🚀",
		"a👩‍👩‍👧‍👦b":                       "a👩b",
		"a❤️b":                            "a❤ b",
		"\x1b[1mﾃﾞ\x1b[m│":                "\x1b[1mﾃ\x1b[m│",
		"👍🏽|":                             "👍|",
		"e\u0301 with a mark of no width": "e\u0301 with a mark of no width",
		// What costs a cell takes it from the blanks behind, of which one stays.
		"│ नेपाल   everything │":           "│ नेपाल  everything │",
		"Revoke नेपाल?     │":              "Revoke नेपाल?    │",
		"Revoke नेपाल now?     │":          "Revoke नेपाल now?    │",
		"\x1b[1mﾊﾟｽ\x1b[m\x1b[2m  \x1b[m│": "\x1b[1mﾊﾟｽ\x1b[m\x1b[2m \x1b[m│",
		"👩‍👩‍👧‍👦          x":               "👩          x",
		"╭─ Revoke नेपाल? ───╮":            "╭─ Revoke नेपाल? ──╮",
		"नेपाल│ नेपाल  │":                  "नेपल│ नेपाल │",
		// There is no room: a border stays where it is.
		"नेपाल │": "नेपल │",
		"नेपाल":   "नेपल",
	} {
		if got := style.NormalizeWidth(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// A name is drawn as it is, unless terminals disagree about its characters.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"ci": "ci", "नेपाल": "नेपाल", "ﾊﾟｽ": "ﾊﾟｽ", "👩‍👩‍👧‍👦 x": "👩 x", "❤️": "❤", "❤": "❤"} {
		if got := style.Drawn(name); got != want {
			t.Errorf("%q is drawn as %q, want %q", name, got, want)
		}
	}
}

// Any clean line has its width also in a terminal that counts code points.
func TestNormalizeWidthHasOneWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Shown texts have been cleaned.
		line := models.Clean(rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("नमस्ते\u200d\ufe0f👩❤ﾃﾞ🏽🇨각น้ำ e\u0301")), rapid.Rune())).Draw(t, "line"))
		width := ansi.StringWidth(line)
		got := style.NormalizeWidth(line)
		if n := ansi.StringWidthWc(got); n != width {
			t.Errorf("%q becomes %q of %d cells, want %d", line, got, n, width)
		}
	})
}

// What a command prints is padded by the widths that the terminal gives it.
func TestPrintedWidth(t *testing.T) { //nolint:paralleltest // it sets the environment
	for term, want := range map[string]int{"xterm-256color": 3, "tmux-256color": 4, "screen": 4, "": 3} {
		t.Setenv("TERM", term)
		if got := style.PrintedWidth("नेपाल"); got != want {
			t.Errorf("%s: %d cells, want %d", term, got, want)
		}
	}
}
