package ui

import (
	"regexp"
	"testing"
	"time"

	"pgtower/client/mock"
)

// longHistory starts in a project with this many operations, with pages of 50 and four requests a second.
func longHistory(operations int) func(*backend, *Options) {
	return func(b *backend, o *Options) {
		b.simulate(mock.Options{Operations: operations})
		b.budget, o.Budget = 4, 4
		inBusiest(b, o)
	}
}

// command types a command into the palette.
func (p *program) command(typed string) {
	p.Press(":")
	p.Type(typed)
	p.Press("enter")
}

// loaded returns the number of loaded operations in the summary.
func (p *program) loaded() string {
	p.t.Helper()
	found := regexp.MustCompile(`([0-9,]+) (?:loaded|shown)`).FindStringSubmatch(p.screen())
	if found == nil {
		p.t.Fatalf("no number of loaded operations:\n%s", p.screen())
	}
	return found[1]
}

// A larger budget applies to the polls and the client, and the command shows it.
func TestTheBudgetCanBeChanged(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, longHistory(2_000), func(p *program) {
		p.Press(":")
		p.Type("budget")
		p.sees("change the request budget, now 4 a second")
		p.Type(" 101")
		p.sees(`✗ must be a number from 1 to 100, not "101"`)
		p.Press("backspace", "enter")
		p.sees("Budget: at most 10 requests a second, until you quit")
		p.command("budget 40")
		p.Wait(2 * time.Second)
		p.command("load 2000")
		p.Wait(4 * time.Second) // at four requests a second it takes ten
		if got := p.loaded(); got != "2,000" {
			t.Errorf("%s operations are loaded", got)
		}
	})
}

func TestLoadReadsAsManyAsAreWanted(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, longHistory(2_000), func(p *program) {
		p.Wait(5 * time.Second)
		n := counting(p)
		p.command("load 1,000")
		p.sees("◌ Loading older operations: ", " of 1,000 · esc stops", "esc stop loading")
		p.Wait(3 * time.Second)
		if got := n.Load(); got > 4+3*4 {
			t.Errorf("%d requests in three seconds, with a budget of four a second", got)
		}
		p.seesNot("operations are loaded")
		p.Wait(4 * time.Second)
		p.sees("✓ 1,0", " operations are loaded")
		p.seesNot("Loading older", "stop loading")
		p.Wait(10 * time.Second)
		p.command("load 500")
		p.sees(" operations are loaded")
		p.seesNot("Loading older")
		p.command("load 1,500") // what the notice says is soon no longer true
		p.sees("Loading older")
		p.seesNot(" operations are loaded")
	})
}

func TestLoadStops(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*program){
		"by esc": func(p *program) {
			p.Press("/")
			p.Type("com")
			p.Press("enter")
			p.sees("Loading older operations")
			p.Press("esc")
			p.sees("stopped: ", "/ com")
		},
		"by another scope": func(p *program) { p.Press("a") },
		"by an error": func(p *program) {
			p.inject("403 of /projects/*/operations count=1")
			p.Wait(time.Second)
			p.sees("older operations (m: try again)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 150, 36, longHistory(5_000), func(p *program) {
				p.Wait(5 * time.Second)
				p.Press("p")
				p.command("load 4000")
				p.Wait(2 * time.Second)
				p.sees("Loading older operations: ")
				stop(p)
				p.Wait(6 * time.Second)
				p.seesNot("Loading older operations: ")
				was := p.loaded()
				p.Wait(10 * time.Second)
				if is := p.loaded(); is != was {
					t.Errorf("%s were loaded, and then %s", was, is)
				}
			})
		})
	}
}

// Details close before a load is stopped: esc does what the footer shows.
func TestLoadGoesOnUnderADetail(t *testing.T) {
	t.Parallel()
	play(t, 100, 30, longHistory(5_000), func(p *program) {
		p.Wait(5 * time.Second)
		p.command("load 4000")
		p.Press("enter")
		p.seesNot("esc stops")
		p.Press("esc")
		p.sees("esc stops")
		p.Press("esc")
		p.sees("stopped: ")
	})
}
