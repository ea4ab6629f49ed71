package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// inBusiest starts in the busiest project.
func inBusiest(b *backend, o *Options) { o.Project = b.server.BusiestProject() }

// keyNames lists the keys of the service.
func keyNames(p *program) string {
	p.t.Helper()
	c, err := p.connect(p.server.APIKey())
	if err != nil {
		p.t.Fatal(err)
	}
	all, err := c.API.APIKeys(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, k := range all {
		names = append(names, k.Name)
	}
	return strings.Join(names, " ")
}

func TestRevokeTakesMoreThanOneKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j")
		p.sees("▌ laptop-old")
		for _, harmless := range []string{"enter", "esc", "y", "n", "x", " "} {
			p.Press("x", harmless)
			if harmless == "enter" || harmless == "esc" {
				p.seesNot("Revoke laptop-old?")
			} else {
				p.sees("Revoke laptop-old?")
				p.Press("esc")
			}
		}
		if !strings.Contains(keyNames(p), "laptop-old") {
			t.Fatal("the key was revoked without a yes")
		}
		p.Press("x", "tab", "enter")
		p.sees("⊘ revoked", "✓ revoked laptop-old")
		if strings.Contains(keyNames(p), "laptop-old") {
			t.Fatal("the service still has the key")
		}
		p.Press("x")
		p.sees("revoke: unavailable, already revoked")
		p.Press("r")
		p.seesNot("laptop-old ")
	})
}

func TestRevokeWhatWasAskedAbout(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j", "x")
		p.sees("Revoke laptop-old?")
		// Another user revokes the key above, and the list is read again.
		first := p.model.pages[page.APIKeys].ViewState()
		p.revoke(165070)
		refresh, _ := action.ByID(p.model.pages[page.APIKeys].Actions(), "refresh")
		p.Run(refresh.Run())
		p.Settle()
		p.seesNot("first-try")
		if p.model.pages[page.APIKeys].ViewState() != first {
			t.Fatal("the selection left its row")
		}
		p.Press("tab", "enter")
		names := keyNames(p)
		if strings.Contains(names, "laptop-old") || !strings.Contains(names, "terraform") {
			t.Errorf("left: %s", names)
		}
	})
}

func TestRevokeOfAKeyInUseNeedsItsName(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j", "j", "j", "x")
		p.sees("Revoke ci-deploy?", "This key is still in use.")
		p.Press("tab", "tab", "enter")
		if !strings.Contains(keyNames(p), "ci-deploy") {
			t.Fatal("revoked without its name")
		}
		p.Press("x")
		p.Type("ci-deploy")
		p.Press("enter", "enter")
		p.sees("✓ revoked ci-deploy")
	})
}

func TestRevokeThatFails(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j")
		remove, err := p.server.Inject("502 of DELETE")
		if err != nil {
			t.Fatal(err)
		}
		p.Press("x", "tab", "enter")
		p.sees("✗ still listed", "the service failed (status 502)", "laptop-old")
		remove()
		p.revoke(165074)
		p.Press("x", "tab", "enter")
		p.sees("laptop-old was already revoked")
		p.seesNot("▌ laptop-old")
	})
}

func TestCreateShowsTheSecretOnce(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("n", "enter")
		p.sees("The name must not be empty.")
		p.Type(strings.Repeat("x", 65))
		p.sees("not be longer than 64 characters; it has 65.")
		p.Press("ctrl+u")
		p.Type("on call")
		p.Press("enter")
		p.sees("New API key", "on call", "••••", "Save the secret now")
		p.Press("esc")
		p.sees("copied, revealed or saved")
		p.Press("r")
		secret := ""
		for word := range strings.FieldsSeq(p.screen()) {
			if strings.HasPrefix(word, "pgt_") {
				secret = word
			}
		}
		if secret == "" {
			t.Fatalf("no secret on the screen:\n%s", p.screen())
		}
		p.Press("r")
		p.seesNot(secret)
		p.Press("esc")
		p.sees("▌ on call")
		p.seesNot(secret)
		c, _ := p.connect(secret)
		if _, err := c.API.APIKeys(p.ctx); err != nil {
			t.Errorf("the secret that was shown is not the key's: %v", err)
		}
	})
}

func TestARefusedKeyAsksAndComesBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("j", "j", "j")
		before := p.model.pages[page.Operations].ViewState()
		other := p.createOther()
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(6 * time.Second)
		p.sees("Sign in", "The service refused the API key")
		p.sees("storefront", "signed out · as of")
		p.Send(tea.PasteMsg{Content: "  " + other + "\n"})
		p.seesNot(other)
		p.Press("enter")
		p.sees("storefront", "● live, every 5s")
		if after := p.model.pages[page.Operations].ViewState(); after != before {
			t.Errorf("was at %+v, came back to %+v", before, after)
		}
		if len(p.keys) != 1 || p.keys[0] != other {
			t.Errorf("kept %d keys", len(p.keys))
		}
	})
}

// createOther creates a key outside the program.
func (p *program) createOther() (secret string) {
	p.t.Helper()
	c, err := p.connect(p.server.APIKey())
	if err != nil {
		p.t.Fatal(err)
	}
	k, err := c.API.CreateAPIKey(p.ctx, "other")
	if err != nil {
		p.t.Fatal(err)
	}
	return k.Key.Reveal()
}

func TestAnswersOfAnOldSessionAreDropped(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		old := page.Delivery{Generation: p.model.generation, To: page.Operations, Msg: page.ShowOperations{Project: models.Project{ID: "of-another-account"}}}
		p.model.end()
		p.Settle()
		c, _ := p.connect(p.server.APIKey())
		p.Run(p.model.begin(c, false))
		p.Settle()
		p.Send(old)
		p.seesNot("of-another-account")
		p.sees("storefront")
	})
}

func TestHistoryIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	play(t, 100, 30, func(_ *backend, o *Options) { o.PageSize = 40 }, func(p *program) {
		p.Press("O", "down", "down", "down", "down", "enter") // a quieter project
		for range 200 {
			p.Press("G")
			p.Wait(time.Second)
			if strings.Contains(p.screen(), "End of history.") {
				return
			}
		}
		t.Fatalf("no end of history:\n%s", p.screen())
	})
}

func TestMoreIsBornThanAPageHolds(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.PageSize = 3 }, func(p *program) {
		p.Press("down", "down")
		row := p.model.pages[page.Operations].ViewState().Row
		for range 12 {
			if _, err := p.server.Start(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		if p.model.pages[page.Operations].ViewState().Row != row {
			t.Error("the selection moved")
		}
		p.sees("new · g: newest")
		p.Press("g")
		if got := strings.Count(p.screen(), "Create branch"); got < 12 {
			t.Errorf("%d of 12 births are on the screen:\n%s", got, p.screen())
		}
		p.seesNot("missing")
		p.Wait(30 * time.Second)
		// Missing pages of the window are loaded automatically, unless they fail.
		mend := p.inject("500 of /projects/*/operations skip=6")
		for range 40 {
			if _, err := p.server.Start(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		mend()
		onGap := func() bool { return strings.HasPrefix(p.model.pages[page.Operations].ViewState().Row.ID, "gap\n") }
		for range 60 {
			if onGap() {
				break
			}
			p.Press("j")
		}
		p.sees("┄ missing")
		for range 60 {
			if !onGap() {
				p.Press("j") // a loaded page replaced the gap, and the rest of the gap is below it
				continue
			}
			p.Press("enter")
			if !strings.Contains(p.screen(), "┄ missing") && !onGap() {
				return
			}
		}
		p.seesNot("┄ missing")
	})
}

func TestEveryKeyOnTheScreenDoesSomething(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		for _, id := range []string{"1", "2", "3"} {
			p.Press(id)
			for _, g := range action.Visible(p.model.actions()) {
				for _, a := range g.Actions {
					if a.Title == "" || a.Run == nil && a.Arg == nil || a.Run == nil && len(a.Keys) > 0 {
						t.Errorf("page %s: %+v", id, a)
					}
				}
			}
		}
		p.Press("?", "G")
		p.sees("Everywhere")
		p.Press("esc", "q")
		if !p.over {
			t.Error("q does not quit")
		}
	})
}

func TestServiceIsAskedOnlyOnceAtATime(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(3 * time.Second)
		if _, err := p.server.Inject("latency=12s of /projects/*/operations"); err != nil {
			t.Fatal(err)
		}
		p.Wait(7 * time.Second)
		n := counting(p)
		p.Press("r", "r", "r")
		if n.Load() != 0 {
			t.Errorf("%d further requests while one is under way", n.Load())
		}
	})
}
