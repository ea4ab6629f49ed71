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
	times   int    // how often it is played almost at once; 0 for once
}

// place is where a script is played.
type place int

const (
	anywhere place = iota
	onMain         // on the default branch
	onIdle         // on a branch that no script of the slot is played on yet
	onNew          // on a branch that is made for it
)

// everyday is what a project in use goes through.
var everyday = []script{
	{20, onNew, "create_branch start_compute apply_config suspend_compute", 0},
	{2, onNew, "create_branch start_compute suspend_compute", 4}, // a test run that is cut into parallel parts
	{12, onIdle, "start_compute suspend_compute", 0},
	{12, onIdle, "suspend_compute start_compute", 0},
	{20, onMain, "apply_config", 0},
	{4, onMain, "apply_storage_config", 0},
	{20, anywhere, "check_availability", 0},
}

// upkeep is work that the specification does not name, and that the live service lists.
var upkeep = []script{
	{2, anywhere, "prepare_secondary_pageserver switch_pageserver", 0},
	{2, anywhere, "prewarm_replica promote_replica", 0},
	{2, onNew, "import_data mark_migration_prepared finalize_migration", 0},
	{2, onNew, "create_compute apply_schema_from_branch sync_dbs_and_roles_from_compute", 0},
	{2, onMain, "start_reserved_compute swap_binding_id", 0},
	{2, onNew, "create_branch timeline_archive delete_timeline", 0},
}

// dormant is a project that is used for a while, and then forgotten until it is detached from storage (section 8).
var dormant = []script{
	{1, onMain, "tenant_reattach start_compute apply_config check_availability suspend_compute tenant_detach", 0},
}

// builder draws the operations of one slot. A chain begins and ends within it, so that slots need not know of each
// other.
type builder struct {
	*project

	rng    *rand.Rand
	begin  time.Time
	length time.Duration
	steps  []operation // created by the beginning of their chain, until they are placed
	chains []int       // where the movable chains begin among the steps
	idle   []compute   // computes that no chain of this slot has taken yet
}

func newBuilder(p *project, slot int64) *builder {
	b := &builder{project: p, rng: newRand(p.key, slot), begin: p.begin(slot)}
	b.length = p.begin(slot + 1).Sub(b.begin)
	b.idle = slices.Clone(p.computes[1:])
	b.rng.Shuffle(len(b.idle), func(i, j int) { b.idle[i], b.idle[j] = b.idle[j], b.idle[i] })
	return b
}

// room is how many operations the slot still needs.
func (b *builder) room() int { return b.profile.perSlot - len(b.steps) }

// fill plays scripts until the slot is full.
func (b *builder) fill(scripts []script) {
	all := 0
	for _, s := range scripts {
		all += s.weight
	}
	for b.room() > 0 {
		draw := b.rng.IntN(all)
		for _, s := range scripts {
			if draw -= s.weight; draw < 0 {
				b.chains = append(b.chains, len(b.steps))
				b.play(s)
				break
			}
		}
	}
}

// play adds the operations of a script. A chain breaks off where one fails.
func (b *builder) play(s script) {
	pause := between(b.rng, b.length/10, b.length/2)
	for i := range max(s.times, 1) {
		on, at, before := b.compute(s.where), time.Duration(i)*between(b.rng, 100*time.Millisecond, 500*time.Millisecond), ""
		for action := range strings.FieldsSeq(s.actions) {
			if b.room() == 0 {
				return
			}
			switch {
			case action == "tenant_detach":
				at += 30 * 24 * time.Hour
			case before != "" && (action == suspendCompute || before == suspendCompute):
				at += min(pause, 25*time.Minute)
			case before != "" && before != createBranch:
				at += between(b.rng, time.Second, 10*time.Second)
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

// compute returns a compute of a kind.
func (b *builder) compute(where place) compute {
	switch {
	case where == onMain:
		return b.computes[0]
	case where == onIdle && len(b.idle) > 0:
		on := b.idle[0]
		b.idle = b.idle[1:]
		return on
	case where == anywhere:
		return pick(b.rng, b.computes)
	}
	return compute{b.words.id(b.rng, "br-"), b.words.id(b.rng, "ep-")}
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

// place moves the chains to their places in the slot, spread evenly, and puts the steps in order of time, no two at the
// same microsecond.
func (b *builder) place() {
	latest := b.length * 99 / 100
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
		later := time.Duration(share * float64(max(latest-span, 0)))
		for n := from; n < to; n++ {
			b.steps[n].created = b.begin.Add(micros(min(b.steps[n].created.Sub(b.begin)+later, latest)))
		}
	}
	slices.SortStableFunc(b.steps, func(x, y operation) int { return x.created.Compare(y.created) })
	for i := 1; i < len(b.steps); i++ {
		if last := b.steps[i-1].created; !b.steps[i].created.After(last) {
			b.steps[i].created = last.Add(time.Microsecond)
		}
	}
}

// overture is what everybody sees who starts a platform: something slow, a recent failure, and something running.
func (b *builder) overture() {
	end, s := b.begin.Add(b.length), time.Second
	for _, op := range []operation{
		{created: end.Add(-240 * s), action: createBranch, course: course{s, []time.Duration{540 * s}, finished}},
		{created: end.Add(-80 * s), action: startCompute, course: course{s, []time.Duration{3 * s, 4 * s, 4 * s}, failed}},
		{created: end.Add(-12 * s), action: applyConfig, course: course{s, []time.Duration{25 * s}, finished}},
	}[b.index:] {
		on := pick(b.rng, b.computes)
		op.created = op.created.Add(-micros(between(b.rng, 0, 5*s)))
		op.branch, op.endpoint = on.branch, on.of(op.action)
		b.steps = append(b.steps, op)
	}
}
