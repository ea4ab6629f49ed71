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
		p.sees("Budget: at most 40 requests a second")
	})
}

// shortRange begins with a range that is not all of the history.
func shortRange(with func(*backend, *Options)) func(*backend, *Options) {
	return func(b *backend, o *Options) {
		if o.Since = time.Minute; with != nil {
			with(b, o)
		}
	}
}

// The range that the user asks for is loaded, and its end is told.
func TestSince(t *testing.T) {
	t.Parallel()
	play(t, 150, 36, shortRange(longHistory(5_000)), func(p *program) {
		p.Wait(5 * time.Second)
		p.command("since 3d")
		p.sees("◌ Loading 3 d, as asked for: complete for ", " of 3 d")
		p.Wait(4 * time.Second)
		p.sees("✓ complete: all 5,0")
		p.seesNot("Loading")
		was := p.loaded()
		p.Wait(10 * time.Second)
		if is := p.loaded(); len(is) > len(was) {
			t.Errorf("%s were loaded, and then %s", was, is)
		}
	})
}
