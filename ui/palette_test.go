package ui

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/ui/action"
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
		if p.model.theme.Open(style.Good) != style.ChooseTheme(style.Light, true, p.model.colours).Open(style.Good) {
			t.Error("the theme was not changed")
		}
		do("profile staging")
		p.sees("staging · staging.example")
		p.Press("ctrl+k")
		p.sees("▌ profile ") // the last choice comes first
		p.Type("quit")
		p.Press("enter")
		if !p.over {
			t.Error("quit does not quit")
		}
	})
}

func TestDemoCommands(t *testing.T) {
	t.Parallel()
	var ran []string
	var leap atomic.Int64
	play(t, 120, 36, func(_ *backend, o *Options) {
		o.Profile.Clock = func() time.Time { return time.Now().Add(time.Duration(leap.Load())) }
		o.DemoCommands = []DemoCommand{{
			Name: "advance", Title: "let time leap", Arg: "1h", Values: []action.Value{{Text: "1h"}, {Text: "24h"}},
			Run: func(arg string) (string, error) {
				d, err := time.ParseDuration(arg)
				if err != nil {
					return "", errors.New("not a duration")
				}
				ran = append(ran, arg)
				leap.Add(int64(d))
				return "time leapt by " + arg, nil
			},
		}}
	}, func(p *program) {
		p.Press(":")
		p.Type("advance ")
		p.Press("down", "enter")
		p.sees("✓ time leapt by 24h")
		p.Press(":")
		p.Type("advance never")
		p.Press("enter")
		p.sees("✗ advance: not a duration")
		p.Wait(2 * time.Second)
		p.sees(" 1d ") // ages follow the service's time
		if len(ran) != 1 || ran[0] != "24h" {
			t.Errorf("ran: %v", ran)
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

func TestDemoCommandWithoutAnArgument(t *testing.T) {
	t.Parallel()
	var ran []string
	play(t, 120, 36, func(_ *backend, o *Options) {
		run := func(arg string) (string, error) {
			ran = append(ran, "<"+arg+">")
			return "done", nil
		}
		o.DemoCommands = []DemoCommand{
			{Name: "heal", Title: "take all faults away", Run: run},
			{Name: "dump", Title: "write it", Arg: "demo.json", Values: []action.Value{{Text: "demo.json"}}, Run: run},
			{Name: "revoke", Title: "revoke a key", Arg: "its id", Run: run},
		}
	}, func(p *program) {
		for _, name := range []string{"heal", "dump"} {
			p.Press(":")
			p.Type(name)
			p.sees("▌ " + name)
			p.Press("enter")
			p.sees("✓ done")
			p.seesNot("Commands")
		}
		p.Press(":")
		p.Type("revoke ")
		p.sees("Write its id: revoke a key")
		p.Press("enter")
		p.sees("✗ write its id after revoke")
		if len(ran) != 2 || ran[0] != "<>" || ran[1] != "<demo.json>" {
			t.Errorf("ran: %v", ran)
		}
	})
}
