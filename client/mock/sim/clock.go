package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxSpeed is the maximum speed of simulated time, in simulated seconds per second.
	maxSpeed = 10_000
	// maxAhead is the maximum time after the start, at which simulated time stops: arithmetic on times and the API's
	// timestamps work until then.
	maxAhead = 100 * 365 * 24 * time.Hour
)

// Clock is simulated time. It follows the real clock at a speed, and never goes back even if the real clock does: an
// operation that exists must not vanish.
type Clock struct {
	start time.Time
	real  func() time.Time

	mu    sync.Mutex
	read  time.Time // the last reading of the real clock, zero before the first
	at    time.Time // the simulated time of that reading
	speed float64
}

// newClock returns a stopped clock.
func newClock(real func() time.Time, start time.Time) *Clock {
	return &Clock{start: start, real: real, at: start}
}

// Now returns the simulated time.
func (c *Clock) Now() time.Time {
	now, _ := c.Reading()
	return now
}

// Started returns the simulated time at which the simulation started.
func (c *Clock) Started() time.Time { return c.start }

// Reading returns the simulated time and the speed.
func (c *Clock) Reading() (instant time.Time, speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp()
	return c.at, c.speed
}

// catchUp updates simulated time. The mutex is held.
func (c *Clock) catchUp() {
	read := c.real().Round(0) // without the monotonic reading, which stops while a laptop sleeps
	elapsed := max(float64(read.Sub(c.read))*c.speed, 0)
	left := c.start.Add(maxAhead).Sub(c.at)
	c.read, c.at = read, c.at.Add(time.Duration(min(elapsed, float64(left))))
}

// Set changes the speed, 0 to stop, and moves time forward at once. Everything that is due until then happens. With an
// error, which names the invalid value, it changes nothing.
func (c *Clock) Set(speed float64, ahead time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp()
	switch {
	case !(speed >= 0 && speed <= maxSpeed):
		return fmt.Errorf("the speed must be from 0 to %[2]d, not %[1]v", speed, maxSpeed)
	case ahead < 0:
		return fmt.Errorf("time cannot go back by %s", -ahead)
	case ahead > c.start.Add(maxAhead).Sub(c.at):
		return errors.New("the simulation ends a hundred years after its start")
	}
	c.at, c.speed = c.at.Add(ahead), speed
	return nil
}

// Span is a duration in the format of [time.ParseDuration], optionally with days at the start: 1d, 2d12h.
type Span time.Duration

// UnmarshalText parses the span.
func (s *Span) UnmarshalText(text []byte) error {
	days, rest, found := strings.Cut(string(text), "d")
	switch {
	case !found:
		days, rest = "0", string(text)
	case rest == "":
		rest = "0"
	}
	n, err := strconv.ParseUint(days, 10, 15) // larger values overflow, and the simulation ends before
	d, wrong := time.ParseDuration(rest)
	if err != nil || wrong != nil {
		return fmt.Errorf("%q is not a duration such as 90s, 1h30m or 2d12h", text)
	}
	*s = Span(time.Duration(n)*day + d)
	return nil
}
