package account

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// If one instance of the service does not know the key, the list is asked for again: the refusal does not make it empty.
func TestLoadAsksAgainAfterADoubtedRefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known := service{kind: models.PersonalKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{of("org-a"): {"p1"}}}
		refused := false
		a := New(Options{})
		s := &scripted{answer: func(r request) Answer {
			if r.Kind == Projects && r.List == of("org-a") && !refused {
				refused = true
				return Answer{Err: refusal(401, "invalid key")}
			}
			return known.answer(r)
		}}
		err := a.Load(t.Context(), s, poll.NewLoop(poll.New(5), time.Now))
		if err != nil || !slices.Equal(ids(a), []string{"p1"}) {
			t.Errorf("%v, projects %v", err, ids(a))
		}
	})
}

// A rate limit that holds up a list before it was asked for is an error: otherwise the list would be missing silently.
func TestLoadTellsOfALimitBeforeTheLists(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known := service{kind: models.PersonalKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{of("org-a"): {"p1"}}}
		limited := &models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: 2 * time.Minute}
		a := New(Options{})
		s := &scripted{answer: func(r request) Answer {
			if r.Kind == User {
				return Answer{Err: limited}
			}
			return known.answer(r)
		}}
		by := poll.NewLoop(poll.New(1), time.Now)
		if err := a.Load(t.Context(), s, by); models.RetryAfterOf(err) == 0 {
			t.Errorf("%v, projects %v, settled %t", err, ids(a), a.Settled())
		}
		time.Sleep(time.Minute)
		if err := a.Load(t.Context(), s, by); models.RetryAfterOf(err) > time.Minute || models.RetryAfterOf(err) == 0 {
			t.Errorf("a minute later: %v", err)
		}
	})
}

// Recognize asks again after a doubted refusal, and for nothing else than it began with.
func TestRecognizeAfterADoubtedRefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known := service{kind: models.PersonalKey, orgs: []string{"org-a"}}
		organizations := 0
		a := New(Options{})
		s := &scripted{answer: func(r request) Answer {
			if r.Kind == Organizations {
				organizations++
				if organizations == 1 {
					time.Sleep(time.Millisecond) // the key was accepted meanwhile
					return Answer{Err: refusal(401, "invalid key")}
				}
			}
			return known.answer(r)
		}}
		err := a.Recognize(t.Context(), s, poll.NewLoop(poll.New(5), time.Now))
		if err != nil || len(a.Organizations()) != 1 || len(s.asked) != 3 {
			t.Errorf("%v, %v, asked %v", err, a.Organizations(), s.asked)
		}
	})
}

// After a key could not be recognized, later requests read nothing more about it.
func TestRecognizeTwiceInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answer: func(request) Answer { return Answer{Err: errBusy} }}
		a, by := New(Options{}), poll.NewLoop(poll.New(5), time.Now)
		for range 2 {
			if err := a.Recognize(t.Context(), s, by); err != nil {
				t.Fatal(err)
			}
		}
		poll.Ask(t.Context(), by, []poll.Subject{{Kind: "other"}}, func(context.Context, poll.Subject) (int, error) {
			time.Sleep(time.Millisecond)
			return 0, nil
		})
		if len(s.asked) != 2 {
			t.Errorf("asked %v", s.asked)
		}
	})
}
