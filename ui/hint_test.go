package ui

import (
	"testing"
	"time"

	"pgtower/ui/page"
)

func TestTheFirstHint(t *testing.T) {
	t.Parallel()
	const said = "New here? Press ? for the keys, : for every action"
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(hesitation - 2*time.Second)
		p.seesNot(said)
		p.Wait(2*time.Second + restFor)
		p.sees(said)
		p.Press("j")
		p.seesNot(said)
		p.Wait(time.Minute)
		p.seesNot(said)
	})
	play(t, 80, 24, inBusiest, func(p *program) {
		p.Wait(hesitation + restFor)
		p.sees(said)
		p.Send(page.Notice{Text: "something else"})
		p.sees("something else")
		p.seesNot(said)
		p.Wait(noticeFor + time.Second)
		p.sees(said)
		p.Wait(hintFor + restFor)
		p.seesNot(said)
	})
	play(t, 80, 24, func(b *backend, o *Options) { inBusiest(b, o); b.down = true }, func(p *program) {
		p.Wait(hesitation + restFor)
		p.seesNot(said)
	})
}
