package ui

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// refuse answers the operations of projects with a status.
func (p *program) refuse(status int, retryAfter time.Duration, projects ...string) {
	for _, id := range projects {
		f := fmt.Sprintf("%d of /projects/%s/operations", status, id)
		if retryAfter > 0 {
			f += fmt.Sprintf(" retry-after=%s", retryAfter)
		}
		p.inject(f)
	}
}

func TestALimitSaysHowOldTheRowsAre(t *testing.T) {
	t.Parallel()
	for width, age := range map[int]string{80: "next 1m · rows 11s old", 160: "next 1m · rows as of 00:00:05 UTC (11s old)"} {
		play(t, width, 24, inBusiest, func(p *program) {
			p.Wait(6 * time.Second)
			p.refuse(http.StatusTooManyRequests, 90*time.Second, "*")
			p.Wait(10 * time.Second)
			p.sees("◌ rate limited", age)
			n := counting(p)
			p.Press("r")
			if p.sees("Rate limited: next try in 1m"); n.Load() > 0 {
				t.Errorf("%d requests during the limit", n.Load())
			}
		})
	}
}

// Unreadable projects are counted and named on small screens, too, and what was known of them still counts.
func TestProjectsThatCannotBeReadAreNamed(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, nil, func(p *program) {
		busiest := p.server.BusiestProject()
		for range 30 {
			p.begin(mock.Task{ProjectID: busiest, Action: "apply_config", Run: 5 * time.Hour})
		}
		running := func() int {
			m := regexp.MustCompile(`(\d+) running`).FindStringSubmatch(p.screen())
			if m == nil {
				t.Fatalf("nothing is said to run:\n%s", p.screen())
			}
			n, _ := strconv.Atoi(m[1])
			return n
		}
		if p.Wait(20 * time.Second); running() < 30 {
			t.Errorf("%d of 30 run:\n%s", running(), p.screen())
		}
		p.refuse(http.StatusServiceUnavailable, 0, busiest, p.projectIDs()[3], p.projectIDs()[4])
		p.Wait(20 * time.Second)
		p.sees(" · 3 not read", "✗ cannot read ", " (503) and 2 more: injected fault: Service", ", 3 projects not current: ")
		if running() < 30 {
			t.Errorf("%d of 30 ran when they were last read:\n%s", running(), p.screen())
		}
		p.Press("!")
		if m := regexp.MustCompile(`List operations of [a-z]+: the service failed`); !m.MatchString(p.screen()) {
			t.Errorf("the errors do not name a project:\n%s", p.screen())
		}
		p.reads("GET /api/v2/projects/")
		p.Press("esc")
		p.refuse(http.StatusServiceUnavailable, 0, p.projectIDs()...)
		p.Wait(20 * time.Second)
		p.sees("✗ the service failed", "15 min as of ")
		p.seesNot("not current", "except")
	})
}

// What is counted as of a time is what was known then: the line, the tabs of the views and the title agree.
func TestAnOutageCountsWhatRan(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		for range 8 {
			p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "apply_config", Run: 5 * time.Hour})
		}
		p.Wait(20 * time.Second)
		agree := func() {
			t.Helper()
			m := regexp.MustCompile(`(\d+) running`).FindStringSubmatch(p.screen())
			if m == nil || m[1] == "0" {
				t.Fatalf("nothing is said to run:\n%s", p.screen())
			}
			p.sees(" Unfinished " + m[1] + " ")
			if title := p.model.View().WindowTitle; !strings.HasSuffix(title, " · "+m[1]+" running") {
				t.Errorf("the title is %q", title)
			}
		}
		agree()
		p.refuse(http.StatusServiceUnavailable, 0, "*")
		p.Wait(time.Minute)
		p.sees("15 min as of 00:00:")
		agree()
	})
}

// The time of completeness is announced once no rows arrive.
func TestCompletenessIsDatedOffline(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, shortRange(longHistory(2_000)), func(p *program) {
		p.Wait(6 * time.Second)
		p.Press("/")
		p.Type("age:<10m")
		p.Press("enter")
		p.sees("Complete for the 10 min needed.")
		p.down = true
		p.Wait(time.Minute)
		p.sees("Complete for the 10 min needed as of 00:00:05 UTC.")
	})
}

// On the line that marks completeness, Enter loads, as the footer shows.
func TestTheFooterOfTheLine(t *testing.T) {
	t.Parallel()
	play(t, 120, 24, shortRange(longHistory(2_000)), func(p *program) {
		p.Wait(6 * time.Second)
		p.Press("/")
		p.Type("!check")
		p.Press("enter", "G")
		p.sees("↵ load older")
		p.seesNot("↵ details")
		p.Press("k")
		p.sees("↵ details")
		p.seesNot("↵ load older")
	})
}
