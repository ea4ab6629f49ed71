package poll

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// A doubted refusal of the key is no answer: the subject is asked for once more.
func TestAskAgainAfterADoubtedRefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked := map[string]int{}
		subjects := []Subject{{Kind: "list", Of: "a"}, {Kind: "list", Of: "b"}}
		get := func(_ context.Context, s Subject) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			asked[s.Of]++
			if s.Of == "b" && asked["b"] == 1 {
				return "", &models.Error{Kind: models.KindUnauthorized, Status: 401}
			}
			return s.Of, nil
		}
		l := NewLoop(New(1), time.Now)
		l.service.accepted = true
		values, errs := Ask(t.Context(), l, subjects, get)
		if errs[0] != nil || errs[1] != nil || values[0] != "a" || values[1] != "b" || asked["a"] != 1 {
			t.Errorf("%v, %v, asked %v", values, errs, asked)
		}
	})
}

// A key that is refused once more is refused.
func TestAskEndsWithARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLoop(New(1), time.Now)
		l.service.accepted = true
		_, errs := Ask(t.Context(), l, []Subject{{Kind: "list"}}, func(context.Context, Subject) (int, error) {
			return 0, &models.Error{Kind: models.KindUnauthorized, Status: 401}
		})
		if models.KindOf(errs[0]) != models.KindUnauthorized {
			t.Error(errs[0])
		}
	})
}

// Once its context has ended, a loop asks for nothing.
func TestAskOfACanceledContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := NewLoop(New(5), time.Now)
	_, errs := Ask(ctx, l, []Subject{{Kind: "list"}}, func(ctx context.Context, _ Subject) (int, error) {
		return 0, &models.Error{Kind: models.KindCanceled, Err: ctx.Err()}
	})
	if requests, _ := l.Next(time.Now()); errs[0] == nil || l.sent > 0 || len(requests) > 0 {
		t.Errorf("%v, %d sent", errs[0], l.sent)
	}
}
