package incident

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"pgtower/models"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// world is made-up operations of projects in regions and organizations.
type world struct {
	rng        *rand.Rand
	projects   []Operation // without an operation
	operations []Operation
}

var actions = [...]models.Action{"start_compute", "suspend_compute", "apply_config", "check_availability", "create_branch"}

// newWorld draws projects. A few of them have most operations, as in an account.
func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 1))}
	for i := range 3 + w.rng.IntN(60) {
		w.projects = append(w.projects, Operation{
			Project: fmt.Sprintf("p%02d", i), Name: fmt.Sprintf("project-%02d", i),
			Organization: fmt.Sprintf("org-%d", w.rng.IntN(3)),
			Region:       fmt.Sprintf("region-%d", w.rng.IntN(4)),
		})
	}
	return w
}

// some returns one of the projects: half of the time one of the first three.
func (w *world) some() Operation {
	if w.rng.IntN(2) == 0 {
		return w.projects[w.rng.IntN(3)]
	}
	return w.projects[w.rng.IntN(len(w.projects))]
}

// window adds operations that ended within a quarter of an hour before a time. Each fails with a probability, by fails.
func (w *world) window(n int, before time.Time, fails func(o Operation) float64) {
	for range n {
		o := w.some()
		o.Operation = &models.Operation{
			ID: fmt.Sprintf("op-%05d", len(w.operations)), BranchID: "br-of-" + o.Project, Action: actions[w.rng.IntN(len(actions))],
			Status: models.StatusFinished,
		}
		o.UpdatedAt = before.Add(-time.Duration(w.rng.Int64N(int64(15 * time.Minute))))
		o.CreatedAt = o.UpdatedAt.Add(-5 * time.Second)
		if w.rng.Float64() < fails(o) {
			o.Status, o.Error, o.FailuresCount = models.StatusFailed, fmt.Sprintf("no answer within %ds", w.rng.IntN(90)), 3
		}
		w.operations = append(w.operations, o)
	}
}

func (w *world) all() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for _, o := range w.operations {
			if !yield(o) {
				return
			}
		}
	}
}

func noise(share float64) func(Operation) float64 { return func(Operation) float64 { return share } }

// seconds adds operations of few works with times of whole seconds, so that many share one: bursts, lone failures, and
// what still runs. Some have an unreadable time.
func (w *world) seconds(n int, now time.Time) {
	for range n {
		o := w.projects[w.rng.IntN(3)]
		ago := time.Duration(w.rng.IntN(40)) * time.Minute
		if w.rng.IntN(2) == 0 {
			ago = time.Duration(w.rng.IntN(5)) * 7 * time.Minute // a burst: all in one second
		}
		o.Operation = &models.Operation{
			ID: fmt.Sprintf("op-%05d", len(w.operations)), BranchID: "br-of-" + o.Project, Action: actions[w.rng.IntN(2)], CreatedAt: now.Add(-ago),
			Status: drawnStatus[w.rng.IntN(len(drawnStatus))],
		}
		o.UpdatedAt = o.CreatedAt.Add(time.Duration(w.rng.IntN(4)) * time.Second)
		if !o.Status.Done() {
			o.UpdatedAt = o.CreatedAt
		}
		if o.Status.Failed() {
			o.Error = drawnErrors[w.rng.IntN(len(drawnErrors))]
		}
		switch w.rng.IntN(24) {
		case 0:
			o.CreatedAt = time.Time{}
		case 1:
			o.UpdatedAt = time.Time{}
		}
		w.operations = append(w.operations, o)
	}
}

var (
	drawnStatus = []models.Status{
		models.StatusFailed, models.StatusFailed, models.StatusError, models.StatusFinished, models.StatusRunning,
		models.StatusCancelled, models.StatusSkipped, models.StatusScheduling,
	}
	drawnErrors = []string{"no room", "storage is full"}
)
