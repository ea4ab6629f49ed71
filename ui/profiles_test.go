package ui_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/models/control"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Another profile has its own data, interval and theme, and nothing of the old account stays on the screen.
func TestProfileIsSwitched(t *testing.T) {
	t.Parallel()
	play.Run(t, 140, 36, play.WithOthers, func(p *play.Program) {
		p.Press("2")
		old := p.Screen()
		asked := p.Profiles()
		p.Sees("staging.example · org-blue", "in use · console.example · key from the keyring", "the built-in mock")
		asked.Leave()
		p.SwitchProfile("stag")
		p.Sees("staging · staging.example", "Projects")
		shared := 0
		for _, id := range regexp.MustCompile(`[a-z]+-[a-z]+-\d{6}`).FindAllString(old, -1) {
			if strings.Contains(p.Screen(), id) {
				shared++
			}
		}
		if shared > 0 {
			t.Errorf("%d ids of the old account are on the screen:\n%s", shared, p.Screen())
		}
		p.Press("1")
		p.Sees("● live, every 2s")
		if p.Model.Theme().Open(style.Good) != "" {
			t.Error("the profile's theme is not in use")
		}
		p.SwitchProfile("default")
		p.Sees("● live, every 5s")
		p.SeesNot("staging")
	})
}

// TestProfileSwitchDropsWhatWasAsked answers a request of the previous profile.
func TestProfileSwitchDropsWhatWasAsked(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.WithOthers(b, o)
		o.Authenticator = slowAuthenticator{b}
	}, func(p *play.Program) {
		p.Sees("Looking for the API key…")
		p.SwitchProfile("stag")
		p.Wait(3 * time.Second)
		p.Sees("staging · staging.example", "● live, every 2s")
		generation := p.Model.Generation()
		p.Wait(time.Minute) // the old answer arrives
		if p.Model.Generation() != generation || p.Model.Profile().Name != "staging" {
			t.Error("the answer for the old profile was taken")
		}
	})
}

// slowAuthenticator takes half a minute to find a key.
type slowAuthenticator struct{ *play.Backend }

func (s slowAuthenticator) Open(ctx context.Context, baseURL string) (control.Connection, error) {
	select {
	case <-time.After(30 * time.Second):
	case <-ctx.Done():
	}
	return s.Backend.Open(ctx, baseURL)
}

// A profile without a key asks for one. From the form, the user can choose another profile.
func TestProfileWithoutAKey(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		p.SwitchProfile("empty")
		p.Sees("Sign in to empty", "https://empty.example/api/v2", "empty.example.")
		p.Press("esc")
		p.Sees("Switch profile")
		p.Enter("default")
		p.Sees("● live, every 5s")
	})
}

// The word d in place of a key opens the demo.
func TestSignInToTheDemo(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.WithOthers(b, o); b.NoKey = true }, func(p *play.Program) {
		p.Sees("No account? d ↵: open the demo.")
		p.Enter("dx")
		p.Sees("That key was refused (401).")
		p.Enter("d")
		p.Sees(" demo ", "● live, every 5s")
	})
}

// TestProfileOfAnotherServiceIsNamed signs in to another service after the first one refused its key, switches to
// another profile and back.
func TestProfileOfAnotherServiceIsNamed(t *testing.T) {
	t.Parallel()
	play.Run(t, 140, 36, play.WithOthers, func(p *play.Program) {
		other := p.CreateKey()
		p.Server.RevokeSecret(p.Server.APIKey())
		p.Wait(8 * time.Second)
		p.Sees("Sign in", "https://console.example/api/v2")
		if p.Forgot != 1 {
			t.Errorf("the key that was refused was forgotten %d times", p.Forgot)
		}
		p.Press("tab", "ctrl+u")
		p.Enter("https://elsewhere.example/api/v2")
		p.SignInWith(other)
		p.Failures()
		p.Sees("elsewhere.example ", "No failed requests")
		asked := p.Profiles()
		p.Sees("in use · elsewhere.example · key from the keyring")
		asked.Leave()
		p.SwitchProfile("stag")
		p.Sees("staging.example ")
		p.NoKey = true
		p.SwitchProfile("default")
		p.Sees("pgtower  elsewhere.example", "Service: https://elsewhere.example/api/v2")
		p.NoKey = false
		p.Press("enter") // the first key is still refused.
		p.Wait(6 * time.Second)
		p.Sees("Service: https://elsewhere.example/api/v2", "elsewhere.example.")
		p.SignInWith(other)
		question := p.Keys().Revoke()
		question.Reads("elsewhere.example · id ")
		question.Leave()
		p.Failures()
		p.Sees("'https://elsewhere.example/api/v2/")
		p.SeesNot("console.example")
	})
}

// While a question is open, the keys of the page have no effect. Choosing the current profile again begins a new session.
func TestProfileSwitchEndsARevocation(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		question := p.Keys().Select("laptop-old").Revoke()
		p.Press("P")
		p.SeesNot("Switch profile") // the dialog handles the keys
		question.Leave()
		p.Profiles().Leave()
		p.Sees("laptop-old")
		row := p.Model.Page(page.APIKeys).ViewState()
		p.Press("P", "enter") // the current profile: a new session
		p.Sees("laptop-old")
		if p.Model.Page(page.APIKeys).ViewState() == row {
			t.Error("the place was kept over a switch")
		}
	})
}

// TestSignInLooksForAKeyWhileTyping types before the search for a key ends.
func TestSignInLooksForAKeyWhileTyping(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { b.NoKey = true; o.Authenticator = slowAuthenticator{b} }, func(p *play.Program) {
		p.Wait(31 * time.Second)
		p.Press("enter")
		p.Type(p.Server.APIKey())
		p.Wait(31 * time.Second)
		p.Sees("Sign in")
		p.Press("enter")
		p.Sees("● live, every 5s")
	})
}
