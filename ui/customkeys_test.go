package ui

import (
	"strings"
	"testing"
	"time"

	"pgtower/ui/action"
	"pgtower/ui/page"
)

// givingKeys gives actions keys, each named as in the configuration: "apikeys revoke", or
// "refresh" on every page.
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
		"apikeys revoke": {"D"}, "pause": {"q", "ctrl+p"}, "quit": {"Q"}, "down": {"t"}, "show-apikeys": {"b"},
		"filter": {"L"}, "back": {"ctrl+b"}, "page-up": {"ctrl+g"}, "scroll-up": {"pgup"}, "statistics": {}, "new": {"x"}, "refresh": {"T"},
	})
	play(t, 120, 36, given, func(p *program) {
		p.wait(2 * time.Second)
		p.sees("b API keys", "q/ctrl+p pause", "L filter", "Q quit")
		p.press("p", "v", "/")
		p.seesNot("paused", "Statistics of", "keep the filter")
		p.press("q")
		p.sees("paused", "q/ctrl+p resume")
		p.press("ctrl+p")
		p.seesNot("paused")
		p.clickOn("pause")
		p.sees("paused")
		p.press(":")
		p.enter("resume")
		p.sees("q/ctrl+p")
		p.press("enter")
		p.seesNot("paused")
		p.press(":")
		p.enter("statistics")
		p.press("enter") // what has no key is done by its name
		p.sees("Statistics of", ":statistics leads back to the feed.")

		p.press("3")
		p.seesNot("LAST USED")
		p.press("b")
		p.sees("LAST USED", "▌ first-try")
		p.press("j")
		p.sees("▌ first-try")
		p.press("t")
		p.sees("▌ laptop-old")
		p.press("L")
		p.enter("xDtq") // an input has all keys
		p.sees("/ xDtq", "esc shows all rows again.")
		p.press("enter")
		p.sees("ctrl+b shows all rows again.")
		p.press("esc")
		p.sees("/ xDtq")
		p.press("ctrl+b", "D")
		p.sees("Revoke laptop-old?")
		p.press("esc", "x")
		p.reads("New API key")
		p.enter("D")
		p.press("esc")
		p.clickOn("revoke")
		p.sees("Revoke laptop-old?")
		p.press("esc", "2")
		p.clickOn("b API keys")
		p.sees("LAST USED")
		p.press("?")
		p.sees("D           revoke", "Q           quit")
		p.press("q") // dialogs have the keys that they always had
		p.seesNot("D           revoke")
		p.press("Q")
		if !p.over {
			t.Error("Q does not quit")
		}
	})
}

// Without a connection there are two commands, and ctrl+c is none that could be changed.
func TestCustomKeysWhileSignedOut(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, givingKeys(t, map[string][]string{"quit": {"Q"}}), func(p *program) {
		p.model.pages[page.Operations] = nil
		p.model.current, p.model.signin = nil, nil
		p.sees("Q quit")
		p.press("q")
		if p.over {
			t.Error("q quits")
		}
		p.press("Q")
		if !p.over {
			t.Error("Q does not quit")
		}
	})
}
