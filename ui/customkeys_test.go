package ui_test

import (
	"strings"
	"testing"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/models/settings"
	"pgtower/ui/action"
)

// givingKeys assigns keys to actions, named as in the configuration: "apikeys revoke", or "refresh" on every page.
func givingKeys(t *testing.T, given map[string][]string) func(*play.Backend, *ui.Options) {
	t.Helper()
	var customs []settings.KeySetting
	for name, list := range given {
		on, id, ok := strings.Cut(name, " ")
		if !ok {
			on, id = "", name
		}
		customs = append(customs, settings.KeySetting{Page: on, Action: id, Keys: list})
	}
	m, fault := action.NewMap(ui.Catalogue(), customs)
	if fault != nil {
		t.Fatal(fault)
	}
	return func(_ *play.Backend, o *ui.Options) { o.Keys = m }
}

// The keys of the user take the place of the default ones on pages, in the footer, the palette and the help. Inputs and
// dialogs keep their own keys.
func TestKeysOfTheUser(t *testing.T) {
	t.Parallel()
	given := givingKeys(t, map[string][]string{
		"apikeys revoke": {"D"}, "pause": {"q", "ctrl+p"}, "quit": {"Q"}, "down": {"z"}, "show-apikeys": {"B"},
		"filter": {"L"}, "back": {"ctrl+b"}, "page-up": {"ctrl+g"}, "scroll-up": {"pgup"}, "statistics": {}, "new": {"x"}, "refresh": {"Z"},
	})
	play.Loaded(t, 120, 36, given, func(p *play.Program) {
		p.Sees("B API keys", "L filter", "Q quit")
		p.Press("p", "v", "/")
		p.SeesNot("paused", "15M  FAILED", "keep the filter")
		p.Press("q")
		p.Sees("paused")
		p.Press("ctrl+p")
		p.SeesNot("paused")
		p.Press("q")
		p.Sees("paused")
		p.Press(":")
		p.Type("resume")
		p.Sees("q/ctrl+p")
		p.Press("enter")
		p.SeesNot("paused")
		p.Command("statistics") // actions without a key run by name
		p.Sees("15M  FAILED")

		p.Press("3")
		p.SeesNot("LAST USED")
		p.Press("B")
		p.Sees("LAST USED", "▌ first-try")
		p.Press("j")
		p.Sees("▌ first-try")
		p.Press("z")
		p.Sees("▌ laptop-old")
		p.Press("L")
		p.Type("xDzq") // an input takes all keys
		p.Sees("/ xDzq", "esc: show all rows.")
		p.Press("enter")
		p.Sees("ctrl+b: show all rows.")
		p.Press("esc")
		p.Sees("/ xDzq")
		p.Press("ctrl+b", "D")
		p.Question("Revoke").Leave()
		p.Press("x")
		p.Reads("New API key")
		p.Type("D")
		p.Press("esc")
		p.ClickOn("revoke")
		p.Question("Revoke").Leave()
		p.Press("2")
		p.ClickOn("B API keys")
		p.Sees("LAST USED")
		p.Press("?")
		p.Sees("D           revoke", "Q           quit")
		p.Press("q") // dialogs keep their keys
		p.SeesNot("D           revoke")
		p.Press("Q")
		if !p.Over {
			t.Error("Q does not quit")
		}
	})
}

// While a key is looked for, there are two commands.
func TestKeysOfTheUserWhileAKeyIsLookedFor(t *testing.T) {
	t.Parallel()
	keys := givingKeys(t, map[string][]string{"quit": {"Q"}})
	slow := func(b *play.Backend, o *ui.Options) {
		keys(b, o)
		o.Authenticator = slowAuthenticator{b}
	}
	play.Run(t, 80, 24, slow, func(p *play.Program) {
		p.Sees("Looking for the API key", "Q quit")
		p.Press("q")
		if p.Over {
			t.Error("q quits")
		}
		p.Press("Q")
		if !p.Over {
			t.Error("Q does not quit")
		}
	})
}
