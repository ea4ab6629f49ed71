package ui

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"

	tea "charm.land/bubbletea/v2"
)

// withOthers adds a profile of another account, one without a key, and a demo.
func withOthers(b *backend, o *Options) {
	other := func(seed uint64) *backend {
		server, err := mock.New(mock.Options{Seed: seed, Clock: time.Now})
		if err != nil {
			b.t.Fatal(err)
		}
		return &backend{t: b.t, server: server}
	}
	empty := other(9)
	empty.noKey = true
	o.Others = []Profile{
		{Name: "staging", BaseURL: "https://staging.example/api/v2", Host: "staging.example", Note: "org-blue", Budget: 20, Interval: 2 * time.Second, PageSize: 10, Theme: style.Monochrome, Authenticator: other(8)},
		{Name: "empty", BaseURL: "https://empty.example/api/v2", Host: "empty.example", Budget: 20, Interval: 5 * time.Second, PageSize: 50, Authenticator: empty},
		{Name: "demo", Host: "demo", Note: "the built-in mock", Budget: 20, Interval: 5 * time.Second, PageSize: 50, Demo: true, Authenticator: other(10)},
	}
}

func TestSwitchProfile(t *testing.T) {
	t.Parallel()
	play(t, 140, 36, withOthers, func(p *program) {
		p.Press("2")
		old := p.screen()
		p.Press("P")
		p.sees("Switch profile", "staging.example · org-blue", "in use · console.example · key from the keyring", "the built-in mock")
		p.Type("stag")
		p.Press("enter")
		p.sees("staging · staging.example", "Projects")
		shared := 0
		for _, id := range regexp.MustCompile(`[a-z]+-[a-z]+-\d{6}`).FindAllString(old, -1) {
			if strings.Contains(p.screen(), id) {
				shared++
			}
		}
		if shared > 0 {
			t.Errorf("%d ids of the old account are on the screen:\n%s", shared, p.screen())
		}
		p.Press("1")
		p.sees("● live, every 2s")
		if p.model.theme.Open(style.Good) != "" {
			t.Error("the profile's theme is not in use")
		}
		p.Press("P")
		p.Type("default")
		p.Press("enter")
		p.sees("● live, every 5s")
		p.seesNot("staging")
	})
}

// TestSwitchDropsWhatWasAsked answers a request of the previous profile.
func TestSwitchDropsWhatWasAsked(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) {
		withOthers(b, o)
		o.Authenticator = slowAuthenticator{b}
	}, func(p *program) {
		p.sees("Looking for the API key…")
		p.Press("P")
		p.Type("stag")
		p.Press("enter")
		p.Wait(3 * time.Second)
		p.sees("staging · staging.example", "● live, every 2s")
		generation := p.model.session.generation
		p.Wait(time.Minute) // the old answer arrives
		if p.model.session.generation != generation || p.model.session.profile.Name != "staging" {
			t.Error("the answer for the old profile was taken")
		}
	})
}

// slowAuthenticator takes half a minute to find a key.
type slowAuthenticator struct{ *backend }

func (s slowAuthenticator) Open(ctx context.Context, baseURL string) (Connection, error) {
	select {
	case <-time.After(30 * time.Second):
	case <-ctx.Done():
	}
	return s.backend.Open(ctx, baseURL)
}

func TestProfileWithoutAKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, withOthers, func(p *program) {
		p.Press("P")
		p.Type("empty")
		p.Press("enter")
		p.sees("Sign in to empty", "https://empty.example/api/v2", "empty.example.")
		p.Press("esc")
		p.sees("Switch profile")
		p.Type("default")
		p.Press("enter")
		p.sees("● live, every 5s")
	})
}

func TestDemoInsteadOfAKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { withOthers(b, o); b.noKey = true }, func(p *program) {
		p.sees("No account? d ↵: open the demo.")
		p.Type("dx")
		p.Press("enter")
		p.sees("That key was refused (401).")
		p.Type("d")
		p.Press("enter")
		p.sees(" demo ", "● live, every 5s")
	})
}

// TestAnotherServiceIsNamedEverywhere signs in to another service after the first one refused its key, switches to
// another profile and back.
func TestAnotherServiceIsNamedEverywhere(t *testing.T) {
	t.Parallel()
	play(t, 140, 36, withOthers, func(p *program) {
		other := p.createOther()
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(8 * time.Second)
		p.sees("Sign in", "https://console.example/api/v2")
		if p.forgot != 1 {
			t.Errorf("the key that was refused was forgotten %d times", p.forgot)
		}
		p.Press("tab", "ctrl+u")
		p.Type("https://elsewhere.example/api/v2")
		p.Press("enter")
		p.Type(other)
		p.Press("enter", "!")
		p.sees("elsewhere.example ", "No failed requests")
		p.Press("P")
		p.sees("in use · elsewhere.example · key from the keyring")
		p.Type("stag")
		p.Press("enter")
		p.sees("staging.example ")
		p.noKey = true
		p.Press("P")
		p.sees("elsewhere.example")
		p.Type("default")
		p.Press("enter")
		p.sees("pgtower  elsewhere.example", "Service: https://elsewhere.example/api/v2")
		p.noKey = false
		p.Press("enter") // the first key is still refused.
		p.Wait(6 * time.Second)
		p.sees("Service: https://elsewhere.example/api/v2", "elsewhere.example.")
		p.Type(other)
		p.Press("enter", "3", "x")
		p.reads("elsewhere.example · id ")
		p.Press("esc", "!")
		p.sees("'https://elsewhere.example/api/v2/")
		p.seesNot("console.example")
	})
}

// TestRefusalEndsItsOwnSession drops all messages that follow a refusal: they would end the next session.
func TestRefusalEndsItsOwnSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.server.RevokeSecret(p.server.APIKey())
		p.drop = func(msg tea.Msg) bool {
			d, ok := msg.(page.Delivery)
			if ok = ok && !d.Quiet; ok {
				p.model.Update(msg)
			}
			return ok
		}
		p.Wait(time.Minute)
		p.sees("Sign in")
	})
}

func TestSwitchEndsARevocation(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, withOthers, func(p *program) {
		p.Press("3", "j", "x", "P")
		p.seesNot("Switch profile") // the dialog handles the keys
		p.Press("esc", "P", "esc")
		p.sees("laptop-old")
		row := p.model.session.pages.all[page.APIKeys].ViewState()
		p.Press("P", "enter") // the current profile: a new session
		p.sees("laptop-old")
		if p.model.session.pages.all[page.APIKeys].ViewState() == row {
			t.Error("the place was kept over a switch")
		}
		if _, err := p.connectOr(p.server.APIKey()).API.Projects(p.ctx, models.ListID{}, models.PageRequest{}); err != nil {
			t.Error(err)
		}
	})
}

// TestSignInFitsEveryScreen refuses the key on the smallest screen.
func TestSignInFitsEveryScreen(t *testing.T) {
	t.Parallel()
	play(t, 60, 15, func(b *backend, o *Options) { withOthers(b, o); b.noKey = true }, func(p *program) {
		p.sees("Service: ", "API key: ")
		p.Type("wrong")
		p.Press("enter")
		p.sees("Service: ", "API key: ", "✗ That key was refused (401). Try another.")
	})
}

func TestAKeyIsLookedForAgain(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, _ *Options) { b.noKey = true }, func(p *program) {
		p.sees("Sign in")
		p.noKey = false // the keyring is unlocked
		p.Press("enter")
		p.sees("● live, every 5s")
	})
}

// TestTypingGoesOnWhileAKeyIsLookedFor types before the search for a key ends.
func TestTypingGoesOnWhileAKeyIsLookedFor(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { b.noKey = true; o.Authenticator = slowAuthenticator{b} }, func(p *program) {
		p.Wait(31 * time.Second)
		p.Press("enter")
		p.Type(p.server.APIKey())
		p.Wait(31 * time.Second)
		p.sees("Sign in")
		p.Press("enter")
		p.sees("● live, every 5s")
	})
}
