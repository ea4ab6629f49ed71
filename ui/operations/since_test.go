package operations_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/models/moment"
)

// longHistory starts in a project with this many operations, with pages of 50 and four requests a second.
func longHistory(operations int) func(*play.Backend, *ui.Options) {
	return func(b *play.Backend, o *ui.Options) {
		b.Simulate(mock.Options{Operations: operations})
		o.Budget = 4
		play.InBusiest(b, o)
	}
}

// A larger budget applies to the polls and the client, and the command shows it.
func TestBudgetCanBeChanged(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, longHistory(2_000), func(p *play.Program) {
		p.Press(":")
		p.Type("budget")
		p.Sees("change the request budget, now 4 a second")
		p.Type(" 101")
		p.Sees(`✗ must be a number from 1 to 100, not "101"`)
		p.Press("backspace", "enter")
		p.Sees("Budget: at most 10 requests a second, until you quit")
		p.Command("budget 40")
		p.Sees("Budget: at most 40 requests a second")
	})
}

// shortRange begins with a range that is not all of the history.
func shortRange(with func(*play.Backend, *ui.Options)) func(*play.Backend, *ui.Options) {
	return func(b *play.Backend, o *ui.Options) {
		if o.Since = moment.Ago(time.Minute); with != nil {
			with(b, o)
		}
	}
}
