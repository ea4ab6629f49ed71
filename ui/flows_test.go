package ui_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/models"
	"pgtower/ui/page"
)

// An answer for the session of another profile changes nothing.
func TestSessionDropsAnswersOfTheLastOne(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		old := page.Delivery{Generation: p.Model.Generation(), To: page.Operations, Msg: page.ShowOperations{Project: models.Project{ID: "of-another-account"}}}
		p.SwitchProfile("demo")
		p.Wait(2 * time.Second)
		p.Send(old)
		p.SeesNot("of-another-account")
		p.Sees("demo", "STATUS")
	})
}

// More new operations than fit in a page are all loaded. If a page fails, a row for the gap loads it.
func TestGapOfMoreThanAPage(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.PageSize = 3 }, func(p *play.Program) {
		p.Press("down", "down")
		row := p.Model.Page(page.Operations).ViewState().Row
		p.BeginMany(12)
		p.Wait(6 * time.Second)
		if p.Model.Page(page.Operations).ViewState().Row != row {
			t.Error("the selection moved")
		}
		p.Sees("new · g: newest")
		p.Press("g")
		if got := strings.Count(p.Screen(), "Create branch"); got < 12 {
			t.Errorf("%d of 12 births are on the screen:\n%s", got, p.Screen())
		}
		p.SeesNot("missing")
		p.Wait(30 * time.Second)
		// Missing pages of the window are loaded automatically, unless they fail.
		mend := p.Inject("500 of /projects/*/operations skip=6")
		p.BeginMany(40)
		p.Wait(24 * time.Second) // a gap is named when it is older than two intervals
		mend()
		onGap := func() bool {
			return strings.HasPrefix(p.Model.Page(page.Operations).ViewState().Row.ID, "gap\n")
		}
		for range 60 {
			if onGap() {
				break
			}
			p.Press("j")
		}
		p.Sees("┄ missing")
		for range 60 {
			if !onGap() {
				p.Press("j") // a loaded page replaced the gap, and the rest of the gap is below it
				continue
			}
			p.Press("enter")
			if !strings.Contains(p.Screen(), "┄ missing") && !onGap() {
				return
			}
		}
		p.SeesNot("┄ missing")
	})
}
