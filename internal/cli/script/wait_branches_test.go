package script

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/cli/exit"
	"pgtower/models"
)

// branchOf returns the id of the branch of an operation.
func (w *waited) branchOf(id string) string {
	w.t.Helper()
	op, err := w.Operation(w.project, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return op.BranchID
}

// inject has the mock misbehave from now on.
func (w *waited) inject(text string) {
	w.t.Helper()
	if _, err := w.Inject(text); err != nil {
		w.t.Fatal(err)
	}
}

const preview = "preview/pr-481"

// create begins to create a branch, and returns the ids of the operation and of the branch.
func (w *waited) create(run time.Duration) (op, branch string) {
	w.t.Helper()
	op = w.begin(0, mock.Task{Action: "create_branch", Branch: preview, Run: run})
	return op, w.branchOf(op)
}

// A branch is given by its id, which costs no request, or by its name, which is looked up in the project.
func TestWaitForABranchByItsName(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		op, branch := w.create(20 * time.Second)
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		w.lasted(20 * time.Second)
		if n := w.requests("/branches"); n != 1 {
			t.Errorf("%d requests for branches", n)
		}
		w.wait(WaitOptions{Branches: []string{branch}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		if n := w.requests("/branches"); n != 1 {
			t.Errorf("%d requests for branches", n)
		}
		w.wait(WaitOptions{Branches: []string{preview}, Actions: []string{"start_compute"}, AppearWithin: 3 * time.Second}, 1,
			"no operation came within 3s with --branch "+preview+" ("+branch+"), --action start_compute")
	})
}

// A branch that was just created may be listed late, and one that is renamed while it is waited for is still the same.
func TestWaitForABranchThatIsListedLate(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		time.Sleep(20 * time.Second)
		w.inject("lag=12s of list_branches")
		op, branch := w.create(40 * time.Second)
		go func() {
			time.Sleep(25 * time.Second)
			if err := w.RenameBranch(w.project, branch, "preview/pr-482"); err != nil {
				t.Error(err)
			}
		}()
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		w.lasted(40 * time.Second)
	})
}

// A name that no branch has is an end after --appear-within, with the nearest name.
func TestWaitForABranchThatIsNotThere(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		_, branch := w.create(time.Millisecond)
		w.wait(WaitOptions{Branches: []string{"preview/pr-48"}, AppearWithin: AppearWithin}, 1,
			`no branch named "preview/pr-48" in scratchpad within 30s; did you mean `+preview+" ("+branch+")?")
		w.lasted(30 * time.Second)
		w.wait(WaitOptions{Branches: []string{"nothing like it"}}, 1, `no branch named "nothing like it" in scratchpad`)
		w.lasted(0)
		w.wait(WaitOptions{Branches: []string{"preview/pr-48"}, AppearWithin: AppearWithin, Timeout: 7 * time.Second}, exit.Timeout,
			`no branch named "preview/pr-48" in scratchpad within 7s; did you mean `)
	})
}

// The error of a name that cannot be looked up has what to do: the id needs no list.
func TestWaitWithoutNamesOfBranches(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		op, branch := w.create(20 * time.Second)
		w.inject("untold of list_branches")
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 1, "404", "give --branch an id, such as br-")
		w.wait(WaitOptions{Branches: []string{branch}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		w.options.Projects = nil
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 1, "which project has "+preview+"? Give --project")
	})
}

// A list that shows two branches of a name does not tell which one is meant.
func TestWaitForOneOfTwoBranches(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		w.create(time.Millisecond)
		w.begin(0, mock.Task{Action: "create_branch", Branch: "preview/pr-1", Run: time.Millisecond})
		w.change = func(answer string) string { return strings.ReplaceAll(answer, "preview/pr-1", preview) }
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 1,
			`--branch: in scratchpad, 2 branches have the name "`+preview+`": br-`, "use the id")
	})
}

// A name that is given to a new branch means the new one, also where the list shows the old one for a while.
func TestWaitForABranchThatWasMadeAgain(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		_, old := w.create(time.Millisecond)
		time.Sleep(time.Minute)
		w.inject("lag=8s of list_branches")
		w.begin(0, mock.Task{Action: deleteBranch, Branch: preview, Run: time.Millisecond})
		time.Sleep(2 * time.Second)
		op, branch := w.create(40 * time.Second)
		w.wait(WaitOptions{Branches: []string{preview}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		w.lasted(40 * time.Second)
		if old == branch {
			t.Error("it is the same branch")
		}
	})
}

// If no new branch has the name, the deletion ends the wait.
func TestWaitForABranchThatIsDeleted(t *testing.T) {
	t.Parallel()
	for name, actions := range map[string][]string{"by its action": {deleteBranch}, "by any": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waiting(t, func(w *waited) {
				w.create(time.Millisecond)
				time.Sleep(time.Minute)
				w.inject("lag=8s of list_branches")
				op := w.begin(0, mock.Task{Action: deleteBranch, Branch: preview, Run: 5 * time.Second})
				w.wait(WaitOptions{Branches: []string{preview}, Actions: actions, AppearWithin: AppearWithin}, 0, "finished\t"+op)
				told := strings.Contains(w.printed, "a branch was deleted, and no branch named")
				if told != (actions == nil) {
					t.Error(w.printed)
				}
			})
		})
	}
}

// A link that names no branch is waited for as its project. Its file is named first.
func TestWaitForWhatIsLinked(t *testing.T) {
	t.Parallel()
	waiting(t, func(w *waited) {
		op, _ := w.create(20 * time.Second)
		w.wait(WaitOptions{Linked: "/home/ada/.neon", Branches: []string{preview}, AppearWithin: AppearWithin}, 0, "finished\t"+op)
		if _, told, _ := strings.Cut(w.printed, "pgtower: "); !strings.HasPrefix(told, "linked by /home/ada/.neon: project "+w.project+", branch "+preview+"\n") {
			t.Error(w.printed)
		}
		op, _ = w.begin(0, mock.Task{Action: "apply_config", Run: 5 * time.Second}), ""
		w.wait(WaitOptions{Linked: "/home/ada/.neon"}, 0, "finished\t"+op, "project "+w.project+", no branch\n")
	})
	for _, o := range []WaitOptions{{Linked: "a", IDs: []string{"-"}}, {Linked: "a", Idle: time.Second}} {
		if _, usage := errors.AsType[exit.UsageError](o.check(true)); !usage {
			t.Errorf("%+v", o)
		}
	}
}

// A branch counts as deleted while an operation deletes it, or did, and not if that failed.
func TestWaitSeesWhichBranchesAreDeleted(t *testing.T) {
	t.Parallel()
	b := branches{names: map[string]string{"br-1": "prod"}, deleted: map[string]bool{}}
	for _, c := range []struct {
		status models.Status
		want   bool
	}{{models.StatusFailed, false}, {models.StatusRunning, true}, {models.StatusCancelled, false}, {models.StatusFinished, true}} {
		b.see(&models.Operation{Action: deleteBranch, BranchID: "br-1", Status: c.status})
		if b.deleted["br-1"] != c.want {
			t.Errorf("after %s, it is deleted: %v", c.status, !c.want)
		}
	}
}
