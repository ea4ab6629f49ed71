package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/models/settings"
	"pgtower/ui"
)

// The result of a command is shown only in the session that started it.
func TestCommandsEndInTheirSession(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"terminal", "background", "output"} {
		said := map[string]string{"terminal": "slow ended", "background": "slow ended", "output": "last words"}[where]
		begin := func(b *play.Backend, o *ui.Options) {
			play.WithOthers(b, o)
			o.Programs = &runner{}
			o.Commands = []settings.Command{{Name: "slow", Page: "operations", Run: []string{"slow"}, Where: where}}
		}
		play.Run(t, 120, 36, begin, func(p *play.Program) {
			p.Wait(time.Second)
			p.Command("slow")
			p.Wait(5 * time.Second)
			p.Sees(said)
		})
		play.Run(t, 120, 36, begin, func(p *play.Program) {
			p.Wait(time.Second)
			p.Command("slow")
			p.SwitchProfile("stag")
			p.Wait(5 * time.Second)
			p.Sees("staging.example")
			p.SeesNot(said)
		})
	}
}
