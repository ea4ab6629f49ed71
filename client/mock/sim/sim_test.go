package sim

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// platform returns a platform that starts at noon.
func platform(t *testing.T, o Options) (*Platform, *manual) {
	t.Helper()
	clock := newManual()
	o.Clock = clock.Now
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p, clock
}

// life returns all operations of a project from the start on, in the order of their creation, newest first.
func life(p *project, d time.Duration) (out []*operation) {
	end := noon().Add(d)
	for _, op := range p.page(end.Add(1), end.Add(time.Second), 1<<20) {
		if !op.created.Before(noon()) {
			out = append(out, op)
		}
	}
	slices.SortFunc(out, func(a, b *operation) int { return b.created.Compare(a.created) })
	return out
}

// The demo shows work at once, for every seed and hour.
func TestDemoShowsWorkAtOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		start := noon().Add(time.Duration(seed) * time.Hour)
		p, _ := platform(t, Options{Seed: seed, Live: true, Start: start})
		running, slow, failures, busy := 0, 0, 0, 0
		for _, project := range p.projects {
			ops, _, err := p.Operations(project.record.ID, "", 60)
			if err != nil {
				t.Fatal(err)
			}
			recent := 0
			for _, op := range ops {
				created, err := time.Parse(time.RFC3339Nano, op.CreatedAt)
				if err != nil {
					t.Fatal(err)
				}
				age := start.Sub(created)
				if age < 5*time.Minute {
					recent++
				}
				if op.Status == "running" {
					running++
					if age > 3*time.Minute {
						slow++
					}
				}
				if (op.Status == failed || op.Status == errored) && op.Error != "" && age < 5*time.Minute {
					failures++
				}
			}
			if recent >= 4 {
				busy++
			}
		}
		if running < 2 || slow == 0 || failures == 0 || busy < 2 {
			t.Errorf("seed %d: %d running, %d slow, %d failed, %d projects are busy", seed, running, slow, failures, busy)
		}
	}
}

// Days are busy and nights are not, and sometimes several branches are created at once.
func TestNightsAndBursts(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7})
	byDay, byNight, bursts := 0, 0, 0
	var recent []time.Time
	for _, op := range life(p.projects[0], 7*day) {
		switch h := op.created.Sub(noon()) % day; {
		case h < 4*time.Hour:
			byDay++
		case h >= 14*time.Hour && h < 18*time.Hour:
			byNight++
		}
		if op.action != createBranch {
			continue
		}
		recent = append(recent, op.created)
		if n := len(recent); n >= 3 && recent[n-3].Sub(recent[n-1]) < 2*time.Second {
			bursts++
		}
	}
	if byNight == 0 || byNight*4 > byDay {
		t.Errorf("%d operations by day, %d by night", byDay, byNight)
	}
	if bursts < 20 {
		t.Errorf("%d bursts in a week", bursts)
	}
}

// Statuses and actions beyond the specification appear only with Live.
func TestLiveStatusesAndActions(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		p, _ := platform(t, Options{Seed: 7, Live: live})
		seen, actions := map[string]bool{}, map[string]bool{}
		for _, op := range life(p.projects[0], day) {
			actions[op.action] = true
			for _, st := range op.states() {
				seen[st.status] = true
			}
		}
		for _, status := range []string{scheduling, running, finished, failed} {
			if !seen[status] {
				t.Errorf("live %v: no operation is ever %s", live, status)
			}
		}
		for _, status := range []string{errored, cancelling, cancelled, skipped} {
			if seen[status] != live {
				t.Errorf("live %v: %s is there: %v", live, status, seen[status])
			}
		}
		if n := len(actions); live && n < 15 || !live && n > 11 {
			t.Errorf("live %v: %d actions, %v", live, n, actions)
		}
	}
}

// A project that is not used for 30 days is detached, and reattached when it is used again (section 2.3).
func TestDormantProjects(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{Seed: 7})
	ops, detached := life(p.projects[9], 200*day), 0
	for i := range ops[:len(ops)-1] {
		newer, older := ops[i], ops[i+1]
		if newer.action == "tenant_detach" {
			detached++
			if idle := newer.created.Sub(older.created); idle < 30*day {
				t.Errorf("detached %s after %s", idle, older.action)
			}
		}
		if older.action == "tenant_detach" && newer.action != "tenant_reattach" {
			t.Errorf("%s after it was detached", newer.action)
		}
	}
	if detached < 3 {
		t.Errorf("detached %d times in 200 days", detached)
	}
}

// Slots follow each other without a gap, and slotAt agrees with begin.
func TestSlots(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tl := timeline{profile: profileOf(rapid.IntRange(0, 11).Draw(t, "project")), origin: noon()}
		slot := rapid.Int64Range(-1000, 1000).Draw(t, "slot")
		begin, end := tl.slotStart(slot), tl.slotStart(slot+1)
		if !begin.Before(end) || tl.slotAt(begin) != slot || tl.slotAt(end.Add(-1)) != slot || tl.slotAt(end) != slot+1 {
			t.Fatalf("slot %d is from %s to %s", slot, begin, end)
		}
	})
}

// The number of an operation is read back from its id, and only with the key of its project.
func TestIDs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key, number := rapid.Uint64().Draw(t, "key"), rapid.Int64Range(-1<<39, 1<<51).Draw(t, "number")
		id := UUID(key, number)
		if n, ok := operationNumber(key, id); !ok || n != number || len(id) != 36 || id[14] != '4' {
			t.Fatalf("%s is %d, %v", id, n, ok)
		}
		if _, ok := operationNumber(key+1, id); ok {
			t.Fatalf("%s is one of another project", id)
		}
	})
}

// A lost operation is gone: from lists, by its id, and for the control surface.
func TestLostOperationsAndProjects(t *testing.T) {
	t.Parallel()
	p, _ := platform(t, Options{})
	busiest := p.BusiestProject()
	started, err := p.Start(Task{ProjectID: busiest, Action: createBranch})
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := p.Operations(busiest, "", 5)
	for _, id := range []string{started.ID, before[2].ID} {
		if err := p.Lose(busiest, id); err != nil {
			t.Error(err)
		}
		_, failing := p.Fail(busiest, id, 0)
		if _, err := p.Operation(busiest, id); !errors.Is(err, ErrNoOperation) || !errors.Is(failing, ErrNoOperation) {
			t.Errorf("%v, %v", err, failing)
		}
	}
	after, _, _ := p.Operations(busiest, "", 3)
	if after[0].ID != before[1].ID || after[1].ID != before[3].ID {
		t.Errorf("%v became %v", before, after)
	}
	if err := p.LoseProject(busiest); err != nil {
		t.Fatal(err)
	}
	_, _, listing := p.Operations(busiest, "", 1)
	_, starting := p.Start(Task{ProjectID: busiest, Action: createBranch})
	for _, err := range []error{listing, starting, p.Lose(busiest, before[1].ID), p.LoseProject(busiest)} {
		if !errors.Is(err, ErrNoProject) {
			t.Error(err)
		}
	}
	// It is still a position in the list: paging continues after it.
	all, err := p.Projects(busiest, "", "", 400)
	if err != nil || len(all) != DefaultProjects-1 {
		t.Errorf("%d projects, %v", len(all), err)
	}
}

// Options out of range are refused; there can be no projects, and a given key.
func TestOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{}, {Clock: noon, Projects: maxProjects + 1}, {Clock: noon, Operations: maxOperations + 1}, {Clock: noon, Speed: new(-1.0)},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	p, _ := platform(t, Options{Projects: -1, APIKey: "given"})
	if len(p.projects) != 0 || p.BusiestProject() != "" || p.KeyID("given") == 0 {
		t.Errorf("%d projects, the busiest is %q", len(p.projects), p.BusiestProject())
	}
}

// A fixture has only its own operations, each from its own time on, and the key with the given id.
func TestFixture(t *testing.T) {
	t.Parallel()
	f := new(Fixture)
	err := json.Unmarshal([]byte(`{"keys":[{"id":3,"name":"k","created":"-1h"}],"projects":[{"id":"p","region_id":"aws-x","created":"-2h",
		"branch":"br","endpoint":"ep","operations":[{"id":"a","at":"-1m","action":"start_compute","wait":"1s","attempts":["2s","3s"],"retry":"9s","end":"failed"},
		{"id":"b","at":"1m","action":"apply_config","wait":"1s","attempts":["5s"]}]}]}`), f)
	if err != nil {
		t.Fatal(err)
	}
	p, clock := platform(t, Options{Fixture: f})
	ops, more, err := p.Operations("p", "", 5)
	if err != nil || more != "" || len(ops) != 1 || ops[0].ID != "a" || ops[0].Status != failed || ops[0].FailuresCount != 2 {
		t.Errorf("%+v, %v, %v", ops, more, err)
	}
	clock.advance(90 * time.Second)
	if op, err := p.Operation("p", "b"); err != nil || op.Status != finished || op.EndpointID != "" {
		t.Errorf("%+v, %v", op, err)
	}
	if id := p.KeyID(p.APIKey()); id != 3 || p.BusiestProject() != "p" {
		t.Errorf("key %d, project %s", id, p.BusiestProject())
	}
	if err := json.Unmarshal([]byte(`{"projects":[{"operations":[{"at":"soon"}]}]}`), f); err == nil {
		t.Error("soon was read as a time")
	}
}
