package ui

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func pasteOf(s string) tea.Msg { return tea.PasteMsg{Content: s} }

// connectOr connects, or fails the test.
func (p *program) connectOr(key string) Connection {
	p.t.Helper()
	c, err := p.connect(key)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

func TestOwnKeyIsKnown(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "end")
		p.sees("pgtower-demo", "this session's key")
		p.Press("x")
		p.reads("It is the key of this session", "Type the key's name to confirm:")
		p.Type("pgtower-demo")
		p.Press("enter", "enter")
		p.reads("Sign in", "You revoked the key of this session, pgtower-demo.")
	})
}

func TestOwnKeyIsNotKnown(t *testing.T) {
	t.Parallel()
	play(t, 140, 36, func(b *backend, _ *Options) { b.unknown = true }, func(p *program) {
		p.Press("3", "end")
		p.seesNot("this session's key")
		p.reads("pgtower can't tell which key this session uses.")
		p.Press("x")
		p.reads("It may be this session's key: pgtower can't tell which key this session uses.", "Type the key's name")
		p.Press("esc", ":")
		p.Type("rotate this session")
		p.Press("enter")
		p.reads("pgtower can't tell which key this session uses")
		p.Press("enter")
		p.sees("The key was rotated", "The old key still works.")
		p.Press("enter")
		p.sees("this session's key")
	})
}

func TestRotate(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "G", "R")
		p.reads("Rotate this session's key", "pgtower-demo keeps working.", "pgtower-demo-20000101")
		p.Press("enter")
		p.reads("Revoke pgtower-demo?", "✓ pgtower-demo-20000101 works and is now in use: key from the keyring.", "Type the key's name")
		if p.kept == 0 || !strings.Contains(keyNames(p), "pgtower-demo") {
			t.Fatal("the new key was not kept, or the old one revoked before it was asked about")
		}
		p.Type("pgtower-demo")
		p.Press("enter", "enter")
		p.sees("✓ revoked pgtower-demo")
		p.seesNot("Sign in")
		p.Wait(time.Minute) // the feed continues with the new key
		p.Press("r")
		p.seesNot("Sign in", "pgtower-demo ")
		p.sees("pgtower-demo-20000101", "this session's key")
	})
}

func TestKeepANewKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("mine")
		p.Press("enter", "k", "k")
		p.reads("✓ It works and is now in use: key from the keyring.")
		p.Press("k")
		p.Press("enter") // saved is as good as copied
		p.seesNot("New API key")
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(time.Minute)
		p.Press("r")
		p.seesNot("Sign in")
		p.sees("mine", "this session's key")
	})
}

func TestCreateWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("in the dark")
		p.inject("reset carry-out of POST")
		var posts int
		p.watch = func(r *http.Request) {
			if r.Method == http.MethodPost {
				posts++
			}
		}
		p.Press("enter")
		p.reads("in the dark was created, but its secret is lost.")
		p.Press("enter")
		p.sees(" ▌ in the dark", "secret lost")
		p.Wait(time.Minute)
		if posts != 1 {
			t.Errorf("it was asked for %d times", posts)
		}
		p.Press("k", "r")
		p.seesNot("▌ in the dark") // the user is asked once
		p.Press("j", "x", "tab", "enter")
		p.sees("✓ revoked in the dark")
	})
}

func TestSecretOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("held")
		p.Press("enter")
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(time.Minute)
		p.sees("held · id", "API key: ") // over the sign-in form
		p.Press("k", "k", "c", "esc")
		p.seesNot("held · id")
		p.Send(pasteOf(p.board.text))
		p.Press("enter")
		p.seesNot("Sign in")
	})
}

func TestSecretLeavesTheClipboard(t *testing.T) {
	t.Parallel()
	copySecret := func(p *program) {
		p.Press("3", "n")
		p.Type("copied")
		p.Press("enter", "c")
	}
	for name, c := range map[string]struct {
		then func(p *program)
		want string
		said bool
	}{
		"after a minute":        {func(p *program) { p.Wait(time.Minute + time.Second) }, "", true},
		"when the program ends": {func(p *program) { p.model.Leave(p.t.Context()) }, "", false},
		"not another text, after a minute": {
			func(p *program) { p.board.text = "mine"; p.Wait(time.Minute + time.Second) }, "mine", false,
		},
		"not another text, at the end": {func(p *program) { p.board.text = "mine"; p.model.Leave(p.t.Context()) }, "mine", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, nil, func(p *program) {
				copySecret(p)
				p.sees("copied the API key copied, for a minute")
				if p.board.text == "" {
					t.Fatal("it was not copied")
				}
				c.then(p)
				if p.board.text != c.want {
					t.Errorf("on the clipboard: %q", p.board.text)
				}
				if said := strings.Contains(p.screen(), "cleared the API key from the clipboard"); said != c.said {
					t.Errorf("said so: %v", said)
				}
			})
		})
	}
	t.Run("not after a copy by the terminal", func(t *testing.T) {
		t.Parallel()
		play(t, 140, 36, func(b *backend, _ *Options) { b.board.none = errors.New("no clipboard") }, func(p *program) {
			copySecret(p)
			p.reads("Not copied: only your terminal can copy it")
			p.Press("c")
			p.reads("copied the API key copied (OSC 52, unconfirmed); clear it yourself after use")
		})
	})
}

// TestAKeyCreatedLaterIsNotLost creates a key without an answer, and another one with one.
func TestAKeyCreatedLaterIsNotLost(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("deploy")
		remove := p.inject("reset of POST")
		p.Press("enter", "enter")
		remove()
		p.Press("n")
		p.Type("deploy")
		p.Press("enter", "c", "enter", "r")
		p.sees("deploy")
		p.seesNot("secret lost")
	})
}

func TestNoKeyIsCreatedBeforeTheListIsLoaded(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, _ *Options) { b.down = true }, func(p *program) {
		p.Press("3", "n")
		p.sees("create a key: unavailable, the keys have not been loaded")
	})
}

// TestCreationOutlivesTheSession ends the session during a creation.
func TestCreationOutlivesTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("late")
		p.inject("latency=20s of POST")
		p.Press("enter")
		p.sees("◌ Creating the key…")
		p.Press("q", "k", "n", "1") // no effect
		p.model.session.end()
		p.model.session.ask("The key was refused.")
		p.Wait(30 * time.Second)
		p.reads("Save the secret now")
		p.Press("c")
		p.sees("copied the API key late")
	})
}

func TestQuittingAsksFirst(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "n")
		p.Type("unseen")
		p.Press("enter", "ctrl+c")
		if p.over {
			t.Fatal("the secret was thrown away")
		}
		p.reads("You haven't copied, revealed or saved the secret.")
		p.Press("ctrl+c")
		if got := strings.Join(p.model.Leave(p.t.Context()), " "); !p.over || !strings.Contains(got, "The API key unseen (id ") {
			t.Errorf("over %v, and said: %s", p.over, got)
		}
	})
}

// TestAnInvalidSecretIsNotUsed answers a creation with a secret that would run a command if pasted.
func TestAnInvalidSecretIsNotUsed(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`"key":\s*"[^"]*"`)
	for name, keys := range map[string][]string{"create": {"n", "c", "i"}, "rotate": {"G", "R"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, nil, func(p *program) {
				before := keyNames(p)
				p.Press("3")
				p.Press(keys...)
				p.spoil = func(_ *http.Request, answer []byte) []byte {
					return secret.ReplaceAll(answer, []byte(`"key": "napi_abc\ntouch x\n"`))
				}
				p.Press("enter")
				p.reads("The key was created, but its secret cannot be used: invalid API key: white space at character 9.",
					"Nothing was copied or saved. Revoke", "create another one.")
				if name == "rotate" {
					p.reads("The old key is still in use.")
				}
				p.Press("c", "y", "r", "k", "k")
				p.seesNot("touch")
				if p.board.text != "" || p.kept != 0 || keyNames(p) == before {
					t.Errorf("on the clipboard: %q, kept: %d, keys: %s", p.board.text, p.kept, keyNames(p))
				}
				if said := strings.Join(p.model.Leave(p.t.Context()), " "); !strings.Contains(said, "its secret is lost: revoke it.") {
					t.Errorf("leaving now says %q", said)
				}
				p.Press("enter")
				p.sees("▌", "secret lost")
				p.Press("x")
				p.sees("Revoke ")
			})
		})
	}
}

// TestAnAnswerForTheOldKeyDoesNotEndTheSession revokes the old key before the answer to a poll with it arrives.
func TestAnAnswerForTheOldKeyDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3", "G", "R")
		p.inject("latency=8s of /projects/*/operations count=12")
		p.Wait(5 * time.Second) // polls are in flight
		p.Press("enter")
		p.Type("pgtower-demo")
		p.Press("enter", "enter")
		p.sees("✓ revoked pgtower-demo")
		p.Wait(time.Minute)
		p.seesNot("Sign in")
	})
}
