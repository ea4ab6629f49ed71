package ui_test

import (
	"testing"

	"pgtower/internal/play"

	"github.com/charmbracelet/colorprofile"

	"pgtower/ui/style"
)

// The palette runs commands with their arguments, and shows why an argument is wrong. The last choice comes first.
func TestPalette(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		p.Command("api keys")
		p.Sees("LAST USED")
		p.Command("filter never:used")
		p.SeesNot("Commands")
		p.Sees("/ never:used", "4 of 20")
		p.Command("project payments")
		p.Sees(" payments ", "STATUS")
		p.Command("interval 2s")
		p.Sees("● live, every 2s")
		p.Command("interval 2h")
		p.Sees(`✗ must be a duration from 1s to 5m, not "2h"`)
		p.Press("esc")
		p.Command("project nowhere")
		p.Sees(`✗ unknown project "nowhere"`)
		p.Press("esc")
		p.Command("filter is:nonsense")
		p.Sees("✗ ", "Commands")
		p.Press("esc")
		p.Command("theme light")
		if p.Model.Theme().Open(style.Good) != style.ChooseTheme(style.Light, true, colorprofile.TrueColor).Open(style.Good) {
			t.Error("the theme was not changed")
		}
		p.Command("profile staging")
		p.Sees("staging · staging.example")
		p.Press(":")
		p.Sees("▌ profile ") // the last choice comes first
		p.Enter("quit")
		if !p.Over {
			t.Error("quit does not quit")
		}
	})
}

// The palette finds by letters in order, by values and keywords, and what pgtower does in a shell. Pages come first.
func TestPaletteFinds(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		for typed, want := range map[string]string{
			"tmln": "▌ Show the timeline", "dark": "▌ theme dark", "journal": "▌ pgtower apikeys journal",
			"report": "pgtower report", "region": "▌ Show groups", "proj": "▌ Go to Projects", "ops": "▌ Go to Operations",
			"rotate": "▌ Go to API keys", "slow": "▌ view Slow", "billing": "▌ project billing", "sound": "▌ alert on, off",
		} {
			p.Press(":")
			p.Type(typed)
			p.Sees(want)
			p.Press("esc")
		}
		p.Press(":")
		p.Enter("journal")
		p.Sees("copied pgtower apikeys journal")
	})
}

// A key that nothing has says so, also beside the help.
func TestUnknownKey(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("Z")
		p.Sees("no key Z here · ?: help")
		p.Press("2")
		p.SeesNot("no key Z") // it was about the other page
	})
}
