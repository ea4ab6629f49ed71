//go:build unix

package e2e

import (
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

func TestKeysThatMove(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := start(t, termtest.Options{Env: b.env(), Cols: 80, Rows: 20})
	p.openAPIKeys()
	at := func(want int) func(row, of int) bool { return func(row, _ int) bool { return row == want } }
	last := func(row, of int) bool { return row == of && of == 20 }
	between := func(low, high int) func(row, of int) bool {
		return func(row, _ int) bool { return low < row && row < high }
	}
	p.Press("j")
	p.waitRow("2", at(2))
	p.Press("down")
	p.waitRow("3", at(3))
	p.Press("k", "up")
	p.waitRow("1", at(1))
	p.Press("k")
	p.Press("G")
	p.waitRow("the last", last)
	p.Press("j", "g")
	p.waitRow("1", at(1))
	p.Press("end")
	p.waitRow("the last", last)
	p.Press("home")
	p.waitRow("1", at(1))
	p.Press("pgdown")
	page := p.waitRow("a page down", between(5, 20))
	p.Press("pgup")
	p.waitRow("1", at(1))
	p.Press("ctrl+d")
	half := p.waitRow("half a page down", between(2, page))
	p.Press("ctrl+u")
	p.waitRow("1", at(1))
	p.Press("ctrl+f")
	p.waitRow("a page down", at(page))
	p.Press("ctrl+b")
	p.waitRow("1", at(1))
	p.Press("ctrl+d", "ctrl+d")
	p.waitRow("twice half a page down", at(2*half-1))
	p.quit()
}

func TestFilter(t *testing.T) {
	t.Parallel()
	p := serve(t, mock.Options{}).program()
	p.openAPIKeys()
	p.Press("/")
	p.Send("deploy")
	p.Wait("1 of 20", "ci-deploy")
	p.WaitGone("laptop-old")
	// Keys of actions are text here.
	p.Send("q1?")
	p.Wait("deployq1?", "0 of 20", "Nothing matches the filter.")
	p.Press("esc")
	p.Wait("laptop-old", "1 / 20")
	p.WaitGone("of 20")
	p.Press("/")
	p.enter("LAPTOP")
	p.Wait("2 of 20", "bob-laptop", "laptop-old")
	p.Press("j")
	p.waitSelected("bob-laptop")
	p.Press("esc")
	p.waitSelected("bob-laptop")
	p.waitRow("where the key is among all", func(row, of int) bool { return row > 2 && of == 20 })
	p.quit()
}

func TestPagesAndHelp(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program("--project", b.project("billing"), "--interval", "1s")
	operations, projects, apikeys := "● live, every 1s", "12 projects", "20 keys"
	p.Wait(operations)
	for _, step := range []struct{ key, sees string }{
		{"2", projects},
		{"3", apikeys},
		{"1", operations},
		{"tab", projects},
		{"tab", apikeys},
		{"tab", operations},
		{"shift+tab", apikeys},
		{"2", projects},
	} {
		p.Press(step.key)
		p.Wait(step.sees)
		for _, other := range []string{operations, projects, apikeys} {
			if other != step.sees {
				p.WaitGone(other)
			}
		}
	}
	p.Press("?")
	p.Wait("Projects: keys", "page down")
	p.Press("G")
	p.Wait("Everywhere", "quit immediately")
	// The keys of the page behind it do nothing.
	p.Press("3")
	p.Settle(settled)
	p.Wait("Projects: keys")
	p.leave("Everywhere")
	p.Wait(projects)
	p.Press("?")
	p.Wait("Projects: keys")
	p.Press("?")
	p.WaitGone("Projects: keys")
	p.quit()
}

// TestTypingAhead sends several keys at once, as a slow connection delivers them.
func TestTypingAhead(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.Send("nextra\r")
	p.Wait("extra · id ", "Save the secret now")
	p.Send("r\r2")
	p.Wait("12 projects")
	if !b.api.hasKey("extra") {
		t.Error("the key was not created")
	}
	p.quit()
}

func TestQuitFromAnywhere(t *testing.T) {
	t.Parallel()
	p := serve(t, mock.Options{}).program()
	p.Wait("all projects (12)")
	p.Press("O")
	p.Wait("Choose a project")
	p.Press("q") // text for the question
	p.Wait("0 of 12")
	p.Press("ctrl+c")
	p.ended()
}
