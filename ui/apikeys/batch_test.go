package apikeys

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
)

// tries are the errors of each try, by key id.
type tries map[int64][]error

// Keys are revoked one after the other, waiting as long as the service asks. A list decides revocations without an answer.
func TestBatch(t *testing.T) {
	t.Parallel()
	busy := func(wait time.Duration) error { return &models.Error{Kind: models.KindRateLimited, RetryAfter: wait} }
	for name, c := range map[string]struct {
		fails   tries
		want    []string
		revoked int
		took    time.Duration
	}{
		"all":          {nil, []string{"3 of 3 keys revoked"}, 3, 0},
		"a short wait": {tries{2: {busy(5 * time.Second)}}, []string{"3 of 3 keys revoked"}, 3, 5 * time.Second},
		"busy for good": {
			tries{2: {busy(0), busy(0), busy(0), busy(0)}},
			[]string{"2 of 3 keys revoked", "Failed: 1."},
			2, 3 * time.Second,
		},
		"busy, by what may have passed it on": {
			tries{2: {&models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: 5 * time.Second}}},
			[]string{"2 of 3 keys revoked", "✗ two    still listed"},
			2, 5 * time.Second,
		},
		"a long wait": {
			tries{2: {busy(time.Hour)}},
			[]string{"1 of 3 keys revoked", "Stopped: the service asked us to wait 1h00m. Not tried: 1. Failed: 1."},
			1, 0,
		},
		"not found, and listed": {
			tries{2: {failure(models.KindNotFound)}},
			[]string{"2 of 3 keys revoked", "✗ two    still listed"},
			2, 0,
		},
		"refused": {
			tries{2: {failure(models.KindForbidden)}},
			[]string{"2 of 3 keys revoked", "Failed: 1. The remaining keys are still marked."},
			2, 0,
		},
		"a failure with a wait": {
			tries{1: {&models.Error{Kind: models.KindServer, RetryAfter: 30 * time.Second}}},
			[]string{"2 of 3 keys revoked", "still listed"},
			2, 30 * time.Second,
		},
		"no network": {
			tries{1: {failure(models.KindUnreachable)}},
			[]string{"0 of 3 keys revoked", "Stopped: the service cannot be reached. Not tried: 2.", "still listed"},
			0, 0,
		},
		"no answer, and carried out": {
			tries{1: {failure(models.KindTimeout)}},
			[]string{"1 of 3 keys revoked", "Not tried: 2.", "✓ one    no longer listed"},
			1, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, Options{}, "one", "two", "three")
				b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
					if strings.HasSuffix(name, "and carried out") {
						b.service.remove(k)
					}
					if errs := c.fails[k.ID]; len(errs) > 0 {
						c.fails[k.ID] = errs[1:]
						return models.APIKey{}, errs[0]
					}
					b.service.remove(k)
					return k, nil
				}
				began := time.Now()
				b.Do(b.startBatch(b.targets(), false))
				took := time.Since(began)
				b.late()
				b.Opened().Draws(c.want...)
				if b.report.count(keys.Revoked) != c.revoked || took != c.took {
					t.Errorf("%d were revoked in %s", b.report.count(keys.Revoked), took)
				}
				isFailure := func(e page.Effect) bool { _, ok := e.(page.Failed); return ok }
				if slices.ContainsFunc(b.Effects(), isFailure) != (c.revoked < 3) {
					t.Errorf("%d were revoked: %+v", c.revoked, b.Effects())
				}
			})
		})
	}
}

// A waiting batch stops immediately.
func TestBatchIsStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, Options{}, "one", "two")
		b.service.revoke = func(models.APIKey) (models.APIKey, error) {
			return models.APIKey{}, &models.Error{Kind: models.KindRateLimited, RetryAfter: time.Minute}
		}
		revoking := b.startBatch(b.targets(), false)
		answered, _ := revoking().(page.Delivery)
		waiting := b.Update(answered.Msg)
		began := time.Now()
		woken := make(chan tea.Msg)
		go func() { woken <- waiting() }()
		time.Sleep(time.Second)
		b.Opened().Draws("waits 1m00s (rate limited)")
		b.Opened().Run("stop")
		delivery, _ := (<-woken).(page.Delivery)
		b.Do(b.Update(delivery.Msg))
		b.Opened().Says("0 of 2 keys revoked", "Stopped by you. Not tried: 2.")
		if took := time.Since(began); took != time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// A batch that is stopped during a request ends after its answer.
func TestBatchIsStoppedDuringARequest(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one", "two")
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
		b.Opened().Run("stop")
		b.Opened().Says("Stopping after the current one")
		b.service.remove(k)
		return k, nil
	}
	b.Do(b.startBatch(b.targets(), false))
	b.Opened().Says("1 of 2 keys revoked", "Stopped by you. Not tried: 1.")
}
