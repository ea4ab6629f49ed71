package style_test

import (
	"slices"
	"testing"

	"pgtower/ui/style"
)

// The settings name what this package has.
func TestNamesOfTheSettings(t *testing.T) {
	t.Parallel()
	themes := []string{style.Auto, style.Dark, style.Light, style.HighContrast, style.Monochrome}
	times := []string{style.Relative, style.Local, style.UTC}
	if !slices.Equal(style.ThemeNames(), themes) || !slices.Equal(style.TimesNames(), times) {
		t.Errorf("%q, %q", style.ThemeNames(), style.TimesNames())
	}
}
