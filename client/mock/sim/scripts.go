package sim

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// script is a chain of related operations, such as a compute that is started, configured and suspended.
type script struct {
	weight  int // how often it is played, relative to the others
	where   target
	actions string // separated by blanks; each waits for the one before it
	times   int    // how often it is played almost at once
}

// target is the branch that a script runs on.
type target int

const (
	anywhere target = iota
	onMain          // the default branch
	onOther         // another branch
	onNew           // a branch created for it
)

// everyday are the scripts of a project in use.
var everyday = []script{
	{20, onNew, "create_branch start_compute apply_config suspend_compute", 1},
	{2, onNew, "create_branch start_compute suspend_compute", 4}, // a test run that is split into parallel parts
	{12, onOther, "start_compute suspend_compute", 1},
	{12, onOther, "suspend_compute start_compute", 1},
	{20, onMain, "apply_config", 1},
	{4, onMain, "apply_storage_config", 1},
	{20, anywhere, "check_availability", 1},
}

// upkeep are maintenance actions that only the live service lists.
var upkeep = []script{
	{2, anywhere, "prepare_secondary_pageserver switch_pageserver", 1},
	{2, anywhere, "prewarm_replica promote_replica", 1},
	{2, onNew, "import_data mark_migration_prepared finalize_migration", 1},
	{2, onNew, "create_compute apply_schema_from_branch sync_dbs_and_roles_from_compute", 1},
	{2, onMain, "start_reserved_compute swap_binding_id", 1},
	{2, onNew, "create_branch timeline_archive delete_timeline", 1},
}

// dormant is a project that is used for a while, and then forgotten until it is detached from storage (section 8).
var dormant = []script{
	{1, onMain, "tenant_reattach start_compute apply_config check_availability suspend_compute tenant_detach", 1},
}

// builder draws the operations of one slot. A chain begins and ends within it, so that slots are independent.
type builder struct {
	*project

	rng    *rand.Rand
	begin  time.Time
	length time.Duration
	steps  []*operation
}

// slot draws the operations of a slot, oldest first, each at a microsecond of its own.
func (p *project) slot(slot int64) []*operation {
	b := &builder{project: p, rng: newRand(p.key, slot), begin: p.slotStart(slot)}
	b.length = p.timeline.slotStart(slot + 1).Sub(b.begin)
	if p.index < 2 && slot == p.openingSlot {
		b.opening()
	}
	scripts, latest := everyday, b.length*9/10
	b.wave(slot)
	switch {
	case p.dormant:
		scripts, latest = dormant, b.length/12
	case p.live:
		scripts = slices.Concat(everyday, upkeep)
	}
	b.fill(scripts, latest)
	slices.SortStableFunc(b.steps, (*operation).compareCreation)
	for i, op := range b.steps {
		op.number = slot*p.perSlot + int64(i)
		op.id = UUID(p.key, op.number)
		op.created = op.created.Truncate(time.Microsecond)
		if i > 0 && !op.created.After(b.steps[i-1].created) {
			op.created = b.steps[i-1].created.Add(time.Microsecond)
		}
	}
	return b.steps[min(max(p.first-slot*p.perSlot, 0), p.perSlot):]
}

// wave adds checks that begin within two seconds, as after a change of the platform. A busy project gets many of them in
// every fourth slot. A quiet project gets one in each slot, at the same time as other quiet projects.
func (b *builder) wave(slot int64) {
	n, offset := 1, 20*time.Minute
	switch {
	case b.dormant, b.perSlot < 1:
		n = 0
	case b.days > 1:
		n, offset = int(b.perSlot)/3, between(b.rng, 0, b.length*9/10)
		if slot%4 != 0 {
			n = 0
		}
	}
	for range n {
		b.start(b.compute(anywhere), checkAvailability, offset+between(b.rng, 0, 2*time.Second))
	}
}

// start adds an operation that begins at a time after the slot's beginning.
func (b *builder) start(host compute, action string, offset time.Duration) *operation {
	op := &operation{
		created: b.begin.Add(offset), action: action, branch: host.branch, endpoint: host.of(action),
		lifecycle: drawLifecycle(b.rng, action, b.live),
	}
	b.suffer(op)
	b.steps = append(b.steps, op)
	return op
}

// fill plays scripts until the slot is full. None begins later than latest after the slot's beginning.
func (b *builder) fill(scripts []script, latest time.Duration) {
	for b.room() > 0 {
		s := b.pickScript(scripts)
		b.play(s, between(b.rng, 0, latest))
	}
}

// pickScript draws a script by the weights.
func (b *builder) pickScript(scripts []script) script {
	sum := 0
	for _, s := range scripts {
		sum += s.weight
	}
	i := 0
	for draw := b.rng.IntN(sum); draw >= scripts[i].weight; i++ {
		draw -= scripts[i].weight
	}
	return scripts[i]
}

// room returns how many operations the slot still needs.
func (b *builder) room() int { return int(b.perSlot) - len(b.steps) }

// play adds the operations of a script, from a time after the slot's beginning. A chain ends at a failure, and at the
// slot's end.
func (b *builder) play(s script, from time.Duration) {
	pause := between(b.rng, b.length/10, b.length/2)
	for i := range s.times {
		compute, head := b.compute(s.where), ""
		offset := from + time.Duration(i)*between(b.rng, 100*time.Millisecond, 500*time.Millisecond)
		for action := range strings.FieldsSeq(s.actions) {
			switch {
			case action == "tenant_detach":
				offset += 30 * day
			case head != "" && (action == suspendCompute || head == suspendCompute):
				offset += min(pause, 25*time.Minute)
			case head != "" && head != createBranch:
				offset += between(b.rng, time.Second, 10*time.Second)
			}
			if b.room() == 0 || offset >= b.length {
				break
			}
			op := b.start(compute, action, offset)
			if op.failure() {
				break
			}
			offset, head = offset+op.took(), action
		}
	}
}

// opening adds the operations that every platform shows at its start: a slow one, a recent failure, and a running one.
func (b *builder) opening() {
	const s = time.Second
	end := b.begin.Add(b.length)
	slow := lifecycle{s, []time.Duration{540 * s}, 0, finished}
	failure := lifecycle{s, []time.Duration{3 * s, 4 * s, 4 * s}, 0, failed}
	underWay := lifecycle{s, []time.Duration{25 * s}, 0, finished}
	for _, op := range []*operation{
		{created: end.Add(-190 * s), action: createBranch, lifecycle: slow},
		{created: end.Add(-80 * s), action: startCompute, lifecycle: failure},
		{created: end.Add(-12 * s), action: applyConfig, lifecycle: underWay},
	}[b.index:] {
		compute := pick(b.rng, b.computes)
		if op.action == createBranch {
			compute = newCompute(newRand(b.key, 1<<44))
		}
		op.created = op.created.Add(-between(b.rng, 0, 5*s))
		op.branch, op.endpoint = compute.branch, compute.of(op.action)
		b.steps = append(b.steps, op)
	}
}

// compute returns a compute on a target.
func (b *builder) compute(where target) compute {
	switch where {
	case onMain:
		return b.computes[0]
	case onOther:
		return pick(b.rng, b.computes[1:])
	case onNew:
		return newCompute(b.rng)
	case anywhere:
	}
	return pick(b.rng, b.computes)
}

// compute is the location of an operation: a branch and, usually, its compute endpoint.
type compute struct{ branch, endpoint string }

func newCompute(rng *rand.Rand) compute {
	return compute{newID(rng, "br-", rng.Int()), newID(rng, "ep-", rng.Int())}
}

// of returns the endpoint of an action on the compute. Actions on storage have none.
func (c compute) of(action string) string {
	for _, storage := range []string{"create_branch", "timeline", "storage", "tenant", "import", "pageserver"} {
		if strings.Contains(action, storage) {
			return ""
		}
	}
	return c.endpoint
}
