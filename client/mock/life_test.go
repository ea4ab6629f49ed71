package mock

import (
	"testing"
	"time"
)

// lifeOf returns all that a project did from start on.
func lifeOf(p *project, start time.Time, d time.Duration) []operation {
	var out []operation
	for _, op := range p.page(start.Add(d), 1<<20, nil) {
		if op.created.Before(start) {
			break
		}
		out = append(out, op)
	}
	return out
}

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// At night there is much less to do than by day, in each project's own night.
func TestNightsAreQuiet(t *testing.T) {
	t.Parallel()
	for _, p := range newProjects(world{seed: 7, start: noon(), projects: 12, operations: 2000}) {
		if p.profile.perSlot == 0 || p.profile.steady {
			continue
		}
		const days = 7
		night, morning := 0, 0
		for _, op := range lifeOf(p, noon(), days*24*time.Hour) {
			switch h := op.created.Add(time.Duration(p.rhythm.east) * time.Microsecond).Hour(); {
			case h >= 1 && h < 5:
				night++
			case h >= 9 && h < 13:
				morning++
			}
		}
		if night == 0 || night*4 > morning {
			t.Errorf("%s in %s: %d operations at night, %d in the morning", p.name, p.region, night, morning)
		}
	}
}

// Now and then several branches are created at once.
func TestThereAreBursts(t *testing.T) {
	t.Parallel()
	p := newProjects(world{seed: 7, start: noon(), projects: 1})[0]
	bursts := 0
	var recent []time.Time
	for _, op := range lifeOf(p, noon(), 6*time.Hour) {
		if op.action != createBranch {
			continue
		}
		recent = append(recent, op.created)
		if n := len(recent); n >= 3 && recent[n-3].Sub(recent[n-1]) < 2*time.Second {
			bursts++
		}
	}
	if bursts < 5 {
		t.Errorf("%d bursts in six hours", bursts)
	}
}

// What the specification does not know is there with Live, and only with it.
func TestLiveStatusesAndActions(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		statuses, actions := map[string]int{}, map[string]int{}
		p := newProjects(world{seed: 7, start: noon(), projects: 1, live: live})[0]
		for _, op := range lifeOf(p, noon(), 24*time.Hour) {
			actions[op.action]++
			for age := time.Duration(0); ; age += 100 * time.Millisecond {
				st := op.state(age)
				statuses[st.status]++
				if st.done {
					break
				}
			}
		}
		for _, status := range []string{statusScheduling, statusRunning, statusFinished, statusFailed} {
			if statuses[status] == 0 {
				t.Errorf("live %v: no operation is ever %s", live, status)
			}
		}
		for _, status := range []string{statusError, statusCancelling, statusCancelled, statusSkipped} {
			if (statuses[status] > 0) != live {
				t.Errorf("live %v: %d times %s", live, statuses[status], status)
			}
		}
		if n := len(actions); live && n < 20 || !live && n > 11 {
			t.Errorf("live %v: %d actions, %v", live, n, actions)
		}
	}
}

// A project that nobody uses for 30 days is detached, and reattached when somebody
// comes back (section 2.3).
func TestDormantProject(t *testing.T) {
	t.Parallel()
	p := newProjects(world{seed: 7, start: noon(), projects: 12, operations: 2000})[9]
	ops := lifeOf(p, noon(), 100*24*time.Hour)
	detached := 0
	for i := range ops[:len(ops)-1] {
		newer, older := ops[i], ops[i+1]
		switch {
		case newer.action == tenantDetach:
			detached++
			if idle := newer.created.Sub(older.created); older.action != suspendCompute || idle < idleBeforeDetach {
				t.Errorf("detached %s after %s", idle, older.action)
			}
		case (newer.action == tenantReattach) != (older.action == tenantDetach):
			t.Errorf("%s after %s", newer.action, older.action)
		}
	}
	if detached < 3 {
		t.Errorf("detached %d times in a hundred days", detached)
	}
}

// A compute that was started is not started again before it was suspended, nor the
// other way round, and at any time about as many wake as fall asleep.
func TestComputesTakeTurns(t *testing.T) {
	t.Parallel()
	for _, p := range newProjects(world{seed: 7, start: noon(), projects: 9, operations: 2000}) {
		last := map[string]string{}
		ops := lifeOf(p, noon(), 24*time.Hour)
		starts, suspends := 0, 0
		for i := range ops {
			op := ops[len(ops)-1-i]
			if op.action != startCompute && op.action != suspendCompute || op.failed {
				continue
			}
			if op.endpoint != p.computes[0].endpoint && last[op.endpoint] == op.action {
				t.Errorf("%s: %s twice in a row, the second time at %s", op.endpoint, op.action, op.created)
			}
			last[op.endpoint] = op.action
			if op.action == startCompute {
				starts++
			} else {
				suspends++
			}
		}
		if p.index == 0 && (starts < suspends*3/4 || suspends < starts*3/4) {
			t.Errorf("%d starts, %d suspensions", starts, suspends)
		}
	}
}

// The days before the start are like those after it, however much history there is.
func TestTheStartChangesNothing(t *testing.T) {
	t.Parallel()
	const days = 2
	for _, operations := range []int{30_000, 40_000} {
		p := newProjects(world{seed: 7, start: noon(), projects: 1, operations: operations})[0]
		before := 0
		for _, op := range p.page(noon(), operations, nil) {
			if op.created.After(noon().Add(-days * 24 * time.Hour)) {
				before++
			}
		}
		after := len(lifeOf(p, noon(), days*24*time.Hour))
		if ratio := float64(before) / float64(after); ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%d operations in the two days before the start, %d in those after it", before, after)
		}
	}
}

// Days differ from each other, and less is done at the weekend.
func TestDaysDiffer(t *testing.T) {
	t.Parallel()
	p := newProjects(world{seed: 7, start: noon(), projects: 2})[1]
	totals, week, weekend := map[int]bool{}, 0, 0
	begin := noon().Add(12*time.Hour - time.Duration(p.rhythm.east)*time.Microsecond)
	const weeks = 4
	for d := range 7 * weeks {
		day := begin.Add(time.Duration(d) * 24 * time.Hour)
		n := len(lifeOf(p, day, 24*time.Hour))
		totals[n] = true
		switch day.Add(time.Duration(p.rhythm.east) * time.Microsecond).Weekday() {
		case time.Saturday, time.Sunday:
			weekend += n
		default:
			week += n
		}
	}
	if len(totals) < 5 || weekend*5 > week*2*4/5 {
		t.Errorf("%d different totals, %d operations on days of work, %d at weekends", len(totals), week, weekend)
	}
}

// Now and then much fails at once, and mostly next to nothing.
func TestFailuresCluster(t *testing.T) {
	t.Parallel()
	p := newProjects(world{seed: 7, start: noon(), projects: 1})[0]
	all, failed := map[int64]int{}, map[int64]int{}
	for _, op := range lifeOf(p, noon(), 10*24*time.Hour) {
		quarter := op.created.Unix() / 900
		all[quarter]++
		if op.failed {
			failed[quarter]++
		}
	}
	bad, good := 0, 0
	for quarter, n := range all {
		switch share := float64(failed[quarter]) / float64(n); {
		case share > 0.12:
			bad++
		case share < 0.05:
			good++
		}
	}
	if bad == 0 || bad > len(all)/20 || good < len(all)*8/10 {
		t.Errorf("of %d quarters of an hour %d were bad, %d good", len(all), bad, good)
	}
}
