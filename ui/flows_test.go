package ui

import (
	"strings"
	"testing"
	"time"

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
	all, err := c.API.APIKeys(p.ctx, models.ListID{})
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, k := range all {
		names = append(names, k.Name)
	}
	return strings.Join(names, " ")
}

func TestRevokeWhatWasAskedAbout(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j", "x")
		p.sees("Revoke laptop-old?")
		// Another user revokes the key above, and the list is read again.
		first := p.model.session.pages.all[page.APIKeys].ViewState()
		p.revoke(165070)
		refresh, _ := action.ByID(p.model.session.pages.all[page.APIKeys].Actions(), "refresh")
		p.Run(refresh.Run())
		p.Settle()
		p.seesNot("first-try")
		if p.model.session.pages.all[page.APIKeys].ViewState() != first {
			t.Fatal("the selection left its row")
		}
		p.Press("tab", "enter")
		names := keyNames(p)
		if strings.Contains(names, "laptop-old") || !strings.Contains(names, "terraform") {
			t.Errorf("left: %s", names)
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
	k, err := c.API.CreateAPIKey(p.ctx, "other", models.Reach{})
	if err != nil {
		p.t.Fatal(err)
	}
	return k.Key.Reveal()
}

func TestAnswersOfAnOldSessionAreDropped(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		old := page.Delivery{Generation: p.model.session.generation, To: page.Operations, Msg: page.ShowOperations{Project: models.Project{ID: "of-another-account"}}}
		p.model.session.end()
		p.Settle()
		c, _ := p.connect(p.server.APIKey())
		p.Run(p.model.session.begin(c, false))
		p.Settle()
		p.Send(old)
		p.seesNot("of-another-account")
		p.sees("storefront")
	})
}

func TestMoreNewOperationsThanAPageHolds(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.PageSize = 3 }, func(p *program) {
		p.Press("down", "down")
		row := p.model.session.pages.all[page.Operations].ViewState().Row
		for range 12 {
			if _, err := p.server.Start(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		if p.model.session.pages.all[page.Operations].ViewState().Row != row {
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
		onGap := func() bool {
			return strings.HasPrefix(p.model.session.pages.all[page.Operations].ViewState().Row.ID, "gap\n")
		}
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
