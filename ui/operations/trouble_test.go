package operations_test

import (
	"crypto/x509"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"

	"pgtower/client/mock"
	"pgtower/ui"
	"pgtower/ui/style"
)

// During a rate limit, the header says when it is tried again and how old the rows are, and nothing is sent.
func TestTroubleOfALimitDatesTheRows(t *testing.T) {
	t.Parallel()
	for width, age := range map[int]string{80: "limited 1m", 124: "next 1m · rows 11s old", 180: "next 1m · rows as of 00:00:05 UTC (11s old)"} {
		play.Run(t, width, 24, play.InBusiest, func(p *play.Program) {
			p.Wait(6 * time.Second)
			p.Refuse(http.StatusTooManyRequests, 90*time.Second, "*")
			p.Wait(10 * time.Second)
			p.Sees("◌ rate limited", age)
			n := p.Counting()
			p.Press("r")
			if p.Sees("Rate limited: next try in 1m"); n.Load() > 0 {
				t.Errorf("%d requests during the limit", n.Load())
			}
		})
	}
}

// running returns the number of running operations on the screen, which must not be 0.
func running(p *play.Program) int {
	p.T.Helper()
	m := regexp.MustCompile(`(\d+) running`).FindStringSubmatch(p.Screen())
	if m == nil || m[1] == "0" {
		p.T.Fatalf("nothing is said to run:\n%s", p.Screen())
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Unreadable projects are counted and named on small screens, too, and their operations still count as last read.
func TestTroubleNamesTheProjects(t *testing.T) {
	t.Parallel()
	play.Run(t, 80, 24, nil, func(p *play.Program) {
		busiest := p.Server.BusiestProject()
		for range 30 {
			p.Begin(mock.Task{ProjectID: busiest, Action: "apply_config", Run: 5 * time.Hour})
		}
		if p.Wait(20 * time.Second); running(p) < 30 {
			t.Errorf("%d of 30 run:\n%s", running(p), p.Screen())
		}
		p.Refuse(http.StatusServiceUnavailable, 0, busiest, p.ProjectIDs()[3], p.ProjectIDs()[4])
		p.Wait(20 * time.Second)
		p.Sees(" · 3 not read", "✗ cannot read ", " (503) and 2 more: injected fault: Service", ", cannot read 3 projects: ≥")
		if running(p) < 30 {
			t.Errorf("%d of 30 ran when they were last read:\n%s", running(p), p.Screen())
		}
		p.Failures()
		if m := regexp.MustCompile(`List operations of [a-z]+: the service failed`); !m.MatchString(p.Screen()) {
			t.Errorf("the errors do not name a project:\n%s", p.Screen())
		}
		p.Reads("GET /api/v2/projects/")
		p.Press("esc")
		p.Refuse(http.StatusServiceUnavailable, 0, p.ProjectIDs()...)
		p.Wait(20 * time.Second)
		p.Sees("✗ the service failed", "15 min as of ")
		p.SeesNot("without", "≥0")
	})
}

// While nothing is read, the counts are as of the last read: the line, the tabs of the views and the title agree.
func TestTroubleCountsWhatRan(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		for range 8 {
			p.Begin(mock.Task{Action: "apply_config", Run: 5 * time.Hour})
		}
		p.Wait(20 * time.Second)
		agree := func() {
			t.Helper()
			n := strconv.Itoa(running(p))
			p.Sees(" Unfinished " + n + " ")
			if title := p.Model.View().WindowTitle; !strings.HasSuffix(title, " · "+n+" running") {
				t.Errorf("the title is %q", title)
			}
		}
		agree()
		p.Refuse(http.StatusServiceUnavailable, 0, "*")
		p.Wait(time.Minute)
		p.Sees("15 min as of 00:00:")
		agree()
		p.Press("t")
		p.Sees("operations as of 00:00:")
	})
}

// From the first poll that fails on, nothing that is shown grows: rows, tabs, the counts of the filter and of the timeline
// are as of the time in the header.
func TestTroubleStopsTheClockOfWhatRuns(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Time = style.UTC }, func(p *play.Program) {
		p.Begin(mock.Task{Action: "start_compute", Run: 5 * time.Hour})
		p.Fail(3)
		p.Wait(6 * time.Second)
		p.Refuse(http.StatusServiceUnavailable, 0, "*")
		for !strings.Contains(p.Screen(), "15 min as of ") {
			p.Wait(time.Second)
		}
		shown := func() string {
			m := regexp.MustCompile(`(\d+ failed, \d+ running)|Slow (\d+)|(≥\d+s)`).FindAllString(p.Screen(), -1)
			return strings.Join(m, "; ")
		}
		first := shown()
		if !strings.Contains(first, "≥") {
			t.Fatalf("what was not read still runs:\n%s", p.Screen())
		}
		for range 30 {
			p.Wait(time.Second)
			if now := shown(); now != first {
				t.Fatalf("%s; at the first failed poll it was %s:\n%s", now, first, p.Screen())
			}
		}
		p.Wait(20 * time.Minute)
		failed := regexp.MustCompile(`(\d+) failed`).FindStringSubmatch(p.Screen())
		p.Press("t")
		p.Sees(failed[0] + ",")
		p.Press("t")
		p.ClickOn(failed[0])
		p.Wait(time.Second)
		if n := strings.Count(p.Screen(), "✗ failed"); strconv.Itoa(n) != failed[1] {
			t.Errorf("%d rows, and %s are counted:\n%s", n, failed[1], p.Screen())
		}
	})
}

// The time of completeness is announced once no rows arrive.
func TestExtentIsDatedOffline(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, shortRange(longHistory(2_000)), func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Filter("age:<10m")
		p.Sees("Complete for the 10 min needed.")
		p.Down = true
		p.Wait(time.Minute)
		p.Sees("Complete for the 10 min needed as of 00:00:05 UTC.")
	})
}

// On the line that marks completeness, Enter loads, as the footer shows.
func TestDividerFooter(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 24, shortRange(longHistory(2_000)), func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Filter("!check")
		p.Press("G")
		p.Sees("↵ load older")
		p.SeesNot("↵ details")
		p.Press("k")
		p.Sees("↵ details")
		p.SeesNot("↵ load older")
	})
}

// What only the user can end is no outage: it is told at once, with what to do, and is not tried again before a key is
// pressed.
func TestTroubleThatOnlyTheUserCanEnd(t *testing.T) {
	t.Parallel()
	play.Run(t, 160, 24, play.InBusiest, func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Broken = x509.UnknownAuthorityError{}
		p.Wait(6 * time.Second)
		p.Sees("✗ cannot connect", "rows", "certificate signed by unknown authority")
		n := p.Counting()
		p.Wait(3 * time.Minute)
		p.Sees("✗ cannot connect")
		if n.Load() > 0 {
			t.Errorf("%d requests although nothing has changed", n.Load())
		}
		for _, absent := range []string{"offline", "no answer", "next "} {
			if strings.Contains(p.Screen(), absent) {
				t.Errorf("%q in\n%s", absent, p.Screen())
			}
		}
		p.Failures()
		p.Sees("pass its certificate with --ca-file")
		if strings.Contains(p.Screen(), "×") {
			t.Errorf("what was not sent counts as failed:\n%s", p.Screen())
		}
		p.Press("esc")
		p.Broken = nil
		p.Press("r")
		p.Wait(2 * time.Second)
		p.Sees("● live")
		if n.Load() == 0 {
			t.Error("no request after r")
		}
	})
}

// A name may exist again soon, as on a laptop that wakes up.
func TestTroubleOfANameEndsByItself(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 24, play.InBusiest, func(p *play.Program) {
		p.Wait(6 * time.Second)
		p.Broken = &net.DNSError{Err: "no such host", Name: "console.example", IsNotFound: true}
		p.Wait(6 * time.Second)
		p.Sees("✗ cannot connect", "console.example: no such host")
		p.Broken = nil
		p.Wait(90 * time.Second)
		p.Sees("● live")
	})
}
