package ui_test

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/internal/play"
	"pgtower/models/settings"
	"pgtower/ui"
)

// slowPrograms take a while and print a line.
type slowPrograms struct{}

func (slowPrograms) Run(ctx context.Context, _ []string) (string, error) {
	select {
	case <-time.After(5 * time.Second):
		return "of the first account", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (p slowPrograms) Terminal(ctx context.Context, args []string, ended func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		_, err := p.Run(ctx, args)
		return ended(err)
	}
}

// The result of a command is shown only in the session that started it.
func TestCommandsEndInTheirSession(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"terminal", "background", "output"} {
		said := map[string]string{"terminal": "slow ended", "background": "slow ended", "output": "of the first account"}[where]
		begin := func(b *play.Backend, o *ui.Options) {
			play.WithOthers(b, o)
			o.Programs = slowPrograms{}
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
