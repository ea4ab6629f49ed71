package feed

import (
	"cmp"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// MaxBudget is the maximum of [Options].Budget.
const MaxBudget = 100

// Options limit what a [Poller] requests.
type Options struct {
	Interval time.Duration // between the cycles of polls
	Budget   int           // requests a second on average, see [budget.Budget]
	PageSize int           // the maximum number of operations of a page
}

// Bound returns the maximum age of a current project's last response.
func (o Options) Bound() time.Duration { return 2 * o.Interval }

// MaxPinned returns how many pinned projects are polled first in every cycle: as many as a quarter of the budget covers.
// The rest is for the remaining projects. If more are pinned, none has priority.
func (o Options) MaxPinned() int { return max(1, int(o.Interval.Seconds())*o.Budget/4) }

// pageSize returns the page size. The first pages of all projects have at most firstLoad operations together, so that
// those of thousands of projects leave room for the range.
func (o Options) pageSize(projects int) int {
	const firstLoad, least = MostLoaded / 2, 10
	return max(min(least, o.PageSize), min(o.PageSize, firstLoad/max(1, projects)))
}

const (
	// MostLoaded is how many operations of a range are loaded without being asked for.
	MostLoaded = 100_000
	// MostAsked is how many are loaded if the user asks for them.
	MostAsked = 1_000_000
)

// Range is the operations that the poller loads by itself, besides the newest ones: those of the scope since a time. It
// starts after all projects in scope were read. A page that failed holds up no other project.
type Range struct {
	Since time.Time // by the service's clock; zero: none are loaded
	Most  int       // how many of them are loaded at most; 0: all
	// Asked reports whether the user waits for it: it may use all of the budget that is left, not half, and is loaded
	// while polling is paused.
	Asked bool
}

// conditions are what holds for all projects of a poller: what the user wants, and what was found out.
type conditions struct {
	poll    *poll.Poller
	options Options
	many    int // the number of projects
	pinned  int // the number of pinned ones
	scope   string
	paused  bool
	pauses  int                // how often polling was paused
	failing map[*project]error // why the newest page of each of these projects could not be read last
	watched []Key              // the operations that the user waits for
	viewed  map[string]bool    // the projects with operations that the user looks at
	reach   Range
	// givenBack is the time before which operations of the range were dropped because there were too many, or zero.
	givenBack time.Time
	longest   int       // the longest page that the service gives, or 0 if that is not known
	began     time.Time // when the cycle began
	first     time.Time // when the service first answered, by its clock, or zero
}

// pageSize returns the page size.
func (c *conditions) pageSize() int { return c.options.pageSize(c.many) }

// longestPage returns how many operations a page may have.
func (c *conditions) longestPage() int { return cmp.Or(c.longest, mostAtOnce) }

// maxPinned returns how many pinned projects the budget in force covers.
func (c *conditions) maxPinned() int {
	o := c.options
	o.Budget = c.poll.Health(c.began).Budget
	return o.MaxPinned()
}

// beginCycle begins a cycle if the last one is over, or if the clock was set back.
func (c *conditions) beginCycle(now time.Time) {
	if since := now.Sub(c.began); since >= c.options.Interval || since < 0 {
		c.began = now
	}
}

// aligned returns when to ask for what is due at a time: when the next cycle begins, if that is soon after. Answers that come
// together repaint the screen once.
func (c *conditions) aligned(due time.Time) time.Time {
	const soon = 5 * time.Second
	next := c.began.Add(c.options.Interval)
	if wait := next.Sub(due); wait > 0 && wait < soon {
		return next
	}
	return due
}

// rangeBegin returns the time since which operations are loaded. What was given back is not loaded again until the range
// becomes wider or the scope changes.
func (c *conditions) rangeBegin() time.Time { return later(c.reach.Since, c.givenBack) }

// noteFirst notes when the service first answered, by its clock.
func (c *conditions) noteFirst(page models.Page[models.Operation]) {
	if !c.first.IsZero() {
		return
	}
	c.first = page.AsOf
	if !page.ServiceTime.IsZero() {
		c.first = page.ServiceTime
	}
}

// since reports whether a time is known and is not before the service's first answer, as far as whole seconds tell.
func (c *conditions) since(instant time.Time) bool {
	return !instant.IsZero() && !c.first.IsZero() && !instant.Before(c.first.Truncate(time.Second))
}

// rests reports whether a subject is not asked for yet, because it failed.
func (c *conditions) rests(s poll.Subject, now time.Time) bool {
	return c.poll.Freshness(s).Next.After(now)
}
