package mock

import (
	"math/rand/v2"
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
	begin    time.Time
	length   time.Duration
	steps    []step
	episodes []episode
	link     int32 // of the chain that steps are added to
	// Computes that no episode of this slot has taken yet. Between slots some sleep and
	// the others do not, so that as many are woken as are suspended at any time.
	asleep, awake []compute
}

// take takes out one of the computes.
func take(from *[]compute) compute {
	c := (*from)[0]
	*from = (*from)[1:]
	return c
}

func newBuilder(p *project, slot int64) *builder {
	b := &builder{
		rng:     newRand(p.key, slot),
		project: p,
		begin:   p.begin(slot),
		steps:   make([]step, 0, p.profile.perSlot),
	}
	b.length = p.begin(slot + 1).Sub(b.begin)
	for i, c := range p.computes[1:] {
		if i%2 == 0 {
			b.asleep = append(b.asleep, c)
		} else {
			b.awake = append(b.awake, c)
		}
	}
	for _, all := range [][]compute{b.asleep, b.awake} {
		b.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return b
}

// done returns how much of the slot's work is done by an offset.
func (b *builder) done(offset time.Duration) int64 {
	begin := b.begin.UnixMicro()
	return b.project.rhythm.done(begin+offset.Microseconds()) - b.project.rhythm.done(begin)
}

// when returns the offset by which so much of the slot's work is done.
func (b *builder) when(done int64) time.Duration {
	begin := b.begin.UnixMicro()
	r := b.project.rhythm
	return time.Duration(r.when(r.done(begin)+done)-begin) * time.Microsecond
}

// room is how many operations the slot still needs.
func (b *builder) room() int { return b.project.profile.perSlot - len(b.steps) }

func (b *builder) episode(fixed bool) {
	b.link++
	b.episodes = append(b.episodes, episode{from: len(b.steps), fixed: fixed})
}

// add appends an operation to the episode, a while after the one before it ended,
// and says whether it works out.
func (b *builder) add(after time.Duration, action string, on compute) bool {
	return b.append(after, on, action, newCourse(b.rng, action))
}

func (b *builder) append(after time.Duration, on compute, action string, c course) bool {
	offset := time.Duration(0)
	if len(b.steps) > b.episodes[len(b.episodes)-1].from {
		last := &b.steps[len(b.steps)-1]
		offset = last.offset + last.took() + after
	}
	return b.put(offset, on, action, c)
}

// put adds an operation to the episode that does not wait for the one before it.
func (b *builder) put(offset time.Duration, on compute, action string, c course) bool {
	b.steps = append(b.steps, step{
		operation: operation{chain: chain{link: b.link}, action: action, branch: on.branch, endpoint: on.endpoint, course: c},
		offset:    offset,
	})
	return !c.failed
}

// insist adds an operation that others build on; where it fails, whoever wanted it tries
// again.
func (b *builder) insist(after time.Duration, action string, on compute) {
	if !b.add(after, action, on) && b.room() > 0 {
		c := newCourse(b.rng, action)
		c.failed = false
		b.append(between(b.rng, time.Second, 8*time.Second), on, action, c)
	}
}

// idle draws how long a compute is used and then left alone before it is suspended.
func (b *builder) idle() time.Duration {
	usual := between(b.rng, 5*time.Minute, 25*time.Minute)
	return min(usual, between(b.rng, b.length/10, b.length/2))
}
