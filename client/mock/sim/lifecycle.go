package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// The statuses of an operation: those of section 3.2, then those of the live service.
const (
	scheduling = "scheduling"
	running    = "running"
	finished   = "finished"
	failed     = "failed"
	errored    = "error"
	cancelling = "cancelling"
	cancelled  = "cancelled"
	skipped    = "skipped"
)

// maxAttempts is the maximum number of attempts of an operation.
const maxAttempts = 3

// lifecycle is the history of an operation: it waits, then is attempted until one attempt succeeds or all have failed.
type lifecycle struct {
	wait     time.Duration
	attempts []time.Duration
	end      string // its last status
}

// Actions that the simulation knows, as the API spells them (section 2.3).
const (
	applyConfig       = "apply_config"
	checkAvailability = "check_availability"
	createBranch      = "create_branch"
	startCompute      = "start_compute"
	suspendCompute    = "suspend_compute"
)

// medians are the median durations of one attempt of an action, in seconds, if it differs from defaultMedian.
var medians = map[string]float64{
	applyConfig: 8, "apply_storage_config": 25, checkAvailability: 20, startCompute: 2.5, suspendCompute: 2,
	"import_data": 90,
}

const (
	defaultMedian = 4     // the median of all other actions
	failing       = 0.015 // share of operations that fail
	retrying      = 0.06  // share of finished operations with a failed attempt
	slow          = 0.008 // share of attempts that take many times as long
)

// newLifecycle draws the lifecycle of an operation.
func newLifecycle(rng *rand.Rand, action string, live bool) lifecycle {
	c := lifecycle{wait: between(rng, 200*time.Millisecond, 2500*time.Millisecond), end: finished}
	tries := 1
	switch r := rng.Float64(); {
	case r < failing:
		c.end, tries = failed, maxAttempts
	case r < failing+retrying:
		tries = 2
	}
	for range tries {
		seconds := cmp.Or(medians[action], defaultMedian) * math.Exp(0.5*rng.NormFloat64())
		if rng.Float64() < slow {
			seconds *= 10
		}
		c.attempts = append(c.attempts, time.Duration(seconds*float64(time.Second)))
	}
	// Some end in statuses unknown to the specification, unless others depend on them.
	switch draw := rng.IntN(20); {
	case live && c.end == failed && draw%3 == 0:
		c.end = errored
	case live && c.end == finished && draw == 0 && action == checkAvailability:
		c.end, c.attempts = skipped, nil
	case live && c.end == finished && draw == 1 && (action == checkAvailability || action == applyConfig):
		c.end = cancelled
	}
	return c
}

// took returns the duration of the whole lifecycle, waiting included.
func (c *lifecycle) took() time.Duration {
	d := c.wait
	for _, a := range c.attempts {
		d += a
	}
	return d
}

// failure reports whether the operation fails.
func (c *lifecycle) failure() bool { return c.end == failed || c.end == errored }

// state is the API's view of an operation at a moment.
type state struct {
	status   string
	failures int
	since    time.Duration // after the creation, when this was last updated
	retry    time.Duration // after the creation, when the next attempt begins; 0 unless one is pending
	done     bool          // in its final state
}

// at returns the state of an operation of that age.
func (c *lifecycle) at(age time.Duration) state {
	t := c.wait
	if age < t {
		return state{status: scheduling}
	}
	s := state{status: running, since: t}
	for i, a := range c.attempts {
		last := i == len(c.attempts)-1
		// A cancelled operation stops during its last half. A failed attempt waits for the next one during its last
		// quarter.
		if half := t + a/2; last && c.end == cancelled && age >= half {
			s.status, s.since = cancelling, half
		}
		if broke := t + a - a/4; !last && age >= broke {
			s.failures, s.since, s.retry = i+1, broke, t+a
		}
		if t += a; age < t {
			return s
		}
		s.retry = 0
	}
	if c.failure() {
		s.failures++
	}
	return state{c.end, s.failures, t, 0, true}
}

// reasons are the live service's error messages, by a part of the action's name.
var reasons = [][]string{
	{"start", "compute did not become ready in time", "no free capacity in the region", "postgres exited with status 1"},
	{"suspend", "compute did not stop in time", "compute has active connections"},
	{"check", "no connection to the compute within 10s", "compute started, but did not answer SELECT 1"},
	{"apply", "the compute did not acknowledge the configuration", "could not apply the roles: role is in use"},
	{"branch", "storage did not create the timeline in time", "the parent's position is not on the pageserver yet"},
	{"import", "the source closed the connection"},
	{"", "storage did not answer in time", "the pageserver did not confirm the tenant's location"},
}

// reason returns why an operation failed.
func reason(action string, number int64) string {
	for _, r := range reasons {
		if strings.Contains(action, r[0]) {
			return pick(newRand(bits(number), 0), r[1:])
		}
	}
	return ""
}
