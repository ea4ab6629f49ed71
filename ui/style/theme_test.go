package style

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// common are the usual backgrounds of terminals.
func common(dark bool) []string {
	if dark {
		return []string{"#000000", "#1e1e2e", "#282c34", "#2e3440"}
	}
	return []string{"#ffffff", "#fafafa", "#fdf6e3", "#eff1f5"}
}

// TestThemeContrast measures every tone of text, on its own background if it has one.
func TestThemeContrast(t *testing.T) {
	t.Parallel()
	as := func(p colorprofile.Profile) func(color.Color) color.Color { return p.Convert }
	for name, c := range map[string]struct {
		p           palette
		backgrounds []string
		shown       func(color.Color) color.Color // the terminal's version of a colour
		least       float64
	}{
		"dark":                         {palettes[trueColour][1], common(true), as(colorprofile.TrueColor), 4.5},
		"light":                        {palettes[trueColour][0], common(false), as(colorprofile.TrueColor), 4.5},
		"high contrast, dark":          {palettes[highContrast][1], common(true)[:3], as(colorprofile.TrueColor), 7},
		"high contrast, light":         {palettes[highContrast][0], common(false), as(colorprofile.TrueColor), 7},
		"dark of 256":                  {palettes[indexed][1], common(true), as(colorprofile.ANSI256), 4.5},
		"light of 256":                 {palettes[indexed][0], common(false), as(colorprofile.ANSI256), 4.5},
		"high contrast of 256, dark":   {palettes[indexedContrast][1], common(true)[:3], as(colorprofile.ANSI256), 7},
		"high contrast of 256, light":  {palettes[indexedContrast][0], common(false), as(colorprofile.ANSI256), 7},
		"dark of 16, as xterm has it":  {palettes[basic][1], common(true)[:1], sixteen(xterm()), 4.5},
		"dark of 16, as VGA has it":    {palettes[basic][1], common(true)[:1], sixteen(vga()), 4.5},
		"light of 16, as xterm has it": {palettes[basic][0], common(false)[:1], sixteen(xterm()), 4.5},
		"light of 16, as VGA has it":   {palettes[basic][0], common(false)[:1], sixteen(vga()), 4.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for tone, style := range coloured(c.p) {
				fg, bg := style.GetForeground(), style.GetBackground()
				none := lipgloss.NoColor{}
				// Reversed, the terminal's background lies on the colour: the contrast is the same.
				if Tone(tone) == Rule || fg == none {
					continue // a line is not text, and the terminal's own colour is the user's choice
				}
				least := c.least
				if Tone(tone) == DoneEdge {
					least = 3 // a short bar is no text either, but has to be seen
				}
				on := c.backgrounds
				if bg != none {
					on = []string{"its own"}
				}
				for _, background := range on {
					behind := c.shown(bg)
					if bg == none {
						behind = lipgloss.Color(background)
					}
					if got := contrast(c.shown(fg), behind); got < least {
						t.Errorf("tone %d on %s: %.2f:1", tone, background, got)
					}
				}
			}
		})
	}
}

// sixteen returns the basic colours with a terminal's values.
func sixteen(values [16]string) func(color.Color) color.Color {
	return func(c color.Color) color.Color {
		if basic, ok := c.(ansi.BasicColor); ok {
			return lipgloss.Color(values[basic])
		}
		return c
	}
}

func xterm() [16]string {
	return [...]string{
		"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
		"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
	}
}

func vga() [16]string {
	return [...]string{
		"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
		"#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
	}
}

// Without colors, the selected row is reversed and a good result has no style.
func TestThemeWithoutColour(t *testing.T) {
	t.Parallel()
	th := ChooseTheme(Auto, true, colorprofile.ASCII)
	if got := th.Paint(Selected, "row"); got != "\x1b[7mrow\x1b[m" {
		t.Errorf("the selected row has to stand out without colour: %q", got)
	}
	if got := th.Paint(Good, "ok"); got != "ok" {
		t.Errorf("%q", got)
	}
}

// The theme follows its name, the background of the terminal and the number of its colors.
func TestThemeIsChosen(t *testing.T) {
	t.Parallel()
	const full = colorprofile.TrueColor
	same := func(a, b *Theme) bool { return a.open == b.open }
	for name, c := range map[string]struct{ got, want *Theme }{
		"dark on light":    {ChooseTheme(Dark, false, full), ChooseTheme(Auto, true, full)},
		"light on dark":    {ChooseTheme(Light, true, full), ChooseTheme(Auto, false, full)},
		"mono":             {ChooseTheme(Monochrome, true, full), ChooseTheme(Auto, true, colorprofile.ASCII)},
		"unknown":          {ChooseTheme("pink", true, full), ChooseTheme(Auto, true, full)},
		"contrast in 16":   {ChooseTheme(HighContrast, true, colorprofile.ANSI), ChooseTheme(Auto, true, colorprofile.ANSI)},
		"colours are none": {ChooseTheme(HighContrast, true, colorprofile.ASCII), ChooseTheme(Auto, true, colorprofile.ASCII)},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s: another theme", name)
		}
	}
	if same(ChooseTheme(HighContrast, true, full), ChooseTheme(HighContrast, false, full)) || same(ChooseTheme(HighContrast, true, full), ChooseTheme(Auto, true, full)) {
		t.Error("high contrast is no theme of its own")
	}
}

// TestThemeMark measures the colours that mark the header, as terminals of any depth show them, and those of the user.
func TestThemeMark(t *testing.T) {
	t.Parallel()
	all := []string{"#000000", "#ffffff", "#777777", "#00ff00", "#ff00ff"}
	for name := range accents {
		all = append(all, name)
	}
	for _, colour := range all {
		if err := CheckAccent(colour); err != nil {
			t.Error(err)
		}
		for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			style := ChooseTheme(Auto, true, p).Mark(colour).styles[Account]
			text, behind := p.Convert(style.GetForeground()), p.Convert(style.GetBackground())
			if got := contrast(text, behind); got < 4 {
				t.Errorf("%s in %v: %.2f:1", colour, p, got)
			}
		}
	}
	for _, wrong := range []string{"", "Red", "pink", "#fff", "#12345g", "1"} {
		if CheckAccent(wrong) == nil {
			t.Errorf("%q is a colour", wrong)
		}
	}
	plain := ChooseTheme(Auto, true, colorprofile.ASCII)
	if before := plain.Paint(Account, "work"); plain.Mark("red").Paint(Account, "work") != before || before == "work" {
		t.Errorf("without colours it is %q", before)
	}
}
