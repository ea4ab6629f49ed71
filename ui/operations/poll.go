package operations

import (
	"errors"
	"fmt"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

const (
	// maxDepth is how many pages a poll follows to close a gap, before it leaves a row
	// that can be opened.
	maxDepth = 5
	// maxReread is how many unfinished operations a poll reads one by one.
	maxReread = 5
	// maxBackoff is the longest wait between tries when the service does not answer.
	maxBackoff = time.Minute
	// offlineAfter is how many polls have to fail in a row for the feed to be offline.
	offlineAfter = 3
)

// poll is the state of asking again and again.
type poll struct {
	interval time.Duration
	// round counts the polls, so that a tick that another poll went ahead of is ignored.
	round int
	busy  bool
	next  time.Time // when the next poll is due
	good  time.Time // when the last poll ended well
	err   error     // of the last poll, if it failed
	fails int       // polls that failed since
}

func (p *poll) begin() {
	p.busy = true
	p.round++
}

// end notes how a poll ended and returns how long to wait for the next one: the
// interval, doubled with each failure, and never less than the service asked for.
func (p *poll) end(err error, now time.Time) time.Duration {
	p.busy, p.err = false, err
	wait := p.interval
	if err == nil {
		p.good, p.fails = now, 0
	} else {
		wait = min(p.interval<<min(p.fails, 6), max(maxBackoff, p.interval))
		p.fails++
		if e, ok := errors.AsType[*models.Error](err); ok {
			wait = max(wait, e.RetryAfter)
		}
	}
	p.next = now.Add(wait)
	return wait
}

// status is the rung of the ladder live, late, offline, with how old the rows are and
// when the next try is.
func (p *poll) status(now time.Time) page.Status {
	next := fmt.Sprintf("next %ds", max(0, int(p.next.Sub(now).Round(time.Second).Seconds())))
	if p.busy {
		next = "asking"
	}
	switch {
	case p.err == nil && p.good.IsZero():
		return page.Status{Tone: theme.Waiting, Text: "◌ loading"}
	case p.err == nil:
		return page.Status{Tone: theme.Good, Text: "● live " + when.Every(p.interval)}
	case p.good.IsZero():
		return page.Status{Tone: theme.Bad, Text: "○ offline · " + next}
	case p.fails < offlineAfter:
		return page.Status{Tone: theme.Waiting, Text: fmt.Sprintf("◌ late %s · %s", when.Age(p.good, now), next)}
	}
	return page.Status{Tone: theme.Bad, Text: fmt.Sprintf("○ offline %s · %s", when.Age(p.good, now), next)}
}
