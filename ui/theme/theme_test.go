package theme

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
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

func TestContrast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p           palette
		backgrounds []string
		least       float64
	}{
		"dark":                 {darkPalette(), []string{"#000000", "#1e1e2e", "#282c34", "#2e3440"}, 4.5},
		"light":                {lightPalette(), []string{"#ffffff", "#fafafa", "#fdf6e3", "#eff1f5"}, 4.5},
		"high contrast, dark":  {highContrastPalette(true), []string{"#000000", "#1e1e2e", "#282c34"}, 7},
		"high contrast, light": {highContrastPalette(false), []string{"#ffffff", "#fafafa", "#fdf6e3", "#eff1f5"}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := map[string]color.Color{
				"muted": c.p.muted, "accent": c.p.accent, "good": c.p.good,
				"active": c.p.active, "waiting": c.p.waiting, "bad": c.p.bad,
			}
			for _, bg := range c.backgrounds {
				for token, fg := range text {
					if got := contrast(fg, lipgloss.Color(bg)); got < c.least {
						t.Errorf("%s on %s: %.2f:1", token, bg, got)
					}
				}
			}
			if got := contrast(c.p.selectedText, c.p.selected); got < c.least {
				t.Errorf("selected row: %.2f:1", got)
			}
			if got := contrast(c.p.brandText, c.p.accent); got < c.least {
				t.Errorf("brand: %.2f:1", got)
			}
		})
	}
}

func TestWithoutColour(t *testing.T) {
	t.Parallel()
	th := New(true, colorprofile.ASCII)
	if got := th.Paint(Selected, "row"); got != "\x1b[7mrow\x1b[m" {
		t.Errorf("the selected row has to stand out without colour: %q", got)
	}
	if got := th.Paint(Good, "ok"); got != "ok" {
		t.Errorf("%q", got)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	const full = colorprofile.TrueColor
	same := func(a, b *Theme) bool { return a.open == b.open }
	for name, c := range map[string]struct{ got, want *Theme }{
		"auto on dark":     {Choose(Auto, true, full), New(true, full)},
		"auto on light":    {Choose(Auto, false, full), New(false, full)},
		"dark on light":    {Choose(Dark, false, full), New(true, full)},
		"light on dark":    {Choose(Light, true, full), New(false, full)},
		"mono":             {Choose(Monochrome, true, full), New(true, colorprofile.ASCII)},
		"unknown":          {Choose("pink", true, full), New(true, full)},
		"contrast in 16":   {Choose(HighContrast, true, colorprofile.ANSI), New(true, colorprofile.ANSI)},
		"colours are none": {Choose(HighContrast, true, colorprofile.ASCII), New(true, colorprofile.ASCII)},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s: another theme", name)
		}
	}
	if same(Choose(HighContrast, true, full), Choose(HighContrast, false, full)) || same(Choose(HighContrast, true, full), New(true, full)) {
		t.Error("high contrast is no theme of its own")
	}
}
