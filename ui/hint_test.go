package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/ui/page"
)

// A user who presses nothing is told the most important keys once. A notice comes first, and there is no hint while the
// service is down.
func TestHint(t *testing.T) {
	t.Parallel()
	const said = "New here? Press ? for the keys, : for every action"
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(ui.Hesitation - 2*time.Second)
		p.SeesNot(said)
		p.Wait(2*time.Second + ui.RestFor)
		p.Sees(said)
		p.Press("j")
		p.SeesNot(said)
		p.Wait(time.Minute)
		p.SeesNot(said)
	})
	play.Run(t, 80, 24, play.InBusiest, func(p *play.Program) {
		p.Wait(ui.Hesitation + ui.RestFor)
		p.Sees(said)
		p.Send(page.Notice{Text: "something else"})
		p.Sees("something else")
		p.SeesNot(said)
		p.Wait(ui.NoticeFor + time.Second)
		p.Sees(said)
		p.Wait(ui.HintFor + ui.RestFor)
		p.SeesNot(said)
	})
	play.Run(t, 80, 24, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); b.Down = true }, func(p *play.Program) {
		p.Wait(ui.Hesitation + ui.RestFor)
		p.SeesNot(said)
	})
}
