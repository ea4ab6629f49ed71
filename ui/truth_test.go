package ui

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/ui/style"
)

// For unread projects, the screen shows since when, and does not call operations slow.
func TestWhatIsNotAskedAboutDoesNotAge(t *testing.T) {
	t.Parallel()
	play(t, 160, 36, inBusiest, func(p *program) {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "apply_config", Run: time.Hour})
		p.Wait(6 * time.Second)
		p.down = true
		p.Wait(2 * time.Minute)
		p.Press("/")
		p.Type("action:apply_config is:unfinished took:<20s")
		p.Press("enter")
		p.Wait(time.Second)
		p.sees("≥", "○ offline")
		p.Press("enter")
		p.sees("for at least ", "not checked for 2m")
		p.Press("esc")
		p.Press("/")
		p.Type(" is:slow")
		p.Press("enter")
		p.seesNot("≥")
		p.down = false
		p.Press("/")
		for range len(" took:<20s is:slow") {
			p.Press("backspace")
		}
		p.Press("enter")
		p.Wait(time.Minute + 15*time.Second)
		p.seesNot("not checked", "≥")
		p.sees("● live")
	})
}

// skewed sets the service's clock ahead of the local one.
func skewed(by time.Duration) func(*backend, *Options) {
	return func(b *backend, o *Options) {
		inBusiest(b, o)
		ahead := func() time.Time { return time.Now().Add(by) }
		var err error
		if b.server, err = mock.New(mock.Options{Seed: 7, Clock: ahead}); err != nil {
			b.t.Fatal(err)
		}
		o.Project = b.server.BusiestProject()
	}
}

func TestAgesAreOfTheServicesClock(t *testing.T) {
	t.Parallel()
	for by, said := range map[time.Duration]string{
		10 * time.Minute: "This computer's clock is 10 minutes behind the service's", -10 * time.Minute: "This computer's clock is 10 minutes ahead of the service's",
	} {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			play(t, 160, 36, skewed(by), func(p *program) {
				p.Wait(time.Second)
				p.sees(said)
				p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "apply_config", Run: time.Hour})
				p.Wait(10 * time.Second)
				p.Press("r")
				p.Wait(10 * time.Second)
				p.seesNot(said)
				p.sees("● live, every 5s", "15 min: ")
				p.Press("/")
				p.Type("is:unfinished action:apply_config age:<30s took:<30s")
				p.Press("enter")
				p.sees("Apply config")
				p.Press("esc", "p")
				before := p.screen()
				if p.Wait(time.Minute); p.screen() != before {
					t.Errorf("a paused feed changed:\n%s\nwas:\n%s", p.screen(), before)
				}
			})
		})
	}
}

// All times on the screen are the service's, also of what the program does, and after the key was refused.
func TestTheScreenHasOneClock(t *testing.T) {
	t.Parallel()
	play(t, 160, 36, func(b *backend, o *Options) { skewed(3*time.Hour)(b, o); o.Times = style.UTC }, func(p *program) {
		p.fails(3)
		p.Wait(20 * time.Second)
		counted := regexp.MustCompile(`15 min: [1-9]\d* failed, \d+ running, [1-9]\d* finished`)
		said := counted.FindString(p.screen())
		if said == "" {
			t.Fatalf("nothing is counted:\n%s", p.screen())
		}
		p.command("alerts")
		p.sees("03:00")
		p.seesNot(" 00:00")
		p.Press("esc", "p")
		p.sees("‖ paused at 03:00:2")
		p.Press("p")
		p.Wait(time.Second)
		said = counted.FindString(p.screen())
		revokeOwn(p)
		p.sees("signed out · as of 03:00:2", said, " then")
		p.seesNot(" 00:00")
		if strings.Contains(strings.ReplaceAll(p.screen(), "just now", ""), " now") {
			t.Errorf("the trend ends in now:\n%s", p.screen())
		}
	})
	play(t, 200, 36, skewed(3*time.Hour), func(p *program) {
		p.Wait(6 * time.Second)
		p.down = true
		p.Wait(time.Minute)
		p.sees("15 min as of 03:00:0", "rows as of 03:00:0")
		p.Press("!")
		p.sees(" 03:0")
		p.seesNot(" 00:0")
	})
}

func TestAProjectThatIsGoneIsNamedUntilTheListLacksIt(t *testing.T) {
	t.Parallel()
	var lacks atomic.Bool
	play(t, 120, 36, func(b *backend, _ *Options) {
		b.spoil = func(_ *http.Request, body []byte) []byte {
			if !lacks.Load() {
				return body
			}
			return []byte(strings.ReplaceAll(string(body), `"id":"`+b.server.BusiestProject()+`"`, `"id":""`))
		}
	}, func(p *program) {
		project := p.server.BusiestProject()
		p.begin(mock.Task{ProjectID: project, Action: "apply_config", Run: 5 * time.Hour})
		p.Wait(10 * time.Second)
		remove := p.inject("404 of /projects/" + project + "/operations")
		p.Wait(10 * time.Second)
		p.sees("project storefront no longer exists", "⊘ gone")
		if n := strings.Count(p.screen(), "storefront no longer exists"); n != 1 {
			t.Errorf("said %d times:\n%s", n, p.screen())
		}
		lacks.Store(true) // the list
		p.Wait(11 * time.Minute)
		p.seesNot("no longer exists", "not read")
		p.sees("● live")
		p.Press("/")
		p.Type("is:gone")
		p.Press("enter")
		p.sees("⊘ gone")
		p.Press("esc")
		lacks.Store(false)
		remove()
		p.Wait(11 * time.Minute)
		p.Press("/")
		p.Type("is:unfinished action:apply_config age:>10m")
		p.Press("enter")
		p.sees("Apply config", "storefront")
		p.seesNot("⊘ gone")
	})
}

func TestHistoryStopsWherePagingBroke(t *testing.T) {
	t.Parallel()
	var mended atomic.Bool
	cursor := regexp.MustCompile(`"cursor": *"[^"]*"`)
	spoil := func(_ *http.Request, body []byte) []byte {
		if mended.Load() || !strings.Contains(string(body), `"operations"`) {
			return body
		}
		return cursor.ReplaceAll(body, []byte(`"cursor":7`))
	}
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); b.spoil = spoil }, func(p *program) {
		p.Press("r", "d")
		p.Wait(6 * time.Second)
		for range 6 {
			p.Press("G")
			p.Wait(2 * time.Second)
		}
		p.sees("history stops here")
		p.reads("Older operations of storefront may exist")
		p.seesNot("End of history")
		p.Press("r")
		p.Wait(time.Minute)
		p.Press("G")
		p.sees("history stops here")
		mended.Store(true)
		p.Press("r")
		p.Wait(10 * time.Second)
		p.seesNot("history stops")
	})
}
