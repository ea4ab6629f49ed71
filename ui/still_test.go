package ui

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

func TestAllProjectsComeBackAfterSigningIn(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("a")
		p.Wait(6 * time.Second)
		before := p.model.pages[page.Operations].ViewState()
		other := p.createOther()
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(6 * time.Second)
		p.sees("Sign in")
		p.Send(tea.PasteMsg{Content: other})
		p.Press("enter")
		p.Wait(6 * time.Second)
		p.sees("● live, every 5s") // the other refusals of the old key have no effect
		if after := p.model.pages[page.Operations].ViewState(); after.Project != before.Project {
			t.Errorf("was at %+v, came back to %+v", before, after)
		}
	})
}

func TestWhoeverGoesOnIsNotBroughtBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.PageSize = 50 }, func(p *program) {
		for range 4 {
			p.Press("G")
			p.Wait(time.Second)
		}
		p.Press("k", "k", "k")
		other := p.createOther()
		p.server.RevokeSecret(p.server.APIKey())
		p.Wait(6 * time.Second)
		p.sees("Sign in")
		p.Send(tea.PasteMsg{Content: other})
		p.Press("enter")
		p.Wait(2 * time.Second)
		p.Press("g", "j", "j")
		row := p.model.pages[page.Operations].ViewState().Row
		jumped := false
		for range 4 {
			p.Press("m")
			p.Wait(time.Second)
			if p.model.pages[page.Operations].ViewState().Row != row {
				jumped = true
			}
		}
		if jumped {
			t.Errorf("selection jumped:\n%s", p.screen())
		}
	})
}

func TestRowsAreArrangedBehindTheStatistics(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("/")
		p.Type("status:scheduling")
		p.Press("enter", "v")
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Wait(6 * time.Second)
		p.Press("p", "v")
		p.Wait(time.Minute)
		if !strings.Contains(p.screen(), "Create branch") {
			t.Errorf("not there:\n%s", strings.Join(strings.Split(p.screen(), "\n")[:5], "\n"))
		}
	})
}

func TestAnOlderListDoesNotReviveAKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.Press("j")
		p.after = func(r *http.Request) {
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "api_keys") {
				time.Sleep(5 * time.Second)
			}
		}
		p.Press("r", "x", "tab", "enter")
		p.sees("⊘ revoked")
		p.Wait(6 * time.Second)
		p.sees("⊘ revoked")
	})
}

func TestAnOlderListIsReadAgain(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.after = func(r *http.Request) {
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "api_keys") {
				time.Sleep(5 * time.Second)
			}
		}
		p.Press("r", "n")
		p.Type("fresh-key")
		p.Press("enter", "r", "esc")
		p.Wait(30 * time.Second)
		p.sees("fresh-key ")
	})
}

func TestWatchingLeavesRoomForPolling(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); b.budget = 10; o.Budget = 10; o.PageSize = 200 }, func(p *program) {
		for range 100 {
			p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		p.Press("W")
		p.Wait(10 * time.Second)
		n := p.asked(time.Minute)
		if n < 11 {
			t.Errorf("%d polls in a minute while everything is watched", n)
		}
	})
}

func TestWatchingEndsWhenItIsSwitchedOff(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Press("r", "g")
		for range 21 {
			p.Press("w")
		}
		k := 0
		p.watch = func(r *http.Request) {
			if strings.Contains(r.URL.Path, "/operations/") {
				k++
			}
		}
		p.Wait(50 * time.Second)
		if k > 12 {
			t.Errorf("%d reads of one operation in 50 s", k)
		}
	})
}

func TestASelectionIsHeldBehindAFilter(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, busiestComesLate, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("f", "j", "j")
		row := p.model.pages[page.Operations].ViewState().Row
		p.Wait(10 * time.Second)
		if now := p.model.pages[page.Operations].ViewState().Row; row != now {
			t.Errorf("selection left %s for %s\n%s", row, now, p.screen())
		}
	})
}

func TestAReversedFeedIsNotFollowed(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("S", "esc")
		p.Wait(time.Second)
		p.Press("g")
		p.Wait(time.Second)
		p.Press("j") // below the line that marks completeness
		selected := func() string {
			lines := strings.Split(p.screen(), "\n")
			i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, " ▌") })
			row, _, _ := strings.Cut(lines[i], "│")  // the details may change
			return strings.Replace(row, "┊", " ", 1) // completeness may change
		}
		row := selected()
		p.Press("m")
		p.Wait(2 * time.Second)
		if now := selected(); row != now {
			t.Errorf("selection left\n%s for\n%s", row, now)
		}
	})
}

func TestTheScreenHoldsStillWhenAProjectComesLate(t *testing.T) {
	t.Parallel()
	play(t, 120, 30, busiestComesLate, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("j", "j", "j", "j", "j")
		rows := func() (line int, row string) {
			for i, l := range strings.Split(p.screen(), "\n") {
				if strings.HasPrefix(l, " ▌") {
					return i, p.model.pages[page.Operations].ViewState().Row.ID
				}
			}
			return 0, ""
		}
		line, row := rows()
		p.Wait(10 * time.Second)
		if nowLine, nowRow := rows(); nowLine != line || nowRow != row {
			t.Errorf("%s was on line %d, now %s is on line %d\n%s", row, line, nowRow, nowLine, p.screen())
		}
		p.sees("new · g: newest")
	})
}
