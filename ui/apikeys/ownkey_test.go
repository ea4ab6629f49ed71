package apikeys_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/internal/play"
	"pgtower/ui"
)

// Revoking the session's own key needs its name and a warning, and ends the session.
func TestOwnKeyIsKnown(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		keys := p.Keys().Select("pgtower-demo")
		p.Sees("this session's key")
		asked := keys.Revoke().WantsTheName()
		asked.Reads("It is the key of this session")
		asked.Confirm()
		p.Reads("Sign in", "You revoked the key of this session, pgtower-demo.")
	})
}

// If the session's key is unknown, each key that may be it needs its name. After a rotation, the new key is known.
func TestOwnKeyIsNotKnown(t *testing.T) {
	t.Parallel()
	play.Run(t, 140, 36, func(b *play.Backend, _ *ui.Options) { b.UnknownKey = true }, func(p *play.Program) {
		keys := p.Keys().Select("pgtower-demo")
		p.SeesNot("this session's key")
		p.Reads("pgtower can't tell which key this session uses.")
		asked := keys.Revoke().WantsTheName()
		asked.Reads("It may be this session's key: pgtower can't tell which key this session uses.")
		asked.Leave()
		form := p.RotateOwn()
		p.Reads("pgtower can't tell which key this session uses")
		form.Submit()
		p.Sees("The key was rotated", "The old key still works.")
		p.Press("enter")
		p.Sees("this session's key")
	})
}

// A key whose creation had no answer is requested once, shown with its secret lost when it is listed, and can be revoked.
func TestCreateWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		keys := p.Keys()
		form := keys.New("in the dark")
		p.Inject("reset carry-out of POST")
		var posts int
		p.Watch = func(r *http.Request) {
			if r.Method == http.MethodPost {
				posts++
			}
		}
		form.Submit()
		p.Reads("and its secret is lost.")
		p.Press("enter")
		p.Sees(" ▌ in the dark", "secret lost")
		p.Wait(time.Minute)
		if posts != 1 {
			t.Errorf("it was asked for %d times", posts)
		}
		p.Press("k", "r")
		p.SeesNot("▌ in the dark") // the user is asked once
		keys.Select("in the dark").Revoke().Confirm()
		p.Sees("✓ revoked in the dark")
	})
}

// A key that is created after an attempt without an answer, with the same name, keeps its secret.
func TestKeysKeepOneThatIsCreatedLater(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		keys := p.Keys()
		form := keys.New("deploy")
		remove := p.Inject("reset of POST")
		form.Submit()
		p.Press("enter")
		remove()
		secret := keys.Create("deploy")
		secret.Copy()
		secret.Leave()
		p.Press("r")
		p.Sees("deploy")
		p.SeesNot("secret lost")
	})
}

// No key can be created before the lists were read.
func TestCreateWaitsForTheList(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.Down = true }, func(p *play.Program) {
		p.Press("3", "n")
		p.Sees("create a key: unavailable, the keys have not been loaded")
	})
}

// A secret that would run a command if pasted is neither copied nor saved.
func TestCreateUsesNoInvalidSecret(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`"key":\s*"[^"]*"`)
	for name, begin := range map[string]func(driver.Keys) driver.Form{
		"create": func(k driver.Keys) driver.Form { return k.New("ci") },
		"rotate": func(k driver.Keys) driver.Form { return k.Select("pgtower-demo").Rotate() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play.Run(t, 120, 36, nil, func(p *play.Program) {
				before := p.KeyNames()
				page := p.Keys()
				form := begin(page)
				p.Spoil = func(_ *http.Request, answer []byte) []byte {
					return secret.ReplaceAll(answer, []byte(`"key": "napi_abc\ntouch x\n"`))
				}
				form.Submit()
				p.Reads("The key was created, but its secret cannot be used: invalid API key: white space at character 9.",
					"Nothing was copied or saved. Revoke", "create another one.")
				if name == "rotate" {
					p.Reads("The old key is still in use.")
				}
				p.Press("c", "y", "r", "k", "k")
				p.SeesNot("touch")
				if p.Board.Text != "" || p.Kept != 0 || p.KeyNames() == before {
					t.Errorf("on the clipboard: %q, kept: %d, keys: %s", p.Board.Text, p.Kept, p.KeyNames())
				}
				if said := strings.Join(p.Model.Leave(p.T.Context()), " "); !strings.Contains(said, "its secret is lost: revoke it.") {
					t.Errorf("leaving now says %q", said)
				}
				p.Press("enter")
				p.Sees("▌", "secret lost")
				page.Revoke()
			})
		})
	}
}

// An answer to a poll with the old key, which comes after that was revoked, does not end the session.
func TestOwnKeyOldAnswerDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		form := p.Keys().Select("pgtower-demo").Rotate()
		p.Inject("latency=8s of /projects/*/operations count=12")
		p.Wait(5 * time.Second) // polls are in flight
		form.Submit()
		p.Question("Revoke").Confirm()
		p.Sees("✓ revoked pgtower-demo")
		p.Wait(time.Minute)
		p.SeesNot("Sign in")
	})
}
