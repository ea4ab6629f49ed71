package mock

import (
	"math"
	"math/rand/v2"
	"time"
)

// The kinds of operation that the simulation performs, as the API spells them
// (section 2.3).
const (
	applyConfig        = "apply_config"
	applyStorageConfig = "apply_storage_config"
	checkAvailability  = "check_availability"
	createBranch       = "create_branch"
	createTimeline     = "create_timeline"
	startCompute       = "start_compute"
	suspendCompute     = "suspend_compute"
	tenantDetach       = "tenant_detach"
	tenantReattach     = "tenant_reattach"
)

// maxAttempts is how often an operation is tried before it is given up.
const maxAttempts = 3

// kind is how operations of one action behave.
type kind struct {
	median   time.Duration // of one attempt
	failing  float64       // share that ends as failed
	retrying float64       // share that finishes after failures
}

func kindOf(action string) kind {
	switch action {
	case applyConfig:
		return kind{8 * time.Second, 0.05, 0.06}
	case applyStorageConfig:
		return kind{25 * time.Second, 0.04, 0.05}
	case checkAvailability:
		return kind{20 * time.Second, 0.08, 0.08}
	case createBranch:
		return kind{4 * time.Second, 0.03, 0.03}
	case createTimeline:
		return kind{3 * time.Second, 0, 0.05}
	case startCompute:
		return kind{2500 * time.Millisecond, 0.06, 0.08}
	case suspendCompute:
		return kind{2 * time.Second, 0.01, 0.03}
	case tenantDetach:
		return kind{20 * time.Second, 0, 0.10}
	case tenantReattach:
		return kind{7 * time.Second, 0, 0.10}
	}
	return kind{4 * time.Second, 0.04, 0.05}
}

// course is how an operation goes: it waits, then is tried until an attempt
// succeeds or all of them have failed.
type course struct {
	wait     time.Duration
	attempts [maxAttempts]time.Duration
	tries    int // how many of attempts there are
	failed   bool
}

// newCourse draws how an operation of the action goes.
func newCourse(rng *rand.Rand, action string) course {
	k := kindOf(action)
	c := course{wait: between(rng, 200*time.Millisecond, 2500*time.Millisecond), tries: 1}
	switch r := rng.Float64(); {
	case r < k.failing:
		c.failed = true
		c.tries = 1 + rng.IntN(maxAttempts)
	case r < k.failing+k.retrying:
		c.tries = 2 + rng.IntN(maxAttempts-1)
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

// took is how long the whole course takes, waiting included.
func (c *course) took() time.Duration {
	d := c.wait
	for _, a := range c.attempts[:c.tries] {
		d += a
	}
	return d
}

// The states of an operation (section 3.2).
const (
	scheduling = "scheduling"
	running    = "running"
	finished   = "finished"
	failed     = "failed"
)

// state is what the API says of an operation at a moment.
type state struct {
	status   string
	failures int
	since    time.Duration // after the creation, when this was last updated
}

// at returns the state when the operation has the age.
func (c *course) at(age time.Duration) state {
	t := c.wait
	if age < t {
		return state{status: scheduling}
	}
	s := state{status: running, since: t}
	for i, a := range c.attempts[:c.tries] {
		t += a
		if age < t {
			return s
		}
		s.since = t
		if i < c.tries-1 || c.failed {
			s.failures++
		}
	}
	s.status = finished
	if c.failed {
		s.status = failed
	}
	return s
}
