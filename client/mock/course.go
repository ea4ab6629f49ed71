package mock

import (
	"math"
	"math/rand/v2"
	"time"
)

// maxAttempts is how often an operation is tried before it is given up.
const maxAttempts = 3

// course is how an operation goes: it waits, then is tried until an attempt
// succeeds or all of them have failed.
type course struct {
	wait     time.Duration
	attempts [maxAttempts]time.Duration
	tries    int // how many of attempts there are
	failed   bool
	ending   ending
}

// ending is how an operation of the live service ends where it is not as the
// specification says.
type ending uint8

const (
	asSpecified ending = iota
	errored            // error in place of failed
	cancelling         // given up on request while it was running
	skipped            // found to be needless before it ran
)

const (
	// hopeless is the share of failures that are not worth another attempt.
	hopeless = 0.03
	// again is the share of second attempts that fail as the first did, where the trouble
	// passes: mostly it has passed by then.
	again = 0.12
)

// newCourse draws how an operation of the action goes.
func newCourse(rng *rand.Rand, action string) course {
	k := kindOf(action)
	c := course{wait: between(rng, 200*time.Millisecond, 2500*time.Millisecond), tries: 1}
	switch r := rng.Float64(); {
	case r < k.failing:
		c.failed = true
		if rng.Float64() >= hopeless {
			c.tries = maxAttempts
		}
	case r < k.failing+k.retrying:
		for c.tries++; c.tries < maxAttempts && rng.Float64() < again; {
			c.tries++
		}
	}
	for i := range c.tries {
		c.attempts[i] = attempt(rng, k.median)
	}
	return c
}

// attempt draws a duration around the median with the long tail that such work has,
// and an end to it.
func attempt(rng *rand.Rand, median time.Duration) time.Duration {
	factor := math.Exp(0.5 * rng.NormFloat64())
	d := time.Duration(float64(median) * min(max(factor, 0.3), 3))
	return d.Truncate(time.Microsecond)
}

// asLive gives some operations an ending that the specification does not know. Others
// may depend on those that wake, create or attach: they go as they were drawn.
func (c *course) asLive(action string, draw uint64) {
	switch {
	case c.failed:
		if draw%3 == 0 {
			c.ending = errored
		}
	case action == checkAvailability && draw%20 == 0:
		c.ending = skipped
	case (action == checkAvailability || action == applyConfig) && draw%20 == 1:
		c.ending = cancelling
	}
}

// took is how long the whole course takes, waiting included.
func (c *course) took() time.Duration {
	d := c.wait
	if c.ending == skipped {
		return d
	}
	for _, a := range c.attempts[:c.tries] {
		d += a
	}
	return d
}

// The statuses of an operation: those of section 3.2, then those of the live service.
const (
	statusScheduling = "scheduling"
	statusRunning    = "running"
	statusFinished   = "finished"
	statusFailed     = "failed"
	statusError      = "error"
	statusCancelling = "cancelling"
	statusCancelled  = "cancelled"
	statusSkipped    = "skipped"
)

// pause is the part of an attempt that failed in which the next one is waited for: a
// quarter of it.
const pause = 4

// state is what the API says of an operation at a moment.
type state struct {
	status   string
	failures int
	since    time.Duration // after the creation, when this was last updated
	retry    time.Duration // after the creation, when the next attempt begins; 0 unless one is waited for
	done     bool          // for good
}

// at returns the state when the operation has the age.
func (c *course) at(age time.Duration) state {
	t := c.wait
	switch {
	case age < t:
		return state{status: statusScheduling}
	case c.ending == skipped:
		return state{status: statusSkipped, since: t, done: true}
	}
	s := state{status: statusRunning, since: t}
	for i, a := range c.attempts[:c.tries] {
		last := i == c.tries-1
		if last && c.ending == cancelling {
			// The last half of it is the time that it takes to stop.
			if age >= t+a/2 {
				s.status, s.since = statusCancelling, t+a/2
			}
		}
		if failed := t + a - a/pause; !last && age >= failed {
			s.failures, s.since, s.retry = i+1, failed, t+a
		}
		t += a
		if age < t {
			return s
		}
		s.retry = 0
	}
	s.since = t
	if c.failed {
		s.failures++
	}
	s.status, s.done = c.end(), true
	return s
}

// end is the status in which a course that was run to its end ends.
func (c *course) end() string {
	switch {
	case c.ending == cancelling:
		return statusCancelled
	case c.ending == errored:
		return statusError
	case c.failed:
		return statusFailed
	}
	return statusFinished
}
