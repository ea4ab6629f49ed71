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

// lifecycle is the plan of an operation: it waits, then is attempted until one attempt succeeds or all have failed.
type lifecycle struct {
	wait     time.Duration
	attempts []time.Duration
	// retry is how long the operation is failed before its last attempt. If it is 0, the next attempt follows at once, and
	// the operation is running all the time.
	retry time.Duration
	end   string // its last status
}

// Actions that the simulation knows, as the API spells them (section 2.3).
const (
	applyConfig       = "apply_config"
	checkAvailability = "check_availability"
	createBranch      = "create_branch"
	deleteTimeline    = "delete_timeline"
	startCompute      = "start_compute"
	suspendCompute    = "suspend_compute"
)

// medians are the median durations of one attempt of an action, in seconds, if it differs from defaultMedian.
var medians = map[string]float64{
	applyConfig: 8, "apply_storage_config": 25, checkAvailability: 20, startCompute: 2.5,
	suspendCompute: 2,
	"import_data":  90,
}

const (
	defaultMedian = 4     // the median of all other actions
	failing       = 0.015 // share of operations that fail
	recovering    = 0.012 // share of operations that fail, and finish once the service has tried again
	retrying      = 0.06  // share of operations with a failed attempt that the service repeats at once
	slow          = 0.008 // share of attempts that take many times as long
)

// drawLifecycle draws the lifecycle of an operation.
func drawLifecycle(rng *rand.Rand, action string, live bool) lifecycle {
	c := lifecycle{wait: between(rng, 200*time.Millisecond, 2500*time.Millisecond), end: finished}
	tries := 1
	switch r := rng.Float64(); {
	case r < failing:
		c.end, tries = failed, maxAttempts
	case r < failing+recovering:
		tries, c.retry = 2, between(rng, 5*time.Second, 90*time.Second)
	case r < failing+recovering+retrying:
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
	draw, check := rng.IntN(20), action == checkAvailability
	switch {
	case !live || c.retry > 0:
	case c.end == failed && draw%3 == 0:
		c.end = errored
	case c.end == finished && draw == 0 && check:
		c.end, c.attempts = skipped, nil
	case c.end == finished && draw == 1 && (check || action == applyConfig):
		c.end = cancelled
	}
	return c
}

// took returns the duration of the whole lifecycle, waiting included.
func (c *lifecycle) took() time.Duration {
	d := c.wait + c.retry
	for _, a := range c.attempts {
		d += a
	}
	return d
}

// failure reports whether the operation fails for good.
func (c *lifecycle) failure() bool { return c.end == failed || c.end == errored }

// state is the API's view of an operation from a moment on. Times are relative to the operation's creation.
type state struct {
	since    time.Duration // when it began
	status   string
	failures int
	retry    time.Duration // when the next attempt begins or began; 0 if none was announced
}

// states returns the states of the operation, in order. The last one is final.
func (c *lifecycle) states() []state {
	t := c.wait
	out := []state{{status: scheduling}}
	s := state{since: t, status: running}
	for i, a := range c.attempts {
		last := i == len(c.attempts)-1
		out = append(out, s)
		switch end := t + a; {
		case last && c.end == cancelled:
			// It stops during its last half.
			out = append(out, state{end - a/2, cancelling, s.failures, s.retry})
		case last:
		case c.retry > 0 && i == len(c.attempts)-2:
			out = append(out, state{end, failed, i + 1, end + c.retry})
			s = state{end + c.retry, running, i + 1, end + c.retry}
			t += c.retry
		default:
			// It stays running, and waits for the next attempt during the last quarter of this one.
			s = state{end - a/4, running, i + 1, end}
		}
		t += a
	}
	s.since, s.status = t, c.end
	if c.failure() {
		s.failures++
	}
	return append(out, s)
}

// failure is a failure by hand, at an age of the operation. If retry is not 0, the operation is tried again after it.
type failure struct{ age, retry time.Duration }

// retried is how long the retry of an operation runs that has no attempts of its own.
const retried = 4 * time.Second

// apply returns the states of an operation with a lifecycle after the failure.
func (f failure) apply(states []state, c *lifecycle) []state {
	n := current(states, f.age)
	s := state{f.age, failed, states[n].failures + 1, 0}
	states = states[:n+1]
	if f.retry == 0 {
		return append(states, s)
	}
	s.retry = f.age + f.retry
	run := retried
	if n := len(c.attempts); n > 0 {
		run = c.attempts[n-1]
	}
	second, end := s, s
	second.since, second.status = s.retry, running
	end.since, end.status = s.retry+run, finished
	return append(states, s, second, end)
}

// current returns the index of the state of an operation of that age.
func current(states []state, age time.Duration) int {
	n := 0
	for i := range states {
		if states[i].since <= age {
			n = i
		}
	}
	return n
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
