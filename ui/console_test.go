package ui_test

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/internal/termtest"
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
			p.Press("d", "enter")
		}
	})
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("b")
		p.Sees("open in console: unavailable, no console_url")
	})
}

// A key opens where the service makes keys before there is a session, and says so where the address is known.
func TestConsoleAtSignIn(t *testing.T) {
	t.Parallel()
	const address = "https://console.example/app/settings/api-keys"
	play.Run(t, 100, 30, func(b *play.Backend, o *ui.Options) { b.NoKey, o.KeysURL = true, address }, func(p *play.Program) {
		p.Sees(address, "ctrl+o open the console")
		p.Press("ctrl+o")
		p.Sees("Open in your browser")
		p.Press("y")
		if p.Board.Text != address {
			t.Errorf("copied %q", p.Board.Text)
		}
		p.Press("esc", "tab", "ctrl+u")
		p.Type("http://127.0.0.1:1/api/v2")
		p.SeesNot("ctrl+o")
		p.Press("ctrl+o")
		p.SeesNot("Open in your browser")
	})
}

// With a browser, the address opens there, also before there is a session.
func TestBrowserAtSignIn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program that opens addresses has another name")
	}
	const address = "https://console.example/app/settings/api-keys"
	dir := t.TempDir()
	termtest.WriteScript(t, filepath.Join(dir, "xdg-open"), "#!/bin/sh\nexit 0\n")
	t.Setenv("PATH", dir)
	play.Run(t, 100, 30, func(b *play.Backend, o *ui.Options) { b.NoKey, o.KeysURL = true, address }, func(p *play.Program) {
		p.Send(tea.EnvMsg{"DISPLAY=:0"})
		p.Press("ctrl+o")
		p.Wait(3 * time.Second)
		p.Sees("✓ opened in the browser: " + address)
	})
}
