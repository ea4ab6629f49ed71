package mock

import (
	"math/rand/v2"
	"slices"
	"time"
)

// step is an operation at its place inside a slot.
type step struct {
	operation
	offset time.Duration
}

// episode is a chain of steps that belong together, such as a compute that is woken,
// configured and suspended. It begins and ends within one slot, with every compute
// as it was, so that slots need not know of each other.
type episode struct {
	from  int  // index of its first step; it ends where the next begins
	fixed bool // stays at the slot's beginning
}

// builder draws the episodes of one slot.
type builder struct {
	rng      *rand.Rand
	project  *project
	length   time.Duration
	steps    []step
	episodes []episode
	asleep   []compute // computes that no episode of this slot has woken yet
}

func newBuilder(p *project, slot int64) *builder {
	b := &builder{
		rng:     newRand(p.key, slot),
		project: p,
		length:  p.length(slot),
		steps:   make([]step, 0, p.profile.perSlot),
		asleep:  slices.Clone(p.computes[1:]),
	}
	b.rng.Shuffle(len(b.asleep), func(i, j int) { b.asleep[i], b.asleep[j] = b.asleep[j], b.asleep[i] })
	return b
}

// room is how many operations the slot still needs.
func (b *builder) room() int { return b.project.profile.perSlot - len(b.steps) }

func (b *builder) begin(fixed bool) {
	b.episodes = append(b.episodes, episode{from: len(b.steps), fixed: fixed})
}

// add appends an operation to the episode, a while after the one before it ended,
// and says whether it works out.
func (b *builder) add(after time.Duration, action string, on compute) bool {
	return b.append(after, on, action, newCourse(b.rng, action))
}

func (b *builder) append(after time.Duration, on compute, action string, c course) bool {
	s := step{operation: operation{action: action, branch: on.branch, endpoint: on.endpoint, course: c}}
	if len(b.steps) > b.episodes[len(b.episodes)-1].from {
		last := &b.steps[len(b.steps)-1]
		s.offset = last.offset + last.took() + after
	}
	b.steps = append(b.steps, s)
	return !c.failed
}

// start wakes a compute; where that fails, whoever wanted it tries again.
func (b *builder) start(after time.Duration, on compute) {
	if !b.add(after, startCompute, on) && b.room() > 0 {
		c := newCourse(b.rng, startCompute)
		c.failed = false
		b.append(between(b.rng, time.Second, 8*time.Second), on, startCompute, c)
	}
}

// idle draws how long a compute is used and then left alone before it is suspended.
func (b *builder) idle() time.Duration {
	usual := between(b.rng, 5*time.Minute, 25*time.Minute)
	return min(usual, between(b.rng, b.length/10, b.length/2))
}
