package mock

import "time"

// birth is the story of a project's creation.
func (b *builder) birth() {
	main := b.project.computes[0]
	b.begin(true)
	b.add(0, createTimeline, compute{branch: main.branch})
	b.add(0, createBranch, compute{branch: main.branch})
	b.start(0, main)
}

// everyday fills a slot with what a project in use goes through.
func everyday(b *builder) {
	for b.room() > 0 {
		switch r := b.rng.Float64(); {
		case r < 0.18 && b.room() >= 5:
			b.preview()
		case r < 0.48 && b.room() >= 4 && len(b.asleep) > 0:
			b.wake()
		case r < 0.70:
			b.single(applyConfig, b.project.computes[0])
		case r < 0.74:
			b.single(applyStorageConfig, compute{branch: b.project.computes[0].branch})
		default:
			b.single(checkAvailability, b.project.computes[b.rng.IntN(len(b.project.computes))])
		}
	}
}

// preview is a branch for a pull request: created, used by a test run, left alone.
func (b *builder) preview() {
	words := b.project.words
	c := compute{words.id(b.rng, "br-"), words.id(b.rng, "ep-")}
	b.begin(false)
	if !b.add(0, createBranch, compute{branch: c.branch}) {
		return
	}
	b.start(50*time.Millisecond, c)
	if b.rng.Float64() < 0.6 {
		b.add(between(b.rng, time.Second, 10*time.Second), applyConfig, c)
	}
	b.add(b.idle(), suspendCompute, c)
}

// wake is a connection to a suspended compute, and its suspension after a while.
func (b *builder) wake() {
	c := b.asleep[0]
	b.asleep = b.asleep[1:]
	b.begin(false)
	b.start(0, c)
	if b.rng.Float64() < 0.2 {
		b.add(between(b.rng, 2*time.Second, 20*time.Second), applyConfig, c)
	}
	b.add(b.idle(), suspendCompute, c)
}

func (b *builder) single(action string, on compute) {
	b.begin(false)
	b.add(0, action, on)
}

// idleBeforeDetach is how long a project is unused before it is detached (section 8).
const idleBeforeDetach = 30 * 24 * time.Hour

// dormant fills a slot with a project that somebody comes back to for a day or two
// and then forgets until it is detached from storage.
func dormant(b *builder) {
	main := b.project.computes[0]
	storage := compute{branch: main.branch}
	b.begin(true)
	b.add(0, tenantReattach, storage)
	b.start(0, main)
	for b.room() > 2 {
		action := applyConfig
		if b.rng.Float64() < 0.6 {
			action = checkAvailability
		}
		b.add(between(b.rng, time.Hour, 5*time.Hour), action, main)
	}
	b.add(between(b.rng, 5*time.Minute, time.Hour), suspendCompute, main)
	b.add(idleBeforeDetach, tenantDetach, storage)
}
