package account

import (
	"context"
	"slices"
	"time"

	"pgtower/models"
)

// Load makes all requests that are due, with what they lead to, each once. The error is that of a refused key, or of ctx.
func (a *Account) Load(ctx context.Context, s Service, clock func() time.Time) error {
	return loader{a, s, clock}.run(ctx, true)
}

// Identify makes the first requests, which tell what the key is, with the first page of its list. The error is why the
// key cannot be used, or why nothing tells that it can: of a key of one project, that its project is not known.
func (a *Account) Identify(ctx context.Context, s Service, clock func() time.Time) error {
	by := loader{a, s, clock}
	if err := by.run(ctx, false); err != nil {
		return err
	}
	if a.Kind() == models.ProjectKey {
		if err := by.run(ctx, false); err != nil {
			return err
		}
		return a.Err()
	}
	if a.key.auth.known() || a.key.personal || a.key.ofOrg {
		return nil
	}
	for _, l := range a.current() {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// patience is how long answers about the key are waited for when its lists are there.
const patience = time.Second

// loader makes the requests of an account to a service, for callers that wait.
type loader struct {
	account *Account
	service Service
	clock   func() time.Time
}

// run makes the requests that are due and, if onward is set, those that follow from their answers. It ends without the
// answers that hold up nothing but themselves: they are requested again by the next call.
func (l loader) run(ctx context.Context, onward bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.account.Dropped()
	defer cancel()
	answers, flying := make(chan Answer), 0
	for first := true; ; first = false {
		if first || onward {
			requests, _ := l.account.Next(l.clock())
			flying += len(requests)
			for _, r := range requests {
				go l.ask(ctx, r, answers)
			}
		}
		if flying == 0 {
			return nil
		}
		var late <-chan time.Time
		if l.listed() {
			late = time.After(patience)
		}
		select {
		case got := <-answers:
			flying--
			l.account.Receive(got, l.clock())
			if models.KindOf(got.Err) == models.KindUnauthorized {
				return got.Err
			}
		case <-late:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask makes a request.
func (l loader) ask(ctx context.Context, r Request, answers chan<- Answer) {
	select {
	case answers <- r.Ask(ctx, l.service):
	case <-ctx.Done():
	}
}

// listed reports whether all lists that are known to exist have been answered, one of them with projects.
func (l loader) listed() bool {
	open := func(l *list) bool { return !l.answered() || l.inFlight || l.loading != nil }
	return !l.account.Read().IsZero() && !slices.ContainsFunc(l.account.current(), open)
}
