package operations

import (
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
)

// A failed operation may be tried again for an hour, and the service may say when.
func TestResultTellsWhatComesOfAFailure(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	began := now.Add(-65 * time.Second)
	for _, c := range []struct {
		op              models.Operation
		read            time.Duration // before now
		written, spoken string
	}{
		{
			op:      models.Operation{Status: models.StatusFailed, UpdatedAt: now, RetryAt: now.Add(40 * time.Second)},
			written: "failed after 1m05s · tried again in 40s", spoken: "failed after 1 minute 5 seconds · tried again in 40 seconds",
		},
		{
			op:      models.Operation{Status: models.StatusFailed, UpdatedAt: now, RetryAt: now},
			written: "failed after 1m05s · may be tried again", spoken: "failed after 1 minute 5 seconds · may be tried again",
		},
		{
			op:      models.Operation{Status: models.StatusError, UpdatedAt: began.Add(5 * time.Second)},
			written: "error after 5.0s, not tried again", spoken: "error after 5 seconds, not tried again",
		},
		{
			op:      models.Operation{Status: models.StatusFailed, UpdatedAt: now.Add(-time.Hour), CreatedAt: now.Add(-61 * time.Minute)},
			written: "failed after 1m00s, not tried again", spoken: "failed after 1 minute, not tried again",
		},
		{
			op:      models.Operation{Status: models.StatusFailed, UpdatedAt: now.Add(-time.Hour), CreatedAt: now.Add(-61 * time.Minute)},
			read:    time.Second, // before the hour was over: it is read once more
			written: "failed after 1m00s · may be tried again", spoken: "failed after 1 minute · may be tried again",
		},
		{
			op:      models.Operation{Status: models.StatusFinished, UpdatedAt: now, FailuresCount: 1},
			written: "recovered after 1 failure, 1m05s", spoken: "recovered after 1 failure, 1 minute 5 seconds",
		},
		{
			op:      models.Operation{Status: models.StatusFinished, UpdatedAt: now},
			written: "finished after 1m05s", spoken: "finished after 1 minute 5 seconds",
		},
	} {
		if c.op.CreatedAt.IsZero() {
			c.op.CreatedAt = began
		}
		limit := func(models.Action) (time.Duration, bool) { return 0, false }
		r := &row{Operation: query.Operation{Op: &c.op, AsOf: now.Add(-c.read), Facts: &query.Facts{Slow: limit}}}
		if got := written().result(r, now); got != c.written {
			t.Errorf("got %q, want %q", got, c.written)
		}
		if got := spoken().result(r, now); got != c.spoken {
			t.Errorf("got %q, want %q", got, c.spoken)
		}
	}
}

// A recovery is told if its failure was told, and in place of a failure that still waits to be told.
func TestAlertsOfRecoveries(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Trouble", Filter: "is:failed", Alert: true}}
	onBench(t, Options{Views: &own}, func(b *bench) {
		change := func(id string, status models.Status, failures int64) {
			o := b.service.find("a", id)
			o.Status, o.FailuresCount, o.UpdatedAt = status, failures, time.Now()
			b.Wait(6 * time.Second)
		}
		start := func() string { return b.service.add("a", models.StatusRunning, time.Now()).ID }
		one := start()
		change(one, models.StatusFailed, 1)
		b.says(t, "✗ Create branch of A failed", "rings: Trouble: ✗ Create branch of A failed")
		two := start()
		change(two, models.StatusFailed, 1) // too soon for another alert
		change(two, models.StatusFinished, 1)
		b.Wait(10 * time.Second)
		said := "✓ Create branch of A recovered after 1 failure, 6.0s · slow"
		b.says(t, said, "rings: Trouble: "+said)
		b.Wait(10 * time.Second)
		change(one, models.StatusRunning, 1)
		b.says(t)
		change(one, models.StatusFinished, 1)
		b.says(t, "✓ Create branch of A recovered after 1 failure, 44s · slow")
		// Who was not told of the failure is not told of its end.
		three := start()
		b.Wait(6 * time.Second)
		change(three, models.StatusFinished, 1)
		b.says(t)
	}, "a")
}
