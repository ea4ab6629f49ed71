package ui

import (
	"testing"

	"pgtower/ui/style"
)

func TestPalette(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, withOthers, func(p *program) {
		do := func(typed string) {
			p.Press(":")
			p.sees("Commands")
			p.Type(typed)
			p.Press("enter")
		}
		do("api keys")
		p.sees("LAST USED")
		do("filter never:used")
		p.seesNot("Commands")
		p.sees("/ never:used", "4 of 20")
		do("project payments")
		p.sees(" payments ", "STATUS")
		do("interval 2s")
		p.sees("● live, every 2s")
		do("interval 2h")
		p.sees(`✗ must be a duration from 1s to 5m, not "2h"`)
		p.Press("esc")
		do("project nowhere")
		p.sees(`✗ unknown project "nowhere"`)
		p.Press("esc")
		do("filter is:nonsense")
		p.sees("✗ ", "Commands")
		p.Press("esc")
		do("theme light")
		if p.model.theme.Open(style.Good) != style.ChooseTheme(style.Light, true, p.model.terminal.colours).Open(style.Good) {
			t.Error("the theme was not changed")
		}
		do("profile staging")
		p.sees("staging · staging.example")
		p.Press(":")
		p.sees("▌ profile ") // the last choice comes first
		p.Type("quit")
		p.Press("enter")
		if !p.over {
			t.Error("quit does not quit")
		}
	})
}

// TestNearestComesFirst types part of a name and presses Enter.
func TestNearestComesFirst(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("O")
		p.Press("esc", ":")
		p.Type("project search")
		p.Press("enter", ":")
		p.Type("all pro")
		p.sees("▌ Show all projects")
		p.Press("enter")
		p.sees(" all projects (")
		p.Press(":")
		p.Type("fil")
		p.sees("▌ Filter")
		p.Press("down")
		p.sees("▌ filter status:")
	})
}
