package ui_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// The selected row opens in the service's console or, without a browser, its address can be copied.
func TestConsole(t *testing.T) {
	t.Parallel()
	play.Run(t, 200, 36, func(_ *play.Backend, o *ui.Options) {
		o.ConsoleURL = "https://console.example/{project_id}/{branch_id}?q={project}"
	}, func(p *play.Program) {
		p.Wait(time.Second)
		values := p.Model.Page(page.Operations).ChosenValues()
		want := "https://console.example/" + values.Text("project_id") + "/" + values.Text("branch_id") + "?q=" + url.QueryEscape(values.Text("project"))
		p.Press("b")
		p.Sees("Open in your browser", "https://console.example/"+values.Text("project_id"))
		p.Press("y")
		if p.Board.Text != want {
			t.Errorf("copied %q, want %q", p.Board.Text, want)
		}
		p.Press("esc", "2", "b")
		p.Sees("Can't open the console: the row has no branch_id")
		p.Keys().Filter("no such key")
		p.Press("b")
		p.Sees("Nothing to open: no row is selected")

		const link = "\x1b]8;;https://console.example/"
		p.Press("1")
		if strings.Contains(p.Model.View().Content, link) {
			t.Error("the terminal is not known to know hyperlinks")
		}
		p.Send(tea.EnvMsg{"VTE_VERSION=7600"})
		for _, at := range []string{"the pane", "the detail"} {
			if n := strings.Count(p.Model.View().Content, link); n < 3 { // the ids of operation, project and branch
				t.Errorf("%s has %d links", at, n)
			}
			p.Press("enter")
		}
	})
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("b")
		p.Sees("open in console: unavailable, no console_url")
	})
}
