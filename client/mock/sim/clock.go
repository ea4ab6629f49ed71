package sim

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// MaxSpeed is the fastest that simulated time may run, in simulated seconds a second.
	MaxSpeed = 10_000
	// maxAhead is how far simulated time gets beyond its start, where it stands still: arithmetic on times and the
	// API's timestamps hold until then.
	maxAhead = 100 * 365 * 24 * time.Hour
)

// Clock is simulated time, which runs along with the real one at a speed. It never goes back, not even where the real
// clock does: what was born stays born.
type Clock struct {
	start time.Time
	real  func() time.Time

	mu    sync.Mutex
	read  time.Time // the last reading of the real clock, the zero time before the first
	at    time.Time // the simulated time then
	speed float64
}

// newClock returns a clock that stands at start.
func newClock(real func() time.Time, start time.Time) *Clock {
	return &Clock{start: start, real: real, at: start}
}

// Now returns the simulated time.
func (c *Clock) Now() time.Time {
	at, _ := c.Reading()
	return at
}

// Started returns the simulated time at which the simulation started.
func (c *Clock) Started() time.Time { return c.start }

// Reading returns the simulated time and the speed as they are together.
func (c *Clock) Reading() (at time.Time, speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp()
	return c.at, c.speed
}

// catchUp moves simulated time to the present. The mutex is held.
func (c *Clock) catchUp() {
	read := c.real().Round(0) // without the monotonic reading, so that a laptop that slept has moved on
	by := max(float64(read.Sub(c.read))*c.speed, 0)
	left := c.start.Add(maxAhead).Sub(c.at)
	c.read, c.at = read, c.at.Add(time.Duration(min(by, float64(left))))
}

// Set makes time run at a speed from now on, 0 to stand, and moves it forward at once: what would have happened
// meanwhile has happened. It does both or, with an error, neither. The error says what cannot be.
func (c *Clock) Set(speed float64, ahead time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp()
	switch {
	case !(speed >= 0 && speed <= MaxSpeed):
		return fmt.Errorf("speed %v is not from 0 to %d", speed, MaxSpeed)
	case ahead < 0:
		return fmt.Errorf("time cannot go back by %s", -ahead)
	case ahead > c.start.Add(maxAhead).Sub(c.at):
		return errors.New("the simulation ends a hundred years after its start")
	}
	c.at, c.speed = c.at.Add(ahead), speed
	return nil
}

// Span is a duration that is written as for [time.ParseDuration], and may begin with a number of days: 1d, 2d12h.
type Span time.Duration

// UnmarshalText reads it.
func (s *Span) UnmarshalText(text []byte) error {
	days, rest, found := strings.Cut(string(text), "d")
	if rest = cmp.Or(rest, "0"); !found {
		days, rest = "0", days
	}
	n, err := strconv.ParseUint(days, 10, 15) // more do not fit, and the simulation is over before
	d, wrong := time.ParseDuration(rest)
	if err != nil || wrong != nil {
		return fmt.Errorf("%q is not a duration such as 90s, 1h30m or 2d12h", text)
	}
	*s = Span(time.Duration(n)*day + d)
	return nil
}
