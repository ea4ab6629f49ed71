package ui

import (
	"strings"
	"testing"
	"time"

	"pgtower/ui/action"
	"pgtower/ui/page"
)

// givingKeys assigns keys to actions, named as in the configuration: "apikeys revoke", or "refresh" on every page.
func givingKeys(t *testing.T, given map[string][]string) func(*backend, *Options) {
	t.Helper()
	var customs []action.Custom
	for name, list := range given {
		on, id, ok := strings.Cut(name, " ")
		if !ok {
			on, id = "", name
		}
		customs = append(customs, action.Custom{Page: on, Action: id, Keys: list})
	}
	m, fault := action.NewMap(Catalogue(), customs)
	if fault != nil {
		t.Fatal(fault)
	}
	return func(_ *backend, o *Options) { o.Keys = m }
}

func TestCustomKeys(t *testing.T) {
	t.Parallel()
	given := givingKeys(t, map[string][]string{
		"apikeys revoke": {"D"}, "pause": {"q", "ctrl+p"}, "quit": {"Q"}, "down": {"z"}, "show-apikeys": {"B"},
		"filter": {"L"}, "back": {"ctrl+b"}, "page-up": {"ctrl+g"}, "scroll-up": {"pgup"}, "statistics": {}, "new": {"x"}, "refresh": {"Z"},
	})
	play(t, 120, 36, given, func(p *program) {
		p.Wait(2 * time.Second)
		p.sees("B API keys", "L filter", "Q quit")
		p.Press("p", "v", "/")
		p.seesNot("paused", "LAST 15M", "keep the filter")
		p.Press("q")
		p.sees("paused")
		p.Press("ctrl+p")
		p.seesNot("paused")
		p.Press("q")
		p.sees("paused")
		p.Press(":")
		p.Type("resume")
		p.sees("q/ctrl+p")
		p.Press("enter")
		p.seesNot("paused")
		p.Press(":")
		p.Type("statistics")
		p.Press("enter") // actions without a key run by name
		p.sees("LAST 15M")

		p.Press("3")
		p.seesNot("LAST USED")
		p.Press("B")
		p.sees("LAST USED", "▌ first-try")
		p.Press("j")
		p.sees("▌ first-try")
		p.Press("z")
		p.sees("▌ laptop-old")
		p.Press("L")
		p.Type("xDzq") // an input takes all keys
		p.sees("/ xDzq", "esc: show all rows.")
		p.Press("enter")
		p.sees("ctrl+b: show all rows.")
		p.Press("esc")
		p.sees("/ xDzq")
		p.Press("ctrl+b", "D")
		p.sees("Revoke laptop-old?")
		p.Press("esc", "x")
		p.reads("New API key")
		p.Type("D")
		p.Press("esc")
		p.clickOn("revoke")
		p.sees("Revoke laptop-old?")
		p.Press("esc", "2")
		p.clickOn("B API keys")
		p.sees("LAST USED")
		p.Press("?")
		p.sees("D           revoke", "Q           quit")
		p.Press("q") // dialogs keep their keys
		p.seesNot("D           revoke")
		p.Press("Q")
		if !p.over {
			t.Error("Q does not quit")
		}
	})
}

// Without a connection there are two commands, and ctrl+c cannot be changed.
func TestCustomKeysWhileSignedOut(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, givingKeys(t, map[string][]string{"quit": {"Q"}}), func(p *program) {
		p.model.session.pages.all[page.Operations] = nil
		p.model.session.current, p.model.session.signin, p.model.drawn = nil, nil, ""
		p.sees("Q quit")
		p.Press("q")
		if p.over {
			t.Error("q quits")
		}
		p.Press("Q")
		if !p.over {
			t.Error("Q does not quit")
		}
	})
}
