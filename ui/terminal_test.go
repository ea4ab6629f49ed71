package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models/settings"
	"pgtower/ui/style"
)

// The reports of the terminal determine how it measures, its links, notifications, browser and colors.
func TestTerminal(t *testing.T) {
	t.Parallel()
	term := terminal{dark: true, colours: colorprofile.TrueColor}
	for _, c := range []struct {
		value ansi.ModeSetting
		want  bool
	}{{ansi.ModeSet, true}, {ansi.ModeNotRecognized, false}, {ansi.ModeReset, true}, {ansi.ModePermanentlyReset, false}} {
		term.reported(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: c.value})
		term.reported(tea.ModeReportMsg{Mode: ansi.ModeFocusEvent, Value: ansi.ModeSet})
		if term.clusters != c.want {
			t.Errorf("mode %v: clusters are measured: %v", c.value, term.clusters)
		}
	}
	term.reported(tea.EnvMsg{"TERM=xterm-kitty", "SSH_CONNECTION=1"})
	if !term.remote || !term.links || term.notifier == "" || term.browser.Known() || !term.themeOf(&Profile{}).Links {
		t.Errorf("%+v", term)
	}
	term.reported(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if theme := term.themeOf(&Profile{
		Profile: settings.Profile{Theme: style.Dark, Color: "red"},
	}); !theme.Colourless() {
		t.Error("a terminal without colours has some")
	}
}
