package style_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/ui/style"
)

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
	} {
		if got := style.NormalizeWidth(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestNormalizeWidthHasOneWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Shown texts have been cleaned.
		line := models.Clean(rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("नमस्ते\u200d\ufe0f👩❤ﾃﾞ🏽🇨각น้ำ e\u0301")), rapid.Rune())).Draw(t, "line"))
		width := ansi.StringWidth(line)
		got := style.NormalizeWidth(line)
		if a, b := ansi.StringWidth(got), ansi.StringWidthWc(got); a != width || b != width {
			t.Errorf("%q becomes %q of %d and %d cells, want %d", line, got, a, b, width)
		}
	})
}
