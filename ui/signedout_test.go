package ui_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

// TestSignedOutKeepsTheRows loses the session with a filter and a watch, and continues with another key
// of the same account.
func TestSignedOutKeepsTheRows(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(time.Second) // in a second of its own, it is on top
		p.Begin(mock.Task{Action: "create_branch", Wait: time.Second, Run: 11 * time.Minute})
		p.Wait(6 * time.Second)
		p.Press("w")
		p.Filter("branch")
		p.Press("j", "j")
		before, rows := p.Model.Page(page.Operations).ViewState(), p.Model.Page(page.Operations)
		other := p.CreateKey()
		p.RevokeOwn()
		p.Sees("signed out · as of 00:0", "Create branch", "Sign in", "The service refused the API key (401).",
			"It came from the keyring.", "/ branch")
		screen, asked := p.Screen(), atomic.Int64{}
		p.Watch = func(*http.Request) { asked.Add(1) }
		p.Wait(10 * time.Minute)
		if n := asked.Load(); n > 0 {
			t.Errorf("%d requests without a key", n)
		}
		if p.Screen() != screen {
			t.Errorf("the screen moved from\n%s\nto\n%s", screen, p.Screen())
		}
		p.SignInWith(other)
		p.Sees("● live, every 5s", "Create branch")
		p.SeesNot("Sign in", "signed out")
		if after := p.Model.Page(page.Operations).ViewState(); after != before || p.Model.Page(page.Operations) != rows {
			t.Errorf("went on at %+v, was at %+v", after, before)
		}
		p.Wait(time.Minute)
		p.Sees("● live, every 5s")
		if len(p.Raw) == 0 {
			t.Error("the watch was lost")
		}
		if !slices.Equal(p.Saved, []string{other}) {
			t.Errorf("%d keys were saved", len(p.Saved))
		}
	})
}

// TestSignedOutNotByAProjectAlone refuses a single request.
func TestSignedOutNotByAProjectAlone(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Inject("401 count=1")
		p.Wait(time.Minute)
		p.Sees("● live, every 5s")
		p.SeesNot("Sign in")
	})
}

// TestSignedOutWhileTyping keeps typing when the form appears.
func TestSignedOutWhileTyping(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		other := p.CreateKey()
		p.Press("/")
		p.Server.RevokeSecret(p.Server.APIKey())
		for range 100 { // a key every 100 ms, from before the form appears until long after
			time.Sleep(100 * time.Millisecond)
			p.Type("x")
		}
		p.Press("tab", "esc", "enter")
		p.Sees("signed out", "API key:")
		p.SeesNot("•", "Switch profile", "◌ verifying the key…")
		p.Wait(time.Second)
		p.Type("abc")
		p.Sees("API key: •••")
		p.Press("ctrl+u")
		p.Paste(other)
		p.Press("enter")
		p.Sees("● live, every 5s")
	})
}

// A click at the bottom when the form appears was meant for the page.
func TestSignedOutWhileClicking(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		p.Server.RevokeSecret(p.Server.APIKey())
		for !strings.Contains(p.Screen(), "signed out") {
			p.Wait(100 * time.Millisecond)
		}
		p.ClickOn("quit")
		if p.Over {
			t.Error("the click was meant for the page")
		}
		p.Wait(2 * time.Second)
		p.ClickOn("quit")
		if !p.Over {
			t.Error("a later click does nothing")
		}
	})
}

// TestSignedOutThenAnotherAccount signs in with another account's key at the same address.
func TestSignedOutThenAnotherAccount(t *testing.T) {
	t.Parallel()
	play.Run(t, 200, 36, play.InBusiest, func(p *play.Program) {
		old := p.Screen()
		row := p.Model.Page(page.Operations).ViewState()
		p.RevokeOwn()
		server, err := mock.New(mock.Options{Seed: 9, Clock: time.Now, Projects: 3})
		if err != nil {
			t.Fatal(err)
		}
		p.Server = server
		p.SignInWith(server.APIKey())
		p.Sees("all projects (3)", "Cleared the previous rows: this key may not reach them.")
		for _, id := range regexp.MustCompile(`[a-z]+-[a-z]+-[a-z]+-\d{6}`).FindAllString(old, -1) {
			p.SeesNot(id)
		}
		if now := p.Model.Page(page.Operations).ViewState(); now.Project == row.Project {
			t.Errorf("still at %+v", now)
		}
		p.Press("[")
		p.Sees("nowhere to go back")
	})
}

// TestSignedOutLooksForAKeyAgain looks for a key where only the refused one is found.
func TestSignedOutLooksForAKeyAgain(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.RevokeOwn()
		p.Wait(time.Second)
		p.Press("enter")
		p.Reads("The key from the keyring was also refused (401). Enter another one.")
		p.NoKey = true
		p.Press("enter")
		p.Reads("No other key was found in the environment or the keyring.")
		p.Sees("signed out · as of", "storefront")
		p.Down = true
		p.SignInWith("napi_other")
		p.Wait(time.Minute)
		p.Sees("signed out · as of", "storefront", "✗")
	})
}

// TestSignedOutRequestsAreRepeated ends the session while pages of history, the list of keys and a filter are in
// progress.
func TestSignedOutRequestsAreRepeated(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press("3", "1")
		loaded := func() int { return p.Model.Projects() }
		if loaded() == 0 {
			t.Fatal("no projects")
		}
		other := p.CreateKey()
		p.Inject("latency=3s of /projects/*/operations")
		p.Inject("latency=3s of /api_keys")
		p.Press("3", "r", "1", "m")
		p.Wait(time.Second)
		p.Server.RevokeSecret(p.Server.APIKey())
		p.Press("2", "r", "1")
		p.Wait(4 * time.Second)
		p.Sees("signed out")
		p.Server.Faults.Clear()
		p.SignInWith(other)
		p.Wait(6 * time.Second)
		p.Sees("● live, every 5s")
		p.SeesNot("refused", "loading")
		p.Press("3")
		p.Sees("read 6 seconds ago", "other")
	})
}

// The form fits on a low screen below the rows, and another profile can be chosen from it.
func TestSignedOutOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	play.Run(t, 60, 15, play.WithOthers, func(p *play.Program) {
		p.RevokeOwn()
		p.Sees("signed out · as of", "Service: ", "API key: ", "[ Sign in ]")
		p.Wait(time.Second)
		p.Press("esc")
		p.Enter("stag")
		p.Wait(time.Second)
		p.Sees("● live")
		p.SeesNot("signed out")
	})
}
