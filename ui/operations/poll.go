package operations

import (
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/theme"
	"pgtower/ui/when"
)

const (
	// maxDepth is how many pages a round follows to close a gap, before it leaves a row
	// that can be opened.
	maxDepth = 5
	// maxReread is how many unfinished operations of a project a round reads one by one.
	maxReread = 5
	// maxBackoff is the longest wait between tries when the service does not answer.
	maxBackoff = time.Minute
	// offlineAfter is how many rounds have to fail in a row for the feed to be offline.
	offlineAfter = 3
	// slowdown is how much longer the interval is while nobody looks.
	slowdown = 6
	// pollShare is the part of the budget that polling takes, in percent: paging, reading
	// and revoking find room in the rest.
	pollShare = 80
)

// intervals are the steps of faster and slower.
func intervals() []time.Duration {
	return []time.Duration{
		time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
		30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

// poll is the state of asking again and again.
type poll struct {
	interval time.Duration
	// pausedAt is when asking was paused; the zero time means that it is not.
	pausedAt time.Time
	blurred  bool // nobody looks at the terminal
	// round numbers what was armed, so that a tick that was overtaken is ignored.
	round int
	alarm page.Alarm
	busy  bool
	fresh bool // nothing of this round was answered yet
	// once says that this round is to end although asking is paused.
	once bool
	// answered says that something of this round was answered well.
	answered bool
	began    time.Time // when the last round began
	next     time.Time // when the next one is due
	good     time.Time // when the last round ended that brought answers
	newest   time.Time // the same, of whichever scope
	err      error     // of the last round, if it failed
	part     error     // of a project that failed in a round that went well otherwise
	fails    int       // rounds that failed in a row
	// notBefore is until when nothing is asked on its own after a failure: for as long as
	// the service asked for, and longer with each failure.
	notBefore time.Time
}

// forget drops what is known of the answers: they were for another scope.
func (p *poll) forget() {
	p.busy, p.good, p.err, p.part, p.fails, p.notBefore = false, time.Time{}, nil, nil, 0, time.Time{}
}

// paused says that nothing is asked until the person wants it.
func (p *poll) paused() bool { return !p.pausedAt.IsZero() }

// stands is the time that a paused feed stands still at: that of the pause, or of the
// answers that came since, because somebody turned to another project.
func (p *poll) stands() time.Time {
	if p.newest.After(p.pausedAt) {
		return p.newest
	}
	return p.pausedAt
}

// every is the interval in force.
func (p *poll) every() time.Duration {
	steps := intervals()
	if p.blurred {
		return min(p.interval*slowdown, max(p.interval, steps[len(steps)-1]))
	}
	return p.interval
}

// room is how many requests a round may make with the budget of requests a second.
func (p *poll) room(budget int) int {
	return max(1, int(p.every().Seconds()*float64(budget)*pollShare/100))
}

// step makes the interval longer or shorter by one step.
func (p *poll) step(by int) {
	steps := intervals()
	at, exact := slices.BinarySearch(steps, p.interval)
	if !exact && by > 0 {
		at-- // the next longer one is the step that the search ended at
	}
	p.interval = steps[max(0, min(at+by, len(steps)-1))]
}

func (p *poll) begin(now time.Time) {
	p.busy, p.fresh, p.began, p.part, p.answered = true, true, now, nil, false
	p.round++
}

// end notes how a round ended, and returns how long to wait for the next one: until the
// interval is over, doubled with each failure, and never less than the service asked for.
func (p *poll) end(err error, now time.Time) time.Duration {
	p.busy, p.once, p.err = false, false, err
	wait := max(p.every()-now.Sub(p.began), 0)
	if err == nil {
		p.good, p.newest, p.fails = now, now, 0
		return p.arm(wait, now)
	}
	pause := max(backoff(p.every(), p.fails), models.RetryAfterOf(err))
	p.notBefore = now.Add(pause)
	p.fails++
	return p.arm(0, now)
}

// backoff is how long to wait after a failure that came after so many others in a row.
func backoff(every time.Duration, before int) time.Duration {
	return min(every<<min(before, 6), max(maxBackoff, every))
}

// arm settles when the next round is due: after wait, but not before it may be.
func (p *poll) arm(wait time.Duration, now time.Time) time.Duration {
	p.round++
	wait = max(wait, p.notBefore.Sub(now))
	p.next = now.Add(wait)
	return wait
}

// nextTry counts down to a time.
func nextTry(at, now time.Time) string {
	return fmt.Sprintf("next %ds", max(0, int(at.Sub(now).Round(time.Second).Seconds())))
}

// rung is how current the rows are.
type rung int

const (
	loading rung = iota
	paused
	live
	late
	offline
)

// rung is where on the ladder live, late, offline the feed is.
func (p *poll) rung(now time.Time) rung {
	switch {
	case p.paused():
		return paused
	case p.err == nil && p.good.IsZero():
		return loading
	case p.err == nil && p.busy && now.Sub(p.good) > 2*p.every()+time.Second:
		return late
	case p.err == nil:
		return live
	case p.fails < offlineAfter && !p.good.IsZero():
		return late
	}
	return offline
}

// status is the rung of the ladder, with how old the rows are and when the next try is.
// Where nothing is to move, it counts down to nothing.
func (p *poll) status(now time.Time, still bool) page.Status {
	var old, next string
	if !p.good.IsZero() {
		old = " " + when.Age(p.good, now)
	}
	switch {
	case still:
	case p.busy:
		next = " · asking"
	default:
		next = " · " + nextTry(p.next, now)
	}
	switch p.rung(now) {
	case paused:
		return page.Status{Tone: theme.Waiting, Text: "‖ paused at " + when.Clock(p.stands())}
	case loading:
		return page.Status{Tone: theme.Waiting, Text: "◌ loading"}
	case live:
		return page.Status{Tone: theme.Good, Text: "● live " + when.Every(p.every()), Every: p.every()}
	case late:
		return page.Status{Tone: theme.Waiting, Text: "◌ late" + old + next}
	case offline:
	}
	return page.Status{Tone: theme.Alarm, Text: "○ offline" + old + next}
}
