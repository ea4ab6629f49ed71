package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// asleep is how long the clock must have stood still for the computer to have slept.
const asleep = 10 * time.Second

// frozenFor is how long the screen's time stands where nothing is to move, and restFor
// elsewhere, at most: it goes on with the next answer, or without one after that.
const frozenFor, restFor = 30 * time.Second, 12 * time.Second

// clock is which time the screen shows.
type clock struct {
	now     time.Time // when the last message came
	painted time.Time // what the screen shows
	ticked  time.Time // the same, gone on with the seconds where what is shown does
	awake   time.Time // when the clock last ticked, on the wall
}

// clockTick tells that the text of ages and countdowns may have changed.
type clockTick struct{}

// untilNextSecond waits for the next full second, when all such texts change together.
func (c *clock) untilNextSecond(ctx context.Context) tea.Cmd {
	return page.After(ctx, time.Second-c.now.Sub(c.now.Truncate(time.Second)), clockTick{})
}

// wake reports whether the computer has slept: the clock went on without the program's timers.
func (c *clock) wake() bool {
	slept := c.slept()
	c.awake = c.now.Round(0)
	return slept
}

func (c *clock) slept() bool { return !c.awake.IsZero() && c.now.Round(0).Sub(c.awake) >= asleep }

// advance settles which time the screen shows: that of what happened last, or the clock's
// once it has stood for long enough. What runs goes on with every second. It reports whether
// there is anything to paint. Painting all ages each second would cost more than all else that
// pgtower does, and rows whose ages stand can be moved by the terminal as they are.
//
// Only a tick may be left out: the clock may go back, where a profile with a time of its
// own is left, and what a user does counts all the same.
func (c *clock) advance(msg tea.Msg, reduceMotion bool, runs func(now time.Time) bool) bool {
	stood, most := c.now.Sub(c.painted), restFor
	if reduceMotion {
		most = frozenFor
	}
	frozen := stood >= 0 && stood < most && !c.slept()
	switch msg := msg.(type) {
	case clockTick:
		if frozen {
			if reduceMotion || !runs(c.now) {
				return false
			}
			c.ticked = c.now
			return true
		}
	case page.Delivery:
		if msg.Quiet && frozen {
			return true
		}
	}
	c.painted, c.ticked = c.now, c.now
	return true
}
