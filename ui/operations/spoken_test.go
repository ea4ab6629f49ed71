package operations_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
)

// The accessible mode says what the user does on the page, as recorded.
func TestSpokenPage(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		s := p.Transcribe()
		s.Press("j", "pgdown", "g", "k", ".")
		s.Press("/")
		s.Type("status:finished")
		s.Press("enter", "enter", "j", "esc", "esc")
		s.Press("O", "down", "enter", "v", "v", "s", "down", "enter", "s", "enter")
		s.Press("y", "esc", "=", "esc", "t", "j", "esc", "p", "p")
		s.Golden("spoken")
	})
}

// While nothing happens, nothing is said.
func TestSpokenNothing(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		if err := p.Server.Set(0, 0); err != nil {
			t.Fatal(err)
		}
		p.Wait(5 * time.Minute) // by then it was said that the clock stands still, and not again for some minutes
		p.Heard()
		p.Wait(time.Minute)
		if got := p.Heard(); got != "" {
			t.Errorf("nothing happened, and this was said: %s", got)
		}
	})
}

// A new operation is said when it begins and when it ends, and many together are counted.
func TestSpokenNewOperation(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Begin(mock.Task{Action: "create_branch", Run: 7 * time.Second})
		p.Wait(5 * time.Second)
		p.Hears("running, new: Create branch of storefront")
		p.Wait(6 * time.Second)
		p.Hears("finished: Create branch of storefront after 7 seconds")
		for range 9 {
			p.Begin(mock.Task{Action: "create_branch", Run: time.Hour})
		}
		p.Wait(5 * time.Second)
		if got := p.Heard(); !regexp.MustCompile(`(?m)^\d+ changes: (9|10) running`).MatchString(got) || strings.Contains(got, "new: ") {
			t.Errorf("a burst: %s", got)
		}
	})
}

// An outage is said once, and so is its end.
func TestSpokenOfflineAndBack(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Down = true
		p.Wait(2 * time.Minute)
		got := p.Heard()
		for words, most := range map[string]int{"No answer: ": 1, "Offline: ": 1, "error: ": 2} {
			if n := strings.Count(got, words); n < 1 || n > most {
				t.Errorf("%q was said %d times:\n%s", words, n, got)
			}
		}
		p.Down = false
		p.Press("r")
		p.Hears("Live, updated every 5 seconds.")
	})
}

// The summary that is said at first is that of all projects.
func TestSpokenSummaryIsOfAllThatIsRead(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(4 * time.Second)
		said := regexp.MustCompile(`failed, [0-9,]+ running`).FindAllString(p.Heard(), -1)
		p.Press(".")
		if again := p.Heard(); len(said) != 1 || !strings.Contains(again, said[0]) {
			t.Errorf("%q, and then %s", said, again)
		}
	})
}
