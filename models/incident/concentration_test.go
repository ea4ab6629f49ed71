package incident

import (
	"math"
	"testing"

	"pgtower/models"
)

// TestNoiseIsRarelyConcentrated draws windows in which each operation fails with the same probability.
func TestNoiseIsRarelyConcentrated(t *testing.T) {
	t.Parallel()
	const windows = 5_000
	found := 0
	for seed := range uint64(windows) {
		w := newWorld(seed)
		w.window(w.rng.IntN(400), noon(), noise(w.rng.Float64()*0.3))
		if c, is := Concentrated(w.all()); is {
			found++
			t.Logf("seed %d: %+v", seed, c)
		}
	}
	if found > windows/1000 {
		t.Errorf("%d of %d windows of noise have a line", found, windows)
	}
}

// TestIncidentsAreFound draws incidents with noise beside them: what fails most of the time, amid operations enough to
// tell, is named, and with the numbers that were made.
func TestIncidentsAreFound(t *testing.T) {
	t.Parallel()
	for name, by := range map[string]Dimension{
		"a region that fails for a while": Regions,
		"a project that always fails":     Projects,
		"one bad deploy":                  Actions,
		"an organization over its limit":  Organizations,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const windows = 300
			missed := 0
			for seed := range uint64(windows) {
				w := newWorld(seed)
				hit := w.some()
				hit.Operation = &models.Operation{Action: actions[w.rng.IntN(len(actions))]}
				at := by.Of(hit)
				w.window(300, noon(), func(o Operation) float64 {
					if by.Of(o) == at {
						return 0.8
					}
					return 0.005
				})
				c, is := Concentrated(w.all())
				failed, ended := 0, 0
				for _, o := range w.operations {
					if by.Of(o) == at {
						ended++
						failed += number(o.Status.Failed())
					}
				}
				switch same := c.Failed == failed && c.Ended == ended; {
				case failed < 2*leastFailures || ended > len(w.operations)/2:
				case !is:
					missed++
				case c.By == by && c.Value == at && !same:
					t.Errorf("seed %d: %d of %d, not %+v", seed, failed, ended, c)
				case (c.By != by || c.Value != at) && !same: // the same operations may have another name
					missed++
				}
			}
			if missed > windows/50 {
				t.Errorf("%d of %d incidents were not named", missed, windows)
			}
		})
	}
}

func TestConcentrationOfFewFailuresIsNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	w.window(500, noon(), noise(0))
	for i := range leastFailures - 1 {
		failed := w.projects[2]
		failed.Operation = &models.Operation{Status: models.StatusFailed}
		w.operations[i] = failed
	}
	if c, is := Concentrated(w.all()); is {
		t.Errorf("three failures are %+v", c)
	}
}

func TestLogTail(t *testing.T) {
	t.Parallel()
	// Of 10 with 4 failures, 3 are drawn: P(X ≥ 2) = (C(4,2)·C(6,1) + C(4,3)) / C(10,3) = 40 / 120.
	if p := math.Exp(logTail(tally{10, 4}, tally{3, 2})); math.Abs(p-1.0/3) > 1e-12 {
		t.Errorf("the tail is %v, not a third", p)
	}
	if p := math.Exp(logTail(tally{192, 8}, tally{52, 0})); math.Abs(p-1) > 1e-9 {
		t.Errorf("all is %v, not 1", p)
	}
}
