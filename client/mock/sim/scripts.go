package sim

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// script is a chain of operations that belong together, such as a compute that is woken, configured and suspended.
type script struct {
	weight  int // how often it is played, among the others
	where   place
	actions string // separated by blanks; each waits for the one before it
	times   int    // how often it is played almost at once
}

// place is where a script is played.
type place int

const (
	anywhere place = iota
	onMain         // on the default branch
	onOther        // on another branch
	onNew          // on a branch that is made for it
)

// everyday is what a project in use goes through.
var everyday = []script{
	{20, onNew, "create_branch start_compute apply_config suspend_compute", 1},
	{2, onNew, "create_branch start_compute suspend_compute", 4}, // a test run that is cut into parallel parts
	{12, onOther, "start_compute suspend_compute", 1},
	{12, onOther, "suspend_compute start_compute", 1},
	{20, onMain, "apply_config", 1},
	{4, onMain, "apply_storage_config", 1},
	{20, anywhere, "check_availability", 1},
}

// upkeep is work that the specification does not name, and that the live service lists.
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

// builder draws the operations of one slot. A chain begins and ends within it, so that slots need not know of each
// other.
type builder struct {
	*project

	rng    *rand.Rand
	begin  time.Time
	length time.Duration
	steps  []operation
}

// slot draws what happens in a slot, oldest first, no two at the same microsecond.
func (p *project) slot(slot int64) []operation {
	b := &builder{project: p, rng: newRand(p.key, slot), begin: p.begin(slot)}
	b.length = p.timeline.begin(slot + 1).Sub(b.begin)
	if p.index < 2 && slot == p.overture {
		b.overture()
	}
	scripts, latest := everyday, b.length*9/10
	switch {
	case p.dormant:
		scripts, latest = dormant, b.length/12
	case p.live:
		scripts = slices.Concat(everyday, upkeep)
	}
	b.fill(scripts, latest)
	slices.SortStableFunc(b.steps, func(x, y operation) int { return x.created.Compare(y.created) })
	for i := range b.steps {
		op := &b.steps[i]
		op.number = slot*p.perSlot + int64(i)
		op.id = UUID(p.key, op.number)
		if op.created = op.created.Truncate(time.Microsecond); i > 0 && !op.created.After(b.steps[i-1].created) {
			op.created = b.steps[i-1].created.Add(time.Microsecond)
		}
	}
	return b.steps[min(max(p.first-slot*p.perSlot, 0), p.perSlot):]
}

// fill plays scripts, the last of which begins before the latest time after the slot's beginning, until it is full.
func (b *builder) fill(scripts []script, latest time.Duration) {
	all := 0
	for _, s := range scripts {
		all += s.weight
	}
	for b.room() > 0 {
		draw := b.rng.IntN(all)
		i := slices.IndexFunc(scripts, func(s script) bool {
			draw -= s.weight
			return draw < 0
		})
		b.play(scripts[i], between(b.rng, 0, latest))
	}
}

// room is how many operations the slot still needs.
func (b *builder) room() int { return int(b.perSlot) - len(b.steps) }

// play adds the operations of a script, from a time after the slot's beginning on. A chain breaks off where one fails,
// and at the slot's end.
func (b *builder) play(s script, from time.Duration) {
	pause := between(b.rng, b.length/10, b.length/2)
	for i := range s.times {
		on, at, before := b.compute(s.where), from+time.Duration(i)*between(b.rng, 100*time.Millisecond, 500*time.Millisecond), ""
		for action := range strings.FieldsSeq(s.actions) {
			switch {
			case action == "tenant_detach":
				at += 30 * day
			case before != "" && (action == suspendCompute || before == suspendCompute):
				at += min(pause, 25*time.Minute)
			case before != "" && before != createBranch:
				at += between(b.rng, time.Second, 10*time.Second)
			}
			if b.room() == 0 || at >= b.length {
				break
			}
			op := operation{action: action, branch: on.branch, endpoint: on.of(action), course: newCourse(b.rng, action, b.live)}
			op.created = b.begin.Add(at)
			b.steps = append(b.steps, op)
			if op.failure() {
				break
			}
			at, before = at+op.took(), action
		}
	}
}

// overture is what everybody sees who starts a platform: something slow, a recent failure, and something running.
func (b *builder) overture() {
	end, s := b.begin.Add(b.length), time.Second
	for _, op := range []operation{
		{created: end.Add(-190 * s), action: createBranch, course: course{s, []time.Duration{540 * s}, finished}},
		{created: end.Add(-80 * s), action: startCompute, course: course{s, []time.Duration{3 * s, 4 * s, 4 * s}, failed}},
		{created: end.Add(-12 * s), action: applyConfig, course: course{s, []time.Duration{25 * s}, finished}},
	}[b.index:] {
		on := pick(b.rng, b.computes)
		op.created = op.created.Add(-between(b.rng, 0, 5*s))
		op.branch, op.endpoint = on.branch, on.of(op.action)
		b.steps = append(b.steps, op)
	}
}

// compute returns a compute of a kind.
func (b *builder) compute(where place) compute {
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

// compute is where an operation takes place: a branch and, mostly, the compute endpoint on it.
type compute struct{ branch, endpoint string }

func newCompute(rng *rand.Rand) compute {
	return compute{newID(rng, "br-", rng.Int()), newID(rng, "ep-", rng.Int())}
}

// of returns the endpoint that an action on the compute takes place on: some are on its branch alone.
func (c compute) of(action string) string {
	for _, storage := range []string{"create_branch", "timeline", "storage", "tenant", "import", "pageserver"} {
		if strings.Contains(action, storage) {
			return ""
		}
	}
	return c.endpoint
}
