package apikeys_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

func TestOwnKeyIsKnown(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "end")
		p.Sees("pgtower-demo", "this session's key")
		p.Press("x")
		p.Reads("It is the key of this session", "Type the key's name to confirm:")
		p.Type("pgtower-demo")
		p.Press("enter", "enter")
		p.Reads("Sign in", "You revoked the key of this session, pgtower-demo.")
	})
}

func TestOwnKeyIsNotKnown(t *testing.T) {
	t.Parallel()
	play.Run(t, 140, 36, func(b *play.Backend, _ *ui.Options) { b.UnknownKey = true }, func(p *play.Program) {
		p.Press("3", "end")
		p.SeesNot("this session's key")
		p.Reads("pgtower can't tell which key this session uses.")
		p.Press("x")
		p.Reads("It may be this session's key: pgtower can't tell which key this session uses.", "Type the key's name")
		p.Press("esc", ":")
		p.Type("rotate this session")
		p.Press("enter")
		p.Reads("pgtower can't tell which key this session uses")
		p.Press("enter")
		p.Sees("The key was rotated", "The old key still works.")
		p.Press("enter")
		p.Sees("this session's key")
	})
}

func TestCreateWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "n")
		p.Type("in the dark")
		p.Inject("reset carry-out of POST")
		var posts int
		p.Watch = func(r *http.Request) {
			if r.Method == http.MethodPost {
				posts++
			}
		}
		p.Press("enter")
		p.Reads("and its secret is lost.")
		p.Press("enter")
		p.Sees(" ▌ in the dark", "secret lost")
		p.Wait(time.Minute)
		if posts != 1 {
			t.Errorf("it was asked for %d times", posts)
		}
		p.Press("k", "r")
		p.SeesNot("▌ in the dark") // the user is asked once
		p.Press("j", "x", "tab", "enter")
		p.Sees("✓ revoked in the dark")
	})
}

// TestKeysKeepOneThatIsCreatedLater creates a key without an answer, and another one with one.
func TestKeysKeepOneThatIsCreatedLater(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "n")
		p.Type("deploy")
		remove := p.Inject("reset of POST")
		p.Press("enter", "enter")
		remove()
		p.Press("n")
		p.Type("deploy")
		p.Press("enter", "c", "enter", "r")
		p.Sees("deploy")
		p.SeesNot("secret lost")
	})
}

func TestCreateWaitsForTheList(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.Down = true }, func(p *play.Program) {
		p.Press("3", "n")
		p.Sees("create a key: unavailable, the keys have not been loaded")
	})
}

// TestCreateUsesNoInvalidSecret answers a creation with a secret that would run a command if pasted.
func TestCreateUsesNoInvalidSecret(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`"key":\s*"[^"]*"`)
	for name, keys := range map[string][]string{"create": {"n", "c", "i"}, "rotate": {"G", "R"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play.Run(t, 120, 36, nil, func(p *play.Program) {
				before := p.KeyNames()
				p.Press("3")
				p.Press(keys...)
				p.Spoil = func(_ *http.Request, answer []byte) []byte {
					return secret.ReplaceAll(answer, []byte(`"key": "napi_abc\ntouch x\n"`))
				}
				p.Press("enter")
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
				p.Press("x")
				p.Sees("Revoke ")
			})
		})
	}
}

// TestOwnKeyOldAnswerDoesNotEndTheSession revokes the old key before the answer to a poll with it arrives.
func TestOwnKeyOldAnswerDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3", "G", "R")
		p.Inject("latency=8s of /projects/*/operations count=12")
		p.Wait(5 * time.Second) // polls are in flight
		p.Press("enter")
		p.Type("pgtower-demo")
		p.Press("enter", "enter")
		p.Sees("✓ revoked pgtower-demo")
		p.Wait(time.Minute)
		p.SeesNot("Sign in")
	})
}
