package operations_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/ui/style"
)

// For unread projects, the screen shows since when, and does not call operations slow.
func TestAgesStopForWhatIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 36, play.InBusiest, func(p *play.Program) {
		p.Begin(mock.Task{Action: "apply_config", Run: time.Hour})
		p.Wait(6 * time.Second)
		p.Down = true
		p.Wait(2 * time.Minute)
		p.Filter("action:apply_config is:unfinished took:<20s")
		p.Wait(time.Second)
		p.Sees("≥", "○ offline")
		p.Reads("for at least ", "not checked for 2m")
		p.Filter("action:apply_config is:unfinished took:<20s is:slow")
		p.SeesNot("≥")
		p.Down = false
		p.Filter("action:apply_config is:unfinished")
		p.Wait(time.Minute + 15*time.Second)
		p.SeesNot("not checked", "≥")
		p.Sees("● live")
	})
}

// skewed sets the service's clock ahead of the local one.
func skewed(by time.Duration) func(*play.Backend, *ui.Options) {
	return func(b *play.Backend, o *ui.Options) {
		b.Simulate(mock.Options{Clock: func() time.Time { return time.Now().Add(by) }})
		play.InBusiest(b, o)
	}
}

// When one of the clocks is set, the notice of how they differ is no longer true.
func TestClockThatIsSet(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	ahead.Store(int64(-10 * time.Minute))
	moving := func(b *play.Backend, o *ui.Options) {
		b.Simulate(mock.Options{Clock: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
		play.InBusiest(b, o)
	}
	play.Run(t, 80, 24, moving, func(p *play.Program) {
		p.Wait(time.Second)
		p.Sees("The service's clock is 10 minutes behind this computer's: ages use it. ")
		p.Command("mute 1h") // else an alert takes the place of the notice
		ahead.Store(0)
		p.Wait(30 * time.Second) // most of the recent answers have the new time
		p.Sees("The service's clock and this computer's differ by at most 1 minute. ")
		p.Press("esc")
		p.SeesNot("differ by")
		for _, hours := range []int{1, 3} { // of the second one, too, while the notice of the first one waits
			ahead.Store(int64(hours) * int64(time.Hour))
			p.Wait(30 * time.Second)
			p.Sees("The service's clock is " + style.DurationWords(time.Duration(hours)*time.Hour) + " ahead of this computer's: ")
		}
	})
}

// Ages are by the service's clock, and a computer's clock that differs is said.
func TestAgesAreOfTheServicesClock(t *testing.T) {
	t.Parallel()
	for by, said := range map[time.Duration]string{
		10 * time.Minute: "The service's clock is 10 minutes ahead of this computer's: ages use it.", -10 * time.Minute: "The service's clock is 10 minutes behind this computer's: ages use it.",
	} {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, 160, 36, skewed(by), func(p *play.Program) {
				p.Wait(time.Second)
				p.Sees(said)
				p.Begin(mock.Task{Action: "apply_config", Run: time.Hour})
				p.Wait(10 * time.Second)
				p.Press("r")
				p.Wait(10 * time.Second)
				p.SeesNot(said)
				p.Sees("● live, every 5s", "15 min: ")
				p.Filter("is:unfinished action:apply_config age:<30s took:<30s")
				p.Sees("Apply config")
				p.Press("esc", "p")
				before := p.Screen()
				if p.Wait(time.Minute); p.Screen() != before {
					t.Errorf("a paused feed changed:\n%s\nwas:\n%s", p.Screen(), before)
				}
			})
		})
	}
}

// A time that the user gives is by the service's clock, or by this computer's if the service sends no date: then it says so.
func TestTimeOfTheUserIsOfTheServicesClock(t *testing.T) {
	t.Parallel()
	const note = "by this computer's clock"
	for undated, want := range map[bool]string{false: "1999-12-31 23:50:0", true: "1999-12-31 23:00:0"} {
		play.Run(t, 160, 36, func(b *play.Backend, o *ui.Options) {
			skewed(50*time.Minute)(b, o)
			b.Undated, o.Time = undated, style.UTC
		}, func(p *play.Program) {
			p.Wait(time.Second)
			p.Press(":")
			p.Type("since 1h")
			p.Sees(want)
			if strings.Contains(p.Screen(), note) != undated {
				t.Errorf("undated %v:\n%s", undated, p.Screen())
			}
		})
	}
}

// All times on the screen are by the service's clock, also those of alerts, of a pause, and after the key was refused.
func TestAgesHaveOneClock(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 36, func(b *play.Backend, o *ui.Options) { skewed(3*time.Hour)(b, o); o.Time = style.UTC }, func(p *play.Program) {
		p.Fail(3)
		p.Wait(20 * time.Second)
		counted := regexp.MustCompile(`15 min: [1-9]\d* failed, \d+ running, [1-9]\d* finished`)
		said := counted.FindString(p.Screen())
		if said == "" {
			t.Fatalf("nothing is counted:\n%s", p.Screen())
		}
		p.Command("alerts")
		p.Sees("03:00")
		p.SeesNot(" 00:00")
		p.Press("esc", "p")
		p.Sees("‖ paused at 03:00:2")
		p.Press("p")
		p.Wait(time.Second)
		said = counted.FindString(p.Screen())
		p.RevokeOwn()
		p.Sees("signed out · as of 03:00:2", said, " then")
		p.SeesNot(" 00:00")
		if strings.Contains(strings.ReplaceAll(p.Screen(), "just now", ""), " now") {
			t.Errorf("the trend ends in now:\n%s", p.Screen())
		}
	})
	play.Run(t, 200, 36, skewed(3*time.Hour), func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Down = true
		p.Wait(time.Minute)
		p.Sees("15 min as of 03:00:0", "rows as of 03:00:0")
		p.Failures()
		p.Sees(" 03:0")
		p.SeesNot(" 00:0")
	})
}

// The project that is shown keeps its name when the list lacks it.
func TestScopeNamesAProjectThatIsGone(t *testing.T) {
	t.Parallel()
	var lacks atomic.Bool
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) {
		b.Spoil = func(_ *http.Request, body []byte) []byte {
			if !lacks.Load() {
				return body
			}
			return []byte(strings.ReplaceAll(string(body), `"id":"`+b.Server.BusiestProject()+`"`, `"id":""`))
		}
	}, func(p *play.Program) {
		project := p.Server.BusiestProject()
		p.Begin(mock.Task{ProjectID: project, Action: "apply_config", Run: 5 * time.Hour})
		p.Wait(10 * time.Second)
		remove := p.Inject("404 of /projects/" + project + "/operations")
		p.Wait(10 * time.Second)
		p.Sees("project storefront no longer exists", "⊘ gone")
		if n := strings.Count(p.Screen(), "storefront no longer exists"); n != 1 {
			t.Errorf("said %d times:\n%s", n, p.Screen())
		}
		lacks.Store(true) // the list
		p.Wait(11 * time.Minute)
		p.SeesNot("no longer exists", "not read")
		p.Sees("● live")
		p.Filter("is:gone")
		p.Sees("⊘ gone")
		p.Press("esc")
		lacks.Store(false)
		remove()
		p.Wait(11 * time.Minute)
		p.Filter("is:unfinished action:apply_config age:>10m")
		p.Sees("Apply config", "storefront")
		p.SeesNot("⊘ gone")
	})
}

// brokenPaging begins in a project whose pages of operations have no cursor, until that is mended.
func brokenPaging(mended *atomic.Bool) func(*play.Backend, *ui.Options) {
	cursor := regexp.MustCompile(`"cursor": *"[^"]*"`)
	return func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		b.Spoil = func(_ *http.Request, body []byte) []byte {
			if mended.Load() || !strings.Contains(string(body), `"operations"`) {
				return body
			}
			return cursor.ReplaceAll(body, []byte(`"cursor":7`))
		}
	}
}

// Where paging broke, the history stops with a gap, and is not called complete.
func TestGapWherePagingBroke(t *testing.T) {
	t.Parallel()
	var mended atomic.Bool
	play.Run(t, 120, 36, brokenPaging(&mended), func(p *play.Program) {
		p.Press("r", "d")
		p.Wait(6 * time.Second)
		for range 6 {
			p.Press("G")
			p.Wait(2 * time.Second)
		}
		p.Sees("history stops here")
		p.Reads("Older operations of storefront may exist")
		p.SeesNot("End of history")
		p.Press("r")
		p.Wait(time.Minute)
		p.Press("G")
		p.Sees("history stops here")
		mended.Store(true)
		p.Press("r")
		p.Wait(10 * time.Second)
		p.SeesNot("history stops")
	})
}
