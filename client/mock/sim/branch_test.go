package sim

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// list returns the branches of a project by id, in pages of a length.
func list(t rapid.TB, p *Platform, project string, q BranchQuery) map[string]Branch {
	t.Helper()
	out := map[string]Branch{}
	for {
		page, next, err := p.Branches(project, q)
		if err != nil || len(page) > q.Limit {
			t.Fatalf("%d branches, %v", len(page), err)
		}
		for _, b := range page {
			if _, twice := out[b.ID]; twice {
				t.Fatalf("%s is listed twice", b.ID)
			}
			out[b.ID] = b
		}
		if next == "" {
			return out
		}
		q.Cursor = next
	}
}

// The branch of an operation is in the list when the operation begins, unless it deletes the branch: then it is gone from
// then on. Names are unique, and one is the default.
func TestBranchesMatchOperations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		clock := newManual()
		p, err := New(Options{Seed: rapid.Uint64().Draw(t, "seed"), Live: true, Clock: clock.Now, Operations: 200, Microseconds: true})
		if err != nil {
			t.Fatal(err)
		}
		project := p.projects[rapid.IntRange(0, len(p.projects)-1).Draw(t, "project")]
		for range rapid.IntRange(1, 3).Draw(t, "moments") {
			clock.advance(time.Duration(rapid.Int64Range(1, int64(4*time.Hour)).Draw(t, "later")))
			ops, _, err := p.Operations(project.record.ID, "", 25)
			if err != nil {
				t.Fatal(err)
			}
			listed := list(t, p, project.record.ID, BranchQuery{Limit: rapid.IntRange(1, 40).Draw(t, "limit"), SortBy: "created_at"})
			checkNames(t, listed)
			for i := range ops {
				checkBranchOf(t, project, &ops[i], ops[:i])
			}
		}
	})
}

func checkNames(t rapid.TB, listed map[string]Branch) {
	t.Helper()
	names, defaults := map[string]bool{}, 0
	for _, b := range listed {
		if names[b.Name] {
			t.Fatalf("%s is the name of two branches", b.Name)
		}
		names[b.Name] = true
		if b.Default {
			defaults++
		}
	}
	if defaults != 1 {
		t.Fatalf("%d default branches", defaults)
	}
}

// checkBranchOf checks that the branch of an operation is listed at its creation, and whether a later operation is on it.
func checkBranchOf(t rapid.TB, p *project, op *Operation, later []Operation) {
	t.Helper()
	created, err := time.Parse(time.RFC3339Nano, op.CreatedAt)
	if err != nil {
		t.Fatal(err)
	}
	now := p.at(created.Add(1))
	_, err = p.findBranch(op.BranchID, now.end)
	deletes := op.Action == deleteTimeline
	if deletes != errors.Is(err, ErrNoBranch) {
		t.Fatalf("%s of %s at %s: %v", op.Action, op.BranchID, op.CreatedAt, err)
	}
	if again := slices.ContainsFunc(later, func(o Operation) bool { return o.BranchID == op.BranchID }); deletes && again {
		t.Fatalf("%s has an operation after it was deleted", op.BranchID)
	}
	if op.Action != createBranch {
		return
	}
	if _, err := p.findBranch(op.BranchID, created); err == nil {
		t.Fatalf("%s is listed before it was created", op.BranchID)
	}
	b, _ := p.findBranch(op.BranchID, now.end)
	if r := now.branchRecord(b); r.CurrentState != "init" || r.PendingState != "ready" || r.ParentID == "" {
		t.Fatalf("a new branch: %+v", r)
	}
}

// Every operation of the simulation is found by its id and has a position of its own, those that delete branches, too.
func TestDeletionsAreOperations(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("other tests run the same code on shorter histories")
	}
	p, clock := platform(t, Options{Seed: 3, Live: true, Operations: 600})
	clock.advance(3 * time.Hour)
	busiest, seen, deletions, cursor := p.BusiestProject(), map[string]bool{}, 0, ""
	for {
		page, next, err := p.Operations(busiest, cursor, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page {
			got, err := p.Operation(busiest, page[i].ID)
			if err != nil || got.CreatedAt != page[i].CreatedAt || got.Action != page[i].Action || seen[got.ID] {
				t.Fatalf("%+v is found as %+v, %v", page[i], got, err)
			}
			seen[got.ID] = true
			if got.Action == deleteTimeline {
				deletions++
			}
		}
		if next == "" {
			break
		}
		cursor = next
	}
	if all := p.projects[0].page(clock.Now().Add(1), clock.Now().Add(time.Hour), 1<<20); len(all) != len(seen) || deletions < 50 {
		t.Errorf("%d operations in pages, %d in all, %d deletions", len(seen), len(all), deletions)
	}
}

// A branch can be created, renamed and deleted by hand, and another one of its name has another id. Lists that are late do
// not show it yet.
func TestBranchesByHand(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Seed: 3, Live: true})
	busiest := p.BusiestProject()
	start := func(action, branch string) (Operation, error) {
		clock.advance(time.Minute)
		return p.Start(Task{ProjectID: busiest, Action: action, Branch: branch})
	}
	names := func(lag time.Duration) (out []string) {
		for _, b := range list(t, p, busiest, BranchQuery{Limit: 1000, Lag: lag, Search: "feature/"}) {
			out = append(out, b.Name+" "+b.ID)
		}
		return out
	}
	made, err := start(createBranch, "feature/a")
	if err != nil || !slices.Equal(names(0), []string{"feature/a " + made.BranchID}) || names(8*time.Second) != nil {
		t.Fatalf("%v: %v, late %v", err, names(0), names(8*time.Second))
	}
	if late, _, _ := p.LateOperations(busiest, "", 5, 8*time.Second); late[0].ID == made.ID {
		t.Error("a late list of operations shows the newest one")
	}
	if _, err := start(createBranch, "feature/a"); !errors.Is(err, ErrBranchName) {
		t.Errorf("a second branch of the name: %v", err)
	}
	if op, err := start("apply_config", "feature/a"); err != nil || op.BranchID != made.BranchID {
		t.Errorf("%+v, %v", op, err)
	}
	if _, err := start("apply_config", "feature/b"); !errors.Is(err, ErrNoBranch) {
		t.Error(err)
	}
	clock.advance(time.Minute)
	if err := p.RenameBranch(busiest, made.BranchID, "feature/b"); err != nil || names(0)[0] != "feature/b "+made.BranchID || names(8 * time.Second)[0] != "feature/a "+made.BranchID {
		t.Errorf("%v: %v, late %v", err, names(0), names(8*time.Second))
	}
	if err := p.RenameBranch(busiest, made.BranchID, "main"); !errors.Is(err, ErrBranchName) {
		t.Error(err)
	}
	if _, err := start(deleteTimeline, "main"); err == nil {
		t.Error("the default branch was deleted")
	}
	if _, err := start(deleteTimeline, "feature/b"); err != nil || names(0) != nil || len(names(8*time.Second)) != 1 {
		t.Errorf("%v: %v, late %v", err, names(0), names(8*time.Second))
	}
	again, err := start(createBranch, "feature/a")
	if err != nil || again.BranchID == made.BranchID || len(names(0)) != 1 {
		t.Errorf("%v: %+v, %v", err, again, names(0))
	}
	if op, err := p.Operation(busiest, made.ID); err != nil || op.BranchID != made.BranchID {
		t.Errorf("an operation of a deleted branch: %+v, %v", op, err)
	}
}

// The state of a compute follows from its operations.
func TestComputes(t *testing.T) {
	t.Parallel()
	p, clock := platform(t, Options{Seed: 3, Live: true, Projects: 12})
	empty := p.projects[11].record.ID // nothing happens there by itself
	state := func() Endpoint {
		all, err := p.Endpoints(empty, 0)
		if err != nil || len(all) != 3 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	if e := state(); e.CurrentState != "idle" || e.Name != "primary" || e.LastActive != nil {
		t.Errorf("%+v", e)
	}
	for action, want := range map[string]string{startCompute: "active", suspendCompute: "idle"} {
		if _, err := p.Start(Task{ProjectID: empty, Action: action, Run: time.Second}); err != nil {
			t.Fatal(err)
		}
		if e := state(); e.PendingState != want {
			t.Errorf("%s: %+v", action, e)
		}
		clock.advance(time.Minute)
		if e := state(); e.CurrentState != want || e.PendingState != "" || e.LastActive == nil {
			t.Errorf("%s: %+v", action, e)
		}
	}
}

// The branches of a fixture follow from its operations, with given or drawn names.
func TestFixtureBranches(t *testing.T) {
	t.Parallel()
	var f Fixture
	if err := json.Unmarshal([]byte(`{"projects":[{"id":"p","created":"-2h","branch":"br-m-1","endpoint":"ep-m-1","branches":{"br-n-1":"preview/named"},"operations":[
		{"id":"a","at":"-30m","action":"create_branch","branch":"br-n-1"},
		{"id":"b","at":"-20m","action":"apply_config","branch":"br-o-1","endpoint":"ep-o-1"},
		{"id":"c","at":"-10m","action":"delete_timeline","branch":"br-n-1"},
		{"id":"d","at":"-5m","action":"create_branch","branch":"br-p-1"}]}]}`), &f); err != nil {
		t.Fatal(err)
	}
	p, _ := platform(t, Options{Fixture: &f})
	var names []string
	for _, b := range list(t, p, "p", BranchQuery{Limit: 1}) {
		names = append(names, b.Name+"="+b.ID)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "dev/alice=br-o-1 main=br-m-1 preview/pr-103=br-p-1" {
		t.Error(got)
	}
	if b, err := p.projects[0].findBranch("preview/named", noon().Add(-15*time.Minute)); err != nil || b.id() != "br-n-1" {
		t.Errorf("%+v, %v", b, err)
	}
}
