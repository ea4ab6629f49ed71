package account

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

// A project key is identified at once: Identify does not wait again for what was asked before.
func TestIdentifyAKeyOfOneProject(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := service{kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}}}
		a, began := New(Options{}), time.Now()
		err := a.Identify(t.Context(), &scripted{answer: s.answer}, poll.NewLoop(poll.New(feed.MaxBudget), time.Now))
		if took := time.Since(began); took > 0 || !errors.Is(err, ErrNoProject) {
			t.Errorf("%v, after %s", err, took)
		}
	})
}
