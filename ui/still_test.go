package ui_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/ui/page"
)

func TestScreenHoldsStillWhenAProjectComesLate(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 30, busiestComesLate, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("j", "j", "j", "j", "j")
		rows := func() (line int, row string) {
			for i, l := range strings.Split(p.Screen(), "\n") {
				if strings.HasPrefix(l, " ▌") {
					return i, p.Model.Page(page.Operations).ViewState().Row.ID
				}
			}
			return 0, ""
		}
		line, row := rows()
		p.Wait(10 * time.Second)
		if nowLine, nowRow := rows(); nowLine != line || nowRow != row {
			t.Errorf("%s was on line %d, now %s is on line %d\n%s", row, line, nowRow, nowLine, p.Screen())
		}
		p.Sees("new · g: newest")
	})
}

// busiestComesLate delays the first page of the busiest project until the others are read: it raises the frontier above
// the rows shown.
func busiestComesLate(b *play.Backend, o *ui.Options) {
	o.PageSize = 20
	f := "500 of /projects/" + b.Server.BusiestProject() + "/operations count=1"
	if _, err := b.Server.Inject(f); err != nil {
		b.T.Fatal(err)
	}
}
