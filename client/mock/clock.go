package mock

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// The bounds of the simulated clock.
const (
	// MaxSpeed is the fastest that simulated time may run, in simulated seconds a second.
	MaxSpeed = 10_000
	// maxAhead is how far simulated time gets beyond its start, where it stands still:
	// arithmetic on times and the API's timestamps hold until then.
	maxAhead = 100 * 365 * 24 * time.Hour
)

// ErrTimeIsOver is returned by [Server.Advance] for a time that the simulation does not reach.
var ErrTimeIsOver = errors.New("the simulation ends a hundred years after its start")

// clock is simulated time, as a straight line over real time: from the point where it
// was last changed it runs speed times as fast. Changing the speed moves the point to
// the present, so that time never jumps but where it is told to. It never goes back,
// not even where the real clock does: what was born stays born.
type clock struct {
	real func() time.Time
	end  time.Time

	mu    sync.Mutex
	since time.Time // the real time of the point
	at    time.Time // the simulated time of the point
	speed float64
	seen  struct{ since, at time.Time } // the latest reading
}

// newClock returns a clock that is at a simulated time when the real one is at since.
func newClock(real func() time.Time, since, start, at time.Time, speed float64) *clock {
	return &clock{
		real: real, end: start.Add(maxAhead),
		// Wall time, without the monotonic reading: a laptop that slept has moved on.
		since: since.Round(0), at: at.Round(0).UTC(), speed: speed,
	}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, at := c.read()
	return at
}

// read returns the present in both times. The mutex is held.
func (c *clock) read() (since, at time.Time) {
	since = c.real().Round(0)
	if since.Before(c.seen.since) {
		c.since, c.at = since, c.seen.at
	}
	at = c.at.Add(scaled(since.Sub(c.since), c.speed))
	if at.After(c.end) {
		at = c.end
	}
	c.seen.since, c.seen.at = since, at
	return since, at
}

// pace returns the speed.
func (c *clock) pace() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.speed
}

// reading returns the time and the speed as they are together.
func (c *clock) reading() (at time.Time, speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, at = c.read()
	return at, c.speed
}

func (c *clock) setSpeed(speed float64) error {
	if err := checkSpeed(speed); err != nil {
		return fmt.Errorf("mock: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since, c.at = c.read()
	c.speed = speed
	return nil
}

func (c *clock) advance(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("mock: time cannot go back by %s", -d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	since, at := c.read()
	if d > c.end.Sub(at) {
		return fmt.Errorf("mock: %s further: %w", d, ErrTimeIsOver)
	}
	c.since, c.at = since, at.Add(d)
	c.seen.at = c.at
	return nil
}

func checkSpeed(speed float64) error {
	if !(speed >= 0 && speed <= MaxSpeed) {
		return fmt.Errorf("speed %v is not from 0 to %d", speed, MaxSpeed)
	}
	return nil
}

// scaled multiplies exactly by whole numbers: at speed 1 simulated time is real time to
// the nanosecond, however long it has run.
func scaled(d time.Duration, by float64) time.Duration {
	if d <= 0 {
		return 0
	}
	if float64(d)*by > float64(maxAhead) {
		return maxAhead
	}
	whole, part := math.Modf(by)
	return d*time.Duration(whole) + time.Duration(float64(d)*part)
}

// Now returns the simulated time.
func (s *Server) Now() time.Time { return s.platform.clock.now() }

// Speed returns how many simulated seconds pass in a second: 1 unless it was set.
func (s *Server) Speed() float64 { return s.platform.clock.pace() }

// SetSpeed makes simulated time run so many times as fast as the real one from now on;
// 0 makes it stand. The error says that it is not from 0 to [MaxSpeed].
func (s *Server) SetSpeed(speed float64) error { return s.platform.clock.setSpeed(speed) }

// Advance moves simulated time forward at once. What would have happened meanwhile has
// happened. The error is [ErrTimeIsOver], or says that time cannot go back.
func (s *Server) Advance(d time.Duration) error { return s.platform.clock.advance(d) }
