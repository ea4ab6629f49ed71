package sim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// The kinds of operation that the simulation performs, as the API spells them (section 2.3).
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

// builder draws the operations of one slot: chains that belong together, such as a compute that is woken, configured and
// suspended. A chain begins and ends within the slot, so that slots need not know of each other.
type builder struct {
	rng     *rand.Rand
	project *project
	begin   time.Time
	length  time.Duration
	steps   []operation // created by the beginning of their chain, until they are placed
	chains  []int       // where the movable chains begin among the steps
	idle    []compute   // computes that no chain of this slot has taken yet
}

// link is an operation of a chain, and how long after the one before it ended it is created.
type link struct {
	after  time.Duration
	action string
}

func newBuilder(p *project, slot int64) *builder {
	b := &builder{rng: newRand(p.key, slot), project: p, begin: p.begin(slot), steps: make([]operation, 0, p.profile.perSlot)}
	b.length = p.begin(slot + 1).Sub(b.begin)
	b.idle = slices.Clone(p.computes[1:])
	b.rng.Shuffle(len(b.idle), func(i, j int) { b.idle[i], b.idle[j] = b.idle[j], b.idle[i] })
	return b
}

// room is how many operations the slot still needs.
func (b *builder) room() int { return b.project.profile.perSlot - len(b.steps) }

// chain adds operations of which each waits for the one before it. It breaks off where one fails.
func (b *builder) chain(on compute, links ...link) {
	b.chains = append(b.chains, len(b.steps))
	b.follow(0, on, links...)
}

// follow adds operations to the chain, from a time after its beginning on.
func (b *builder) follow(at time.Duration, on compute, links ...link) {
	for _, l := range links {
		if b.room() == 0 {
			return
		}
		op := operation{action: l.action, branch: on.branch, endpoint: on.of(l.action), course: newCourse(b.rng, l.action, b.project.live)}
		op.created = b.begin.Add(at + l.after)
		b.steps = append(b.steps, op)
		if op.failure() {
			return
		}
		at += l.after + op.took()
	}
}

// of returns the endpoint that an action on the compute takes place on: some are on its branch alone.
func (c compute) of(action string) string {
	switch action {
	case createBranch, createTimeline, applyStorageConfig, tenantDetach, tenantReattach, "import_data",
		"prepare_secondary_pageserver", "switch_pageserver", "timeline_archive", "delete_timeline":
		return ""
	}
	return c.endpoint
}

// place moves the chains to their places in the slot, spread evenly, and puts the steps in order of time, no two at the
// same microsecond.
func (b *builder) place() {
	for i, from := range b.chains {
		to := len(b.steps)
		if i+1 < len(b.chains) {
			to = b.chains[i+1]
		}
		var span time.Duration
		for _, op := range b.steps[from:to] {
			span = max(span, op.created.Sub(b.begin))
		}
		share := (float64(i) + b.rng.Float64()) / float64(len(b.chains))
		begin := time.Duration(share * float64(max(b.length*99/100-span, 0)))
		for n := range b.steps[from:to] {
			op := &b.steps[from+n]
			op.created = b.begin.Add(micros(min(op.created.Sub(b.begin)+begin, b.length*99/100)))
		}
	}
	slices.SortStableFunc(b.steps, func(x, y operation) int { return x.created.Compare(y.created) })
	for i := 1; i < len(b.steps); i++ {
		if last := b.steps[i-1].created; !b.steps[i].created.After(last) {
			b.steps[i].created = last.Add(time.Microsecond)
		}
	}
}

// newCompute draws a branch that is made for one purpose, and the compute on it.
func (b *builder) newCompute() compute {
	return compute{b.project.words.id(b.rng, "br-"), b.project.words.id(b.rng, "ep-")}
}

// pause draws how long a compute is used and then left alone before it is suspended.
func (b *builder) pause() time.Duration { return between(b.rng, b.length/10, b.length/2) }

// everyday fills a slot with what a project in use goes through.
func everyday(b *builder) {
	for b.room() > 0 {
		soon := between(b.rng, time.Second, 10*time.Second)
		switch r := b.rng.IntN(100); {
		case r < 3 && b.room() >= 12:
			b.burst()
		case r < 22 && b.room() >= 4:
			b.chain(b.newCompute(), link{0, createBranch}, link{50 * time.Millisecond, startCompute},
				link{soon, applyConfig}, link{b.pause(), suspendCompute})
		case r < 45 && b.room() >= 2 && len(b.idle) > 0:
			// Of the computes some sleep between slots and the others do not.
			on, chain := b.idle[0], []link{{0, startCompute}, {b.pause(), suspendCompute}}
			if on.branch[len(on.branch)-1]%2 == 0 {
				chain = []link{{0, suspendCompute}, {b.pause(), startCompute}}
			}
			b.chain(on, chain...)
			b.idle = b.idle[1:]
		case r < 65:
			b.chain(b.project.computes[0], link{0, applyConfig})
		case r < 70:
			b.chain(b.project.computes[0], link{0, applyStorageConfig})
		case r < 80 && b.project.live && b.room() >= 3:
			b.upkeep(soon)
		default:
			b.chain(pick(b.rng, b.project.computes), link{0, checkAvailability})
		}
	}
}

// burst is the branches of a test run that is cut into parallel parts, created almost at once.
func (b *builder) burst() {
	b.chains = append(b.chains, len(b.steps))
	pause := b.pause()
	for i := range 4 {
		at := time.Duration(i) * between(b.rng, 100*time.Millisecond, 500*time.Millisecond)
		b.follow(at, b.newCompute(), link{0, createBranch}, link{50 * time.Millisecond, startCompute}, link{pause, suspendCompute})
	}
}

// upkeep is work that the specification does not name, and that the live service lists.
func (b *builder) upkeep(after time.Duration) {
	actions := pick(b.rng, [][]string{
		{"prepare_secondary_pageserver", "switch_pageserver"},
		{"prewarm_replica", "promote_replica"},
		{"import_data", "mark_migration_prepared", "finalize_migration"},
		{"create_compute", "apply_schema_from_branch", "sync_dbs_and_roles_from_compute"},
		{"start_reserved_compute", "swap_binding_id"},
		{createBranch, "timeline_archive", "delete_timeline"},
	})
	var chain []link
	for _, action := range actions {
		chain = append(chain, link{after, action})
	}
	b.chain(b.newCompute(), chain...)
}

// birth is the story of a project's creation, at the slot's beginning.
func (b *builder) birth() {
	b.follow(0, b.project.computes[0], link{0, createTimeline}, link{0, createBranch}, link{0, startCompute})
}

// dormant fills a slot with a project that is used for a day, and then forgotten until it is detached from storage after
// 30 days (section 8).
func dormant(b *builder) {
	b.chain(b.project.computes[0], link{0, tenantReattach}, link{0, startCompute}, link{time.Hour, applyConfig},
		link{5 * time.Hour, checkAvailability}, link{7 * time.Hour, suspendCompute}, link{30 * 24 * time.Hour, tenantDetach})
}

// overture is what everybody sees who starts a platform: something running, something slow, and recent failures.
func (b *builder) overture() {
	end, on := b.begin.Add(b.length), b.project.computes
	for _, op := range []operation{
		{created: end.Add(-4 * time.Minute), action: createBranch, course: course{time.Second, []time.Duration{9 * time.Minute}, finished}},
		{created: end.Add(-80 * time.Second), action: startCompute, course: course{
			time.Second, []time.Duration{3 * time.Second, 4 * time.Second, 4 * time.Second}, failed,
		}},
		{created: end.Add(-12 * time.Second), action: applyConfig, course: course{time.Second, []time.Duration{25 * time.Second}, finished}},
	}[b.project.index:] {
		c := pick(b.rng, on)
		op.created = op.created.Add(-micros(between(b.rng, 0, 5*time.Second)))
		op.branch, op.endpoint = c.branch, c.of(op.action)
		b.steps = append(b.steps, op)
	}
}
