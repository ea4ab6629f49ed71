package style_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pgtower/ui/style"
)

// A name is cut in its middle, so that its end stays.
func TestCutMiddle(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		30: "ep-patient-pine-123456", 22: "ep-patient-pine-123456", 21: "ep-patient-pi…-123456", 9: "ep-pa…456", 3: "e…6",
		2: "e…", 1: "…", 0: "", -1: "",
	} {
		if got := style.CutMiddle("ep-patient-pine-123456", width); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
	}
	if got := style.CutMiddle("東京都大阪府京都府", 9); style.Width(got) > 9 {
		t.Errorf("%q has %d cells", got, style.Width(got))
	}
}

// A text is cut at its end, never within a character.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -5, ""},
		{"", 3, ""},
		{"東京都", 6, "東京都"},
		{"東京都", 5, "東京…"},
		{"東京都", 4, "東…"},
		{"東京都", 2, "…"},
		{"東京都", 1, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"👩\u200D👩\u200D👧x", 2, "…"},
	} {
		if got := style.Cut(c.in, c.width); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// Two texts are aligned at the ends of a line. The left one is cut first.
func TestEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, right string
		width       int
		want        string
	}{
		{"left", "right", 12, "left   right"},
		{"left", "right", 10, "left right"},
		{"left", "right", 9, "le… right"},
		{"left", "right", 6, " right"},
		{"left", "right", 4, "rig…"},
		{"left", "", 6, "left  "},
		{"left", "", 3, "le…"},
		{"東京", "都", 6, "東… 都"},
		{"left", "right", 0, ""},
		{"left", "right", -1, ""},
	} {
		if got := style.Ends(c.left, c.right, c.width); got != c.want {
			t.Errorf("%q and %q in %d cells: %q, want %q", c.left, c.right, c.width, got, c.want)
		}
	}
}

// A text is broken at spaces where possible, and within words that are too long.
func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two", 100, []string{"one two"}},
		{"unbreakable", 4, []string{"unbr", "eaka", "ble"}},
		{"a unbreakable", 4, nil},
		{"東京都庁", 5, []string{"東京", "都庁"}},
		{"x", 0, nil},
		{"x", -1, nil},
	} {
		got := style.Wrap(c.in, c.width)
		if c.want != nil && !slices.Equal(got, c.want) || c.width <= 0 && got != nil {
			t.Errorf("%q in %d cells: %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// words are the contents of cells: narrow, wide, joined, marked, and styled.
func words() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{
			"a", "word", " ", "-", "東", "京都", "e\u0301", "👩\u200D👩\u200D👧", "🇯🇵", "❤\uFE0F", "�",
			"\x1b[31mred\x1b[m", "\x1b[1;7m東\x1b[m", "\x1b[38;2;1;2;3m",
		})
		return strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
	})
}

// Cut, fitted, aligned and wrapped texts have the wanted number of cells, and wrapping loses no letters.
func TestWidths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, other := words().Draw(t, "text"), words().Draw(t, "other")
		width := rapid.IntRange(-3, 40).Draw(t, "width")
		want := max(0, width)
		if got := ansi.StringWidth(style.Cut(s, width)); got > want {
			t.Errorf("Cut: %d cells", got)
		}
		for name, line := range map[string]string{
			"Fit": style.Fit(s, width), "Ends": style.Ends(s, other, width), "Spaces": style.Spaces(width),
		} {
			if got := ansi.StringWidth(line); got != want {
				t.Errorf("%s: %d cells, want %d: %q", name, got, want, line)
			}
		}
		lines := style.Wrap(s, width)
		for _, line := range lines {
			// A wide character is not split, even without room for it.
			if got := ansi.StringWidth(line); got > max(want, 2) {
				t.Errorf("Wrap: %d cells, want %d: %q", got, want, line)
			}
		}
		if kept := letters(strings.Join(lines, "")); width > 0 && kept != letters(s) {
			t.Errorf("Wrap kept %q of %q", kept, s)
		}
		height := rapid.IntRange(-2, 5).Draw(t, "height")
		if block := style.Block(lines, width, height); len(block) != max(0, height) {
			t.Errorf("Block: %d lines, want %d", len(block), height)
		}
	})
}

func letters(s string) string { return strings.ReplaceAll(ansi.Strip(s), " ", "") }

// A box covers cells of the lines, also half of a wide character. The given lines do not change.
func TestOverlay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, box string
		x, y      int
		want      string
	}{
		"inside":                {"......\n......\n......", "ab\ncd", 2, 1, "......\n..ab..\n..cd.."},
		"below the last row":    {"....\n....", "a\nb\nc", 1, 1, "....\n.a.."},
		"over the right edge":   {"....", "abcdef", 2, 0, "..ab"},
		"beyond the right edge": {"....", "ab", 4, 0, "...."},
		"far beyond":            {"....", "ab", 9, 0, "...."},
		"half of a wide left":   {"東京東京", "ab", 1, 0, " ab 東京"},
		"half of a wide right":  {"東京東京", "abc", 2, 0, "東abc 京"},
		"wide over the edge":    {"....", "東京", 1, 0, ".東."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := strings.Split(c.base, "\n")
			before := slices.Clone(base)
			got := ansi.Strip(strings.Join(style.Overlay(base, c.box, c.x, c.y), "\n"))
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if !slices.Equal(base, before) {
				t.Error("the base changed")
			}
		})
	}
}

// Neither the box nor the rest of the line takes on the style of the other.
func TestOverlayKeepsStyles(t *testing.T) {
	t.Parallel()
	got := style.Overlay([]string{"\x1b[31mabcdef\x1b[m"}, "XY", 2, 0)[0]
	left, rest, _ := strings.Cut(got, "XY")
	if !strings.HasSuffix(left, "\x1b[m") || !strings.HasPrefix(left, "\x1b[31mab") {
		t.Errorf("the box is not in its own style: %q", got)
	}
	if !strings.HasPrefix(rest, "\x1b[m") || !strings.Contains(rest, "\x1b[31m") || ansi.Strip(rest) != "ef" {
		t.Errorf("what follows the box lost its style: %q", got)
	}
}

// A box changes neither the number of lines nor their width.
func TestOverlayKeepsWidths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(0, 30).Draw(t, "width"), rapid.IntRange(0, 5).Draw(t, "height")
		base := style.Block(rapid.SliceOfN(words(), 0, 5).Draw(t, "base"), width, height)
		box := strings.Join(rapid.SliceOfN(words(), 0, 7).Draw(t, "box"), "\n")
		x, y := rapid.IntRange(0, 35).Draw(t, "x"), rapid.IntRange(0, 8).Draw(t, "y")
		out := style.Overlay(base, box, x, y)
		if len(out) != len(base) {
			t.Fatalf("%d lines, want %d", len(out), len(base))
		}
		for _, line := range out {
			if got := ansi.StringWidth(line); got != width {
				t.Errorf("%d cells, want %d: %q", got, width, line)
			}
		}
	})
}

// The largest value has the highest bar, and a value above 0 is visible.
func TestSpark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []int
		want   string
	}{
		{nil, ""},
		{[]int{0, 0}, "  "},
		{[]int{1, 2, 4, 8}, "▁▂▄█"},
		{[]int{0, 1000, 1}, " █▁"},
	} {
		if got := style.Spark(c.values); got != c.want {
			t.Errorf("Spark(%v) = %q, want %q", c.values, got, c.want)
		}
	}
}

// A bar has the width of its share. A share above 0 is visible.
func TestBar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part, whole, width int
		want               string
	}{
		{0, 10, 8, ""}, {10, 10, 3, "███"}, {5, 10, 3, "█▌"}, {1, 100000, 3, "▏"}, {1, 0, 3, ""}, {1, 1, 0, ""},
	} {
		got := style.Bar(c.part, c.whole, c.width)
		if got != c.want || style.Width(got) > c.width {
			t.Errorf("Bar(%d, %d, %d) = %q, want %q", c.part, c.whole, c.width, got, c.want)
		}
	}
}
