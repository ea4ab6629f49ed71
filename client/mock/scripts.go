package mock

import "time"

// birth is the story of a project's creation.
func (b *builder) birth() {
	main := b.project.computes[0]
	b.episode(true)
	b.add(0, createTimeline, compute{branch: main.branch})
	b.add(0, tenantAttach, compute{branch: main.branch})
	b.add(0, createBranch, compute{branch: main.branch})
	b.insist(0, startCompute, main)
}

// everyday fills a slot with what a project in use goes through.
func everyday(b *builder) {
	for b.room() > 0 {
		switch r := b.rng.Float64(); {
		case r < 0.03 && b.room() >= 12:
			b.fleet()
		case r < 0.18 && b.room() >= 6:
			b.preview()
		case r < 0.33 && b.room() >= 5 && len(b.asleep) > 0:
			b.wake()
		case r < 0.48 && b.room() >= 4 && len(b.awake) > 0:
			b.nap()
		case r < 0.70:
			b.single(applyConfig, b.project.computes[0])
		case r < 0.74:
			b.single(applyStorageConfig, compute{branch: b.project.computes[0].branch})
		case r < 0.82 && b.project.live && b.room() >= 4:
			b.upkeep()
		default:
			b.single(checkAvailability, b.project.computes[b.rng.IntN(len(b.project.computes))])
		}
	}
}

// fleet is a burst: the branches of a test run that is cut into parallel parts, created
// almost at once and left alone almost at once.
func (b *builder) fleet() {
	b.episode(false)
	idle := b.idle() / 3
	var last time.Duration
	for i := range 3 + b.rng.IntN(2) {
		c := b.newCompute()
		b.link++ // Each of the branches is a chain of its own.
		created := newCourse(b.rng, createBranch)
		created.failed = false
		at := time.Duration(i) * between(b.rng, 100*time.Millisecond, 500*time.Millisecond)
		b.put(at, compute{branch: c.branch}, createBranch, created)
		woken := newCourse(b.rng, startCompute)
		woken.failed = false
		at += created.took() + 50*time.Millisecond
		b.put(at, c, startCompute, woken)
		last = max(last, at+woken.took())
		b.put(last+idle+between(b.rng, 0, 3*time.Second), c, suspendCompute, newCourse(b.rng, suspendCompute))
	}
}

// newCompute draws a branch that is made for one purpose, and the compute on it.
func (b *builder) newCompute() compute {
	words := b.project.words
	return compute{words.id(b.rng, "br-"), words.id(b.rng, "ep-")}
}

// preview is a branch for a pull request: created, used by a test run, left alone.
func (b *builder) preview() {
	c := b.newCompute()
	b.episode(false)
	if !b.add(0, createBranch, compute{branch: c.branch}) {
		return
	}
	b.insist(50*time.Millisecond, startCompute, c)
	if b.rng.Float64() < 0.6 {
		b.add(between(b.rng, time.Second, 10*time.Second), applyConfig, c)
	}
	b.insist(b.idle()/3, suspendCompute, c)
}

// nap is the suspension of a compute that nobody used, and a connection after a while.
func (b *builder) nap() {
	c := take(&b.awake)
	b.episode(false)
	b.insist(0, suspendCompute, c)
	b.insist(b.idle(), startCompute, c)
}

// wake is a connection to a suspended compute, and its suspension after a while.
func (b *builder) wake() {
	c := take(&b.asleep)
	b.episode(false)
	b.insist(0, startCompute, c)
	if b.rng.Float64() < 0.2 {
		b.add(between(b.rng, 2*time.Second, 20*time.Second), applyConfig, c)
	}
	b.insist(b.idle(), suspendCompute, c)
}

func (b *builder) single(action string, on compute) {
	b.episode(false)
	b.add(0, action, on)
}

// idleBeforeDetach is how long a project is unused before it is detached (section 8).
const idleBeforeDetach = 30 * 24 * time.Hour

// dormant fills a slot with a project that somebody comes back to for a day or two
// and then forgets until it is detached from storage.
func dormant(b *builder) {
	main := b.project.computes[0]
	storage := compute{branch: main.branch}
	b.episode(true)
	b.add(0, tenantReattach, storage)
	b.insist(0, startCompute, main)
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
