package ui

import (
	"errors"
	"testing"
	"time"

	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/theme"
)

func TestPalette(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, withOthers, func(p *program) {
		do := func(typed string) {
			p.press(":")
			p.sees("Commands")
			p.enter(typed)
			p.press("enter")
		}
		do("api keys")
		p.sees("LAST USED")
		do("filter never:used")
		p.seesNot("Commands")
		p.sees("/ never:used", "4 of 20")
		do("project payments")
		p.sees(" payments ", "STATUS")
		do("interval 2s")
		p.sees("● live 2s")
		do("interval 2h")
		p.sees(`✗ "2h" is not a time between 1s and 5m`)
		p.press("esc")
		do("project nowhere")
		p.sees(`✗ there is no project "nowhere"`)
		p.press("esc")
		do("filter is:nonsense")
		p.sees("✗ ", "Commands")
		p.press("esc")
		do("theme light")
		if p.model.theme.Open(theme.Good) != theme.Choose(theme.Light, true, p.model.colours).Open(theme.Good) {
			t.Error("the theme was not changed")
		}
		do("profile staging")
		p.sees("staging · staging.example")
		p.press("ctrl+k")
		p.sees("▌ profile ") // what was chosen last comes first
		p.enter("quit")
		p.press("enter")
		if !p.over {
			t.Error("quit does not quit")
		}
	})
}

func TestPaletteSaysWhatCannotBeDone(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, _ *Options) { b.readOnly = "pgtower was started with --read-only" }, func(p *program) {
		p.press("3", ":")
		p.enter("rotate")
		p.sees("api keys: rotate", "not now, pgtower was started with")
		p.press("enter")
		p.sees("Commands")
	})
}

func TestPaletteCompletes(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.press(":")
		p.enter("filt")
		p.press("tab")
		p.enter("i")
		p.sees("▌ id:", "is:")
		p.enter("s")
		p.press("tab")
		p.enter("fai")
		p.sees("▌ is:failed")
		p.press("tab", "enter")
		p.sees("/ is:failed")
		p.seesNot("✓ finished  ")
	})
}

func TestKnobsAreTurned(t *testing.T) {
	t.Parallel()
	var turned []string
	var leap time.Duration
	play(t, 120, 36, func(_ *backend, o *Options) {
		o.Profile.Clock = func() time.Time { return time.Now().Add(leap) }
		o.Knobs = []Knob{{
			Name: "advance", Title: "let time leap", Arg: "1h", Values: []page.Value{{Text: "1h"}, {Text: "24h"}},
			Turn: func(arg string) (string, error) {
				d, err := time.ParseDuration(arg)
				if err != nil {
					return "", errors.New("not a duration")
				}
				turned = append(turned, arg)
				leap += d
				return "time leapt by " + arg, nil
			},
		}}
	}, func(p *program) {
		p.press(":")
		p.enter("advance ")
		p.press("down", "enter")
		p.sees("✓ time leapt by 24h")
		p.press(":")
		p.enter("advance never")
		p.press("enter")
		p.sees("✗ advance: not a duration")
		p.wait(2 * time.Second)
		p.sees(" 1d ") // the ages are those of the service's time
		if len(turned) != 1 || turned[0] != "24h" {
			t.Errorf("turned: %v", turned)
		}
	})
}

// TestEveryKeyHasAName presses what each action of the palette stands for.
func TestEveryKeyHasAName(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		for _, id := range []string{"1", "2", "3"} {
			p.press(id)
			for _, g := range p.model.currentKeys() {
				for _, a := range g.Actions {
					if !a.Pressed(keys.Press(a.Keys()[0])) {
						t.Errorf("%s: %q is not the key of %s", g.Title, a.Keys()[0], a.Help().Desc)
					}
				}
			}
		}
	})
}
